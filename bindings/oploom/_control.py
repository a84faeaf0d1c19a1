"""cond and while_loop: run at once on tensors, recorded while a program is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from oploom import _oploom
from oploom._array import TensorArray
from oploom._oploom import Tensor

# How the values stood in what a function returned.
_Form = Literal["value", "tuple", "list"]


def _value(what: str, x: Any) -> Tensor | TensorArray:
    if isinstance(x, Tensor | _oploom.ProgramValue | TensorArray):
        return x
    if _oploom._is_number(x):
        return _oploom.to_tensor(x)
    raise TypeError(
        f"[{what}]: expected a Tensor, a number, or a tuple or list of them, "
        f"got {'None' if x is None else type(x).__name__}"
    )


def _take_apart(what: str, result: Any) -> tuple[_Form, list[Any]]:
    if isinstance(result, tuple | list):
        form: _Form = "tuple" if isinstance(result, tuple) else "list"
        return form, [_value(f"{what} result {i}", x) for i, x in enumerate(result)]
    return "value", [_value(f"{what} result", result)]


def _put_together(form: _Form, values: list[Any]) -> Any:
    if form == "value":
        return values[0]
    return tuple(values) if form == "tuple" else values


def _truth(what: str, x: Any) -> bool:
    value = _oploom.to_tensor(x) if _oploom._is_number(x) else x
    if isinstance(value, Tensor) and value.shape == () and value.dtype == _oploom.bool_:
        return bool(value)
    came = f"{x.dtype}{list(x.shape)}" if isinstance(x, Tensor) else f"a {type(x).__name__}"
    raise TypeError(
        f"[{what}] condition: expected one truth value, bool[], got {came}; compare, or reduce to "
        "one element first"
    )


def _own(values: list[Any]) -> list[Any]:
    """Tensors and arrays that nobody else holds: copies where somebody does."""
    _oploom._own(values)
    return [x._copy() if isinstance(x, TensorArray) else x for x in values]


# --- Handles of arrays go through the recorder as values.


def _handles(values: list[Any]) -> list[Any]:
    return [x._recorded() if isinstance(x, TensorArray) else x for x in values]


def _objects(handles: Sequence[Any]) -> list[Any]:
    return [TensorArray._of(x) if _oploom._is_array(x) else x for x in handles]


# --- cond.


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """What true_fn() returns where pred is true, else what false_fn() returns.

    While a program is recorded both are called once, and the program chooses when it runs. They
    return a value, or a tuple or list of values: as many, of the same ranks and dtypes. Writes into
    results never reach what the function returned them from.

    pred: one truth value: bool, of shape [].
    """
    if not _oploom._recording():
        name, function = ("true_fn", true_fn) if _truth("cond", pred) else ("false_fn", false_fn)
        form, values = _take_apart(f"cond, {name}", function())
        return _put_together(form, _own(values))
    forms: list[_Form] = []

    def flat(name: str, function: Callable[[], Any]) -> Callable[[], list[Any]]:
        def call() -> list[Any]:
            form, values = _take_apart(f"cond, {name}", function())
            forms.append(form)
            return _handles(values)

        return call

    results = _oploom._record_cond(pred, flat("true_fn", true_fn), flat("false_fn", false_fn))
    if "value" in forms and forms[0] != forms[1]:
        raise TypeError(
            f"[cond] false_fn: expected a {forms[0]}, as true_fn returns, got a {forms[1]}"
        )
    return _put_together(forms[0], _objects(results))


# --- while_loop.


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Sequence[Any]
) -> list[Any]:
    """Calls loop_vars = body(*loop_vars) while cond(*loop_vars) is true; the last loop_vars.

    While a program is recorded both functions are called once or a few times, and the program loops
    when it runs. body returns as many values as it gets, one alone or in a tuple or list, of the
    same ranks and dtypes; lengths may differ from trip to trip. Writes into a loop variable never
    reach what the loop began with.
    """
    if isinstance(loop_vars, str) or not isinstance(loop_vars, Sequence):
        raise TypeError(
            "[while_loop] loop_vars: expected a list of Tensors or numbers, "
            f"got a {type(loop_vars).__name__}"
        )
    if len(loop_vars) == 0:
        raise ValueError("[while_loop] loop_vars: expected at least one loop variable, got none")
    variables = [_value(f"while_loop, loop_vars[{i}]", x) for i, x in enumerate(loop_vars)]
    if _oploom._recording():
        return _record_loop(cond, body, variables)
    variables = _own(variables)
    while _truth("while_loop", cond(*variables)):
        values = _take_apart("while_loop, body", body(*variables))[1]
        _expect_alike(variables, values)
        del variables  # so that what body handed through is not copied
        variables = _own(values)
        del values
    return variables


def _record_loop(
    cond: Callable[..., Any], body: Callable[..., Any], variables: list[Any]
) -> list[Any]:
    def condition(*handles: Any) -> list[Any]:
        return [_value("while_loop, cond", cond(*_objects(handles)))]

    def trip(*handles: Any) -> list[Any]:
        return _handles(_take_apart("while_loop, body", body(*_objects(handles)))[1])

    return _objects(_oploom._record_while(condition, trip, _handles(variables)))


def _expect_alike(before: list[Any], after: list[Any]) -> None:
    if len(before) != len(after):
        raise ValueError(
            f"[while_loop] body: expected {len(before)} results, one for each loop variable, got "
            f"{len(after)}; let it return as many as it was given"
        )
    for i, (x, y) in enumerate(zip(before, after, strict=True)):
        _oploom._expect_joined(f"[while_loop] loop variable {i}", _kind(x), _kind(y))


def _kind(x: Any) -> Any:
    return None if isinstance(x, TensorArray) else x
