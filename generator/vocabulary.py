"""The closed lists of the registry's form: keys, types, functions (docs/registry.md)."""

from __future__ import annotations

import keyword
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


INPUT_CATEGORIES = ("bool", "integer", "float", "number")
ATTR_TYPES = (
    "bool", "int", "float", "str", "dtype", "scalar", "int[]", "axis", "axes", "shape", "index",
)  # fmt: skip
OPTIONAL_ATTR_TYPES = ("int", "float", "str", "dtype", "scalar", "int[]")
DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")

OP_KEYS = (
    "op", "doc", "inputs", "attrs", "outputs", "kernel", "composite", "check", "elementwise",
    "kernel_in_place", "strides", "inplace", "view", "write", "writes", "update", "random",
    "internal", "operator", "method", "aliases", "role", "backward", "backward_inplace",
)  # fmt: skip
INPUT_KEYS = ("type", "dtype", "grad", "reads", "as", "doc")
ATTR_KEYS = ("type", "of", "within", "default", "choices", "doc")
OUTPUT_KEYS = ("type", "shape", "dtype", "hidden", "grad", "doc")
BACKWARD_KINDS = ("custom", "zero", "none", "missing")

BINARY_OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
UNARY_OPERATORS = ("neg", "pos", "abs", "invert")


@dataclass(frozen=True)
class InferFunction:
    """A function of runtime/core/infer.h.

    args: tensor, tensors (a list input), tensor... (any number from here on), or an attribute's
    type; int takes axis, int[] takes axes and shape.
    """

    args: tuple[str, ...]
    refuses: bool = True  # whether it may raise once attributes are in normal form


# Shapes; the C++ function takes the op's name first.
SHAPE_FUNCTIONS = {
    "broadcast": InferFunction(("tensor", "tensor...")),
    "reduced": InferFunction(("tensor", "int[]", "bool")),
    "reshaped": InferFunction(("tensor", "int[]")),
    "squeezed": InferFunction(("tensor", "int[]"), refuses=False),
    "unsqueezed": InferFunction(("tensor", "int[]")),
    "transposed": InferFunction(("tensor", "int[]")),
    "expanded": InferFunction(("tensor", "int[]")),
    "sliced": InferFunction(("tensor", "index"), refuses=False),
    "matmul_shape": InferFunction(("tensor", "tensor", "bool", "bool")),
    "concat_shape": InferFunction(("tensors", "int")),
    "section_shape": InferFunction(("tensor", "int[]", "int", "int")),
    "set_in_section": InferFunction(("tensor", "tensor", "int[]", "int", "int")),
    "whole_of_section": InferFunction(("tensor", "int[]", "int[]", "int", "int")),
    "assigned": InferFunction(("tensor", "tensor", "index")),
    "scattered": InferFunction(("tensor", "tensor", "tensor")),
    "put": InferFunction(("tensor", "tensors", "tensor")),
    "selected": InferFunction(("tensor", "tensor", "int")),
    "taken": InferFunction(("tensor", "tensor", "int")),
    "indexed": InferFunction(("tensor", "tensors")),
    "cross_entropy_shape": InferFunction(("tensor", "tensor", "int", "str")),
}
DTYPE_FUNCTIONS = {
    "float_of": InferFunction(("tensor",)),
    "promoted": InferFunction(("tensor", "tensor...")),
    "float_promoted": InferFunction(("tensor", "tensor")),
    "summed": InferFunction(("tensor",)),
    "chosen": InferFunction(("dtype?", "dtype rule")),
}
# Dtypes that follow the inputs: a float input gives a float result.
FOLLOWING_DTYPES = ("float_of", "promoted", "float_promoted", "summed")

METADATA = ("shape", "dtype", "ndim", "numel", "size", "sizes")
QUESTIONS = ("present", "needs")

# Shapes that are the first argument's shape; and those that are an attribute's lengths.
KEEPS_FIRST_SHAPE = ("assigned", "scattered", "put", "set_in_section")
GIVES_ATTRIBUTE_SHAPE = ("reshaped", "expanded", "whole_of_section")
# Shapes whose rank hangs on lengths, by the axes that an attribute names.
RANK_BY_LENGTHS = ("squeezed",)
# Shapes where -1 in an attribute's lengths is the input's, which a length told at run time is not.
KEEPS_LENGTH_BY_MINUS_ONE = ("expanded",)

# Dtype joins of two tensors, each with the test of joined.h that spares a call of it.
QUICK_JOINS = {"promoted": "keeps", "float_promoted": "keeps_float"}

# Names that generated functions use themselves, and members of the runtime's nodes.
RESERVED_NAMES = _words(
    """
    trace target node out_shape options op call infer kernels roles rules text empty
    contiguous prepared recording let custom self cls
    """
)
NODE_NAMES = _words(
    """
    grad grad_slot take_grad reusable needs give give_list connected connect connect_list
    backward verify release edge destroy create_graph hooks target_id dispose
    """
)
CPP_KEYWORDS = _words(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class
    compl concept const const_cast consteval constexpr constinit continue co_await
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new
    noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename union
    unsigned using virtual void volatile wchar_t while xor xor_eq
    """
)
PYTHON_KEYWORDS = frozenset(keyword.kwlist)
