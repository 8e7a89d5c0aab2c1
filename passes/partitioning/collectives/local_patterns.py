"""Patterns for collectives of one device: those that send nothing, and the memory order of data."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.ir_builders.with_sharding import OperandSlot, use_instead, uses_of
from sdy.dialect.op_properties import is_constant, is_constant_value, is_elementwise, is_static_shaped
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir, stablehlo
from sdy.mlir.rewriting import defining_op, first_user, remade, replace
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.op_cost import renames
from sdy.passes.pattern_sets import Rewriter, function_pattern, pattern
from sdy.stablehlo import views
from sdy.stablehlo.idioms.loops import combining_ops
from sdy.stablehlo.ops import Builder

_GROUPED = tuple(
    f"stablehlo.{name}" for name in "all_gather all_reduce all_to_all collective_broadcast reduce_scatter".split()
)
_PERMUTE, _PAIRS = "stablehlo.collective_permute", "source_target_pairs"
_NUMBERS, _PRECISION = "dot_dimension_numbers", "precision_config"
_PRODUCT, _BARRIER = "stablehlo.dot_general", "stablehlo.optimization_barrier"
_DIMS = [f"{side}_{kind}_dimensions" for side in ("lhs", "rhs") for kind in ("batching", "contracting")]
_DIMENSIONS = {"scatter_dimension", "split_dimension", "concat_dimension", "all_gather_dim"}


@pattern("idle-collectives", _PERMUTE, *_GROUPED)
def remove_idle_collective(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Remove collectives in which every device sends only to itself.

    %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 0], [1, 1]]>}>  ==>  %0
    """
    found = of_module(MeshTable, op).global_mesh()
    if found is None or not _is_idle(op, found[1].size):
        return rewriter.no_match(op, "devices send to others")
    if list(op.results.types) != [value.type for value in op.operands]:
        return rewriter.no_match(op, "it changes the type")
    replace(op, op.operands)
    return True


def _is_idle(op: ir.Operation, devices: int) -> bool:
    """Return whether each device receives its own value, given the number of devices."""
    ids = op.attributes[_PAIRS if op.name == _PERMUTE else "replica_groups"]
    if not isinstance(ids, ir.DenseIntElementsAttr):
        return False
    matrix = np.array(ids)
    if op.name != _PERMUTE and matrix.shape[1:] != (1,):
        return False
    return np.array_equal(matrix[:, 0], matrix[:, -1]) and np.array_equal(np.sort(matrix[:, 0]), np.arange(devices))


@pattern("successive-permutes", _PERMUTE)
def join_successive_permutes(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Send data once where two permutes would send it on, as when a reversed tensor is resharded.

    Ops that move elements may stand between, and elementwise ones if every device is sent something.

    %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]>}>
    %2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 2], [1, 3], [2, 0], [3, 1]]>}>
    ==>  %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 3], [1, 2], [2, 1], [3, 0]]>}>
         %2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<2x4xf32>
    """
    value, moved = op.operands[0], True
    while (first := _sole_maker(value, op)) is not None and first.name != _PERMUTE:
        varying = [operand for operand in first.operands if not is_constant_value(operand)]
        moves = _moves(first) or first.name == "stablehlo.reverse"
        if len(varying) != 1 or not (moves or is_elementwise(first)):
            break
        value, moved = varying[0], moved and moves
    if first is None or first.name != _PERMUTE:
        return rewriter.no_match(op, "its operand is not what another permute sends to it alone")
    sent, sent_on = _pairs(first), _pairs(op)
    found = of_module(MeshTable, op).global_mesh()
    if not moved and (found is None or not len(sent) == len(sent_on) == found[1].size):
        return rewriter.no_match(op, "some devices are sent zeros, of which ops in between make others")
    joined = [(source, sent_on[by]) for source, by in sent.items() if by in sent_on]
    first.attributes[_PAIRS] = ir.DenseIntElementsAttr.get(np.array(joined, np.int64).reshape(-1, 2))
    op.results[0].replace_all_uses_with(op.operands[0])
    op.erase()
    return True


def _sole_maker(value: ir.Value, user: ir.Operation) -> ir.Operation | None:
    """Return the op that makes a value, if it is in the block of its only user."""
    found = defining_op(value)
    return found if found is not None and found.block == user.block and len(uses_of(value)) == 1 else None


def _pairs(permute: ir.Operation) -> dict[int, int]:
    """Return the device that each sending device sends to."""
    return dict(np.array(ir.DenseIntElementsAttr(permute.attributes[_PAIRS])).tolist())


@pattern("scatter-major-dimensions", "stablehlo.reduce_scatter", "stablehlo.all_to_all")
def scatter_major_dimension(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Scatter the transpose of a product, of whose part elementwise ops or transposes are computed.

    The data for one device is then contiguous, and need not be copied. All_reduces over other devices may stand between
    the scatters. All_to_alls send parts of a product in the same way, for which compilers then share kernels.

    %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
    %2 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 1, ...}>
    %3 = stablehlo.transpose %2, dims = [1, 0]
    ==>  %1 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [0]
         %2 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0, ...}>
    """
    dimension = "split_dimension" if op.name == "stablehlo.all_to_all" else "scatter_dimension"
    if op.attributes[dimension].value != 1 or len(op.operands) != 1:
        return rewriter.no_match(op, "it scatters another dimension than the second")
    product, sums = _product(op), _sums(op)
    if product is None or not all(map(_takes_transpose, uses_of(sums[-1].results[0]))):
        return rewriter.no_match(op, "it is not between a product of matrices and elementwise ops or transposes")
    _add_up(sums, _swapped(product))
    product.erase()
    return True


