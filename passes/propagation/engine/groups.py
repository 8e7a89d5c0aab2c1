"""Sharding groups: values with equal shardings (spec: propagation, 6.3 and 11)."""

from __future__ import annotations

from sdy.dialect.builders import sharding_constraint
from sdy.dialect.data_flow import owning_op
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.passes.propagation.engine.snapshot import Snapshot

GROUP = "sdy.sharding_group"


class ShardingGroups:
    """The groups of a module: values that share a sharding slot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._groups: dict[int, list[int]] = {}
        for members in _members(snapshot).values():
            for member in members:
                self._groups[member] = members

    def __bool__(self) -> bool:
        return bool(self._groups)

    def others(self, slot: int) -> list[int]:
        """Return the other members, in order, of the group that contains the value with that slot's number."""
        members = self._groups.get(slot)
        return [member for member in members if member != slot] if members else []


def _members(snapshot: Snapshot) -> dict[int, list[int]]:
    """The values of each group, by id."""
    groups: dict[int, list[int]] = {}
    group_of: dict[int, int] = {}
    for number in snapshot.named(GROUP):
        op = snapshot.ops[number]
        value, group = snapshot.operands[number][0], ir.IntegerAttr(op.attributes["group_id"]).value
        if group_of.setdefault(value, group) != group:
            raise DiagnosticError(op, f"expected a value to be in one group, but this one is in {group_of[value]}, too")
        members = groups.setdefault(group, [])
        if value not in members:
            members.append(value)
    return dict(sorted(groups.items()))


def synchronise_groups(snapshot: Snapshot) -> bool:
    """Gives the members of each group the same sharding; returns whether the IR changed.

    Members with different shardings are replaced by open constraints, which propagation fills. Raises `DiagnosticError`
    where a value is in two groups.
    """
    groups = _members(snapshot)
    for members in groups.values():
        _synchronise([snapshot.value(member) for member in members])
    return bool(groups)


def _synchronise(members: list[ir.Value]) -> None:
    shardings = [get_sharding(member) for member in members]
    if len(members) > 1:
        shardings = [sharding for sharding in shardings if sharding is not None and not _says_nothing(sharding)]
    common = next(iter(shardings), None)
    if common is None:
        return
    if all(sharding == common for sharding in shardings):
        for member in members:
            set_sharding(member, common)
        return
    warning(owning_op(members[0]), "the values of a sharding group have different shardings; they are left open")
    for member in members:
        _constrain(member, TensorSharding.open(common.mesh_or_ref, common.rank))


def _says_nothing(sharding: TensorSharding) -> bool:
    return all(not dim.axes and not dim.is_closed for dim in sharding.dims)


def _constrain(member: ir.Value, sharding: TensorSharding) -> None:
    """Puts a constraint right behind the definition of `member`, for all its users."""
    op = owning_op(member)
    assert op is not None
    if isinstance(member, ir.BlockArgument):
        place = ir.InsertionPoint.at_block_begin(member.owner)
    else:
        place = ir.InsertionPoint.after(op)
    constraint = sharding_constraint(member, sharding, loc=op.location, ip=place)
    member.replace_all_uses_except(constraint, [constraint.owner.operation])
