"""A list of tensors that loops can fill and read."""

from __future__ import annotations

import operator
from typing import Any

from oploom import _oploom
from oploom._oploom import Tensor


class TensorArray:
    """A growing list of tensors of one dtype and rank, for loops of programs, and in eager mode.

    `write` stores the value of that moment, and `read` gives one of its own: later writes into a
    tensor never reach an entry, nor those into what was read. Negative positions count
    from the end.
    """

    def __init__(self) -> None:
        self._entries: list[Tensor] = []
        self._handle: Any = _oploom._array() if _oploom._recording() else None

    @classmethod
    def _of(cls, handle: Any) -> TensorArray:
        array = cls.__new__(cls)
        array._entries = []
        array._handle = handle
        return array

    def _recorded(self) -> Any:
        """The handle of an array of the program that is recorded."""
        if self._handle is None:
            raise ValueError(
                "[TensorArray] expected an array that was made while this program is recorded, got "
                "one that was made before; make it, and write its entries, inside `with` or inside "
                "the function that is recorded"
            )
        return self._handle

    def _is_recorded(self) -> bool:
        if _oploom._recording():
            self._recorded()
        elif self._handle is not None:
            raise TypeError(
                "[TensorArray] the array belongs to a program; its ops are recorded inside "
                "`with program:`"
            )
        return self._handle is not None

    def _copy(self) -> TensorArray:
        array = TensorArray()
        array._entries = list(self._entries)
        return array

    def _position(self, index: Any, limit: int, call: str) -> int:
        """Which entry is meant; negative positions count from the end."""
        try:
            at = operator.index(index)
        except TypeError:
            came = f"{index.dtype}{list(index.shape)}" if isinstance(index, Tensor) else repr(index)
            raise TypeError(f"[{call}] index: expected one whole number, got {came}") from None
        count = len(self._entries)
        if limit == 0:
            raise IndexError(f"[{call}] index: the array is empty, got {at}")
        if not -count <= at < limit:
            raise IndexError(
                f"[{call}] index: expected {-count} to {limit - 1} for an array of length {count}, "
                f"got {at}"
            )
        return at + count if at < 0 else at

    def write(self, index: Any, x: Any) -> None:
        """Stores a copy of x at index, which may be the length: then the array grows by one."""
        if self._is_recorded():
            _oploom._array_write(self._handle, index, x)
            return
        at = self._position(index, len(self._entries) + 1, "write")
        entry = x.clone() if isinstance(x, Tensor) else _oploom.to_tensor(x)
        for other in self._entries[:1]:
            _oploom._expect_joined("[write] x", other, entry)
        self._entries[at : at + 1] = [entry]

    def read(self, index: Any) -> Tensor:
        """A copy of the entry at index."""
        if self._is_recorded():
            return _oploom._array_read(self._handle, index)
        return self._entries[self._position(index, len(self._entries), "read")].clone()

    def stack(self) -> Tensor:
        """All entries, which must have one shape, along a new first axis."""
        if self._is_recorded():
            return _oploom._array_stack(self._handle)
        shape = self._entries[0].shape if self._entries else ()
        for x in self._entries:
            if x.shape != shape:
                raise ValueError(
                    "[stack] list: expected entries that agree in dtype and in the lengths "
                    f"{list(shape)}, got {x.dtype}{list(x.shape)}; reshape or "
                    "cast one of them"
                )
        return self._joined("stack", [x.unsqueeze(0) for x in self._entries])

    def concat(self) -> Tensor:
        """All entries, one after the other along their first axis."""
        if self._is_recorded():
            return _oploom._array_concat(self._handle)
        return self._joined("concat", self._entries)

    def _joined(self, call: str, parts: list[Tensor]) -> Tensor:
        if not parts:
            raise ValueError(f"[{call}] expected an array with entries, got an empty one")
        return _oploom.concat(parts, 0)

    def len(self) -> Tensor:
        """How many entries, as an int64 tensor or value of shape []."""
        if self._is_recorded():
            return _oploom._array_length(self._handle)
        return _oploom.to_tensor(len(self._entries))

    def __len__(self) -> int:
        if self._is_recorded():
            raise TypeError(
                "[len] how many entries an array of a program has is known when that runs; use "
                "array.len(), which is a value"
            )
        return len(self._entries)

    def __repr__(self) -> str:
        if self._handle is not None:
            return f"TensorArray({self._handle!r})"
        return f"TensorArray({len(self._entries)} entries)"
