"""Shardings that calls have, moved to the functions that named computations were made (spec: interchange, 6.1).

Imports read no shardings of calls, but those of results of functions.
"""

from __future__ import annotations

from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings, set_result_sharding
from sdy.mlir import ir
from sdy.mlir.functions import ORIGINAL_NAME, ModuleSymbols
from sdy.mlir.search import ops_named


def move_to_called_results(module: ir.Operation) -> None:
    """Gives each function that one named computation has become the shardings of its one call."""
    symbols = ModuleSymbols(module)
    for call in ops_named(module, "func.call"):
        shardings = op_shardings(call)
        if shardings is None:
            continue
        callee = symbols.callee(call)
        if ORIGINAL_NAME not in callee.attributes:
            continue
        for number, sharding in enumerate(shardings):
            set_result_sharding(callee, number, sharding)
        set_op_shardings(call, None)