def _takes_transpose(slot: OperandSlot) -> bool:
    """Return whether a user computes a transpose, or from one, without a copy."""
    return slot.user.name == "stablehlo.transpose" or is_elementwise(slot.user)


@pattern("gather-major-dimensions", "stablehlo.all_gather")
def gather_major_dimension(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Gather the transpose of a matrix that an elementwise op computes and products read.

    Compilers gather along the major dimension only, and copy what they gathered along another one. Products read their
    factors transposed as well.

    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1, ...}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
    %2 = stablehlo.dot_general %1, %a, contracting_dims = [1] x [0]
    ==>  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
         %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0, ...}> : (tensor<3x2xf32>) -> tensor<6x2xf32>
         %3 = stablehlo.dot_general %2, %a, contracting_dims = [0] x [0]
    """
    operand, users = op.operands[0], uses_of(op.results[0])
    if op.attributes["all_gather_dim"].value != 1 or len(op.operands) != 1 or operand.type.rank != 2:
        return rewriter.no_match(op, "it does not gather along the second of two dimensions")
    made_by = _sole_maker(operand, op)
    if made_by is None or not is_elementwise(made_by) or not all(map(_takes_transposed_factor, users)):
        return rewriter.no_match(op, "it is not between an elementwise op and products with one dimension of it")
    gathered = _remade_transposed(op, Builder.before(op).transpose(operand, [1, 0]))
    for slot in users:
        numbers, side = stablehlo.DotDimensionNumbers(slot.user.attributes[_NUMBERS]), ("lhs", "rhs")[slot.number]
        dims: Any = {name: [1 - dim if side in name else dim for dim in getattr(numbers, name)] for name in _DIMS}
        slot.user.attributes[_NUMBERS] = stablehlo.DotDimensionNumbers.get(**dims)
    use_instead(users, gathered)
    op.erase()
    return True


def _takes_transposed_factor(slot: OperandSlot) -> bool:
    """Return whether a user is a product whose result keeps its order: it has at most one dimension of the matrix."""
    if slot.user.name != _PRODUCT:
        return False
    numbers, side = stablehlo.DotDimensionNumbers(slot.user.attributes[_NUMBERS]), ("lhs", "rhs")[slot.number]
    return bool(getattr(numbers, f"{side}_contracting_dimensions") or getattr(numbers, f"{side}_batching_dimensions"))


def _product(op: ir.Operation) -> ir.Operation | None:
    """Return the product of two matrices that only `op` uses; any number of dimensions is contracted."""
    value = op.operands[0]
    found = value.owner.operation if isinstance(value, ir.OpResult) else None
    if found is None or found.name != _PRODUCT or len(uses_of(value)) != 1:
        return None
    numbers = stablehlo.DotDimensionNumbers(found.attributes[_NUMBERS])
    lhs, rhs = (operand.type.rank for operand in found.operands)
    free = lhs - len(numbers.lhs_contracting_dimensions), rhs - len(numbers.rhs_contracting_dimensions)
    is_plain = free == (1, 1) and not numbers.lhs_batching_dimensions and "algorithm" not in found.attributes
    return found if is_plain else None


def _sums(op: ir.Operation) -> list[ir.Operation]:
    """Return `op` and the successive all_reduces of its result."""
    sums = [op]
    while len(users := uses_of(sums[-1].results[0])) == 1:
        user = users[0].user
        if user.name != "stablehlo.all_reduce" or len(user.operands) != 1:
            break
        sums.append(user)
    return sums


def _swapped(product: ir.Operation) -> ir.Value:
    """Return the transpose of a product: that of its factors in the other order."""
    lhs, rhs = product.operands
    numbers = stablehlo.DotDimensionNumbers(product.attributes[_NUMBERS])
    attributes = without_sharding(product)
    attributes[_NUMBERS] = stablehlo.DotDimensionNumbers.get(
        lhs_batching_dimensions=[],
        rhs_batching_dimensions=[],
        lhs_contracting_dimensions=numbers.rhs_contracting_dimensions,
        rhs_contracting_dimensions=numbers.lhs_contracting_dimensions,
    )
    if _PRECISION in attributes:
        attributes[_PRECISION] = ir.ArrayAttr.get(list(reversed(list(attributes[_PRECISION]))))
    b = Builder.before(product)
    return b.create(product.name, (rhs, lhs), (_transposed(product.results[0].type),), attributes).results[0]


def _add_up(sums: list[ir.Operation], value: ir.Value) -> None:
    """Apply the collectives `sums` to the transposed `value`, and transpose the last result unless users do."""
    last = sums[-1].results[0]
    for op in sums:
        value = _remade_transposed(op, value)
    for user in [slot.user for slot in uses_of(last)]:
        if user.name == "stablehlo.transpose" and list(user.attributes["permutation"]) == [1, 0]:
            replace(user, (value,))
    if uses_of(last):
        last.replace_all_uses_with(Builder.before(sums[-1]).transpose(value, [1, 0]))
    for op in reversed(sums):
        op.erase()


def _remade_transposed(op: ir.Operation, value: ir.Value) -> ir.Value:
    """Return the result of a collective on matrices, applied to the transpose of its operand."""
    attributes = without_sharding(op)
    for name in _DIMENSIONS & attributes.keys():
        attributes[name] = ir.IntegerAttr.get(attributes[name].type, 1 - attributes[name].value)
    return remade(op, (value,), (_transposed(op.results[0].type),), attributes, with_blocks=True).results[0]


def _transposed(type_: ir.RankedTensorType) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(reversed(type_.shape)), type_.element_type)


@pattern("exchange-major-dimensions", views.AllToAll)
def exchange_major_dimension(exchange: views.AllToAll, rewriter: Rewriter) -> bool:
    """Exchange parts along the major dimension, so that they arrive in their final memory order.

    XLA slices parts in any case; it joins arriving parts along the sliced dimension, and transposes afterwards. The
    barrier has it put them in a row once, and share the kernels of equal slices, not transpose in the kernel of each.

    %1 = "stablehlo.all_to_all"(%0) <{split_dimension = 1, concat_dimension = 0, ...}> : (tensor<2x8xf32>) -> ...
    ==>  %1 = stablehlo.reshape %0 : (tensor<2x8xf32>) -> tensor<2x4x2xf32>
         %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<2x4x2xf32>) -> tensor<4x2x2xf32>
         %3 = stablehlo.reshape %2 : (tensor<4x2x2xf32>) -> tensor<8x2xf32>
         %4 = stablehlo.optimization_barrier %3 : tensor<8x2xf32>
         %5 = "stablehlo.all_to_all"(%4) <{split_dimension = 0, concat_dimension = 0, ...}>
    """
    op = exchange.op
    if exchange.concat_dimension or not exchange.split_dimension or len(exchange.operands) != 1:
        return rewriter.no_match(op, "it does not join along the first dimension what it splits along another")
    (operand,), (result,) = exchange.operands, exchange.results
    if not operand.type.has_static_shape:
        return rewriter.no_match(op, "its shape is dynamic")
    split, count, shape = exchange.split_dimension, exchange.split_count, operand.type.shape
    b = Builder.before(op)
    parts = b.reshape(operand, [*shape[:split], count, shape[split] // count, *shape[split + 1 :]])
    others = [dim for dim in range(len(shape) + 1) if dim != split]
    in_a_row = b.reshape(b.transpose(parts, [split, *others]), result.type.shape)
    op.operands[0] = b.create(_BARRIER, (in_a_row,), (in_a_row.type,)).results[0]
    op.attributes["split_dimension"] = op.attributes["concat_dimension"]
    return True


@pattern("transpose-before-all-reduces", "stablehlo.transpose")
def transpose_before_all_reduce(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Transpose the summand of each device instead of the sum.

    Gradients of products are often transposed products; a compiler fuses both if nothing stands between product and
    transpose.

    %1 = stablehlo.dot_general ...
    %2 = "stablehlo.all_reduce"(%1) ...
    %3 = stablehlo.transpose %2, dims = [1, 0]
    ==>  %2 = stablehlo.transpose %1, dims = [1, 0]
         %3 = "stablehlo.all_reduce"(%2) ...
    """
    sums = _sums_of_product(op)
    if not sums:
        return rewriter.no_match(op, "its operand is not an all-reduce of a product with one user")
    _add_up_transposed(op, sums)
    return True


