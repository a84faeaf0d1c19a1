"""Passes: what they keep, that handles stay valid, and that they change no draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import chain, doubled
from tests.python.support import array, check

pytestmark = pytest.mark.asan

# --- Passes: chained, and handles after them.


def test_passes_answer_the_program() -> None:
    program, y = doubled()
    assert program.functionalize().clean_up().prune([y]).apply_inplace([y]) is program
    check(program.run({"x": [1.0, 2.0]}, y)[0], [2.0, 4.0])
    with program:
        z = y + 1
    check(program.run({"x": [1.0, 2.0]}, [z, y])[0], [3.0, 5.0])


def test_handles_stay_valid_for_recording_and_gradients() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        y = x * x
        y.add_(1)
    for name in ("functionalize", "clean_up", "apply_inplace"):
        getattr(program, name)()
        with program:
            y = y * 1
            g: Any = ol.grad(y, [x])[0]
        found = program.run({"x": [3.0, 4.0]}, [y, g])
        check(found[0], [10.0, 17.0])
        check(found[1], [6.0, 8.0])


def test_is_inplace_net() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        n = program.input("n", [], "int64")
        y = x + 1
    assert not program.is_inplace_net()
    with program:
        s = y * 2

        def body(i: Any) -> Any:
            s.add_(1)
            return i + 1

        ol.while_loop(lambda i: i < n, body, [ol.zeros([], dtype="int64")])
    program.apply_inplace([s])
    assert program.is_inplace_net()
    check(program.run({"x": [1.0, 2.0], "n": 3}, s)[0], [7.0, 9.0])
    program.functionalize()
    assert not program.is_inplace_net()
    check(program.run({"x": [1.0, 2.0], "n": 3}, s)[0], [7.0, 9.0])


def test_apply_inplace_runs_a_chain_in_one_buffer() -> None:
    program, values = chain()
    data = np.linspace(-1, 1, 1000)
    expected = program.run({"x": data}, values[-1])[0]
    program.apply_inplace(values[-1])
    (found,) = program.run({"x": data}, values[-1])
    assert array(found).tobytes() == array(expected).tobytes()
    assert program.peak_bytes <= 1.5 * 8000
    assert program.is_inplace_net()


def test_fetching_an_overwritten_value_names_the_op_that_took_its_buffer() -> None:
    program, values = chain()
    program.apply_inplace([values[-1]])
    with pytest.raises((ValueError, RuntimeError)) as caught:
        program.run({"x": np.ones(1000)}, values[0])
    assert "sigmoid_" in str(caught.value)
    assert values[0].name in str(caught.value)
    kept, values = chain()
    kept.apply_inplace(values)
    found = kept.run({"x": np.ones(1000)}, values)
    check(found[0], np.tanh(np.ones(1000)))


def test_prune_takes_out_what_nobody_needs() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        y = x * 2
        unused = ol.tanh(x)
        written = ol.sigmoid(x)
        written.add_(y)
    program.prune([written])
    text = str(program)
    assert "tanh" not in text
    assert "sigmoid" in text
    check(program.run({"x": [0.0, 0.0]}, written)[0], [0.5, 0.5])
    with pytest.raises((ValueError, RuntimeError), match="a pass"):
        program.run({"x": [0.0, 0.0]}, unused)
    with pytest.raises(TypeError):
        program.prune()  # type: ignore[call-arg]


def test_prune_takes_out_variables_of_loops() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [], "float64", stop_gradient=False)
        start = [ol.zeros([], dtype="int64"), x, x]
        _, a, b = ol.while_loop(
            lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * 2, ol.sin(b)), start
        )
        ol.grad(b, [x])
    assert "sin" in str(program)
    program.prune([a])
    assert "sin" not in str(program)
    assert "list_" not in str(program)
    assert program.run({"x": 1.0}, a)[0].item() == 8.0


def test_passes_are_refused_inside_a_branch() -> None:
    program = ol.Program()
    with program:
        for name in ("functionalize", "clean_up", "apply_inplace"):

            def branch(name: str = name) -> Any:
                getattr(program, name)()
                return ol.ones([])

            with pytest.raises(RuntimeError, match=rf"\[{name}\] a pass changes the whole program"):
                ol.cond(ol.ones([], dtype="bool"), branch, lambda: ol.ones([]))


def test_clean_up_merges_into_nothing_whose_buffer_was_given_away() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        b = (x * 1.5).tanh()
        c = x * 1.5
        c.stop_gradient = True
    program.apply_inplace([b, c]).clean_up()
    assert "tanh_" in str(program)
    found = program.run({"x": [1.0, 2.0]}, [b, c])
    check(found[0], np.tanh([1.5, 3.0]))
    check(found[1], [1.5, 3.0])


def test_inputs_are_there_when_what_was_written_into_them_is_gone() -> None:
    program = ol.Program()
    with program:
        x, z = (program.input(name, [2], "float64") for name in "xz")
        y = x * 2
        z.add_(1.0)
    program.functionalize().prune([y])
    assert [value.name for value in program.inputs()] == ["x", "z"]
    check(program.run({"x": [1.0, 2.0], "z": [5.0, 6.0]}, [y, "z"])[1], [5.0, 6.0])


# --- Random numbers.


def test_random_ops_differ_from_run_to_run_and_repeat_with_the_seed() -> None:
    def record() -> tuple[ol.Program, list[Any]]:
        program = ol.Program()
        with program:
            return program, [ol.rand([4]), ol.rand([4])]

    program, values = record()
    ol.seed(7)
    first = [array(x) for x in program.run(fetch=values)]
    second = [array(x) for x in program.run(fetch=values)]
    for a, b in zip(first, second, strict=True):
        assert (a != b).any()
    assert (first[0] != first[1]).any()
    again, values = record()
    ol.seed(7)
    for x, b in zip(again.run(fetch=values), first, strict=True):
        np.testing.assert_array_equal(array(x), b)
    ol.seed(8)
    assert (array(again.run(fetch=values)[0]) != first[0]).any()


def test_draws_of_a_run_hang_on_its_number_not_on_passes() -> None:
    def made(passes: list[str]) -> list[bytes]:
        program = ol.Program()
        with program:
            ol.rand([4])
            x = ol.rand([4])
            start = [ol.zeros([], dtype="int64"), x]
            _, s = ol.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + ol.rand([4])), start)
        for name in passes:
            getattr(program, name)(*([[x, s]] if name in {"prune", "apply_inplace"} else []))
        ol.seed(3)
        return [array(v).tobytes() for _ in range(2) for v in program.run(fetch=[x, s])]

    expected = made([])
    assert len(set(expected)) == 4
    for passes in (["prune"], ["clean_up"], ["functionalize", "prune", "apply_inplace"]):
        assert made(passes) == expected


def test_draws_of_trips_differ() -> None:
    program = ol.Program()
    with program:
        drawn = ol.TensorArray()

        def body(i: Any) -> Any:
            drawn.write(i, ol.rand([4]))
            return i + 1

        ol.while_loop(lambda i: i < 3, body, [ol.zeros([], dtype="int64")])
        rows = drawn.stack()
    found = array(program.run(fetch=rows)[0])
    assert len({row.tobytes() for row in found}) == 3
