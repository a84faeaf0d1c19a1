"""Functions of tensors that are recorded at their first call, and run as programs."""

from __future__ import annotations

import functools
import inspect
import weakref
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
    if isinstance(x, slice):  # hashable from Python 3.12 on
        return (slice, (x.start, x.stop, x.step))
    if isinstance(x, float):
        return (float, x.hex())  # exact: -0.0 is another number than 0.0, and NaN is itself
    return (type(x), x)


def _unflatten(structure: Any, tensors: Any) -> Any:
    if structure is _TENSOR:
        return next(tensors)
    kind, content = structure
    if kind is dict:
        return {key: _unflatten(item, tensors) for key, item in content}
    if kind is slice:
        return slice(*content)
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
        self._parameters = _parameters(f)
        self._recorded: dict[Any, _Recorded] = {}
        self._methods: dict[int, tuple[weakref.ref[Any], ProgramFunction[..., Any]]] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """A method: each object has recordings of its own, which die with it."""
        if instance is None:
            return self
        known = self._methods.get(id(instance))
        if known is None:
            try:
                alive = weakref.ref(instance, functools.partial(self._forget, id(instance)))
            except TypeError:  # such an object can only be told by its value
                return functools.partial(self, instance)
            known = self._methods[id(instance)] = (alive, _method(self, alive))
        return functools.partial(_call_method, instance, known[1])

    def __deepcopy__(self, memo: dict[int, Any]) -> ProgramFunction[P, R]:
        return ProgramFunction(self._f)  # which records anew

    def _forget(self, at: int, _: weakref.ref[Any]) -> None:
        self._methods.pop(at, None)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
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
        names = _names(self._parameters, structure, len(tensors))
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
            _check_result(self._name, result)
            function = _oploom._end_function(self._name, handles, found)
        return _Recorded(function, arguments, result)


def _method(function: ProgramFunction[..., Any], alive: weakref.ref[Any]) -> Any:
    def method(*args: Any, **kwargs: Any) -> Any:
        return function._f(alive(), *args, **kwargs)

    method.__name__ = function._name
    bound: ProgramFunction[..., Any] = ProgramFunction(method)
    bound._parameters = function._parameters[1:]
    return bound


def _call_method(instance: Any, method: Any, /, *args: Any, **kwargs: Any) -> Any:
    """With instance alive for as long as the call takes."""
    return method(*args, **kwargs)


def _parameters(f: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return []


def _names(parameters: list[str], structure: Any, count: int) -> list[str]:
    """What messages call the arguments: the parameters' names, where one stands for one tensor."""
    (_, (args, (_, kwargs))) = structure
    items = [*zip(parameters, args[1], strict=False), *kwargs]
    names = [name for name, item in items if item is _TENSOR]
    if len(names) == count == len(set(names)) and all(names):
        return names
    return [f"argument {i}" for i in range(count)]


# What may stand in a result besides tensors: every call answers the one that was made then.
_CONSTANTS = (type(None), bool, int, float, complex, str, bytes, _oploom.dtype)


def _check_result(name: str, structure: Any) -> None:
    if structure is _TENSOR:
        return
    kind, content = structure
    if kind is dict:
        for _, item in content:
            _check_result(name, item)
    elif issubclass(kind, tuple | list):
        for item in content:
            _check_result(name, item)
    elif not issubclass(kind, _CONSTANTS):
        raise TypeError(
            f"[{name}] result: expected tensors, numbers, texts, None, and tuples, lists and dicts "
            f"of them, got a {kind.__name__}"
        )


def _check_function(f: Callable[..., Any]) -> None:
    kinds = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    if any(kind(f) for kind in kinds):
        raise TypeError(
            "to_program() f: expected a function that returns tensors, got a generator or an async "
            "function"
        )


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
    _check_function(f)
    return ProgramFunction(f)
