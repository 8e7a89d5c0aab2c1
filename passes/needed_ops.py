"""Ops without which a pass changes nothing: a pipeline loads such a pass for the first program that has one of them."""

from __future__ import annotations

_CALL, _CUSTOM_CALL = "func.call", "stablehlo.custom_call"
_WHILE = "stablehlo.while"

NEEDED_OPS: dict[str, tuple[str, ...]] = {
    # Import and export.
    "sdy-distinguish-named-computations": ("sdy.named_computation",),
    "sdy-flatten-call-graph": (_CALL,),
    "sdy-insert-func-call-reshards": (_CALL,),
    "sdy-manual-axes-cleanup": ("sdy.manual_computation",),
    "sdy-propagate-sharding-from-func-to-call": (_CALL,),
    "sdy-remove-sharding-groups": ("sdy.sharding_group",),
    "sdy-sharding-constraint-to-reshard": ("sdy.sharding_constraint",),
    "sdy-sharding-group-import": ("sdy.sharding_group",),
    "sdy-sink-func-data-flow-edges": ("sdy.func_data_flow_edge",),
    # Before propagation.
    "sdy-capture-loop-invariants": (_WHILE,),
    "xla-sdy-open-while-free-vars-sharding": (_WHILE,),
    # Ops and collectives of the partitioner.
    "sdy-inline-calls": (_CALL,),
    "sdy-resolve-partitioner-calls": (_CUSTOM_CALL,),
}
