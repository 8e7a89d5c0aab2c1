"""Recorded differences that random programs run into, and how to take what causes them out of a program.

A program on which we part from the reference is compared once more without a recorded case; that the reference has a
result and ours is equal then shows that nothing else was the cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

import sdy
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, ShardingPerValue
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.exporting.explicit_reshards.sharding_matcher import reduction_kind
from tests.parity.recorded_partitioner import PARTITIONER

_ENTRY = r'\{"[^{}]*\}'
_STEP = re.compile(rf"(?<=\{{step-)(\d+ = \[)({_ENTRY}(?:, {_ENTRY})+)")
"""What one step of `sdy.propagation_edges` moved, if that is more than one thing."""

_PIPELINES = frozenset(["sdy-export-pipeline", "sdy-propagation-pipeline"])
_VERIFYING = _PIPELINES | {"sdy-verify-unreduced-axes"}
_RESHARDING = _PIPELINES | {"sdy-insert-explicit-reshards"}


@dataclass(frozen=True)
class Recorded:
    """A row of docs/differences.md.

    Attributes:
      case: what the row says in its column "case".
      passes: those that meet it.
      remove: takes it out of a module, in place.
    """

    case: str
    passes: frozenset[str]
    remove: Callable[[ir.Operation], None]


def present(name: str, text: str) -> list[Recorded]:
    """The recorded cases of that pass that are in the program."""
    return [one for one in RECORDED if name in one.passes and without(text, [one]) is not None]


def without(text: str, cases: Iterable[Recorded]) -> str | None:
    """The program without these cases; None if they are not in it."""
    module = sdy.parse(text)
    before = sdy.print_module(module)
    with module.context, ir.Location.unknown():
        for one in cases:
            one.remove(module.operation)
    after = sdy.print_module(module)
    return None if after == before else after


def too_often(forgiven: Mapping[str, int], programs: int) -> list[str]:
    """The recorded cases that were the cause more often than they may be, among so many programs."""
    return [
        f"{case}: {count} of {programs}"
        for case, count in forgiven.items()
        if count > max(2, programs * _FREQUENT.get(case, _SELDOM))
    ]


_SELDOM = 0.015
"""The share of programs in which a recorded case may make a difference."""

_FREQUENT = {
    "custom_call without a rule; one with a token": 0.08,
    "top-k, FFT, reverse along a sharded dimension": 0.025,
    "result that is meant to be a partial sum, of an op on values that are none": 0.05,
    "`stablehlo.dot` over an uneven dimension": 0.03,
}
"""The same of those that do more often."""


def _add_in_reductions(module: ir.Operation) -> None:
    """Reductions whose body has no kind, such as products, become sums."""
    for reduce in ops_named(module, "stablehlo.reduce"):
        if len(reduce.results) > 1 or reduction_kind(reduce) is not None:
            continue
        block = reduce.regions[0].blocks[0]
        last = block.operations[len(block.operations) - 1].operation
        arguments = list(block.arguments)
        last.operands[0] = ir.Operation.create(
            "stablehlo.add", results=[arguments[0].type], operands=arguments, ip=ir.InsertionPoint(last)
        ).result


def _reduce_reshards(module: ir.Operation) -> None:
    """Reshards of values without a sharding go to no unreduced axes."""
    for reshard in ops_named(module, "sdy.reshard", "sdy.sharding_constraint"):
        if get_sharding(reshard.operands[0]) is None:
            sharding = attributes.get(reshard, "sharding")
            attributes.put(reshard, "sharding", sharding.with_unreduced(()))


def _computations_of_sums(module: ir.Operation) -> None:
    """Manual computations take nothing that is unreduced by max or min, nor return it."""
    for computation in ops_named(module, "sdy.manual_computation"):
        values = {"in_shardings": computation.operands, "out_shardings": computation.results}
        for name, given in values.items():
            shardings = attributes.get(computation, name).shardings
            sums = tuple(
                one if _is_sum(one) and _is_sum(get_sharding(value)) else one.with_unreduced((), Reduction.SUM)
                for one, value in zip(shardings, given, strict=True)
            )
            attributes.put(computation, name, ShardingPerValue(sums))


def _is_sum(sharding: TensorSharding | None) -> bool:
    return sharding is None or sharding.reduction is Reduction.SUM


def _one_kind(module: ir.Operation) -> None:
    """Ops with results that are unreduced by several kinds have none that is unreduced."""
    for op in ops_with(module, SHARDING):
        shardings = attributes.get(op, SHARDING).shardings
        if len({sharding.reduction for sharding in shardings if sharding.unreduced}) > 1:
            whole = tuple(sharding.with_unreduced(()) for sharding in shardings)
            attributes.put(op, SHARDING, ShardingPerValue(whole))


def _plain_rules(module: ir.Operation) -> None:
    """Rules are not the user's."""
    for op in ops_with(module, SHARDING_RULE):
        rule = attributes.get(op, SHARDING_RULE)
        attributes.put(op, SHARDING_RULE, replace(rule, is_custom=False))


def _used_reshards(module: ir.Operation) -> None:
    """Reshards in manual computations are used."""
    for computation in ops_named(module, "sdy.manual_computation"):
        for reshard in reversed(list(ops_named(computation, "sdy.reshard"))):
            if not list(reshard.results[0].uses):
                reshard.erase()


_KINDS = frozenset(
    [
        "sdy-update-non-divisible-input-output-shardings",
        "sdy-sink-data-flow-edges",
        "sdy-export-pipeline",
        "sdy-propagation-pipeline",
    ]
)

RECORDED = (
    Recorded("op, such as a loop, whose results stay unreduced by different kinds", _VERIFYING, _one_kind),
    Recorded("manual computation with an operand unreduced by max or min", _KINDS, _computations_of_sums),
    Recorded(
        "an axis is unreduced by one kind in an operand and by another in the result",
        frozenset(["sdy-insert-explicit-reshards"]),
        _computations_of_sums,
    ),
    Recorded("reduce with multiply, and, or, xor over a sharded dimension", _RESHARDING, _add_in_reductions),
    Recorded("reshard of a value without a sharding to unreduced axes", _RESHARDING, _reduce_reshards),
    Recorded(
        "op with a rule of the user's, with explicit collectives or in a partitioner stage", _PIPELINES, _plain_rules
    ),
    Recorded("unused reshard in a manual computation that is inlined", frozenset(["canonicalize"]), _used_reshards),
    *(Recorded(*one) for one in PARTITIONER),
)
"""In the order in which they are removed."""


def in_one_order(text: str) -> str:
    """The text with what one axis did in one step of propagation sorted: the reference's order varies with each run."""
    return _STEP.sub(_sorted_entries, text) if "{step-" in text else text


def _sorted_entries(step: re.Match[str]) -> str:
    by_axis = groupby(re.findall(_ENTRY, step[2]), key=lambda entry: entry.partition(" = ")[0])
    return step[1] + ", ".join(entry for _, entries in by_axis for entry in sorted(entries))
