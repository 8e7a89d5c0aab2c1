"""sdy-pre-order-funcs: puts callers before callees.

    func.func private @f() { return }
    func.func @main() { call @f() : () -> ()  return }
==> func.func @main() { call @f() : () -> ()  return }
    func.func private @f() { return }
"""

from __future__ import annotations

from sdy.dialect.functions import CallGraph, module_body
from sdy.mlir import ir
from sdy.passes.registry import pass_


@pass_("sdy-pre-order-funcs", on="builtin.module")
def pre_order_funcs(module: ir.Operation) -> None:
    """Spec: import-passes, 5.4. Whatever is no function with a body ends up in front."""
    block = module_body(module)
    for func in CallGraph(module).caller_first:
        block.append(func)
