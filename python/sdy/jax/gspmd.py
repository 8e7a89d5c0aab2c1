"""Programs for an XLA that is set to propagate and partition as GSPMD (spec: interchange, 10).

With `jax_use_shardy_partitioner=False` XLA does not know the ops of the dialect; it knows sharding text and conversions
to one device and back.
"""

from __future__ import annotations

from typing import Any

from jax.extend.mlir import ir

import sdy


def in_gspmd_form(module: Any) -> Any:
    """`module`, one of JAX, with sharding text in place of attributes and ops of sdy, in the same MLIR context."""
    own = sdy.parse(module.operation.get_asm(enable_debug_info=True))
    sdy.run(own, "xla-sdy-stablehlo-export-pipeline")
    text = own.operation.get_asm(enable_debug_info=True)
    with module.context:
        return ir.Module.parse(text)
