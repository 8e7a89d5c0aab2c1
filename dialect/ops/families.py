"""In which file the models of an op are: it is loaded for the first such op."""

from __future__ import annotations

_CUSTOM_CALL = "stablehlo.custom_call"

FAMILIES: dict[str, tuple[str, ...]] = {
    "constants": (),
    "contraction": (),
    "control_flow": (),
    "elementwise": (),
    "reduction": (),
    "reshape": (),
    "sdy_collectives": (),
    "collectives": (
        *(f"stablehlo.{name}" for name in "all_gather all_reduce all_to_all collective_broadcast".split()),
        *(f"stablehlo.{name}" for name in "collective_permute cross-replica-sum reduce_scatter".split()),
    ),
    "composite": ("stablehlo.composite",),
    "convolution": ("stablehlo.convolution",),
    "custom_calls": (_CUSTOM_CALL,),
    "gather_scatter": ("stablehlo.gather", "stablehlo.scatter"),
    "linalg": (
        *(f"stablehlo.{name}" for name in "batch_norm_inference cholesky fft triangular_solve".split()),
        _CUSTOM_CALL,
    ),
    "random": ("stablehlo.rng", "stablehlo.rng_bit_generator"),
    "scan": ("chlo.scan",),
    "slicing": tuple(
        f"stablehlo.{name}" for name in "concatenate dynamic_slice dynamic_update_slice pad reverse slice".split()
    ),
    "sorting": ("chlo.top_k", _CUSTOM_CALL, "stablehlo.sort"),
    "windows": ("stablehlo.reduce_window", "stablehlo.select_and_scatter"),
}
"""Files of `sdy.dialect.ops`: each is loaded for the first op of these names, those without names for the first op."""
