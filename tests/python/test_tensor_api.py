"""The Tensor type and the functions of the module that no registry entry declares."""

from __future__ import annotations

import array as python_array
import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oploom as ol

pytestmark = pytest.mark.asan

DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64"]


# --- Facts of a tensor ----------------------------------------------------------------------------


def test_facts() -> None:
    x = ol.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert x.shape == (2, 3)
    assert isinstance(x.shape, tuple)
    assert (x.ndim, x.size, x.nbytes, len(x)) == (2, 6, 24, 2)
    assert x.dtype is ol.float32
    assert x.stop_gradient
    assert not x.requires_grad
    assert x.is_leaf
    assert x.grad is None
    assert x.inplace_version == 0


def test_requires_grad_is_the_opposite_of_stop_gradient() -> None:
    x = ol.to_tensor([1.0])
    x.requires_grad = True
    assert not x.stop_gradient
    x.stop_gradient = True
    assert not x.requires_grad
    with pytest.raises(TypeError, match="must be True or False, not int"):
        x.stop_gradient = 1
    with pytest.raises(TypeError, match="cannot be deleted"):
        del x.stop_gradient


def test_name() -> None:
    x = ol.to_tensor([1.0])
    assert x.name == x.name
    x.name = "weights"
    assert x.name == "weights"
    with pytest.raises(TypeError, match="must be a str, not int"):
        x.name = 3  # type: ignore[assignment]
    with pytest.raises(ValueError, match="a text without NUL"):
        x.name = "a\0b"
    assert x.name == "weights"


def test_grad_can_be_set_and_cleared() -> None:
    x = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * x).sum().backward()
    gradient = x.grad
    assert gradient is not None
    assert gradient is x.grad
    assert gradient.tolist() == [2.0, 4.0]
    x.clear_grad()
    assert x.grad is None
    x.grad = ol.to_tensor([5.0, 6.0])
    assert x.grad.tolist() == [5.0, 6.0]
    del x.grad
    assert x.grad is None
    x.grad = None
    with pytest.raises(TypeError, match="must be a Tensor or None, not list"):
        x.grad = [1.0, 2.0]  # type: ignore[assignment]


def test_transposed() -> None:
    x = ol.arange(0, 6, 1).reshape(1, 2, 3)
    assert x.T.shape == (3, 2, 1)
    assert x.T[2, 1, 0].item() == 5


# --- Values to Python -----------------------------------------------------------------------------


def test_item_and_tolist() -> None:
    assert ol.to_tensor([[3]]).item() == 3
    assert isinstance(ol.to_tensor(3).item(), int)
    assert isinstance(ol.to_tensor(3.0).item(), float)
    assert ol.to_tensor(True).item() is True
    assert ol.to_tensor([[1, 2], [3, 4]]).T.tolist() == [[1, 3], [2, 4]]
    assert ol.to_tensor(7).tolist() == 7
    assert ol.zeros([2, 0]).tolist() == [[], []]
    with pytest.raises(ValueError, match=r"shape \[2\]"):
        ol.to_tensor([1, 2]).item()


def test_number_protocols() -> None:
    assert bool(ol.to_tensor([0.5]))
    assert not bool(ol.to_tensor(0))
    assert int(ol.to_tensor([2.75])) == 2
    assert float(ol.to_tensor(3)) == 3.0
    assert [10, 20, 30][ol.to_tensor(1)] == 20
    assert f"{ol.to_tensor(0.125):.2f}" == "0.12"
    assert f"{ol.to_tensor([1, 2])}" == repr(ol.to_tensor([1, 2]))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ol.to_tensor([1, 2]))
    with pytest.raises(TypeError, match="integer tensor"):
        [1][ol.to_tensor(0.0)]
    with pytest.raises(TypeError, match="no length"):
        len(ol.to_tensor(1))
    with pytest.raises(TypeError, match="cannot be iterated"):
        iter(ol.to_tensor(1))


def test_iteration_gives_views() -> None:
    x = ol.zeros([3, 2])
    for i, row in enumerate(x):
        row.fill_(float(i))
    assert x.tolist() == [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]


def test_hash_is_identity_and_comparisons_are_tensors() -> None:
    x, y = ol.to_tensor([1, 2]), ol.to_tensor([1, 3])
    assert len({x, y, x}) == 2
    assert (x == y).tolist() == [True, False]
    assert (x != 1).tolist() == [False, True]
    assert (x < y).dtype == "bool"
    assert (x < 2).tolist() == [True, False]
    assert (x == None) is False  # noqa: E711
    assert x != "text"
    assert x in [x]


