"""sdy-flatten-call-graph: clones functions until each is called at most once.

    func.func @main() { call @f() : () -> ()  call @f() : () -> ()  return }
==> func.func @main() { call @f() : () -> ()  call @f_0() : () -> ()  return }
    func.func private @f_0() attributes {sdy.original_func_name = "f"} { ... }
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, ModuleSymbols, callee_name, clone_recursively, set_callee
from sdy.passes.registry import pass_


@pass_("sdy-flatten-call-graph", on="builtin.module")
def flatten_call_graph(module: ir.Operation) -> None:
    """Spec: import-passes, 5.1. Raises `DiagnosticError` at a recursive call, and where clones would be too many."""
    graph = CallGraph(module)
    graph.check_acyclic()
    graph.check_growth()
    symbols = ModuleSymbols(module)
    called: set[str] = set()
    for call in graph.all_calls():
        name = callee_name(call)
        if name in called:
            set_callee(call, symbols.insert(clone_recursively(symbols.callee(call), symbols)))
        called.add(name)
