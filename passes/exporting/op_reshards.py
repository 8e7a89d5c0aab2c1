"""Reshards around one op that is neither a call nor has data-flow edges (spec: export-passes, 5.1, 5.5, 5.6, 5.9)."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect import attributes, ops
from sdy.dialect.attributes import SHARDING_RULE
from sdy.dialect.axes import AxisList, difference
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.op_properties import is_elementwise, is_static_shaped
from sdy.dialect.ops import OPS
from sdy.dialect.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.passes.exporting.insertion import after, before, redirect_other_uses
from sdy.passes.exporting.known_shardings import Shardings
from sdy.passes.exporting.op_plan import OpPlan, OpTensors, Shapes, full_plan, partial_plan
from sdy.passes.exporting.reduction_kind import reduction_kind
from sdy.passes.exporting.sharding_matcher import ShardingMatcher, closed_like
from sdy.passes.exporting.single_device import move_to_single_device
from sdy.passes.propagation.rules.registry import is_users, rule_of

_DOTS = ("stablehlo.dot", "stablehlo.dot_general")

TREATED_IN_EITHER_VERSION = (*_DOTS, "stablehlo.concatenate", "mhlo.ragged_dot")
"""The ops that may be resharded without the full version even if nothing is unreduced or on a single device."""

_WITH_BODY = ("stablehlo.reduce", "stablehlo.scatter")
_WITHOUT_RULE = frozenset(OPS) - {"sdy.sharding_constraint"}
_REDUCING_LISTED = {"sdy.all_reduce": "reduction_axes", "sdy.reduce_scatter": "reduce_scatter_axes"}
_REDUCING = ("stablehlo.all_reduce", "stablehlo.reduce_scatter")


@dataclass(frozen=True)
class Treatment:
    """What is done to ops: see the options of `sdy-insert-explicit-reshards`."""

    full: bool
    mark_partial: bool
    custom_rules: bool


class OpResharder:
    """Treats ops one by one; a plan is made once for all ops with equal rules, shardings and shapes."""

    def __init__(self, matcher: ShardingMatcher, treatment: Treatment, *, plain: bool) -> None:
        """`plain` says that no sharding in the function has unreduced axes or is on a single device."""
        self._matcher = matcher
        self._known = matcher.known
        self._treatment = treatment
        self._plain = plain
        self._plans: dict[tuple, tuple[OpPlan | None, OpTensors]] = {}

    def visit(self, op: ir.Operation) -> None:
        """Reduces unreduced operands, then makes operands, op and results fit."""
        name = op.name
        results = self._known.of_results(op, name)
        full = self._treatment.full or self._is_always_full(op, name)
        if not self._plain:
            self._reduce_operands(op, name, results)
            results = self._known.bypassing_barriers(op.results)
            if any(self._matcher.is_on_single_device(sharding) for sharding in results):
                move_to_single_device(op, results, self._matcher)
                return
        plan = self._plan(op, name, results, full=full)
        if plan is None:
            return
        self._reshard(op, plan)
        if plan.partial_axes and len(op.results):
            self._reduce_results(op, plan)

    # Unreduced operands --------------------------------------------------------------------------

    def _reduce_operands(self, op: ir.Operation, name: str, results: Shardings) -> None:
        """All-reduces operands over the axes that are not unreduced in the results (5.9).

        Ops that reduce themselves are spared: a second reduction would count every value several times.
        """
        operands = [self._known.of(value) for value in op.operands]
        if not any(sharding is not None and sharding.unreduced for sharding in operands) or name in _REDUCING:
            return
        unreduced = [() if sharding is None else sharding.unreduced for sharding in results]
        if any(axes != unreduced[0] for axes in unreduced):
            raise DiagnosticError(op, "has an unreduced operand, and results that differ in their unreduced axes")
        user = results[0] if results else None
        if user is not None and name in _REDUCING_LISTED:
            kind = Reduction(op.attributes["reduction_op"].value)
            user = user.with_unreduced((*user.unreduced, *_reduced_axes(op)), kind)
        for index, value in enumerate(op.operands):
            reduced = self._matcher.reduced(value, user, before(op))
            if reduced != value:
                op.operands[index] = reduced

    # Plans ---------------------------------------------------------------------------------------

    def _plan(self, op: ir.Operation, name: str, results: Shardings, *, full: bool) -> OpPlan | None:
        """What to do around `op`; None if that is nothing, or there is no rule or mesh to go by."""
        if name in _WITHOUT_RULE and SHARDING_RULE not in op.attributes:
            return None
        values = list(op.operands)
        operands = self._known.bypassing_barriers(values)
        if self._fits(op, operands, results):
            return None
        rule = rule_of(op)
        if rule is None or (rule.is_custom and not self._treatment.custom_rules):
            return None
        types = (*(value.type for value in values), *op.results.types)
        # Rules and shardings are mostly the very same objects, which is cheaper to see than that they are equal. The
        # cache keeps them alive, so that no other object gets the identity of one of them.
        key = (name, full, id(rule), *map(id, operands), *map(id, results), *map(hash, types))
        cached = self._plans.get(key)
        if cached is None:
            tensors = OpTensors(rule, operands, results, _shapes(types))
            cached = self._plans[key] = (self._make_plan(name, tensors, full=full), tensors)
        return cached[0]

    def _fits(self, op: ir.Operation, operands: Shardings, results: Shardings) -> bool:
        """Whether `op` is element-wise on tensors that are all sharded alike: the bulk of most programs."""
        first = results[0] if results else None
        for sharding in operands:
            if sharding is not first:
                return False
        return is_elementwise(op) and SHARDING_RULE not in op.attributes and not is_users(op.name)

    def _is_always_full(self, op: ir.Operation, name: str) -> bool:
        """Whether the op is treated fully in either version of the pass.

        That depends on what its operands are before any is reduced; barriers are not looked through for it.
        """
        if name == "stablehlo.concatenate":
            result = self._known.of(op.results[0])
            return any(self._known.of(value) != result for value in op.operands)
        return name == "mhlo.ragged_dot"

    def _make_plan(self, name: str, tensors: OpTensors, *, full: bool) -> OpPlan | None:
        is_reshape = name == "stablehlo.reshape"
        if full:
            plan = full_plan(tensors, self._matcher.meshes, is_reshape=is_reshape)
        else:
            plan = partial_plan(tensors, self._matcher.meshes, is_dot=name in _DOTS, is_reshape=is_reshape)
        return None if plan is None or plan.is_nothing else plan

    # Insertion -----------------------------------------------------------------------------------

    def _reshard(self, op: ir.Operation, plan: OpPlan) -> None:
        """Reshards operands before the op, and results, which get new shardings, behind it to the old ones (5.5)."""
        for index, sharding in enumerate(plan.operands):
            if sharding is not None:
                op.operands[index] = self._matcher.reshard(op.operands[index], sharding, before(op))
        behind = after(op)
        for index, sharding in enumerate(plan.results):
            if sharding is not None:
                value = op.results[index]
                old = self._known.of(value) or closed_like(plan.mesh, value)
                self._known.change_result(op, index, sharding)
                moved = self._matcher.reshard(value, old, behind)
                redirect_other_uses(value, moved, moved.owner.operation)

    def _reduce_results(self, op: ir.Operation, plan: OpPlan) -> None:
        """All-reduces every result over the axes of reduction factors that it is not unreduced over (5.6)."""
        axes, kind = self._axes_to_reduce(op, plan), _partial_kind(op)
        if not axes or kind is None:
            return
        behind = after(op)
        for index, value in enumerate(op.results):
            sharding = self._known.of(value) or closed_like(plan.mesh, value)
            reduced = ops.all_reduce(value, axes, sharding, kind, loc=op.location, ip=behind)
            self._known.put(reduced, sharding)
            redirect_other_uses(value, reduced, reduced.owner.operation)
            if self._treatment.mark_partial and (not sharding.unreduced or sharding.reduction is kind):
                mesh = self._matcher.mesh(sharding)
                unreduced = mesh.sort_and_merge((*sharding.unreduced, *axes))
                self._known.change_result(op, index, sharding.with_unreduced(unreduced, kind))

    def _axes_to_reduce(self, op: ir.Operation, plan: OpPlan) -> AxisList:
        mesh = self._matcher.meshes.resolve(plan.mesh)
        assert mesh is not None
        first: TensorSharding | None = self._known.of(op.results[0])
        unreduced = () if first is None else first.unreduced
        return mesh.sort_and_merge(difference(plan.partial_axes, unreduced, mesh.axis_sizes))


def _reduced_axes(op: ir.Operation) -> AxisList:
    """The axes over which an `sdy.all_reduce` or `sdy.reduce_scatter` reduces."""
    value = attributes.get(op, _REDUCING_LISTED[op.name])
    return value.axes if op.name == "sdy.all_reduce" else tuple(axis for axes in value.lists for axis in axes)


def _partial_kind(op: ir.Operation) -> Reduction | None:
    """How partial results of `op` combine; None if no `sdy.all_reduce` can do it, and the local conversion has to."""
    return reduction_kind(op) if op.name in _WITH_BODY else Reduction.SUM


def _shapes(types: tuple[ir.Type, ...]) -> Shapes:
    return tuple(tuple(type_.shape) if is_static_shaped(type_) else None for type_ in types)
