"""ol.to_program: what tells two calls apart, and what reaches the function."""

from __future__ import annotations

import collections
import dataclasses
import decimal
import enum
import fractions
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import oploom as ol
from tests.python.support import check

pytestmark = pytest.mark.asan


class Pair(NamedTuple):
    first: Any
    second: Any


class Triple(tuple[Any, ...]):
    __slots__ = ()


class Items(list[Any]):
    def __init__(self, a: Any, b: Any) -> None:
        super().__init__([a, b])


@dataclasses.dataclass(frozen=True)
class Options:
    k: Any
    note: Any = dataclasses.field(default="", compare=False)


class Small(enum.IntEnum):
    ONE = 1


# --- Which arguments are one tensor.


def test_one_tensor_twice_is_another_signature_than_two_of_one_memory() -> None:
    f = ol.to_program(lambda a, b, c: b * 10.0 + c)
    w = ol.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False)
    base = w * 1.0
    v, v2 = base[0:2], base[2:4]
    for _ in range(2):
        check(f(base, v, v), [11.0, 22.0])
        y = f(base, v, v2)
        check(y, [13.0, 24.0])
        check(ol.grad(y.sum(), [w], retain_graph=True)[0], [10.0, 10.0, 1.0, 1.0])
    check(f(v, v2, v), [31.0, 42.0])


# --- Values.

APART: dict[str, tuple[Any, ...]] = {
    "numbers": (1, 1.0, True, 1 + 0j, np.int64(1), np.float64(1), np.float32(1), Small.ONE),
    "zeros": (0.0, -0.0, 0, np.float32(0.0), np.float32(-0.0), np.float64(0.0), np.float64(-0.0)),
    "complex": (complex(0.0, 0.0), complex(0.0, -0.0), complex(-0.0, 0.0), np.complex64(0)),
    "nan": (float("nan"), np.float32("nan"), np.float64("nan"), decimal.Decimal("nan")),
    "keys": ({1: 0}, {1.0: 0}, {True: 0}, {np.int64(1): 0}, {(1,): 0}, {(1.0,): 0}),
    "order": ({1: 0, 2: 0}, {2: 0, 1: 0}),
    "sets": (frozenset([1]), frozenset([1.0]), frozenset([(True,)]), frozenset([(1,)])),
    "records": (Options(1), Options(1.0), Options(True), Options((0.0,)), Options((-0.0,))),
    "tuples": ((1,), (1.0,), [1], Pair(1, 0), Pair(1.0, 0), Triple((1,)), Triple((1.0,))),
    "slices": (slice(1), slice(1.0), slice(0, 1), slice(None, True)),
    "long": (np.longdouble(0.0), np.longdouble(-0.0), np.longdouble("nan")),
    "dates": (np.datetime64(1, "s"), np.datetime64(1, "ms"), np.datetime64("NaT")),
    "others": (fractions.Fraction(1), decimal.Decimal(1), "1", b"1", None, int, len),
}


def again(x: Any) -> Any:
    """An equal value that is another object where there can be one."""
    if isinstance(x, dict | frozenset | list):
        return type(x)(list(x.items()) if isinstance(x, dict) else x)
    if isinstance(x, Options):
        return dataclasses.replace(x)
    if isinstance(x, np.generic):
        return type(x)(x) if not isinstance(x, np.datetime64) else x.copy()
    if isinstance(x, decimal.Decimal):
        return decimal.Decimal(str(x))
    if type(x) is float:
        return float.fromhex(x.hex())
    return x


@pytest.mark.parametrize("values", APART.values(), ids=APART)
def test_different_values_are_recorded_apart_and_equal_ones_once(values: tuple[Any, ...]) -> None:
    seen: list[Any] = []

    @ol.to_program
    def f(x: ol.Tensor, k: Any) -> ol.Tensor:
        seen.append(k)
        return x * 1

    for _ in range(3):
        for value in values:
            f(ol.ones([1]), again(value))
    assert [(type(x), repr(x)) for x in seen] == [(type(x), repr(x)) for x in values]


@pytest.mark.parametrize(
    "nan", [np.float32("nan"), decimal.Decimal("nan"), Options(float("nan")), (np.float16("nan"),)]
)
def test_nan_is_itself(nan: Any) -> None:
    calls: list[Any] = []

    @ol.to_program
    def f(x: ol.Tensor, k: Any) -> ol.Tensor:
        calls.append(k)
        return x * 1

    for _ in range(5):
        fresh = Options(float("nan")) if isinstance(nan, Options) else nan
        f(ol.ones([1]), decimal.Decimal("nan") if isinstance(nan, decimal.Decimal) else fresh)
    assert len(calls) == 1


def test_numbers_of_another_kind_give_eager_modes_dtypes() -> None:
    one = ol.ones([1], "int64")
    cases: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
        (lambda d: one * next(iter(d)), lambda k: {k: 0}),
        (lambda d: one * next(iter(d)), lambda k: frozenset([k])),
        (lambda c: one * c.k, Options),
    ]
    for f, make in cases:
        g = ol.to_program(f)
        for k in (1, 1.0, True):
            assert g(make(k)).dtype == f(make(k)).dtype


