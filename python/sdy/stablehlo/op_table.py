"""Table of each StableHLO and CHLO op's kind, effects and linearity, which passes read.

The parts of an op that passes define (a sharding rule, a padding, a lowering) are registered with these; this table has
facts of the ops alone. A test checks that every op of both dialects has a row.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class OpKind(Enum):
    """Kind of an op by the elements that it computes.

    Attributes:
      ELEMENTWISE: each element of a result depends on the elements of the operands at the same place only; scalars may
        broadcast. By the reference's list, which is not complete.
      CONSTANT: gives the number that it carries.
      SOURCE: makes elements of none.
      MOVES: gives elements of operands, some of them, some perhaps repeatedly, at other places.
      COMPUTES: anything else on elements.
      COMMUNICATES: gives elements of other devices, or their sums.
      RUNS: runs bodies, another function or somebody else's code.
      NAMES: puts values in order or together, and takes them apart again.
      ENDS: ends a block.
    """

    ELEMENTWISE = "elementwise"
    CONSTANT = "constant"
    SOURCE = "source"
    MOVES = "moves"
    COMPUTES = "computes"
    COMMUNICATES = "communicates"
    RUNS = "runs"
    NAMES = "names"
    ENDS = "ends"


class Effects(Enum):
    """Effects of an op: whether its time and number of runs matter.

    Attributes:
      PURE: no effects, and it may be speculated: by the reference's list, for static operands.
      FUNCTION: nothing as far as its body goes: the results follow from operands, attributes and what bodies give.
      OTHER: what it gives, or does elsewhere, depends on device, order, state, or is not known.
    """

    PURE = "pure"
    FUNCTION = "function"
    OTHER = "other"


class Linear(Enum):
    """Operands in which an op is linear: applied to summands it gives summands of the result.

    Attributes:
      NO: in none that is known.
      FIRST: in the first one alone.
      FIRST_TWO: in the first two together.
      ALL: in all together.
      SOMETIMES: depends on operands or body.
    """

    NO = "-"
    FIRST = "first"
    FIRST_TWO = "first-two"
    ALL = "all"
    SOMETIMES = "sometimes"


class Memory(Enum):
    """Reads and writes that compilers save for an op.

    Attributes:
      FREE: all: it names a value, or a part of it, that is there.
      FUSED: it is computed element by element where its result is used, though it is not arithmetic.
      READS_PART: it reads as much of its first operand as it gives.
      IN_PLACE: its results take the buffers of its first operands, as many as there are, that nobody needs any more.
    """

    FREE = "free"
    FUSED = "fused"
    READS_PART = "reads-part"
    IN_PLACE = "in-place"


class OpClass(NamedTuple):
    """Row of an op in the table."""

    kind: OpKind
    effects: Effects
    linear: Linear


_STABLEHLO = """
elementwise   pure      -          abs and atan2 cbrt ceil clamp compare convert cosine count_leading_zeros exponential
elementwise   pure      -          exponential_minus_one floor is_finite log log_plus_one logistic maximum minimum not
elementwise   pure      -          or popcnt power reduce_precision remainder round_nearest_afz round_nearest_even rsqrt
elementwise   pure      -          shift_left shift_right_arithmetic shift_right_logical sign sine sqrt tan tanh
elementwise   pure      -          uniform_dequantize uniform_quantize xor
elementwise   pure      first      imag negate real
elementwise   pure      all        add complex subtract
elementwise   pure      sometimes  divide multiply select
constant      pure      -          constant
source        pure      -          iota
source        function  -          dynamic_iota get_dimension_size
source        other     -          create_token infeed partition_id recv replica_id rng
moves         pure      -          bitcast_convert
moves         pure      first      broadcast_in_dim reshape slice
moves         function  first      dynamic_slice transpose
moves         function  first-two  dynamic_update_slice pad
moves         function  all        concatenate
moves         function  -          broadcast dynamic_broadcast_in_dim dynamic_gather dynamic_pad dynamic_reshape gather
moves         function  -          real_dynamic_slice reverse set_dimension_size sort torch_index_select
computes      function  sometimes  reduce
computes      function  -          batch_norm_grad batch_norm_inference batch_norm_training cholesky convolution dot
computes      function  -          dot_general dynamic_conv einsum fft map reduce_window rng_bit_generator scatter
computes      function  -          select_and_scatter triangular_solve unary_einsum
communicates  other     -          all_gather all_reduce all_to_all collective_broadcast collective_permute
communicates  other     -          collective_reduce cross-replica-sum reduce_scatter
runs          other     -          async_done async_start case composite custom_call if while
names         function  -          get_tuple_element tuple
names         other     -          after_all optimization_barrier outfeed send
ends          other     -          return
"""

_CHLO = """
elementwise   pure      -          _asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj constant_like cosh
elementwise   pure      -          digamma erf erf_inv erfc is_inf is_neg_inf is_pos_inf lgamma sinh square tan
elementwise   pure      -          broadcast_add broadcast_and broadcast_atan2 broadcast_compare broadcast_complex
elementwise   pure      -          broadcast_divide broadcast_maximum broadcast_minimum broadcast_multiply
elementwise   pure      -          broadcast_next_after broadcast_or broadcast_polygamma broadcast_power
elementwise   pure      -          broadcast_remainder broadcast_select broadcast_shift_left
elementwise   pure      -          broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract
elementwise   pure      -          broadcast_xor broadcast_zeta
constant      pure      -          constant
computes      function  -          mulhi next_after polygamma ragged_dot scan top_k zeta
"""


_MEMORY = {
    Memory.FREE: "after_all create_token get_tuple_element iota optimization_barrier partition_id replica_id reshape "
    "return slice tuple",
    Memory.FUSED: "broadcast_in_dim broadcast convert dynamic_slice iota slice",
    Memory.READS_PART: "dynamic_slice gather slice",
    Memory.IN_PLACE: "dynamic_update_slice optimization_barrier scatter while",
}


def _rows(dialect: str, text: str) -> dict[str, OpClass]:
    found: dict[str, OpClass] = {}
    for kind, effects, linear, *names in map(str.split, text.strip().splitlines()):
        row = OpClass(OpKind(kind), Effects(effects), Linear(linear))
        found.update(dict.fromkeys((f"{dialect}.{name}" for name in names), row))
    return found


OPS: dict[str, OpClass] = {**_rows("stablehlo", _STABLEHLO), **_rows("chlo", _CHLO)}
"""By full name."""


def ops_of(kind: OpKind | None = None, effects: Effects | None = None, linear: Linear | None = None) -> frozenset[str]:
    """Return the ops of a kind, with these effects, linear in this way; None admits all."""
    return frozenset(
        name
        for name, row in OPS.items()
        if kind in (None, row.kind) and effects in (None, row.effects) and linear in (None, row.linear)
    )


def ops_in_memory(kind: Memory) -> frozenset[str]:
    """Return the StableHLO ops of which compilers spare that."""
    return frozenset(f"stablehlo.{name}" for name in _MEMORY[kind].split())