def _sums_of_product(transpose: ir.Operation) -> list[ir.Operation]:
    """Return the all_reduces between a product and its transpose, last first, if these are their only users."""
    found: list[ir.Operation] = []
    value = transpose.operands[0]
    while isinstance(value, ir.OpResult) and len(uses_of(value)) == 1:
        op = value.owner.operation
        if op.name == _PRODUCT:
            return found
        if op.name != _ALL_REDUCE or len(op.operands) != 1:
            break
        found.append(op)
        value = op.operands[0]
    return []


def _add_up_transposed(transpose: ir.Operation, sums: list[ir.Operation]) -> None:
    """Move the all_reduces behind the transpose, which none of their operands depend on."""
    result = transpose.results[0]
    value = Builder.before(sums[-1]).transpose(sums[-1].operands[0], list(transpose.attributes["permutation"]))
    for op in reversed(sums):
        value = remade(op, (value,), (result.type,), without_sharding(op), with_blocks=True).results[0]
    result.replace_all_uses_with(value)
    for op in (transpose, *sums):
        op.erase()


_SMALL = 32 * 1024
"""Bytes of a tensor that may wait."""

_ALL_REDUCE = "stablehlo.all_reduce"


@dataclass
class _Waiting:
    """All_reduces of one block that may be combined, and the first op that needs one of their results."""

    ops: list[ir.Operation]
    needed_by: ir.Operation


