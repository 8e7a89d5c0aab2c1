"""Reshards around one op that is neither a call nor has data-flow edges (spec: export-passes, 5.1, 5.5, 5.6, 5.9)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from sdy.dialect import attributes, ops
from sdy.dialect.attributes import SHARDING, SHARDING_RULE, value_of
from sdy.dialect.axes import AxisList, difference
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.op_properties import is_elementwise, is_static_shaped
from sdy.dialect.ops import OPS
from sdy.dialect.rule import ShardingRule
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


class Plans:
    """The plans made so far for the ops of a module: one for all ops with equal rules, shardings and types.

    They are found by the identities of rules and shardings, which are mostly the very same objects; that is cheaper to
    see than that they are equal. Each is kept with those objects, so that no other gets the identity of one of them.
    """

    def __init__(self, _module: ir.Operation) -> None:
        self.made: dict[tuple[Hashable, ...], tuple[OpPlan | None, ShardingRule | None, Shardings, Shardings]] = {}
        self.identities: dict[ir.Attribute, bool] = {}
        """Whether a rule is that of an element-wise op."""


class OpResharder:
    """Treats the ops of one function one by one."""

    def __init__(self, matcher: ShardingMatcher, treatment: Treatment, plans: Plans, *, plain: bool) -> None:
        """`plain` says that no sharding in the function has unreduced axes or is on a single device."""
        self._matcher = matcher
        self._known = matcher.known
        self._treatment = treatment
        self._plain = plain
        self._plans, self._identities = plans.made, plans.identities

    def visit(self, op: ir.Operation) -> None:
        """Reduces unreduced operands, then makes operands, op and results fit."""
        name, stored = op.name, op.attributes
        results = self._known.of_results(op, name, stored.get(SHARDING))
        rule = stored.get(SHARDING_RULE)
        full = self._treatment.full or self._is_always_full(op, name)
        if not self._plain:
            self._reduce_operands(op, name, results)
            results = self._known.bypassing_barriers(op.results)
            if any(self._matcher.is_on_single_device(sharding) for sharding in results):
                move_to_single_device(op, results, self._matcher)
                return
        plan = self._plan(op, name, rule, results, full=full)
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

    def _plan(
        self, op: ir.Operation, name: str, attached: ir.Attribute | None, results: Shardings, *, full: bool
    ) -> OpPlan | None:
        """What to do around `op`; None if that is nothing, or there is no rule or mesh to go by."""
        if attached is None and name in _WITHOUT_RULE:
            return None
        values = list(op.operands)
        operands = self._known.bypassing_barriers(values)
        if self._fits(op, name, attached, operands, results):
            return None
        rule = rule_of(op) if attached is None else value_of(attached)
        types = [value.type for value in values]
        types += op.results.types
        key = (name, full, id(rule), *map(id, operands), *map(id, results), *map(hash, types))
        made = self._plans.get(key)
        if made is None:
            plan = self._make_plan(name, rule, operands, results, types, full=full)
            made = self._plans[key] = (plan, rule, operands, results)
        return made[0]

    def _fits(
        self, op: ir.Operation, name: str, attached: ir.Attribute | None, operands: Shardings, results: Shardings
    ) -> bool:
        """Whether `op` is element-wise on tensors that are all sharded alike: the bulk of most programs."""
        first = results[0] if results else None
        for sharding in operands:
            if sharding is not first:
                return False
        if not is_elementwise(op):
            return False
        return not is_users(name) if attached is None else self._is_identity(attached)

    def _is_identity(self, attached: ir.Attribute) -> bool:
        """Whether the rule is that of an element-wise op."""
        found = self._identities.get(attached)
        if found is None:
            rule = value_of(attached)
            identity = ShardingRule.identity(rule.factor_sizes, len(rule.operands), len(rule.results))
            found = self._identities[attached] = replace(rule, is_custom=False) == identity
        return found

    def _is_always_full(self, op: ir.Operation, name: str) -> bool:
        """Whether the op is treated fully in either version of the pass.

        That depends on what its operands are before any is reduced; barriers are not looked through for it.
        """
        if name == "stablehlo.concatenate":
            result = self._known.of(op.results[0])
            return any(self._known.of(value) != result for value in op.operands)
        return name == "mhlo.ragged_dot"

    def _make_plan(
        self,
        name: str,
        rule: ShardingRule | None,
        operands: Shardings,
        results: Shardings,
        types: Sequence[ir.Type],
        *,
        full: bool,
    ) -> OpPlan | None:
        if rule is None or (rule.is_custom and not self._treatment.custom_rules):
            return None
        tensors, is_reshape = OpTensors(rule, operands, results, _shapes(types)), name == "stablehlo.reshape"
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


def _shapes(types: Sequence[ir.Type]) -> Shapes:
    return tuple(tuple(type_.shape) if is_static_shaped(type_) else None for type_ in types)
