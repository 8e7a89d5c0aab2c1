"""xla-sdy-export-ops: what is left of the dialect after propagation becomes ops that XLA's partitioner knows.

    %0 = sdy.reshard %x <@mesh, [{"a"}]> : tensor<8xf32>
==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}

Collectives of the dialect are reshards to their result's sharding; barriers and groups have done their work. With
`keep-open-dims` the calls list open dimensions, which tiles do not say, as `unspecified_dims`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes import shared_options as shared
from sdy.passes.interchange.exporting.op_forms import EDGES, RESHARDS, forward, write_constant, write_reshard
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    keep_hlo_sharding_constraints: bool = option(*shared.KEEP_HLO_SHARDING_CONSTRAINTS)
    keep_open_dims: bool = option(False, "write which dimensions are open on the calls of @Sharding")


@pass_("xla-sdy-export-ops", options=Options)
def export_ops(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 8.1."""
    found = ops_named(module, *RESHARDS, *_OTHERS)
    for op in found:
        if op.name in _OTHERS:
            _OTHERS[op.name](op)
        else:
            write_reshard(op, as_call=options.keep_hlo_sharding_constraints, keep_open_dims=options.keep_open_dims)
        op.erase()
    return None if found else UNCHANGED


_OTHERS: dict[str, Callable[[ir.Operation], object]] = {
    "sdy.propagation_barrier": forward,
    **dict.fromkeys(EDGES, forward),
    "sdy.sharding_group": lambda op: None,
    "sdy.constant": write_constant,
}
