"""Private functions that nothing names: jaxlib leaves them, and does not take them."""

from __future__ import annotations

from sdy.dialect.symbol_uses import used_symbols
from sdy.mlir import ir
from sdy.mlir.functions import funcs


def remove_dead_functions(module: ir.Operation) -> None:
    """Unlike symbol-dce it takes modules with ops of unknown dialects."""
    while True:
        used = set(used_symbols(module))
        dead = [func for func in funcs(module) if _is_private(func) and func.attributes["sym_name"].value not in used]
        if not dead:
            return
        for func in dead:
            func.erase()


def _is_private(func: ir.Operation) -> bool:
    return "sym_visibility" in func.attributes and func.attributes["sym_visibility"].value == "private"
