"""Recording programs: `with`, threads, no_grad and to_tensor inside of it."""

from __future__ import annotations

import copy
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import doubled, in_mode
from tests.python.support import array, check, constant, leaf

# --- with.


def test_with_gives_the_program_and_can_be_entered_again() -> None:
    program = ol.Program()
    with program as same:
        assert same is program
        x = program.input("x", [2], "float64")
        y = x + 1
        with program:  # the same one: no new program
            y = y * 2
        y = y - 1
    with program:
        z = y + x
    check(program.run({"x": [1.0, 2.0]}, z)[0], [4.0, 7.0])


def test_programs_can_be_recorded_inside_each_other() -> None:
    outer, inner = ol.Program(), ol.Program()
    with outer:
        a: Any = ol.ones([2])
        with inner:
            b: Any = ol.ones([3])
            with pytest.raises(
                RuntimeError, match=r"\[with\] the program is being recorded already"
            ):
                outer.__enter__()
        c = a + 1
    assert a.program is c.program is outer
    assert b.program is inner
    check(outer.run(fetch=c)[0], np.full(2, 2.0, "float32"))
    check(inner.run(fetch=b)[0], np.ones(3, "float32"))


def test_programs_are_left_in_the_order_they_were_entered() -> None:
    outer, inner = ol.Program(), ol.Program()
    outer.__enter__()
    with inner:
        with pytest.raises(RuntimeError, match="innermost"):
            outer.__exit__(None, None, None)  # ends it all the same
        x: Any = ol.ones([1])
        assert x.program is inner
    assert ol.ones([1]).tolist() == [1]
    for program in (outer, inner):
        with pytest.raises(RuntimeError, match="innermost"):
            program.__exit__(None, None, None)


def test_outside_of_with_ops_are_eager() -> None:
    w = leaf([1.0, 2.0])
    program = ol.Program()
    with program:
        inside = w * 2
    outside = w * 2
    assert isinstance(inside, ol.ProgramValue)
    assert isinstance(outside, ol.Tensor)
    assert not isinstance(inside, ol.Tensor)
    check(outside, [2.0, 4.0])


def test_a_program_runs_while_it_is_recorded() -> None:
    program, y = doubled()
    with program:
        (found,) = program.run({"x": [1.0, 2.0]}, y)
        z = y + 1
    check(found, [2.0, 4.0])
    check(program.run({"x": [1.0, 2.0]}, z)[0], [3.0, 5.0])


def test_a_run_or_file_of_tensors_waits_for_the_end_of_recording(tmp_path: Path) -> None:
    w = leaf([2.0]).detach()
    reader, doubler = ol.Program(), ol.Program()
    with reader:
        read = w * 1
    with doubler:
        twice = doubler.input("x", [1], "float64") * 2
    with ol.Program() as program:
        w.add_(1.0)
        for call in (
            lambda: reader.run(fetch=[read]),
            lambda: reader.save(tmp_path / "a.yaml"),
            lambda: doubler.run({"x": w}, [twice]),
        ):
            with pytest.raises(RuntimeError, match=r"\w+\(\) outside of `with`"):
                call()
        (found,) = doubler.run({"x": [3.0]}, [twice])
        doubler.save(tmp_path / "a.yaml")
    check(found, [6.0])
    program.run()
    check(reader.run(fetch=[read])[0], [3.0])


def test_a_function_that_is_recorded_runs_no_program() -> None:
    program, y = doubled()
    n = ol.to_tensor(0.0)
    with ol.Program() as counter:
        n += 1.0
        count = n * 1.0

    def inside_another() -> ol.Tensor:
        with ol.Program():
            return program.run({"x": [1.0, 2.0]}, [y])[0]

    for f in (
        lambda: counter.run(fetch=[count])[0] * 1.0,
        lambda: program.run({"x": [1.0, 2.0]}, [y])[0],
        inside_another,
    ):
        with pytest.raises(RuntimeError, match=r"same in every call.* as an argument"):
            ol.to_program(f)()
    assert n.item() == 0.0


@pytest.mark.parametrize(
    "use",
    [lambda w: w.numpy(), lambda w: w[:1].item(), lambda w: w.tolist(), bool, float, copy.deepcopy],
)
def test_numbers_of_tensors_are_not_read_while_recording(use: Any) -> None:
    w = leaf([2.0])
    with ol.Program(), pytest.raises((ValueError, TypeError)) as caught:
        use(w)
    assert "program" in str(caught.value)
    check(w, [2.0])


def test_an_error_in_with_leaves_the_program_usable() -> None:
    program, y = doubled()

    def record() -> Any:
        with program:
            y.add_(1)
            raise KeyError("mine")

    with pytest.raises(KeyError):
        record()
    assert isinstance(ol.ones([1]), ol.Tensor)
    with program:
        z = y * 1
    check(program.run({"x": [1.0, 2.0]}, z)[0], [3.0, 5.0])


# --- Threads.


