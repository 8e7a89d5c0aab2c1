"""Shapes of results as values of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from sdy.stablehlo import attribute_readers as read
from sdy.stablehlo.reification.size_values import Size, Sizes, add, divide, if_equal, largest, multiply, rule, subtract
from sdy.stablehlo.shared_rules.replica_group_rules import group_size
from sdy.stablehlo.types.sizes import DYNAMIC
from sdy.stablehlo.types.value_types import Tensor


def _chlo(names: str) -> str:
    return " ".join(f"chlo.{name}" for name in names.split())


# As an operand -------------------------------------------------------------------------------------------------------

_ELEMENTWISE = (
    "abs add and atan2 cbrt ceil cholesky clamp compare complex convert cosine count_leading_zeros cross-replica-sum "
    "divide dynamic_update_slice exponential exponential_minus_one floor imag is_finite log log_plus_one logistic map "
    "maximum minimum multiply negate not or popcnt power real reduce_precision remainder reverse rng_bit_generator "
    "round_nearest_afz round_nearest_even rsqrt select select_and_scatter shift_left shift_right_arithmetic "
    "shift_right_logical sign sine sqrt subtract tan tanh uniform_dequantize uniform_quantize xor "
    "batch_norm_inference collective_permute fft"
)
_ELEMENTWISE_CHLO = _chlo(
    "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj constant_like cosh digamma erf erf_inv erfc "
    "is_inf is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta top_k"
)


@rule(f"{_ELEMENTWISE} {_ELEMENTWISE_CHLO}")
def _first_of_rank(sizes: Sizes, number: int, dim: int) -> Size | None:
    """The operands with the rank of the result have its shape."""
    rank = sizes.facts.result(number).rank
    for index, operand in enumerate(sizes.facts.operands):
        if isinstance(operand, Tensor) and operand.rank == rank:
            return sizes.of(index, dim)
    return None


@rule("all_reduce collective_broadcast collective_reduce optimization_barrier scatter sort")
def _operand_of_number(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(number, dim)


@rule("triangular_solve")
def _of_b(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(1, dim)


@rule("batch_norm_grad batch_norm_training")
def _batch_norm(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(0, dim if number == 0 else sizes.facts.integer("feature_index"))


@rule("transpose")
def _transposed(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(0, sizes.facts.ints("permutation")[dim])


@rule("reduce")
def _reduced(sizes: Sizes, number: int, dim: int) -> Size:
    reduced = sizes.facts.ints("dimensions")
    return sizes.of(0, [each for each in range(sizes.facts.tensor(0).rank) if each not in reduced][dim])


@rule("broadcast")
def _appended(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(0, dim - len(sizes.facts.ints("broadcast_sizes")))


@rule("broadcast_in_dim")
def _broadcast_in_dim(sizes: Sizes, number: int, dim: int) -> Size | None:
    """Known only if it is a size of the operand that is not repeated."""
    dims = sizes.facts.ints("broadcast_dimensions")
    source = dims.index(dim) if dim in dims else None
    if source is None or sizes.facts.tensor(0).dims[source] == DYNAMIC:
        return None
    return sizes.of(0, source)


@rule("bitcast_convert")
def _bitcast(sizes: Sizes, number: int, dim: int) -> Size | None:
    """An innermost dimension that comes or goes is made of the bits of an element."""
    return sizes.of(0, dim) if dim < sizes.facts.tensor(0).rank else None


@rule("reshape")
def _reshaped(sizes: Sizes, number: int, dim: int) -> Size | None:
    """The only size that is not known, from the number of elements."""
    others = [size for each, size in enumerate(sizes.facts.result(number).dims) if each != dim]
    if DYNAMIC in others or 0 in others:
        return None
    count = reduce(multiply, (sizes.of(0, each) for each in range(sizes.facts.tensor(0).rank)), 1)
    return divide(count, reduce(multiply, others, 1))


# Broadcasting --------------------------------------------------------------------------------------------------------

_BROADCASTING = _chlo(
    " ".join(
        f"broadcast_{name}"
        for name in (
            "add and atan2 compare complex divide maximum minimum multiply next_after or polygamma power remainder "
            "select shift_left shift_right_arithmetic shift_right_logical subtract xor zeta"
        ).split()
    )
)


@rule(_BROADCASTING)
def _broadcast(sizes: Sizes, number: int, dim: int) -> Size:
    """Size 1 becomes that of any other operand."""
    tensors = sizes.facts.tensors()
    rank = max(tensor.rank for tensor in tensors)
    given = sizes.facts.optional_ints("broadcast_dimensions")
    size: Size = 1
    for index, tensor in enumerate(tensors):
        places = given if given is not None and tensor.rank < rank else range(rank - tensor.rank, rank)
        if dim in places:
            size = if_equal(size, 1, sizes.of(index, list(places).index(dim)), size)
    return size


# Products ------------------------------------------------------------------------------------------------------------


@rule("dot_general")
def _dot_general(sizes: Sizes, number: int, dim: int) -> Size:
    numbers = sizes.facts.attribute("dot_dimension_numbers", read.read_dot_dimensions, "dot dimension numbers")
    lhs_batching, rhs_batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    return _product(
        sizes,
        [(0, each) for each in lhs_batching],
        {*lhs_batching, *numbers.lhs_contracting_dimensions},
        {*rhs_batching, *numbers.rhs_contracting_dimensions},
    )(dim)


@rule("chlo.ragged_dot")
def _ragged_dot(sizes: Sizes, number: int, dim: int) -> Size:
    lists = sizes.facts.attribute("ragged_dot_dimension_numbers", read.read_ragged_dimensions, "dimension numbers")
    lhs_batching, lhs_contracting, rhs_batching, rhs_contracting, groups, ragged = (
        tuple(lists.get(f"{name}_dimensions", ()))
        for name in ("lhs_batching", "lhs_contracting", "rhs_batching", "rhs_contracting", "rhs_group", "lhs_ragged")
    )
    first = [(0, each) for each in lhs_batching]
    if ragged[0] in lhs_contracting:
        first.insert(0, (2, sizes.facts.tensor(2).rank - 1))
    return _product(sizes, first, {*lhs_batching, *lhs_contracting}, {*rhs_batching, *rhs_contracting, *groups})(dim)


def _product(sizes: Sizes, first: list[tuple[int, int]], in_lhs: set[int], in_rhs: set[int]) -> Callable[[int], Size]:
    """Sizes of a product: those that come first, then the others of lhs and of rhs."""
    free = [
        (index, dim)
        for index, used in enumerate((in_lhs, in_rhs))
        for dim in range(sizes.facts.tensor(index).rank)
        if dim not in used
    ]
    sources = [*first, *free]
    return lambda dim: sizes.of(*sources[dim])


@rule("dot")
def _dot(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.of(0, dim) if dim < sizes.facts.tensor(0).rank - 1 else sizes.of(1, sizes.facts.tensor(1).rank - 1)


@rule("einsum unary_einsum")
def _einsum(sizes: Sizes, number: int, dim: int) -> Size:
    inputs, _, output = sizes.facts.text("einsum_config").replace(" ", "").partition("->")
    places = [(index, text.index(output[dim])) for index, text in enumerate(inputs.split(",")) if output[dim] in text]
    return sizes.of(*places[0])


# Windows -------------------------------------------------------------------------------------------------------------


def _positions(extent: Size, window: Size, stride: int, base: int, dilation: int, padding: tuple[Size, Size]) -> Size:
    """H7: the number of positions of a window."""
    padded = add(add(padding[0], _dilated(extent, base)), padding[1])
    room = subtract(padded, _dilated(window, dilation))
    count = add(divide(largest(room, 0), stride), 1)
    return if_equal(largest(room, -1), -1, 0, count)


def _dilated(size: Size, dilation: int) -> Size:
    if dilation == 1:
        return size
    return if_equal(size, 0, 0, add(multiply(subtract(size, 1), dilation), 1))


def _entry(values: Sequence[int] | None, dim: int) -> int:
    return values[dim] if values else 1


@rule("reduce_window")
def _reduce_window(sizes: Sizes, number: int, dim: int) -> Size:
    op = sizes.facts
    padding = op.optional_dense("padding")
    return _positions(
        sizes.of(number, dim),
        op.ints("window_dimensions")[dim],
        _entry(op.optional_ints("window_strides"), dim),
        _entry(op.optional_ints("base_dilations"), dim),
        _entry(op.optional_ints("window_dilations"), dim),
        (0, 0) if padding is None else (padding.rows()[dim][0], padding.rows()[dim][1]),
    )


@rule("convolution dynamic_conv")
def _convolution(sizes: Sizes, number: int, dim: int) -> Size:
    op = sizes.facts
    numbers = op.attribute("dimension_numbers", read.read_conv_dimensions, "convolution dimension numbers")
    if dim == numbers.output_batch_dimension:
        return divide(sizes.of(0, numbers.input_batch_dimension), op.integer("batch_group_count"))
    if dim == numbers.output_feature_dimension:
        return sizes.of(1, numbers.kernel_output_feature_dimension)
    place = list(numbers.output_spatial_dimensions).index(dim)
    return _positions(
        sizes.of(0, numbers.input_spatial_dimensions[place]),
        sizes.of(1, numbers.kernel_spatial_dimensions[place]),
        _entry(op.optional_ints("window_strides"), place),
        _entry(op.optional_ints("lhs_dilation"), place),
        _entry(op.optional_ints("rhs_dilation"), place),
        _convolution_padding(sizes, place),
    )


def _convolution_padding(sizes: Sizes, place: int) -> tuple[Size, Size]:
    if sizes.facts.name == "stablehlo.dynamic_conv":
        return sizes.element(2, place, 0), sizes.element(2, place, 1)
    padding = sizes.facts.optional_dense("padding")
    return (0, 0) if padding is None else (padding.rows()[place][0], padding.rows()[place][1])


# Slices --------------------------------------------------------------------------------------------------------------


@rule("pad")
def _pad(sizes: Sizes, number: int, dim: int) -> Size:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = (sizes.facts.ints(name)[dim] for name in names)
    return _padded(sizes.of(0, dim), low, high, interior)


@rule("dynamic_pad")
def _dynamic_pad(sizes: Sizes, number: int, dim: int) -> Size:
    return _padded(sizes.of(0, dim), *(sizes.element(index, dim) for index in (2, 3, 4)))


def _padded(size: Size, low: Size, high: Size, interior: Size) -> Size:
    between = multiply(largest(subtract(size, 1), 0), interior) if not _is_zero(interior) else 0
    return add(add(size, add(low, high)), between)


def _is_zero(size: Size) -> bool:
    return isinstance(size, int) and size == 0


@rule("concatenate")
def _concatenated(sizes: Sizes, number: int, dim: int) -> Size:
    if dim != sizes.facts.integer("dimension"):
        return sizes.of(0, dim)
    return reduce(add, (sizes.of(index, dim) for index in range(len(sizes.facts.operands))), 0)


@rule("real_dynamic_slice")
def _real_dynamic_slice(sizes: Sizes, number: int, dim: int) -> Size:
    start, limit, stride = (sizes.element(index, dim) for index in (1, 2, 3))
    return divide(add(subtract(limit, start), subtract(stride, 1)), stride)


@rule("set_dimension_size")
def _set_dimension_size(sizes: Sizes, number: int, dim: int) -> Size:
    return sizes.element(1) if dim == sizes.facts.integer("dimension") else sizes.of(0, dim)


@rule("gather dynamic_gather")
def _gathered(sizes: Sizes, number: int, dim: int) -> Size:
    """Sizes of slices at the offset dimensions, those of the indices elsewhere."""
    op = sizes.facts
    numbers = op.attribute("dimension_numbers", read.read_gather_dimensions, "gather dimension numbers")
    offsets = list(numbers.offset_dims)
    if dim in offsets:
        skipped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
        kept = [each for each in range(op.tensor(0).rank) if each not in skipped]
        return sizes.element(2, kept[offsets.index(dim)])
    batch = [each for each in range(op.tensor(1).rank) if each != numbers.index_vector_dim]
    return sizes.of(1, batch[dim - sum(each < dim for each in offsets)])


@rule("torch_index_select")
def _index_select(sizes: Sizes, number: int, dim: int) -> Size:
    op = sizes.facts
    operand, index = op.tensor(0), op.tensor(1)
    at, batch = op.integer("dim"), op.integer("batch_dims")
    at = at + operand.rank if at < 0 else at
    batch = batch + index.rank if batch < 0 else batch
    added = index.rank - batch
    if dim < at:
        return sizes.of(0, dim)
    return sizes.of(1, batch + dim - at) if dim < at + added else sizes.of(0, dim - added + 1)


# Collectives ---------------------------------------------------------------------------------------------------------


@rule("all_gather")
def _all_gather(sizes: Sizes, number: int, dim: int) -> Size | None:
    return _across_group(sizes, number, dim, "all_gather_dim", multiply)


@rule("reduce_scatter")
def _reduce_scatter(sizes: Sizes, number: int, dim: int) -> Size | None:
    return _across_group(sizes, number, dim, "scatter_dimension", divide)


def _across_group(sizes: Sizes, number: int, dim: int, along: str, change: Callable[[Size, Size], Size]) -> Size | None:
    """The size of an operand, changed by the number of processes in a group along the dimension that `along` names."""
    if dim != sizes.facts.integer(along):
        return sizes.of(number, dim)
    count = group_size(sizes.facts)
    return None if count is None else change(sizes.of(number, dim), count)


@rule("all_to_all")
def _all_to_all(sizes: Sizes, number: int, dim: int) -> Size:
    op, size = sizes.facts, sizes.of(number, dim)
    split, concat = op.integer("split_dimension"), op.integer("concat_dimension")
    if split == concat or dim not in (split, concat):
        return size
    return divide(size, op.integer("split_count")) if dim == split else multiply(size, op.integer("split_count"))


# Loops ---------------------------------------------------------------------------------------------------------------


@rule("chlo.scan")
def _scan(sizes: Sizes, number: int, dim: int) -> Size | None:
    """The number of steps is the size of an input; what the body returns says nothing about its sizes."""
    is_scanned = number < sizes.facts.attribute("resultSegmentSizes", read.read_segments, "sizes of groups")[0]
    if not is_scanned or dim != sizes.facts.integer("dimension"):
        return None
    inputs = sizes.facts.attribute("operandSegmentSizes", read.read_segments, "sizes of groups")[0]
    return sizes.of(0, dim) if inputs else None
