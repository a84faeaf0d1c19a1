"""Python's side of an op: argument signatures and bodies of the C API functions, and table rows."""

from __future__ import annotations

import json
from dataclasses import dataclass

from generator.docstrings import docstring, text_signature
from generator.emit_defs import constant
from generator.layout import literal
from generator.model import Attr, Declaration, Input, InputType, Op, Operator
from generator.plan import NodePlans
from generator.spelling import default_value

READERS = {
    "bool": "boolean", "int": "integer", "float": "number", "str": "string", "dtype": "dtype",
    "scalar": "scalar", "int[]": "ints", "axis": "integer", "axes": "ints", "shape": "ints",
    "index": "index",
}  # fmt: skip
INTS = ("int[]", "axes", "shape")


@dataclass(frozen=True)
class PythonForm:
    """imperative_<op> or imperative_<op>_ as Python calls it."""

    op: Op
    plans: NodePlans
    inplace: bool

    @property
    def decl(self) -> Declaration:
        return self.op.decl

    @property
    def name(self) -> str:
        name = self.decl.inplace_name if self.inplace else self.decl.name
        assert name is not None
        return name

    @property
    def parameters(self) -> tuple[Input | Attr, ...]:
        return (*self.decl.inputs, *self.decl.attrs)

    @property
    def positional(self) -> int:
        return len(self.decl.inputs) if self.decl.uses_options else len(self.parameters)

    @property
    def program_constant(self) -> str:
        """What it is while a program is recorded."""
        return f"program::defs::{constant(self.op)}"

    def required(self, parameter: Input | Attr) -> bool:
        if isinstance(parameter, Input):
            return not parameter.optional
        return parameter.default is None

    def signature(self) -> str:
        names = ", ".join(json.dumps(p.name) for p in self.parameters)
        mask = "".join("1" if self.required(p) else "0" for p in reversed(self.parameters))
        count = len(self.parameters)
        kind = "kInplace" if self.inplace else "kPlain"
        return (
            f"constexpr Signature<{count}> {self.name}_signature{{{json.dumps(self.name)}, "
            f"{{{names}}}, {self.positional}, 0b{mask}, "
            f"{{&{self.program_constant}, ProgramForm::{kind}}}}};"
        )

    def body(self) -> list[str]:
        decl = self.decl
        reads = [self._read(i, p) for i, p in enumerate(self.parameters)]
        if decl.uses_options:
            split = len(decl.inputs)
            named = [f".{a.name} = {r}" for a, r in zip(decl.attrs, reads[split:], strict=True)]
            reads = [*reads[:split], f"{{{', '.join(named)}}}"]
        call = f"imperative_{self.name}({', '.join(reads)})"
        if not self.inplace:
            return [f"return wrap({call});"]
        return self._write(call)

    def _write(self, call: str) -> list[str]:
        """In place Python gets the very objects that it passed."""
        decl = self.decl
        same = {pair.output: self._same(pair.input) for pair in decl.pairs}
        visible = decl.visible_outputs
        if len(visible) == 1:
            return [f"{call};", f"return {same[visible[0].name]};"]
        fresh = [o.name for o in visible if o.name not in same]
        if not fresh:
            return [f"{call};", f"return tuple({', '.join(same[o.name] for o in visible)});"]
        results = [same.get(o.name, f"wrap(std::get<{i}>(results))") for i, o in enumerate(visible)]
        return [f"const auto results = {call};", f"return tuple({', '.join(results)});"]

    def _same(self, target: str) -> str:
        decl = self.decl
        i = decl.input_names().index(target)
        always_one = decl.input(target).type in (InputType.TENSOR, InputType.OPERAND)
        return f"Py_NewRef(in.object({i}))" if always_one else f"in.same({i})"

    def _read(self, i: int, parameter: Input | Attr) -> str:
        if isinstance(parameter, Input):
            return f"in.{self._input_reader(parameter)}({i})"
        if parameter.optional:
            reader = "ints" if parameter.type == "int[]" else f"optional_{READERS[parameter.type]}"
            return f"in.{reader}({i})"
        reader = READERS[parameter.type]
        if parameter.default is None:
            return f"in.{reader}({i})"
        return f"in.{reader}({i}, {default_value(parameter, parameter.default)})"

    def _input_reader(self, item: Input) -> str:
        if self.inplace and item.name in self.decl.targets:
            return {InputType.LIST: "targets", InputType.OPTIONAL: "optional_target"}.get(
                item.type, "target"
            )
        return {
            InputType.TENSOR: "tensor",
            InputType.OPERAND: "operand",
            InputType.OPTIONAL: "optional",
            InputType.LIST: "tensors",
        }[item.type]

    # --- Rows of the tables.

    def names(self) -> list[str]:
        """Its own name and its aliases."""
        suffix = "_" if self.inplace and self.decl.has_plain else ""
        return [self.name, *(f"{alias.name}{suffix}" for alias in self.decl.aliases)]

    @property
    def is_method(self) -> bool:
        return self.decl.method is not None

    @property
    def takes_items(self) -> bool:
        """Whether a method's one list of integers may be given loose: x.reshape(2, 2)."""
        attrs = self.decl.attrs
        alone = len(self.decl.inputs) == 1 and len(attrs) == 1 and not self.decl.uses_options
        return alone and attrs[0].type in INTS and not attrs[0].optional

    def function_rows(self) -> list[str]:
        return [self._row(n, f"function<call_{self.name}>", False) for n in self.names()]

    def method_rows(self) -> list[str]:
        if self.decl.method is None:
            return []
        place = self.decl.input_names().index(self.decl.method)
        kind = "method_of_items" if self.takes_items else "method"
        entry = f"{kind}<call_{self.name}{f', {place}' if place else ''}>"
        return [self._row(n, entry, True) for n in self.names()]

    def _row(self, name: str, entry: str, method: bool) -> str:
        head = text_signature(self, name, method)
        doc = docstring(self) if name == self.name else f"Another name for {self.name}()."
        text = f"{head}\n--\n\n{doc}"
        lines = [f"{line}\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
        joined = "\n".join(
            f"     {part}" for line in _joined(lines) for part in literal("", line, 5)
        )
        return f"    {{{json.dumps(name)}, {entry},\n{joined}}},"

    def operator_rows(self) -> list[str]:
        rows = []
        for operator in self.decl.operators:
            symbol = self._symbol(operator)
            if symbol is not None:
                entry = "unary" if operator.kind == "unary" else "operation"
                rows.append(f"    {{{json.dumps(symbol)}, {entry}<call_{self.name}>}},")
        return rows

    def _symbol(self, operator: Operator) -> str | None:
        if not self.inplace:
            return operator.symbol
        first = self.decl.inputs[0].name in self.decl.targets
        return f"{operator.symbol}=" if operator.kind == "binary" and first else None


def _joined(lines: list[str]) -> list[str]:
    """Empty lines, and the line that ends a signature, together with the one before."""
    found: list[str] = []
    for line in lines:
        if found and line in ("--\n", "\n"):
            found[-1] += line
        else:
            found.append(line)
    return found


def python_forms(op: Op, plans: NodePlans) -> list[PythonForm]:
    if op.decl.internal:
        return []
    forms = [PythonForm(op, plans, inplace=False)] if op.decl.has_plain else []
    return forms + ([PythonForm(op, plans, inplace=True)] if op.decl.pairs else [])
