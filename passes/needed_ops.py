"""Ops without which a pass changes nothing: a pipeline loads such a pass for the first program that has one of them."""

from __future__ import annotations

_LOCAL_COLLECTIVES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)
_STARTS = ("stablehlo.async_start", "hlo_async.start")
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
    "sdy-inline-unreduced-calls": (_CALL,),
    "sdy-place-callbacks": (_CUSTOM_CALL,),
    "xla-sdy-open-while-free-vars-sharding": (_WHILE,),
    # Ops and collectives of the partitioner.
    "sdy-add-up-bits": ("sdy.all_reduce", "sdy.reduce_scatter"),
    "sdy-expand-custom-partitioning": (_CUSTOM_CALL,),
    "sdy-inline-calls": (_CALL,),
    "sdy-mark-asynchronous": _STARTS,
    "sdy-take-inspections": (_CUSTOM_CALL,),
    # The program of one device.
    "sdy-hlo-async-to-stablehlo": _STARTS,
    "sdy-make-synchronous": _STARTS,
    "sdy-verify-devices": _LOCAL_COLLECTIVES,
}
