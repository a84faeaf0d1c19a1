"""Constants and builders of program mode: what family, header and table say of an op."""

from __future__ import annotations

from generator import layout
from generator.layout import fit, function
from generator.model import Attr, Default, Input, InputType, Op, Registry
from generator.program_op import (
    check_lines,
    infer_lines,
    normalise_lines,
    reads_kind,
    run_lines,
    test_lines,
)
from generator.program_rules import VjpText, compose_lines, has_vjp, write_lines
from generator.results import by_definition, fixed_not_float
from generator.spelling import (
    Parameter,
    attr_type,
    default_value,
    dtype_constant,
    number,
    pascal,
    quoted,
)

PARAMETER = {
    "bool": "bool", "int": "const Number&", "float": "const Number&", "str": "std::string_view",
    "dtype": "DType", "scalar": "const Number&", "int[]": "const Numbers&",
    "axis": "std::int64_t", "axes": "const Numbers&", "shape": "const Numbers&",
    "index": "const Index&",
}  # fmt: skip
INPUT = {
    InputType.TENSOR: "Value*",
    InputType.OPTIONAL: "Value*",
    InputType.OPERAND: "const ValueOperand&",
    InputType.LIST: "std::span<Value* const>",
}


def constant(op: Op) -> str:
    """The name of an op's OpDef, in namespace defs."""
    tail = "_" if op.decl.name.endswith("_") else ""
    return f"k{pascal(op.decl.name)}{tail}"


# --- Builders.


def result_type(op: Op) -> str:
    visible = op.decl.visible_outputs
    if any(o.is_list for o in visible):
        return "std::vector<Value*>"
    return "Value*" if len(visible) == 1 else f"std::array<Value*, {len(visible)}>"


def parameters(op: Op) -> list[Parameter]:
    decl = op.decl
    found = [Parameter(INPUT[i.type], i.name, _input_default(i)) for i in decl.inputs]
    for attr in decl.attrs:
        kind = attr_type(attr) if attr.optional else PARAMETER[attr.type]
        default = None if attr.default is None else default_value(attr, attr.default)
        if attr.optional and default == "{}":
            default = "std::nullopt"
        if attr.type == "scalar" and default in ("true", "false"):
            default = f"Scalar({default})"
        found.append(Parameter(kind, attr.name, default))
    # Behind a parameter without a default none has one.
    last = max((i for i, p in enumerate(found) if p.default is None), default=-1)
    return [Parameter(p.type, p.name) if i < last else p for i, p in enumerate(found)]


def _input_default(item: Input) -> str | None:
    return "nullptr" if item.optional else None


def declaration(op: Op) -> str:
    wanted = ", ".join(p.declaration for p in parameters(op))
    return fit(f"{result_type(op)} {op.decl.name}({wanted});")


def builder_lines(op: Op) -> list[str]:
    decl = op.decl
    head = f"{result_type(op)} ops::{decl.name}({', '.join(p.text for p in parameters(op))})"
    steps = []
    for item in decl.inputs:
        method = {InputType.OPTIONAL: "optional", InputType.LIST: "list"}.get(item.type, "in")
        steps.append(f".{method}({item.name})")
    steps += [f".attr({a.name})" for a in decl.attrs]
    positions = [i for i, o in enumerate(decl.outputs) if not o.hidden]
    name = f"defs::{constant(op)}"
    if any(decl.outputs[i].is_list for i in positions):
        end = ".all()"
    elif len(positions) == 1:
        end = f".one({positions[0] or ''})"
    else:
        picks = ", ".join(f"results[{i}]" for i in positions)
        lines = ["const auto results = call.all();", f"return {{{picks}}};"]
        return function(head, [*_steps(name, steps), *lines])
    line = f"return emitted::OpCall({name}){''.join(steps)}{end};"
    if len(line) + 2 <= layout.WIDTH:
        return function(head, [line])
    return function(head, [*_steps(name, steps), f"return call{end};"])


