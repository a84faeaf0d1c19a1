"""The functions of an op as C++: imperative_<op> and imperative_<op>_, statement by statement.

A `Form` knows what names are called inside one function; the kinds of forms (kernel, view,
composite, write, replace, remap, update) are in cpp_plain and cpp_inplace.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.cpp_node import guards_hold, like_member
from generator.emit_eager import EagerEmitter
from generator.expressions import Ref, Source, Type
from generator.model import Attr, Declaration, Input, InputType, Op, Output, Rule
from generator.plan import Kept, LikePlan, NodePlan
from generator.spelling import (
    Parameter,
    dtype_constant,
    local_type,
    parameters,
    quoted,
)
from generator.symbols import Symbol
from generator.vocabulary import GIVES_ATTRIBUTE_SHAPE, QUICK_JOINS, SHAPE_FUNCTIONS

VERSION = "// version + 1"


@dataclass(frozen=True)
class FormText:
    """One function, in the parts that its template lays out."""

    kind: str
    op_info: str
    name: str
    result: str
    parameters: list[str]
    steps: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    op: Op
    inplace: bool
    # What an output is called: in place, the target.
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def decl(self) -> Declaration:
        return self.op.decl

    @property
    def name(self) -> str:
        name = self.decl.inplace_name if self.inplace else self.decl.name
        assert name is not None
        return name

    @property
    def quoted_name(self) -> str:
        return quoted(self.name)

    # --- Names, for expressions (emit_eager.Names).

    def value(self, ref: Ref) -> str:
        if ref.source is Source.ATTR:
            return self.attr(self.decl.attr(ref.name))
        return self.outputs.get(ref.name, ref.name) if ref.source is Source.OUTPUT else ref.name

    def metadata(self, function: str, ref: Ref) -> str:
        member = {"ndim": "rank"}.get(function, function)
        return f"{self.value(ref)}.{member}()"

    def present(self, ref: Ref) -> str:
        asked = "has_value" if ref.source is Source.ATTR else "defined"
        return f"{self.value(ref)}.{asked}()"

    def needs(self, name: str, decided: bool) -> str:
        raise AssertionError("needs() is for backward")

    def attr(self, attr: Attr) -> str:
        """An attribute inside the function, in normal form."""
        in_options = self.decl.uses_options and not attr.normalised
        return f"options.{attr.name}" if in_options else attr.name

    # --- Signature.

    def parameters(self) -> list[str]:
        """Parameters of the definition; what gets another form inside ends in _in."""
        return [
            f"{p.type} {p.name}_in" if self._changes(p) else p.text
            for p in parameters(self.decl, self.inplace)
        ]

    def _changes(self, parameter: Parameter) -> bool:
        if parameter.type == "const Operand&":
            return True
        attrs = () if self.decl.uses_options else self.decl.attrs
        return any(a.name == parameter.name and a.normalised for a in attrs)

    # --- The first statements of every function.

    def normal_forms(self) -> list[str]:
        lines = []
        for item in self.decl.inputs:
            if item.type is InputType.OPERAND and not self._is_target(item):
                lines.append(f"const Tensor& {item.name} = {item.name}_in;")
        lines += [self._normal_form(attr) for attr in self.decl.attrs if attr.normalised]
        return lines

    def _is_target(self, item: Input) -> bool:
        return self.inplace and item.name in self.decl.targets

    def _normal_form(self, attr: Attr) -> str:
        assert attr.of is not None
        of = self.decl.input(attr.of)
        given = f"options.{attr.name}" if self.decl.uses_options else f"{attr.name}_in"
        name, x = self.quoted_name, of.name
        if attr.type == "index":
            text = f"{given}.normalised({name}, {x}.shape())"
        elif attr.type == "shape":
            text = f"infer::target_shape({name}, {given}, {x})"
        elif of.is_list:
            text = f"{x}.empty() ? {given} : infer::{attr.type}({name}, {given}, {x}[0].rank())"
        else:
            text = f"infer::{attr.type}({name}, {given}, {x}.rank())"
        return f"const {local_type(attr)} {attr.name} = {text};"

    @property
    def tests_itself(self) -> bool:
        return self.decl.tests_itself

    def tests(self) -> list[str]:
        """Of accepted dtypes and choices."""
        if not self.tests_itself:
            return []
        name = self.quoted_name
        lines = [
            f"infer::expect_{i.accepts}({name}, {quoted(i.name)}, {i.name});"
            for i in self.decl.inputs
            if i.accepts is not None
        ]
        for attr in self.decl.attrs:
            if attr.choices:
                choices = ", ".join(quoted(c) for c in attr.choices)
                lines.append(
                    f"infer::choice({name}, {quoted(attr.name)}, {self.attr(attr)}, {{{choices}}});"
                )
        return lines

    def check(self) -> list[str]:
        """The op's own test."""
        if self.decl.check is None or not self.tests_itself:
            return []
        args = [
            self.quoted_name,
            *self.decl.input_names(),
            *(self.attr(a) for a in self.decl.attrs),
        ]
        return [f"kernels::check_{self.decl.check}({', '.join(args)});"]

    # --- Results.

    def fresh(self, output: Output) -> str:
        """The statement that makes a result."""
        if self.joins_two(output):
            names = ", ".join(arg.name for arg in output.shape.args)
            make = f"empty_{output.dtype.name}({self.quoted_name}, {names})"
        else:
            like = output.shape.kind == "same"
            shape = output.shape.name if like else self.shape(output.shape)
            make = f"empty{'_like' if like else ''}({shape}, {self.dtype(output.dtype)})"
        return f"Tensor {output.name} = {make};"

    @staticmethod
    def joins_two(output: Output) -> bool:
        """Whether it is broadcast and promoted of the same two inputs (runtime/core/joined.h)."""
        shape, dtype = output.shape, output.dtype
        joins = shape.kind == dtype.kind == "infer" and shape.name == "broadcast"
        names = [arg.name for arg in shape.args]
        same = names == [arg.name for arg in dtype.args]
        return joins and same and len(names) == 2 and dtype.name in QUICK_JOINS

    def keeps_first(self, output: Output) -> str:
        """Whether such a result is like the first input: one look instead of inference."""
        names = ", ".join(arg.name for arg in output.shape.args)
        return f"infer::{QUICK_JOINS[output.dtype.name]}({names})"

    def shape(self, rule: Rule) -> str:
        if rule.kind == "infer":
            args = [self.quoted_name, *(self._rule_argument(a) for a in rule.args)]
            return f"infer::{rule.name}({', '.join(args)})"
        if rule.kind == "attribute":
            return self.attr(self.decl.attr(rule.name))
        if rule.kind == "lengths":
            return f"Ints{{{', '.join(str(n) for n in rule.lengths)}}}"
        return f"{rule.name}.shape()"

    def refusals(self, rule: Rule) -> list[str]:
        """The inference of a shape that the view's map holds, too, where it may refuse."""
        if rule.kind == "infer" and SHAPE_FUNCTIONS[rule.name].refuses:
            return [f"{self.shape(rule)};  // refuses what does not fit"]
        return []

    def known_shape(self, rule: Rule) -> str | None:
        """An attribute in normal form that is the shape which the rule infers, and tests."""
        if rule.kind == "infer" and rule.name in GIVES_ATTRIBUTE_SHAPE:
            attr = self.decl.attr(rule.args[1].name)
            return self.attr(attr) if attr.type == "shape" else None
        return None

    def dtype(self, rule: Rule) -> str:
        match rule.kind:
            case "same":
                return f"{rule.name}.dtype()"
            case "dtype":
                return dtype_constant(rule.name)
            case "value":
                return f"{self.attr(self.decl.attr(rule.name))}.dtype()"
            case "attribute":
                return self.attr(self.decl.attr(rule.name))
            case "infer":
                args = [self._dtype_argument(arg) for arg in rule.args]
                return f"infer::{rule.name}({', '.join(args)})"
        raise AssertionError(rule)

    def _dtype_argument(self, rule: Rule) -> str:
        """Of promoted(x, y) the input itself; of chosen(dtype, same(x)) a dtype."""
        if rule.as_dtype:
            return self.dtype(rule)
        if rule.kind == "value":
            return f"Meta(Ints(), {self.dtype(rule)}, true)"
        return rule.name if rule.kind == "same" else self.dtype(rule)

    def _rule_argument(self, rule: Rule) -> str:
        if rule.kind == "attribute":
            return self.attr(self.decl.attr(rule.name))
        return rule.name

    # --- The kernel's arguments.

    def kernel_input(self, item: Input, value: str) -> str:
        """An input as the kernel takes it, from the tensor that holds its value."""
        if item.cast is not None:
            return f"prepared({value}, {self.dtype(item.cast)})"
        return value if self.takes_any_strides else f"contiguous({value})"

    @property
    def takes_any_strides(self) -> bool:
        return self.decl.elementwise or self.decl.any_strides

    def kernel_attrs(self) -> list[str]:
        return [self.attr(a) for a in self.decl.attrs]

    # --- Recording.

    def differentiable(self) -> list[str]:
        return [i.name for i in self.decl.inputs if i.grad]

    def new_node(self, plan: NodePlan) -> str:
        if plan.list_edge is None:
            return f"new {plan.class_name}"
        fixed = len(plan.edges) - 1
        count = f"{plan.list_edge.name}.size()"
        return f"new {plan.class_name}({f'{fixed} + ' if fixed else ''}{count})"

    def connect(self, plan: NodePlan) -> list[str]:
        lines = []
        for i, item in enumerate(plan.edges):
            # In place, a gradient of zero ends the old history (E3): nothing is asked of it (B1).
            if self.inplace and plan.gives_zero(item.name):
                continue
            connect = "connect_list" if item.is_list else "connect"
            lines.append(f"node->{connect}({i}, {item.name});")
        return lines

    def remember(self, plan: NodePlan) -> list[str]:
        """What the node keeps beside values: likes, metadata, presence, attributes."""
        lines = [self._like(plan, like) for like in plan.likes]
        emitter = EagerEmitter(self)
        for m in plan.metadata:
            if m.function == "sizes":
                assert m.axis is not None
                text = f"sizes({m.ref.name}, {emitter.text(m.axis)})"
            else:
                text = self.metadata(m.function, m.ref)
            line = f"node->{m.member} = {text};"
            if m.ref.source is Source.INPUT and self.decl.input(m.ref.name).optional:
                line = f"if ({m.ref.name}.defined()) {line}"
            lines.append(line)
        lines += [f"node->{name}_present = {name}.defined();" for name in plan.present]
        for name in plan.attrs:
            attr = self.decl.attr(name)
            value = self.attr(attr)
            if attr.type == "int[]" and not attr.optional:
                lines.append(f"node->{name}.assign({value}.begin(), {value}.end());")
            else:
                lines.append(f"node->{name} = {value};")
        return lines

    def _like(self, plan: NodePlan, like: LikePlan) -> str:
        x, member = like.input.name, f"node->{like_member(like)}"
        if like.shape is None or like.dtype is None:
            line = f"{member}.set({x});"
        else:
            shape, dtype = self._symbol(like.shape, "shape"), self._symbol(like.dtype, "dtype")
            line = f"{member}.set({x}, {shape}, {dtype});"
        if like.input.optional:
            return f"if (node->connected({plan.edge(x)})) {line}"
        return line

    def _symbol(self, symbol: Symbol, member: str) -> str:
        source, name = symbol
        tensor = self.outputs.get(name, name) if source is Source.OUTPUT else name
        return f"{tensor}.{member}()"

    def save(self, plan: NodePlan, kept: Kept, statement: str) -> str:
        """statement under the condition that a gradient reads the value."""
        if always_kept(plan, kept):
            return statement
        emitter = EagerEmitter(ConnectedNames(self, plan))
        return f"if ({guards_hold(plan, kept.guards, emitter, 'node->connected').text}) {statement}"

    # --- The trace.

    def trace(self, outputs: list[tuple[str, str]], inplace: str = "") -> str:
        inputs = ", ".join(f"{{{quoted(i.name)}, {i.name}}}" for i in self.decl.inputs)
        results = ", ".join(f"{{{quoted(name)}, {value}}}" for name, value in outputs)
        args = [f"{{{inputs}}}", f"{{{results}}}"]
        if self.decl.attrs:
            pairs = ", ".join(f"{quoted(a.name)}, {self.attr(a)}" for a in self.decl.attrs)
            args.append(f"attributes_text({pairs})")
        elif inplace:
            args.append("{}")
        if inplace:
            args.append(quoted(inplace))
        return f"if (trace) trace.done({', '.join(args)});"


@dataclass(frozen=True)
class ConnectedNames:
    """Names of a form, where needs() asks the node that is being made."""

    form: Form
    plan: NodePlan

    def value(self, ref: Ref) -> str:
        return self.form.value(ref)

    def metadata(self, function: str, ref: Ref) -> str:
        return self.form.metadata(function, ref)

    def present(self, ref: Ref) -> str:
        return self.form.present(ref)

    def needs(self, name: str, decided: bool) -> str:
        return f"node->connected({self.plan.edge(name)})"


def always_kept(plan: NodePlan, kept: Kept) -> bool:
    """Whether every recorded call keeps it: one of the edges is there whenever a node is made."""
    all_edges = {i.name for i in plan.edges}
    return any(not guard.tests and guard.inputs >= all_edges for guard in kept.guards)


def saved_type(kept: Kept) -> str:
    return "inputs" if kept.ref.type is Type.TENSORS else "input"


def output_slot(plan: NodePlan, output: Output) -> int | None:
    names = [slot.name for slot in plan.slots]
    return names.index(output.name) if output.name in names else None