def test_operators_with_numbers_on_either_side() -> None:
    x = ol.to_tensor([1.0, 4.0])
    assert (2 + x).tolist() == [3.0, 6.0]
    assert (2 - x).tolist() == [1.0, -2.0]
    assert (2 / x).tolist() == [2.0, 0.5]
    assert (2**x).tolist() == [2.0, 16.0]
    assert (x**2).tolist() == [1.0, 16.0]
    assert (-x).tolist() == [-1.0, -4.0]
    assert abs(-x).tolist() == [1.0, 4.0]
    assert (np.float64(2) * x).dtype is ol.float32
    assert (x * np.int64(2)).tolist() == [2.0, 8.0]
    assert (x @ x).item() == 17.0


def test_inplace_operators_keep_the_object() -> None:
    x = ol.to_tensor([1.0, 4.0])
    same = x
    x += 1
    x -= 2
    x *= 4
    x /= 2
    x **= 2
    assert x is same
    assert x.tolist() == [0.0, 36.0]
    assert x.inplace_version == 5


def test_loose_ints() -> None:
    x = ol.arange(0, 6, 1)
    assert x.reshape(2, 3).shape == (2, 3)
    assert x.reshape([2, -1]).shape == (2, 3)
    assert x.reshape((3, 2)).transpose(1, 0).shape == (2, 3)
    assert x.reshape(shape=[6]).shape == (6,)
    assert x.reshape(ol.to_tensor([3, 2])).shape == (3, 2)
    assert x.reshape(np.array([3, 2])).shape == (3, 2)


def test_repr() -> None:
    x = ol.to_tensor([[1.0, 2.5]], stop_gradient=False)
    assert repr(x) == "Tensor([[1.0, 2.5]], dtype=float32, stop_gradient=False)"
    assert repr(x * 2).endswith("stop_gradient=False, made_by=multiply)")
    assert repr(ol.to_tensor(3)) == "Tensor(3, dtype=int64, stop_gradient=True)"
    assert repr(ol.zeros([0, 2])).startswith("Tensor([], shape=[0, 2]")
    assert "..." in repr(ol.zeros([2000]))


# --- dtype objects --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(name: str) -> None:
    dtype = ol.dtype(name)
    assert dtype is ol.dtype(np.dtype(name))
    assert dtype is ol.dtype(getattr(np, "bool_" if name == "bool" else name))
    assert dtype == name
    assert dtype == np.dtype(name)
    assert dtype != "float16"
    assert repr(dtype) == f"oploom.{name}"
    assert str(dtype) == name
    assert dtype.itemsize == np.dtype(name).itemsize
    assert hash(dtype) == hash(name)
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert ol.zeros([1], dtype=dtype).dtype is dtype


def test_python_types_are_dtypes() -> None:
    assert ol.dtype(bool) is ol.bool_
    assert ol.dtype(int) is ol.int64
    assert ol.dtype(float) is ol.float32
    with pytest.raises(TypeError, match="complex64"):
        ol.dtype("complex64")
    with pytest.raises(TypeError, match=r"must be a dtype .*float64.*, not 'half'"):
        ol.zeros([1], dtype="half")


# --- to_tensor ------------------------------------------------------------------------------------


