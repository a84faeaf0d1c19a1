# Generated from ops.yaml by `make generate`. Do not edit.

from collections.abc import Sequence
from typing import Literal, Self, overload

from oploom._oploom import Tensor
from oploom._typing import DTypeLike, IndexLike, IntsLike, Number, Operand

__all__ = [
    "abs",
    "abs_",
    "add",
    "add_",
    "arange",
    "assign",
    "assign_",
    "cast",
    "cast_",
    "clip",
    "clip_",
    "clone",
    "concat",
    "copy_",
    "cos",
    "cos_",
    "cross_entropy",
    "divide",
    "divide_",
    "elu",
    "elu_",
    "equal",
    "equal_",
    "exp",
    "exp_",
    "expand",
    "fill",
    "fill_",
    "floor",
    "floor_",
    "full",
    "gather",
    "gaussian_inplace_",
    "greater_equal",
    "greater_equal_",
    "greater_than",
    "greater_than_",
    "index",
    "index_put",
    "index_put_",
    "index_select",
    "leaky_relu",
    "leaky_relu_",
    "less_equal",
    "less_equal_",
    "less_than",
    "less_than_",
    "log",
    "log_",
    "logical_and",
    "logical_and_",
    "logical_not",
    "logical_not_",
    "logical_or",
    "logical_or_",
    "logical_xor",
    "logical_xor_",
    "matmul",
    "max",
    "maximum",
    "maximum_",
    "mean",
    "minimum",
    "minimum_",
    "momentum_",
    "multiply",
    "multiply_",
    "negative",
    "negative_",
    "nonzero",
    "normal_",
    "not_equal",
    "not_equal_",
    "ones",
    "ones_like",
    "pow",
    "pow_",
    "rand",
    "randn",
    "relu",
    "relu_",
    "reshape",
    "reshape2",
    "reshape2_",
    "reshape_",
    "scale",
    "scale_",
    "scatter",
    "scatter_",
    "set_item",
    "set_item_",
    "sgd_",
    "sigmoid",
    "sigmoid_",
    "sign",
    "sign_",
    "sin",
    "sin_",
    "slice",
    "softmax",
    "softmax_",
    "split",
    "sqrt",
    "sqrt_",
    "square",
    "square_",
    "squeeze",
    "squeeze2",
    "squeeze2_",
    "squeeze_",
    "subtract",
    "subtract_",
    "sum",
    "tanh",
    "tanh_",
    "transpose",
    "transpose_",
    "uniform_",
    "uniform_inplace_",
    "unsqueeze",
    "unsqueeze2",
    "unsqueeze2_",
    "unsqueeze_",
    "where",
    "where_",
    "zero_",
    "zeros",
    "zeros_like",
]

def abs(x: Tensor) -> Tensor:
    """The absolute value of x. Its gradient at 0 is 0.

    Args:
        x: integer or float tensor.

    Returns:
        The shape and dtype of x.

    Backward keeps x; in place keeps a copy of x.
    """

