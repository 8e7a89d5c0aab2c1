"""Which ops of a module may need reshards around them, and what is known about them beforehand.

In a large program nearly every op is like many others, and most need nothing. What is to be done around the ops of a
sample is found out first; patterns then recognise the ops that are like them, so that only the others are looked at one
by one. That takes a program in which the attribute `sdy.sharding` of an op tells how its results are sharded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sdy.dialect.attributes import SHARDING, SHARDING_RULE, value_of
from sdy.dialect.data_flow import data_flow_names, is_data_flow_op
from sdy.dialect.functions import symbol_name
from sdy.dialect.meshes import MeshTable
from sdy.dialect.module_facts import of_module
from sdy.dialect.op_properties import is_elementwise, is_terminator
from sdy.dialect.pdl import Function, Patterns
from sdy.dialect.samples import count_ops, sample
from sdy.dialect.search import has_branches, ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.signatures import NOTHING, Operand, PatternText, Signature, Source, calling
from sdy.dialect.stored import op_shardings
from sdy.dialect.values import INHERENT_NAMES, bypass_barriers, get_sharding
from sdy.dialect.walk import post_order
from sdy.mlir import ir
from sdy.passes.exporting.op_plan import OpPlan
from sdy.passes.exporting.plans import TREATED_IN_EITHER_VERSION, WITHOUT_RULE, Plans, Treatment, is_always_full
from sdy.passes.exporting.sharding_survey import shardings_in
from sdy.passes.propagation.rules.registry import is_users

Item = tuple[ir.Operation, OpPlan | None]
"""An op, and what is to be done around it if that is known."""

_FUNCTION = "func.func"
_LARGE = 4000
"""Number of ops from which it pays to compile patterns."""


@dataclass(frozen=True)
class WorklistFor:
    """Makes the worklist of a module, which is the same for equal treatments."""

    treatment: Treatment

    def __call__(self, module: ir.Operation) -> Worklist:
        return Worklist(module, Plans(of_module(MeshTable, module), self.treatment))


class Kind(Enum):
    """How ops of one name are treated."""

    ORDINARY = auto()
    DATA_FLOW = auto()
    CALL = auto()
    RESHARD = auto()
    NOTHING = auto()


def kind_of(op: ir.Operation) -> Kind:
    name = op.name
    if is_data_flow_op(name):
        return Kind.DATA_FLOW
    if name == _FUNCTION or is_terminator(op):
        return Kind.NOTHING
    return {"func.call": Kind.CALL, "sdy.reshard": Kind.RESHARD}.get(name, Kind.ORDINARY)


class Worklist:
    """The ops of each function that have to be visited, nested ones first."""

    def __init__(self, module: ir.Operation, plans: Plans) -> None:
        shardings = shardings_in(module)
        self.plans = plans
        self._is_plain = _are_plain(shardings, plans.meshes)
        self._by_function: dict[str, list[Item]] | None = None
        """By name of the function; None if what is alike has not been looked for."""
        if plans.treatment.full and self._is_plain and len({sharding.mesh_or_ref for sharding in shardings}) == 1:
            named = ops_named(module, _FUNCTION, *data_flow_names(), *_TOLD_OTHERWISE)
            holders = [op for op in named if op.name not in _TOLD_OTHERWISE]
            if count_ops(holders) >= _LARGE and not has_branches(module) and all(map(_tells, named)):
                self._by_function = _recognised(module, plans, sample(holders))

    def is_plain(self, func: ir.Operation) -> bool:
        """Whether no sharding in `func` has unreduced axes or is on a single device.

        Most programs have none of them; where one has, each function is looked at by itself.
        """
        return self._is_plain or _are_plain(shardings_in(func), self.plans.meshes)

    def of(self, func: ir.Operation, *, is_plain: bool) -> list[Item]:
        """The ops of one function."""
        if self._by_function is not None:
            return self._by_function.get(symbol_name(func), [])
        some = is_plain and not self.plans.treatment.full
        ops = ops_named(func, "func.call", *TREATED_IN_EITHER_VERSION) if some else post_order(func)
        return [(op, None) for op in ops]


def _are_plain(shardings: Sequence[TensorSharding], meshes: MeshTable) -> bool:
    return not any(sharding.unreduced or meshes.is_on_single_device(sharding) for sharding in shardings)


# Ops that are alike ------------------------------------------------------------------------------


_TOLD_OTHERWISE = ("builtin.module", "sdy.propagation_barrier", *INHERENT_NAMES)


def _tells(op: ir.Operation) -> bool:
    """Whether the results of `op` are sharded as its attribute `sdy.sharding` says, if it has one.

    Not of an inner module: which function an op is in must be told by the name of the function.
    """
    if op.name == "builtin.module":
        return False
    stored = op_shardings(op)
    return stored is None or stored == tuple(map(get_sharding, map(bypass_barriers, op.results)))


def _recognised(module: ir.Operation, plans: Plans, sampled: Sequence[ir.Operation]) -> dict[str, list[Item]]:
    """The ops of each function but for those that are like one of `sampled` around which there is nothing to do."""
    planned = dict(filter(None, (_signature(op, plans) for op in _with_bodies(sampled))))
    by_function: dict[str, list[Item]] = {}
    items: list[Item] = []

    def end_function(_rewriter: object, _results: object, ops: list[ir.Operation]) -> None:
        by_function[symbol_name(ops[0])] = items.copy()
        items.clear()

    def found(plan: OpPlan | None) -> Function:
        return lambda _rewriter, _results, ops: items.append((ops[0], plan))

    text = PatternText()
    text.add(Signature(_FUNCTION), 7, calling("end_function"))
    functions: dict[str, Function] = {"end_function": end_function, "unknown": found(None)}
    for number, (signature, plan) in enumerate(planned.items()):
        benefit = _BENEFITS[tuple(name for name, _ in signature.attributes)] + 1
        text.add(signature, benefit, NOTHING if plan is None else calling(f"plan{number}"))
        if plan is not None:
            functions[f"plan{number}"] = found(plan)
    for names, benefit in _BENEFITS.items():
        text.add(Signature(attributes=tuple((name, None) for name in names)), benefit, calling("unknown"))
    Patterns(module.context, str(text), functions).apply(module, functions)
    return by_function


_BENEFITS = {(SHARDING, SHARDING_RULE): 5, (SHARDING_RULE,): 3, (): 1}
"""Those of the patterns for unknown ops, by the attributes that these have.

