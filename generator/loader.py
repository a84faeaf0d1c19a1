"""Reads the registry: files and includes -> declarations -> ops. All errors at once."""

from __future__ import annotations

from pathlib import Path

from generator.checks import check_names, check_op, check_roles
from generator.declare import Source, read_declaration
from generator.model import Declaration, Named, Op, Registry
from generator.problems import Place, Problems, RegistryError
from generator.resolve import Resolver, vocabulary_of
from generator.yaml_tree import Items, Table, Text, read_tree


def load(path: Path) -> Registry:
    """The registry at path; RegistryError with every error there is."""
    problems = Problems()
    files = Files(path, problems)
    files.read(path, path.name, Place(path.name, 1, 1))
    by_name = check_names(files.declarations, problems)
    check_roles(files.declarations, files.roles, problems)
    resolver = Resolver(vocabulary_of(by_name), problems)
    ops = []
    for declaration in by_name.values():
        op = resolver.resolve(declaration)
        check_op(op, problems)
        ops.append(op)
    if problems:
        raise RegistryError(problems)
    return registry_of(ops, files.shown)


def registry_of(ops: list[Op], files: list[str]) -> Registry:
    roles = {op.decl.role.name: op.decl for op in ops if op.decl.role}
    ordered = sorted(ops, key=lambda op: (op.decl.family, op.decl.place))
    return Registry(tuple(ordered), dict(sorted(roles.items())), tuple(sorted(files)))


class Files:
    """The files of a registry, each read once, and what they declare."""

    def __init__(self, root: Path, problems: Problems) -> None:
        self.problems = problems
        self.base = root.parent
        self.declarations: list[Declaration] = []
        self.roles: list[Named] = []
        self.shown: list[str] = []
        self._open: list[Path] = []
        self._done: set[Path] = set()

    def read(self, path: Path, shown: str, whence: Place) -> None:
        real = path.resolve()
        if real in self._open:
            chain = " -> ".join(p.name for p in [*self._open[self._open.index(real) :], real])
            self.problems.add(whence, f"files include each other: {chain}")
            return
        if real in self._done:
            self.problems.add(whence, f"'{shown}' is included twice")
            return
        self._done.add(real)
        tree = read_tree(path, shown, self.problems, whence)
        if tree is None:
            return
        self.shown.append(shown)
        if not isinstance(tree, Items):
            self.problems.add(tree.place, "a registry is a list of ops and includes")
            return
        self._open.append(real)
        source = Source(path.stem, shown)
        for item in tree.items:
            if not isinstance(item, Table):
                self.problems.add(
                    item.place, "an item must begin with 'op: NAME' or 'include: FILE'"
                )
            elif any(key.name == "include" for key, _ in item):
                self._include(item, path)
            elif any(key.name == "roles" for key, _ in item):
                self._roles(item)
            else:
                declaration = read_declaration(item, source, self.problems)
                if declaration is not None:
                    self.declarations.append(declaration)
        self._open.pop()

    def _include(self, item: Table, path: Path) -> None:
        for key, value in item:
            if key.name != "include":
                self.problems.add(key.place, f"unknown key '{key.name}' beside include")
            elif not isinstance(value, Text) or value.null:
                self.problems.add(value.place, "include names a file: include: ops/FAMILY.yaml")
            else:
                included = path.parent / value.value
                self.read(included, self._shown(included), value.place)

    def _roles(self, item: Table) -> None:
        for key, value in item:
            if key.name != "roles" or not isinstance(value, Items):
                self.problems.add(key.place, "an item of roles is a list alone: roles: [NAME, ...]")
                continue
            for role in value.items:
                if isinstance(role, Text) and role.value.isidentifier():
                    self.roles.append(Named(role.place, role.value))
                else:
                    self.problems.add(role.place, "roles holds names")

    def _shown(self, path: Path) -> str:
        resolved, base = path.resolve(), self.base.resolve()
        inside = resolved.is_relative_to(base)
        return str(resolved.relative_to(base)) if inside else str(path)