def abs_(x: Tensor) -> Tensor:
    """abs() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def add(x: Operand, y: Operand) -> Tensor:
    """x + y. For bool operands, whether either holds.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype promoted(x, y).

    Backward keeps nothing.
    """

def add_(x: Tensor, y: Operand) -> Tensor:
    """add() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def arange(
    start: Number,
    end: Number | None = None,
    step: Number = 1,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """The numbers start, start + step, ... before end; with start alone, 0, 1, ... before
    start. int64 where all numbers are whole by type, else float32, unless a dtype is given.

    Args:
        start: number.
        end: number or None.
        step: number.
        dtype: dtype or None.

    Returns:
        Shape depends on the data, dtype [].

    No gradient: no inputs.
    """

def assign(x: Tensor) -> Tensor:
    """A copy of x.

    Args:
        x: tensor.

    Returns:
        The shape and dtype of x.

    Backward keeps nothing.
    """

def assign_(x: Tensor) -> Tensor:
    """assign() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def cast(x: Tensor, dtype: DTypeLike) -> Tensor:
    """x in another dtype. Floats become integers by cutting towards zero; bool is whether a
    number is nonzero.

    Args:
        x: tensor.
        dtype: dtype.

    Returns:
        Shape same(x), dtype dtype.

    Backward keeps nothing.
    """

def cast_(x: Tensor, dtype: DTypeLike) -> Tensor:
    """cast() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def clip(x: Tensor, min: Number, max: Number) -> Tensor:
    """x held between min and max; max where min exceeds it. For integers the bounds are cut
    towards zero. The gradient passes at the bounds.

    Args:
        x: integer or float tensor.
        min: number.
        max: number.

    Returns:
        The shape and dtype of x.

    Backward keeps x; in place keeps a copy of x.
    """

def clip_(x: Tensor, min: Number, max: Number) -> Tensor:
    """clip() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def clone(x: Tensor) -> Tensor:
    """A copy of x, contiguous, in memory of its own; gradients pass through it.

    Args:
        x: tensor.

    Returns:
        The shape and dtype of x.

    Backward keeps nothing.
    """

def concat(xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    """The tensors one behind the other along an axis, in their common dtype.

    Args:
        xs: list of tensors.
        axis: axis, may be negative.

    Returns:
        Shape concat_shape(xs, axis), dtype promoted(xs).

    Backward keeps the shape of xs.
    """

def copy_(x: Tensor, value: Operand) -> Tensor:
    """Writes value, broadcast, into x.

    Args:
        x: tensor.
        value: tensor or number.

    In place: writes x, whose shape and dtype category must hold the result. Returns what
    was passed.

    Backward keeps nothing.
    """

def cos(x: Tensor) -> Tensor:
    """The cosine of x, in radians.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps x; in place keeps a copy of x.
    """

def cos_(x: Tensor) -> Tensor:
    """cos() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def cross_entropy(
    x: Tensor,
    label: Tensor,
    axis: int = -1,
    ignore_index: int = -100,
    reduction: Literal['none', 'sum', 'mean'] = 'mean',
) -> Tensor:
    """The negative log-likelihood of integer labels under softmax of x along an axis. Labels
    equal to ignore_index count nothing; mean is over the others, and NaN where there are
    none.

    Args:
        x: float tensor, logits.
        label: integer tensor, x's shape without axis.
        axis: axis, may be negative.
        ignore_index: int.
        reduction: str; one of 'none', 'sum', 'mean'.

    Returns:
        Shape cross_entropy_shape(x, label, axis, reduction), dtype same(x).

    Backward keeps label, probabilities.
    """

def divide(x: Operand, y: Operand) -> Tensor:
    """x / y. Integers are divided as float32.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype float_promoted(x, y).

    Backward keeps x, y; in place keeps a copy of x, y.
    """

def divide_(x: Tensor, y: Operand) -> Tensor:
    """divide() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def elu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """x where positive, alpha * (exp(x) - 1) elsewhere.

    Args:
        x: tensor.
        alpha: float.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps x; in place keeps a copy of x or out, as attributes say.
    """

def elu_(x: Tensor, alpha: float = 1.0) -> Tensor:
    """elu() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def equal(x: Operand, y: Operand) -> Tensor:
    """Whether x equals y, element by element. NaN compares false.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def equal_(x: Tensor, y: Operand) -> Tensor:
    """equal() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def exp(x: Tensor) -> Tensor:
    """e to the power x.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps out.
    """

def exp_(x: Tensor) -> Tensor:
    """exp() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def expand(x: Tensor, shape: IntsLike) -> Tensor:
    """A view of x in a shape that it broadcasts to; -1 keeps a length of x. Elements that were
    enlarged share memory, so the view cannot be written in place.

    Args:
        x: tensor.
        shape: integers.

    Returns:
        Shape expanded(x, shape), dtype same(x).
        Shares storage with x.

    Backward keeps the shape of x.
    """

def fill(x: Tensor, value: Number = 0) -> Tensor:
    """A tensor like x whose elements all are value.

    Args:
        x: tensor.
        value: number.

    Returns:
        The shape and dtype of x.

    The gradient is zero: the elements of x are not read.
    """

def fill_(x: Tensor, value: Number = 0) -> Tensor:
    """fill() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def floor(x: Tensor) -> Tensor:
    """The largest whole number that is not above x.

    Args:
        x: integer or float tensor.

    Returns:
        The shape and dtype of x.

    The gradient is zero: constant between its jumps.
    """

def floor_(x: Tensor) -> Tensor:
    """floor() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def full(shape: IntsLike, value: Number, dtype: DTypeLike | None = None) -> Tensor:
    """A tensor of the given shape whose elements all are value, in the dtype that value has by
    itself (bool, int64, float32) unless another is given.

    Args:
        shape: integers.
        value: number.
        dtype: dtype or None.

    Returns:
        Shape shape, dtype chosen(dtype, dtype(value)).

    No gradient: no inputs.
    """

def gather(x: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    """The elements of x at the given positions of an axis; the result has index's axes in
    place of that axis.

    Args:
        x: tensor.
        index: integer tensor.
        axis: axis, may be negative.

    Returns:
        Shape taken(x, index, axis), dtype same(x).

    Backward keeps index, the shape of x.
    """

def gaussian_inplace_(x: Tensor, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Tensor:
    """Another name for normal_()."""

def greater_equal(x: Operand, y: Operand) -> Tensor:
    """Whether x is at least y, element by element. NaN compares false.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def greater_equal_(x: Tensor, y: Operand) -> Tensor:
    """greater_equal() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def greater_than(x: Operand, y: Operand) -> Tensor:
    """Whether x is above y, element by element. NaN compares false.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def greater_than_(x: Tensor, y: Operand) -> Tensor:
    """greater_than() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def index(x: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """x[i, j, ...] with integer tensors: the elements whose positions on the first axes are
    given by the indices, which broadcast together.

    Args:
        x: tensor.
        indices: integer list of tensors.

    Returns:
        Shape indexed(x, indices), dtype same(x).

    Backward keeps indices, the shape of x.
    """

def index_put(
    x: Tensor,
    indices: Sequence[Tensor],
    value: Operand,
    accumulate: bool = False,
) -> Tensor:
    """x with value, broadcast, where the integer tensors in indices point on the first axes.
    Of several values for one place the last wins; with accumulate all are added to what is
    there.

    Args:
        x: tensor.
        indices: integer list of tensors.
        value: tensor or number.
        accumulate: bool.

    Returns:
        Shape put(x, indices, value), dtype same(x).

    Backward keeps indices.
    """

def index_put_(
    x: Tensor,
    indices: Sequence[Tensor],
    value: Operand,
    accumulate: bool = False,
) -> Tensor:
    """index_put() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def index_select(x: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    """The elements of x at the positions of an axis that a 1-d index tensor names.

    Args:
        x: tensor.
        index: integer tensor.
        axis: axis, may be negative.

    Returns:
        Shape selected(x, index, axis), dtype same(x).

    Backward keeps index, the shape of x.
    """

def leaky_relu(x: Tensor, negative_slope: float = 0.02) -> Tensor:
    """x where positive, negative_slope * x elsewhere.

    Args:
        x: tensor.
        negative_slope: float.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps x; in place keeps a copy of x or out, as attributes say.
    """

def leaky_relu_(x: Tensor, negative_slope: float = 0.02) -> Tensor:
    """leaky_relu() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def less_equal(x: Operand, y: Operand) -> Tensor:
    """Whether x is at most y, element by element. NaN compares false.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def less_equal_(x: Tensor, y: Operand) -> Tensor:
    """less_equal() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def less_than(x: Operand, y: Operand) -> Tensor:
    """Whether x is below y, element by element. NaN compares false.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def less_than_(x: Tensor, y: Operand) -> Tensor:
    """less_than() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def log(x: Tensor) -> Tensor:
    """The natural logarithm of x; -inf at 0 and NaN below.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps x; in place keeps a copy of x.
    """

def log_(x: Tensor) -> Tensor:
    """log() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def logical_and(x: Operand, y: Operand) -> Tensor:
    """Whether x and y both are nonzero.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def logical_and_(x: Tensor, y: Operand) -> Tensor:
    """logical_and() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def logical_not(x: Tensor) -> Tensor:
    """Whether x is zero.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype bool.

    No gradient: the result is bool.
    """

def logical_not_(x: Tensor) -> Tensor:
    """logical_not() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def logical_or(x: Operand, y: Operand) -> Tensor:
    """Whether x or y is nonzero.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def logical_or_(x: Tensor, y: Operand) -> Tensor:
    """logical_or() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def logical_xor(x: Operand, y: Operand) -> Tensor:
    """Whether just one of x and y is nonzero.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def logical_xor_(x: Tensor, y: Operand) -> Tensor:
    """logical_xor() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def matmul(x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False) -> Tensor:
    """The matrix product of x and y over their last two axes, after transposing these where
    asked. A 1-d x is a row and a 1-d y a column whose axis leaves the result; axes before
    the last two broadcast.

    Args:
        x: integer or float tensor.
        y: integer or float tensor.
        transpose_x: bool; no effect on a 1-d x.
        transpose_y: bool; no effect on a 1-d y.

    Returns:
        Shape matmul_shape(x, y, transpose_x, transpose_y), dtype promoted(x, y).

    Backward keeps x, y, the shape of x, y.
    """

def max(x: Tensor, axis: IntsLike = (), keepdim: bool = False) -> Tensor:
    """The largest element of x over the axes, over all of them where none is named; NaN where
    one is NaN. Equal largest elements share the gradient evenly.

    Args:
        x: tensor.
        axis: axis or axes, may be negative.
        keepdim: bool; whether reduced axes stay with length 1.

    Returns:
        Shape reduced(x, axis, keepdim), dtype same(x).

    Backward keeps x, out.
    """

def maximum(x: Operand, y: Operand) -> Tensor:
    """The larger of x and y; NaN where either is. Equal operands share the gradient evenly.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype promoted(x, y).

    Backward keeps x, y; in place keeps a copy of x, y.
    """

def maximum_(x: Tensor, y: Operand) -> Tensor:
    """maximum() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def mean(x: Tensor, axis: IntsLike = (), keepdim: bool = False) -> Tensor:
    """The mean of x over the axes, over all of them where none is named; of integers as
    float32, and NaN over no elements.

    Args:
        x: tensor.
        axis: axis or axes, may be negative.
        keepdim: bool; whether reduced axes stay with length 1.

    Returns:
        Shape reduced(x, axis, keepdim), dtype float_of(x).

    Backward keeps the shape of out, x.
    """

def minimum(x: Operand, y: Operand) -> Tensor:
    """The smaller of x and y; NaN where either is. Equal operands share the gradient evenly.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype promoted(x, y).

    Backward keeps x, y; in place keeps a copy of x, y.
    """

def minimum_(x: Tensor, y: Operand) -> Tensor:
    """minimum() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def momentum_(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    learning_rate: Operand,
    master_param: Tensor | None = None,
    *,
    mu: float,
    use_nesterov: bool = False,
    regularization_method: Literal['', 'l2_decay'] = '',
    regularization_coeff: float = 0.0,
    multi_precision: bool = False,
    rescale_grad: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """One step of gradient descent with momentum: velocity = mu * velocity + grad, then param
    -= learning_rate * velocity, or learning_rate * (grad + mu * velocity) with
    use_nesterov. grad is scaled by rescale_grad first; regularization_method l2_decay adds
    regularization_coeff * param to it. With multi_precision master_param takes the step and
    param is rounded from it.

    Args:
        param: float tensor.
        grad: float tensor.
        velocity: float tensor.
        learning_rate: tensor or number.
        master_param: float tensor, may be absent.
        mu: float.
        use_nesterov: bool.
        regularization_method: str; one of '', 'l2_decay'.
        regularization_coeff: float.
        multi_precision: bool.
        rescale_grad: float.

    In place: writes param, velocity, master_param; takes leaves, is never recorded. Returns
    what was passed.
    """

def multiply(x: Operand, y: Operand) -> Tensor:
    """x * y. For bool operands, whether both hold.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype promoted(x, y).

    Backward keeps x, y; in place keeps a copy of x, y.
    """

def multiply_(x: Tensor, y: Operand) -> Tensor:
    """multiply() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def negative(x: Tensor) -> Tensor:
    """-x.

    Args:
        x: integer or float tensor.

    Returns:
        The shape and dtype of x.

    Backward keeps nothing.
    """

def negative_(x: Tensor) -> Tensor:
    """negative() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def nonzero(x: Tensor) -> Tensor:
    """The positions of the elements that are not zero, as rows of one int64 matrix in
    row-major order.

    Args:
        x: tensor.

    Returns:
        Shape depends on the data, dtype int64.

    No gradient: positions are integers.
    """

def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Tensor:
    """Overwrites x with draws from the normal distribution of that mean and standard
    deviation.

    Args:
        x: float tensor.
        mean: float.
        std: float.
        seed: int; another number than 0 gives the same draws in every call.

    In place: writes x, whose shape and dtype category must hold the result. Returns what
    was passed.

    The gradient is zero: the elements of x are not read.
    """

def not_equal(x: Operand, y: Operand) -> Tensor:
    """Whether x differs from y, element by element. NaN differs from all.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype bool.

    No gradient: the result is bool.
    """

def not_equal_(x: Tensor, y: Operand) -> Tensor:
    """not_equal() into x. Returns x itself.

    In place: x gets a new storage, for the dtype changes by definition.
    """

def ones(shape: IntsLike, dtype: DTypeLike | None = None) -> Tensor:
    """A tensor of ones, float32 unless a dtype is given.

    Args:
        shape: integers.
        dtype: dtype or None.

    Returns:
        Shape shape, dtype chosen(dtype, float32).

    No gradient: no inputs.
    """

def ones_like(x: Tensor, dtype: DTypeLike | None = None) -> Tensor:
    """Ones in the shape of x, and in its dtype unless another is given. The result stops
    gradient.

    Args:
        x: tensor.
        dtype: dtype or None.

    Returns:
        Shape same(x), dtype chosen(dtype, same(x)).

    No gradient: only the shape of x is read.
    """

def pow(x: Operand, y: Operand) -> Tensor:
    """x to the power y. Integers to a negative integer power are refused.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype promoted(x, y).

    Backward keeps x, y; in place keeps a copy of x, y.
    """

def pow_(x: Tensor, y: Operand) -> Tensor:
    """pow() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def rand(shape: IntsLike, dtype: DTypeLike | None = None) -> Tensor:
    """Draws from the uniform distribution over [0, 1), float32 unless another float dtype is
    given.

    Args:
        shape: integers.
        dtype: dtype or None.

    Returns:
        Shape shape, dtype chosen(dtype, float32).

    No gradient: no inputs.
    """

def randn(shape: IntsLike, dtype: DTypeLike | None = None) -> Tensor:
    """Draws from the standard normal distribution, float32 unless another float dtype is
    given.

    Args:
        shape: integers.
        dtype: dtype or None.

    Returns:
        Shape shape, dtype chosen(dtype, float32).

    No gradient: no inputs.
    """

def relu(x: Tensor) -> Tensor:
    """x where positive, 0 elsewhere; NaN stays. Its gradient at 0 is 0.

    Args:
        x: integer or float tensor.

    Returns:
        The shape and dtype of x.

    Backward keeps out.
    """

def relu_(x: Tensor) -> Tensor:
    """relu() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def reshape(x: Tensor, shape: IntsLike) -> Tensor:
    """The same elements in another shape, in row-major order; one length may be -1 and is
    worked out. A view of x where its strides allow one, else a copy.

    Args:
        x: tensor.
        shape: lengths, one may be -1.

    Returns:
        Shape reshaped(x, shape), dtype same(x).
        Shares storage with x where the strides allow it.

    Backward keeps the shape of x.
    """

def reshape2(x: Tensor, shape: IntsLike) -> Tensor:
    """Another name for reshape()."""

def reshape2_(x: Tensor, shape: IntsLike) -> Tensor:
    """Another name for reshape_()."""

def reshape_(x: Tensor, shape: IntsLike) -> Tensor:
    """reshape() into x. Returns x itself.

    In place: x gets another map of its own bytes.
    """

def scale(
    x: Tensor,
    scale: Number = 1.0,
    bias: Number = 0.0,
    bias_after_scale: bool = True,
) -> Tensor:
    """x * scale + bias, or (x + bias) * scale unless bias_after_scale. Integers with a
    fractional scale or bias are worked out in float64 and cut towards zero.

    Args:
        x: integer or float tensor.
        scale: number.
        bias: number.
        bias_after_scale: bool.

    Returns:
        The shape and dtype of x.

    Backward keeps nothing.
    """

def scale_(
    x: Tensor,
    scale: Number = 1.0,
    bias: Number = 0.0,
    bias_after_scale: bool = True,
) -> Tensor:
    """scale() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True) -> Tensor:
    """x with updates in the rows that index names. With overwrite the last of several updates
    of a row wins; without, these rows start from zero and all their updates are added.

    Args:
        x: tensor.
        index: integer tensor.
        updates: tensor.
        overwrite: bool.

    Returns:
        Shape scattered(x, index, updates), dtype same(x).

    Backward keeps index.
    """

def scatter_(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True) -> Tensor:
    """scatter() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def set_item(x: Tensor, value: Operand, index: IndexLike) -> Tensor:
    """x with value, broadcast, in the part that a basic index takes.

    Args:
        x: tensor.
        value: tensor or number.
        index: index of integers, slices, None and ellipsis.

    Returns:
        Shape assigned(x, value, index), dtype same(x).

    Backward keeps nothing.
    """

def set_item_(x: Tensor, value: Operand, index: IndexLike) -> Tensor:
    """set_item() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def sgd_(
    param: Tensor,
    learning_rate: Operand,
    grad: Tensor,
    master_param: Tensor | None = None,
    *,
    multi_precision: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """One step of gradient descent: param -= learning_rate * grad. With multi_precision
    master_param takes the step and param is rounded from it.

    Args:
        param: float tensor.
        learning_rate: tensor or number.
        grad: float tensor.
        master_param: float tensor, may be absent.
        multi_precision: bool.

    In place: writes param, master_param; takes leaves, is never recorded. Returns what was
    passed.
    """

def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x)).

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps out.
    """

def sigmoid_(x: Tensor) -> Tensor:
    """sigmoid() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def sign(x: Tensor) -> Tensor:
    """-1, 0 or 1 as x is below, at or above 0; NaN stays.

    Args:
        x: integer or float tensor.

    Returns:
        The shape and dtype of x.

    The gradient is zero: constant between its jumps.
    """

