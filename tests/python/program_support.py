"""Running one Python function in both modes, and in every form that a program can be given."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.support import Array, array, central_difference, leaf

Function = Callable[..., Any]


@dataclass(frozen=True)
class Outcome:
    """What a function gave: its target first, and the target's gradients (None: no dependence)."""

    values: list[Array]
    grads: list[Array | None]

    def same_bits(self, other: Outcome) -> bool:
        mine, others = ([*x.values, *x.grads] for x in (self, other))
        return [bits(x) for x in mine] == [bits(x) for x in others]


def bits(x: Array | None) -> Any:
    return None if x is None else (x.shape, x.dtype, x.tobytes())


def as_list(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


# --- Eager mode.


def eagerly(function: Function, *data: Any) -> Outcome:
    leaves = [leaf(x) for x in data]
    results = as_list(function(*leaves))
    grads = ol.grad(results[0], leaves)
    return Outcome([array(x) for x in results], [None if g is None else array(g) for g in grads])


# --- Program mode.


@dataclass(frozen=True)
class Recorded:
    program: ol.Program
    results: list[Any]
    grads: list[Any]
    feed: dict[str, Any]

    @property
    def fetch(self) -> list[Any]:
        return [*self.results, *(g for g in self.grads if g is not None)]

    def run(self, **changed: Any) -> Outcome:
        found = [array(x) for x in self.program.run({**self.feed, **changed}, self.fetch)]
        values, rest = found[: len(self.results)], iter(found[len(self.results) :])
        return Outcome(values, [None if g is None else next(rest) for g in self.grads])


def recorded(function: Function, *data: Any, unknown: bool = False) -> Recorded:
    """The function of inputs, and the gradients of its first result; unknown: their lengths are."""
    program = ol.Program()
    feed = {f"x{i}": np.array(x, "float64") for i, x in enumerate(data)}
    with program:
        inputs: list[Any] = [
            program.input(name, [None] * x.ndim if unknown else x.shape, "float64", False)
            for name, x in feed.items()
        ]
        results = as_list(function(*inputs))
        grads = ol.grad(results[0], inputs)
    return Recorded(program, results, grads, feed)


def recorded_on_parameters(function: Function, *data: Any) -> Recorded:
    """The function of eager leaves, which the program takes in by reference."""
    program = ol.Program()
    leaves = [leaf(x) for x in data]
    with program:
        results = as_list(function(*leaves))
        grads = ol.grad(results[0], leaves)
    return Recorded(program, results, grads, {})


# --- Passes. Each leaves all that is fetched.

Pass = Callable[[ol.Program, list[Any]], Any]
PASSES: dict[str, Pass] = {
    "functionalize": lambda program, fetch: program.functionalize(),
    "apply_inplace": lambda program, fetch: program.apply_inplace(fetch),
    "prune": lambda program, fetch: program.prune(fetch),
    "clean_up": lambda program, fetch: program.clean_up(),
}


def run_after(names: Sequence[str], of: Recorded) -> Outcome:
    for name in names:
        assert PASSES[name](of.program, of.fetch) is of.program
    return of.run()


def reloaded(path: Path, of: Recorded) -> Outcome:
    """The outcome of the program as a file: values are found by name."""
    of.program.save(path)
    program = ol.Program.load(path)
    names = [x.name for x in of.fetch]
    found = [array(x) for x in program.run(of.feed, names)]
    values, rest = found[: len(of.results)], iter(found[len(of.results) :])
    return Outcome(values, [None if g is None else next(rest) for g in of.grads])


FORMS: dict[str, Callable[..., Outcome]] = {
    "eager": eagerly,
    "program": lambda f, *data: recorded(f, *data).run(),
    "parameters": lambda f, *data: recorded_on_parameters(f, *data).run(),
    **{name: lambda f, *data, name=name: run_after([name], recorded(f, *data)) for name in PASSES},
    "all passes": lambda f, *data: run_after(
        ["functionalize", "clean_up", "prune", "apply_inplace"], recorded(f, *data)
    ),
}


# --- Either mode by name.


both = pytest.mark.parametrize("mode", ["eager", "program"])


def in_mode(mode: str, function: Any, *data: Any) -> list[Array]:
    """What a function of leaves or of inputs gives."""
    if mode == "eager":
        return [array(x) for x in function(*(leaf(x) for x in data))]
    program = ol.Program()
    feed = {f"x{i}": np.array(x, "float64") for i, x in enumerate(data)}
    with program:
        results = function(
            *(program.input(n, x.shape, "float64", stop_gradient=False) for n, x in feed.items())
        )
    return [array(x) for x in program.run(feed, results)]


def tru(value: bool = True) -> Any:
    return ol.full([], value, dtype="bool")


def zero() -> Any:
    return ol.zeros([], dtype="int64")


# --- Small programs.


def doubled(shape: Any = (2,), dtype: str = "float64") -> tuple[ol.Program, Any]:
    program = ol.Program()
    with program:
        y = program.input("x", shape, dtype) * 2
    return program, y


def chain() -> tuple[ol.Program, list[Any]]:
    program = ol.Program()
    with program:
        x = program.input("x", [1000], "float64")
        values = [ol.tanh(x)]
        for _ in range(5):
            values.append(ol.sigmoid(values[-1]))
    return program, values


def ops_of(program: ol.Program) -> list[str]:
    return re.findall(r"= (\w+)\(", str(program))


def appended_ops(program: ol.Program, function: Function) -> list[str]:
    """The names of the ops that a function appends."""
    before = len(ops_of(program))
    with program:
        function()
    return ops_of(program)[before:]


def text_of(caught: Any) -> str:
    """What an error says; the runtime quotes in another way than the bindings."""
    return str(caught.value).replace('"', "'")


# --- Cases: a function, a point, and the right answer.


@dataclass(frozen=True)
class Case:
    number: int
    name: str
    function: Function
    at: tuple[Any, ...]
    grads: tuple[Any, ...]  # None: the target does not depend on it
    values: tuple[Any, ...] = ()
    plain: Function | None = None  # the same in Python numbers or NumPy, for finite differences
    eager_may_refuse: bool = False
    bug: str = ""  # why program mode is not right yet

    @property
    def id(self) -> str:
        return f"{self.number:02}_{self.name}"

    def marks(self, form: str) -> list[Any]:
        wrong = self.bug and form != "eager"
        return [pytest.mark.xfail(strict=True, reason=self.bug)] if wrong else []


class Cases(list[Case]):
    """Filled by a decorator: the function's name is the case's."""

    def add(
        self,
        number: int,
        *,
        at: tuple[Any, ...],
        grads: tuple[Any, ...],
        values: tuple[Any, ...] = (),
        plain: Function | None = None,
        eager_may_refuse: bool = False,
        name: str = "",
        bug: str = "",
    ) -> Callable[[Function], Function]:
        def enter(function: Function) -> Function:
            self.append(
                Case(
                    number, name or function.__name__, function, at, grads, values, plain,
                    eager_may_refuse, bug,
                )
            )  # fmt: skip
            return function

        return enter

    def in_forms(self) -> pytest.MarkDecorator:
        return pytest.mark.parametrize(
            ("case", "form"),
            [
                pytest.param(c, f, id=f"{c.id}-{f.replace(' ', '_')}", marks=c.marks(f))
                for c in self
                for f in FORMS
            ],
        )

    def with_plain(self) -> pytest.MarkDecorator:
        known = [c for c in self if c.plain is not None]
        return pytest.mark.parametrize("case", known, ids=[c.id for c in known])


def check_case(case: Case, form: str) -> None:
    try:
        found = FORMS[form](case.function, *case.at)
    except ol.errors.VersionError:
        assert form == "eager"
        assert case.eager_may_refuse
        return
    for value, expected in zip(found.values, case.values, strict=False):
        np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-12)
    assert len(found.grads) == len(case.grads)
    for grad, expected in zip(found.grads, case.grads, strict=True):
        # Eagerly a branch that was not taken, or a loop without trips, is no dependence.
        if grad is None:
            assert expected is None or (form == "eager" and not np.any(expected))
        else:
            assert expected is not None
            np.testing.assert_allclose(grad, expected, rtol=1e-6, atol=1e-9)


def check_differences(case: Case) -> None:
    """The given numbers, against finite differences of the plain function."""
    assert case.plain is not None
    at = [np.array(x, "float64") for x in case.at]
    if case.values:
        np.testing.assert_allclose(case.plain(*at), case.values[0], rtol=1e-9)
    for i, expected in enumerate(case.grads):

        def value(x: Array, i: int = i) -> float:
            assert case.plain is not None
            return float(case.plain(*at[:i], x, *at[i + 1 :]))

        slope = central_difference(value, at[i], 1e-6)
        wanted = np.zeros(at[i].shape) if expected is None else expected
        np.testing.assert_allclose(
            slope, np.broadcast_to(wanted, slope.shape), rtol=1e-5, atol=1e-6
        )
