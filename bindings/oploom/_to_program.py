"""Functions of tensors that are recorded at their first call, and run as programs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from oploom import _oploom
from oploom._oploom import Program, ProgramValue, Tensor

P = ParamSpec("P")
R = TypeVar("R")

# Where a tensor stood in a structure of tuples, lists and dicts.
_TENSOR = object()


def _is_value(x: Any) -> bool:
    return isinstance(x, Tensor | ProgramValue)


def _flatten(x: Any, tensors: list[Any]) -> Any:
    """Appends the tensors in x; answers the rest, by which two calls can be told apart."""
    if _is_value(x):
        tensors.append(x)
        return _TENSOR
    if isinstance(x, tuple | list):
        return (type(x), tuple(_flatten(item, tensors) for item in x))
    if isinstance(x, dict):
        return (dict, tuple((key, _flatten(item, tensors)) for key, item in x.items()))
    if isinstance(x, float):
        return (float, x.hex())  # exact: -0.0 is another number than 0.0, and NaN is itself
    return (type(x), x)


def _unflatten(structure: Any, tensors: Any) -> Any:
    if structure is _TENSOR:
        return next(tensors)
    kind, content = structure
    if kind is dict:
        return {key: _unflatten(item, tensors) for key, item in content}
    if kind is float:
        return float.fromhex(content)
    if issubclass(kind, tuple | list) and type(content) is tuple:
        items = [_unflatten(item, tensors) for item in content]
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    return content


@dataclass(frozen=True)
class _Recorded:
    function: Any  # the recorded function of the runtime
    arguments: tuple[int, ...]  # which tensors of a call it takes: each once
    result: Any  # the structure of what f returned


class ProgramFunction(Generic[P, R]):
    """f, recorded once for each signature of its arguments. See to_program()."""

    def __init__(self, f: Callable[P, R]) -> None:
        functools.update_wrapper(self, f)
        self._f = f
        self._name = getattr(f, "__name__", type(f).__name__)
        self._recorded: dict[Any, _Recorded] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        tensors: list[Any] = []
        structure = _flatten((args, kwargs), tensors)
        if _oploom._recording():  # as a part of the program that is recorded now
            return self._f(*args, **kwargs)
        for x in tensors:
            if isinstance(x, ProgramValue):
                raise TypeError(
                    f"[{self._name}] expected Tensors, got a value of a program; call it inside "
                    "`with program:`"
                )
        key = (structure, _oploom._signature(tensors))
        try:
            recorded = self._recorded.get(key)
        except TypeError as error:
            raise TypeError(
                f"[{self._name}] arguments: expected tensors, tuples, lists and dicts of them, and "
                f"hashable Python values, by which recordings are told apart: {error}"
            ) from None
        if recorded is None or not _oploom._fits(recorded.function):
            recorded = self._record(structure, tensors)
            self._recorded[key] = recorded
        own = [tensors[i] for i in recorded.arguments]
        results = _oploom._call_function(recorded.function, own)
        result: R = _unflatten(recorded.result, iter(results))
        return result

    def _record(self, structure: Any, tensors: list[Tensor]) -> _Recorded:
        ids = [id(x) for x in tensors]
        arguments = tuple(i for i, x in enumerate(ids) if ids.index(x) == i)
        names = _names(self._f, structure, len(tensors))
        with Program() as program:
            values = {
                ids[i]: program.input(
                    names[i], tensors[i].shape, tensors[i].dtype, tensors[i].stop_gradient
                )
                for i in arguments
            }
            handles = [values[ids[i]] for i in arguments]
            _oploom._begin_function(handles, [tensors[i] for i in arguments])
            args, kwargs = _unflatten(structure, iter([values[x] for x in ids]))
            found: list[Any] = []
            result = _flatten(self._f(*args, **kwargs), found)
            function = _oploom._end_function(self._name, handles, found)
        return _Recorded(function, arguments, result)


def _names(f: Callable[..., Any], structure: Any, count: int) -> list[str]:
    """What messages call the arguments: the parameters' names, where one stands for one tensor."""
    names = [f"argument {i}" for i in range(count)]
    (_, (args, (_, kwargs))) = structure
    try:
        parameters = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return names
    items = [*zip(parameters, args[1], strict=False), *kwargs]
    if len(items) == count and all(item is _TENSOR for _, item in items):
        return [name for name, _ in items]
    return names


def to_program(f: Callable[P, R]) -> ProgramFunction[P, R]:
    """f as a program: recorded at the first call with a signature, run at that and every later one.

    The signature: dtypes, shapes and gradient states of the tensors in f's arguments, which of
    them are one tensor or share memory, the gradient mode, and all other arguments, by value.
    Tensors may stand in tuples, lists and dicts. Gradients go through a call in eager mode, of any
    order; values and gradients are those of f itself.

    Writes into arguments, and into tensors from outside of f, are done when the run is over, one
    for each tensor, with eager mode's checks. Results have memory of their own. What f does besides
    (printing, appending to lists) happens while it is recorded only; a tensor from outside is read
    anew in every call, any other value from outside is what it was then.
    """
    return ProgramFunction(f)
