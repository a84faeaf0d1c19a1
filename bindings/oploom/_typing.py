"""The types that annotations of functions use. Of use to annotate one's own, too."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np

    from oploom._oploom import Tensor, dtype

Number: TypeAlias = bool | int | float
Operand: TypeAlias = Union["Tensor", Number]
IntsLike: TypeAlias = int | Sequence[int]
DTypeLike: TypeAlias = Union["dtype", str, type, "np.dtype[Any]"]
# Numbers, nested lists of numbers, arrays.
TensorLike: TypeAlias = Any
IndexItem: TypeAlias = Union[
    int, slice, EllipsisType, "Tensor", "np.ndarray[Any, Any]", Sequence[Any], None
]
IndexLike: TypeAlias = IndexItem | tuple[IndexItem, ...]