@function_pattern("combine-all-reduces", _ALL_REDUCE)
def combine_all_reduces(func: ir.Operation, _: Rewriter) -> bool:
    """Reduce several small tensors in one all_reduce."""
    waiting: dict[Hashable, _Waiting] = {}
    for op in ops_named(func, _ALL_REDUCE):
        for key in [key for key, others in waiting.items() if _is_needed(others, op)]:
            _release(waiting.pop(key))
        key, user = _key(op), first_user(op)
        if key is None or user is None:
            continue
        others = waiting.setdefault(key, _Waiting([], user))
        others.ops.append(op)
        if user.is_before_in_block(others.needed_by):
            others.needed_by = user
    for others in waiting.values():
        _release(others)
    return True


def _is_needed(waiting: _Waiting, op: ir.Operation) -> bool:
    """Return whether an op in the block of `op`, not after it, needs a waiting value."""
    needed_by = waiting.needed_by
    return needed_by.block == op.block and not op.is_before_in_block(needed_by)


def _release(waiting: _Waiting) -> None:
    if len(waiting.ops) > 1:
        _combine(waiting.ops, waiting.needed_by)


def _key(op: ir.Operation) -> Hashable | None:
    """Return a key that is equal for all_reduces that can be combined; None for other ops."""
    if op.name != _ALL_REDUCE or len(op.operands) != 1:
        return None
    type_ = op.operands[0].type
    names = combining_ops(op.regions[0])
    if names is None or not type_.has_static_shape or byte_size(type_) > _SMALL:
        return None
    return op.block, op.attributes["replica_groups"], tuple(sorted(op.attributes)), type_.element_type, names[0]


def _combine(ops: list[ir.Operation], user: ir.Operation) -> None:
    """Combine all tensors into one all_reduce, with the channel of the first."""
    first = ops[0]
    operands = [op.operands[0] for op in ops]
    types = [operand.type for operand in operands]
    combined = remade(first, operands, types, without_sharding(first), ip=ir.InsertionPoint(user), with_blocks=True)
    for op, result in zip(ops, combined.results, strict=True):
        replace(op, [result])


_SMALL = 32 * 1024
"""Bytes that are copied in less time than it takes to start a collective."""


