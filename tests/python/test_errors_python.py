"""What Python is told when arguments are wrong, and which class each kind of error has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol

X = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def tensor() -> Any:
    return ol.to_tensor(X)


# --- Counting and naming arguments ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: ol.add(x), r"add\(\) missing required argument 'y'"),
        (lambda x: ol.add(), r"add\(\) missing required argument 'x'"),
        (lambda x: ol.add(y=x), r"add\(\) missing required argument 'x'"),
        (lambda x: x.add(), r"add\(\) missing required argument 'y'"),
        (lambda x: ol.add(x, x, x), r"add\(\) takes at most 2 arguments \(3 given\)"),
        (lambda x: x.add(x, x), r"add\(\) takes at most 1 argument \(2 given\)"),
        (lambda x: x.tanh_(1), r"tanh_\(\) takes at most 0 arguments \(1 given\)"),
        (lambda x: ol.add(x, x, y=x), r"takes at most 2 arguments|multiple values"),
        (lambda x: ol.add(x, x=x), r"add\(\) got multiple values for argument 'x'"),
        (lambda x: x.add(x, x=x), r"add\(\) got multiple values for argument 'x'"),
        (
            lambda x: ol.sum(x, axes=1),
            r"sum\(\) got an unexpected keyword argument 'axes' \(did you mean 'axis'\?\)",
        ),
        (
            lambda x: ol.squeeze_(x, something=1),
            r"squeeze_\(\) got an unexpected keyword argument 'something'$",
        ),
        (lambda x: ol.to_tensor(), r"to_tensor\(\) missing required argument 'data'"),
        (lambda x: x.backward(graph=1), r"backward\(\) got an unexpected keyword argument 'graph'"),
    ],
)
def test_binding(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(tensor())


def test_keywords_work_however_they_are_made() -> None:
    x = tensor()
    assert ol.add(y=1.0, x=x).tolist() == ol.add(x, 1.0).tolist()
    assert ol.add(x, **{"".join(["y"]): 1.0}).tolist() == ol.add(x, 1.0).tolist()
    assert x.sum(keepdim=True, axis=[1]).shape == (2, 1)
    assert x.sum(axis=None).shape == ()


def test_keyword_only() -> None:
    param, grad, velocity = (ol.to_tensor([1.0]) for _ in range(3))
    with pytest.raises(TypeError, match=r"takes at most 5 positional arguments \(6 given\)"):
        ol.momentum_(param, grad, velocity, 0.1, None, 0.9)
    with pytest.raises(TypeError, match="missing required argument 'mu'"):
        ol.momentum_(param, grad, velocity, 0.1)
    out = ol.momentum_(param, grad, velocity, 0.1, mu=0.9)
    assert out[0] is param
    assert out[1] is velocity
    assert out[2] is None


# --- Types of arguments ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda x: ol.tanh([1.0]),
            r"tanh\(\): argument 'x' must be a Tensor, not list; make a tensor of it with "
            r"oploom.to_tensor\(\)",
        ),
        (lambda x: ol.tanh(1.0), r"must be a Tensor, not float; make a tensor"),
        (lambda x: ol.tanh(None), r"must be a Tensor, not NoneType$"),
        (lambda x: ol.tanh_(np.ones(2)), r"'x' must be a Tensor, not numpy.ndarray; make a tensor"),
        (lambda x: ol.add(x, "a"), r"argument 'y' must be a Tensor or a number, not str$"),
        (
            lambda x: x * [1.0],
            r"multiply\(\): argument 'y' must be a Tensor or a number, not list; make",
        ),
        (lambda x: np.ones(3) + x, r"argument 'x' must be a Tensor or a number, not numpy.ndarray"),
        (lambda x: x + "a", r"unsupported operand type\(s\) for \+: '.*Tensor' and 'str'"),
        (lambda x: x + None, r"unsupported operand"),
        (lambda x: x + 1j, r"unsupported operand"),
        (
            lambda x: ol.sum(x, axis="a"),
            r"'axis' must be an int or a list of ints, not str",
        ),
        (lambda x: ol.sum(x, axis=1.0), r"must be an int or a list of ints, not float"),
        (lambda x: ol.sum(x, axis=[0, "a"]), r"must be an int or a list of ints, not str"),
        (lambda x: ol.sum(x, axis=True), r"must be an int or a list of ints, not bool"),
        (lambda x: ol.sum(x, keepdim=1), r"argument 'keepdim' must be True or False, not int"),
        (lambda x: ol.zeros([1], dtype="half"), r"argument 'dtype' must be a dtype .*not 'half'"),
        (lambda x: ol.zeros([1], dtype=3), r"argument 'dtype' must be a dtype .*not a int"),
        (lambda x: ol.elu(x, alpha="a"), r"argument 'alpha' must be a float, not str"),
        (lambda x: ol.elu(x, alpha=x), r"must be a float, not Tensor \(its value: .item\(\)"),
        (lambda x: ol.full([1], "a"), r"argument 'value' must be a number, not str"),
        (lambda x: ol.full([1], x), r"argument 'value' must be a number, not Tensor"),
        (lambda x: ol.concat(x), r"argument 'xs' must be a list or tuple of Tensors, not Tensor"),
        (lambda x: ol.concat([x, 1]), r"'xs' must be a list of Tensors; item 1 is a int"),
        (lambda x: ol.softmax(x, axis=None), r"argument 'axis' must be an int, not NoneType"),
        (lambda x: ol.slice(x, "a"), r"argument 'index' must be made of ints, slices"),
        (lambda x: ol.seed("a"), r"seed\(\): argument 'n' must be an int, not str"),
        (lambda x: x.register_hook(3), r"argument 'hook' must be callable, not int"),
    ],
)
def test_types(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(tensor())


def test_numpy_numbers_are_numbers() -> None:
    x = tensor()
    assert ol.add(x, np.float32(1)).dtype is ol.float32
    assert ol.sum(x, axis=np.int64(1), keepdim=np.bool_(True)).shape == (2, 1)
    assert ol.full([np.int32(2)], np.float64(0.5)).tolist() == [0.5, 0.5]
    assert ol.elu(x, alpha=np.float32(0.5)).shape == (2, 3)


def test_unknown_classes_may_bring_their_own_operator() -> None:
    class Other:
        def __radd__(self, x: Any) -> str:
            return "mine"

        def __eq__(self, x: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    assert tensor() + Other() == "mine"
    assert tensor() == Other()


# --- Classes of errors ----------------------------------------------------------------------------


def test_classes() -> None:
    x = tensor()
    with pytest.raises(ValueError, match="reshape"):
        x.reshape(5)
    with pytest.raises(IndexError):
        x[5]
    with pytest.raises(MemoryError):
        ol.zeros([2**40, 2**40])
    with pytest.raises(MemoryError):
        ol.zeros([2**46])
    with pytest.raises(NotImplementedError):
        ol.zeros([1] * 9)
    with pytest.raises(ValueError, match="64 bits"):
        x.reshape(2**70)
    assert issubclass(ol.errors.VersionError, RuntimeError)
    assert issubclass(ol.errors.InplaceError, ValueError)
    assert issubclass(ol.errors.LeafInplaceError, ol.errors.InplaceError)
    assert ol.errors.VersionError.__module__ == "oploom.errors"


def test_version_error_names_the_line_of_the_write() -> None:
    x = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x * 2
    z = y.exp()
    z.add_(1.0)  # the write
    with pytest.raises(ol.errors.VersionError) as error:
        z.sum().backward()
    source = Path(__file__).read_text().split("\n")
    line = 1 + next(i for i, text in enumerate(source) if text.endswith("# the write"))
    assert f"{__file__}:{line}" in str(error.value)
    assert "add_" in str(error.value)


def test_a_refused_call_changes_nothing() -> None:
    w = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises(ol.errors.LeafInplaceError, match="Leaf Tensor"):
        w += 1.0
    assert w.tolist() == [1.0, 2.0]
    assert w.inplace_version == 0


def test_exceptions_of_hooks_pass_unchanged() -> None:
    x = ol.to_tensor([1.0], stop_gradient=False)
    y = x * 2

    class OwnError(Exception):
        pass

    own = OwnError("from the hook")

    def hook(gradient: Any) -> None:
        raise own

    y.register_hook(hook)
    with pytest.raises(OwnError) as caught:
        (y * 3).backward()
    assert caught.value is own
    assert "hook" in [entry.name for entry in caught.traceback]
    assert x.grad is None
    z = x * 2
    z.register_hook(interrupt)
    with pytest.raises(KeyboardInterrupt):
        z.backward()


def interrupt(gradient: Any) -> None:
    raise KeyboardInterrupt


def test_hooks_that_return_nonsense() -> None:
    x = ol.to_tensor([1.0], stop_gradient=False)
    y = x * 2
    y.register_hook(lambda g: 3.0)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="must return a Tensor or None, not float"):
        y.backward()
    z = x * 2
    z.register_hook(lambda g: ol.zeros([2]))
    with pytest.raises(ValueError, match="hook"):
        z.backward()
