"""What generated headers say of an op: declarations, documentation, table row, role and alias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from generator.cpp_forms import FormText
from generator.cpp_plain import result_type
from generator.describe import documentation
from generator.layout import fit, function, literal
from generator.model import Declaration, Op, Registry
from generator.plan import NodePlans
from generator.spelling import (
    Parameter,
    attr_type,
    default_value,
    inplace_result,
    options_type,
    parameters,
    quoted,
)


@dataclass(frozen=True)
class Function:
    """A function's outside."""

    result: str
    name: str
    parameters: list[Parameter]

    @property
    def declaration(self) -> str:
        return f"{self.result} {self.name}({', '.join(p.declaration for p in self.parameters)});"

    def forward(self, name: str) -> list[str]:
        """An inline function called `name` that calls this one."""
        wanted = ", ".join(p.declaration for p in self.parameters)
        args = ", ".join(p.name for p in self.parameters)
        back = "return " if self.result != "void" else ""
        head = f"inline {self.result} {name}({wanted})"
        return function(head, [f"{back}{self.name}({args});"])


def functions(op: Declaration) -> list[Function]:
    """imperative_<op> and imperative_<op>_, as far as there are."""
    found = []
    if op.has_plain:
        result = result_type(op.visible_outputs)
        found.append(Function(result, f"imperative_{op.name}", parameters(op, inplace=False)))
    if op.pairs:
        name = f"imperative_{op.inplace_name}"
        found.append(Function(inplace_result(op), name, parameters(op, inplace=True)))
    return found


def alias_functions(op: Declaration) -> list[str]:
    lines: list[str] = []
    for alias in op.aliases:
        for form in functions(op):
            inplace = form.name == f"imperative_{op.inplace_name}" and op.has_plain
            lines += form.forward(f"imperative_{alias.name}{'_' if inplace else ''}")
    return lines


def option_fields(op: Declaration) -> list[str]:
    fields = []
    for attr in op.attrs:
        default = "" if attr.default is None else f" = {default_value(attr, attr.default)}"
        doc = f"  // {attr.doc}" if attr.doc else ""
        fields.append(f"{attr_type(attr)} {attr.name}{default};{doc}")
    return fields


def ops_h_entry(op: Op, plans: NodePlans) -> dict[str, object]:
    decl = op.decl
    options = []
    if decl.uses_options:
        options = [{"name": options_type(decl), "fields": option_fields(decl)}]
    return {
        "doc": [f"// {line}".rstrip() for line in documentation(op, plans)],
        "options": options,
        "declarations": [
            *(fit(form.declaration) for form in functions(decl)),
            *alias_functions(decl),
        ],
    }


def info_lines(registry: Registry) -> list[str]:
    """One OpInfo for each function; the gradient's name is the plain op's."""
    lines = []
    for op in sorted(registry.ops, key=lambda o: o.decl.name):
        names = [op.decl.name] if op.decl.has_plain else []
        names += [op.decl.inplace_name] if op.decl.inplace_name else []
        gradient = quoted(f"{op.decl.name.rstrip('_')}_grad")
        for name in names:
            lines.append(f"inline constexpr OpInfo {name}{{{quoted(name)}, {gradient}}};")
    return lines


def table_row(op: Op) -> list[str]:
    """The row's lines, fields in the order of OpRow."""
    decl = op.decl
    kind = op.backward.kind
    if kind == "absent":
        kind = "composite" if decl.composite else "update"
    texts = {
        "name": decl.name,
        "family": decl.family,
        "place": f"{decl.source}:{decl.place.line}",
        "doc": decl.doc,
        "arguments": ", ".join([*decl.input_names(), *(a.name for a in decl.attrs)]),
        "aliases": ", ".join(alias.name for alias in decl.aliases),
        "inplace": ", ".join(f"{p.input} -> {p.output}" for p in decl.pairs),
        "gradient": kind,
    }
    flags = {
        "has_plain": decl.has_plain,
        "internal": decl.internal,
        "elementwise": decl.elementwise,
        "view": decl.view is not None,
        "random": decl.random,
    }
    fields = [literal(f".{name} = ", text, 5) for name, text in texts.items()]
    fields += [[f".{name} = {'true' if value else 'false'}"] for name, value in flags.items()]
    lines = [line for field in fields for line in [*field[:-1], f"{field[-1]},"]]
    lines[-1] = lines[-1][:-1]
    return ["    {" + lines[0], *(f"     {line}" for line in lines[1:-1]), f"     {lines[-1]}}},"]


class RoleEntry(TypedDict):
    name: str
    op: str
    place: str
    functions: list[str]


def role_entries(registry: Registry) -> list[RoleEntry]:
    entries: list[RoleEntry] = []
    for name, op in registry.roles.items():
        lines: list[str] = []
        for form in functions(op):
            inplace = op.has_plain and form.name == f"imperative_{op.inplace_name}"
            lines += form.forward(f"{name}{'_' if inplace else ''}")
        place = f"{op.source}:{op.place.line}"
        entries.append({"name": name, "op": op.name, "place": place, "functions": lines})
    return entries


def call_lines(registry: Registry) -> list[str]:
    lines: list[str] = []
    for op in sorted(registry.ops, key=lambda o: o.decl.name):
        if op.decl.has_plain:
            lines += functions(op.decl)[0].forward(op.decl.name)
    return lines


def definition_signature(form: FormText) -> str:
    return f"{form.result} imperative_{form.name}({', '.join(form.parameters)})"