That an op lacks an attribute cannot be said in a pattern. So ops with both come first, then those that are left and
have a rule; and a known op is recognised before the unknown ones with these attributes.
"""


def _with_bodies(sampled: Sequence[ir.Operation]) -> Iterator[ir.Operation]:
    """The ops together with those in their regions, unless these are large."""
    for op in sampled:
        yield op
        if len(op.regions) and not is_data_flow_op(op.name):
            yield from post_order(op)[:-1]


def _signature(op: ir.Operation, plans: Plans) -> tuple[Signature, OpPlan | None] | None:
    """What ops look like that need what `op` needs, and what that is; None for an op that has to be visited."""
    name, stored, kind = op.name, op.attributes, kind_of(op)
    if kind is Kind.NOTHING:
        return Signature(name), None
    if kind is not Kind.ORDINARY:
        return None
    values, types = list(op.operands), tuple(op.results.types)
    attached, attr = stored.get(SHARDING_RULE), stored.get(SHARDING)
    if attached is None:
        scalars = tuple(Operand(value.type) for value in values)
        if name in WITHOUT_RULE:
            return Signature(name), None
        if is_elementwise(op) and not is_users(name) and all(map(_is_scalar, (*types, *(s.type for s in scalars)))):
            return Signature(name, (), scalars, types), None
        return None
    operands = tuple(operand for value in values if (operand := _operand(value)) is not None)
    if len(operands) < len(values) or name in INHERENT_NAMES:
        return None
    shardings = tuple(None if operand.source is None else _sharding(operand.source) for operand in operands)
    results = (None,) * len(types) if attr is None else value_of(attr).shardings[: len(types)]
    plan = plans.of(op, attached, values, shardings, results, full=is_always_full(name, shardings, results))
    attributes = ((SHARDING, attr), (SHARDING_RULE, attached))
    present = tuple((each, attribute) for each, attribute in attributes if attribute is not None)
    return Signature(name, present, operands, types), plan


def _operand(value: ir.Value) -> Operand | None:
    """What tells the sharding of a value; None if a pattern cannot see it. That of a scalar says nothing."""
    if _is_scalar(value.type):
        return Operand(value.type)
    if not isinstance(value, ir.OpResult):
        return None
    attr = value.owner.attributes.get(SHARDING)
    return None if attr is None else Operand(value.type, Source(SHARDING, attr, value.result_number))


def _sharding(source: Source) -> TensorSharding:
    return value_of(source.attribute).shardings[source.result]


def _is_scalar(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.rank == 0
