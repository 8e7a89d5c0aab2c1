"""Sums over devices: converted before they are sent, scattered once."""

from __future__ import annotations

from collections.abc import Callable

from sdy.dialect import builders
from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, moved_type
from sdy.dialect.ir_builders.with_sharding import erase_unused, use_instead, uses_of, with_sharding
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.shardings.attribute_shardings import summed_axes
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.dialect.values.axes import AxisList, difference, product
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import At, replace
from sdy.mlir.tensor_types import bits
from sdy.passes.costs.machine import moved_bytes
from sdy.passes.partitioning.analysis.programs import bits_matter
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo.ops import Builder

FREE = frozenset({"sdy.all_slice", "sdy.replicated_to_unreduced", "sdy.sharded_to_unreduced"})
"""Collectives that only say that a device goes on with a part of what it has."""

SENDING = COLLECTIVES - FREE


def sent_bytes(op: ir.Operation, layouts: Layouts) -> float:
    """Return the bytes that each device sends for a collective, by ring algorithms over the groups of the axes."""
    operand, result = map(layouts.of_value, (op.operands[0], op.results[0]))
    before, after = operand.local_bytes, result.local_bytes
    kind, mesh = op.name.removeprefix("sdy."), result.mesh
    assert mesh is not None
    if kind == "all_gather":
        group = round(after / before) if before else 1
    elif kind == "reduce_scatter":
        group = round(before / after) if after else 1
    elif kind == "all_reduce":
        group = product(attributes.get(op, "reduction_axes").axes, mesh.axis_sizes)
    elif kind == "all_to_all":
        group = product([axis for param in attributes.get(op, "params") for axis in param.axes], mesh.axis_sizes)
    else:
        group = mesh.size
    return moved_bytes(kind, group, before)


def is_looked_up(op: ir.Operation, axes: AxisList) -> bool:
    """Return whether `op`, a reduction over `axes`, sums lookups in a sharded table, which have no other use.

    One device has the element then, and the others have zeros.
    """
    value = op.operands[0]
    if not isinstance(value, ir.OpResult) or value.owner.operation.name != "stablehlo.gather":
        return False
    table, found = get_sharding(value.owner.operation.operands[0]), get_sharding(value)
    if table is None or found is None or table.unreduced or found.reduction is not Reduction.SUM:
        return False
    mesh = of_module(MeshTable, op).of(found)
    if mesh is None or difference(axes, found.unreduced, mesh.axis_sizes):
        return False
    return op.attributes["reduction_op"].value == Reduction.SUM.value and len(uses_of(value)) == 1


