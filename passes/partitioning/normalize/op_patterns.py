"""Patterns that write single ops as propagation handles them best: constants, choices, broadcasts, slices, callbacks.

XLA does the same before it propagates. None of them computes or moves more than before.
"""

from __future__ import annotations

import math

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.with_sharding import erase_unused
from sdy.dialect.ops.custom_calls import callbacks, is_made_on_parts
from sdy.dialect.ops.rules import extended_ops, extension_rule
from sdy.dialect.replica_groups import ManualScopes
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, enclosing_module
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.greedy import is_dead
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes.pattern_sets import Rewriter, function_pattern, keep_sharding, pattern
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer
from sdy.stablehlo.idioms.dense import known_integers
from sdy.stablehlo.idioms.loops import WHILE
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.types.sizes import is_ascending

FOREIGN_CONSTANTS = ("arith.constant", "chlo.constant")
"""Ops of other dialects that are constants; programs of torch-mlir have `arith.constant`."""


@pattern("constants", *FOREIGN_CONSTANTS)
def foreign_constant(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace constants of other dialects by `stablehlo.constant`, which the splitter copies for each use.

    %0 = arith.constant dense<1.0> : tensor<8xf32>  ==>  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    """
    if not isinstance(op.results[0].type, ir.RankedTensorType):
        return rewriter.no_match(op, "the value is not a ranked tensor")
    return rewriter.replace(op, keep_sharding(op, Builder.before(op).constant(op.attributes["value"])))


@function_pattern("empty-values")
def empty_values(func: ir.Operation, _: Rewriter) -> bool:
    """Replace values without elements by constants: shardings do not travel through them then.

    %1 = stablehlo.slice %a [0:0, 0:4] : (tensor<8x4xf32>) -> tensor<0x4xf32>
    ==>  %1 = stablehlo.constant dense<> : tensor<0x4xf32>
    """
    found = [op for op in pre_order(func) if any(_is_empty(result.type) for result in op.results)]
    changed = [op for op in found if op.name != "stablehlo.constant" and is_effect_free(op)]
    for op in reversed(changed):
        for result in op.results:
            if _is_empty(result.type) and _is_used(result):
                constant = Builder.before(op).constant(ir.Attribute.parse(f"dense<> : {result.type}"))
                result.replace_all_uses_with(constant)
        if not any(map(_is_used, op.results)):
            op.erase()
    return bool(changed)


def _is_empty(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and 0 in type_.shape


def _is_used(result: ir.Value) -> bool:
    return any(True for _ in result.uses)


@pattern("idle-ops", views.Select)
def select_of_equals(select: views.Select, rewriter: Rewriter) -> bool:
    """Use the value that both sides of a select are: branches under `jax.vmap` are selects, many between equals.

    %1 = stablehlo.select %p, %0, %0 : tensor<8xi1>, tensor<8xf32>  ==>  %0
    """
    if select.on_true != select.on_false:
        return rewriter.no_match(select.op, "the sides differ")
    return _replace(select.op, select.on_true, rewriter)


@pattern("idle-ops", views.Select)
def select_by_constant(select: views.Select, rewriter: Rewriter) -> bool:
    """Replace a select with a constant uniform predicate, as in JAX's bounds checks of constant indices.

    %p = stablehlo.broadcast_in_dim %true, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %1 = stablehlo.select %p, %0, %a : tensor<8xi1>, tensor<8xf32>  ==>  %0
    """
    repeated = views.BroadcastInDim.defining(select.pred)
    known = None if repeated is None or repeated.operand.type.rank else known_integers(repeated.operand)
    if known is None:
        return rewriter.no_match(select.op, "the predicate is not known to be the same everywhere")
    return _replace(select.op, select.on_true if known else select.on_false, rewriter)


@pattern("idle-ops", views.Reverse)
def reverse_of_one_element(reverse: views.Reverse, rewriter: Rewriter) -> bool:
    """Use the operand of a reverse along dimensions of size 1.

    %1 = stablehlo.reverse %0, dims = [1] : tensor<8x1xf32>  ==>  %0
    """
    if any(reverse.operand.type.shape[dim] != 1 for dim in reverse.dimensions):
        return rewriter.no_match(reverse.op, "a reversed dimension has several elements")
    return _replace(reverse.op, reverse.operand, rewriter)


@pattern("idle-ops", views.Concatenate)
def concatenate_of_nothing(concatenate: views.Concatenate, rewriter: Rewriter) -> bool:
    """Leave operands without elements out of a concatenation, as of `jnp.roll` by nothing.

    %1 = stablehlo.concatenate %0, %empty, dim = 0 : (tensor<8xf32>, tensor<0xf32>) -> tensor<8xf32>  ==>  %0
    """
    op, inputs = concatenate.op, list(concatenate.inputs)
    kept = [value for value in inputs if not _is_empty(value.type)]
    if not kept or len(kept) == len(inputs):
        return rewriter.no_match(op, "all operands have elements, or none")
    if len(kept) == 1 and SHARDING not in op.attributes and kept[0].type == op.results[0].type:
        return rewriter.replace(op, kept[0])
    made = Builder.before(op).concatenate(kept, concatenate.dimension)
    return rewriter.replace(op, keep_sharding(op, made))


def _replace(op: ir.Operation, value: ir.Value, rewriter: Rewriter) -> bool:
    if SHARDING in op.attributes or value.type != op.results[0].type:
        return rewriter.no_match(op, "it has a sharding, or another type than the value")
    return rewriter.replace(op, value)


@pattern("broadcasts-to-reshapes", views.BroadcastInDim)
def broadcast_to_reshape(broadcast: views.BroadcastInDim, rewriter: Rewriter) -> bool:
    """Write a broadcast that adds only dimensions of size 1 as a reshape.

    Propagation visits broadcasts last and reshapes among the first; the batch of tokens looked up in a table would come
    too late.

    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    ==>  %1 = stablehlo.reshape %0 : (tensor<8xi32>) -> tensor<8x1xi32>
    """
    before, after = broadcast.operand.type, broadcast.result.type
    if not before.rank or not before.has_static_shape or not after.has_static_shape:
        return rewriter.no_match(broadcast.op, "the operand is a scalar, or a shape is dynamic")
    if math.prod(before.shape) != math.prod(after.shape):
        return rewriter.no_match(broadcast.op, "elements are repeated")
    if not is_ascending(broadcast.broadcast_dimensions, strictly=False):
        return rewriter.no_match(broadcast.op, "dimensions are transposed")
    made = Builder.before(broadcast.op).reshape(broadcast.operand, after)
    return rewriter.replace(broadcast.op, keep_sharding(broadcast.op, made))


@pattern("idle-ops", views.Reshape)
def reshape_back(reshape: views.Reshape, rewriter: Rewriter) -> bool:
    """Reshape at once where a second reshape gives a shape back, but for dimensions of size 1.

    The shape in between may not shard, as in sums of what `jnp.tile` makes.

    %1 = stablehlo.reshape %0 : (tensor<2x9x1xf32>) -> tensor<18xf32>
    %2 = stablehlo.reshape %1 : (tensor<18xf32>) -> tensor<2x9xf32>
    ==>  %2 = stablehlo.reshape %0 : (tensor<2x9x1xf32>) -> tensor<2x9xf32>
    """
    before = views.Reshape.defining(reshape.operand)
    if before is None or SHARDING in before.op.attributes:
        return rewriter.no_match(reshape.op, "the operand is no reshape, or has a sharding")
    made, type_ = before.operand, reshape.result.type
    if [size for size in made.type.shape if size != 1] != [size for size in type_.shape if size != 1]:
        return rewriter.no_match(reshape.op, "it does not give back the shape that was there")
    if made.type != type_ or SHARDING in reshape.op.attributes:
        made = keep_sharding(reshape.op, Builder.before(reshape.op).reshape(made, type_))
    rewriter.replace(reshape.op, made)
    erase_unused([before.result])
    return True


@pattern("static-slices", views.DynamicSlice)
def static_slice(cut: views.DynamicSlice, rewriter: Rewriter) -> bool:
    """Write a dynamic slice at constant indices as a slice, along whose dimensions shardings propagate.

    %1 = stablehlo.dynamic_slice %0, %c2, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
    ==>  %1 = stablehlo.slice %0 [2:6] : (tensor<8xf32>) -> tensor<4xf32>
    """
    if not cut.start_indices or not cut.operand.type.has_static_shape:
        return rewriter.no_match(cut.op, "the operand is a scalar, or its shape is dynamic")
    numbers = list(map(splat_integer, cut.start_indices))
    room = [size - part for size, part in zip(cut.operand.type.shape, cut.slice_sizes, strict=True)]
    starts = [min(max(number, 0), most) for number, most in zip(numbers, room, strict=True) if number is not None]
    if len(starts) < len(numbers):
        return rewriter.no_match(cut.op, "a start index is not a constant")
    limits = [start + size for start, size in zip(starts, cut.slice_sizes, strict=True)]
    made = Builder.before(cut.op).slice(cut.operand, starts, limits)
    return rewriter.replace(cut.op, keep_sharding(cut.op, made))


@function_pattern("unused-loops", WHILE)
def erase_unused_loops(func: ir.Operation, _: Rewriter) -> bool:
    """Erase loops without effects whose results are unused, and what only they use.

    Canonicalization keeps those in which sums or reshards of the dialect are, so that they would send data.

    %1 = stablehlo.while(%2 = %0) ...  ==>  (nothing)
    """
    changed = False
    # An erased loop takes those in it along, so that the others are looked up anew.
    while loop := next(filter(is_dead, ops_named(func, WHILE)), None):
        operands = list(loop.operands)
        loop.erase()
        erase_unused(operands)
        changed = True
    return changed


@function_pattern("chlo-sharding-rules")
def chlo_sharding_rules(func: ir.Operation, _: Rewriter) -> bool:
    """Give ops of CHLO and calls of JAX without a rule in propagation a sharding rule, so that they need not gather.

    %0 = chlo.square %a : tensor<9x6xf32> -> tensor<9x6xf32>
    ==>  %0 = chlo.square %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=9, j=6}>} : ...
    """
    has_changed = False
    for op in ops_named(func, *extended_ops(), "stablehlo.custom_call"):
        rule = extension_rule(op) if SHARDING_RULE not in op.attributes and len(op.operands) else None
        if rule is not None:
            attributes.put(op, SHARDING_RULE, rule)
            has_changed = True
    return has_changed


_FIRST_DEVICE = TensorSharding(Mesh((), (0,)))


@function_pattern("callbacks", "stablehlo.custom_call")
def place_callbacks(func: ir.Operation, rewriter: Rewriter) -> bool:
    """Shard host callbacks that have no sharding.

    The first device makes a call that has an effect, with replicated operands. In a region that is manual on all axes,
    or a function called there, every device makes its own. Every device makes a partitioned callback with its parts of
    the operands; the sharding that JAX gives it, which suits other calls, is dropped.

    stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {has_side_effect = true}
    ==>  stablehlo.custom_call @xla_ffi_python_cpu_callback(%0)
           {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>]>}
    """
    found, module = callbacks(func), enclosing_module(func)
    world = MeshTable(module).global_mesh() if found else None
    if world is None:
        return False
    manual = ManualScopes(module)
    changed = False
    for op in found:
        is_sharded = SHARDING in op.attributes
        if is_made_on_parts(op):
            set_op_shardings(op, None)
            changed |= is_sharded
        elif views.CustomCall(op).has_side_effect and not is_sharded:
            changed |= _place(op, manual.around(op), world[1])
    return changed


def _place(op: ir.Operation, manual: frozenset[str], mesh: Mesh) -> bool:
    free = [axis.name for axis in mesh.axes if axis.size > 1 and axis.name not in manual]
    if not manual:
        set_op_shardings(op, [_FIRST_DEVICE] * max(1, len(op.results)))
    elif free:
        raise DiagnosticError(
            op,
            f"has an effect, and is in a region that is not manual on the axes {', '.join(map(repr, free))}: give it "
            "a sharding, or make them manual",
        )
    return not manual
