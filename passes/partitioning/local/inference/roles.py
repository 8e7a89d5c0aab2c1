"""Whether each device computes its part by itself: what types do not tell (spec: type-inference, 3.4)."""

from __future__ import annotations

from sdy.dialect.data_flow import interface, is_data_flow_op
from sdy.dialect.lowering.agreement import agree
from sdy.dialect.lowering.generic_lowering import check_alike, named_tensor
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.lowering.partial_results import is_reduced_by_users, local_rule, whole_factors
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import model_with, target_of
from sdy.dialect.shardings.value_shardings import get_sharding


def check_roles(op: ShardedOp, layouts: Layouts) -> None:
    """That the dimensions along which the op's tensors are sharded allow it.

    Raises:
      DiagnosticError: at the op, if they do not, or if nothing is known about them.
    """
    if not any(layout.sharded_dims for layout in (*op.operand_layouts, *op.result_layouts)):
        return
    name = op.op.name
    model = model_with("check_parts", name, target_of(op.op))
    if model is not None:
        problem = model.check_parts(op)
    elif name.startswith(("sdy.", "func.")):
        problem = None
    elif is_data_flow_op(name):
        problem = _flows(op, layouts)
    elif is_elementwise(op.op) and _have_one_shape(op):
        problem = check_alike(op)
    else:
        problem = _by_rule(op, layouts)
    if problem is not None:
        op.fail(f"cannot be computed on the parts of devices: {problem}")


def _have_one_shape(op: ShardedOp) -> bool:
    return len({layout.shape for layout in (*op.operand_layouts, *op.result_layouts) if layout.rank}) == 1


def _flows(op: ShardedOp, layouts: Layouts) -> str | None:
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


def _by_rule(op: ShardedOp, layouts: Layouts) -> str | None:
    rule = local_rule(op)
    if rule is None:
        return "it has no sharding rule, by which its dimensions would be known"
    model = model_with("localize", op.op.name, target_of(op.op))
    reductions = (model is not None and model.partial_results) or is_reduced_by_users(op)
    whole = whole_factors(op.op, rule)
    fitting = agree(rule, op.operand_layouts, op.result_layouts, layouts, reductions=reductions, whole=whole)
    given = (*op.operand_layouts, *op.result_layouts)
    for number, (have, want) in enumerate(zip(given, (*fitting.operands, *fitting.results), strict=True)):
        if have.placement != want.placement:
            return f"{named_tensor(op, number)} is sharded as {_shown(have)}, where its dimensions allow {_shown(want)}"
    return None


def _shown(layout: Layout) -> str:
    return "a whole" if layout.sharding is None else str(layout.sharding)