def _steps(name: str, steps: list[str]) -> list[str]:
    """A call's arguments, as many on a line as fit."""
    lines = ["call"]
    for step in steps:
        if len(lines[-1]) + len(step) + 3 > layout.WIDTH:
            lines.append("call")
        lines[-1] += step
    return [f"emitted::OpCall call({name});", *(f"{line};" for line in lines)]


def role_lines(op: Op, role: str) -> list[str]:
    wanted = ", ".join(p.declaration for p in parameters(op))
    args = ", ".join(p.name for p in parameters(op))
    head = f"inline {result_type(op)} {role}({wanted})"
    return [
        f"inline constexpr const OpDef& k{pascal(role)} = defs::{constant(op)};",
        *function(head, [f"return ops::{op.decl.name}({args});"]),
    ]


# --- Constants.


def constants(op: Op) -> list[str]:
    """The arrays that the OpDef points to."""
    decl = op.decl
    name = constant(op)
    lines = []
    if decl.inputs:
        rows = [_input_row(op, i) for i in decl.inputs]
        lines += _array("InputDef", f"{name}Inputs", rows)
    if decl.attrs:
        lines += _array("AttributeDef", f"{name}Attributes", [_attr_row(a) for a in decl.attrs])
    rows = []
    for output in decl.outputs:
        differentiable = output.grad and not fixed_not_float(decl, output)
        differentiable = differentiable and op.backward.kind != "none"
        flags = [output.hidden, differentiable, output.is_list]
        rows.append(f"{{{quoted(output.name)}, {', '.join(number(f) for f in flags)}}}")
    lines += _array("OutputDef", f"{name}Outputs", rows)
    if decl.pairs:
        inputs, outputs = decl.input_names(), [o.name for o in decl.outputs]
        rows = [f"{{{inputs.index(p.input)}, {outputs.index(p.output)}}}" for p in decl.pairs]
        lines += _array("OpDef::Pair", f"{name}Pairs", rows)
    return lines


def _array(kind: str, name: str, rows: list[str]) -> list[str]:
    one = f"constexpr {kind} {name}[] = {{{', '.join(rows)}}};"
    if len(one) <= layout.WIDTH:
        return [one]
    return [f"constexpr {kind} {name}[] = {{", *(fit(f"    {row},") for row in rows), "};"]


def _input_row(op: Op, item: Input) -> str:
    fields = [quoted(item.name), f"InputDef::Kind::{reads_kind(item)}"]
    fields += [number(item.grad), number(item.reads_shape)]
    return f"{{{', '.join(fields)}}}"


def _attr_row(attr: Attr) -> str:
    kind = attr.type + ("?" if attr.optional else "")
    fields = [quoted(attr.name), quoted(kind)]
    if attr.default is not None:
        fields.append(f"[] {{ return Attribute({_attribute(attr, attr.default)}); }}")
    return f"{{{', '.join(fields)}}}"


def _attribute(attr: Attr, default: Default) -> str:
    value = default.value
    if value is None:
        return ""
    if attr.type in ("int", "axis"):
        return f"std::int64_t{{{value}}}"
    if attr.type == "float":
        assert isinstance(value, int | float)
        return number(float(value))
    if attr.type == "str":
        return f"std::string({quoted(str(value))})"
    if attr.type == "scalar":
        return f"Scalar({default_value(attr, default)})"
    if isinstance(value, tuple):
        return f"emitted::Lengths{{{', '.join(str(v) for v in value)}}}"
    if isinstance(value, str):
        return dtype_constant(value)
    return default_value(attr, default)


def flags(op: Op) -> str:
    decl = op.decl
    found = {
        "kView": decl.view is not None,
        "kViewMayCopy": decl.view is not None and decl.view.unless_layout,
        "kRandom": decl.random,
        "kUpdate": decl.update,
        "kElementwise": decl.elementwise,
        "kInplaceOnly": decl.only_inplace,
        "kReplaces": any(by_definition(decl, pair) for pair in decl.pairs),
        "kInternal": decl.internal,
        "kWritesPart": decl.writes_text is not None,
        "kZeroGradient": op.backward.kind == "zero",
    }
    return " | ".join(f"OpDef::{name}" for name, holds in found.items() if holds) or "0"