def test_to_tensor_of_lists() -> None:
    assert ol.to_tensor(True).dtype is ol.bool_
    assert ol.to_tensor(1).dtype is ol.int64
    assert ol.to_tensor(1.0).dtype is ol.float32
    assert ol.to_tensor([True, 2]).tolist() == [1, 2]
    assert ol.to_tensor([[1, 2.5], (3, True)]).tolist() == [[1.0, 2.5], [3.0, 1.0]]
    assert ol.to_tensor([]).shape == (0,)
    assert ol.to_tensor([[], []]).shape == (2, 0)
    assert ol.to_tensor([np.float64(1), 2]).dtype is ol.float32
    assert ol.to_tensor([np.arange(2), [3, 4]]).tolist() == [[0, 1], [3, 4]]
    assert ol.to_tensor([ol.to_tensor(1), ol.to_tensor([2])[0]]).tolist() == [1, 2]
    assert ol.to_tensor([1, 2], dtype="float64").dtype is ol.float64
    assert ol.to_tensor([1.9, -1.9], dtype=int).tolist() == [1, -1]
    assert not ol.to_tensor([1.0], stop_gradient=False).stop_gradient


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ([[1, 2], [3]], ValueError, r"ragged: data\[1\] has 1 items where 2 are expected"),
        ([[1, 2], 3], ValueError, r"ragged: data\[1\] is a int where a list of 2 items"),
        ([1, [2]], ValueError, r"ragged: data\[1\] is a list where a number is expected"),
        ([[1], ["a"]], TypeError, r"data\[1\]\[0\] is a str where a number is expected"),
        ([1, None], TypeError, r"data\[1\] is a NoneType"),
        ([2**63], ValueError, "does not fit 64 bits"),
        ("text", TypeError, "not str"),
        (b"bytes", TypeError, "not bytes"),
        (1j, TypeError, "not complex"),
        ({}, TypeError, "not dict"),
        (np.zeros(2, np.float16), TypeError, "elements of dtype float16 are not supported"),
        (np.zeros(2, np.complex128), TypeError, "complex128"),
        (np.array(["a"]), TypeError, "<U1"),
        (np.array([0], "datetime64[s]"), TypeError, "datetime64"),
    ],
)
def test_to_tensor_refuses(data: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        ol.to_tensor(data)


def test_to_tensor_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"data\[1\]\[0\] = 300 does not fit uint8"):
        ol.to_tensor([[1, 2], [300, 4]], dtype="uint8")
    with pytest.raises(ValueError, match="does not fit int32"):
        ol.to_tensor(2.0**31, dtype="int32")
    with pytest.raises(ValueError, match="nan does not fit int64"):
        ol.to_tensor(math.nan, dtype="int64")
    deep: list[Any] = []
    deep.append(deep)
    with pytest.raises(ValueError, match="deeper than 8"):
        ol.to_tensor(deep)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["<", ">", "="])
def test_to_tensor_of_arrays(dtype: str, order: str) -> None:
    base = np.arange(60).reshape(3, 4, 5).astype(np.dtype(dtype).newbyteorder(order))
    for data in (base, base[::-1, ::2, 1:], base.T, base[1], base[:, :0], base[1, 2, 3]):
        x = ol.to_tensor(data)
        assert x.dtype == dtype
        assert x.shape == data.shape
        np.testing.assert_array_equal(x.numpy(), data)
    x = ol.to_tensor(base, dtype="float64")
    np.testing.assert_array_equal(x.numpy(), base.astype("float64"))


def test_to_tensor_copies() -> None:
    data = np.zeros(3)
    x = ol.to_tensor(data)
    data[0] = 1
    assert x.tolist() == [0.0, 0.0, 0.0]
    y = ol.to_tensor(x)
    y.fill_(2.0)
    assert x.tolist() == [0.0, 0.0, 0.0]
    read_only = np.arange(3)
    read_only.flags.writeable = False
    ol.to_tensor(read_only).fill_(1)


def test_to_tensor_of_other_things_with_memory() -> None:
    assert ol.to_tensor(python_array.array("d", [1.5, 2.5])).dtype is ol.float64
    assert ol.to_tensor(memoryview(b"ab")).tolist() == [97, 98]
    assert ol.to_tensor(np.float32(1.5)).dtype is ol.float32
    assert ol.to_tensor(np.bool_(True)).dtype is ol.bool_
    assert ol.to_tensor(np.int16([1, 2]), dtype="int32").tolist() == [1, 2]

    class HasArray:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.arange(3.0)

    assert ol.to_tensor(HasArray()).tolist() == [0.0, 1.0, 2.0]


# --- Memory that is shared ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_shares_and_is_read_only(dtype: str) -> None:
    x = ol.to_tensor(np.arange(6).reshape(2, 3), dtype=dtype)
    shown = x.numpy()
    assert shown.dtype == dtype
    assert not shown.flags.writeable
    x.fill_(1)
    np.testing.assert_array_equal(shown, np.ones((2, 3), dtype))
    assert x.T.numpy().strides == shown.T.strides
    copied = x.numpy(copy=True)
    assert copied.flags.writeable
    copied[0, 0] = 0
    assert x.tolist()[0][0] == 1


def test_numpy_outlives_the_tensor() -> None:
    shown = ol.to_tensor(np.arange(1000.0)).numpy()
    others = [ol.zeros([1000]) for _ in range(20)]
    assert shown.sum() == 499500
    assert len(others) == 20


