"""sdy-insert-explicit-reshards: Insert the reshards and all-reduces with which every op can run on its shards.

The tensors of an op get common axes on each factor of its sharding rule; an axis on a reduction factor leaves partial
results, which are all-reduced. Values are resharded where they enter a loop, a branch, a computation or a call, and
where a function returns them. For an asynchronous operation, data moves before the start and behind the done.

    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
==> %0 = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
    %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>

where `%arg0` is sharded on "x".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from sdy.dialect.data_flow import data_flow_names, is_data_flow_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, ShardingPerValue, value_of
from sdy.dialect.hlo_async.async_builders import Bundle, bundle_of
from sdy.dialect.hlo_async.chains import HLO_ASYNC, STABLEHLO, chain, done_of, operation_of
from sdy.dialect.hlo_async.declarations import IN_SHARDINGS
from sdy.dialect.ops.rules import has_target, known_rules, rules_of_kind
from sdy.dialect.shardings.attribute_shardings import arg_shardings, op_shardings, result_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_walk import Survey, is_plain, occurs
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS, bypass_barriers, get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, has_body, symbol_name
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
from sdy.mlir.rewriting import after_value, before, remade, terminator
from sdy.mlir.search import has_branches, ops_named
from sdy.mlir.walk import post_order
from sdy.passes.exporting.explicit_reshards.op_reshards import (
    TREATED_IN_EITHER_VERSION,
    WITHOUT_RULE,
    OpResharder,
    Plans,
    Treatment,
    is_always_full,
    match_call,
    match_data_flow,
    match_returns,
    plans_for,
)
from sdy.passes.exporting.explicit_reshards.sharding_matcher import Kind, KnownShardings, ShardingMatcher, kind_of
from sdy.passes.op_axes.op_plan import OpPlan
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

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
_TOLD_OTHERWISE = ("builtin.module", "sdy.propagation_barrier", *INHERENT_SHARDINGS)


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
    if kind is not Kind.ORDINARY or name in INHERENT_SHARDINGS:
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


# What moves data for an asynchronous operation stands around it, since its body holds one op (spec: async, 17).
#
#     %s = hlo_async.start(%a) (%x: tensor<8xf32>) {
#       %r = sdy.reshard %x ...
#       %y = stablehlo.tanh %r
#       %z = sdy.all_reduce {"x"} %y ...
#       hlo_async.return %z
#     } ...
#     %0 = hlo_async.done %s
# ==> %r = sdy.reshard %a ...
#     %s = hlo_async.start(%r) (%x: tensor<8xf32>) {
#       %y = stablehlo.tanh %x
#       hlo_async.return %y
#     } ...
#     %1 = hlo_async.done %s
#     %0 = sdy.all_reduce {"x"} %1 ...
#
# Start and done keep their places.


_STARTS = (STABLEHLO.start, HLO_ASYNC.start)


def has_starts(module: ir.Operation) -> bool:
    """Return whether anything in a module is asynchronous."""
    return bool(ops_named(module, *_STARTS))


class AsynchronousOps:
    """The asynchronous operations of a function, as they are before a pass puts ops beside them."""

    def __init__(self, func: ir.Operation) -> None:
        self._ops = [(start, operation_of(start)) for start in ops_named(func, *_STARTS)]

    def leave_alone(self, matcher: ShardingMatcher, *, full: bool) -> None:
        """Skips all ops that are now beside the ops before the start, or behind the done.

        With `full` the users of a done then get its result in the sharding that they expected.

        Raises:
          DiagnosticError: a start has no done behind which ops can be inserted.
        """
        for start, op in self._ops:
            if len(start.regions[0].blocks[0].operations) > 2:
                _move_around(start, op, matcher, full=full)


def _move_around(start: ir.Operation, op: ir.Operation, matcher: ShardingMatcher, *, full: bool) -> None:
    done = done_of(start)
    if done is None:
        raise DiagnosticError(start, "needs a done in its block, so that reshards can follow it")
    nested = [each.operation for each in start.regions[0].blocks[0].operations][:-1]
    place = nested.index(op)
    wanted = [matcher.known.of(result) for result in done.results]
    reached = _moved_behind(nested[place + 1 :], op, done)
    if full or place + 1 < len(nested):
        for inside, outside in zip(op.results, done.results, strict=True):
            matcher.known.put(outside, matcher.known.of(inside))
        set_op_shardings(done, op_shardings(op))
    if full:
        _as_wanted(reached, wanted, matcher)
    if place:
        _start_anew(start, op, _moved_before(nested[:place], start))


def _moved_behind(others: Sequence[ir.Operation], op: ir.Operation, done: ir.Operation) -> list[ir.Value]:
    """Move the ops after the op in the body behind the done; return the values that replace its results.

    The body returns what the op gives.
    """
    end = terminator(op.block)
    returned = list(end.operands)
    for other in reversed(others):
        other.move_after(done)
    reached: list[ir.Value] = []
    for index, (value, inside, outside) in enumerate(zip(returned, op.results, done.results, strict=True)):
        if value != inside:
            outside.replace_all_uses_with(value)
        for other in others:
            _replace(other, inside, outside)
        end.operands[index] = inside
        reached.append(outside if value == inside else value)
    return reached


def _as_wanted(values: Sequence[ir.Value], wanted: Sequence[TensorSharding | None], matcher: ShardingMatcher) -> None:
    """Reshard the values that replace the results of a done to the shardings that their users expect."""
    for value, sharding in zip(values, wanted, strict=True):
        if matcher.needs_match(value, sharding, full=True):
            ends = [use.owner.operation for use in value.uses]
            moved = matcher.matched(value, sharding, after_value(value), full=True)
            for user in ends:
                _replace(user, value, moved)


def _moved_before(others: Iterable[ir.Operation], start: ir.Operation) -> list[list[ir.Value]]:
    """Move the ops before the op in the body in front of the start; return the new values of each operand."""
    arguments = list(start.regions[0].blocks[0].arguments)
    number_of: dict[ir.Value, int] = {argument: number for number, argument in enumerate(arguments)}
    made: list[list[ir.Value]] = [[] for _ in arguments]
    for other in others:
        number = number_of[other.operands[0]]
        number_of.update((result, number) for result in other.results)
        made[number] += other.results
        other.move_before(start)
        _replace(other, arguments[number], start.operands[number])
    return made


def _start_anew(start: ir.Operation, op: ir.Operation, made: Sequence[Sequence[ir.Value]]) -> None:
    """Make a new start with the new operands; an operand that was replaced by several adds operands."""
    body = start.regions[0].blocks[0]
    taken = list(op.operands)
    inside: list[ir.Value] = []
    for argument, values in zip(body.arguments, made, strict=True):
        needed = [value for value in values if value in taken]
        is_used = any(True for _ in argument.uses)
        inside += [argument, *needed] if is_used or not needed else needed
    given: dict[ir.Value, ir.Value] = dict(zip(body.arguments, start.operands, strict=True))
    operands = [given.get(value, value) for value in inside]
    new = _like(start, operands)
    block = new.regions[0].blocks.append(*(each.type for each in operands), arg_locs=[each.location for each in inside])
    for value, argument in zip(inside, block.arguments, strict=True):
        if value in given:
            value.replace_all_uses_with(argument)
        else:
            _replace(op, value, argument)
    for each in (op, terminator(body)):
        block.append(each)
    for link in chain(start):
        link.operands[0] = new.results[0] if link.operands[0] == start.results[0] else link.operands[0]
    start.erase()


def _like(start: ir.Operation, operands: Sequence[ir.Value]) -> ir.Operation:
    """Make a start with other operands; the users of its handle get the new type."""
    type_ = start.results[0].type
    kept = {name: start.attributes[name] for name in start.attributes}
    if start.name == HLO_ASYNC.start:
        bundle = bundle_of(type_)
        type_ = Bundle(tuple(each.type for each in operands), bundle.results, bundle.contexts).type()
        shardings = [get_sharding(value) for value in operands]
        known = tuple(each for each in shardings if each is not None)
        kept.pop(IN_SHARDINGS, None)
        if known and len(known) == len(shardings):
            kept[IN_SHARDINGS] = attributes.attr_of(ShardingPerValue(known))
        for link in chain(start):
            for result in link.results if link.name == HLO_ASYNC.update else ():
                result.set_type(type_)
    return remade(start, operands, [type_], kept)


def _replace(op: ir.Operation, old: ir.Value, new: ir.Value) -> None:
    for index, operand in enumerate(op.operands):
        if operand == old:
            op.operands[index] = new


@dataclass(frozen=True)
class Options:
    enable_full_version: bool = option(
        False, "reshard all ops; otherwise most ops only get all-reduces of unreduced axes"
    )
    mark_partial_result_with_unreduced_axes: bool = option(
        False, "mark all-reduced results as unreduced along the reduced axes"
    )
    reshard_custom_rule_ops: bool = option(
        False, "reshard ops with a custom sharding rule like any other op instead of skipping them"
    )


@pass_("sdy-insert-explicit-reshards", on="func.func", options=Options)
def insert_explicit_reshards(func: ir.Operation, options: Options) -> object:
    """Spec: export-passes, section 5.

    Expects closed shardings, and no data-flow edges or sharding constraints.
    """
    if not has_body(func):
        return UNCHANGED
    matcher = ShardingMatcher(KnownShardings(func), of_module(MeshTable, func))
    _check_boundary(func, matcher)
    treatment = Treatment(
        full=options.enable_full_version,
        mark_partial=options.mark_partial_result_with_unreduced_axes,
        custom_rules=options.reshard_custom_rule_ops,
    )
    work = of_module(WorklistFor(treatment), func)
    plain = work.is_plain(func)
    resharder = OpResharder(matcher, work.plans, plain=plain)
    asynchronous = AsynchronousOps(func) if of_module(has_starts, func) else None
    symbols: ModuleSymbols | None = None
    kinds: dict[str, Kind] = {}
    for op, plan in work.of(func, is_plain=plain):
        if plan is not None:
            resharder.follow(plan, op)
            continue
        name = op.name
        kind = kinds.get(name) or kinds.setdefault(name, kind_of(op))
        if kind is Kind.ORDINARY:
            resharder.visit(op)
        elif kind is Kind.DATA_FLOW:
            match_data_flow(op, matcher, full=options.enable_full_version)
        elif kind is Kind.CALL:
            symbols = symbols or of_module(ModuleSymbols, func)
            match_call(op, symbols.callee(op), matcher)
        elif kind is Kind.RESHARD and not _make_unreduced(op, matcher):
            resharder.visit(op)
    match_returns(func, matcher, full=options.enable_full_version)
    if asynchronous is not None and matcher.has_changed:
        asynchronous.leave_alone(matcher, full=options.enable_full_version)
    return None if matcher.has_changed else UNCHANGED


def _check_boundary(func: ir.Operation, matcher: ShardingMatcher) -> None:
    """Refuses arguments and results that live on a single device."""
    for what, shardings in (("argument", arg_shardings(func)), ("result", result_shardings(func))):
        for index, sharding in enumerate(shardings):
            if matcher.is_on_single_device(sharding):
                raise DiagnosticError(func, f"{what} {index} is sharded to a single device, which is not supported")


def _make_unreduced(op: ir.Operation, matcher: ShardingMatcher) -> bool:
    """Replaces a reshard to further unreduced axes by ops that create them; False if it is none."""
    value = op.results[0]
    target = matcher.known.of(value)
    if target is None or not target.unreduced:
        return False
    new = matcher.made_unreduced(op.operands[0], target, before(op))
    if new is None:
        return False
    matcher.known.forget(value)
    value.replace_all_uses_with(new)
    op.erase()
    return True
