"""Worklist of ops that need reshards, found once for equal ops of a large module.

Most ops are similar to others and need no reshards. First the ops of a sample are analysed; patterns then recognize
similar ops, so that only the others are visited one by one. This requires that the attribute `sdy.sharding` of each op
holds the shardings of its results.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

from sdy.dialect.data_flow import data_flow_names, is_data_flow_op
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, value_of
from sdy.dialect.ops.rules import has_target, known_rules, rules_of_kind
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_walk import Survey, is_plain, occurs
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES, bypass_barriers, get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import symbol_name
from sdy.mlir.pdl import (
    NOTHING,
    Function,
    NamedAttributes,
    Operand,
    Patterns,
    PatternText,
    Signature,
    Source,
    calling,
    count_ops,
    sample,
)
from sdy.mlir.per_context import PerContext
from sdy.mlir.search import has_branches, ops_named
from sdy.mlir.walk import post_order
from sdy.passes.exporting.explicit_reshards.op_reshards import (
    TREATED_IN_EITHER_VERSION,
    WITHOUT_RULE,
    Plans,
    Treatment,
    is_always_full,
    plans_for,
)
from sdy.passes.exporting.explicit_reshards.sharding_matcher import Kind, kind_of
from sdy.passes.op_axes.op_plan import OpPlan

# Which ops of a large module need reshards around them, found out once for ops that are alike.
#
# Nearly every op is like many others, and most need nothing. What is to be done around the ops of a sample is found
# out first; patterns then recognise the ops that are like them, so that only the others are looked at one by one.
# That takes a program in which the attribute `sdy.sharding` of an op tells how its results are sharded.


Item = tuple[ir.Operation, OpPlan | None]
"""An op, and what is to be done around it if that is known."""

_FUNCTION = "func.func"
_LARGE = 4000
"""Number of ops from which it pays to compile patterns.

They save 10 % of propagating and partitioning transformer_24 once more in a context; for the first program of
a context 5 % of transformer_96, and they cost 3 % of transformer_24.
"""

_UNKNOWN_SHARE = 0.3
"""Patterns that leave more of the ops are made anew."""

_RETURNS = ("func.return", "stablehlo.return", "sdy.return")
_TOLD_OTHERWISE = ("builtin.module", "sdy.propagation_barrier", *INHERENT_NAMES)


def items_of_large_module(module: ir.Operation, plans: Plans) -> dict[str, list[Item]] | None:
    """Return the ops of each function to visit, without those that need no change because an equal op needed none.

    None if the module is too small to benefit, or if an op's appearance does not determine its needs: there is more
    than one mesh, a value is unreduced or on a single device, or its sharding differs from its op's attribute.
    """
    named = ops_named(module, _FUNCTION, *data_flow_names(), *_TOLD_OTHERWISE)
    parents = [op for op in named if op.name not in _TOLD_OTHERWISE]
    count = count_ops(parents)
    if count < _LARGE or has_branches(module) or not all(map(_tells, named)):
        return None
    surroundings = plans.treatment, tuple(plans.meshes.by_name.items())
    latest = _latest.of(module.context)
    known = latest.pop(surroundings, None)
    if known is not None and known.rules is not known_rules(module.context):
        known = None
    found = None if known is None else known.items(module)
    if known is None or found is None or sum(map(len, found.values())) > _UNKNOWN_SHARE * count:
        known = _KnownOps(module.context, filter(None, (_signature(op, plans) for op in _with_bodies(sample(parents)))))
        found = known.items(module)
    shardings = [*known.shardings, *_shardings(named, found)]
    if len({sharding.mesh_or_ref for sharding in shardings}) > 1:
        return None
    if not all(is_plain(sharding, plans.meshes) for sharding in shardings):
        return None
    latest.clear()
    latest[surroundings] = known
    return found


def _tells(op: ir.Operation) -> bool:
    """Return whether `sdy.sharding` of `op`, if it has one, holds the shardings of its results.

    Inner modules do not qualify: the name of a function must identify it.
    """
    if op.name == "builtin.module":
        return False
    stored = op_shardings(op)
    return stored is None or stored == tuple(map(get_sharding, map(bypass_barriers, op.results)))


def _shardings(named: Iterable[ir.Operation], found: Mapping[str, Iterable[Item]]) -> list[TensorSharding]:
    """The shardings of the ops that have been found, and of functions."""
    survey = Survey()
    for op in (*named, *(op for items in found.values() for op, plan in items if plan is None)):
        survey.note(op)
    return survey.shardings()


class _KnownOps:
    """The ops of a sample whose changes are known, as patterns.

    It is cached for the next module: with the same meshes that is often the same or a similar program.
    """

    def __init__(self, context: ir.Context, sampled: Iterable[tuple[Signature, OpPlan | None]]) -> None:
        planned = dict(sampled) | dict.fromkeys(map(Signature, _RETURNS))
        self._plans = {f"plan{number}": plan for number, plan in enumerate(planned.values()) if plan is not None}
        self._patterns = Patterns(context, _pattern_text(planned), [*self._plans, "unknown", "end_function"])
        self.rules = known_rules(context)
        """Rules that the plans use."""
        survey = Survey()
        for signature in planned:
            survey.note_lists(attr for name, attr in signature.attributes if name == SHARDING and attr is not None)
        self.shardings = survey.shardings()
        """Shardings of the sample."""

    def items(self, module: ir.Operation) -> dict[str, list[Item]]:
        """Return the ops of each function, without those that are known to stay unchanged."""
        found: dict[str, list[Item]] = {}
        items: list[Item] = []

        def end_function(_rewriter: object, _results: object, ops: list[ir.Operation]) -> None:
            found[symbol_name(ops[0])] = items.copy()
            items.clear()

        def with_plan(plan: OpPlan | None) -> Function:
            return lambda _rewriter, _results, ops: items.append((ops[0], plan))

        functions = {name: with_plan(plan) for name, plan in self._plans.items()}
        functions |= {"unknown": with_plan(None), "end_function": end_function}
        self._patterns.apply(module, functions)
        return found


_latest: PerContext[dict[Hashable, _KnownOps]] = PerContext(dict)
"""Latest known ops of a context, by treatment and meshes."""


def _pattern_text(planned: Mapping[Signature, OpPlan | None]) -> str:
    """Return patterns that pass ops with a signature to their plan's function, if any, others to "unknown"."""
    text = PatternText()
    text.add(Signature(_FUNCTION), 9, calling("end_function"))
    for number, (signature, plan) in enumerate(planned.items()):
        benefit = _BENEFITS[tuple(name for name, _ in signature.attributes if name in (SHARDING, SHARDING_RULE))] + 1
        text.add(signature, benefit, NOTHING if plan is None else calling(f"plan{number}"))
    for names, benefit in _BENEFITS.items():
        text.add(Signature(attributes=tuple((name, None) for name in names)), benefit, calling("unknown"))
    return str(text)


