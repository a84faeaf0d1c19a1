"""C++ spellings of types, defaults and names: the only place that knows them."""

from __future__ import annotations

import json
from dataclasses import dataclass

from generator.model import Attr, Declaration, Default, Input, InputType

PARAMETER = {
    "bool": "bool", "int": "std::int64_t", "float": "double", "str": "std::string_view",
    "dtype": "DType", "scalar": "Scalar", "int[]": "Ints", "axis": "std::int64_t", "axes": "Ints",
    "shape": "Ints", "index": "const Index&",
}  # fmt: skip
NORMAL_FORM = {"axis": "std::int64_t", "axes": "Dims", "shape": "Dims", "index": "Index"}
# What a node, which outlives the call, keeps.
MEMBER = {
    "bool": "bool", "int": "std::int64_t", "float": "double", "str": "std::string",
    "dtype": "DType", "scalar": "Scalar", "int[]": "std::vector<std::int64_t>",
    "axis": "std::int64_t", "axes": "Dims", "shape": "Dims", "index": "Index",
}  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str
    default: str | None = None

    @property
    def text(self) -> str:
        return f"{self.type} {self.name}"

    @property
    def declaration(self) -> str:
        return self.text if self.default is None else f"{self.text} = {self.default}"


def pascal(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def options_type(op: Declaration) -> str:
    return f"{pascal(op.name)}Options"


def results_type(op: Declaration) -> str:
    return f"{pascal(op.name)}Results"


def dtype_constant(name: str) -> str:
    return {"bool": "DType::kBool", "uint8": "DType::kUInt8"}.get(
        name, f"DType::k{name[:1].upper()}{name[1:]}"
    )


def quoted(text: str) -> str:
    return json.dumps(text)


def number(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "std::numeric_limits<double>::quiet_NaN()"
    if value in (float("inf"), float("-inf")):
        return f"{'-' if value < 0 else ''}std::numeric_limits<double>::infinity()"
    return repr(value)


def attr_type(attr: Attr) -> str:
    plain = PARAMETER[attr.type]
    return f"std::optional<{plain}>" if attr.optional else plain


def member_type(attr: Attr) -> str:
    plain = MEMBER[attr.type]
    return f"std::optional<{plain}>" if attr.optional else plain


def local_type(attr: Attr) -> str:
    """Of a normal form, inside the function."""
    return NORMAL_FORM[attr.type]


def kernel_attr(attr: Attr) -> Parameter:
    """How a kernel takes it: in normal form."""
    return Parameter(attr_type(attr), attr.name)


def default_value(attr: Attr, default: Default) -> str:
    value = default.value
    if value is None:
        return "{}" if attr.type == "int[]" else "std::nullopt"
    if isinstance(value, tuple):
        return "{" + ", ".join(str(v) for v in value) + "}"
    if isinstance(value, str):
        return dtype_constant(value) if attr.type == "dtype" else quoted(value)
    return number(value)


def input_type(item: Input, target: bool) -> str:
    if target:
        return "std::span<Tensor>" if item.is_list else "Tensor&"
    return {
        InputType.TENSOR: "const Tensor&",
        InputType.OPTIONAL: "const Tensor&",
        InputType.OPERAND: "const Operand&",
        InputType.LIST: "TensorList",
    }[item.type]


def inplace_result(op: Declaration) -> str:
    """What imperative_<op>_ returns: its target, or all results where some are fresh."""
    inputs = {pair.output: op.input(pair.input) for pair in op.pairs}
    visible = op.visible_outputs
    kinds = []
    for output in visible:
        target = inputs.get(output.name)
        if target is None:
            kinds.append("std::vector<Tensor>" if output.is_list else "Tensor")
        else:
            kinds.append("std::span<Tensor>" if target.is_list else "Tensor&")
    if all(output.name in inputs for output in visible):
        return kinds[0] if len(kinds) == 1 else "void"
    return f"std::tuple<{', '.join(kinds)}>"


def parameters(op: Declaration, inplace: bool) -> list[Parameter]:
    """The parameters of imperative_<op> or imperative_<op>_, with their public names."""
    found = []
    for item in op.inputs:
        target = inplace and item.name in op.targets
        default = "{}" if item.optional and not target else None
        found.append(Parameter(input_type(item, target), item.name, default))
    targets = [op.input(pair.input) for pair in op.pairs] if inplace else []
    if any(t.optional for t in targets):
        # An optional target has no default, so nothing before it has.
        found = [Parameter(p.type, p.name) for p in found]
    if op.uses_options:
        default = "{}" if all(a.default is not None for a in op.attrs) else None
        found.append(Parameter(f"const {options_type(op)}&", "options", default))
        if default is None:
            found = [Parameter(p.type, p.name) for p in found]
        return found
    for attr in op.attrs:
        default = None if attr.default is None else default_value(attr, attr.default)
        found.append(Parameter(attr_type(attr), attr.name, default))
    return found
