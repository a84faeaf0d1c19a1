"""Python expressions of the registry -> typed trees. Python's own ast reads the text."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from generator.arguments import Binder
from generator.expressions import (
    Arithmetic,
    Call,
    Choose,
    Compare,
    Const,
    DTypeName,
    Expr,
    ListOf,
    Logic,
    Metadata,
    Needs,
    Present,
    Ref,
    RuleCall,
    Source,
    Type,
)
from generator.model import Declaration
from generator.problems import Place, Problems, did_you_mean
from generator.vocabulary import DTYPES, METADATA, QUESTIONS
from generator.yaml_tree import Text

OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
FOLD: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "**": operator.pow,
}  # fmt: skip


NOT_COMPARED = (Type.NONE, Type.TENSORS, Type.INTS, Type.INDEX)


class RefusalError(Exception):
    """An error that was found inside an expression: its node and what is wrong."""

    def __init__(self, node: ast.AST, message: str) -> None:
        super().__init__(message)
        self.column: int = getattr(node, "col_offset", 0)
        self.message = message


@dataclass(frozen=True)
class Vocabulary:
    """All ops by name, and by the operator that they declare."""

    ops: Mapping[str, Declaration]
    operators: Mapping[str, Declaration]


@dataclass(frozen=True)
class Parser:
    vocabulary: Vocabulary
    op: Declaration
    names: Mapping[str, Ref]
    problems: Problems

    def parse(self, text: Text) -> Expr | None:
        """The tree, or None after an error was noted."""
        try:
            return self.expr(ast.parse(text.value.strip(), mode="eval").body)
        except SyntaxError as error:
            self._refuse(
                text, (error.offset or 1) - 1, f"'{text.value}' cannot be read: {error.msg}"
            )
        except RefusalError as refusal:
            self._refuse(text, refusal.column, refusal.message)
        return None

    def _refuse(self, text: Text, column: int, message: str) -> None:
        one_line = column <= len(text.value) and text.content.line > 0
        place: Place = text.content.right(column) if one_line else text.content
        self.problems.add(place, f"op '{self.op.name}': {message}")

    # --- One method for each kind of node.

    def expr(self, node: ast.expr) -> Expr:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Constant():
                return self._constant(node)
            case ast.List() | ast.Tuple():
                return self._list(node)
            case ast.UnaryOp(op=ast.Not()):
                return Logic(Type.BOOL, "not", (self.condition(node.operand),))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.BoolOp():
                word = "and" if isinstance(node.op, ast.And) else "or"
                return Logic(Type.BOOL, word, tuple(self.condition(v) for v in node.values))
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp():
                return self._choose(node)
            case ast.Call():
                return self._call(node)
        raise RefusalError(node, f"'{ast.unparse(node)}' is not in the vocabulary of expressions")

    def condition(self, node: ast.expr) -> Expr:
        """Decided when the node is made: reads no data and no shape."""
        expr = self.expr(node)
        if expr.type is not Type.BOOL:
            raise RefusalError(node, f"a condition must be a truth value, not {expr.type.value}")
        for part in expr.walk():
            fixed = isinstance(part, Metadata) and part.function in ("ndim", "dtype")
            if isinstance(part, Metadata) and not fixed:
                raise RefusalError(
                    node,
                    f"a condition may read attributes, ndim, dtype, present() and needs(), "
                    f"not {part.function}()",
                )
        return expr

    def _name(self, node: ast.Name) -> Expr:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in DTYPES:
            return DTypeName(Type.DTYPE, node.id)
        hint = did_you_mean(node.id, self.names)
        raise RefusalError(node, f"unknown name '{node.id}'{hint}")

    def _constant(self, node: ast.Constant) -> Expr:
        value = node.value
        types = {bool: Type.BOOL, int: Type.INT, float: Type.FLOAT, str: Type.STR}
        if value is None:
            return Const(Type.NONE, None)
        if type(value) in types:
            assert isinstance(value, bool | int | float | str)
            return Const(types[type(value)], value)
        raise RefusalError(node, f"'{ast.unparse(node)}' is not in the vocabulary of expressions")

    def _list(self, node: ast.List | ast.Tuple) -> Expr:
        items = tuple(self.expr(item) for item in node.elts)
        if all(item.type is Type.INT for item in items):
            return ListOf(Type.INTS, items)
        if all(item.type is Type.TENSOR for item in items):
            return ListOf(Type.TENSORS, items)
        raise RefusalError(node, "a list holds integers or tensors, not both or others")

    def _unary(self, node: ast.UnaryOp) -> Expr:
        symbol, operand = OPERATORS[type(node.op)], self.expr(node.operand)
        if isinstance(operand, Const) and operand.type.number and symbol == "neg":
            assert isinstance(operand.value, int | float)
            return Const(operand.type, -operand.value)
        if operand.type.number and symbol == "neg":
            return Arithmetic(operand.type, "-", Const(Type.INT, 0), operand)
        return self._operator_call(node, symbol, [operand])

    def _binary(self, node: ast.BinOp) -> Expr:
        symbol = OPERATORS[type(node.op)]
        left, right = self.expr(node.left), self.expr(node.right)
        if left.type is Type.TENSOR or right.type is Type.TENSOR:
            return self._operator_call(node, symbol, [left, right])
        if not (left.type.number and right.type.number):
            what = f"{left.type.value} and {right.type.value}"
            raise RefusalError(node, f"'{symbol}' takes tensors or numbers, not {what}")
        if isinstance(left, Const) and isinstance(right, Const) and symbol in FOLD:
            return self._fold(node, symbol, left, right)
        if symbol not in ("+", "-", "*", "/"):
            raise RefusalError(node, f"'{symbol}' of plain numbers is not in the vocabulary")
        both_int = left.type is Type.INT and right.type is Type.INT and symbol != "/"
        return Arithmetic(Type.INT if both_int else Type.FLOAT, symbol, left, right)

    def _fold(self, node: ast.BinOp, symbol: str, left: Const, right: Const) -> Expr:
        assert isinstance(left.value, int | float)
        assert isinstance(right.value, int | float)
        try:
            value = FOLD[symbol](left.value, right.value)
        except (ArithmeticError, ValueError) as error:
            raise RefusalError(node, f"'{ast.unparse(node)}': {error}") from error
        if not isinstance(value, int | float):
            raise RefusalError(node, f"'{ast.unparse(node)}' is no real number")
        return Const(Type.INT if type(value) is int else Type.FLOAT, value)

    def _operator_call(self, node: ast.AST, symbol: str, operands: list[Expr]) -> Expr:
        op = self.vocabulary.operators.get(symbol)
        if op is None:
            raise RefusalError(node, f"no op declares the operator '{symbol}'")
        return self._bind(node, op, operands, {})

    def _compare(self, node: ast.Compare) -> Expr:
        if len(node.ops) != 1:
            raise RefusalError(node, "write a < b and b < c instead of a < b < c")
        if type(node.ops[0]) not in OPERATORS:
            raise RefusalError(
                node, f"'{ast.unparse(node)}' is not in the vocabulary of expressions"
            )
        symbol = OPERATORS[type(node.ops[0])]
        left, right = self.expr(node.left), self.expr(node.comparators[0])
        if Type.TENSOR in (left.type, right.type):
            return self._operator_call(node, symbol, [left, right])
        comparable = (left.type.number and right.type.number) or left.type is right.type
        if not comparable or left.type in NOT_COMPARED:
            what = f"{left.type.value} and {right.type.value}"
            raise RefusalError(node, f"{what} cannot be compared")
        return Compare(Type.BOOL, symbol, left, right)

    def _choose(self, node: ast.IfExp) -> Expr:
        test = self.condition(node.test)
        then, otherwise = self.expr(node.body), self.expr(node.orelse)
        if then.type is not otherwise.type:
            kinds = {then.type, otherwise.type}
            zero = any(isinstance(e, Const) and e.value == 0 for e in (then, otherwise))
            if kinds == {Type.TENSOR, Type.INT} and zero:
                return Choose(Type.TENSOR, test, then, otherwise)
            if all(t.number for t in kinds):
                return Choose(Type.FLOAT, test, then, otherwise)
            what = f"{then.type.value} and {otherwise.type.value}"
            raise RefusalError(node, f"both sides of a choice must be of one type, not {what}")
        return Choose(then.type, test, then, otherwise)

    # --- Calls.

    def _call(self, node: ast.Call) -> Expr:
        if not isinstance(node.func, ast.Name):
            raise RefusalError(node, f"'{ast.unparse(node.func)}' cannot be called")
        name = node.func.id
        if any(keyword.arg is None for keyword in node.keywords):
            raise RefusalError(node, "** is not in the vocabulary of expressions")
        if name in METADATA:
            return self._metadata(node, name)
        if name in QUESTIONS:
            return self._question(node, name)
        op = self.vocabulary.ops.get(name)
        if op is None:
            hint = did_you_mean(name, [*self.vocabulary.ops, *METADATA, *QUESTIONS])
            raise RefusalError(node, f"unknown function '{name}'{hint}")
        if not op.has_plain:
            raise RefusalError(
                node, f"'{name}' has only an in-place form: expressions write nothing"
            )
        args = [self.expr(arg) for arg in node.args]
        keywords = {k.arg: self.expr(k.value) for k in node.keywords if k.arg is not None}
        return self._bind(node, op, args, keywords)

    def _bind(
        self, node: ast.AST, op: Declaration, args: list[Expr], keywords: dict[str, Expr]
    ) -> Call:
        try:
            return Binder(op, self.op).bind(args, keywords)
        except TypeError as error:
            raise RefusalError(node, str(error)) from error

    def _metadata(self, node: ast.Call, name: str) -> Expr:
        with_axis = name in ("size", "sizes")
        if node.keywords or len(node.args) != 1 + with_axis:
            raise RefusalError(
                node, f"{name}() takes {'a name and an axis' if with_axis else 'one name'}"
            )
        of = self.expr(node.args[0])
        wanted = Type.TENSORS if name == "sizes" else Type.TENSOR
        if not isinstance(of, Ref) or of.type is not wanted or of.source is Source.LET:
            what = "a list input" if name == "sizes" else "an input, an output or a gradient of one"
            raise RefusalError(node, f"{name}() takes {what}, not '{ast.unparse(node.args[0])}'")
        args = tuple(self.expr(arg) for arg in node.args[1:])
        if any(arg.type is not Type.INT for arg in args):
            raise RefusalError(node, f"{name}(): the axis must be an integer")
        types = {"shape": Type.INTS, "sizes": Type.INTS, "dtype": Type.DTYPE}
        return Metadata(types.get(name, Type.INT), name, of, args)

    def _question(self, node: ast.Call, name: str) -> Expr:
        if node.keywords or len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            raise RefusalError(node, f"{name}() takes one name")
        ref = self.expr(node.args[0])
        if not isinstance(ref, Ref) or ref.source not in (Source.INPUT, Source.ATTR):
            raise RefusalError(node, f"{name}(): '{ast.unparse(node.args[0])}' is no input")
        if name == "present":
            return Present(Type.BOOL, ref)
        if ref.source is not Source.INPUT or not self.op.input(ref.name).grad:
            raise RefusalError(node, f"needs(): '{ref.name}' is no input that can have a gradient")
        return Needs(Type.BOOL, ref.name)

    def rule_call(self, text: Text) -> RuleCall | None:
        """custom: a call of a hand-written rule, on names."""
        try:
            node = ast.parse(text.value.strip(), mode="eval").body
            if isinstance(node, ast.Name):
                return RuleCall(Type.RESULTS, node.id, tuple(self.names.values()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
                args = tuple(self.expr(arg) for arg in node.args)
                return RuleCall(Type.RESULTS, node.func.id, args)
            raise RefusalError(
                node, "custom must be the name of a rule or a call of one: rule(x, out_grad)"
            )
        except SyntaxError as error:
            self._refuse(
                text, (error.offset or 1) - 1, f"'{text.value}' cannot be read: {error.msg}"
            )
        except RefusalError as refusal:
            self._refuse(text, refusal.column, refusal.message)
        return None
