"""Predicates on ops, values and types (spec: import-passes, 1.9; sharding-rules, 11; propagation, 7.2)."""

from __future__ import annotations

from typing import TypeGuard

from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.values.sharding import DYNAMIC
from sdy.mlir import ir
from sdy.stablehlo.op_table import Effects, OpKind, ops_of

_SDY_ELEMENTWISE = frozenset({"sdy.propagation_barrier", "sdy.sharding_constraint", "sdy.reshard"})

_ELEMENTWISE = ops_of(OpKind.ELEMENTWISE) | _SDY_ELEMENTWISE

_UPSTREAM_CONSTANTS = ops_of(OpKind.CONSTANT) | {"arith.constant", "mhlo.constant"}

CONSTANTS = ("sdy.constant", *sorted(_UPSTREAM_CONSTANTS))


def is_elementwise(op: ir.Operation) -> bool:
    """Return whether result elements depend on operand elements at the same position only; scalars may broadcast."""
    name = op.name
    if name == "stablehlo.bitcast_convert":
        return shape_of(op.operands[0]) == shape_of(op.results[0])
    return is_elementwise_name(name)


def is_elementwise_name(name: str) -> bool:
    """Return whether all ops of that name are elementwise."""
    if name in _ELEMENTWISE:
        return True
    return name.startswith(("arith.", "math.")) and name != "arith.constant"


_PURE_STABLEHLO = frozenset(name for name in ops_of(effects=Effects.PURE) if name.startswith("stablehlo."))

_PURE_ON_STATIC_OPERANDS = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.reshape"})

_PURE_SDY = frozenset({"sdy.reshard", "sdy.propagation_barrier", "sdy.constant"})

_PARTIAL_ARITH = frozenset(
    {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.ceildivsi", "arith.ceildivui"}
    | {"arith.floordivsi"}
)


def is_pure(op: ir.Operation) -> bool:
    """Return whether `op` has no effects and may be executed speculatively.

    Handles elementwise, constant and shape-changing ops of known dialects; any other op counts as not pure. A StableHLO
    op with a dynamic operand may fail for other sizes at run time, which makes it impure; so may an integer division.
    """
    name = op.name
    if name in _PURE_STABLEHLO:
        if all(is_static_shaped(operand.type) for operand in op.operands):
            return True
        return len(op.operands) == 1 and name not in _PURE_ON_STATIC_OPERANDS and _takes_sizes_as_they_are(op)
    if name.startswith("sdy."):
        return name in _PURE_SDY
    return is_elementwise(op) and name not in _PARTIAL_ARITH


def _takes_sizes_as_they_are(op: ir.Operation) -> bool:
    """Return whether each dimension of the result that is static is static in the operand."""
    operand, result = shape_of(op.operands[0]), shape_of(op.results[0])
    if operand is None or result is None or len(operand) != len(result):
        return False
    return all(given != DYNAMIC or size == DYNAMIC for given, size in zip(operand, result, strict=True))


def is_constant(op: ir.Operation) -> bool:
    """Return whether `op` is a constant, `sdy.constant` included."""
    return op.name == "sdy.constant" or op.name in _UPSTREAM_CONSTANTS


def is_constant_value(value: ir.Value) -> bool:
    """Return whether a constant makes `value`."""
    return isinstance(value, ir.OpResult) and is_constant(value.owner.operation)


def is_scalar_expansion(op: ir.Operation) -> bool:
    """Return whether `op` broadcasts a scalar."""
    return op.name == "stablehlo.broadcast_in_dim" and is_scalar(op.operands[0])


def is_terminator(op: ir.Operation) -> bool:
    return op.has_trait(ir.IsTerminatorTrait)


def is_scalar(value: ir.Value) -> bool:
    """Return whether the type of `value` is shaped and of rank 0."""
    type_ = value.type
    return isinstance(type_, ir.ShapedType) and type_.has_rank and type_.rank == 0


def is_static_shaped(type_: ir.Type) -> TypeGuard[ir.ShapedType]:
    """Return whether `type_` is a shaped type with a rank and no dynamic dimension; a token is not."""
    return isinstance(type_, ir.ShapedType) and type_.has_static_shape


def rank(type_: ir.Type) -> int:
    """Rank of a shaped type, or of the global one of a mesh tensor; 0 for any other."""
    type_ = sharded_type(type_)
    return type_.rank if isinstance(type_, ir.ShapedType) and type_.has_rank else 0


def shape_of(value: ir.Value) -> tuple[int, ...] | None:
    """Dimensions of a ranked value (`sdy.dialect.values.sharding.DYNAMIC` where unknown); None for any other type.

    For a mesh tensor these are the global dimensions.
    """
    type_ = sharded_type(value.type)
    return tuple(type_.shape) if isinstance(type_, ir.ShapedType) and type_.has_rank else None
