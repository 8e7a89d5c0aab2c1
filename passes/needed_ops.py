"""Ops without which a pass changes nothing: a pipeline loads such a pass for the first program that has one of them."""

from __future__ import annotations

_LOCAL_COLLECTIVES = tuple(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)
_INDEXED = ("stablehlo.gather", "stablehlo.scatter")
_STARTS = ("stablehlo.async_start", "hlo_async.start")
_CALL, _CUSTOM_CALL, _FFT, _PAD = "func.call", "stablehlo.custom_call", "stablehlo.fft", "stablehlo.pad"
_WHILE, _REDUCE_WINDOW = "stablehlo.while", "stablehlo.reduce_window"

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
    "sdy-carry-matrices-whole": (_WHILE,),
    "sdy-idle-ops": ("stablehlo.select", "stablehlo.reverse"),
    "sdy-inline-unreduced-calls": (_CALL,),
    "sdy-inserted-windows": ("stablehlo.scatter",),
    "sdy-place-callbacks": (_CUSTOM_CALL,),
    "sdy-scans-to-windows": ("chlo.scan",),
    "sdy-slices-of-pads": (_PAD,),
    "sdy-sort-for-top-k": (_CUSTOM_CALL,),
    "sdy-static-slices": ("stablehlo.dynamic_slice",),
    "sdy-take-spectra-as-they-are": (_FFT,),
    "xla-sdy-open-while-free-vars-sharding": (_WHILE,),
    # Ops and collectives of the partitioner.
    "sdy-add-up-bits": ("sdy.all_reduce", "sdy.reduce_scatter"),
    "sdy-add-up-few-rows": ("sdy.all_gather",),
    "sdy-counted-indices": _INDEXED,
    "sdy-expand-custom-partitioning": (_CUSTOM_CALL,),
    "sdy-gather-before-loops": (_WHILE,),
    "sdy-gather-before-slices": ("stablehlo.slice",),
    "sdy-hoist-collectives": (_WHILE,),
    "sdy-inline-calls": (_CALL,),
    "sdy-join-padded-parts": (_PAD,),
    "sdy-keep-across-barriers": ("stablehlo.optimization_barrier",),
    "sdy-keep-across-loops": (_WHILE,),
    "sdy-mark-asynchronous": _STARTS,
    "sdy-merge-reduce-scatters": ("sdy.reduce_scatter",),
    "sdy-narrow-all-reduces": ("stablehlo.convert",),
    "sdy-negate-behind-joins": ("stablehlo.concatenate",),
    "sdy-place-all-gathers": ("sdy.all_gather",),
    "sdy-repeated-rows": _INDEXED,
    "sdy-reshard-before-broadcasts": ("sdy.reshard",),
    "sdy-reshard-before-products": ("sdy.reduce_scatter", "sdy.all_reduce"),
    "sdy-reshard-before-slices": ("stablehlo.slice", "stablehlo.dynamic_slice"),
    "sdy-split-top-k": ("chlo.top_k",),
    "sdy-spread-windows": (_REDUCE_WINDOW,),
    "sdy-take-inspections": (_CUSTOM_CALL,),
    "sdy-updates-to-pads": ("stablehlo.dynamic_update_slice", "stablehlo.scatter"),
    "sdy-whole-windows": (_REDUCE_WINDOW,),
    "sdy-windows-of-pads": (_REDUCE_WINDOW,),
    # The program of one device.
    "sdy-combine-all-reduces": ("stablehlo.all_reduce",),
    "sdy-convert-einsum-operands": ("stablehlo.einsum", "stablehlo.unary_einsum"),
    "sdy-end-loops-alone": (_WHILE,),
    "sdy-exchange-major-dimensions": ("stablehlo.all_to_all",),
    "sdy-expand-high-products": ("chlo.mulhi",),
    "sdy-explicit-scatter-indices": ("stablehlo.scatter",),
    "sdy-fix-fourier-layouts": (_FFT,),
    "sdy-hlo-async-to-stablehlo": _STARTS,
    "sdy-make-spectra-symmetric": (_FFT,),
    "sdy-make-synchronous": _STARTS,
    "sdy-merge-local-collectives": _LOCAL_COLLECTIVES,
    "sdy-remove-idle-collectives": _LOCAL_COLLECTIVES,
    "sdy-scatter-major-dimensions": ("stablehlo.reduce_scatter",),
    "sdy-transpose-before-all-reduces": ("stablehlo.transpose",),
    "sdy-verify-devices": _LOCAL_COLLECTIVES,
    "sdy-windows-to-scans": (_REDUCE_WINDOW,),
}
