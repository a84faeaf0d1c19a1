"""Functions of tensors that are recorded at their first call, and run as programs."""

from __future__ import annotations

import functools
import inspect
import operator
import sys
import types
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from oploom import _oploom
from oploom._oploom import Program, ProgramValue, Tensor

P = ParamSpec("P")
R = TypeVar("R")

# Where a tensor stood in a structure of tuples, lists and dicts.
_TENSOR = object()


_VALUES = (Tensor, ProgramValue)


def _is_value(x: Any) -> bool:
    return isinstance(x, _VALUES)


# What a structure holds of anything else: (type, value) where == tells values apart, else a _Leaf.
_PLAIN = frozenset((type(None), bool, int, str, bytes))


class _Leaf:
    """A value that is told apart from others by key, not by its own ==."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any, key: Any) -> None:
        self.value, self.key = value, key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Leaf) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _key(x: Any) -> Any:
    """Equal for equal values alone: 1 is not 1.0, nor 0.0 -0.0, but NaN is itself."""
    kind = type(x)
    if kind in _PLAIN:
        return (kind, x)
    if isinstance(x, float):
        return (kind, float.hex(x))
    if isinstance(x, complex):
        return (kind, x.real.hex(), x.imag.hex())
    if kind is slice:  # hashable from Python 3.12 on
        return (kind, _key((x.start, x.stop, x.step)))
    hash(x)  # raises where x may change
    if _is_value(x):
        return (kind, id(x))
    if isinstance(x, tuple):
        return (kind, tuple(map(_key, x)))
    if isinstance(x, frozenset):
        return (kind, frozenset(map(_key, x)))
    if is_dataclass(x) and _is_record(kind):
        return (kind, tuple(_key(getattr(x, field.name)) for field in fields(x) if field.compare))
    if isinstance(x, _numpy_scalars()):
        number = x.item()  # but of a longdouble
        return (kind, x.dtype.str, repr(x) if type(number) is kind else _key(number))
    is_nan = (x != x) is True
    return (kind, repr(x)) if is_nan else (kind, x)


def _is_record(kind: Any) -> bool:
    """Whether fields are all that == of a frozen dataclass looks at."""
    return bool(kind.__dataclass_params__.eq and kind.__dataclass_params__.frozen)


def _numpy_scalars() -> Any:
    numpy = sys.modules.get("numpy")  # else there are none
    return () if numpy is None else numpy.generic


def _argument(x: Any) -> Any:
    kind = type(x)
    if kind in _PLAIN:
        return (kind, x)
    if kind is float:
        return (kind, x.hex())
    try:
        return _Leaf(x, _key(x))
    except TypeError as error:
        base = next((base for base in (tuple, list, dict) if isinstance(x, base)), None)
        hint = "" if base is None else f"; pass a {base.__name__} of its items"
        raise TypeError(
            "arguments: expected tensors, tuples, lists and dicts of them, and hashable Python "
            f"values, by which recordings are told apart, got a {kind.__name__}: {error}{hint}"
        ) from None


# What may stand in a result besides tensors: every call answers the one that was made then.
_CONSTANTS = (*_PLAIN, float, complex, _oploom.dtype)


def _constant(x: Any) -> Any:
    if not isinstance(x, _CONSTANTS):
        raise TypeError(
            "result: expected tensors, numbers, texts, None, and tuples, lists and dicts of them, "
            f"got a {type(x).__name__}"
        )
    return _Leaf(x, x)


def _is_named(x: Any) -> bool:
    named = isinstance(x, tuple) and hasattr(x, "_fields") and hasattr(x, "_make")
    return named and not getattr(x, "__dict__", None)  # of a subclass


def _flatten(x: Any, tensors: list[Any], leaf: Callable[[Any], Any]) -> Any:
    """Appends the tensors in x; answers the rest, with leaf(y) for what is no structure."""
    kind = type(x)
    if kind is Tensor:  # by far the most
        tensors.append(x)
        return _TENSOR
    if kind in _PLAIN:
        return (kind, x)
    if kind is dict:
        items = [
            ((str, key) if type(key) is str else _argument(key), _flatten(item, tensors, leaf))
            for key, item in x.items()
        ]
        return (kind, tuple(items))
    if kind is tuple or kind is list or _is_named(x):
        return (kind, tuple([_flatten(item, tensors, leaf) for item in x]))
    if _is_value(x):
        tensors.append(x)
        return _TENSOR
    return leaf(x)


def _unflatten(structure: Any, tensors: Any) -> Any:
    if structure is _TENSOR:
        return next(tensors)
    if type(structure) is _Leaf:
        return structure.value
    kind, content = structure
    if kind in _PLAIN:
        return content
    if kind is float:
        return float.fromhex(content)
    if kind is dict:
        return {_unflatten(key, tensors): _unflatten(item, tensors) for key, item in content}
    items = [_unflatten(item, tensors) for item in content]
    return kind(items) if kind is tuple or kind is list else kind._make(items)


# A user who has this many recordings of one function has probably not meant to.
_MANY = 64


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
        # Of objects without a __dict__, by id; others hold theirs.
        self._methods: dict[int, _Method] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """A method: each object has recordings of its own, which go with it."""
        if instance is None:
            return self
        known = _methods_of(instance)
        key: Any = self
        if known is None:
            known, key = self._methods, id(instance)
        method = known.get(key)
        if method is not None and method.instance() is not instance:
            if key is self:  # copied with the __dict__ of another object, which keeps its own
                known = instance.__dict__[_METHODS] = _Methods()
            method = None
        if method is None:
            try:
                method = known[key] = _Method(self, instance)
            except TypeError:  # such an object can only be told by its value
                return types.MethodType(self, instance)
        return types.MethodType(method, instance)

    def __deepcopy__(self, memo: dict[int, Any]) -> ProgramFunction[P, R]:
        return ProgramFunction(self._f)  # which records anew

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if _oploom._recording():  # as a part of the program that is recorded now
            return self._f(*args, **kwargs)
        return self._run(args, kwargs)

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        tensors: list[Any] = []
        structure = self._flatten((args, kwargs), tensors, _argument)
        for x in tensors:
            if type(x) is ProgramValue:
                raise TypeError(
                    f"[{self._name}] expected Tensors, got a value of a program; call it inside "
                    "`with program:`"
                )
        key = (structure, _oploom._signature(tensors))
        recorded = self._recorded.get(key)
        if recorded is None or not _oploom._fits(recorded.function):
            names = _names(self._parameters, args, kwargs, len(tensors))
            recorded = self._record(structure, tensors, names)
            self._recorded[key] = recorded
            if len(self._recorded) == _MANY:
                warnings.warn(
                    f"[{self._name}] was recorded for {_MANY} signatures by now, each of which "
                    "takes its time and stays in memory; pass numbers that change from call to "
                    "call as tensors, and lengths that change to a program with inputs of length "
                    "-1",
                    RuntimeWarning,
                    stacklevel=3,
                )
        own = [tensors[i] for i in recorded.arguments]
        results = _oploom._call_function(recorded.function, own)
        result: R = _unflatten(recorded.result, iter(results))
        return result

    def _flatten(self, x: Any, tensors: list[Any], leaf: Callable[[Any], Any]) -> Any:
        try:
            return _flatten(x, tensors, leaf)
        except TypeError as error:
            raise TypeError(f"[{self._name}] {error}") from None

    def _record(self, structure: Any, tensors: list[Tensor], names: list[str]) -> _Recorded:
        ids = [id(x) for x in tensors]
        arguments = tuple(i for i, x in enumerate(ids) if ids.index(x) == i)
        with Program() as program:
            values = {
                ids[i]: program.input(
                    names[i], tensors[i].shape, tensors[i].dtype, tensors[i].stop_gradient
                )
                for i in arguments
            }
            handles = [values[ids[i]] for i in arguments]
            _oploom._begin_function(handles, [tensors[i] for i in arguments])
            given = [values[x] for x in ids]
            args, kwargs = call = _unflatten(structure, iter(given))
            found: list[Any] = []
            result = self._flatten(self._f(*args, **kwargs), found, _constant)
            self._expect_kept(structure, given, call)
            function = _oploom._end_function(self._name, handles, found)
        return _Recorded(function, arguments, result)

    def _expect_kept(self, structure: Any, values: list[Any], call: Any) -> None:
        """A list that f changes would change in no call: f has had one of its own."""
        now: list[Any] = []
        try:
            same = _flatten(call, now, _argument) == structure
        except TypeError:
            same = False
        if not same or len(now) != len(values) or any(map(operator.is_not, now, values)):
            raise TypeError(
                f"[{self._name}] arguments: expected lists and dicts that the function leaves as "
                "they are, got one that it changed, which would happen in no call; let it change "
                "a copy, and return that"
            )


class _Method(ProgramFunction[..., Any]):
    """A function's recordings for one object, which is the first argument of a call."""

    def __init__(self, function: ProgramFunction[..., Any], instance: Any) -> None:
        forget = None
        if _methods_of(instance) is None:
            forget = functools.partial(_forget, function._methods, id(instance))
        self.instance = alive = weakref.ref(instance, forget)
        of = function._f

        def method(*args: Any, **kwargs: Any) -> Any:
            return of(alive(), *args, **kwargs)

        super().__init__(method)
        functools.update_wrapper(self, of, updated=())
        self._name = function._name
        self._parameters = function._parameters[1:]

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(*args[1:], **kwargs)