def sign_(x: Tensor) -> Tensor:
    """sign() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def sin(x: Tensor) -> Tensor:
    """The sine of x, in radians.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps x; in place keeps a copy of x.
    """

def sin_(x: Tensor) -> Tensor:
    """sin() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def slice(x: Tensor, index: IndexLike) -> Tensor:
    """The part of x that a basic index takes, as a view.

    Args:
        x: tensor.
        index: index of integers, slices, None and ellipsis.

    Returns:
        Shape sliced(x, index), dtype same(x).
        Shares storage with x.

    Backward keeps the shape of x.
    """

def softmax(x: Tensor, axis: int) -> Tensor:
    """exp(x) divided by its sum along an axis, worked out without overflow.

    Args:
        x: tensor.
        axis: axis, may be negative.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps out.
    """

def softmax_(x: Tensor, axis: int) -> Tensor:
    """softmax() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def split(x: Tensor, num_or_sections: IntsLike, axis: int = 0) -> list[Tensor]:
    """x cut along an axis, as views. One number is the number of equal parts; several are the
    parts' lengths, of which one may be -1 and is worked out.

    Args:
        x: tensor.
        num_or_sections: integers.
        axis: axis, may be negative.

    Returns:
        A list of tensors.

    The gradient is that of its parts.
    """

def sqrt(x: Tensor) -> Tensor:
    """The square root of x; NaN below 0.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps out.
    """

def sqrt_(x: Tensor) -> Tensor:
    """sqrt() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def square(x: Tensor) -> Tensor:
    """x * x.

    Args:
        x: integer or float tensor.

    Returns:
        The shape and dtype of x.

    Backward keeps x; in place keeps a copy of x.
    """

