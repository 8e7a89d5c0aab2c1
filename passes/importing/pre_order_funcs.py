"""sdy-pre-order-funcs: puts callers before callees.

    func.func private @f() { return }
    func.func @main() { call @f() : () -> ()  return }
==> func.func @main() { call @f() : () -> ()  return }
    func.func private @f() { return }

Functions of a module in the module are moved out of it.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, funcs_in_modules, has_body, module_body, symbol_name, top_level
from sdy.passes.registry import pass_


@pass_("sdy-pre-order-funcs", on="builtin.module")
def pre_order_funcs(module: ir.Operation) -> None:
    """Spec: import-passes, 5.4. Whatever is no function with a body ends up in front.

    Raises `DiagnosticError` at a function that has the name of another one, in another module.
    """
    _check_names(module)
    block = module_body(module)
    for func in CallGraph(module, nested=True).caller_first:
        block.append(func)


def _check_names(module: ir.Operation) -> None:
    taken = {symbol_name(op) for op in top_level(module) if "sym_name" in op.attributes}
    for func in funcs_in_modules(module):
        if func.parent.operation == module or not has_body(func):
            continue
        name = symbol_name(func)
        if name in taken:
            raise DiagnosticError(func, f"cannot be moved out of its module, where there is another '{name}'")
        taken.add(name)
