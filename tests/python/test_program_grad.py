"""grad and append_backward of programs: what they take, answer and refuse."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import oploom as ol
from tests.python.program_support import appended_ops
from tests.python.support import array, check, leaf


class Net:
    """A program with inputs a, b (float64 [2]) and the outputs of a function of them."""

    def __init__(self, function: Any = lambda a, b: a * a * b) -> None:
        self.program = ol.Program()
        self.a, self.b = (self.program.input(n, [2], "float64", stop_gradient=False) for n in "ab")
        with self.program:
            self.y = function(self.a, self.b)

    def grad(self, *args: Any, **kwargs: Any) -> list[Any]:
        with self.program:
            return list(ol.grad(*args, **kwargs))

    def run(self, fetch: Any) -> list[Any]:
        feed = {"a": [3.0, 4.0], "b": [5.0, 6.0]}
        return [array(x) for x in self.program.run(feed, fetch)]


# --- What it answers.


def test_a_list_along_inputs_or_one() -> None:
    net = Net()
    for inputs in ([net.a, net.b], (net.a, net.b)):
        found = net.grad(net.y, inputs)
        assert isinstance(found, list)
        da, db = net.run(found)
        check(da, [30.0, 48.0])
        check(db, [9.0, 16.0])
    assert len(net.grad(net.y, net.a)) == 1
    check(net.run(net.grad([net.y], net.a))[0], [30.0, 48.0])


def test_an_input_listed_twice_is_answered_twice() -> None:
    net = Net()
    for x in net.run(net.grad(net.y, [net.a, net.a])):
        check(x, [30.0, 48.0])


def test_none_where_no_target_depends_on_an_input() -> None:
    net = Net(lambda a, b: a * a)
    da, db = net.grad(net.y, [net.a, net.b])
    assert db is None
    check(net.run(da)[0], [6.0, 8.0])
    with net.program:
        c = ol.ones([2])
        c.stop_gradient = False
    assert net.grad(net.y, [c]) == [None]


def test_an_input_or_output_that_stops_gradient_is_refused_as_in_eager_mode() -> None:
    def refusals(x: Any) -> list[str]:
        y = x * 2
        found = []
        for outputs, inputs in ((y, [x.detach()]), (y, [x, x.detach()])):
            with pytest.raises(RuntimeError) as caught:
                ol.grad(outputs, inputs)
            found.append(re.sub(r"'.*?'", "_", str(caught.value)))
        return found

    net = Net()
    with net.program:
        recorded = refusals(net.a)
    assert recorded == refusals(leaf([1.0, 2.0]))


def test_results_are_always_differentiable() -> None:
    net = Net()
    (da,) = net.grad(net.y, [net.a])
    daa, dab = net.grad(da, [net.a, net.b], create_graph=False, retain_graph=False)
    (daab,) = net.grad(daa, [net.b])
    check(net.run(daa)[0], [10.0, 12.0])
    check(net.run(dab)[0], [6.0, 8.0])
    check(net.run(daab)[0], [2.0, 2.0])


# --- Seeds.


def test_seeds_weigh_the_outputs() -> None:
    net = Net()
    with net.program:
        seed = ol.to_tensor(np.array([1.0, 10.0]))
        other = net.a * 2
    check(net.run(net.grad(net.y, net.a, seed))[0], [30.0, 480.0])
    check(net.run(net.grad([net.y, other], net.a, [seed, None]))[0], [32.0, 482.0])
    check(net.run(net.grad([net.y, other], [net.a], [None, seed]))[0], [32.0, 68.0])
    eager = leaf([1.0, 10.0])
    check(net.run(net.grad(net.y, net.a, [eager]))[0], [30.0, 480.0])


@pytest.mark.parametrize(
    ("seed", "kind", "says"),
    [
        (lambda: ol.ones([3], dtype="float64"), ValueError, "[3]"),
        (lambda: ol.ones([], dtype="float64"), ValueError, "shape"),
        (lambda: ol.ones([2], dtype="float32"), (ValueError, TypeError), "float32"),
        (lambda: ol.ones([2], dtype="int64"), (ValueError, TypeError), "int64"),
        (lambda: [ol.ones([2], dtype="float64")] * 2, ValueError, "2"),
    ],
)
def test_a_seed_that_does_not_fit_is_refused(seed: Any, kind: Any, says: str) -> None:
    net = Net()
    with net.program:
        given = seed()
    before = str(net.program)
    with pytest.raises(kind) as caught:
        net.grad(net.y, [net.a], given)
    assert "[grad]" in str(caught.value)
    assert "grad_outputs" in str(caught.value)
    assert says in str(caught.value)
    assert str(net.program) == before


# --- What it takes.


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (lambda n: ([None], [n.a]), (TypeError, ValueError)),
        (lambda n: (n.y, [None]), (TypeError, ValueError)),
        (lambda n: ("y", [n.a]), TypeError),
        (lambda n: (n.y, [3]), TypeError),
        (lambda n: (n.y,), TypeError),
        (lambda n: (n.y, [n.a], None, [None]), (TypeError, ValueError)),
    ],
)
def test_arguments_that_are_no_values_are_refused(arguments: Any, kind: Any) -> None:
    net = Net()
    before = str(net.program)
    with pytest.raises(kind):
        net.grad(*arguments(net))
    assert str(net.program) == before


def test_an_output_that_is_not_float_has_no_gradient() -> None:
    net = Net(lambda a, b: (a > b).cast("int64"))
    try:
        assert net.grad(net.y, [net.a]) == [None]
    except (TypeError, ValueError, RuntimeError) as error:
        assert "int64" in str(error)  # noqa: PT017


def test_a_tensor_computed_before_is_data() -> None:
    w = leaf([1.0, 2.0])
    h = w * 3
    with ol.Program(), pytest.raises(ValueError, match=r"computed before"):
        ol.grad(h, [w])
    with ol.Program(), pytest.raises(ValueError, match=r"computed before"):
        ol.append_backward(h, [w])


def test_no_grad_vars_are_constants() -> None:
    net = Net()
    with net.program:
        half = net.a * net.b
        z = half * net.a
    check(net.run(net.grad(z, net.a, no_grad_vars=half))[0], [15.0, 24.0])
    check(net.run(net.grad(z, [net.a], None, [net.b]))[0], [30.0, 48.0])
    assert net.grad(z, [net.a], no_grad_vars=[net.a]) == [None]


# --- Values that were replaced.


def test_an_input_means_its_present_value() -> None:
    net = Net()
    with net.program:
        t = net.a * 2
        early = t * t
        t.tanh_()
        late = t * 5
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        net.grad(early, [t])
    assert "depend only on an earlier value" in str(caught.value)
    assert "tanh_" in str(caught.value)
    assert "test_program_grad.py:" in str(caught.value)
    check(net.run(net.grad(late, [t]))[0], [5.0, 5.0])
    check(net.run(net.grad(early, [net.a]))[0], [24.0, 32.0])
    with net.program:
        both = early + late
    check(net.run(net.grad(both, [t]))[0], [5.0, 5.0])


def test_the_gradient_of_a_leaf_covers_its_values_before_unrecorded_writes() -> None:
    net = Net()
    with net.program:
        early = net.a * net.a
        with ol.no_grad():
            net.a.add_(1)
        late = net.a * 5
        total = early + late
    check(net.run(net.grad(total, [net.a]))[0], [11.0, 13.0])
    check(net.run(net.grad(early, [net.a]))[0], [6.0, 8.0])
    check(net.run(net.grad(late, [net.a]))[0], [5.0, 5.0])


def test_a_target_that_is_written_later_keeps_its_gradient() -> None:
    net = Net()
    (before,) = net.grad(net.y, [net.a])
    with net.program:
        net.y.multiply_(10)
    (after,) = net.grad(net.y, [net.a])
    check(net.run(before)[0], [30.0, 48.0])
    check(net.run(after)[0], [300.0, 480.0])


# --- In branches and loops.


def test_a_gradient_inside_a_branch_on_a_value_from_outside() -> None:
    net = Net()
    with net.program:

        def branch() -> Any:
            return ol.grad(net.y * 2, [net.a])[0]

        inside = ol.cond(net.b.sum() > 0, branch, lambda: net.a * 0)
    check(net.run(inside)[0], [60.0, 96.0])
    check(net.run(net.grad(inside, [net.b]))[0], [12.0, 16.0])


def test_a_loop_body_may_not_ask_for_what_came_in_with_a_loop_variable() -> None:
    net = Net()
    with net.program:
        before = str(net.program)

        def body(i: Any, s: Any) -> Any:
            return i + 1, ol.grad(s * net.a, [net.a])[0]

        start = [ol.zeros([], dtype="int64"), net.a * 1]
        before = str(net.program)
        with pytest.raises((ValueError, RuntimeError)) as caught:
            ol.while_loop(lambda i, s: i < 2, body, start)
        assert "[grad]" in str(caught.value)
        assert "outside" in str(caught.value)
        assert str(net.program) == before


def test_a_loop_body_may_differentiate_what_it_made() -> None:
    def function(a: Any, b: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            t = s.detach()
            t.stop_gradient = False
            g: Any = ol.grad((t * t * t).sum(), [t])[0]
            return i + 1, s - 0.1 * g

        return ol.while_loop(lambda i, s: i < 3, body, [ol.zeros([], dtype="int64"), a])[1]

    net = Net(function)
    expected = np.array([3.0, 4.0])
    for _ in range(3):
        expected = expected - 0.3 * expected**2
    check(net.run(net.y)[0], expected)


# --- append_backward.


def test_append_backward_answers_pairs_for_all_parameters_that_matter() -> None:
    w, v, unused, stopped = leaf([1.0, 2.0]), leaf([3.0, 4.0]), leaf([0.0]), leaf([1.0, 1.0])
    stopped.stop_gradient = True
    program = ol.Program()
    with program:
        loss = (w * v * stopped).sum()
        program.parameter(unused)
        pairs = ol.append_backward(loss)
    assert [p is t for (p, _), t in zip(pairs, [w, v], strict=True)] == [True, True]
    found = program.run(fetch=[g for _, g in pairs])
    check(found[0], [3.0, 4.0])
    check(found[1], [1.0, 2.0])
    assert w.grad is None


def test_append_backward_is_independent_at_each_call() -> None:
    w = leaf([1.0, 2.0])
    program = ol.Program()
    with program:
        loss = (w * w).sum()
        ((_, first),) = ol.append_backward(loss)
        ((_, second),) = ol.append_backward(loss, [w])
        ((_, third),) = ol.append_backward(loss, w)
        assert ol.append_backward(loss, [w], no_grad_set=[w]) == []
        assert ol.append_backward(loss, no_grad_set=w) == []
    for x in program.run(fetch=[first, second, third]):
        check(x, [2.0, 4.0])


def test_append_backward_of_inputs_and_values() -> None:
    net = Net()
    with net.program:
        pairs = ol.append_backward(net.y.sum(), [net.a, net.b])
    assert pairs[0][0] is net.a
    check(net.run(pairs[1][1])[0], [9.0, 16.0])


def test_append_backward_outside_of_with_points_to_backward() -> None:
    with pytest.raises(RuntimeError, match=r"loss\.backward\(\) fills \.grad"):
        ol.append_backward(leaf([1.0]).sum())


def test_gradients_are_ordinary_values_of_the_program() -> None:
    net = Net()
    ops = appended_ops(net.program, lambda: ol.grad(net.y.sum(), [net.a]))
    assert "multiply" in ops
    (da,) = net.grad(net.y, [net.a])
    with net.program:
        da.multiply_(2)  # writable, and nobody else's
        (again,) = ol.grad(net.y, [net.a])
    found = net.run([da, again])
    check(found[0], [60.0, 96.0])
    check(found[1], [30.0, 48.0])


def test_a_branch_not_taken_leaves_the_shape_that_a_gradient_reads() -> None:
    program = ol.Program()
    with program:
        x = program.input("x", [-1], "float64", stop_gradient=False)
        y = x * 2
        s = ol.cond(x.sum() > 0, lambda: (y * y).sum(), lambda: x.sum())
        (g,) = ol.grad(y.sum(), [y])
    for fed, expected in (([1.0, 2.0, 3.0], 56.0), ([-1.0, -2.0, 1.0], -2.0)):
        value, ones = program.run({"x": fed}, [s, g])
        check(value, expected)
        check(ones, [1.0, 1.0, 1.0])
