"""xla-sdy-export-ops: what is left of the dialect after propagation becomes ops that XLA's partitioner knows.

    %0 = sdy.reshard %x <@mesh, [{"a"}]> : tensor<8xf32>
==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}

Collectives of the dialect are reshards to their result's sharding; barriers and groups have done their work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.search import ops_named
from sdy.dialect.values import INHERENT_NAMES, inherent_sharding_name
from sdy.mlir import ir
from sdy.passes.interchange.custom_calls import SHARDING_CALL
from sdy.passes.interchange.exporting.building import custom_call, says_reduction
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    keep_hlo_sharding_constraints: bool = field(
        default=True, metadata={"help": "write constraints as calls of @Sharding, not as mhlo.copy"}
    )


@pass_("xla-sdy-export-ops", options=Options)
def export_ops(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 8.1."""
    found = ops_named(module, *_RESHARDS, *_OTHERS)
    for op in found:
        if op.name in _OTHERS:
            _OTHERS[op.name](op)
        else:
            _reshard(op, as_call=options.keep_hlo_sharding_constraints)
        op.erase()
    return None if found else UNCHANGED


_RESHARDS = tuple(name for name in INHERENT_NAMES if name != "sdy.data_flow_edge")


def _reshard(op: ir.Operation, *, as_call: bool) -> None:
    name = inherent_sharding_name(op.name)
    assert name is not None
    sharding = attributes.get(op, name)
    type_ = op.results[0].type
    if as_call:
        new = custom_call(SHARDING_CALL, op.operands, [type_], op, side_effect=says_reduction(sharding))
    else:
        new = ir.Operation.create(
            "mhlo.copy", results=[type_], operands=list(op.operands), loc=op.location, ip=ir.InsertionPoint(op)
        )
    attributes.put(new, SHARDING, ShardingPerValue((sharding,)))
    op.results[0].replace_all_uses_with(new.results[0])


def _forward(op: ir.Operation) -> None:
    op.results[0].replace_all_uses_with(op.operands[0])


def _constant(op: ir.Operation) -> None:
    new = ir.Operation.create(
        "stablehlo.constant",
        results=[op.results[0].type],
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])


_OTHERS: dict[str, Callable[[ir.Operation], object]] = {
    "sdy.propagation_barrier": _forward,
    "sdy.data_flow_edge": _forward,
    "sdy.func_data_flow_edge": _forward,
    "sdy.sharding_group": lambda op: None,
    "sdy.constant": _constant,
}
