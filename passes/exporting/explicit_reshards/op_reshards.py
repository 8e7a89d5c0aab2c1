"""Reshards around ops, edges, calls and functions (spec: export-passes, 5)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from sdy.dialect import builders
from sdy.dialect.builders import OPS
from sdy.dialect.data_flow import DataFlowOp, interface
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, value_of
from sdy.dialect.op_properties import is_elementwise, is_static_shaped
from sdy.dialect.ops.rules import RuleFacts, create_rule, is_users, reduction_of
from sdy.dialect.replica_groups import axes_of_groups
from sdy.dialect.shardings.attribute_shardings import result_shardings, set_op_shardings, summed_axes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS, filled_arg_shardings, set_sharding
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import is_return
from sdy.mlir.per_context import PerContext
from sdy.mlir.rewriting import after, after_value, before, redirect_other_uses, terminator
from sdy.passes.exporting.explicit_reshards.sharding_matcher import (
    ShardingMatcher,
    Shardings,
    closed_like,
    reduction_kind,
)
from sdy.passes.op_axes.op_plan import OpPlan, OpTensors, Shapes, full_plan, partial_plan

_DOTS = ("stablehlo.dot", "stablehlo.dot_general")
_CONCATENATE = "stablehlo.concatenate"
_ALWAYS_FULL = "mhlo.ragged_dot"
_BITCAST = "stablehlo.bitcast_convert"

TREATED_IN_EITHER_VERSION = (*_DOTS, _CONCATENATE, _ALWAYS_FULL)
"""The ops that may be resharded without the full version even if nothing is unreduced or on a single device."""

WITHOUT_RULE = frozenset(OPS) - {"sdy.sharding_constraint"}
"""Ops that stay as they are unless a rule is attached to them."""

_identity = object.__hash__
"""A number for each object, as `id` is, which takes ten times as long under an audit hook (see `PerContext`)."""


@dataclass(frozen=True)
class Treatment:
    """Options of `sdy-insert-explicit-reshards` that concern single ops."""

    full: bool
    mark_partial: bool
    custom_rules: bool


class Plans:
    """The plans made so far in a context: one for all ops with equal rules, shardings and types.

    Lookups use the identities of shardings and rules, which are usually shared objects; comparing identities is cheaper
    than comparing values. Each plan keeps these objects, so that their identities stay unique. A rule that is not on
    the op is represented by its inputs, so that it need not be made.
    """

    def __init__(self, meshes: MeshTable, treatment: Treatment) -> None:
        self.meshes = meshes
        self.treatment = treatment
        self.rule_facts = RuleFacts()
        self._made: dict[tuple[Hashable, ...], tuple[OpPlan | None, ShardingRule | None, Shardings, Shardings]] = {}
        self._axes: dict[tuple[MeshRef, AxisList, AxisList], AxisList] = {}
        self._marked: dict[tuple[TensorSharding, AxisList, Reduction], TensorSharding] = {}
        self._rules: dict[int, ShardingRule] = {}
        """By the address of the attribute; attributes are never freed before their context."""
        self._identities: dict[int, bool] = {}
        """True for rules of element-wise ops, by address of the attribute."""
        self._elementwise: dict[str, bool] = {}
        """By name, whether ops are element-wise; those are not listed so that are it for some types only."""

    def of(
        self,
        op: ir.Operation,
        name: str,
        attached: ir.Attribute | None,
        values: Sequence[ir.Value],
        operands: Shardings,
        results: Shardings,
        *,
        full: bool,
    ) -> OpPlan | None:
        """Return the plan of `op`; None if it needs no change, or has no rule or mesh.

        `name` is the op's name, `attached` the rule on it, `values` are its operands, `operands` and `results` the
        shardings. With `full` the op is handled completely in either version of the pass.
        """
        if self._fits(op, name, attached, operands, results):
            return None
        full = full or self.treatment.full
        rule = None if attached is None else self._rules.get(address(attached)) or self._rule(attached)
        facts = self.rule_facts.of(op, name) if rule is None else _identity(rule)
        if facts is None:
            rule = create_rule(op)
            facts = _identity(rule)
        types = [value.type for value in values]
        types += op.results.types
        key = (name, full, facts, *map(_identity, operands), *map(_identity, results), *map(address, types))
        made = self._made.get(key)
        if made is None:
            rule = rule or create_rule(op)
            plan = self._make(name, rule, operands, results, types, full=full)
            made = self._made[key] = (plan, rule, operands, results)
        elif made[1] is None:
            create_rule(op)  # which tells that there is none
        return made[0]

    @property
    def is_full(self) -> bool:
        return len(self._made) > _MOST

    def axes_to_reduce(self, plan: OpPlan, unreduced: AxisList) -> AxisList:
        """Return the axes along which results are partial, except those over which they stay unreduced."""
        key = plan.mesh, plan.partial_axes, unreduced
        axes = self._axes.get(key)
        if axes is None:
            mesh = self.meshes.resolve(plan.mesh)
            assert mesh is not None
            left = difference(plan.partial_axes, unreduced, mesh.axis_sizes)
            axes = self._axes[key] = mesh.sort_and_merge(left)
        return axes

    def made_partial(self, sharding: TensorSharding, axes: AxisList, kind: Reduction) -> TensorSharding:
        """Return `sharding`, unreduced over `axes` in addition."""
        key = sharding, axes, kind
        marked = self._marked.get(key)
        if marked is None:
            mesh = self.meshes.of(sharding)
            assert mesh is not None
            unreduced = mesh.sort_and_merge((*sharding.unreduced, *axes))
            marked = self._marked[key] = sharding.with_unreduced(unreduced, kind)
        return marked

    def _fits(
        self, op: ir.Operation, name: str, attached: ir.Attribute | None, operands: Shardings, results: Shardings
    ) -> bool:
        """Return whether `op` is element-wise on tensors that are all sharded alike: the bulk of most programs."""
        first = results[0] if results else None
        for sharding in operands:
            if sharding is not first:
                return False
        elementwise = self._elementwise.get(name)
        if elementwise is None:
            elementwise = self._elementwise[name] = is_elementwise(op) and name != _BITCAST
        if not elementwise:
            return False
        return not is_users(name) if attached is None else self._is_identity(attached)

    def _rule(self, attached: ir.Attribute) -> ShardingRule:
        rule = self._rules[address(attached)] = value_of(attached)
        return rule

    def _is_identity(self, attached: ir.Attribute) -> bool:
        """Return whether the rule is that of an element-wise op."""
        found = self._identities.get(address(attached))
        if found is None:
            rule = value_of(attached)
            identity = ShardingRule.identity(rule.factor_sizes, len(rule.operands), len(rule.results))
            found = self._identities[address(attached)] = replace(rule, is_custom=False) == identity
        return found

    def _make(
        self,
        name: str,
        rule: ShardingRule | None,
        operands: Shardings,
        results: Shardings,
        types: Sequence[ir.Type],
        *,
        full: bool,
    ) -> OpPlan | None:
        if rule is None or (rule.is_custom and not self.treatment.custom_rules):
            return None
        tensors, is_reshape = OpTensors(rule, operands, results, _shapes(types)), name == "stablehlo.reshape"
        if full:
            plan = full_plan(tensors, self.meshes, is_reshape=is_reshape)
        else:
            plan = partial_plan(tensors, self.meshes, is_dot=name in _DOTS, is_reshape=is_reshape)
        return None if plan is None or plan.is_nothing else plan


MAYBE_ALWAYS_FULL = (_CONCATENATE, _ALWAYS_FULL)
"""The ops of which some are treated fully in either version."""


_kept: PerContext[dict[Hashable, Plans]] = PerContext(dict)
"""By treatment and meshes."""

_KEPT = 8
"""Number of entries that a context keeps."""

_MOST = 1 << 15
"""Number of kinds of ops that are kept for the next module."""


def plans_for(context: ir.Context, meshes: MeshTable, treatment: Treatment) -> Plans:
    """The plans made so far in a context for modules with these meshes."""
    kept, key = _kept.of(context), (treatment, tuple(meshes.by_name.items()))
    if key not in kept or kept[key].is_full:
        if len(kept) == _KEPT:
            kept.clear()
        kept[key] = Plans(meshes, treatment)
    kept[key].rule_facts = RuleFacts()  # users may have declared other rules
    return kept[key]


def is_always_full(name: str, operands: Shardings, results: Shardings) -> bool:
    """Return whether ops of that name with these shardings are treated fully in either version of the pass."""
    if name == _CONCATENATE:
        return any(sharding != results[0] for sharding in operands)
    return name == _ALWAYS_FULL


def _shapes(types: Sequence[ir.Type]) -> Shapes:
    return tuple(tuple(type_.shape) if is_static_shaped(type_) else None for type_ in types)


def move_to_single_device(op: ir.Operation, results: Shardings, matcher: ShardingMatcher) -> None:
    """Moves all operands of `op` to its device, and its results back to the mesh of the other devices.

    Only tensors move; tokens keep their shardings. Every move between the meshes goes through a replicated sharding.
    Without a mesh with axes `op` stays as it is.
    """
    found = matcher.meshes.global_mesh()
    device = _device(op, results, matcher)
    if found is None:
        return
    everywhere = found[0]
    for index, value in enumerate(op.operands):
        if isinstance(value.type, ir.RankedTensorType):
            op.operands[index] = _moved_to(value, device, everywhere, matcher, before(op))
    behind = after(op)
    shardings: list[TensorSharding] = []
    for value, old in zip(op.results, results, strict=True):
        if isinstance(value.type, ir.RankedTensorType):
            _move_back(value, old, everywhere, matcher, behind)
            shardings.append(TensorSharding(device))
        else:
            assert old is not None
            shardings.append(old)
    if op.name in INHERENT_SHARDINGS:
        set_sharding(op.results[0], shardings[0])
    else:
        set_op_shardings(op, shardings)
    for value, sharding in zip(op.results, shardings, strict=True):
        matcher.known.put(value, sharding)


def _device(op: ir.Operation, results: Shardings, matcher: ShardingMatcher) -> MeshRef:
    """Return the mesh of the single device that results of `op` are on, as named by the last such result."""
    on_device = [sharding for sharding in results if sharding is not None and matcher.is_on_single_device(sharding)]
    devices = {matcher.mesh(sharding).device_ids for sharding in on_device}
    if len(devices) > 1:
        raise DiagnosticError(op, "has results on different single devices")
    return on_device[-1].mesh_or_ref


def _moved_to(
    value: ir.Value, device: MeshRef, everywhere: MeshRef, matcher: ShardingMatcher, place: ir.InsertionPoint
) -> ir.Value:
    sharding = matcher.known.of(value) or closed_like(everywhere, value)
    is_replicated = sharding.is_fully_replicated and not sharding.unreduced
    if is_replicated and sharding.mesh_or_ref == device:
        return value
    if not is_replicated or sharding.mesh_or_ref != everywhere:
        value = matcher.reshard(value, closed_like(everywhere, value), place)
    return matcher.reshard(value, TensorSharding(device), place)


def _move_back(
    value: ir.Value,
    old: TensorSharding | None,
    everywhere: MeshRef,
    matcher: ShardingMatcher,
    place: ir.InsertionPoint,
) -> None:
    """Redirects the uses of `value` to a copy on all devices, sharded as `value` was unless that was on one device."""
    replicated = closed_like(everywhere, value)
    first = matcher.reshard(value, replicated, place)
    last = first
    if old is not None and old != replicated and not matcher.is_on_single_device(old):
        last = matcher.reshard(first, old, place)
    redirect_other_uses(value, last, first.owner.operation)


_WITH_BODY = ("stablehlo.reduce", "stablehlo.scatter")
_REDUCING_LISTED = ("sdy.all_reduce", "sdy.reduce_scatter")
_REDUCING = ("stablehlo.all_reduce", "stablehlo.reduce_scatter")


class OpResharder:
    """Reshards the ops of one function one by one."""

    def __init__(self, matcher: ShardingMatcher, plans: Plans, *, plain: bool) -> None:
        """`plain` says that no sharding in the function has unreduced axes or is on a single device."""
        self._matcher = matcher
        self._known = matcher.known
        self._plans = plans
        self._plain = plain

    def visit(self, op: ir.Operation) -> None:
        """Reduces unreduced operands, then makes operands, op and results fit."""
        name, stored = op.name, op.attributes
        results = self._known.of_results(op, name, stored.get(SHARDING))
        # What the operands are before any is reduced decides; barriers are not looked through for it.
        full = name in MAYBE_ALWAYS_FULL and is_always_full(name, tuple(map(self._known.of, op.operands)), results)
        if not self._plain:
            self._reduce_operands(op, name, results)
            results = self._known.bypassing_barriers(op.results)
            if any(self._matcher.is_on_single_device(sharding) for sharding in results):
                self._matcher.has_changed = True
                move_to_single_device(op, results, self._matcher)
                return
        attached = stored.get(SHARDING_RULE)
        if attached is None and name in WITHOUT_RULE:
            return
        values = list(op.operands)
        operands = self._known.bypassing_barriers(values)
        plan = self._plans.of(op, name, attached, values, operands, results, full=full)
        if plan is not None:
            self.follow(plan, op)

    def follow(self, plan: OpPlan, op: ir.Operation) -> None:
        """Inserts the reshards of the plan for `op`."""
        self._matcher.has_changed = True
        self._reshard(op, plan)
        if plan.partial_axes and len(op.results):
            self._reduce_results(op, plan)

    # Unreduced operands --------------------------------------------------------------------------

    def _reduce_operands(self, op: ir.Operation, name: str, results: Shardings) -> None:
        """All-reduces operands over the axes that are not unreduced in the results (5.9).

        Axes along which the op reduces itself stay: a second reduction would count every value several times.
        """
        operands = [self._known.of(value) for value in op.operands]
        if not any(sharding is not None and sharding.unreduced for sharding in operands):
            return
        unreduced = [() if sharding is None else sharding.unreduced for sharding in results]
        if any(axes != unreduced[0] for axes in unreduced):
            raise DiagnosticError(op, "has an unreduced operand, and results that differ in their unreduced axes")
        user = results[0] if results else None
        if user is not None and name in _REDUCING_LISTED:
            kind = Reduction(op.attributes["reduction_op"].value)
            user = user.with_unreduced((*user.unreduced, *summed_axes(op)), kind)
        for index, (value, sharding) in enumerate(zip(list(op.operands), operands, strict=True)):
            if name in _REDUCING and sharding is not None:
                summed = axes_of_groups(op, self._matcher.mesh(sharding))
                if summed is None:
                    continue
                user = sharding.with_unreduced((*unreduced[0], *summed))
            reduced = self._matcher.reduced(value, user, before(op))
            if reduced != value:
                op.operands[index] = reduced

    # Insertion -----------------------------------------------------------------------------------

    def _reshard(self, op: ir.Operation, plan: OpPlan) -> None:
        """Reshards operands before the op, and results behind it from their new shardings to the old ones (5.5)."""
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
            reduced = builders.all_reduce(value, axes, sharding, kind, loc=op.location, ip=behind)
            self._known.put(reduced, sharding)
            redirect_other_uses(value, reduced, reduced.owner.operation)
            if self._plans.treatment.mark_partial and (not sharding.unreduced or sharding.reduction is kind):
                self._known.change_result(op, index, self._plans.made_partial(sharding, axes, kind))

    def _axes_to_reduce(self, op: ir.Operation, plan: OpPlan) -> AxisList:
        first: TensorSharding | None = self._known.of(op.results[0])
        unreduced = () if first is None else first.unreduced
        return self._plans.axes_to_reduce(plan, unreduced)


def _partial_kind(op: ir.Operation) -> Reduction | None:
    """Return the reduction of partial results of `op`; None if only the local conversion can combine them."""
    return reduction_kind(op) if op.name in _WITH_BODY else reduction_of(op)


def match_data_flow(op: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    """Matches the sources of every edge of a data-flow op to the sharding of its owner."""
    flow = interface(op)
    assert flow is not None
    for owner, target in _targets(flow):
        for use in flow.sources(owner):
            value = use.value
            if matcher.needs_match(value, target, full=full):
                use.owner.operands[use.operand_number] = matcher.matched(value, target, after_value(value), full=full)


def _targets(flow: DataFlowOp) -> Iterator[tuple[ir.Value, TensorSharding | None]]:
    """Yield every owner, and the target sharding of the sources of its edge."""
    for owners, shardings in (
        (flow.result_owners(), flow.result_shardings()),
        (flow.block_arg_owners(), flow.block_arg_shardings()),
    ):
        for index, owner in enumerate(owners):
            yield owner, None if shardings is None else flow.at_sources(owner, shardings[index])


def match_call(call: ir.Operation, callee: ir.Operation, matcher: ShardingMatcher) -> None:
    """Matches the operands of a call to the arguments of the callee, in either version of the pass."""
    operands = list(call.operands)
    targets = filled_arg_shardings(callee, matcher.meshes)
    if targets is None:
        mesh = matcher.meshes.first_non_maximal(map(matcher.known.of, operands))
        if mesh is None:
            return
        targets = [closed_like(mesh, value) for value in operands]
    for index, (value, target) in enumerate(zip(operands, targets, strict=True)):
        if matcher.needs_match(value, target, full=True):
            call.operands[index] = matcher.matched(value, target, after_value(value), full=True)


def match_returns(func: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    """Matches the operands of `return` to the results of the function."""
    shardings = result_shardings(func)
    for block in func.regions[0].blocks:
        last = terminator(block)
        if not is_return(last):
            continue
        for index, (value, target) in enumerate(zip(last.operands, shardings, strict=False)):
            if matcher.needs_match(value, target, full=full):
                last.operands[index] = matcher.matched(value, target, before(last), full=full)
