"""What generated headers say of an op: declarations, documentation, table row, role and alias."""

from __future__ import annotations

from dataclasses import dataclass

from generator.cpp_forms import FormText
from generator.cpp_plain import result_type
from generator.describe import documentation
from generator.model import Declaration, Op, Registry
from generator.plan import NodePlans
from generator.spelling import (
    Parameter,
    attr_type,
    default_value,
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

    def forward(self, name: str, target: str, after: str = "") -> str:
        """An inline function called `name` that calls `target`."""
        wanted = ", ".join(p.declaration for p in self.parameters)
        args = ", ".join(p.name for p in self.parameters)
        back = "return " if self.result != "void" else ""
        return f"inline {self.result} {name}({wanted}){after} {{ {back}{target}({args}); }}"


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


def inplace_result(op: Declaration) -> str:
    if op.update:
        return "Tensor&" if len(op.pairs) == 1 else "void"
    visible = op.visible_outputs
    if len(visible) == 1:
        return "Tensor&"
    written = {pair.output for pair in op.pairs}
    kinds = ["Tensor&" if output.name in written else "Tensor" for output in visible]
    return f"std::tuple<{', '.join(kinds)}>"


def alias_functions(op: Declaration) -> list[str]:
    lines = []
    for alias in op.aliases:
        for function in functions(op):
            inplace = function.name == f"imperative_{op.inplace_name}" and op.has_plain
            name = f"imperative_{alias.name}{'_' if inplace else ''}"
            lines.append(function.forward(name, function.name))
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
        "declarations": [*(f.declaration for f in functions(decl)), *alias_functions(decl)],
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


def table_row(op: Op) -> dict[str, str]:
    decl = op.decl
    kind = op.backward.kind
    if kind == "absent":
        kind = "composite" if decl.composite else "update"

    def flag(value: bool) -> str:
        return "true" if value else "false"

    arguments = [*decl.input_names(), *(a.name for a in decl.attrs)]
    return {
        "name": quoted(decl.name),
        "family": quoted(decl.family),
        "place": quoted(f"{decl.source}:{decl.place.line}"),
        "doc": f".doc = {quoted(decl.doc)},",
        "arguments": quoted(", ".join(arguments)),
        "aliases": quoted(", ".join(alias.name for alias in decl.aliases)),
        "inplace": quoted(", ".join(f"{p.input} -> {p.output}" for p in decl.pairs)),
        "gradient": quoted(kind),
        "has_plain": flag(decl.has_plain),
        "internal": flag(decl.internal),
        "elementwise": flag(decl.elementwise),
        "view": flag(decl.view is not None),
        "random": flag(decl.random),
    }


def role_entries(registry: Registry) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = []
    for name, op in registry.roles.items():
        lines = []
        for function in functions(op):
            inplace = op.has_plain and function.name.endswith("_")
            lines.append(function.forward(f"{name}{'_' if inplace else ''}", function.name))
        place = f"{op.source}:{op.place.line}"
        entries.append({"name": name, "op": op.name, "place": place, "functions": lines})
    return entries


def call_lines(registry: Registry) -> list[str]:
    lines = []
    for op in sorted(registry.ops, key=lambda o: o.decl.name):
        if op.decl.has_plain:
            function = functions(op.decl)[0]
            lines.append(function.forward(op.decl.name, function.name))
    return lines


def definition_signature(form: FormText) -> str:
    return f"{form.result} imperative_{form.name}({', '.join(form.parameters)})"
