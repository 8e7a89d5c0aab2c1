"""Reshards around one op that is neither a call nor has data-flow edges (spec: export-passes, 5.1, 5.5, 5.6, 5.9)."""

from __future__ import annotations

from sdy.dialect import attributes
from sdy.dialect.axes import AxisList, difference
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.passes.exporting.insertion import after, before, redirect_other_uses
from sdy.passes.exporting.known_shardings import Shardings
from sdy.passes.exporting.op_plan import OpPlan, OpTensors, Shapes, full_plan, partial_plan
from sdy.passes.exporting.reduction_kind import reduction_kind
from sdy.passes.exporting.sharding_matcher import ShardingMatcher, closed_like
from sdy.passes.exporting.single_device import is_on_single_device, move_to_single_device
from sdy.passes.propagation.rules.registry import rule_of

_DOTS = ("stablehlo.dot", "stablehlo.dot_general")
_REDUCING = ("sdy.all_reduce", "sdy.reduce_scatter")


class OpResharder:
    """Treats ops one by one; plans are made once for all ops with equal rules, shardings and shapes."""

    def __init__(self, matcher: ShardingMatcher, *, full: bool, mark_partial: bool, custom_rules: bool) -> None:
        self.matcher = matcher
        self.known = matcher.known
        self.full = full
        self.mark_partial = mark_partial
        self.custom_rules = custom_rules
        self._plans: dict[tuple, OpPlan | None] = {}

    def visit(self, op: ir.Operation) -> None:
        results = self.known.of_results(op)
        self._reduce_operands(op, results)
        if is_on_single_device(results, self.matcher.meshes):
            move_to_single_device(op, results, self.matcher)
            return
        plan = self._plan(op)
        if plan is not None:
            self._reshard(op, plan)
            self._reduce_results(op, plan)

    # Unreduced operands --------------------------------------------------------------------------

    def _reduce_operands(self, op: ir.Operation, results: Shardings) -> None:
        """All-reduces operands over axes that are not unreduced in the first result."""
        shardings = [self.known.of(value) for value in op.operands]
        if not any(sharding is not None and sharding.unreduced for sharding in shardings):
            return
        user = results[0] if results else None
        unreduced = [() if sharding is None else sharding.unreduced for sharding in results]
        if any(axes != unreduced[0] for axes in unreduced):
            raise DiagnosticError(op, "has unreduced operands and results that differ in their unreduced axes")
        if op.name in _REDUCING:
            user = self._unreduced_before(op, user)
        for index, value in enumerate(op.operands):
            reduced = self.matcher.reduced(value, user, before(op))
            if reduced != value:
                op.operands[index] = reduced
