"""Switching the recording of gradients, in a with block or as a decorator."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from oploom._oploom import _set_grad_enabled

P = ParamSpec("P")
R = TypeVar("R")


class _GradMode:
    """Recording on or off while the block runs, or the decorated function. May be entered again."""

    _enabled: bool

    def __init__(self) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(_set_grad_enabled(self._enabled))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _set_grad_enabled(self._before.pop())

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        mode = type(self)
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: P.args, **kwargs: P.kwargs) -> Generator[Any, Any, Any]:
                return (yield from _in_mode(mode, function(*args, **kwargs)))

            return cast("Callable[P, R]", generator)

        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            # A switch would leak into whatever else the event loop runs meanwhile.
            raise TypeError(f"{mode.__name__}() cannot decorate an async function; use it inside")

        @functools.wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            with mode():
                return function(*args, **kwargs)

        return wrapper


def _in_mode(mode: type[_GradMode], inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Runs a generator so that the mode holds in its own steps, and not in its caller's."""
    step: Callable[[], Any] = lambda: next(inner)  # noqa: E731
    while True:
        try:
            with mode():
                value = step()
        except StopIteration as end:
            return end.value
        try:
            sent = yield value
            step = functools.partial(inner.send, sent)
        except GeneratorExit:
            with mode():
                inner.close()
            raise
        except BaseException as error:
            step = functools.partial(inner.throw, error)


class no_grad(_GradMode):  # noqa: N801
    """Nothing is recorded: `with no_grad(): ...`, or `@no_grad()` before a function."""

    _enabled = False


class enable_grad(_GradMode):  # noqa: N801
    """Recording is on, inside a no_grad() too."""

    _enabled = True
