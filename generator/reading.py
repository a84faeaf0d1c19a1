"""Reads the values of one entry by the type that their place has; notes what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.problems import Place, Problems, did_you_mean
from generator.vocabulary import CPP_KEYWORDS, PYTHON_KEYWORDS, RESERVED_NAMES
from generator.yaml_tree import Items, Key, Table, Text, Tree


@dataclass(frozen=True)
class Reader:
    """The reader of one op's entry: every message names the op."""

    op: str
    problems: Problems

    def error(self, place: Place, message: str) -> None:
        self.problems.add(place, f"op '{self.op}': {message}")

    def table(self, tree: Tree, what: str) -> Iterator[tuple[Key, Tree]]:
        """The entries of a map whose values may not be missing."""
        if not isinstance(tree, Table):
            self.error(tree.place, f"{what} must be a map, not {kind_of(tree)}")
            return
        for key, value in tree:
            if isinstance(value, Text) and value.null:
                hint = (
                    "; a flow map {...} is cut at every comma: quote it"
                    if tree.flow
                    else "; write it or leave the key out"
                )
                self.error(key.place, f"{what}: '{key.name}' has no value{hint}")
                continue
            yield key, value

    def keys(self, tree: Tree, what: str, known: Iterable[str]) -> dict[str, tuple[Key, Tree]]:
        """The entries of a map whose keys are a closed list."""
        found: dict[str, tuple[Key, Tree]] = {}
        names = tuple(known)
        for key, value in self.table(tree, what):
            if key.name not in names:
                of = "" if what == "entry" else f" of {what}"
                hint = did_you_mean(key.name, names)
                self.error(key.place, f"unknown key '{key.name}'{of}{hint}")
                continue
            found[key.name] = (key, value)
        return found

    def items(self, tree: Tree, what: str) -> tuple[Tree, ...]:
        if isinstance(tree, Items):
            return tree.items
        self.error(tree.place, f"{what} must be a list, not {kind_of(tree)}")
        return ()

    def string(self, tree: Tree, what: str) -> str:
        if isinstance(tree, Text) and not tree.null:
            return tree.value
        self.error(tree.place, f"{what} must be a text, not {kind_of(tree)}")
        return ""

    def expression(self, tree: Tree, what: str) -> Text | None:
        if isinstance(tree, Text) and not tree.null:
            return tree
        hint = "; quote it" if not isinstance(tree, Text) else ""
        self.error(tree.place, f"{what} must be an expression, not {kind_of(tree)}{hint}")
        return None

    def choice(self, tree: Tree, what: str, choices: Iterable[str]) -> str:
        value = self.string(tree, what)
        names = tuple(choices)
        if value and value not in names:
            hint = did_you_mean(value, names) or f" (there are: {', '.join(names)})"
            self.error(tree.place, f"{what}: unknown '{value}'{hint}")
            return ""
        return value

    def boolean(self, tree: Tree, what: str) -> bool:
        if isinstance(tree, Text) and not tree.quoted and tree.value in ("true", "false"):
            return tree.value == "true"
        self.error(tree.place, f"{what} must be true or false, not {kind_of(tree)}")
        return False

    def name(self, tree: Tree, what: str) -> str:
        """A name that goes into C++ and Python."""
        value = self.string(tree, what)
        return value if value and self.check_name(tree.place, value, what) else ""

    def check_name(self, place: Place, name: str, what: str) -> bool:
        if not name.isidentifier() or not name.isascii():
            self.error(place, f"{what} '{name}' is not a name (letters, digits, _)")
            return False
        if name.startswith("_") or "__" in name:
            self.error(place, f"{what} '{name}' may not begin with _ or hold __")
            return False
        if name in CPP_KEYWORDS or name in PYTHON_KEYWORDS:
            self.error(place, f"{what} '{name}' is a keyword of C++ or Python: choose another name")
            return False
        if name in RESERVED_NAMES:
            self.error(place, f"{what} '{name}' is a name that generated code uses: choose another")
            return False
        return True


def kind_of(tree: Tree) -> str:
    if isinstance(tree, Items):
        return "a list"
    if isinstance(tree, Table):
        return "a map"
    return "nothing" if tree.null else f"'{tree.value}'"