def test_a_thread_records_a_program_of_its_own() -> None:
    found: dict[str, Any] = {}
    program = ol.Program()

    def other() -> None:
        found["eager"] = isinstance(ol.ones([1]), ol.Tensor)
        with ol.Program() as mine:
            x = ol.ones([2], dtype="float64") * 3
        found["mine"] = mine.run(fetch=x)[0].tolist()
        try:
            program.__enter__()
        except RuntimeError as error:
            found["refused"] = str(error)

    with program:
        a = ol.ones([2], dtype="float64")
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        b = a + 1
    assert found["eager"]
    assert found["mine"] == [3.0, 3.0]
    assert "being recorded already, by another thread" in found["refused"]
    check(program.run(fetch=b)[0], [2.0, 2.0])


def test_runs_in_several_threads_do_not_disturb_each_other() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [50_000], "float64", stop_gradient=False)
        y = ol.tanh(x)
        for _ in range(5):
            y = ol.sin(y)
        g: Any = ol.grad(y, [x])[0]
    feeds = [np.full(50_000, i / 4) for i in range(4)]
    expected = [[array(t).tobytes() for t in program.run({"x": f}, [y, g])] for f in feeds]
    wrong: list[Any] = []

    def work(i: int) -> None:
        for _ in range(5):
            found = [array(t).tobytes() for t in program.run({"x": feeds[i]}, [y, g])]
            if found != expected[i]:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(feeds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_program_can_be_recorded_on_in_another_thread() -> None:
    program, y = doubled()
    found: list[Any] = []

    def other() -> None:
        with program:
            z = y + 1
        found.extend(program.run({"x": [1.0, 2.0]}, z))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    check(found[0], [3.0, 5.0])


# --- no_grad, to_tensor.


def test_no_grad_inside_with_makes_constants() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        with ol.no_grad():
            c = x * 2
        assert c.stop_gradient
        g: Any = ol.grad((x * c).sum(), [x])[0]
    check(program.run({"x": [3.0, 4.0]}, g)[0], [6.0, 8.0])
    with ol.no_grad(), program:
        assert (x * 2).stop_gradient


def test_a_write_under_no_grad_changes_numbers_alone() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64", stop_gradient=False)
        with ol.no_grad():
            x.multiply_(10)
        assert x.is_leaf
        g: Any = ol.grad((x * x).sum(), [x])[0]
    found = program.run({"x": [3.0, 4.0]}, [x, g])
    check(found[0], [30.0, 40.0])
    check(found[1], [60.0, 80.0])


@pytest.mark.parametrize(
    "view",
    [
        lambda h: h,
        lambda h: h.T,
        lambda h: h[0],
        lambda h: h[:, 1:].T,
        lambda h: h.reshape([-1]),
        lambda h: h[0][1:],
    ],
    ids=["itself", "transpose", "row", "columns", "reshape", "part of a row"],
)
@pytest.mark.parametrize("mode", ["eager", "program"])
def test_a_write_under_no_grad_leaves_the_gradient_of_its_base(view: Any, mode: str) -> None:
    """Also where a recorded write went through the same view before: 1 to the old value (E7)."""

    def function(x: Any) -> list[Any]:
        h = x * 1
        part = view(h)
        part.sin_()
        with ol.no_grad():
            part.add_(1.0)
        return [h, *ol.grad((h * h).sum(), [h])]

    found = in_mode(mode, function, [[1.0, 2.0], [3.0, 4.0]])
    check(found[1], 2 * found[0])


def test_to_tensor_inside_with_is_recorded() -> None:
    data, w = np.array([1.0, 2.0]), leaf([5.0, 6.0])
    program = ol.Program()
    with program:
        c = ol.to_tensor(data)
        n = ol.to_tensor([1, 2, 3])
        v = ol.to_tensor(data, dtype="float32", stop_gradient=False)
        copied = ol.to_tensor(w)
        narrow = ol.to_tensor(w, dtype="float32")
        assert isinstance(c, ol.ProgramValue)
        assert (str(c.dtype), str(n.dtype), str(v.dtype)) == ("float64", "int64", "float32")
        assert not v.stop_gradient
        assert copied.stop_gradient
        copied.add_(1)
        c.add_(1)
        g: Any = ol.grad((v * v).sum(), [v])[0]
    data[:] = 100  # to_tensor copies
    found = program.run(fetch=[c, n, copied, narrow, g])
    check(found[0], [2.0, 3.0])
    check(found[1], [1, 2, 3])
    check(found[2], [6.0, 7.0])
    check(found[3], np.array([5.0, 6.0], "float32"))
    check(found[4], np.array([2.0, 4.0], "float32"))
    check(w, [5.0, 6.0])
    check(program.run(fetch=c)[0], [2.0, 3.0])


def test_numpy_arrays_and_lists_are_operands_as_in_eager_mode() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [2], "float64")
        with pytest.raises(TypeError) as recorded:
            x + np.ones(2)
        with pytest.raises(TypeError) as listed:
            ol.add(x, [1.0, 2.0])  # type: ignore[arg-type]
    t = constant([1.0, 2.0])
    with pytest.raises(TypeError) as eager:
        t + np.ones(2)
    with pytest.raises(TypeError) as eager_listed:
        ol.add(t, [1.0, 2.0])  # type: ignore[arg-type]
    assert str(recorded.value).replace("ProgramValue", "Tensor") == str(eager.value)
    assert str(listed.value) == str(eager_listed.value)