def square_(x: Tensor) -> Tensor:
    """square() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def squeeze(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """A view of x without its axes of length 1, or without those of the given axes whose
    length is 1.

    Args:
        x: tensor.
        axis: axis or axes, may be negative.

    Returns:
        Shape squeezed(x, axis), dtype same(x).
        Shares storage with x.

    Backward keeps the shape of x.
    """

def squeeze2(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """Another name for squeeze()."""

def squeeze2_(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """Another name for squeeze_()."""

def squeeze_(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """squeeze() into x. Returns x itself.

    In place: x gets another map of its own bytes.
    """

def subtract(x: Operand, y: Operand) -> Tensor:
    """x - y. Two bool operands are refused.

    Args:
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(x, y), dtype promoted(x, y).

    Backward keeps nothing.
    """

def subtract_(x: Tensor, y: Operand) -> Tensor:
    """subtract() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def sum(x: Tensor, axis: IntsLike = (), keepdim: bool = False) -> Tensor:
    """The sum of x over the axes, over all of them where none is named. Sums of bool and
    integers are int64; float sums are blocked, so that their error does not grow with the
    number of elements.

    Args:
        x: tensor.
        axis: axis or axes, may be negative.
        keepdim: bool; whether reduced axes stay with length 1.

    Returns:
        Shape reduced(x, axis, keepdim), dtype summed(x).

    Backward keeps the shape of x.
    """