_BENEFITS = {(SHARDING, SHARDING_RULE): 7, (SHARDING_RULE,): 5, (SHARDING,): 3, (): 1}
"""Benefits of patterns for unknown ops, by their attributes.

A pattern cannot require that an attribute is missing. So ops with both come first, then those that are left and
have a rule, then those that are left and have a sharding; a known op is recognised before unknown ones that have the
same attributes.
"""


def _with_bodies(sampled: Iterable[ir.Operation]) -> Iterator[ir.Operation]:
    """Return the ops and those in their regions, unless the regions are large."""
    for op in sampled:
        yield op
        if len(op.regions) and not is_data_flow_op(op.name):
            yield from post_order(op)[:-1]


def _signature(op: ir.Operation, plans: Plans) -> tuple[Signature, OpPlan | None] | None:
    """Return the signature of ops with the same plan as `op`, and the plan; None for an op that has to be visited."""
    name, stored, kind = op.name, op.attributes, kind_of(op)
    present = tuple((each, stored[each]) for each in (SHARDING, SHARDING_RULE) if each in stored)
    attached, attr = stored.get(SHARDING_RULE), stored.get(SHARDING)
    if kind is Kind.NOTHING or (kind is Kind.ORDINARY and attached is None and name in WITHOUT_RULE):
        return Signature(name, present), None
    if kind is not Kind.ORDINARY or name in INHERENT_NAMES:
        return None
    values, types = list(op.operands), tuple(op.results.types)
    operands = tuple(operand for value in values if (operand := _operand(value)) is not None)
    if len(operands) < len(values):
        return None
    shardings = tuple(None if operand.source is None else _sharding(operand.source) for operand in operands)
    results = (None,) * len(types) if attr is None else value_of(attr).shardings[: len(types)]
    plan = plans.of(op, name, attached, values, shardings, results, full=is_always_full(name, shardings, results))
    read = () if attached is not None else _read_by_rule(op, name)
    return None if read is None else (Signature(name, present + read, operands, types), plan)


def _read_by_rule(op: ir.Operation, name: str) -> NamedAttributes | None:
    """Return the attributes that the rule of `op` depends on; None if it depends on more, or one is missing."""
    kind = rules_of_kind(op, False)
    if has_target(name) or kind.looked_beyond or kind.looks or kind.unknown:
        return None
    stored = op.attributes
    if not all(each in stored for each in kind.attributes_read):
        return None
    return tuple((each, stored[each]) for each in kind.attributes_read)


def _operand(value: ir.Value) -> Operand | None:
    """Return a key of the sharding of a value; None if patterns cannot see it. Scalars have no key."""
    if isinstance(value.type, ir.RankedTensorType) and value.type.rank == 0:
        return Operand(value.type)
    if not isinstance(value, ir.OpResult):
        return None
    attr = value.owner.attributes.get(SHARDING)
    return None if attr is None else Operand(value.type, Source(SHARDING, attr, value.result_number))


def _sharding(source: Source) -> TensorSharding:
    return value_of(source.attribute).shardings[source.result]


@dataclass(frozen=True)
class WorklistFor:
    """Makes the worklist of a module, which is the same for equal treatments."""

    treatment: Treatment

    def __call__(self, module: ir.Operation) -> Worklist:
        return Worklist(module, plans_for(module.context, of_module(MeshTable, module), self.treatment))


class Worklist:
    """The ops of each function that have to be visited, nested ones first."""

    def __init__(self, module: ir.Operation, plans: Plans) -> None:
        self.plans = plans
        self._by_function = items_of_large_module(module, plans) if plans.treatment.full else None
        """By name of the function; None if what is alike has not been looked for."""
        self._is_plain = self._by_function is not None or self._holds_plain(module)

    def is_plain(self, func: ir.Operation) -> bool:
        """Return whether no sharding in `func` has unreduced axes or is on a single device.

        Most programs have none of them; otherwise each function is checked separately.
        """
        return self._is_plain or self._holds_plain(func)

    def _holds_plain(self, root: ir.Operation) -> bool:
        return not occurs(root, lambda sharding: not is_plain(sharding, self.plans.meshes))

    def of(self, func: ir.Operation, *, is_plain: bool) -> list[Item]:
        """The ops of one function."""
        if self._by_function is not None:
            return self._by_function.get(symbol_name(func), [])
        some = is_plain and not self.plans.treatment.full
        ops = ops_named(func, "func.call", *TREATED_IN_EITHER_VERSION) if some else post_order(func)
        return [(op, None) for op in ops]
