"""Recorded differences that random programs run into, and how to take what causes them out of a program.

A program on which we part from the reference is compared once more without its recorded cases; that the results are
equal then shows that nothing else was the cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

import sdy
from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING, SHARDING_RULE, ShardingPerValue
from sdy.dialect.meshes import MeshTable
from sdy.dialect.search import ops_named, ops_with
from sdy.dialect.sharding import Reduction
from sdy.dialect.values import get_sharding
from sdy.mlir import ir, stablehlo
from sdy.passes.exporting.reduction_kind import reduction_kind
from sdy.passes.partitioning.layout import Layout, Layouts

_ENTRY = r'\{"[^{}]*\}'
_STEP = re.compile(rf"(?<=\{{step-)(\d+ = \[)({_ENTRY}(?:, {_ENTRY})+)")
"""What one step of `sdy.propagation_edges` moved, if that is more than one thing."""

_PIPELINES = frozenset(["sdy-export-pipeline", "sdy-propagation-pipeline"])
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


def without_recorded(name: str, text: str) -> str | None:
    """The program without the recorded cases of that pass; None if it has none."""
    module = sdy.parse(text)
    before = sdy.print_module(module)
    with module.context, ir.Location.unknown():
        for one in RECORDED:
            if name in one.passes:
                one.remove(module.operation)
    after = sdy.print_module(module)
    return None if after == before else after


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


def _summing_computations(module: ir.Operation) -> None:
    """Operands and results of manual computations are unreduced by sums."""
    for computation in ops_named(module, "sdy.manual_computation"):
        for name in ("in_shardings", "out_shardings"):
            shardings = attributes.get(computation, name).shardings
            summed = tuple(replace(one, reduction=Reduction.SUM) for one in shardings)
            attributes.put(computation, name, ShardingPerValue(summed))


def _plain_rules(module: ir.Operation) -> None:
    """Rules are not the user's."""
    for op in ops_with(module, SHARDING_RULE):
        rule = attributes.get(op, SHARDING_RULE)
        attributes.put(op, SHARDING_RULE, replace(rule, is_custom=False))


def _whole_windows(module: ir.Operation) -> None:
    """Scatters whose updates span a dimension that the indices name leave their inputs."""
    for scatter in ops_named(module, "stablehlo.scatter"):
        numbers = stablehlo.ScatterDimensionNumbers(scatter.attributes["scatter_dimension_numbers"])
        shape, count = scatter.operands[0].type.shape, len(scatter.results)
        absent = [*numbers.inserted_window_dims, *numbers.input_batching_dims]
        in_window = [dim for dim in range(len(shape)) if dim not in absent]
        window = [scatter.operands[count + 1].type.shape[dim] for dim in numbers.update_window_dims]
        whole = [dim for dim, size in zip(in_window, window, strict=True) if 1 < size == shape[dim]]
        if any(dim in whole for dim in numbers.scattered_dims_to_operand_dims):
            for result, before in zip(list(scatter.results), list(scatter.operands)[:count], strict=True):
                result.replace_all_uses_with(before)
            scatter.erase()


def _moving_pads(module: ir.Operation) -> None:
    """Pads that move elements from one part to another become the padding alone."""
    layouts = Layouts(MeshTable(module))
    for pad in ops_named(module, "stablehlo.pad"):
        old, new = pad.operands[0], pad.results[0]
        if not _moves(pad, layouts.of(old.type, get_sharding(old)), layouts.of(new.type, get_sharding(new))):
            continue
        kept = {SHARDING: pad.attributes[SHARDING]} if SHARDING in pad.attributes else {}
        alone = ir.Operation.create(
            "stablehlo.broadcast_in_dim",
            results=[new.type],
            operands=[pad.operands[1]],
            attributes={"broadcast_dimensions": ir.DenseI64ArrayAttr.get([]), **kept},
            ip=ir.InsertionPoint(pad),
        )
        new.replace_all_uses_with(alone.result)
        pad.erase()