def test_numpy_of_memory_that_the_tensor_gave_up() -> None:
    x = ol.to_tensor(np.arange(1000.0))
    shown = x.numpy()
    x.cast_("float32")
    others = [ol.zeros([1000], dtype="float64") for _ in range(20)]
    assert shown.sum() == 499500
    assert len(others) == 20


def test_writable_numpy_counts_as_a_write() -> None:
    x = ol.to_tensor([1.0, 2.0])
    shown = x.numpy(writable=True)
    assert x.inplace_version == 1
    shown[0] = 5
    assert x.tolist() == [5.0, 2.0]


def test_array_protocols() -> None:
    x = ol.to_tensor([[1.0, 2.0]])
    assert np.asarray(x).base is not None
    assert np.array(x).flags.writeable
    assert np.asarray(x, dtype="float64").dtype == "float64"
    assert x.__array__(np.dtype("int64")).tolist() == [[1, 2]]
    assert memoryview(x).readonly
    assert memoryview(x).shape == (1, 2)
    np.testing.assert_allclose(x, [[1.0, 2.0]])
    with pytest.raises(TypeError, match="to_tensor"):
        np.ones(2) + x
    with pytest.raises(BufferError):
        np.frombuffer(ol.zeros([2, 3]).T)
    x.cast_("float64")  # not refused for the memory that was shown


def test_dlpack_with_numpy() -> None:
    x = ol.to_tensor(np.arange(6.0).reshape(2, 3))
    shown = np.from_dlpack(x)
    assert not shown.flags.writeable
    assert x.inplace_version == 0
    x.fill_(1.0)
    assert shown.sum() == 6
    data = np.arange(6.0).reshape(2, 3)
    y = ol.from_dlpack(data)
    y.fill_(2.0)
    assert data.sum() == 12
    assert ol.from_dlpack(data[:, 1:]).shape == (2, 2)
    with pytest.raises(ValueError, match="negative strides"):
        ol.from_dlpack(data[::-1])
    with pytest.raises(TypeError, match="not supported"):
        ol.from_dlpack(np.zeros(2, np.float16))


def test_read_only_memory_is_not_written() -> None:
    data = np.arange(3.0)
    data.flags.writeable = False
    x = ol.from_dlpack(data)
    with pytest.raises(ValueError, match="read-only"):
        x.fill_(1.0)
    with pytest.raises(ValueError, match="read-only"):
        x.numpy(writable=True)
    y = ol.from_dlpack(ol.to_tensor([1.0]))
    with pytest.raises(ValueError, match="read-only"):
        y.fill_(1.0)


def test_dlpack_capsules() -> None:
    x = ol.to_tensor([1.0, 2.0])
    assert x.__dlpack_device__() == (1, 0)
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 1)))
    assert x.inplace_version == 0
    y = ol.from_dlpack(x.__dlpack__(max_version=(1, 0), writable=True))
    assert x.inplace_version == 1
    y.fill_(3.0)
    assert x.tolist() == [3.0, 3.0]
    z = ol.from_dlpack(x.__dlpack__(max_version=(1, 0), copy=True))
    z.fill_(4.0)
    assert x.tolist() == [3.0, 3.0]
    fresh = ol.to_tensor([1.0])
    fresh.__dlpack__()
    assert fresh.inplace_version == 1, "a capsule of the old form cannot say that it is read-only"
    capsule = x.__dlpack__(max_version=(1, 0))
    ol.from_dlpack(capsule)
    with pytest.raises(ValueError, match="fresh DLPack capsule"):
        ol.from_dlpack(capsule)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))


# --- Copies ---------------------------------------------------------------------------------------


def test_pickle_and_copy() -> None:
    x = ol.to_tensor([[1.0, 2.0]], stop_gradient=False)
    x.name = "weights"
    x.note = "kept"
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert other is not x
        assert other.tolist() == x.tolist()
        assert other.dtype is x.dtype
        assert not other.stop_gradient
        assert other.is_leaf
        assert other.name == "weights"
        assert other.note == "kept"
    (x * x).sum().backward()
    assert copy.deepcopy(x).grad.tolist() == [[2.0, 4.0]]
    with pytest.raises(RuntimeError, match="detach"):
        copy.deepcopy(x * 2)
    assert pickle.loads(pickle.dumps(x * 2)).tolist() == [[2.0, 4.0]]


# --- Gradients ------------------------------------------------------------------------------------


