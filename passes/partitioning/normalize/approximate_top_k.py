"""Approximate top-k: sorts on devices without such a search."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.shardings.meshes import enclosing_module
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols, body, has_body
from sdy.mlir.rewriting import terminator
from sdy.mlir.tensor_types import is_tensor
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder

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
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim.value)


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