def _moves(pad: ir.Operation, source: Layout, target: Layout) -> bool:
    low, inside = (list(pad.attributes[name]) for name in ("edge_padding_low", "interior_padding"))
    for dim in target.sharded_dims:
        part, new_part = source.local_shape[dim], target.local_shape[dim]
        places = {number: low[dim] + number * (inside[dim] + 1) for number in range(source.shape[dim])}
        if any(number // part != place // new_part for number, place in places.items()):
            return True
    return False


def _updates_of_uneven(module: ir.Operation) -> None:
    """A dynamic_update_slice of a part of an uneven dimension updates nothing."""
    layouts = Layouts(MeshTable(module))
    for update in ops_named(module, "stablehlo.dynamic_update_slice"):
        layout = layouts.of(update.operands[0].type, get_sharding(update.operands[0]))
        part = update.operands[1].type.shape
        if any(
            layout.padded_shape[dim] != size != updated
            for dim, (size, updated) in enumerate(zip(layout.shape, part, strict=True))
        ):
            update.results[0].replace_all_uses_with(update.operands[0])
            update.erase()


def _no_reshapes_of_parts(module: ir.Operation) -> None:
    """Reshapes of what has parts of one axis in several dimensions become something without operands."""
    for reshape in ops_named(module, "stablehlo.reshape"):
        sharding, type_ = get_sharding(reshape.operands[0]), reshape.results[0].type
        if sharding is None or not type_.rank:
            continue
        dims = [{axis.name for axis in dim.axes} for dim in sharding.dims]
        if sum(map(len, dims)) == len(set().union(*dims)):
            continue
        kept = {SHARDING: reshape.attributes[SHARDING]} if SHARDING in reshape.attributes else {}
        iota = ir.Operation.create(
            "stablehlo.iota",
            results=[type_],
            attributes={"iota_dimension": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0), **kept},
            ip=ir.InsertionPoint(reshape),
        )
        reshape.results[0].replace_all_uses_with(iota.result)
        reshape.erase()


_PAD = frozenset(["sdy-pad-for-divisibility", "sdy-per-instruction-partitioning"])
_LOCAL = frozenset(["sdy-convert-global-to-local"])
_RESOLVE = frozenset(["sdy-resolve-permutation-factors", "sdy-per-instruction-partitioning"])

_KINDS = frozenset(
    [
        "sdy-update-non-divisible-input-output-shardings",
        "sdy-sink-data-flow-edges",
        "sdy-export-pipeline",
        "sdy-propagation-pipeline",
    ]
)

RECORDED = (
    Recorded("manual computation with an operand unreduced by max or min", _KINDS, _summing_computations),
    Recorded("reduce with multiply, and, or, xor over a sharded dimension", _RESHARDING, _add_in_reductions),
    Recorded("reshard of a value without a sharding to unreduced axes", _RESHARDING, _reduce_reshards),
    Recorded(
        "op with a rule of the user's, with explicit collectives or in a partitioner stage", _PIPELINES, _plain_rules
    ),
    Recorded("dynamic_update_slice at the end of an uneven dimension", _PAD, _updates_of_uneven),
    Recorded("reshape of parts of one axis in several dimensions", _RESOLVE, _no_reshapes_of_parts),
    Recorded("scatter of updates that span a sharded dimension which the indices name", _LOCAL, _whole_windows),
    Recorded("padding of an even dimension, for more parts", _LOCAL, _moving_pads),
)
"""In the order in which they are removed."""


def in_one_order(text: str) -> str:
    """The text with what one axis did in one step of propagation sorted: the reference's order varies with each run."""
    return _STEP.sub(_sorted_entries, text) if "{step-" in text else text


def _sorted_entries(step: re.Match[str]) -> str:
    by_axis = groupby(re.findall(_ENTRY, step[2]), key=lambda entry: entry.partition(" = ")[0])
    return step[1] + ", ".join(entry for _, entries in by_axis for entry in sorted(entries))
