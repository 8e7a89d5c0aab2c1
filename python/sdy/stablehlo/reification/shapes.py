"""Sizes of results that are shaped as operands, or that operands are reshaped or broadcast to."""

from __future__ import annotations

from functools import reduce

from sdy.stablehlo.reification.registry import rule
from sdy.stablehlo.reification.size_values import Size, Sizes, divide, if_equal, multiply
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
