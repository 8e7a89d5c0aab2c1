"""Operands that every device has had the whole of before it took its part for the op (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Collection

from sdy.dialect import builders as sdy_ops
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.passes.partitioning.exchanges.factor_replication import before_reshard
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes

LayoutOf = Callable[[ir.Value], Layout]


def is_whole_before(value: ir.Value, dims: Collection[int], layout_of: LayoutOf) -> bool:
    """Whether each device gets all of `dims` of a value without sending more than for the part that it takes of it.

    What is summed up before counts as parts: a device may add up only its own.
    """
    have = layout_of(value)
    if have.sharding is None:
        return True
    whole = have.with_sharding(_whole_along(have.sharding, dims))
    source = before_reshard(value, whole.sharding or have.sharding)
    made_by = defining_op(source)
    if source == value or (made_by is not None and made_by.name == "sdy.all_reduce"):
        return False
    given = layout_of(source)
    is_for_op = len(list(value.uses)) == 1
    return reshard_bytes(given, whole) <= (reshard_bytes(given, have) if is_for_op else 0.0)


def whole_before(op: ir.Operation, value: ir.Value, dims: Collection[int], layout_of: LayoutOf) -> ir.Value:
    """All of `dims` of an operand of `op`, of which `is_whole_before` holds; made before `op`."""
    sharding = layout_of(value).sharding
    assert sharding is not None
    whole = _whole_along(sharding, dims)
    where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
    return sdy_ops.reshard(before_reshard(value, whole), whole, **where)


def _whole_along(sharding: TensorSharding, dims: Collection[int]) -> TensorSharding:
    return sharding.with_dim_axes([() if dim in dims else axes for dim, axes in enumerate(sharding.dim_axes)])
