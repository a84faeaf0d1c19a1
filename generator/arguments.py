"""Arguments of a call of an op, by position and keyword, tested against its declaration."""

from __future__ import annotations

from dataclasses import dataclass

from generator.expressions import Call, Const, Expr, ListOf, Ref, Source, Type
from generator.model import Attr, Declaration, Input, InputType
from generator.problems import did_you_mean

ATTR_EXPR_TYPES = {
    "bool": Type.BOOL, "int": Type.INT, "float": Type.FLOAT, "str": Type.STR,
    "dtype": Type.DTYPE, "scalar": Type.SCALAR, "int[]": Type.INTS, "axis": Type.INT,
    "axes": Type.INTS, "shape": Type.INTS, "index": Type.INDEX,
}  # fmt: skip


@dataclass(frozen=True)
class Binder:
    """Binds arguments to the parameters of `op`, which an expression of `caller` calls."""

    op: Declaration
    caller: Declaration

    def bind(self, args: list[Expr], keywords: dict[str, Expr]) -> Call:
        """The call; TypeError with a message where the arguments do not fit."""
        op = self.op
        names = [*op.input_names(), *(a.name for a in op.attrs)]
        if len(args) > len(names):
            raise TypeError(f"{op.name}() takes {len(names)} arguments, not {len(args)}")
        given = dict(zip(names, args, strict=False))
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"{op.name}() has no argument '{name}'{did_you_mean(name, names)}")
            if name in given:
                raise TypeError(f"{op.name}(): '{name}' is given twice")
            given[name] = value
        bound: list[Expr | None] = []
        parameters: list[Input | Attr] = [*op.inputs, *op.attrs]
        for wanted in parameters:
            value_or_none = given.get(wanted.name)
            optional = wanted.optional if isinstance(wanted, Input) else wanted.default is not None
            if value_or_none is None and not optional:
                raise TypeError(f"{op.name}(): '{wanted.name}' is missing")
            if value_or_none is not None:
                self._test(wanted, value_or_none)
            bound.append(value_or_none)
        return Call(self._result_type(), op, tuple(bound))

    def _result_type(self) -> Type:
        visible = self.op.visible_outputs
        if len(visible) > 1:
            return Type.RESULTS
        return Type.TENSORS if visible and visible[0].is_list else Type.TENSOR

    def _test(self, wanted: Input | Attr, value: Expr) -> None:
        if isinstance(wanted, Input):
            self._test_input(wanted, value)
        else:
            self._test_attr(wanted, value)

    def _test_input(self, wanted: Input, value: Expr) -> None:
        where = f"{self.op.name}(): '{wanted.name}'"
        if wanted.type is InputType.LIST:
            if value.type is not Type.TENSORS:
                raise TypeError(f"{where} must be a list of tensors, not {value.type.value}")
            return
        if value.type is Type.TENSOR:
            return
        number = value.type.number or value.type is Type.BOOL
        if number and wanted.type is InputType.OPERAND:
            return
        if value.type is Type.NONE and wanted.optional:
            return
        hint = "; declare it as an operand to take numbers" if number else ""
        raise TypeError(f"{where} must be a tensor, not {value.type.value}{hint}")

    def _test_attr(self, wanted: Attr, value: Expr) -> None:
        where = f"{self.op.name}(): '{wanted.name}'"
        if value.type is Type.NONE and wanted.optional:
            return
        if self._is_absent_perhaps(value) and not wanted.optional:
            raise TypeError(f"{where} must be there, but the attribute given may be None")
        kind = ATTR_EXPR_TYPES[wanted.type]
        fits = (
            value.type is kind
            or (kind is Type.FLOAT and value.type.number)
            or (kind is Type.SCALAR and (value.type.number or value.type is Type.BOOL))
            or (isinstance(value, ListOf) and not value.items and kind is Type.INTS)
        )
        if not fits:
            raise TypeError(f"{where} must be {kind.value}, not {value.type.value}")
        if isinstance(value, Const) and wanted.choices and value.value not in wanted.choices:
            raise TypeError(
                f"{where} is one of {', '.join(wanted.choices)}, not '{value.value}'"
                f"{did_you_mean(str(value.value), wanted.choices)}"
            )

    def _is_absent_perhaps(self, value: Expr) -> bool:
        if not isinstance(value, Ref) or value.source is not Source.ATTR:
            return False
        return self.caller.attr(value.name).optional