@pattern("narrow-all-reduces", "sdy.all_reduce")
def narrow_all_reduce(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Convert looked-up values before they are summed, if that makes them smaller.

    One device has the element and the others have zeros: rounding before or after the sum is the same.

    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    %2 = stablehlo.convert %1 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
    ==>  %1 = stablehlo.convert %0 {... unreduced={"x"}} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
         %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xbf16>
    """
    conversions = [slot.user for slot in uses_of(op.results[0])]
    if not is_looked_up(op, summed_axes(op)):
        return rewriter.no_match(op, "it adds up more than one number")
    if not conversions or not all(_is_alike(each, conversions[0]) for each in conversions):
        return rewriter.no_match(op, "not all users are the same conversion to smaller elements")
    _convert_first(op, conversions)
    return True


def _is_alike(user: ir.Operation, first: ir.Operation) -> bool:
    """Return whether `user` converts to smaller floating-point numbers, and to the same ones as `first`."""
    if user.name != "stablehlo.convert" or user.results[0].type != first.results[0].type:
        return False
    before, after = user.operands[0].type.element_type, user.results[0].type.element_type
    is_float = isinstance(before, ir.FloatType) and isinstance(after, ir.FloatType)
    return is_float and bits(after) < bits(before)


def _convert_first(op: ir.Operation, conversions: list[ir.Operation]) -> None:
    value, out = op.operands[0], attributes.get(op, "out_sharding")
    parts = get_sharding(value)
    assert parts is not None
    where = ir.InsertionPoint(op)
    converted = conversions[0].clone(ip=where).operation
    converted.operands[0] = value
    set_sharding(converted.results[0], parts)
    added = builders.all_reduce(converted.results[0], summed_axes(op), out, Reduction.SUM, loc=op.location, ip=where)
    for each in conversions:
        replace(each, [added])
    op.erase()


@pattern("scatter-into-parts", "sdy.all_gather")
def scatter_into_parts(gather: ir.Operation, rewriter: Rewriter) -> bool:
    """Start a scatter from the part that each device has, where its results are added up anyway.

    %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %2 = "stablehlo.scatter"(%1, %indices, %updates) ... {... [{}], unreduced={"x"}}
    ==>  %1 = sdy.sharded_to_unreduced [{"x"}] %0 out_sharding=<@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
         %2 = "stablehlo.scatter"(%1, %indices, %updates) ... {... [{}], unreduced={"x"}}
    """
    slots = uses_of(gather.results[0])
    scatter = slots[0].user if len(slots) == 1 else None
    if scatter is None or scatter.name != "stablehlo.scatter" or slots[0].number >= len(scatter.results):
        return rewriter.no_match(gather, "it does not serve a scatter alone, as what is scattered into")
    axes, out = attributes.get(gather, "gathering_axes").lists, attributes.get(gather, "out_sharding")
    result = rewriter.layouts.of_value(scatter.results[slots[0].number])
    along = tuple(axis for axis_list in axes for axis in axis_list)
    if result.mesh is None or result.sharding is None or result.dim_axes != out.dim_axes:
        return rewriter.no_match(gather, "the result of the scatter is sharded otherwise")
    if not is_static_shaped(result.type):
        return rewriter.no_match(gather, "its result has a dynamic size")
    if difference(along, result.unreduced, result.mesh.axis_sizes):
        return rewriter.no_match(gather, "the results of the scatter are not added up along the axes that are gathered")
    parts = out.with_unreduced(result.mesh.sort_and_merge(along), result.sharding.reduction)
    at: At = {"loc": gather.location, "ip": ir.InsertionPoint(gather)}
    return rewriter.replace(gather, builders.sharded_to_unreduced(gather.operands[0], axes, parts, **at))


@pattern("merge-reduce-scatters", "stablehlo.add", "stablehlo.subtract")
def merge_reduce_scatters(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Scatter a sum instead of adding up scattered parts, also across transposes.

    %1 = sdy.reduce_scatter [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    %2 = sdy.reduce_scatter [{"x"}] %b out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8xf32>
    ==>  %1 = stablehlo.add %a, %b : tensor<8xf32>
         %2 = sdy.reduce_scatter [{"x"}] %1 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    """
    first, second = map(_scattered, op.operands)
    if first is None or second is None or first.axes != second.axes or first.sharding != second.sharding:
        return rewriter.no_match(op, "its operands were not both scattered along the same axes for it alone")
    out = get_sharding(op.results[0])
    if out is None or op.operands[0] == op.operands[1]:
        return rewriter.no_match(op, "the operands are one, or the result has no sharding")
    where = ir.InsertionPoint(op)
    whole = op.clone(ip=where).operation
    for number, operand in enumerate((first, second)):
        whole.operands[number] = operand.make(ir.InsertionPoint(whole))
    set_sharding(whole.results[0], first.sharding)
    made = builders.reduce_scatter(whole.results[0], first.axes, out, Reduction.SUM, loc=op.location, ip=where)
    op.results[0].replace_all_uses_with(made)
    scattered = list(op.operands)
    op.erase()
    erase_unused(scattered)
    return True


@dataclass(frozen=True)
class _Scattered:
    """Source of a value that is scattered along `axes`; `make` builds it in front of an op."""

    axes: tuple[AxisList, ...]
    sharding: TensorSharding
    make: Callable[[ir.InsertionPoint], ir.Value]


def _scattered(value: ir.Value) -> _Scattered | None:
    """Return the scatter that gives `value`, if it has no other use."""
    if not isinstance(value, ir.OpResult) or len(uses_of(value)) != 1:
        return None
    op = value.owner.operation
    if op.name == "sdy.reduce_scatter" and op.attributes["reduction_op"].value == Reduction.SUM.value:
        sharding = get_sharding(op.operands[0])
        if sharding is None:
            return None
        return _Scattered(attributes.get(op, "reduce_scatter_axes").lists, sharding, lambda where: op.operands[0])
    if op.name != "stablehlo.transpose":
        return None
    before = _scattered(op.operands[0])
    return None if before is None else _transposed(op, before)


def _transposed(op: ir.Operation, before: _Scattered) -> _Scattered:
    permutation = list(op.attributes["permutation"])
    sharding = before.sharding.with_dims(before.sharding.dims[dim] for dim in permutation)

    def make(where: ir.InsertionPoint) -> ir.Value:
        operand = before.make(where)
        copy = op.clone(ip=where).operation
        copy.operands[0] = operand
        set_sharding(copy.results[0], sharding)
        return copy.results[0]

    return _Scattered(tuple(before.axes[dim] for dim in permutation), sharding, make)


@pattern("bitcast-all-reduces", "sdy.all_reduce", "sdy.reduce_scatter")
def bitcast_all_reduce(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Add up the results of lookups in parts of a table as integers of the same bits.

    A device has zeros for elements that others look up, so the sum only moves elements. As integers they arrive
    unchanged, -0.0 and denormals included. Integers of 32 and 64 bits are summed as fast. Results whose users ignore
    the sign of zero, such as comparisons and sums of products, stay.

    %0 = "stablehlo.gather"(%table, %indices) ...                      // %table: [{"x"}, {}]
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    ==>  %1 = stablehlo.bitcast_convert %0 {... unreduced={"x"}} : (tensor<8x4xf32>) -> tensor<8x4xi32>
         %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xi32>
         %3 = stablehlo.bitcast_convert %2 : (tensor<8x4xi32>) -> tensor<8x4xf32>
    """
    element = op.results[0].type.element_type
    if moved_type(element) == element or not is_looked_up(op, summed_axes(op)):
        return rewriter.no_match(op, "it adds up other results than those of lookups")
    if not bits_matter(op.results[0]):
        return rewriter.no_match(op, "users give the same for any zero")
    _as_bits(op, element)
    return True


def _as_bits(op: ir.Operation, element: ir.Type) -> None:
    value, result = op.operands[0], op.results[0]
    bits = with_sharding(bits_of(Builder.before(op), value), get_sharding(value))
    op.operands[0] = bits
    result.set_type(bits.type)
    slots = uses_of(result)
    numbers = from_bits(Builder.after(op), result, element)
    use_instead(slots, with_sharding(numbers, attributes.get(op, "out_sharding")))
