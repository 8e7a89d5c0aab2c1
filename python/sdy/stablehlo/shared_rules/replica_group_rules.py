"""Which groups of processes a collective op admits (H8), and its channel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sdy.stablehlo.attribute_readers import DenseInts, read_array, read_channel_handle, read_dense_ints, read_mesh_axes
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.shared_rules.mesh_axes import axis_sizes, has_overlap

if TYPE_CHECKING:
    from sdy.mlir import stablehlo

GROUPS = "replica_groups"


def check_replica_groups(
    op: OpFacts, unique: str, in_range: str, *, padded: bool = False, size: int | None = None, sized: str = ""
) -> None:
    """H8 for groups in dense form; of those by mesh axes that no axis is there twice, as they are checked elsewhere.

    Args:
      op: an op with the attribute `replica_groups`.
      unique, in_range: constraints that an id occurs once, and that the ids are 0, 1, ... without gaps.
      padded: whether -1 may fill up short groups.
      size: the size that groups have to have, which is the constraint `sized`.
    """
    groups = dense_groups(op)
    if groups is None:
        check_mesh_axes(op, unique)
        return
    if len(groups.shape) != 2:
        raise op.error(in_range, "replica_groups must have two dimensions")
    if op.has("use_global_device_ids") and not groups.values:
        raise op.error(in_range, "replica_groups must not be empty with use_global_device_ids")
    ids = [each for each in groups.values if each != -1] if padded else list(groups.values)
    if any(each < 0 for each in ids):
        raise op.error(in_range, "replica_groups has a negative id")
    if len(set(ids)) != len(ids):
        raise op.error(unique, "an id occurs twice in replica_groups")
    if set(ids) != set(range(len(ids))):
        raise op.error(in_range, f"replica_groups must hold the ids 0 to {len(ids) - 1}")
    if size is not None and groups.shape[1] != size:
        raise op.error(sized, f"groups must be of size {size}, not {groups.shape[1]}")


def dense_groups(op: OpFacts) -> DenseInts | None:
    """The groups if they are in dense form."""
    kept = op.kept.get(GROUPS)
    return kept if isinstance(kept, DenseInts) else read_dense_ints(op.attributes.get(GROUPS))


def check_mesh_axes(op: OpFacts, unique: str) -> None:
    """Groups along axes of a mesh name no part of it twice."""
    axes = read_mesh_axes(op.attributes.get(GROUPS))
    if axes is not None and has_overlap(axes):
        raise op.error(unique, "an axis occurs twice in replica_groups")


def check_channel(op: OpFacts, constraint: str) -> None:
    """Global device ids need a channel."""
    if op.flag("use_global_device_ids") and channel_id(op) <= 0:
        raise op.error(constraint, "use_global_device_ids needs a channel with a positive id")


def channel_id(op: OpFacts) -> int:
    """The id of the channel; 0 without one."""
    channel = op.optional("channel_handle", read_channel_handle, "a channel handle")
    return 0 if channel is None else channel.handle


def group_size(op: OpFacts) -> int | None:
    """Number of processes in a group; None if it does not follow from the op alone."""
    groups = dense_groups(op)
    if groups is not None:
        return _dense_group_size(groups)
    axes = read_mesh_axes(op.attributes.get(GROUPS))
    return None if axes is None else _mesh_group_size(op, axes)


def _dense_group_size(groups: DenseInts) -> int | None:
    # No groups at all stand for one of all processes, whose number is not known here.
    return groups.shape[1] if len(groups.shape) == 2 and groups.values else None


def _mesh_group_size(op: OpFacts, axes: stablehlo.ReplicaGroupMeshAxesAttr) -> int | None:
    sizes = axis_sizes(op, axes)
    return None if sizes is None else math.prod(sizes)


__all__ = ["GROUPS", "channel_id", "check_channel", "check_replica_groups", "group_size", "read_array"]
