"""Recorded differences of the partitioner: how to take what causes them out of a program (see `recorded`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.shardings.attribute_shardings import (
    op_shardings,
    result_sharding,
    result_shardings,
    set_op_shardings,
    set_result_sharding,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, AxisRef, difference
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir, stablehlo
from sdy.mlir.functions import ModuleSymbols, body, funcs, has_body
from sdy.mlir.search import ops_named
from sdy.mlir.walk import post_order
from sdy.passes.partitioning.reshard_planning.reshard_plan import shard_counts
from sdy.passes.partitioning.reshard_planning.reshard_search import plan_reshard
from sdy.stablehlo.constants import splat_number

# What stands for an op that is taken out -------------------------------------------------------


def _layouts(module: ir.Operation) -> Callable[[ir.Value], Layout]:
    layouts = Layouts(MeshTable(module))
    return lambda value: layouts.of(value.type, get_sharding(value))


def _take_out(op: ir.Operation) -> None:
    """Users of the op get zeros with the same shardings, or new tokens; predicates are no partial values."""
    shardings = [get_sharding(result) for result in op.results]
    for result, sharding in zip(list(op.results), shardings, strict=True):
        type_ = result.type
        if not isinstance(type_, ir.RankedTensorType):
            new = ir.Operation.create("stablehlo.create_token", results=[type_], ip=ir.InsertionPoint(op))
        else:
            zero = _zero(type_.element_type)
            text = f'"sdy.constant"() {{value = dense<{zero}> : {type_}}} : () -> {type_}'
            new = ir.Operation.parse(text).operation
            ir.InsertionPoint(op).insert(new)
            if sharding is not None:
                set_op_shardings(new, (sharding if zero != "false" else sharding.with_unreduced(()),))
        result.replace_all_uses_with(new.results[0])
    op.erase()


def _zero(element: ir.Type) -> str:
    if isinstance(element, ir.ComplexType):
        return "(0.0, 0.0)"
    if isinstance(element, ir.FloatType):
        return "0.0"
    return "false" if isinstance(element, ir.IntegerType) and element.width == 1 else "0"


# Reshards --------------------------------------------------------------------------------------


def _plain_targets(module: ir.Operation) -> None:
    """Reshards leave axes unreduced by sums only, and only where dimensions are sharded."""
    for reshard in ops_named(module, "sdy.reshard"):
        sharding = attributes.get(reshard, "sharding")
        unreduced = () if sharding.is_fully_replicated else sharding.unreduced
        attributes.put(reshard, "sharding", sharding.with_unreduced(unreduced, Reduction.SUM))


# Ops that move data along a dimension ----------------------------------------------------------


def _strided_slices(module: ir.Operation) -> None:
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.slice"):
        if any(list(op.attributes["strides"])[dim] != 1 for dim in layout_of(op.operands[0]).sharded_dims):
            _take_out(op)


def _joined_pieces(module: ir.Operation) -> None:
    """Concatenations of a dimension that is sharded."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.concatenate"):
        dim = op.attributes["dimension"].value
        if any(layout_of(value).is_sharded(dim) for value in (*op.operands, *op.results)):
            _take_out(op)


def _at_odds(module: ir.Operation) -> None:
    """Slices, pads and reshapes whose result is sharded otherwise than their operand, reshapes on another mesh."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.slice", "stablehlo.pad", "stablehlo.reshape"):
        source, target = layout_of(op.operands[0]), layout_of(op.results[0])
        is_alike = op.name == "stablehlo.reshape" or source.dim_axes == target.dim_axes
        if source.sharded_dims and not (is_alike and source.mesh == target.mesh):
            _take_out(op)


# Uneven dimensions -----------------------------------------------------------------------------


def _joined_uneven(module: ir.Operation) -> None:
    """Concatenations of an uneven dimension."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.concatenate"):
        dim = op.attributes["dimension"].value
        if any(layout.padded_shape[dim] != layout.shape[dim] for layout in map(layout_of, (*op.operands, *op.results))):
            _take_out(op)


