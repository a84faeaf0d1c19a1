"""Which shape and dtype an expression has, in terms of the op's inputs and outputs.

So the generator knows where a gradient already agrees with its input, and emits nothing there.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.expressions import Call, Choose, Const, Expr, Metadata, Ref, Source, is_zero
from generator.model import Declaration, Rule
from generator.vocabulary import FOLLOWING_DTYPES, GIVES_ATTRIBUTE_SHAPE, KEEPS_FIRST_SHAPE

# An input's or an output's own shape or dtype: (source, name). WEAK is a number's: it never shows.
Symbol = tuple[Source, str]
WEAK: Symbol = (Source.ATTR, "")


@dataclass(frozen=True)
class Symbols:
    """Of one op, with the expressions of its `let`s."""

    op: Declaration
    lets: dict[str, Expr]

    # --- Shapes.

    def shape(self, expr: Expr | None) -> Symbol | None:
        match expr:
            case Ref(source=Source.LET):
                return self.shape(self.lets[expr.name])
            case Ref():
                return self._shape_of_name(expr)
            case Const():
                return WEAK
            case Choose():
                return self._both(self.shape, expr)
            case Call() if len(expr.op.visible_outputs) == 1:
                return self._shape_of_rule(expr, expr.op.visible_outputs[0].shape)
        return WEAK if expr is not None and expr.type.number else None

    def _shape_of_name(self, ref: Ref) -> Symbol | None:
        if ref.source in (Source.OUTPUT, Source.GRAD):
            rule = self.op.output(ref.name).shape
            if rule.kind == "same":
                return (Source.INPUT, rule.name)
            if rule.kind == "infer" and rule.name in KEEPS_FIRST_SHAPE:
                return (Source.INPUT, rule.args[0].name)
            return (Source.OUTPUT, ref.name)
        return (ref.source, ref.name)

    def _shape_of_rule(self, call: Call, rule: Rule) -> Symbol | None:
        if rule.kind == "same":
            return self.shape(call.argument(rule.name))
        if rule.kind == "attribute":
            return self._metadata(call.argument(rule.name), "shape")
        if rule.kind != "infer":
            return None
        if rule.name in KEEPS_FIRST_SHAPE:
            return self.shape(call.argument(rule.args[0].name))
        if rule.name in GIVES_ATTRIBUTE_SHAPE:
            return self._metadata(call.argument(rule.args[1].name), "shape")
        if rule.name == "broadcast":
            found = [self.shape(call.argument(arg.name)) for arg in rule.args]
            return self._joined(found, "shape", "broadcast")
        return None

    def _metadata(self, expr: Expr | None, function: str) -> Symbol | None:
        if isinstance(expr, Metadata) and expr.function == function:
            found = self.shape(expr.of) if function == "shape" else self.dtype(expr.of)
            return found
        return None

    # --- Dtypes. Inputs that a gradient reaches are float, so float_of and summed change nothing.

    def dtype(self, expr: Expr | None) -> Symbol | None:
        match expr:
            case Ref(source=Source.LET):
                return self.dtype(self.lets[expr.name])
            case Ref():
                return self._dtype_of_name(expr)
            case Const():
                return WEAK
            case Choose():
                return self._both(self.dtype, expr)
            case Call() if len(expr.op.visible_outputs) == 1:
                return self._dtype_of_rule(expr, expr.op.visible_outputs[0].dtype)
        return WEAK if expr is not None and expr.type.number else None

    def _dtype_of_name(self, ref: Ref) -> Symbol | None:
        if ref.source in (Source.OUTPUT, Source.GRAD):
            rule = self.op.output(ref.name).dtype
            tensors = [arg for arg in rule.args if arg.kind == "same"]
            one = rule.kind == "infer" and rule.name in FOLLOWING_DTYPES and len(tensors) == 1
            if rule.kind == "same":
                return (Source.INPUT, rule.name)
            return (Source.INPUT, tensors[0].name) if one else (Source.OUTPUT, ref.name)
        return (ref.source, ref.name)

    def _dtype_of_rule(self, call: Call, rule: Rule) -> Symbol | None:
        if rule.kind == "same":
            return self.dtype(call.argument(rule.name))
        if rule.kind == "attribute":
            return self._metadata(call.argument(rule.name), "dtype")
        if rule.kind != "infer":
            return None
        if rule.name in ("float_of", "summed"):
            return self.dtype(call.argument(rule.args[0].name))
        if rule.name == "chosen":
            given = call.argument(rule.args[0].name)
            if given is None:
                return self._dtype_of_rule(call, rule.args[1])
            return self._metadata(given, "dtype")
        if rule.name in ("promoted", "float_promoted"):
            # A scalar attribute is a number, given or not.
            found = [
                WEAK if arg.kind == "value" else self.dtype(call.argument(arg.name))
                for arg in rule.args
            ]
            return self._joined(found, "dtype", "promoted")
        return None

    # --- Both.

    def _both(self, what: object, choose: Choose) -> Symbol | None:
        assert callable(what)
        sides = [side for side in (choose.then, choose.otherwise) if not is_zero(side)]
        found = {what(side) for side in sides}
        return found.pop() if len(found) == 1 else None

    def _joined(self, found: list[Symbol | None], part: str, join: str) -> Symbol | None:
        """broadcast or promoted of these: numbers never show, and x is absorbed by an output that
        is itself the join of x with others."""
        known = {symbol for symbol in found if symbol is not None}
        if None in found:
            return None
        known.discard(WEAK)
        for symbol in sorted(known, key=lambda s: s[1]):
            if symbol[0] is Source.OUTPUT:
                output = self.op.output(symbol[1])
                rule: Rule = output.shape if part == "shape" else output.dtype
                if rule.kind == "infer" and rule.name in (join, f"float_{join}"):
                    known -= {(Source.INPUT, arg.name) for arg in rule.args}
        return known.pop() if len(known) == 1 else None