def no_gradient(op: Op) -> str | None:
    if op.backward.kind in ("none", "missing", "zero"):
        return op.backward.reason
    if op.decl.update:
        return "an optimizer step is never differentiated"
    if not op.decl.composite and not has_vjp(op):
        return "none of its inputs has a gradient"
    return None


def functions(op: Op) -> list[list[str]]:
    """The functions that the OpDef points to, each as its lines."""
    decl, name = op.decl, op.decl.name
    found = []
    if normal := normalise_lines(decl):
        found.append(function(f"void normalise_{name}(Op& op)", normal))
    if decl.composite:
        head = f"std::vector<Value*> compose_{name}(const Op& op)"
        return [*found, function(head, compose_lines(op, _scoped(test_lines(op))))]
    head = f"void infer_{name}(const Op& op, std::vector<Type>& results)"
    found.append(function(head, infer_lines(op)))
    if check := check_lines(op):
        found.append(function(f"void check_{name}(RunFrame& frame)", check))
    found.append(function(f"void run_{name}(RunFrame& frame)", run_lines(op)))
    if has_vjp(op):
        found.append(function(f"void vjp_{name}(Vjp& vjp)", VjpText(op).lines()))
    if op.write is not None:
        head = f"Value* write_{name}(const Op& op, Value* input, Value* part)"
        found.append(function(head, write_lines(op)))
    return found


def _scoped(tests: list[str]) -> list[str]:
    """Tests with the locals that they read, apart from those of the composition."""
    return ["{", *(f"  {line}" for line in tests), "}"] if tests else []


def definition(op: Op) -> list[str]:
    decl, name = op.decl, constant(op)
    fields = {
        "name": quoted(decl.name),
        "inplace_name": quoted(decl.inplace_name) if decl.inplace_name else "nullptr",
        "inputs": f"{name}Inputs" if decl.inputs else "{}",
        "attributes": f"{name}Attributes" if decl.attrs else "{}",
        "outputs": f"{name}Outputs",
        "inplace_pairs": f"{name}Pairs" if decl.pairs else "{}",
        "flags": flags(op),
        "normalise": f"normalise_{decl.name}" if normalise_lines(decl) else "nullptr",
        "compose": f"compose_{decl.name}" if decl.composite else "nullptr",
        "infer": "nullptr" if decl.composite else f"infer_{decl.name}",
        "check": f"check_{decl.name}" if check_lines(op) else "nullptr",
        "run": "nullptr" if decl.composite else f"run_{decl.name}",
        "vjp": f"vjp_{decl.name}" if not decl.composite and has_vjp(op) else "nullptr",
        "no_gradient": "nullptr",
        "write": "nullptr" if op.write is None else f"write_{decl.name}",
    }
    reason = no_gradient(op)
    lines = [f"const OpDef defs::{name}{{"]
    for field, value in fields.items():
        if field == "no_gradient" and reason is not None:
            text = layout.literal("    .no_gradient = ", reason, 4)
            lines += [*text[:-1], f"{text[-1]},"]
        else:
            lines.append(f"    .{field} = {value},")
    return [*lines, "};"]


# --- Pages.


def family_entry(op: Op) -> dict[str, object]:
    decl = op.decl
    return {
        "heading": layout.rule(decl.name, f"{decl.source}:{decl.place.line}"),
        "hidden": [constants(op), *functions(op)],
        "definition": definition(op),
        "builder": builder_lines(op),
    }


def names_in_order(registry: Registry) -> list[tuple[str, Op]]:
    """Plain and in-place names, sorted by their bytes."""
    found = []
    for op in registry.ops:
        found.append((op.decl.name, op))
        if op.decl.inplace_name not in (None, op.decl.name):
            assert op.decl.inplace_name is not None
            found.append((op.decl.inplace_name, op))
    return sorted(found, key=lambda item: item[0])


def call_usings(registry: Registry) -> list[str]:
    """Builders among the overloads that rules call: those that a value's type tells apart."""
    by_name = sorted(registry.ops, key=lambda op: op.decl.name)
    return [
        f"using program::ops::{op.decl.name};"
        for op in by_name
        if op.decl.has_plain and op.decl.inputs
    ]