def _forget(methods: dict[int, Any], at: int, _: weakref.ref[Any]) -> None:
    methods.pop(at, None)


class _Methods(dict[Any, Any]):
    """What an object holds, by functions; copies of the object record anew."""

    def __copy__(self) -> _Methods:
        return _Methods()

    def __deepcopy__(self, memo: dict[int, Any]) -> _Methods:
        return _Methods()

    def __reduce__(self) -> Any:
        return (_Methods, ())


_METHODS = "_oploom_recordings"


def _methods_of(instance: Any) -> Any:
    """None where the object cannot hold them."""
    attributes = getattr(instance, "__dict__", None)
    if not isinstance(attributes, dict):
        return None
    return attributes.get(_METHODS) or attributes.setdefault(_METHODS, _Methods())


def _parameters(f: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return []


def _names(
    parameters: list[str], args: tuple[Any, ...], kwargs: dict[str, Any], count: int
) -> list[str]:
    """What messages call the arguments: the parameters' names, where one stands for one tensor."""
    items = [*zip(parameters, args, strict=False), *kwargs.items()]
    names = [name for name, item in items if _is_value(item)]
    if len(names) == count == len(set(names)) and all(names):
        return names
    return [f"argument {i}" for i in range(count)]


def _check_function(f: Callable[..., Any]) -> None:
    if isinstance(f, classmethod | staticmethod) or not callable(f):
        raise TypeError(
            f"to_program() f: expected a function, got a {type(f).__name__}; @staticmethod and "
            "@classmethod stand above @to_program"
        )
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
    Tensors may stand in tuples, named tuples, lists and dicts, which f leaves as they are.
    Gradients go through a call in eager mode, of any order; values and gradients are those of f
    itself.

    Writes into arguments, and into tensors from outside of f, are done when the run is over, one
    for each tensor, with eager mode's checks. Results have memory of their own. What f does besides
    (printing, appending to lists from outside) happens while it is recorded only; a tensor from
    outside, the very one that f found then, is read anew in every call, any other value from
    outside is what it was then.
    """
    _check_function(f)
    return ProgramFunction(f)
