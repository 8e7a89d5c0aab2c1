"""Shardings that are given to values one by one and written together."""

from __future__ import annotations

from sdy.dialect.data_flow import owning_op
from sdy.dialect.shardings.value_shardings import get_sharding, open_like, set_sharding, set_shardings, shardable_value
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir

_MANUAL = "sdy.manual_computation"


class ShardingWrites:
    """Reads and gives shardings of values, with lists of shardings written at the end.

    An op keeps the shardings of all its results in one list, as a function those of its arguments: n changes to it one
    by one would take n * n steps. Which edges there are must not change meanwhile. Those of manual computations are
    written at once, since they are read as demands on its operands, too.
    """

    def __init__(self) -> None:
        self._pending: dict[ir.Value, dict[ir.Value, TensorSharding]] = {}
        """The entries of each list, by the first value of the list."""
        self._meshes: dict[ir.Value, MeshRef] = {}
        """The mesh on which other entries of a list that is new are open: that of the first entry that was given."""

    def get(self, value: ir.Value) -> TensorSharding | None:
        """The sharding of `value`, None if it has none."""
        holder = shardable_value(value) if self._meshes or self._pending else None
        if holder is not None and (pending := self._pending.get(_first(holder), {}).get(holder)) is not None:
            return pending
        sharding = get_sharding(value)
        if sharding is None and holder is not None and (mesh := self._meshes.get(_first(holder))) is not None:
            return open_like(mesh, holder.type)
        return sharding

    def get_or_open(self, value: ir.Value, mesh: MeshRef) -> TensorSharding:
        """The sharding of `value`, or a fully open one on `mesh`."""
        return self.get(value) or open_like(mesh, value.type)

    def set(self, value: ir.Value, sharding: TensorSharding) -> None:
        """Gives `value` a sharding; ignored for a value that cannot have one."""
        holder = shardable_value(value)
        op = None if holder is None else owning_op(holder)
        if holder is None or op is None:
            return
        if op.name != _MANUAL and (isinstance(holder, ir.BlockArgument) or len(op.results) > 1):
            self._put(holder, sharding, is_list=op.name != "func.func")
        else:
            set_sharding(holder, sharding)

    def _put(self, holder: ir.Value, sharding: TensorSharding, is_list: bool) -> None:
        first = _first(holder)
        moves = is_list and self._meshes.setdefault(first, sharding.mesh_or_ref) != sharding.mesh_or_ref
        if moves and holder in self._pending.get(first, ()):
            # What made the list may be about to go, but its mesh stays with the other entries.
            set_shardings(self._pending.pop(first))
        self._pending.setdefault(first, {})[holder] = sharding

    def write(self) -> None:
        """Writes what is still to be written."""
        for shardings in self._pending.values():
            set_shardings(shardings)
        self._pending.clear()
        self._meshes.clear()


def _first(holder: ir.Value) -> ir.Value:
    """The first of the values whose shardings are kept in one list."""
    return holder.owner.arguments[0] if isinstance(holder, ir.BlockArgument) else holder.owner.operation.results[0]
