"""Resolves the expressions of declarations against each other."""

from __future__ import annotations

from collections.abc import Mapping

from generator.arguments import ATTR_EXPR_TYPES
from generator.expressions import Choose, Expr, Ref, Source, Type, is_zero
from generator.model import Backward, BackwardText, Declaration, Gradient, Op
from generator.parse import Parser, Vocabulary
from generator.problems import Problems
from generator.yaml_tree import Text


def vocabulary_of(declarations: Mapping[str, Declaration]) -> Vocabulary:
    operators = {
        operator.symbol: declaration
        for declaration in declarations.values()
        for operator in declaration.operators
        if declaration.has_plain
    }
    return Vocabulary(declarations, operators)


def input_refs(op: Declaration) -> dict[str, Ref]:
    refs = {
        i.name: Ref(Type.TENSORS if i.is_list else Type.TENSOR, Source.INPUT, i.name)
        for i in op.inputs
    }
    return refs | attr_refs(op)


def attr_refs(op: Declaration) -> dict[str, Ref]:
    return {a.name: Ref(ATTR_EXPR_TYPES[a.type], Source.ATTR, a.name) for a in op.attrs}


def output_refs(op: Declaration) -> dict[str, Ref]:
    return {
        o.name: Ref(Type.TENSORS if o.is_list else Type.TENSOR, Source.OUTPUT, o.name)
        for o in op.outputs
    }


def gradient_refs(op: Declaration) -> dict[str, Ref]:
    refs = input_refs(op) | output_refs(op)
    for output in op.outputs:
        if output.grad:
            kind = Type.TENSORS if output.is_list else Type.TENSOR
            refs[f"{output.name}_grad"] = Ref(kind, Source.GRAD, output.name)
    return refs


class Resolver:
    def __init__(self, vocabulary: Vocabulary, problems: Problems) -> None:
        self.vocabulary = vocabulary
        self.problems = problems

    def resolve(self, op: Declaration) -> Op:
        reads = input_refs(op)
        write = None
        if op.write_text is not None:
            write = self._expr(op, reads | output_refs(op), op.write_text[1])
        inplace = op.backward_inplace_text
        return Op(
            decl=op,
            composite=self._expr(op, reads, op.composite_text),
            writes=self._expr(op, reads, op.writes_text),
            write=write,
            backward=self._backward(op, op.backward_text),
            backward_inplace=self._backward(op, inplace) if inplace else None,
        )

    def _parser(self, op: Declaration, names: Mapping[str, Ref]) -> Parser:
        return Parser(self.vocabulary, op, names, self.problems)

    def _expr(self, op: Declaration, names: Mapping[str, Ref], text: Text | None) -> Expr | None:
        return None if text is None else self._parser(op, names).parse(text)

    def _backward(self, op: Declaration, text: BackwardText) -> Backward:
        names = gradient_refs(op)
        if text.kind == "custom":
            return self._custom(op, text, names)
        lets: list[tuple[str, Expr]] = []
        for named, body in text.lets:
            expr = self._parser(op, names).parse(body)
            if named.name in names:
                self.problems.add(
                    named.place, f"op '{op.name}': let '{named.name}' hides another name"
                )
            elif expr is not None and expr.type not in (Type.TENSOR, Type.INT, Type.FLOAT):
                self.problems.add(
                    named.place,
                    f"op '{op.name}': let '{named.name}' must be a tensor or a number, "
                    f"not {expr.type.value}",
                )
            elif expr is not None:
                lets.append((named.name, expr))
                names = names | {named.name: Ref(expr.type, Source.LET, named.name)}
        gradients = []
        for gradient in text.gradients:
            expr = self._parser(op, names).parse(gradient.text)
            inputs = tuple(named.name for named in gradient.inputs)
            if expr is not None:
                self._test_type(op, gradient.text, inputs, expr)
                gradients.append(Gradient(gradient.text.place, inputs, expr))
        when = self._when(op, text.when) if text.when else None
        return Backward(text.kind, text.reason, tuple(gradients), tuple(lets), when)

    def _custom(self, op: Declaration, text: BackwardText, names: Mapping[str, Ref]) -> Backward:
        gradients = []
        for gradient in text.gradients:
            call = self._parser(op, names).rule_call(gradient.text)
            inputs = tuple(i.name for i in op.inputs if i.grad)
            if call is not None:
                gradients.append(Gradient(gradient.text.place, inputs, call))
        return Backward("custom", "", tuple(gradients), ())

    def _when(self, op: Declaration, text: Text) -> Expr | None:
        expr = self._parser(op, input_refs(op)).parse(text)
        if expr is not None and expr.type is not Type.BOOL:
            self.problems.add(text.place, f"op '{op.name}': when must be a truth value")
        return expr

    def _test_type(self, op: Declaration, text: Text, inputs: tuple[str, ...], expr: Expr) -> None:
        name = ", ".join(inputs)
        if len(inputs) > 1:
            wanted, what = Type.RESULTS, f"{len(inputs)} results"
        else:
            is_list = any(i.name == inputs[0] and i.is_list for i in op.inputs)
            wanted = Type.TENSORS if is_list else Type.TENSOR
            what = wanted.value
        sides = [expr.then, expr.otherwise] if isinstance(expr, Choose) else [expr]
        if expr.type is not wanted and not all(is_zero(side) for side in sides):
            self.problems.add(
                text.content,
                f"op '{op.name}': the gradient of '{name}' must be {what}, not {expr.type.value}",
            )
