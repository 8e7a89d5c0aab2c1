"""Whether each device computes its part by itself: what types do not tell (spec: type-inference, 3.4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sdy.dialect.data_flow import interface, is_data_flow_op
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.passes.partitioning.emit.laid_op import LaidOp
from sdy.passes.partitioning.facts.agreement import agree
from sdy.passes.partitioning.facts.layout import Layout, Layouts
from sdy.passes.partitioning.facts.reshape_groups import is_equivalent
from sdy.passes.partitioning.facts.whole_factors import whole_factors
from sdy.passes.partitioning.local.inference import whole_dims
from sdy.passes.partitioning.local.local_rules import is_reduced_by_users, local_rule

Check = Callable[[LaidOp], str | None]
"""Says why the devices cannot compute their parts; None if they can."""


def check_roles(op: LaidOp, layouts: Layouts) -> None:
    """That the dimensions along which the op's tensors are sharded allow it.

    Raises:
      DiagnosticError: at the op, if they do not, or if nothing is known about them.
    """
    if not any(layout.sharded_dims for layout in (*op.operand_layouts, *op.result_layouts)):
        return
    name = op.op.name
    check = _CHECKS.get(name)
    if check is not None:
        problem = check(op)
    elif name.startswith(("sdy.", "func.")):
        problem = None
    elif is_data_flow_op(name):
        problem = _flows(op, layouts)
    elif is_elementwise(op.op) and _have_one_shape(op):
        problem = _alike(op)
    else:
        problem = _by_rule(op, layouts)
    if problem is not None:
        op.fail(f"cannot be computed on the parts of devices: {problem}")


def _have_one_shape(op: LaidOp) -> bool:
    return len({layout.shape for layout in (*op.operand_layouts, *op.result_layouts) if layout.rank}) == 1


def _alike(op: LaidOp) -> str | None:
    """All tensors with dimensions are placed like the first result."""
    if not op.result_layouts:
        return None
    result = op.result_layouts[0]
    for number, layout in enumerate((*op.operand_layouts, *op.result_layouts)):
        if layout.rank and layout.placement != result.placement:
            return f"{_tensor(op, number)} is not sharded like result 0"
    return None


def _flows(op: LaidOp, layouts: Layouts) -> str | None:
    """Values that become results, as in a loop, are placed like them."""
    flow = interface(op.op)
    if flow is None:
        return None
    for number, (owner, result) in enumerate(zip(flow.result_owners(), op.result_layouts, strict=False)):
        for use in flow.sources(owner):
            if layouts.of(use.value.type, get_sharding(use.value)).placement != result.placement:
                return f"a value that becomes result {number} is not sharded like it"
    return None


# By the factors of the sharding rule ---------------------------------------------------------------------------------

_COMBINED = frozenset(f"stablehlo.{name}" for name in "convolution dot dot_general gather reduce scatter".split())
"""Ops of which the devices' results are combined."""


def _by_rule(op: LaidOp, layouts: Layouts) -> str | None:
    rule = local_rule(op)
    if rule is None:
        return "it has no sharding rule, by which its dimensions would be known"
    reductions = op.op.name in _COMBINED or is_reduced_by_users(op)
    whole = whole_factors(op.op, rule)
    fitting = agree(rule, op.operand_layouts, op.result_layouts, layouts, reductions=reductions, whole=whole)
    given = (*op.operand_layouts, *op.result_layouts)
    for number, (have, want) in enumerate(zip(given, (*fitting.operands, *fitting.results), strict=True)):
        if have.placement != want.placement:
            return f"{_tensor(op, number)} is sharded as {_shown(have)}, where its dimensions allow {_shown(want)}"
    return None


def _tensor(op: LaidOp, number: int) -> str:
    count = len(op.operand_layouts)
    return f"operand {number}" if number < count else f"result {number - count}"


def _shown(layout: Layout) -> str:
    return "a whole" if layout.sharding is None else str(layout.sharding)


# By dimensions -------------------------------------------------------------------------------------------------------


def _aligned(op: LaidOp, whole: whole_dims.WholeDims | None = None) -> str | None:
    """All tensors of one rank are placed alike, others are not sharded, and neither are the dimensions in `whole`."""
    result = op.result_layouts[0]
    for number, layout in enumerate((*op.operand_layouts, *op.result_layouts)):
        if layout.rank != result.rank and layout.sharded_dims:
            return f"{_tensor(op, number)} is sharded"
        if layout.rank == result.rank and layout.shards != result.shards:
            return f"{_tensor(op, number)} is not sharded like result 0"
        if layout.rank == result.rank and result.mesh and layout.placement != result.placement:
            return f"{_tensor(op, number)} is not sharded like result 0"
    needed = [dim for dim in (whole(op) if whole is not None else ()) if dim in result.sharded_dims]
    return f"dimension {needed[0]} is needed as a whole" if needed else None


def _update(op: LaidOp) -> str | None:
    """The update is placed as the operand, which it covers along sharded dimensions."""
    return _aligned(op, whole_dims.of_update)


def _reshape(op: LaidOp) -> str | None:
    """The shardings split the elements alike."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    return None if is_equivalent(source, target) else "the shardings of operand and result do not correspond"


def _broadcast(op: LaidOp) -> str | None:
    """The operand is sharded like the result's minor dimensions."""
    source, target = op.operand_layouts[0], op.result_layouts[0]
    rest = target.dim_axes[target.rank - source.rank :]
    return None if source.dim_axes == rest else "the operand is not sharded like the result"


def _dimension_size(op: LaidOp) -> str | None:
    dim = whole_dims.of_one_dimension(op)[0]
    return f"dimension {dim} is needed as a whole" if dim in op.operand_layouts[0].sharded_dims else None


def _whole(reason: str, op: LaidOp) -> str | None:
    """For ops no tensor of which may be sharded."""
    del op
    return reason


def _free(op: LaidOp) -> str | None:
    """For ops without operands that matter."""
    del op
    return None


_SIZES = partial(_whole, "an operand says how large the whole result is")

_CHECKS: dict[str, Check] = {
    "stablehlo.broadcast": _broadcast,
    "stablehlo.composite": partial(_whole, "its decomposition is about whole tensors"),
    "stablehlo.concatenate": partial(_aligned, whole=whole_dims.of_concatenate),
    "stablehlo.constant": _free,
    "stablehlo.dynamic_slice": partial(_aligned, whole=whole_dims.of_dynamic_slice),
    "stablehlo.dynamic_update_slice": _update,
    "stablehlo.get_dimension_size": _dimension_size,
    "stablehlo.iota": _free,
    "stablehlo.map": _alike,
    "stablehlo.pad": partial(_aligned, whole=whole_dims.of_pad),
    "stablehlo.reduce_window": partial(_aligned, whole=whole_dims.of_reduce_window),
    "stablehlo.reshape": _reshape,
    "stablehlo.return": _free,
    "stablehlo.rng": _free,
    "stablehlo.reverse": partial(_aligned, whole=whole_dims.of_reverse),
    "stablehlo.select_and_scatter": partial(_aligned, whole=whole_dims.of_select_and_scatter),
    "stablehlo.set_dimension_size": partial(_aligned, whole=whole_dims.of_one_dimension),
    "stablehlo.slice": partial(_aligned, whole=whole_dims.of_slice),
    "stablehlo.sort": partial(_aligned, whole=whole_dims.of_sort),
    **{
        f"stablehlo.{name}": _SIZES
        for name in (
            "dynamic_iota dynamic_reshape dynamic_broadcast_in_dim dynamic_pad dynamic_conv dynamic_gather "
            "real_dynamic_slice"
        ).split()
    },
}
