"""What a run is fed, and what it fetches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import doubled, text_of
from tests.python.support import check, constant, leaf

# --- Feeds.


@pytest.mark.parametrize(
    "fed",
    [
        np.array([1.0, 2.0]), [1.0, 2.0], (1, 2), [1, 2], [True, 2],
        constant([1.0, 2.0]), leaf([1.0, 2.0]), np.array([0.0, 1.0, 0.0, 2.0])[1::2],
    ],
)  # fmt: skip
def test_feeds_are_arrays_tensors_or_lists(fed: Any) -> None:
    program, y = doubled()
    (found,) = program.run({"x": fed}, [y])
    check(found, [2.0, 4.0])
    assert found.dtype == ol.float64


@pytest.mark.parametrize("fed", [3, 3.0, np.float64(3), np.array(3.0), constant(3.0), True])
def test_feeds_are_numbers(fed: Any) -> None:
    program, y = doubled([])
    assert program.run({"x": fed}, [y])[0].item() == 2 * float(fed)


def test_a_number_takes_the_dtype_of_the_input() -> None:
    for dtype in ("int32", "int64", "float32", "float64"):
        program, y = doubled([], dtype)
        (found,) = program.run({"x": 3}, y)
        assert str(found.dtype) == dtype
    program, y = doubled([], "int64")
    with pytest.raises(TypeError, match="expected dtype int64, got float"):
        program.run({"x": 3.5}, y)


def test_the_default_dtype_is_float32() -> None:
    program = ol.Program()
    assert program.input("x", [2]).dtype == ol.float32


NO_FIT = "[run] feed 'x': expected "
MISFITS: list[tuple[Any, type[Exception], str]] = [
    ({"y": 1.0}, ValueError, "[run] feed: the program has no input 'y'; its inputs: 'x'"),
    ({}, ValueError, NO_FIT + "a value, since what is fetched needs it, got none"),
    (None, ValueError, NO_FIT + "a value"),
    ({"x": np.ones(3)}, ValueError, NO_FIT + "float64[2], got shape [3]"),
    ({"x": np.ones((2, 1))}, ValueError, NO_FIT + "float64[2], got shape [2, 1]"),
    ({"x": np.ones(2, "float32")}, TypeError, NO_FIT + "dtype float64, got float32"),
    ({"x": np.ones(2, "int64")}, TypeError, NO_FIT + "dtype float64, got int64"),
    ({"x": constant([1, 2], "int32")}, TypeError, NO_FIT + "dtype float64, got int32"),
    ({3: np.ones(2)}, TypeError, "[run] feed: expected names of inputs as keys, got a int"),
    ([("x", 1)], TypeError, "[run] feed: expected a dict of inputs by name, got a list"),
    ({"x": "two"}, TypeError, ""),
    ({"x": None}, TypeError, ""),
    ({"x": [[1.0], [1.0, 2.0]]}, ValueError, ""),
]


@pytest.mark.parametrize(("feed", "kind", "text"), MISFITS)
def test_feeds_that_do_not_fit_are_refused_by_name(feed: Any, kind: Any, text: str) -> None:
    program, y = doubled()
    with pytest.raises(kind) as caught:
        program.run(feed, [y])
    assert text in text_of(caught)
    check(program.run({"x": [1.0, 2.0]}, [y])[0], [2.0, 4.0])


def test_a_program_without_inputs_says_so() -> None:
    with pytest.raises(ValueError, match="no input 'x'; it has no inputs"):
        ol.Program().run({"x": 1.0})


def test_unknown_lengths_take_any_length() -> None:
    for length in (None, -1):
        program, y = doubled([length, 2])
        assert y.shape == (-1, 2)
        for rows in (0, 1, 5):
            check(program.run({"x": np.ones((rows, 2))}, y)[0], np.full((rows, 2), 2.0))
        with pytest.raises(ValueError, match="got shape") as caught:
            program.run({"x": np.ones(3)}, y)
        assert NO_FIT + "float64[?, 2], got shape [3]" in text_of(caught)


def test_names_of_inputs_are_unique() -> None:
    program, _ = doubled()
    for name in ("x", ""):
        with pytest.raises(ValueError, match="input"):
            program.input(name, [2])
    with pytest.raises(ValueError, match="-2"):
        program.input("y", [-2])
    assert [x.name for x in program.inputs()] == ["x"]


def test_names_of_inputs_are_texts_that_can_be_shown() -> None:
    with pytest.raises(ValueError, match="without NUL"):
        ol.Program().input("a\0b", [2])


def test_fed_arrays_are_never_written() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [3], "float64")
        view = x[1:]
        view.multiply_(2)
        x.add_(1)
        part = x[:2]
    for passes in ((), ("functionalize",), ("apply_inplace",)):
        for name in passes:
            getattr(program, name)()
        data, tensor = np.array([1.0, 2.0, 3.0]), constant([1.0, 2.0, 3.0])
        for fed in (data, tensor):
            found, some = program.run({"x": fed}, [x, part])
            check(found, [2.0, 5.0, 7.0])
            check(some, [2.0, 5.0])
            check(constant(fed) if fed is data else fed, [1.0, 2.0, 3.0])
        assert tensor.inplace_version == 0


def test_results_share_no_memory_with_feeds_or_parameters() -> None:
    w, data = leaf([1.0, 2.0]), np.array([3.0, 4.0])
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        y = x[:] * 1
        program.parameter(w)
    found = program.run({"x": data}, [x, w, y, y, x])
    assert all(t.stop_gradient for t in found)
    for t in found:
        t.add_(100)
    check(w, [1.0, 2.0])
    np.testing.assert_array_equal(data, [3.0, 4.0])
    check(program.run({"x": data}, y)[0], [3.0, 4.0])
    constant_program = ol.Program()
    with constant_program:
        c = ol.to_tensor([1.0, 2.0])
    constant_program.run(fetch=c)[0].add_(1)
    check(constant_program.run(fetch=c)[0], np.array([1.0, 2.0], "float32"))


def test_a_tensor_that_is_fed_keeps_its_history_out_of_the_run() -> None:
    program, y = doubled()
    (found,) = program.run({"x": leaf([1.0, 2.0]) * 3}, y)
    assert found.stop_gradient


# --- Fetches.


def test_fetch_takes_values_names_and_parameters() -> None:
    w = leaf([1.0, 2.0])
    w.name = "w"
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        y = x + w
    feed = {"x": np.array([10.0, 20.0])}
    for fetch in ([y, "x", w], (y.name, x, "w")):
        found = program.run(feed, fetch)
        assert isinstance(found, list)
        check(found[0], [11.0, 22.0])
        check(found[1], [10.0, 20.0])
        check(found[2], [1.0, 2.0])
    assert len(program.run(feed, y)) == 1
    assert program.run(feed) == program.run(feed, []) == []
    assert program.value("x").name == "x"
    check(program.run(feed, program.value(y.name))[0], [11.0, 22.0])


def test_fetches_that_are_none_are_refused() -> None:
    program, y = doubled()
    feed = {"x": [1.0, 2.0]}
    _, z = doubled()
    with pytest.raises(ValueError, match=r"\[run\] fetch: expected values of this program"):
        program.run(feed, [y, z])
    with pytest.raises(ValueError, match=r"\[run\] fetch: tensor '.*' is no parameter"):
        program.run(feed, constant([1.0]))
    with pytest.raises(TypeError, match=r"\[run\] fetch: expected values .* got a int"):
        program.run(feed, [3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="got 'nobody'"):
        program.run(feed, "nobody")
    inside: list[Any] = []
    flow = ol.Program()

    def branch() -> Any:
        inside.append(ol.ones([]))
        return inside[0]

    with flow:
        ol.cond(ol.ones([], dtype="bool"), branch, lambda: ol.zeros([]))
    with pytest.raises((ValueError, RuntimeError), match="branch"):
        flow.run(fetch=inside)


def test_a_run_pays_only_for_what_is_fetched() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [1000], "float64")
        cheap = x[:1] + 1
        dear = ol.matmul(x.reshape([1000, 1]), x.reshape([1, 1000]))
        total = dear.sum()
    program.run({"x": np.ones(1000)}, cheap)
    assert program.peak_bytes < 8 * 1000 * 1000
    program.run({"x": np.ones(1000)}, total)
    assert program.peak_bytes >= 8 * 1000 * 1000
    no_feed = ol.Program()
    with no_feed:
        a = no_feed.input("a", [], "float64")
        b = no_feed.input("b", [], "float64")
        only_a = a * 2
        a * b
    assert no_feed.run({"a": 2.0}, only_a)[0].item() == 4.0