def _padded_on_the_way(module: ir.Operation) -> None:
    """Reshards on whose way more parts are made of a sharded dimension than it can be divided into."""
    layouts = Layouts(MeshTable(module))
    for op in ops_named(module, "sdy.reshard"):
        source = layouts.of(op.operands[0].type, get_sharding(op.operands[0]))
        target = layouts.of(op.results[0].type, get_sharding(op.results[0]))
        mesh = target.mesh
        if mesh is None or mesh.is_maximal or source.mesh not in (None, mesh):
            continue
        steps = plan_reshard(source.dim_axes, target.dim_axes, target.shape, mesh, unreduced=target.unreduced)
        counts = [shard_counts(axes, mesh.axis_sizes) for axes in (source.dim_axes, *(step.after for step in steps))]
        if any(
            _are_moved(size, *pair)
            for pairs in pairwise(counts)
            for size, *pair in zip(target.shape, *pairs, strict=True)
        ):
            _take_out(op)


def _are_moved(size: int, before: int, after: int) -> bool:
    """Whether the parts of a dimension grow when there are more of them."""
    return before > 1 and after > before and -(-size // after) * after != -(-size // before) * before


def _dots_in_general(module: ir.Operation) -> None:
    """Products of matrices are general ones."""
    for dot in ops_named(module, "stablehlo.dot"):
        last = dot.operands[0].type.rank - 1
        numbers = stablehlo.DotDimensionNumbers.get([], [], [last], [0])
        stored = dot.attributes
        general = ir.Operation.create(
            "stablehlo.dot_general",
            results=[dot.results[0].type],
            operands=list(dot.operands),
            attributes={"dot_dimension_numbers": numbers, **{name: stored[name] for name in stored}},
            ip=ir.InsertionPoint(dot),
        )
        dot.results[0].replace_all_uses_with(general.result)
        dot.erase()


def _single_broadcasts(module: ir.Operation) -> None:
    """Broadcasts along a dimension of size 1 that is sharded."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.broadcast_in_dim"):
        source = layout_of(op.operands[0])
        if any(source.shape[dim] == 1 for dim in source.sharded_dims):
            _take_out(op)


def _updates_of_uneven(module: ir.Operation) -> None:
    """A dynamic_update_slice of a part of an uneven dimension updates nothing."""
    layout_of = _layouts(module)
    for update in ops_named(module, "stablehlo.dynamic_update_slice"):
        layout = layout_of(update.operands[0])
        part = update.operands[1].type.shape
        if any(
            layout.padded_shape[dim] != size != updated
            for dim, (size, updated) in enumerate(zip(layout.shape, part, strict=True))
        ):
            update.results[0].replace_all_uses_with(update.operands[0])
            update.erase()


def _padded_differently(module: ir.Operation) -> None:
    """Ops whose tensors are padded to different sizes along what is one dimension to them."""
    layout_of = _layouts(module)
    for op in post_order(module):
        rule = rule_of(op) if op.name.startswith("stablehlo.") and not is_terminator(op) else None
        if rule is None:
            continue
        sizes: dict[tuple[int, ...], set[int]] = {}
        for value, mapping in zip((*op.operands, *op.results), rule.tensors, strict=True):
            for size, factors in zip(layout_of(value).padded_shape, mapping, strict=True):
                sizes.setdefault(factors, set()).add(size)
        is_padded = any(layout.padded_shape != layout.shape for layout in map(layout_of, (*op.operands, *op.results)))
        if is_padded and any(factors and len(found) > 1 for factors, found in sizes.items()):
            _take_out(op)


def _uneven_collectives(module: ir.Operation) -> None:
    """Collectives of the user's that change the size of an uneven dimension."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.all_gather", "stablehlo.all_to_all", "stablehlo.reduce_scatter"):
        for value, other in ((op.operands[0], op.results[0]), (op.results[0], op.operands[0])):
            layout = layout_of(value)
            changed = [dim for dim, size in enumerate(layout.shape) if size != other.type.shape[dim]]
            if any(layout.padded_shape[dim] != layout.shape[dim] for dim in changed):
                _take_out(op)
                break


def _shown_padding(module: ir.Operation) -> None:
    """Pads whose result reaches behind the padding of their operand."""
    layout_of = _layouts(module)
    for pad in ops_named(module, "stablehlo.pad"):
        source, target = layout_of(pad.operands[0]), pad.results[0].type.shape
        low, inside = (list(pad.attributes[name]) for name in ("edge_padding_low", "interior_padding"))
        behind = [low[dim] + size * (inside[dim] + 1) < target[dim] for dim, size in enumerate(source.shape)]
        if any(behind[dim] and source.padded_shape[dim] > source.shape[dim] for dim in source.sharded_dims):
            _take_out(pad)


def _uneven_updates(module: ir.Operation) -> None:
    """Scatters with an uneven number of updates."""
    layout_of = _layouts(module)
    for scatter in ops_named(module, "stablehlo.scatter"):
        indices = layout_of(scatter.operands[len(scatter.results)])
        if indices.padded_shape != indices.shape:
            _take_out(scatter)


# Ops that are made local -----------------------------------------------------------------------


def _whole_windows(module: ir.Operation) -> None:
    """Scatters whose updates span a sharded dimension that the indices name leave their inputs."""
    layout_of = _layouts(module)
    for scatter in ops_named(module, "stablehlo.scatter"):
        numbers = stablehlo.ScatterDimensionNumbers(scatter.attributes["scatter_dimension_numbers"])
        shape, count = scatter.operands[0].type.shape, len(scatter.results)
        absent = [*numbers.inserted_window_dims, *numbers.input_batching_dims]
        in_window = [dim for dim in range(len(shape)) if dim not in absent]
        window = [scatter.operands[count + 1].type.shape[dim] for dim in numbers.update_window_dims]
        sharded = layout_of(scatter.results[0]).sharded_dims
        whole = [dim for dim, size in zip(in_window, window, strict=True) if size == shape[dim] and dim in sharded]
        if any(dim in whole for dim in numbers.scattered_dims_to_operand_dims):
            for result, before in zip(list(scatter.results), list(scatter.operands)[:count], strict=True):
                result.replace_all_uses_with(before)
            scatter.erase()


def _moving_pads(module: ir.Operation) -> None:
    """Pads that move elements from one part to another become the padding alone."""
    layout_of = _layouts(module)
    for pad in ops_named(module, "stablehlo.pad"):
        old, new = pad.operands[0], pad.results[0]
        if not _moves(pad, layout_of(old), layout_of(new)):
            continue
        alone = ir.Operation.create(
            "stablehlo.broadcast_in_dim",
            results=[new.type],
            operands=[pad.operands[1]],
            attributes={"broadcast_dimensions": ir.DenseI64ArrayAttr.get([]), **_kept(pad)},
            ip=ir.InsertionPoint(pad),
        )
        new.replace_all_uses_with(alone.result)
        pad.erase()


def _kept(op: ir.Operation) -> dict[str, ir.Attribute]:
    """What an op in place of `op` takes over: its shardings, which collectives of the results need."""
    return {SHARDING: op.attributes[SHARDING]} if SHARDING in op.attributes else {}


def _moves(pad: ir.Operation, source: Layout, target: Layout) -> bool:
    low, inside = (list(pad.attributes[name]) for name in ("edge_padding_low", "interior_padding"))
    for dim in target.sharded_dims:
        part, new_part = source.local_shape[dim], target.local_shape[dim]
        places = {number: low[dim] + number * (inside[dim] + 1) for number in range(source.shape[dim])}
        if any(number // part != place // new_part for number, place in places.items()):
            return True
    return False


def _dimension_sizes(module: ir.Operation) -> None:
    """Sizes of dimensions are constants."""
    for op in ops_named(module, "stablehlo.get_dimension_size"):
        size = op.operands[0].type.shape[op.attributes["dimension"].value]
        type_ = op.results[0].type
        value = ir.DenseElementsAttr.get_splat(type_, ir.IntegerAttr.get(type_.element_type, size))
        constant = ir.Operation.create(
            "stablehlo.constant", results=[type_], attributes={"value": value, **_kept(op)}, ip=ir.InsertionPoint(op)
        )
        op.results[0].replace_all_uses_with(constant.result)
        op.erase()


def _sharded_random_numbers(module: ir.Operation) -> None:
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.rng"):
        if layout_of(op.results[0]).sharded_dims:
            _take_out(op)


def _calls_of_the_unknown(module: ir.Operation) -> None:
    """Calls with tokens, and calls of what has no rule where something is sharded."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.custom_call"):
        values = [*op.operands, *op.results]
        has_token = any(not isinstance(value.type, ir.RankedTensorType) for value in values)
        if has_token or (rule_of(op) is None and any(layout_of(value).sharded_dims for value in values)):
            _take_out(op)


def _sharded_top_k(module: ir.Operation) -> None:
    """Calls of top-k along a dimension that is sharded."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.custom_call"):
        if op.attributes["call_target_name"].value in ("mhlo.topk", "TopK"):
            tensors = [layout_of(value) for value in (*op.operands, *op.results)]
            if any(layout.rank and layout.is_sharded(layout.rank - 1) for layout in tensors):
                _take_out(op)


def _whole_results(module: ir.Operation) -> None:
    """What is no partial value along an axis is not said to be one, nor returned as one."""
    meshes = MeshTable(module)
    for op in post_order(module):
        if op.name in _COLLECTIVES:
            given = _unreduced(op.operands[0])
            attributes.put(op, "out_sharding", _partial_along(attributes.get(op, "out_sharding"), given, meshes))
        elif SHARDING in op.attributes and op.name.startswith("stablehlo."):
            sources = [*op.operands, *_handed_on(op)]
            of = _unreduced_axes if op.name == "stablehlo.dynamic_update_slice" else TensorSharding.axis_refs
            given = [axis for sharding in map(get_sharding, sources) if sharding for axis in of(sharding)]
            set_op_shardings(op, tuple(_partial_along(sharding, given, meshes) for sharding in op_shardings(op) or ()))
    for func in filter(has_body, funcs(module)):
        for index, value in enumerate(body(func).operations[-1].operation.operands):
            returned = result_sharding(func, index)
            if returned is not None and returned.unreduced:
                set_result_sharding(func, index, _partial_along(returned, _unreduced(value), meshes))


_COLLECTIVES = (
    *("sdy.all_gather", "sdy.all_reduce", "sdy.all_slice", "sdy.all_to_all"),
    *("sdy.collective_permute", "sdy.reduce_scatter"),
)


def _unreduced_axes(sharding: TensorSharding) -> AxisList:
    """For ops that add nothing up: their results are partial values only if operands are."""
    return sharding.unreduced


def _handed_on(op: ir.Operation) -> list[ir.Value]:
    """What the regions of a condition or loop return."""
    if op.name not in ("stablehlo.case", "stablehlo.if", "stablehlo.while"):
        return []
    return [value for region in op.regions for value in region.blocks[0].operations[-1].operation.operands]


def _partial_along(sharding: TensorSharding, axes: Sequence[AxisRef], meshes: MeshTable) -> TensorSharding:
    """The sharding with the parts of its unreduced axes that are among `axes`."""
    mesh = meshes.of(sharding)
    if mesh is None or not sharding.unreduced:
        return sharding
    without = difference(sharding.unreduced, axes, mesh.axis_sizes)
    return sharding.with_unreduced(difference(sharding.unreduced, without, mesh.axis_sizes))


def _results_at_odds(module: ir.Operation) -> None:
    """Calls sharded otherwise than what the function returns, and broadcasts otherwise than their operand."""
    layout_of = _layouts(module)
    for op in ops_named(module, "stablehlo.broadcast_in_dim"):
        source, result = layout_of(op.operands[0]), layout_of(op.results[0])
        dims = op.attributes["broadcast_dimensions"]
        if any(source.dim_axes[dim] != result.dim_axes[dims[dim]] for dim in source.sharded_dims):
            _take_out(op)
    symbols = ModuleSymbols(module)
    for call in ops_named(module, "func.call"):
        if list(op_shardings(call) or ()) != result_shardings(symbols.callee(call)):
            _take_out(call)


def _permutes_beside_manual_axes(module: ir.Operation) -> None:
    """Permutes in a manual computation one of whose axes lies between those that the permute names."""
    meshes = MeshTable(module)
    for computation in ops_named(module, "sdy.manual_computation"):
        manual = attributes.get(computation, "manual_axes").names
        for permute in list(ops_named(computation, "sdy.collective_permute")):
            source, target = get_sharding(permute.operands[0]), attributes.get(permute, "out_sharding")
            mesh = meshes.of(target)
            assert source is not None and mesh is not None, "they are verified"
            order = [axis.name for axis in mesh.axes]
            named = [order.index(axis.name) for axis in (*source.axis_refs(), *target.axis_refs())]
            if any(min(named) < order.index(name) < max(named) for name in manual):
                _take_out(permute)


def _whole_predicates(module: ir.Operation) -> None:
    """Predicates that are constants are no partial values."""
    for op in ops_named(module, "sdy.constant"):
        sharding = get_sharding(op.results[0])
        if sharding is not None and _zero(op.results[0].type.element_type) == "false":
            set_op_shardings(op, (sharding.with_unreduced(()),))


def _padded_sums(module: ir.Operation) -> None:
    """Padding of partial values by other numbers than zero."""
    for pad in ops_named(module, "stablehlo.pad"):
        if _unreduced(pad.results[0]) and splat_number(pad.operands[1]) != 0:
            _take_out(pad)


def _unreduced(value: ir.Value) -> tuple:
    sharding = get_sharding(value)
    return () if sharding is None else sharding.unreduced


_ALONE = "sdy-per-instruction-partitioning"
_MOVE = frozenset(["sdy-reshard-to-collectives"])
_RESOLVE = frozenset(["sdy-resolve-permutation-factors", _ALONE])
_PAD = frozenset(["sdy-pad-for-divisibility", _ALONE])
_LOCAL = frozenset(["sdy-convert-global-to-local", _ALONE])

PARTITIONER = (
    ("target unreduced by max or min", _MOVE, _plain_targets),
    ("target without sharded dimensions but with unreduced axes", _MOVE, _plain_targets),
    ("slice with a stride of a sharded dimension", _RESOLVE, _strided_slices),
    (
        "concatenation of slices along the sharded dimension, once the slices are rewritten or were none",
        _RESOLVE,
        _joined_pieces,
    ),
    (
        "slice, pad or reshape whose result is sharded otherwise than its operand, as on another mesh",
        _RESOLVE,
        _at_odds,
    ),
    ("dynamic_update_slice at the end of an uneven dimension", _PAD, _updates_of_uneven),
    ("`stablehlo.dot` over an uneven dimension", _PAD, _dots_in_general),
    ("broadcast along an uneven dimension of size 1", _PAD, _single_broadcasts),
    ("op whose operand and result are padded to different sizes, as on two meshes", _PAD, _padded_differently),
    ("collective of the user's along an uneven dimension", _PAD, _uneven_collectives),
    ("pad whose result reaches behind the padding of its operand", _PAD, _shown_padding),
    ("scatter of uneven updates", _PAD, _uneven_updates),
    (
        "concatenation of uneven parts that with their padding are as long as the padded result",
        _PAD,
        _joined_uneven,
    ),
    ("scatter of updates that span a sharded dimension which the indices name", _LOCAL, _whole_windows),
    ("padding of an even dimension, for more parts", _LOCAL, _moving_pads),
    ("padding of an even dimension, for more parts", frozenset([_ALONE]), _padded_on_the_way),
    ("get_dimension_size of a sharded dimension", _LOCAL | _PAD, _dimension_sizes),
    ("`stablehlo.rng` with a sharded result", _LOCAL | _PAD, _sharded_random_numbers),
    ("custom_call without a rule; one with a token", _LOCAL | _PAD, _calls_of_the_unknown),
    (
        "collective_permute in a manual computation whose axis lies between those that change",
        _LOCAL,
        _permutes_beside_manual_axes,
    ),
    ("top-k, FFT, reverse along a sharded dimension", _LOCAL | _PAD, _sharded_top_k),
    ("padding of a partial sum by another number than zero", _LOCAL | _RESOLVE, _padded_sums),
    ("`sdy.constant` of predicates that is meant to be a partial value", _LOCAL, _whole_predicates),
    ("result that is meant to be a partial sum, of an op on values that are none", _LOCAL, _whole_results),
    ("reverse whose result becomes a partial sum", _RESOLVE, _whole_results),
    ("operands, results or returned values that are not sharded as the op needs it", _LOCAL, _results_at_odds),
)
"""Case, passes and what takes it out, in this order."""
