"""Plans of the reshards around ops, made once for equal ops."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from sdy.dialect.builders import OPS
from sdy.dialect.definition.attributes import value_of
from sdy.dialect.op_properties import is_elementwise, is_static_shaped
from sdy.dialect.ops.rules import create_rule, facts_for_rule, is_users
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import MeshRef, Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.per_context import PerContext
from sdy.passes.exporting.explicit_reshards.sharding_matcher import Shardings
from sdy.passes.op_axes.op_plan import OpPlan, OpTensors, Shapes, full_plan, partial_plan

_DOTS = ("stablehlo.dot", "stablehlo.dot_general")
_CONCATENATE = "stablehlo.concatenate"
_ALWAYS_FULL = "mhlo.ragged_dot"
_BITCAST = "stablehlo.bitcast_convert"

TREATED_IN_EITHER_VERSION = (*_DOTS, _CONCATENATE, _ALWAYS_FULL)
"""The ops that may be resharded without the full version even if nothing is unreduced or on a single device."""

WITHOUT_RULE = frozenset(OPS) - {"sdy.sharding_constraint"}
"""Ops that stay as they are unless a rule is attached to them."""


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
        facts = facts_for_rule(op) if rule is None else id(rule)
        if facts is None:
            rule = create_rule(op)
            facts = id(rule)
        types = [value.type for value in values]
        types += op.results.types
        key = (name, full, facts, *map(id, operands), *map(id, results), *map(address, types))
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
    return kept[key]


def is_always_full(name: str, operands: Shardings, results: Shardings) -> bool:
    """Return whether ops of that name with these shardings are treated fully in either version of the pass."""
    if name == _CONCATENATE:
        return any(sharding != results[0] for sharding in operands)
    return name == _ALWAYS_FULL


def _shapes(types: Sequence[ir.Type]) -> Shapes:
    return tuple(tuple(type_.shape) if is_static_shaped(type_) else None for type_ in types)
