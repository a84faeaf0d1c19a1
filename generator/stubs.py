"""The type stub of the op functions and of Tensor's generated methods."""

from __future__ import annotations

from generator.docstrings import docstring, python_default
from generator.model import Attr, Input, InputType, Operator
from generator.python_text import PythonForm

ATTR_TYPES = {
    "bool": "bool", "int": "int", "float": "float", "str": "str", "dtype": "DTypeLike",
    "scalar": "Number", "int[]": "IntsLike", "axis": "int", "axes": "IntsLike",
    "shape": "IntsLike", "index": "IndexLike",
}  # fmt: skip
INPUT_TYPES = {
    InputType.TENSOR: "Tensor", InputType.OPERAND: "Operand",
    InputType.OPTIONAL: "Tensor | None", InputType.LIST: "Sequence[Tensor]",
}  # fmt: skip
DUNDERS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
    "neg": "neg", "pos": "pos", "abs": "abs", "invert": "invert",
}  # fmt: skip
WIDTH = 100


def annotation(form: PythonForm, parameter: Input | Attr) -> str:
    if isinstance(parameter, Input):
        target = form.inplace and parameter.name in form.decl.targets
        if target and parameter.type is InputType.OPERAND:
            return "Tensor"
        return INPUT_TYPES[parameter.type]
    if parameter.choices:
        return f"Literal[{', '.join(repr(c) for c in parameter.choices)}]"
    kind = ATTR_TYPES[parameter.type]
    return f"{kind} | None" if parameter.optional else kind


def parameter_text(form: PythonForm, parameter: Input | Attr) -> str:
    text = f"{parameter.name}: {annotation(form, parameter)}"
    if isinstance(parameter, Input):
        return f"{text} = None" if parameter.optional else text
    if parameter.default is None:
        return text
    return f"{text} = {python_default(parameter.default)}"


def returns(form: PythonForm, method: bool) -> str:
    decl = form.decl
    pairs = {pair.output: decl.input(pair.input) for pair in decl.pairs} if form.inplace else {}
    kinds = []
    for output in decl.visible_outputs:
        target = pairs.get(output.name)
        if target is not None and method and target.name == decl.method:
            kinds.append("Self")
        elif target is not None and target.optional:
            kinds.append("Tensor | None")
        else:
            kinds.append("list[Tensor]" if output.is_list else "Tensor")
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def function_stub(form: PythonForm, name: str) -> list[str]:
    parts = []
    for i, parameter in enumerate(form.parameters):
        if i == form.positional and form.decl.uses_options:
            parts.append("*")
        parts.append(parameter_text(form, parameter))
    doc = docstring(form).split("\n") if name == form.name else [f"Another name for {form.name}()."]
    return _definition(name, parts, returns(form, False), "", doc)


def method_stub(form: PythonForm, name: str) -> list[str]:
    parts = ["self"]
    for i, parameter in enumerate(form.parameters):
        if i == form.positional and form.decl.uses_options:
            parts.append("*")
        if parameter.name == form.decl.method:
            continue
        parts.append(parameter_text(form, parameter))
    doc = [f"The function {name}() with self as {form.decl.method}."]
    result = returns(form, True)
    if not form.takes_items:
        return _definition(name, parts, result, "    ", doc)
    # The one list of integers may also be given loose.
    return [
        "    @overload",
        *_definition(name, parts, result, "    ", doc),
        "    @overload",
        f"    def {name}(self, *{form.decl.attrs[0].name}: int) -> {result}: ...",
    ]


def operator_stubs(form: PythonForm, operator: Operator) -> list[str]:
    dunder = DUNDERS[operator.symbol]
    if operator.kind == "unary":
        return [] if form.inplace else [f"    def __{dunder}__(self) -> Tensor: ..."]
    other = INPUT_TYPES[form.decl.inputs[1].type]
    if form.inplace:
        first = form.decl.inputs[0].name in form.decl.targets
        if operator.kind != "binary" or not first:
            return []
        return [f"    def __i{dunder}__(self, other: {other}) -> Self: ..."]
    override = "  # type: ignore[override]" if operator.symbol in ("==", "!=") else ""
    lines = [f"    def __{dunder}__(self, other: {other}) -> Tensor: ...{override}"]
    if operator.reflected:
        lines.append(f"    def __r{dunder}__(self, other: {other}) -> Tensor: ...")
    return lines


def _definition(name: str, parts: list[str], result: str, indent: str, doc: list[str]) -> list[str]:
    head = f"{indent}def {name}({', '.join(parts)}) -> {result}:"
    lines = [head]
    if len(head) > WIDTH:
        lines = [f"{indent}def {name}("]
        lines += [f"{indent}    {part}," for part in parts]
        lines.append(f"{indent}) -> {result}:")
    body = f"{indent}    "
    if len(doc) == 1:
        return [*lines, f'{body}"""{doc[0]}"""']
    text = [f'{body}"""{doc[0]}', *(f"{body}{line}".rstrip() for line in doc[1:])]
    return [*lines, *text, f'{body}"""']