def tanh(x: Tensor) -> Tensor:
    """Hyperbolic tangent, element by element.

    Args:
        x: tensor.

    Returns:
        Shape same(x), dtype float_of(x).

    Backward keeps out.
    """

def tanh_(x: Tensor) -> Tensor:
    """tanh() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def transpose(x: Tensor, perm: IntsLike) -> Tensor:
    """A view of x whose axis i is axis perm[i] of x.

    Args:
        x: tensor.
        perm: integers.

    Returns:
        Shape transposed(x, perm), dtype same(x).
        Shares storage with x.

    Backward keeps nothing.
    """

def transpose_(x: Tensor, perm: IntsLike) -> Tensor:
    """transpose() into x. Returns x itself.

    In place: x gets another map of its own bytes.
    """

def uniform_(
    x: Tensor,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
) -> Tensor:
    """Overwrites x with draws from the uniform distribution over [min, max).

    Args:
        x: float tensor.
        min: float.
        max: float.
        seed: int; another number than 0 gives the same draws in every call.
        diag_num: int; how many diagonal elements are set to diag_val instead.
        diag_step: int; element i * (diag_step + 1) is on the diagonal.
        diag_val: float.

    In place: writes x, whose shape and dtype category must hold the result. Returns what
    was passed.

    The gradient is zero: the elements of x are not read.
    """

def uniform_inplace_(
    x: Tensor,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
) -> Tensor:
    """Another name for uniform_()."""

def unsqueeze(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """A view of x with new axes of length 1; axis counts in the result.

    Args:
        x: tensor.
        axis: integers.

    Returns:
        Shape unsqueezed(x, axis), dtype same(x).
        Shares storage with x.

    Backward keeps the shape of x.
    """

def unsqueeze2(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """Another name for unsqueeze()."""

def unsqueeze2_(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """Another name for unsqueeze_()."""

def unsqueeze_(x: Tensor, axis: IntsLike = ()) -> Tensor:
    """unsqueeze() into x. Returns x itself.

    In place: x gets another map of its own bytes.
    """

def where(condition: Tensor, x: Operand, y: Operand) -> Tensor:
    """x where condition holds, else y.

    Args:
        condition: bool tensor.
        x: tensor or number.
        y: tensor or number.

    Returns:
        Shape broadcast(condition, x, y), dtype promoted(x, y).

    Backward keeps condition.
    """

def where_(condition: Tensor, x: Tensor, y: Operand) -> Tensor:
    """where() into x. Returns x itself.

    In place: writes x, whose shape and dtype category must hold the result.
    """

def zero_(x: Tensor) -> Tensor:
    """Writes zeros into x.

    Args:
        x: tensor.

    In place: writes x, whose shape and dtype category must hold the result. Returns what
    was passed.

    The gradient is zero: the elements of x are not read.
    """

def zeros(shape: IntsLike, dtype: DTypeLike | None = None) -> Tensor:
    """A tensor of zeros, float32 unless a dtype is given.

    Args:
        shape: integers.
        dtype: dtype or None.

    Returns:
        Shape shape, dtype chosen(dtype, float32).

    No gradient: no inputs.
    """

def zeros_like(x: Tensor, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros in the shape of x, and in its dtype unless another is given. The result stops
    gradient.

    Args:
        x: tensor.
        dtype: dtype or None.

    Returns:
        Shape same(x), dtype chosen(dtype, same(x)).

    No gradient: only the shape of x is read.
    """

