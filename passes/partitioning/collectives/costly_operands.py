"""Operands of collectives that are expensive to compute: other users read the sent value."""

from __future__ import annotations

from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.mlir import address, ir
from sdy.mlir.rewriting import defining_op
from sdy.passes.costs.op_cost import renames
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo.ops import Builder

_POLYNOMIALS = dict.fromkeys("bessel_i1e digamma erf_inv lgamma polygamma zeta".split(), 64.0) | {"erf": 32.0}
"""Operations of functions of CHLO for each element, about as many as XLA makes of them."""

_FUNCTIONS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "atan2 cbrt cosine exponential exponential_minus_one log log_plus_one logistic power rsqrt sine sqrt tan tanh"
    ).split()
)
_FUNCTION = 8.0

_COSTLY = 50.0
"""Operations in whose time an element is written and read again: 8 bytes at 2 TB/s, at 12.5 TFLOP/s beside products."""


@pattern("costly-operands", "stablehlo.all_gather", "stablehlo.all_to_all")
def read_costly_operand(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Compute an expensive operand, such as random numbers, once for a collective and all other users.

    A compiler fuses elements into each user and, on CPUs, into each sent part. The sent value is in memory; a barrier
    makes all users read it from there.

    %1 = chlo.erf_inv %0 : tensor<16x16xf32>
    %2 = "stablehlo.all_to_all"(%1) ...
    %3 = stablehlo.multiply %1, %1 : tensor<16x16xf32>
    ==>  %b = stablehlo.optimization_barrier %1 : tensor<16x16xf32>
         %2 = "stablehlo.all_to_all"(%b) ...
         %3 = stablehlo.multiply %b, %b : tensor<16x16xf32>
    """
    has_changed = False
    for operand in op.operands:
        value = _shared(operand)
        if value is not None and _operations(value) >= _COSTLY:
            (kept,) = Builder.after(value.owner.operation).optimization_barrier([value])
            use_instead([slot for slot in uses_of(value) if slot.user != kept.owner.operation], kept)
            has_changed = True
    return has_changed or rewriter.no_match(op, "no operand has other users and takes long to compute")


def _shared(value: ir.Value) -> ir.Value | None:
    """Return the value whose elements a collective sends, if it has other users."""
    while (made_by := defining_op(value)) is not None and _moves(made_by) and len(uses_of(value)) == 1:
        value = made_by.operands[0]
    return value if defining_op(value) is not None and len({slot.user for slot in uses_of(value)}) > 1 else None


def _moves(op: ir.Operation) -> bool:
    """Return whether the result has the elements of the operand, each once."""
    return renames(op) or op.name == "stablehlo.transpose"


def _operations(value: ir.Value) -> float:
    """Return the operations for each element of `value` when its producers are fused."""
    total, pending, seen = 0.0, [value], {address(value)}
    while pending:
        made_by = defining_op(pending.pop())
        if made_by is None or is_constant(made_by):
            continue
        if is_elementwise(made_by):
            name = made_by.name
            total += _POLYNOMIALS.get(name.removeprefix("chlo."), _FUNCTION if name in _FUNCTIONS else 1.0)
        elif not _moves(made_by):
            continue
        found = [each for each in made_by.operands if each.type.shape and address(each) not in seen]
        seen.update(map(address, found))
        pending += found
    return total
