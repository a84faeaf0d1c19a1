"""What lengths of -1 leave open while recording is tested in the run, by eager mode's rules."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol

Program = tuple[ol.Program, list[Any]]
FORMS = ["recorded", "clean_up", "functionalize", "apply_inplace", "prune", "loaded"]


def open_program(
    function: Callable[..., Any], **inputs: tuple[list[int], str]
) -> tuple[ol.Program, list[Any]]:
    program = ol.Program()
    with program:
        made = function(
            *(
                program.input(name, shape, dtype, stop_gradient=dtype[0] != "f")
                for name, (shape, dtype) in inputs.items()
            )
        )
    return program, list(made) if isinstance(made, tuple | list) else [made]


def in_form(form: str, program: ol.Program, fetch: list[Any], folder: Path) -> Program:
    if form in ("apply_inplace", "prune"):
        getattr(program, form)(fetch)
    elif form == "loaded":
        names = [value.name for value in fetch]
        program.save(folder / "net.yaml")
        program = ol.Program.load(folder / "net.yaml")
        return program, names
    elif form != "recorded":
        getattr(program, form)()
    return program, fetch


# --- squeeze.


SQUEEZED: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda x: x.squeeze(-1),
    "in place": lambda x: (x * 1).squeeze_(-1),
    "read": lambda x: x.squeeze(-1).sum(axis=0),
    "in a branch": lambda x: ol.cond(x.sum() > -9, lambda: x.squeeze(-1), lambda: x[:, 0]),
    "in a loop": lambda x: ol.while_loop(
        lambda i, s: i < 2, lambda i, s: (i + 1, s + x.squeeze(1)), [0, x[:, 0]]
    )[1],
    "its gradient": lambda x: ol.grad((x.squeeze(-1) ** 2).sum(), [x])[0],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SQUEEZED)
def test_squeeze_of_an_open_axis_promises_the_length_1(
    name: str, form: str, tmp_path: Path
) -> None:
    program, fetch = open_program(SQUEEZED[name], x=([3, -1], "float64"))
    program, fetch = in_form(form, program, fetch, tmp_path)
    data = np.arange(3.0).reshape(3, 1)
    x = ol.to_tensor(data, stop_gradient=False)
    (found,) = program.run({"x": data}, fetch)
    assert found.tolist() == SQUEEZED[name](x).tolist()
    with pytest.raises(ValueError, match=r"^\[squeeze\] axis: .*\[1\] of shape \[3, 2\]"):
        program.run({"x": np.ones((3, 2))}, fetch)


def test_squeeze_keeps_known_axes_that_are_longer() -> None:
    program, fetch = open_program(lambda x: x.squeeze([0, 1]), x=([3, -1], "float64"))
    assert fetch[0].shape == (3,)
    assert program.run({"x": np.ones((3, 1))}, fetch)[0].shape == (3,)


# --- Seeds.


def seeded(x: Any, s: Any) -> list[Any]:
    return [
        *ol.grad(x * x, [x], s),
        *ol.grad(x, [x], s),
        *ol.grad(ol.cond(x.sum() > 0, lambda: x * 2, lambda: x), [x], s),
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("of_x", "of_s"), [([3], [-1]), ([-1], [3]), ([-1], [-1])])
def test_a_seed_of_another_shape_than_its_output_is_refused(
    of_x: list[int], of_s: list[int], form: str, tmp_path: Path
) -> None:
    program, fetch = open_program(seeded, x=(of_x, "float64"), s=(of_s, "float64"))
    program, fetch = in_form(form, program, fetch, tmp_path)
    x, s = np.array([1.0, 2.0, 3.0]), np.array([1.0, 10.0, 100.0])
    found = program.run({"x": x, "s": s}, fetch)
    assert [g.tolist() for g in found] == [(2 * x * s).tolist(), s.tolist(), (2 * s).tolist()]
    feeds = []
    if of_s == [-1]:
        feeds += [{"x": x, "s": s[:1]}, {"x": x, "s": s[:2]}]
    if of_x == [-1]:
        feeds += [{"x": x[:1], "s": s}]
    for feed in feeds:
        for g in fetch:
            with pytest.raises(ValueError, match=r"^\[grad\] grad_outputs\[0\]: "):
                program.run(feed, [g])


def test_the_seed_of_a_tested_seed_is_differentiable() -> None:
    """Gradients of second order with respect to the seed: d(2 x s)/ds = 2 x."""
    program, fetch = open_program(
        lambda x, s: ol.grad(ol.grad(x * x, [x], s)[0].sum(), [s, x]),
        x=([-1], "float64"),
        s=([-1], "float64"),
    )
    feed = {"x": [1.0, 2.0], "s": [3.0, 5.0]}
    assert [g.tolist() for g in program.run(feed, fetch)] == [[2.0, 4.0], [6.0, 10.0]]


# --- Writes.


WRITES: dict[str, tuple[Callable[[Any, Any], Any], str, str]] = {
    "add to float32": (lambda t, y: t.add_(y), "float32", "float64"),
    "add": (lambda t, y: t.add_(y), "float64", "float64"),
    "multiply": (lambda t, y: t.multiply_(y), "int32", "int64"),
    "maximum": (lambda t, y: ol.maximum_(t, y), "float32", "float64"),
    "compare": (lambda t, y: t.less_than_(y), "float64", "float64"),
    "compare others": (lambda t, y: t.equal_(y), "int32", "float64"),
    "logic": (lambda t, y: t.logical_and_(y), "bool", "bool"),
    "copy": (lambda t, y: t.copy_(y), "float32", "float64"),
    "copy alike": (lambda t, y: t.copy_(y), "float64", "float64"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_would_enlarge_its_target_is_refused(
    name: str, form: str, tmp_path: Path
) -> None:
    write, of_x, of_y = WRITES[name]

    def written(x: Any, y: Any) -> Any:
        t = x.clone()
        write(t, y)
        return t

    program, fetch = open_program(written, x=([-1], of_x), y=([-1], of_y))
    program, fetch = in_form(form, program, fetch, tmp_path)
    x, y = np.array([1, 0, 1]).astype(of_x), np.array([2, 1, 1]).astype(of_y)
    for y_fed in (y, y[:1]):
        (found,) = program.run({"x": x, "y": y_fed}, fetch)
        wanted = written(ol.to_tensor(x), ol.to_tensor(y_fed))
        assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
    operation = {"multiply": "multiply_", "add to float32": "add_"}.get(name, "_")
    with pytest.raises(ValueError, match=rf"^\[\w*{operation}\] x: the result has shape \[3\]"):
        program.run({"x": x[:1], "y": y}, fetch)


def test_a_write_through_a_view_and_its_gradient_are_tested() -> None:
    def written(x: Any, y: Any) -> list[Any]:
        base = x * 1
        base[1:].add_(y)
        return [base, *ol.grad(base.sum(), [x, y])]

    program, fetch = open_program(written, x=([-1], "float32"), y=([-1], "float64"))
    found = program.run({"x": np.ones(3, "float32"), "y": np.ones(1)}, fetch)
    assert [r.tolist() for r in found] == [[1.0, 2.0, 2.0], [1.0, 1.0, 1.0], [2.0]]
    for value in (fetch[0], fetch[2]):
        with pytest.raises(ValueError, match=r"^\[add_\] x: the result has shape \[3\]"):
            program.run({"x": np.ones(2, "float32"), "y": np.ones(3)}, [value])


def test_a_write_that_would_enlarge_a_parameter_leaves_it() -> None:
    w = ol.ones([1])
    program, _ = open_program(lambda y: [w.add_(y)], y=([-1], "float64"))
    with pytest.raises(ValueError, match=r"^\[add_\] x: "):
        program.run({"y": np.ones(3)})
    assert w.tolist() == [1.0]
    program.run({"y": np.ones(1)})
    assert w.tolist() == [2.0]


def test_a_broken_test_in_a_file_is_refused(tmp_path: Path) -> None:
    program, _ = open_program(read, x=([-1, -1], "float64"), m=([-1], "bool"))
    program.save(tmp_path / "net.yaml")
    text = (tmp_path / "net.yaml").read_text()
    attributes = 'shape: [-1, -1], axis: 0, kind: "mask"'
    for broken, message in (
        (attributes.replace("mask", "glove"), r"\[fitted\] kind: .*glove"),
        (attributes.replace("axis: 0", "axis: 2"), r"\[fitted\] shape: expected 1 lengths"),
        (attributes.replace("axis: 0", "axis: -1"), r"\[fitted\] shape: expected 1 lengths"),
    ):
        assert attributes in text
        (tmp_path / "net.yaml").write_text(text.replace(attributes, broken))
        with pytest.raises(ValueError, match=message):
            ol.Program.load(tmp_path / "net.yaml")


def test_where_all_lengths_are_known_nothing_is_tested() -> None:
    def known(x: Any, y: Any, m: Any) -> list[Any]:
        t = x.clone()
        t.add_(y)
        return [t, x[m], *ol.grad(y * y, [y], y)]

    program, _ = open_program(known, x=([3], "float32"), y=([3], "float64"), m=([3], "bool"))
    assert "fitted" not in str(program)
    program, _ = open_program(lambda x: x.clone().less_than_(0.5), x=([-1], "float32"))
    assert "fitted" not in str(program)


# --- copy_.


@pytest.mark.parametrize(
    ("to", "of"),
    [("float32", "float64"), ("float64", "float32"), ("uint8", "int64"), ("float64", "int32")],
)
def test_copy_casts_as_in_eager_mode(to: str, of: str) -> None:
    def copied(x: Any, y: Any) -> list[Any]:
        t = x * 1
        t[1:].copy_(y)
        inputs = [v for v in (x, y) if not v.stop_gradient]
        return [t, *ol.grad(t.sum() if inputs else t, inputs)] if inputs else [t]

    x, y = np.arange(3).astype(to), (np.array([300.7, 2.1])).astype(of)
    program, fetch = open_program(copied, x=([3], to), y=([2], of))
    leaves = [ol.to_tensor(v, stop_gradient=v.dtype.kind != "f") for v in (x, y)]
    for found, wanted in zip(program.run({"x": x, "y": y}, fetch), copied(*leaves), strict=True):
        assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())


@pytest.mark.parametrize("value", [2.5, np.ones(2), np.ones(2, "float32")], ids=str)
def test_copy_of_what_does_not_fit_is_refused_as_in_eager_mode(value: Any) -> None:
    given = value if isinstance(value, float) else ol.to_tensor(value)
    messages = []
    with pytest.raises(TypeError) as eager:
        ol.ones([2], dtype="int64").copy_(given)
    messages.append(str(eager.value))
    with ol.Program() as program, pytest.raises(TypeError) as recorded:
        program.input("x", [2], "int64").clone().copy_(given)
    messages.append(str(recorded.value))
    assert messages[0] == messages[1]


# --- Masks.


def read(x: Any, m: Any) -> Any:
    return x[m]


def write(x: Any, m: Any) -> Any:
    t = x * 1
    t[m] = 3.0
    return t


def augment(x: Any, m: Any) -> Any:
    t = x * 1
    t[m] *= 2.0
    return t


def write_read(x: Any, m: Any) -> Any:
    t = x * 1
    t[m] = x[m] * 2
    return t


def gradient(x: Any, m: Any) -> Any:
    return ol.grad(x[m].sum(), [x])[0]


def behind_an_axis(x: Any, m: Any) -> Any:
    return x.unsqueeze(0)[:, m]


MASKS: list[tuple[tuple[int, ...], list[Any]]] = [
    ((2,), [True]),
    ((2,), [True, False, False]),
    ((2,), [True] * 3),
    ((2,), []),
    ((2,), [True, False]),
    ((2, 2), [[True], [False]]),
    ((2, 2), [[True, False]]),
    ((2, 2), [True, False]),
    ((2, 3), [True] * 3),
    ((1,), [True] * 3),
]


@pytest.mark.parametrize("form", ["recorded", "clean_up", "apply_inplace", "loaded"])
@pytest.mark.parametrize("function", [read, write, augment, write_read, gradient, behind_an_axis])
@pytest.mark.parametrize(("shape", "mask"), MASKS, ids=str)
def test_a_mask_fits_or_is_refused_as_in_eager_mode(
    shape: tuple[int, ...], mask: list[Any], function: Any, form: str, tmp_path: Path
) -> None:
    x, m = np.arange(1.0, 1 + np.prod(shape)).reshape(shape), np.array(mask, "bool")
    wanted: Any = None
    with contextlib.suppress(IndexError):
        wanted = function(ol.to_tensor(x, stop_gradient=False), ol.to_tensor(m)).tolist()
    assert (wanted is None) == (m.shape != x.shape[: m.ndim])
    opened = ([-1] * x.ndim, [-1] * m.ndim)
    for of_x, of_m in ((list(shape), opened[1]), (opened[0], list(m.shape)), opened):
        program, fetch = open_program(function, x=(of_x, "float64"), m=(of_m, "bool"))
        program, fetch = in_form(form, program, fetch, tmp_path)
        if wanted is not None:
            assert program.run({"x": x, "m": m}, fetch)[0].tolist() == wanted
            continue
        with pytest.raises(IndexError, match=r"a mask of shape .* does not fit the axes from "):
            program.run({"x": x, "m": m}, fetch)


# --- Views that expand made.


@pytest.mark.parametrize(
    ("shape", "to"),
    [([-1], [3]), ([-1], [2, -1]), ([-1, 1], [-1, 3]), ([-1, 2], [3, 2]), ([-1], [1, 3])],
)
def test_a_view_that_may_have_been_enlarged_is_not_written(shape: list[int], to: list[int]) -> None:
    with ol.Program() as program:
        base = program.input("x", shape, "float64") * 1
        view = base.expand(to)
        for target in (view, view[0:2], view.detach(), view.T):
            with pytest.raises(ValueError, match=r"expand.*clone\(\)"):
                target.add_(1.0)
        copy = view.clone()
        copy.add_(1.0)
        base.add_(1.0)
        read = view * 1
    data = np.ones([1 if n < 0 else n for n in shape])
    lengths = [d if t < 0 else t for d, t in zip((1, *data.shape)[-len(to) :], to, strict=True)]
    wanted = np.broadcast_to(data + 1, lengths).tolist()
    assert [r.tolist() for r in program.run({"x": data}, [copy, read])] == [wanted, wanted]


@pytest.mark.parametrize("to", [[-1], [1, -1], [-1, -1], [1, 1, -1]])
def test_a_view_that_expand_did_not_enlarge_is_written(to: list[int]) -> None:
    def written(x: Any) -> list[Any]:
        base = x * 1
        base.expand([*to[:-1], -1] if len(to) < 3 else to).add_(1.0)
        return [base]

    shape = [-1, -1] if to == [-1, -1] else [-1]
    program, fetch = open_program(written, x=(shape, "float64"))
    data = np.ones([3] * len(shape))
    assert program.run({"x": data}, fetch)[0].tolist() == (data + 1).tolist()


# --- Names in errors.


def test_errors_of_an_array_name_its_methods() -> None:
    def joined(method: str) -> Callable[[Any, Any], Any]:
        def function(x: Any, y: Any) -> Any:
            array = ol.TensorArray()
            array.write(0, x)
            array.write(1, y)
            return getattr(array, method)()

        return function

    for method, rank in (("stack", 1), ("concat", 2)):
        x, y = np.ones([2] * rank), np.ones([3] * rank)
        program, fetch = open_program(
            joined(method), x=([-1] * rank, "float64"), y=([-1] * rank, "float64")
        )
        for run in (
            lambda p=program, f=fetch, a=x, b=y: p.run({"x": a, "y": b}, f),
            lambda m=method, a=x, b=y: joined(m)(ol.to_tensor(a), ol.to_tensor(b)),
        ):
            with pytest.raises(ValueError, match=rf"^\[{method}\] "):
                run()
