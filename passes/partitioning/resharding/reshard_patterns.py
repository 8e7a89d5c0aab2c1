"""Patterns of reshards: before a broadcast, where the value is smaller; once for all slices; of a padded tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect import builders
from sdy.dialect import builders as sdy_ops
from sdy.dialect.canonicalization import canonicalize
from sdy.dialect.definition.attributes import ANY_PADDING
from sdy.dialect.ir_builders.with_sharding import (
    constraint_to_reshard,
    erase_unused,
    pad_high,
    slice_high,
    with_sharding,
)
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_walk import occurs
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, replace
from sdy.mlir.search import ops_named
from sdy.mlir.walk import block_order, pre_order
from sdy.passes.partitioning.analysis.memory_budget import (
    SMALL,
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    affordable,
)
from sdy.passes.partitioning.reshard_planning.reshard_search import (
    padded_merges,
    padded_reshard_bytes,
    padded_sizes,
    reshard_bytes,
)
from sdy.passes.partitioning.resharding.layout_graph import GIVEN
from sdy.passes.pattern_sets import Rewriter, function_pattern, pattern
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pattern("sharding-groups", "sdy.sharding_group")
def drop_sharding_group(group: ir.Operation, _: Rewriter) -> bool:
    """Drop a sharding group, whose members have equal shardings by now.

    sdy.sharding_group %0 group_id=0 : tensor<8xf32>  ==>  (nothing)
    """
    group.erase()
    return True


@pattern("constraints-to-reshards", "sdy.sharding_constraint")
def reshard_for_constraint(constraint: ir.Operation, _: Rewriter) -> bool:
    """Reshard in place of a sharding constraint.

    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>  ==>  %1 = sdy.reshard %0 <@mesh, [{"x"}]>
    """
    constraint_to_reshard(constraint)
    return True


@pattern("constraints-to-reshards", "sdy.propagation_barrier")
def reshard_for_barrier(barrier: ir.Operation, rewriter: Rewriter) -> bool:
    """Reshard in place of a barrier of propagation, which is over, or use its operand where that is sharded equally.

    %1 = sdy.propagation_barrier %0 allowed_direction=NONE {... [{"x"}]} : tensor<8xf32>
    ==>  %1 = sdy.reshard %0 <@mesh, [{"x"}]>
    """
    value = barrier.operands[0]
    have, want = get_sharding(value), get_sharding(barrier.results[0])
    if want is None and have is not None:
        want = TensorSharding.from_axes(have.mesh_or_ref, ((),) * have.rank)
    if want is not None and want != have:
        value = sdy_ops.reshard(value, want, loc=barrier.location, ip=ir.InsertionPoint(barrier))
    return rewriter.replace(barrier, value)


@pattern("idle-reshards", "sdy.reshard")
def drop_idle_reshard(reshard: ir.Operation, rewriter: Rewriter) -> bool:
    """Drop a reshard to the sharding that its operand has, unless the user or a plan wrote it.

    JAX constrains the result of every op in partly manual functions, but asks for nothing. Ops next to each other, such
    as the slices that a shift joins, are known only without such reshards in between.

    %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>  ==>  (%0, which is {... [{"x"}]})
    """
    if GIVEN in reshard.attributes:
        return rewriter.no_match(reshard, "the user or a plan wrote it")
    if get_sharding(reshard.operands[0]) != get_sharding(reshard.results[0]):
        return rewriter.no_match(reshard, "its operand is sharded in another way")
    replace(reshard, reshard.operands)
    return True


@function_pattern("fold-reshards")
def fold_reshards(func: ir.Operation, _: Rewriter) -> bool:
    """Fold reshards of reshards into one, as the reference's export does.

    %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>
    %2 = sdy.reshard %1 <@mesh, [{"y"}]> : tensor<8xf32>  ==>  %2 = sdy.reshard %0 <@mesh, [{"y"}]> : tensor<8xf32>
    """
    canonicalize(func, ("sdy-reshard",), top_down=False, region_simplify="aggressive")
    return True


@pattern("gather-expanded-dimensions", views.BroadcastInDim)
def gather_expanded(broadcast: views.BroadcastInDim, rewriter: Rewriter) -> bool:
    """Reshard the operand of a broadcast that expands a sharded dimension, which all devices need.

    The dimension has one element: a slice before it is summed up, where all parts would be gathered. The layouts are
    chosen before, since to them a dimension of one element may be sharded for nothing.

    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] {...} : (tensor<1x8xf32>) -> tensor<4x8xf32>    // %0: [{"x"}, {}]
    ==>  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<1x8xf32>
         %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] {...} : (tensor<1x8xf32>) -> tensor<4x8xf32>
    """
    have, shape = rewriter.layouts.of_value(broadcast.operand), broadcast.result.type.shape
    dims = enumerate(broadcast.broadcast_dimensions)
    expanded = [dim for dim, made in dims if have.is_sharded(dim) and have.shape[dim] == 1 != shape[made]]
    if have.sharding is None or not expanded:
        return rewriter.no_match(broadcast.op, "it expands no sharded dimension")
    sharding = have.sharding.replicated_along(expanded).close()
    op = broadcast.op
    op.operands[0] = builders.reshard(broadcast.operand, sharding, loc=op.location, ip=ir.InsertionPoint(op))
    return True


@pattern("reshard-before-broadcasts", "sdy.reshard")
def reshard_before_broadcast(reshard: ir.Operation, rewriter: Rewriter) -> bool:
    """Reshard a value before its broadcast, where it is smaller.

    %1 = stablehlo.broadcast_in_dim %0, dims = [1] {... [{}, {"y"}]} : (tensor<8xf32>) -> tensor<64x8xf32>
    %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<64x8xf32>
    ==>  %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>
         %2 = stablehlo.broadcast_in_dim %1, dims = [1] {... [{}, {"x"}]} : (tensor<8xf32>) -> tensor<64x8xf32>

    Examples are outer products, pairwise distances, and a bias whose sharding differs from its other operand's.
    """
    broadcast = views.BroadcastInDim.defining(reshard.operands[0])
    if broadcast is None:
        return rewriter.no_match(reshard, "its operand is not a broadcast")
    moved = _move_to_front(reshard, broadcast, rewriter.layouts)
    return moved or rewriter.no_match(reshard, "before the broadcast it would send as much")


def _move_to_front(reshard: ir.Operation, broadcast: views.BroadcastInDim, layouts: Layouts) -> bool:
    """Reshard the operand of the broadcast instead of its result, if that sends less; return whether it was moved."""
    have, want = (layouts.of_value(value) for value in (broadcast.result, reshard.results[0]))
    source = broadcast.operand
    layout = layouts.of_value(source)
    if want.sharding is None or not all(map(_is_plain, (have, want, layout))) or have.mesh != want.mesh:
        return False
    sharding = _of_operand(broadcast, want.sharding)
    if sharding is None or layout.mesh not in (None, want.mesh):
        return False
    target = layouts.of(source.type, sharding)
    if reshard_bytes(layout, target) >= reshard_bytes(have, want):
        return False
    where, at = ir.InsertionPoint(reshard), reshard.location
    if layout.placement != target.placement:
        source = builders.reshard(source, sharding, loc=at, ip=where)
    copy = broadcast.op.clone(ip=where).operation
    copy.operands[0] = source
    replace(reshard, [with_sharding(copy.results[0], want.sharding)])
    erase_unused([broadcast.result])
    return True


def _is_plain(layout: Layout) -> bool:
    return not layout.unreduced and (layout.mesh is None or not layout.mesh.is_maximal)


def _of_operand(broadcast: views.BroadcastInDim, sharding: TensorSharding) -> TensorSharding | None:
    """Return the operand sharding with which devices compute parts with `sharding`; None if sizes are unknown."""
    source, result = broadcast.operand.type, broadcast.result.type
    if not source.has_static_shape or not result.has_static_shape:
        return None
    sizes = zip(source.shape, broadcast.broadcast_dimensions, strict=True)
    axes = [sharding.dim_axes[dim] if size == result.shape[dim] else () for size, dim in sizes]
    return TensorSharding.from_axes(sharding.mesh_or_ref, axes)


@function_pattern("gather-before-slices", "stablehlo.slice", "stablehlo.dynamic_slice")
def gather_before_slices(func: ir.Operation, rewriter: Rewriter[KeptBytesOptions]) -> bool:
    """Gather a tensor once in place of several of its slices, if that sends fewer bytes.

    %1 = stablehlo.slice %0 [0:1] {... [{"x"}]} : (tensor<8xf32>) -> tensor<1xf32>
    %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<1xf32>
    %3 = stablehlo.slice %0 [1:2] {... [{"x"}]} : (tensor<8xf32>) -> tensor<1xf32>
    %4 = sdy.reshard %3 <@mesh, [{}]> : tensor<1xf32>
    ==>  %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
         %2 = stablehlo.slice %1 [0:1] {... [{}]} : (tensor<8xf32>) -> tensor<1xf32>
         %4 = stablehlo.slice %1 [1:2] {... [{}]} : (tensor<8xf32>) -> tensor<1xf32>

    A slice with fewer elements than devices still sends one element each. Slices of slices are slices of the tensor. A
    tensor of more than a mebibyte, kept from the first to the last slice, has to fit into the budget `kept-bytes`.
    """
    layouts = rewriter.layouts
    reshards = [op for op in ops_named(func, "sdy.reshard") if _slice_of(op.operands[0]) is not None]
    worthwhile = list(_worthwhile(_tensors(reshards, layouts), layouts))
    large = [each for each in worthwhile if each[0].whole.local_bytes > SMALL]
    chosen = [tensor for tensor, _ in worthwhile if tensor.whole.local_bytes <= SMALL]
    if large:
        live = LiveBytes(func, layouts)
        candidates = [Candidate(tensor, saved, (_span(tensor, live),)) for tensor, saved in large]
        chosen += affordable(rewriter, candidates, live)
    for tensor in chosen:
        _gather_once(tensor)
    return bool(worthwhile)


@dataclass(frozen=True)
class _Gathered:
    """A reshard that gathers the elements of a tensor from `starts` on."""

    reshard: ir.Operation
    starts: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.reshard.results[0].type.shape)


@dataclass(frozen=True)
class _Tensor:
    """A tensor, its gathered layout, and the reshards of its slices, in textual order."""

    value: ir.Value
    whole: Layout
    slices: Sequence[_Gathered]


# What is worth it ------------------------------------------------------------------------------------


def _tensors(reshards: Sequence[ir.Operation], layouts: Layouts) -> list[_Tensor]:
    """Return the tensors whose slices are gathered along equal dimensions; tensors before their slices."""
    found: dict[tuple[ir.Value, ir.Block, tuple[object, ...]], list[_Gathered]] = {}
    depths: dict[ir.Value, int] = {}
    for reshard in reshards:
        want = layouts.of_value(reshard.results[0])
        chain = list(_sliced(reshard.operands[0]))
        for depth, (value, starts) in enumerate(reversed(chain)):
            if _gathers(layouts.of_value(value), want):
                depths[value] = depth
                found.setdefault((value, reshard.block, want.dim_axes), []).append(_Gathered(reshard, starts))
    tensors = [
        _Tensor(
            value,
            layouts.of(value.type, layouts.of_value(slices[0].reshard.results[0]).sharding),
            _in_order([*slices, *_of_all(value, block, axes, layouts)]),
        )
        for (value, block, axes), slices in found.items()
    ]
    return sorted(tensors, key=lambda tensor: depths[tensor.value])


def _of_all(value: ir.Value, block: ir.Block, axes: tuple[object, ...], layouts: Layouts) -> list[_Gathered]:
    """Return the reshards in `block` that gather the whole tensor, leaving these `axes`."""
    users = [use.owner.operation for use in value.uses]
    return [
        _Gathered(user, (0,) * value.type.rank)
        for user in users
        if user.name == "sdy.reshard" and user.block == block and layouts.of_value(user.results[0]).dim_axes == axes
    ]


def _in_order(reshards: list[_Gathered]) -> list[_Gathered]:
    """In textual order."""
    return sorted(reshards, key=lambda each: block_order(each.reshard))


def _worthwhile(tensors: Sequence[_Tensor], layouts: Layouts) -> Iterator[tuple[_Tensor, float]]:
    """Return the tensors to gather, each with the bytes saved; each reshard counts for one tensor only.

    Equal reshards will be merged into one.
    """
    taken: set[ir.Value] = set()
    for tensor in tensors:
        left = [each for each in tensor.slices if each.reshard.results[0] not in taken]
        sent = sum(
            reshard_bytes(layouts.of_value(reshard.operands[0]), layouts.of_value(reshard.results[0]))
            for reshard in {(each.starts, each.shape): each.reshard for each in left}.values()
        )
        saved = sent - reshard_bytes(layouts.of_value(tensor.value), tensor.whole)
        if len(left) > 1 and saved > 0:
            taken.update(each.reshard.results[0] for each in left)
            yield _Tensor(tensor.value, tensor.whole, left), saved


def _sliced(value: ir.Value) -> Iterator[tuple[ir.Value, tuple[int, ...]]]:
    """Return the tensors that a value is a slice of, the nearest first, and its start in each."""
    starts = (0,) * value.type.rank
    while (cut := _slice_of(value)) is not None:
        value = cut.operands[0]
        starts = tuple(a + b for a, b in zip(starts, cut.attributes["start_indices"], strict=True))
        yield value, starts


def _slice_of(value: ir.Value) -> ir.Operation | None:
    """Return the op that makes a contiguous slice."""
    op = defining_op(value)
    if op is None or op.name != "stablehlo.slice" or any(step != 1 for step in op.attributes["strides"]):
        return None
    return op


def _gathers(have: Layout, want: Layout) -> bool:
    """Return whether the only change is that some dimensions become unsharded."""
    if have.mesh is None or have.mesh != want.mesh or have.mesh.is_maximal or have.unreduced or want.unreduced:
        return False
    pairs = list(zip(have.dim_axes, want.dim_axes, strict=True))
    return have.dim_axes != want.dim_axes and all(not after or before == after for before, after in pairs)


def _span(tensor: _Tensor, live: LiveBytes) -> Span:
    block = tensor.slices[0].reshard.block
    at = [live.number(each.reshard, block) for each in tensor.slices]
    return Span(block, min(at), max(at), tensor.whole.local_bytes)


# Gathering the tensor --------------------------------------------------------------------------------


def _gather_once(tensor: _Tensor) -> None:
    sharding = tensor.whole.sharding
    assert sharding is not None
    first = Builder.before(tensor.slices[0].reshard)
    whole = builders.reshard(tensor.value, sharding, loc=first.location, ip=first.ip)
    for each in tensor.slices:
        reshard, part = each.reshard, each.reshard.operands[0]
        limits = [start + size for start, size in zip(each.starts, each.shape, strict=True)]
        is_all = each.shape == tuple(whole.type.shape)
        made = whole if is_all else with_sharding(Builder.before(reshard).slice(whole, each.starts, limits), sharding)
        replace(reshard, [made])
        erase_unused([part])


@function_pattern("gather-for-effects")
def gather_for_effects(func: ir.Operation, _: Rewriter) -> bool:
    """Gather the operands of ops without results that run on a single device."""
    meshes = of_module(MeshTable, func)
    world = meshes.global_mesh()
    if world is None or not occurs(func, meshes.is_on_single_device):
        return False
    for op in pre_order(func):
        shardings = () if len(op.results) else op_shardings(op) or ()
        if any(map(meshes.is_on_single_device, shardings)):
            _gather_operands(op, world[0])
    return True


def _gather_operands(op: ir.Operation, mesh: str) -> None:
    for number, operand in enumerate(op.operands):
        sharding = get_sharding(operand)
        is_whole = sharding is None or (sharding.is_fully_replicated and not sharding.unreduced)
        if isinstance(operand.type, ir.RankedTensorType) and not is_whole:
            whole = TensorSharding.closed(mesh, operand.type.rank)
            op.operands[number] = sdy_ops.reshard(operand, whole, loc=op.location, ip=ir.InsertionPoint(op))


@pattern("pad-uneven-reshards", "sdy.reshard")
def pad_uneven_reshard(reshard: ir.Operation, rewriter: Rewriter) -> bool:
    """Pad a tensor for a reshard that changes the parts of a dimension, if that sends fewer bytes.

    Parts of different sizes do not align, so all of them would be gathered. With padding, the dimension is evenly
    divided before and behind; the pad and the slice exchange border rows.

    %1 = sdy.reshard %0 <@mesh, [{"x"}, {"y"}]> : tensor<6x8xf32>              // of [{"x", "y"}, {}]
    ==>  %1 = stablehlo.pad %0, %zero, low = [0, 0], high = [2, 0], interior = [0, 0] {... [{"x", "y"}, {}]}
         %2 = sdy.reshard %1 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
         %3 = stablehlo.slice %2 [0:6, 0:8] {... [{"x"}, {"y"}]} : (tensor<8x8xf32>) -> tensor<6x8xf32>
    """
    (operand,), result = reshard.operands, reshard.results[0]
    have, want = rewriter.layouts.of_value(operand), rewriter.layouts.of_value(result)
    sizes = padded_sizes(have, want)
    if not sizes:
        return rewriter.no_match(reshard, "all dimensions are divided evenly, or sizes are unknown")
    if padded_reshard_bytes(have, want, rewriter.layouts) >= reshard_bytes(have, want):
        return rewriter.no_match(reshard, "padded, it sends as much")
    b = Builder.before(reshard)
    made = pad_high(b, operand, sizes, have.sharding)
    made.owner.attributes[ANY_PADDING] = ir.UnitAttr.get()
    assert want.sharding is not None
    made = builders.reshard(made, want.sharding, loc=b.location, ip=b.ip)
    return rewriter.replace(reshard, slice_high(b, made, want.shape, want.sharding))


@pattern("pad-uneven-merges", views.Reshape)
def pad_uneven_merge(reshape: views.Reshape, rewriter: Rewriter) -> bool:
    """Pad the leading one of dimensions that are merged, if its parts differ; the slice behind exchanges border rows.

    Parts of the merged dimension begin elsewhere, so that the dimension would be gathered.

    %1 = stablehlo.reshape %0 {... [{"x"}]} : (tensor<7x2xf32>) -> tensor<14xf32>                     // %0: [{"x"}, {}]
    ==>  %1 = stablehlo.pad %0, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] {... [{"x"}, {}]}
         %2 = stablehlo.reshape %1 {... [{"x"}]} : (tensor<8x2xf32>) -> tensor<16xf32>
         %3 = stablehlo.slice %2 [0:14] {... [{"x"}]} : (tensor<16xf32>) -> tensor<14xf32>
    """
    op, have, maker = reshape.op, rewriter.layouts.of_value(reshape.operand), defining_op(reshape.operand)
    if have.divides or (maker is not None and maker.name == "sdy.reshard"):
        return rewriter.no_match(op, "its operand has equal parts, or is resharded for it")
    want = rewriter.layouts.of_value(reshape.result)
    sizes, made = padded_merges(have, want)
    if made == want.shape:
        return rewriter.no_match(op, "it merges no dimension of which parts differ")
    b = Builder.before(op)
    padded = pad_high(b, reshape.operand, sizes, have.sharding)
    padded.owner.attributes[ANY_PADDING] = ir.UnitAttr.get()
    merged = with_sharding(b.reshape(padded, made), want.sharding)
    return rewriter.replace(op, slice_high(b, merged, want.shape, want.sharding))