# --- What reaches f.


@pytest.mark.parametrize(
    "value",
    [np.float64(2), np.float32(2), Triple((1, 2)), Pair(1, [2]), Small.ONE, frozenset([1]), 2.5,
     -0.0],
)  # fmt: skip
def test_values_reach_the_function_and_come_back_as_they_were(value: Any) -> None:
    seen: list[Any] = []
    ol.to_program(seen.append)(value)
    assert type(seen[0]) is type(value)
    assert repr(seen[0]) == repr(value)
    if isinstance(value, int | float):
        result = ol.to_program(lambda: value)()
        assert type(result) is type(value)
        assert repr(result) == repr(value)


@pytest.mark.parametrize(
    ("value", "way_out"),
    [
        (collections.defaultdict(lambda: 2.0, x=1), "got a defaultdict: .*; pass a dict of"),
        (collections.OrderedDict(x=1), "got a OrderedDict: .*; pass a dict of"),
        (Items(1, 2), "got a Items: .*; pass a list of"),
        (np.zeros(2), "got a ndarray: "),
        ({1, 2}, "got a set: "),
        (Triple(([],)), "got a Triple: .*; pass a tuple of"),
        (Options([]), "got a Options: "),
    ],
)
def test_what_may_change_is_refused_by_name(value: Any, way_out: str) -> None:
    @ol.to_program
    def f(x: Any) -> Any:
        return ol.ones([1]) * 1

    for x in (value, [value], {"key": value}):
        with pytest.raises(TypeError, match=r"\[f\] arguments: .*" + way_out):
            f(x)


def test_named_tuples_of_tensors_are_structures() -> None:
    f = ol.to_program(lambda pair: pair._replace(first=pair.first * pair.second))
    for k in (2.0, 3.0):
        x = ol.to_tensor([k])
        found = f(Pair(x, x))
        assert type(found) is Pair
        assert found.first.item() == k * k
        assert found.second is x
    assert len(f._recorded) == 1


def test_results_may_have_any_keys() -> None:
    assert ol.to_program(lambda: {(1, Small.ONE): 2})() == {(1, Small.ONE): 2}


# --- Lists and dicts that f changes.


@pytest.mark.parametrize(
    "change",
    [
        lambda x, a: a["list"].append(x * 2),
        lambda x, a: a["list"].reverse(),
        lambda x, a: a["list"].__setitem__(0, a["list"][0] * 1.0),
        lambda x, a: a["list"].append([set()]),
        lambda x, a: a.pop("k"),
        lambda x, a: a.update(k=1.0),
    ],
)
def test_a_list_or_dict_that_the_function_changes_is_refused(change: Any) -> None:
    @ol.to_program
    def f(x: ol.Tensor, a: dict[str, Any]) -> ol.Tensor:
        change(x, a)
        return x * 1

    a = {"list": [ol.ones([1]), ol.zeros([1])], "k": 1}
    for _ in range(2):
        with pytest.raises(TypeError, match=r"\[f\] arguments: .* change a copy"):
            f(ol.ones([1]), a)
    assert len(a["list"]) == 2  # type: ignore[arg-type]
    assert a["k"] == 1


def test_what_stands_in_lists_may_be_written() -> None:
    @ol.to_program
    def f(a: list[ol.Tensor], **k: ol.Tensor) -> None:
        a[0] += 1.0
        k.pop("b").multiply_(a[0])  # a dict of the call's own, as in eager mode

    x, b = ol.ones([1]), ol.ones([1])
    f([x], b=b)
    assert (x.item(), b.item()) == (2.0, 2.0)


# --- What is no function.


@pytest.mark.parametrize("f", [3, None, classmethod(len), staticmethod(len)])
def test_what_is_no_function_is_refused_at_once(f: Any) -> None:
    with pytest.raises(TypeError, match=rf"expected a function, got a {type(f).__name__}"):
        ol.to_program(f)


def test_static_and_class_methods_stand_above() -> None:
    class Net:
        k = 2.0

        @staticmethod
        @ol.to_program
        def static(x: ol.Tensor) -> ol.Tensor:
            return x * 3.0

        @classmethod
        @ol.to_program
        def of_class(cls, x: ol.Tensor) -> ol.Tensor:
            return x * cls.k

    x = ol.ones([1])
    for net in (Net, Net()):
        assert (net.static(x).item(), net.of_class(x).item()) == (3.0, 2.0)


def test_many_recordings_are_warned_of_once() -> None:
    f = ol.to_program(lambda x, rate: x * rate)
    x = ol.ones([1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for i in range(62):
            f(x, float(i))
            f(x, 1.0)
            f(x, ol.to_tensor(float(i)))  # one recording for all
    with pytest.warns(RuntimeWarning, match="64 signatures") as caught:
        assert [f(x, float(i)).item() for i in range(62, 70)] == list(range(62, 70))
    assert len(caught) == 1
    assert caught[0].filename == __file__
