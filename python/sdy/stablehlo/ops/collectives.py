"""Communication between the processes that run a program.

All take `replica_groups`, ids of processes in rows that communicate with one another (or an attribute that says it by
mesh axes), and most a `channel`: its id, or its id and type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import TypeLike
from sdy.stablehlo.ops.regions import Body, combining, region
from sdy.stablehlo.ops.values import Group, Value, like, listed, one, several

__all__ = ["all_gather", "all_reduce", "all_to_all", "async_done", "async_start", "collective_broadcast"]
__all__ += ["collective_permute", "collective_reduce", "cross_replica_sum", "reduce_scatter"]

Groups = Sequence[Sequence[int]] | np.ndarray | ir.Attribute
"""Rows of ids; short rows are filled up with -1. Or an attribute of the bindings."""

Channel = int | tuple[int, int] | None
"""An id, for a channel between devices, or an id with a type: 1 between devices, 2 to the host, 3 from it."""


def _among(replica_groups: Groups, channel: Channel, use_global_device_ids: bool | None = None) -> dict[str, object]:
    """The attributes that say who communicates; None for ids where an op does not say of what they are."""
    return {
        "replica_groups": replica_groups,
        "channel_handle": channel,
        "use_global_device_ids": use_global_device_ids,
    }


def all_gather(
    operands: Group,
    all_gather_dim: int,
    replica_groups: Groups,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    types: Sequence[TypeLike] | None = None,
    **at: Unpack[At],
) -> Group:
    """The operands of a group, one after the other along a dimension.

    Args:
      operands: a tensor, or several.
      all_gather_dim: the dimension.
      replica_groups, channel: see above.
      use_global_device_ids: ids are those of devices, not of replicas.
      types: of the results, needed where the size of a group is not in the attribute.
    """
    attributes = {"all_gather_dim": all_gather_dim, **_among(replica_groups, channel, use_global_device_ids)}
    return like(operands, several("stablehlo.all_gather", listed(operands), attributes, types=types, **at))


def all_to_all(
    operands: Group,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
    replica_groups: Groups,
    *,
    channel: Channel = None,
    **at: Unpack[At],
) -> Group:
    """Splits each operand, sends the parts to the processes of the group, and joins what arrives.

    Args:
      operands: a tensor, or several.
      split_dimension, concat_dimension: dimensions that are split and joined.
      split_count: the size of a group.
      replica_groups, channel: see above.
    """
    attributes = {
        "split_dimension": split_dimension,
        "concat_dimension": concat_dimension,
        "split_count": split_count,
        **_among(replica_groups, channel),
    }
    return like(operands, several("stablehlo.all_to_all", listed(operands), attributes, **at))


def collective_permute(
    operand: ir.Value,
    source_target_pairs: Sequence[tuple[int, int]] | np.ndarray | ir.Attribute,
    *,
    channel: Channel = None,
    **at: Unpack[At],
) -> Value:
    """Sends the operand of each source to its target; processes that are no target get zeros.

    The pairs are a list, an array with two columns, or an attribute.
    """
    attributes = {"source_target_pairs": source_target_pairs, "channel_handle": channel}
    return one("stablehlo.collective_permute", (operand,), attributes, **at)


def collective_broadcast(
    operands: Group,
    replica_groups: Groups,
    *,
    channel: Channel = None,
    has_dynamic_root: bool = False,
    **at: Unpack[At],
) -> Group:
    """Sends what the first process of a group has to all of it.

    Args:
      operands: a tensor, or several; with a dynamic root, the last one says which process it is.
      replica_groups, channel: see above.
      has_dynamic_root: needs a later version of StableHLO than the registered one.
    """
    attributes = {**_among(replica_groups, channel), "has_dynamic_root": has_dynamic_root}
    return like(operands, several("stablehlo.collective_broadcast", listed(operands), attributes, **at))


def all_reduce(
    operands: Group,
    replica_groups: Groups,
    body: Body,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines the operands of a group element by element.

    Args:
      operands: a tensor, or several.
      replica_groups, channel: see above.
      body: takes two scalars and returns one, as `ops.add` does.
      use_global_device_ids: ids are those of devices, not of replicas.
      element_type: that of the body's arguments, by default the one of the first operand.
    """
    attributes = _among(replica_groups, channel, use_global_device_ids)
    values = listed(operands)
    regions = combining(values[:1], element_type, body)
    return like(operands, several("stablehlo.all_reduce", values, attributes, regions=regions, **at))


def collective_reduce(
    operands: Group,
    replica_groups: Groups,
    body: Body,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    has_dynamic_root: bool = False,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines the operands of a group in its first process; see `all_reduce` and `collective_broadcast`."""
    attributes = {
        **_among(replica_groups, channel, use_global_device_ids),
        "has_dynamic_root": has_dynamic_root,
    }
    values = listed(operands)
    regions = combining(values[:1], element_type, body)
    return like(operands, several("stablehlo.collective_reduce", values, attributes, regions=regions, **at))


def reduce_scatter(
    operand: ir.Value,
    scatter_dimension: int,
    replica_groups: Groups,
    body: Body,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    type: TypeLike | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Value:
    """Combines the operands of a group and gives each process its part along a dimension.

    Args:
      operand: a tensor.
      scatter_dimension: the dimension.
      replica_groups, channel: see above.
      body: takes two scalars and returns one, as `ops.add` does.
      use_global_device_ids: ids are those of devices, not of replicas.
      type: of the result, needed where the size of a group is not in the attribute.
      element_type: that of the body's arguments, by default the one of the operand.
    """
    attributes = {
        "scatter_dimension": scatter_dimension,
        **_among(replica_groups, channel, use_global_device_ids),
    }
    return one(
        "stablehlo.reduce_scatter",
        (operand,),
        attributes,
        types=None if type is None else [type],
        regions=combining([operand], element_type, body),
        **at,
    )


def cross_replica_sum(operand: ir.Value, replica_groups: Groups, **at: Unpack[At]) -> Value:
    """The sum of the operands of a group."""
    return one("stablehlo.cross-replica-sum", (operand,), {"replica_groups": replica_groups}, **at)


# Asynchronous --------------------------------------------------------------------------------------------------------


def async_start(operands: Sequence[ir.Value], body: Body, **at: Unpack[At]) -> Value:
    """Starts an op and does not wait for it.

    Args:
      operands: its operands.
      body: takes them and returns the result of one op, a collective one or a slice.
    """
    values = listed(operands)
    plans = lambda: [region([value.type for value in values], body)]  # noqa: E731
    return one("stablehlo.async_start", values, regions=plans, **at)


def async_done(future: ir.Value, **at: Unpack[At]) -> Value:
    """Waits for what `async_start` started, and gives its result."""
    return one("stablehlo.async_done", (future,), **at)
