"""Top-k of a sharded dimension: each device searches its part, then all devices search these candidates.

Approximate searches are sorts on devices that have none.

    %1, %2 = chlo.top_k(%0, k = 2) : tensor<4x64xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)   // of 64 in eight parts
==> %1 = stablehlo.reshape %0 {... [{}, {"x"}, {}]} : (tensor<4x64xf32>) -> tensor<4x8x8xf32>
    %2, %3 = chlo.top_k(%1, k = 2) : tensor<4x8x8xf32> -> (tensor<4x8x2xf32>, tensor<4x8x2xi32>)
    ...                                                              // indices in all 64
    %6 = sdy.reshard %4 <@mesh, [{}, {}]> : tensor<4x16xf32>         // two of each part
    %7, %8 = chlo.top_k(%6, k = 2) : tensor<4x16xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %9 = "stablehlo.gather"(%5, %8) ...                              // the indices of those

An example is drawing a token from the best of a sharded vocabulary. Of equal elements the first wins in each step, and
so in the end. Cost model: bytes; the first elements of each part and their indices must be smaller than the parts. Each
device compares fewer elements than after a gather.
"""

from __future__ import annotations

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ir_builders.with_sharding import with_sharding
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.meshes import enclosing_module, mesh_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import CLOSED, TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols, body, has_body
from sdy.mlir.rewriting import terminator
from sdy.mlir.tensor_types import bits, i64_attr, is_tensor
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import ops, views
from sdy.stablehlo.ops import Builder


@pattern("split-top-k", views.ChloTopK)
def split_top_k(top: views.ChloTopK, rewriter: Rewriter) -> bool:
    """Find the largest elements of each part, and then of these."""
    parts = _parts(top)
    if parts == 1:
        return rewriter.no_match(top.op, "its last dimension is not sharded evenly, or parts hold too few elements")
    _split(top, parts)
    return True


def _parts(top: views.ChloTopK) -> int:
    """Return the number of parts to search; 1 if splitting does not pay, or parts are uneven."""
    x, sharding = top.operand, get_sharding(top.operand)
    if sharding is None or sharding.unreduced or SHARDING_RULE in top.op.attributes or not x.type.has_static_shape:
        return 1
    mesh = mesh_of(sharding.mesh_or_ref, top.op)
    parts = 1 if mesh is None or mesh.is_maximal else sharding.dims[-1].shards(mesh.axis_sizes)
    if x.type.shape[-1] % parts:
        return 1
    width, of_index = (bits(value.type.element_type) for value in top.op.results)
    return parts if top.k * (width + of_index) < x.type.shape[-1] // parts * width else 1