class TensorOps:
    def abs(self) -> Tensor:
        """The function abs() with self as x."""
    def abs_(self) -> Self:
        """The function abs_() with self as x."""
    def add(self, y: Operand) -> Tensor:
        """The function add() with self as x."""
    def add_(self, y: Operand) -> Self:
        """The function add_() with self as x."""
    def assign(self) -> Tensor:
        """The function assign() with self as x."""
    def assign_(self) -> Self:
        """The function assign_() with self as x."""
    def cast(self, dtype: DTypeLike) -> Tensor:
        """The function cast() with self as x."""
    def cast_(self, dtype: DTypeLike) -> Self:
        """The function cast_() with self as x."""
    def clip(self, min: Number, max: Number) -> Tensor:
        """The function clip() with self as x."""
    def clip_(self, min: Number, max: Number) -> Self:
        """The function clip_() with self as x."""
    def clone(self) -> Tensor:
        """The function clone() with self as x."""
    def copy_(self, value: Operand) -> Self:
        """The function copy_() with self as x."""
    def cos(self) -> Tensor:
        """The function cos() with self as x."""
    def cos_(self) -> Self:
        """The function cos_() with self as x."""
    def cross_entropy(
        self,
        label: Tensor,
        axis: int = -1,
        ignore_index: int = -100,
        reduction: Literal['none', 'sum', 'mean'] = 'mean',
    ) -> Tensor:
        """The function cross_entropy() with self as x."""
    def divide(self, y: Operand) -> Tensor:
        """The function divide() with self as x."""
    def divide_(self, y: Operand) -> Self:
        """The function divide_() with self as x."""
    def elu(self, alpha: float = 1.0) -> Tensor:
        """The function elu() with self as x."""
    def elu_(self, alpha: float = 1.0) -> Self:
        """The function elu_() with self as x."""
    def equal(self, y: Operand) -> Tensor:
        """The function equal() with self as x."""
    def equal_(self, y: Operand) -> Self:
        """The function equal_() with self as x."""
    def exp(self) -> Tensor:
        """The function exp() with self as x."""
    def exp_(self) -> Self:
        """The function exp_() with self as x."""
    @overload
    def expand(self, shape: IntsLike) -> Tensor:
        """The function expand() with self as x."""
    @overload
    def expand(self, *shape: int) -> Tensor: ...
    def fill(self, value: Number = 0) -> Tensor:
        """The function fill() with self as x."""
    def fill_(self, value: Number = 0) -> Self:
        """The function fill_() with self as x."""
    def floor(self) -> Tensor:
        """The function floor() with self as x."""
    def floor_(self) -> Self:
        """The function floor_() with self as x."""
    def gather(self, index: Tensor, axis: int = 0) -> Tensor:
        """The function gather() with self as x."""
    def gaussian_inplace_(self, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Self:
        """The function gaussian_inplace_() with self as x."""
    def greater_equal(self, y: Operand) -> Tensor:
        """The function greater_equal() with self as x."""
    def greater_equal_(self, y: Operand) -> Self:
        """The function greater_equal_() with self as x."""
    def greater_than(self, y: Operand) -> Tensor:
        """The function greater_than() with self as x."""
    def greater_than_(self, y: Operand) -> Self:
        """The function greater_than_() with self as x."""
    def index(self, indices: Sequence[Tensor]) -> Tensor:
        """The function index() with self as x."""
    def index_put(
        self,
        indices: Sequence[Tensor],
        value: Operand,
        accumulate: bool = False,
    ) -> Tensor:
        """The function index_put() with self as x."""
    def index_put_(
        self,
        indices: Sequence[Tensor],
        value: Operand,
        accumulate: bool = False,
    ) -> Self:
        """The function index_put_() with self as x."""
    def index_select(self, index: Tensor, axis: int = 0) -> Tensor:
        """The function index_select() with self as x."""
    def leaky_relu(self, negative_slope: float = 0.02) -> Tensor:
        """The function leaky_relu() with self as x."""
    def leaky_relu_(self, negative_slope: float = 0.02) -> Self:
        """The function leaky_relu_() with self as x."""
    def less_equal(self, y: Operand) -> Tensor:
        """The function less_equal() with self as x."""
    def less_equal_(self, y: Operand) -> Self:
        """The function less_equal_() with self as x."""
    def less_than(self, y: Operand) -> Tensor:
        """The function less_than() with self as x."""
    def less_than_(self, y: Operand) -> Self:
        """The function less_than_() with self as x."""
    def log(self) -> Tensor:
        """The function log() with self as x."""
    def log_(self) -> Self:
        """The function log_() with self as x."""
    def logical_and(self, y: Operand) -> Tensor:
        """The function logical_and() with self as x."""
    def logical_and_(self, y: Operand) -> Self:
        """The function logical_and_() with self as x."""
    def logical_not(self) -> Tensor:
        """The function logical_not() with self as x."""
    def logical_not_(self) -> Self:
        """The function logical_not_() with self as x."""
    def logical_or(self, y: Operand) -> Tensor:
        """The function logical_or() with self as x."""
    def logical_or_(self, y: Operand) -> Self:
        """The function logical_or_() with self as x."""
    def logical_xor(self, y: Operand) -> Tensor:
        """The function logical_xor() with self as x."""
    def logical_xor_(self, y: Operand) -> Self:
        """The function logical_xor_() with self as x."""
    def matmul(self, y: Tensor, transpose_x: bool = False, transpose_y: bool = False) -> Tensor:
        """The function matmul() with self as x."""
    def max(self, axis: IntsLike = (), keepdim: bool = False) -> Tensor:
        """The function max() with self as x."""
    def maximum(self, y: Operand) -> Tensor:
        """The function maximum() with self as x."""
    def maximum_(self, y: Operand) -> Self:
        """The function maximum_() with self as x."""
    def mean(self, axis: IntsLike = (), keepdim: bool = False) -> Tensor:
        """The function mean() with self as x."""
    def minimum(self, y: Operand) -> Tensor:
        """The function minimum() with self as x."""
    def minimum_(self, y: Operand) -> Self:
        """The function minimum_() with self as x."""
    def multiply(self, y: Operand) -> Tensor:
        """The function multiply() with self as x."""
    def multiply_(self, y: Operand) -> Self:
        """The function multiply_() with self as x."""
    def negative(self) -> Tensor:
        """The function negative() with self as x."""
    def negative_(self) -> Self:
        """The function negative_() with self as x."""
    def nonzero(self) -> Tensor:
        """The function nonzero() with self as x."""
    def normal_(self, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Self:
        """The function normal_() with self as x."""
    def not_equal(self, y: Operand) -> Tensor:
        """The function not_equal() with self as x."""
    def not_equal_(self, y: Operand) -> Self:
        """The function not_equal_() with self as x."""
    def ones_like(self, dtype: DTypeLike | None = None) -> Tensor:
        """The function ones_like() with self as x."""
    def pow(self, y: Operand) -> Tensor:
        """The function pow() with self as x."""
    def pow_(self, y: Operand) -> Self:
        """The function pow_() with self as x."""
    def relu(self) -> Tensor:
        """The function relu() with self as x."""
    def relu_(self) -> Self:
        """The function relu_() with self as x."""
    @overload
    def reshape(self, shape: IntsLike) -> Tensor:
        """The function reshape() with self as x."""
    @overload
    def reshape(self, *shape: int) -> Tensor: ...
    @overload
    def reshape2(self, shape: IntsLike) -> Tensor:
        """The function reshape2() with self as x."""
    @overload
    def reshape2(self, *shape: int) -> Tensor: ...
    @overload
    def reshape2_(self, shape: IntsLike) -> Self:
        """The function reshape2_() with self as x."""
    @overload
    def reshape2_(self, *shape: int) -> Self: ...
    @overload
    def reshape_(self, shape: IntsLike) -> Self:
        """The function reshape_() with self as x."""
    @overload
    def reshape_(self, *shape: int) -> Self: ...
    def scale(
        self,
        scale: Number = 1.0,
        bias: Number = 0.0,
        bias_after_scale: bool = True,
    ) -> Tensor:
        """The function scale() with self as x."""
    def scale_(
        self,
        scale: Number = 1.0,
        bias: Number = 0.0,
        bias_after_scale: bool = True,
    ) -> Self:
        """The function scale_() with self as x."""
    def scatter(self, index: Tensor, updates: Tensor, overwrite: bool = True) -> Tensor:
        """The function scatter() with self as x."""
    def scatter_(self, index: Tensor, updates: Tensor, overwrite: bool = True) -> Self:
        """The function scatter_() with self as x."""
    def set_item(self, value: Operand, index: IndexLike) -> Tensor:
        """The function set_item() with self as x."""
    def set_item_(self, value: Operand, index: IndexLike) -> Self:
        """The function set_item_() with self as x."""
    def sigmoid(self) -> Tensor:
        """The function sigmoid() with self as x."""
    def sigmoid_(self) -> Self:
        """The function sigmoid_() with self as x."""
    def sign(self) -> Tensor:
        """The function sign() with self as x."""
    def sign_(self) -> Self:
        """The function sign_() with self as x."""
    def sin(self) -> Tensor:
        """The function sin() with self as x."""
    def sin_(self) -> Self:
        """The function sin_() with self as x."""
    def slice(self, index: IndexLike) -> Tensor:
        """The function slice() with self as x."""
    def softmax(self, axis: int) -> Tensor:
        """The function softmax() with self as x."""
    def softmax_(self, axis: int) -> Self:
        """The function softmax_() with self as x."""
    def split(self, num_or_sections: IntsLike, axis: int = 0) -> list[Tensor]:
        """The function split() with self as x."""
    def sqrt(self) -> Tensor:
        """The function sqrt() with self as x."""
    def sqrt_(self) -> Self:
        """The function sqrt_() with self as x."""
    def square(self) -> Tensor:
        """The function square() with self as x."""
    def square_(self) -> Self:
        """The function square_() with self as x."""
    @overload
    def squeeze(self, axis: IntsLike = ()) -> Tensor:
        """The function squeeze() with self as x."""
    @overload
    def squeeze(self, *axis: int) -> Tensor: ...
    @overload
    def squeeze2(self, axis: IntsLike = ()) -> Tensor:
        """The function squeeze2() with self as x."""
    @overload
    def squeeze2(self, *axis: int) -> Tensor: ...
    @overload
    def squeeze2_(self, axis: IntsLike = ()) -> Self:
        """The function squeeze2_() with self as x."""
    @overload
    def squeeze2_(self, *axis: int) -> Self: ...
    @overload
    def squeeze_(self, axis: IntsLike = ()) -> Self:
        """The function squeeze_() with self as x."""
    @overload
    def squeeze_(self, *axis: int) -> Self: ...
    def subtract(self, y: Operand) -> Tensor:
        """The function subtract() with self as x."""
    def subtract_(self, y: Operand) -> Self:
        """The function subtract_() with self as x."""
    def sum(self, axis: IntsLike = (), keepdim: bool = False) -> Tensor:
        """The function sum() with self as x."""
    def tanh(self) -> Tensor:
        """The function tanh() with self as x."""
    def tanh_(self) -> Self:
        """The function tanh_() with self as x."""
    @overload
    def transpose(self, perm: IntsLike) -> Tensor:
        """The function transpose() with self as x."""
    @overload
    def transpose(self, *perm: int) -> Tensor: ...
    @overload
    def transpose_(self, perm: IntsLike) -> Self:
        """The function transpose_() with self as x."""
    @overload
    def transpose_(self, *perm: int) -> Self: ...
    def uniform_(
        self,
        min: float = -1.0,
        max: float = 1.0,
        seed: int = 0,
        diag_num: int = 0,
        diag_step: int = 0,
        diag_val: float = 1.0,
    ) -> Self:
        """The function uniform_() with self as x."""
    def uniform_inplace_(
        self,
        min: float = -1.0,
        max: float = 1.0,
        seed: int = 0,
        diag_num: int = 0,
        diag_step: int = 0,
        diag_val: float = 1.0,
    ) -> Self:
        """The function uniform_inplace_() with self as x."""
    @overload
    def unsqueeze(self, axis: IntsLike = ()) -> Tensor:
        """The function unsqueeze() with self as x."""
    @overload
    def unsqueeze(self, *axis: int) -> Tensor: ...
    @overload
    def unsqueeze2(self, axis: IntsLike = ()) -> Tensor:
        """The function unsqueeze2() with self as x."""
    @overload
    def unsqueeze2(self, *axis: int) -> Tensor: ...
    @overload
    def unsqueeze2_(self, axis: IntsLike = ()) -> Self:
        """The function unsqueeze2_() with self as x."""
    @overload
    def unsqueeze2_(self, *axis: int) -> Self: ...
    @overload
    def unsqueeze_(self, axis: IntsLike = ()) -> Self:
        """The function unsqueeze_() with self as x."""
    @overload
    def unsqueeze_(self, *axis: int) -> Self: ...
    def where(self, condition: Tensor, y: Operand) -> Tensor:
        """The function where() with self as x."""
    def where_(self, condition: Tensor, y: Operand) -> Self:
        """The function where_() with self as x."""
    def zero_(self) -> Self:
        """The function zero_() with self as x."""
    def zeros_like(self, dtype: DTypeLike | None = None) -> Tensor:
        """The function zeros_like() with self as x."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: Operand) -> Tensor: ...
    def __radd__(self, other: Operand) -> Tensor: ...
    def __eq__(self, other: Operand) -> Tensor: ...  # type: ignore[override]
    def __ge__(self, other: Operand) -> Tensor: ...
    def __gt__(self, other: Operand) -> Tensor: ...
    def __iadd__(self, other: Operand) -> Self: ...
    def __imul__(self, other: Operand) -> Self: ...
    def __ipow__(self, other: Operand) -> Self: ...
    def __isub__(self, other: Operand) -> Self: ...
    def __itruediv__(self, other: Operand) -> Self: ...
    def __le__(self, other: Operand) -> Tensor: ...
    def __lt__(self, other: Operand) -> Tensor: ...
    def __matmul__(self, other: Tensor) -> Tensor: ...
    def __mul__(self, other: Operand) -> Tensor: ...
    def __rmul__(self, other: Operand) -> Tensor: ...
    def __ne__(self, other: Operand) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __pow__(self, other: Operand) -> Tensor: ...
    def __rpow__(self, other: Operand) -> Tensor: ...
    def __sub__(self, other: Operand) -> Tensor: ...
    def __rsub__(self, other: Operand) -> Tensor: ...
    def __truediv__(self, other: Operand) -> Tensor: ...
    def __rtruediv__(self, other: Operand) -> Tensor: ...
