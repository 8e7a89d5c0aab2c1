"""Ops that need data of neighbouring devices, and dimensions along which they do not (spec: partitioner, 3.2, 3.5)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.op_properties import is_elementwise, is_terminator
from sdy.dialect.ops.model import has_users_access, windows_of
from sdy.dialect.ops.reshape import is_equivalent, moves_no_data
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import users
from sdy.mlir.search import ops_except
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer

if TYPE_CHECKING:
    from sdy.passes.partitioning.analysis.intervals import Access

_NEIGHBOURLESS = frozenset(
    f"stablehlo.{name}" for name in "broadcast_in_dim constant dot dot_general iota reduce transpose".split()
)
"""Frequent ops that, like elementwise ones, need nothing of neighbouring shards, unless a rule on the op says so."""

_FREQUENT = (
    *sorted(_NEIGHBOURLESS),
    *(
        f"stablehlo.{name}"
        for name in (
            "add and compare convert divide exponential log maximum minimum multiply negate or power return rsqrt "
            "select sqrt subtract tanh"
        ).split()
    ),
    *("func.call", "sdy.all_reduce", "sdy.constant"),
)
"""Ops that are not looked at one by one."""


def ops_needing_halo(module: ir.Operation) -> list[ir.Operation]:
    """The ops in question, nested ones first."""
    found: list[ir.Operation] = []
    by_name: dict[str, bool] = {}
    for op in ops_except(module, _FREQUENT, unless_with=SHARDING_RULE):
        name = op.name
        needs = by_name.get(name)
        if needs is None:
            needs = _may_need_neighbours(op, name)
            if name != _BITCAST:
                by_name[name] = needs
        if needs or (SHARDING_RULE in op.attributes and name.startswith("stablehlo.") and not is_terminator(op)):
            found.append(op)
    return found


_BITCAST = "stablehlo.bitcast_convert"
"""Elementwise or not, depending on the types."""


def _may_need_neighbours(op: ir.Operation, name: str) -> bool:
    """Return whether an op without a rule on it may need anything of neighbouring shards."""
    if has_users_access(op):
        return True
    if not name.startswith("stablehlo.") or name in _NEIGHBOURLESS:
        return False
    return not is_elementwise(op) and not is_terminator(op)


# Dimensions along which nothing is needed --------------------------------------------------------


def keeps_shards(op: ir.Operation, layouts: Layouts, known: dict[Hashable, bool]) -> bool:
    """Return whether a slice, pad or reshape leaves all sharded dimensions as they are.

    False if that takes a closer look. `known` caches answers about layouts of `layouts`.
    """
    name = op.name
    if name not in ("stablehlo.slice", "stablehlo.pad", "stablehlo.reshape") or has_users_access(op):
        return False
    value = op.results[0]
    source, target = layouts.of_value(op.operands[0]), layouts.of_value(value)
    if name == "stablehlo.reshape":
        if (source, target) not in known:
            stays = moves_no_data(source, target) and is_equivalent(source, target, non_divisible=True)
            known[source, target] = stays
        return known[source, target]
    if source.mesh != target.mesh or source.dim_axes != target.dim_axes or not source.divides:
        return False
    if name == "stablehlo.pad" and any(user.name == "sdy.reshard" for user in users(value)):
        return False
    windows = [window for window in windows_of(op) if source.is_sharded(window.source_dim)]
    return all(window.is_trivial and window.made == source.shape[window.source_dim] > 0 for window in windows)


def sliced_dims(op: ir.Operation) -> list[int] | None:
    """Return the dimensions in which a slice omits elements; None if it omits elements in between."""
    cut = views.Slice(op)
    if any(stride != 1 for stride in cut.strides):
        return None
    sizes = zip(cut.operand.type.shape, cut.result.type.shape, strict=True)
    return [dim for dim, (size, left) in enumerate(sizes) if size != left]


def is_free_slice(access: Access) -> bool:
    """Return whether the slice is a prefix whose parts are as large as those of the operand."""
    return access.low == 0 and access.stride == 1 and access.part == access.target


def is_free_pad(access: Access) -> bool:
    """Return whether the elements of each part of the operand are in the part of the result on the same device."""
    return access.dilation == 1 and access.needed_by_reference.is_local


def is_free(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """Return whether each device has all that the op needs along `dim` of an operand with that layout."""
    if op.name == "stablehlo.dynamic_update_slice":
        return is_free_update(op, layout, dim)
    (window,) = [window for window in windows_of(op) if window.source_dim == dim]
    if min(layout.shape[dim], window.made) < 0:
        return False
    from sdy.passes.partitioning.analysis.intervals import Access

    access = Access.slide(window, layout)
    return is_free_pad(access) if op.name == "stablehlo.pad" else is_free_slice(access)


def is_free_update(op: ir.Operation, layout: Layout, dim: int) -> bool:
    """Return whether the update lies within one part of the operand."""
    written = views.DynamicUpdateSlice(op)
    size, update = layout.shape[dim], written.update.type.shape[dim]
    if size < 0 or update < 0:
        return False
    if update == 1:
        return True
    start = splat_integer(written.start_indices[dim])
    if start is None:
        return False
    start = max(0, min(start, size - update))
    part = max(1, -(-size // layout.shards[dim]))
    return start // part == (start + update - 1) // part


# Windows that grow along one dimension, as those of cumulative sums ---------------------------------

SCANNED = "sdy.scanned"
"""The mark of windows that were a scan: the dimension that was scanned."""


@dataclass(frozen=True)
class Growing:
    """The dimension along which windows grow, from its beginning or up to its end."""

    dim: int
    from_end: bool


def growing(op: ir.Operation) -> Growing | None:
    """Return the growing window of a reduce_window, if it is the only one."""
    windows, shape = windows_of(op), op.operands[0].type.shape
    windowed = [window for window in windows if window.size > 1]
    if len(windowed) != 1 or op.results[0].type.shape != shape or min(shape, default=0) <= 0:
        return None
    if any((each.stride, each.source_dilation, each.window_dilation) != (1, 1, 1) for each in windows):
        return None
    (window,) = windowed
    if window.size < shape[window.source_dim] or {window.low, window.high} != {0, window.size - 1}:
        return None
    is_padded = any(each.low or each.high for each in windows if each != window)
    return None if is_padded else Growing(window.source_dim, window.low == 0)