def _split(top: views.ChloTopK, parts: int) -> None:
    b, x = Builder.before(top.op), top.operand
    sharding = get_sharding(x)
    assert sharding is not None
    *batch, size = x.type.shape
    in_parts = sharding.with_dims([*sharding.dims, CLOSED])
    whole = sharding.with_dims([*sharding.dims[:-1], CLOSED])
    first, places = _top_k(b, with_sharding(b.reshape(x, [*batch, parts, size // parts]), in_parts), top.k, in_parts)
    begin = with_sharding(b.iota(places.type, len(batch)), in_parts)
    length = with_sharding(b.constant(size // parts, places.type), in_parts)
    places = with_sharding(b.add(places, with_sharding(b.multiply(begin, length), in_parts)), in_parts)
    found, at = (_gathered(b, value, sharding, whole) for value in (first, places))
    best, chosen = _top_k(b, found, top.k, whole)
    top.values.replace_all_uses_with(best)
    top.indices.replace_all_uses_with(_taken(b, at, chosen, whole))
    top.op.erase()


def _top_k(b: Builder, x: ir.Value, count: int, sharding: TensorSharding) -> tuple[ir.Value, ir.Value]:
    values, indices = ops.chlo.top_k(x, count, loc=b.location, ip=b.ip)
    set_op_shardings(values.owner.operation, (sharding, sharding))
    return values, indices


def _gathered(b: Builder, x: ir.Value, sharding: TensorSharding, whole: TensorSharding) -> ir.Value:
    """Gather the results of all parts."""
    *batch, parts, count = x.type.shape
    return sdy_ops.reshard(
        with_sharding(b.reshape(x, [*batch, parts * count]), sharding), whole, loc=b.location, ip=b.ip
    )


def _taken(b: Builder, x: ir.Value, places: ir.Value, sharding: TensorSharding) -> ir.Value:
    """The elements of `x` at `places` along the last dimension."""
    *batch, _ = dims = range(places.type.rank)
    indices = with_sharding(b.reshape(places, [*places.type.shape, 1]), sharding.with_dims([*sharding.dims, CLOSED]))
    taken = b.gather(
        x,
        indices,
        [1] * len(dims),
        collapsed_slice_dims=dims[-1:],
        operand_batching_dims=batch,
        start_indices_batching_dims=batch,
        start_index_map=dims[-1:],
        index_vector_dim=len(dims),
    )
    return with_sharding(taken, sharding)


# Approximate searches ---------------------------------------------------------------------------------


_CONFIG = "mhlo.backend_config"


@pattern("approximate-top-k", views.CustomCall)
def sort_for_top_k(call: views.CustomCall, rewriter: Rewriter) -> bool:
    """Sort for an approximate search on CPUs and GPUs, as XLA does before it propagates.

    Results are then sharded like sorted tensors, and rows move to the devices that sort them; the call would gather all
    of them.

    %1:2 = stablehlo.custom_call @ApproxTopK(%0, %i, %a, %b) {called_computations = [@greater], mhlo.backend_config =
               {is_fallback = true, reduction_dim = 1, ...}} : ... -> (tensor<8x4xf32>, tensor<8x4xi32>)
    ==>  %1:2 = "stablehlo.sort"(%0, %i) <{dimension = 1, is_stable = true}> ({ ... }) : ... -> (tensor<8x64xf32>, ...)
         %2 = stablehlo.slice %1#0 [0:8, 0:4] : (tensor<8x64xf32>) -> tensor<8x4xf32>
         %3 = stablehlo.slice %1#1 [0:8, 0:4] : (tensor<8x64xi32>) -> tensor<8x4xi32>
    """
    if not _is_sorted(call):
        return rewriter.no_match(call.op, "it is not an approximate search executed by sorting")
    compare = ModuleSymbols(enclosing_module(call.op)).get(call.called_computations[0])
    if compare is None or not _compares(compare):
        return rewriter.no_match(call.op, "its comparison cannot be that of a sort")
    _sort(call, compare)
    return True


def _compares(func: ir.Operation) -> bool:
    """Return whether the body of a function can be that of a sort, as JAX writes it."""
    return func.name == "func.func" and has_body(func) and terminator(body(func)).name == "stablehlo.return"


def _is_sorted(call: views.CustomCall) -> bool:
    """Return whether an op is an approximate search that runs by sorting and has no sharding."""
    stored = call.op.attributes
    if call.call_target_name != "ApproxTopK" or SHARDING in stored or SHARDING_RULE in stored:
        return False
    if len(call.inputs) != 2 * len(call.results) or len(call.called_computations) != 1:
        return False
    types = [value.type for value in (*call.inputs, *call.results)]
    return all(is_tensor(type_) and type_.has_static_shape for type_ in types) and _sorted_dimension(call) is not None


def _sorted_dimension(call: views.CustomCall) -> ir.Attribute | None:
    """Return the dimension of an approximate search that is replaced by sorting; None for others."""
    config = call.op.attributes.get(_CONFIG)
    if not isinstance(config, ir.DictAttr) or "is_fallback" not in config or "reduction_dim" not in config:
        return None
    is_fallback, dim = config["is_fallback"], config["reduction_dim"]
    is_read = isinstance(is_fallback, ir.BoolAttr) and isinstance(dim, ir.IntegerAttr)
    rank = call.inputs[0].type.rank
    if not is_read or not is_fallback.value or not 0 <= dim.value < rank:
        return None
    return i64_attr(dim.value)


def _sort(call: views.CustomCall, compare: ir.Operation) -> None:
    b, inputs = Builder.before(call.op), call.inputs[: len(call.results)]
    attributes = {
        "dimension": _sorted_dimension(call),
        "is_stable": ir.BoolAttr.get(True),
    }
    made = b.create("stablehlo.sort", inputs, [value.type for value in inputs], attributes, regions=1)
    copy = compare.clone(ip=False).operation
    body(copy).append_to(made.regions[0])
    for old, new in zip(call.results, made.results, strict=True):
        shape = old.type.shape
        old.replace_all_uses_with(b.slice(new, [0] * len(shape), shape))
    call.op.erase()
