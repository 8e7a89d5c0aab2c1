"""Programs for an XLA that is set to propagate and partition as GSPMD (spec: interchange, 10).

With `jax_use_shardy_partitioner=False` XLA does not know the ops of the dialect, only sharding text and conversions to
one device and back.
"""

from __future__ import annotations

from jax.extend.mlir import ir

import sdy
from sdy.mlir import ir as own_ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import funcs, symbol_name
from sdy.mlir.search import ops_with

_TEXT = "mhlo.sharding"


def in_gspmd_form(module: ir.Module) -> ir.Module:
    """Return the wrapped `module` with sharding text in place of sdy, in the same MLIR context."""
    own = sdy.parse(str(module.operation.get_asm(enable_debug_info=True)))
    sdy.run(own, "xla-sdy-stablehlo-export-pipeline")
    for func in funcs(own.operation):
        if symbol_name(func) != "main":
            _remove_texts(func)
    text = own.operation.get_asm(enable_debug_info=True)
    with module.context:
        return ir.Module.parse(text)


def _remove_texts(func: own_ir.Operation) -> None:
    """Remove sharding texts where all axes are manual, except on device numbers and calls with effects.

    That of a loop would not survive rewrites.
    """
    for op in ops_with(func, _TEXT):
        if not _needs_text(op):
            del op.attributes[_TEXT]
    for entries in ("arg_attrs", "res_attrs"):
        if entries in func.attributes:
            del func.attributes[entries]


def _needs_text(op: own_ir.Operation) -> bool:
    return op.name == "stablehlo.partition_id" or (op.name == "stablehlo.custom_call" and not is_effect_free(op))