def test_grad_function() -> None:
    x = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    y = ol.to_tensor([3.0], stop_gradient=False)
    (gradient,) = ol.grad((x * x).sum(), x)
    assert gradient.tolist() == [2.0, 4.0]
    assert x.grad is None
    assert ol.grad([x * 2], [x, y])[1] is None
    (seeded,) = ol.grad([x * 2], [x], grad_outputs=[ol.to_tensor([1.0, 10.0])])
    assert seeded.tolist() == [2.0, 20.0]
    (first,) = ol.grad((x**3).sum(), x, create_graph=True)
    (second,) = ol.grad(first.sum(), x)
    assert second.tolist() == [6.0, 12.0]
    middle = x * 2
    (through,) = ol.grad((middle + x).sum(), x, no_grad_vars=middle)
    assert through.tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="'inputs' must be a list or tuple of Tensors, not float"):
        ol.grad(x.sum(), 1.0)  # type: ignore[arg-type]


def test_backward_arguments() -> None:
    x = ol.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x * 2
    y.backward(ol.to_tensor([1.0, 3.0]), retain_graph=True)
    y.backward(grad=ol.to_tensor([1.0, 3.0]))
    assert x.grad is not None
    assert x.grad.tolist() == [4.0, 12.0]
    with pytest.raises(RuntimeError, match="retain_graph"):
        y.backward()


def test_retain_grad_and_detach() -> None:
    x = ol.to_tensor([1.0], stop_gradient=False)
    y = x * 2
    y.retain_grad()
    z = y.detach()
    assert z.stop_gradient
    (y * 3).backward()
    assert y.grad is not None
    assert y.grad.tolist() == [3.0]
    w = x * 2
    assert w.detach_() is w
    assert w.is_leaf
    assert w.stop_gradient


def test_no_grad() -> None:
    x = ol.to_tensor([1.0], stop_gradient=False)
    mode = ol.no_grad()
    with mode:
        assert not ol.is_grad_enabled()
        assert (x * 2).stop_gradient
        with ol.enable_grad():
            assert not (x * 2).stop_gradient
        with mode:
            pass
        assert not ol.is_grad_enabled()
    assert ol.is_grad_enabled()
    with pytest.raises(KeyError), ol.no_grad():
        raise KeyError
    assert ol.is_grad_enabled()


def test_no_grad_as_decorator() -> None:
    x = ol.to_tensor([1.0], stop_gradient=False)

    @ol.no_grad()
    def double(x: Any, *, factor: float = 2.0) -> Any:
        """Twice."""
        return x * factor

    assert double(x, factor=3.0).stop_gradient
    assert double.__name__ == "double"

    @ol.no_grad()
    def rows(n: int) -> Any:
        for _ in range(n):
            got = yield ol.is_grad_enabled()
            assert got is None
        return "end"

    steps = rows(2)
    assert next(steps) is False
    assert ol.is_grad_enabled()
    assert next(steps) is False
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value == "end"
    assert ol.is_grad_enabled()


def test_seed() -> None:
    ol.seed(7)
    first = ol.rand([5]).tolist()
    ol.seed(7)
    assert ol.rand([5]).tolist() == first
    assert ol.rand([5]).tolist() != first


# --- Traces ---------------------------------------------------------------------------------------


def test_trace(tmp_path: Path) -> None:
    x = ol.to_tensor([[1.0, 2.0]])
    with ol.trace() as calls:
        y = x + 1
        assert len(calls) == 1
        y.squeeze_(axis=0)
    z = x + 1
    assert z is not None
    assert [call.op for call in calls] == ["add", "squeeze_"]
    assert calls[0].inputs[0].shape == (1, 2)
    assert calls[0].inputs[0].dtype is ol.float32
    assert calls[0].outputs[0].shape == (1, 2)
    assert calls[1].inplace == (("x", "out"),)
    assert "axis" in calls[1].attributes
    assert calls[1].duration_ns >= 0
    assert "squeeze_" in str(calls)
    path = tmp_path / "trace.json"
    calls.save(path)
    events = json.loads(path.read_text())["traceEvents"]
    assert [event["name"] for event in events] == ["add", "squeeze_"]
    assert events[0]["ph"] == "X"


def test_traces_nest() -> None:
    x = ol.to_tensor([1.0])
    with ol.trace() as outer:
        x + 1
        with ol.trace() as inner:
            x * 2
        x - 1
    assert [call.op for call in inner] == ["multiply"]
    assert [call.op for call in outer] == ["add", "subtract"]


def test_version() -> None:
    assert ol.__version__.count(".") == 2