@pattern("flatten-all-reduces", "stablehlo.all_reduce")
def flatten_all_reduce(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Concatenate the small operands of an all_reduce, because only one with a single operand can be asynchronous.

    %0:2 = "stablehlo.all_reduce"(%a, %b) <{...}> : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
    ==>  %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
         %2 = "stablehlo.all_reduce"(%1) <{...}> : (tensor<12xf32>) -> tensor<12xf32>
         %3 = stablehlo.slice %2 [0:8] : (tensor<12xf32>) -> tensor<8xf32>
         %4 = stablehlo.slice %2 [8:12] : (tensor<12xf32>) -> tensor<4xf32>
    """
    if not _may_be_flattened(op):
        return rewriter.no_match(op, "it has one operand, or operands that are large or of several element types")
    _flatten(op)
    return True


def _may_be_flattened(op: ir.Operation) -> bool:
    """Return whether there are several small tensors of one element type and static shape."""
    types = [operand.type for operand in op.operands]
    if len(types) < 2 or len({type_.element_type for type_ in types}) > 1:
        return False
    is_started = op.parent.operation.name == "stablehlo.async_start"
    return not is_started and all(is_static_shaped(type_) and byte_size(type_) <= _SMALL for type_ in types)


def _flatten(op: ir.Operation) -> None:
    b = Builder.before(op)
    counts = [math.prod(operand.type.shape) for operand in op.operands]
    parts = [b.reshape(operand, [count]) for operand, count in zip(op.operands, counts, strict=True)]
    row = b.concatenate(parts, 0)
    joined = remade(op, (row,), (row.type,), without_sharding(op), with_blocks=True)
    start = 0
    for result, count in zip(op.results, counts, strict=True):
        part = b.slice(joined.results[0], [start], [start + count])
        result.replace_all_uses_with(b.reshape(part, result.type.shape))
        start += count
    op.erase()


_POLYNOMIALS = dict.fromkeys("bessel_i1e digamma erf_inv lgamma polygamma zeta".split(), 64.0) | {"erf": 32.0}
"""Operations of functions of CHLO for each element, about as many as XLA makes of them."""

_FUNCTIONS = frozenset(
    f"stablehlo.{costly}"
    for costly in (
        "atan2 cbrt cosine exponential exponential_minus_one log log_plus_one logistic power rsqrt sine sqrt tan tanh"
    ).split()
)
_FUNCTION = 8.0

_COSTLY = 50.0
"""Operations in whose time an element is written and read again: 8 bytes at 2 TB/s, at 12.5 TFLOP/s beside products."""


@pattern("costly-operands", "stablehlo.all_gather", "stablehlo.all_to_all")
def read_costly_operand(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Compute an expensive operand, such as random numbers, once for a collective and all other users.

    A compiler fuses elements into each user and, on CPUs, into each sent part. The sent value is in memory; a barrier
    makes all users read it from there.

    %1 = chlo.erf_inv %0 : tensor<16x16xf32>
    %2 = "stablehlo.all_to_all"(%1) ...
    %3 = stablehlo.multiply %1, %1 : tensor<16x16xf32>
    ==>  %b = stablehlo.optimization_barrier %1 : tensor<16x16xf32>
         %2 = "stablehlo.all_to_all"(%b) ...
         %3 = stablehlo.multiply %b, %b : tensor<16x16xf32>
    """
    has_changed = False
    for operand in op.operands:
        value = _shared(operand)
        if value is not None and _operations(value) >= _COSTLY:
            barrier = Builder.after(value.owner.operation).create(_BARRIER, (value,), (value.type,))
            use_instead([slot for slot in uses_of(value) if slot.user != barrier], barrier.results[0])
            has_changed = True
    return has_changed or rewriter.no_match(op, "no operand has other users and takes long to compute")


def _shared(value: ir.Value) -> ir.Value | None:
    """Return the value whose elements a collective sends, if it has other users."""
    while (made_by := defining_op(value)) is not None and _moves(made_by) and len(uses_of(value)) == 1:
        value = made_by.operands[0]
    return value if defining_op(value) is not None and len({slot.user for slot in uses_of(value)}) > 1 else None


def _moves(op: ir.Operation) -> bool:
    """Return whether the result has the elements of the operand, each once."""
    return renames(op) or op.name == "stablehlo.transpose"


def _operations(value: ir.Value) -> float:
    """Return the operations for each element of `value` when its producers are fused."""
    total, pending, seen = 0.0, [value], {address(value)}
    while pending:
        made_by = defining_op(pending.pop())
        if made_by is None or is_constant(made_by):
            continue
        if is_elementwise(made_by):
            name = made_by.name
            total += _POLYNOMIALS.get(name.removeprefix("chlo."), _FUNCTION if name in _FUNCTIONS else 1.0)
        elif not _moves(made_by):
            continue
        found = [each for each in made_by.operands if each.type.shape and address(each) not in seen]
        seen.update(map(address, found))
        pending += found
    return total
