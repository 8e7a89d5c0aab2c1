"""Functions that several calls share: whether it matters when they are cloned."""

from __future__ import annotations

from collections import Counter

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, body, callee_name, symbol_name, top_level
from sdy.mlir.search import ops_named

_COMPUTATIONS = ("sdy.named_computation", "sdy.func_data_flow_edge")
_DEMANDS = ("sdy.sharding_constraint", "sdy.manual_computation", "sdy.sharding_group")
_OF_COMPUTATIONS = ("name", "in_shardings", "out_shardings")


def is_cloned_alike_when_finished(module: ir.Operation) -> bool:
    """Whether functions may be cloned after their calls and edges are what propagation wants, instead of before.

    That must not show. A clone has the uses of a value in the order of its text, backwards; putting edges on arguments
    and results of calls, and computations in the place of calls, changes the order, unless there is one use only.
    Constraints and groups of a function move shardings between values, so that they are not looked into.
    """
    graph = _call_graph(module)
    if graph is None:
        return False
    cloned = _cloned(graph)
    if not cloned or ops_named(module, *_COMPUTATIONS):
        return False
    return all(_is_cloned_alike(func, graph) for func in graph.callee_first if symbol_name(func) in cloned)


def _call_graph(module: ir.Operation) -> CallGraph | None:
    """The call graph, if it has no cycles and all its functions are used and in the module itself."""
    if any(op.name == "builtin.module" for op in top_level(module)):
        return None
    graph = CallGraph(module)
    calls = graph.all_calls()
    called = {callee_name(call) for call in calls}
    if not called or not called.issubset(graph.calls):
        return None
    try:
        graph.check_acyclic()
    except DiagnosticError:
        return None
    # In a graph without cycles what is called by something is called, in the end, by something that nothing calls.
    private = {symbol_name(func) for func in graph.callee_first if _is_hidden(func)}
    return graph if private.issubset(called) else None


def _is_hidden(func: ir.Operation) -> bool:
    """Whether `symbol-dce` may take `func` for unused."""
    return "sym_visibility" in func.attributes and func.attributes["sym_visibility"].value != "public"


def _cloned(graph: CallGraph) -> set[str]:
    """The functions that several calls share, and what these call."""
    counts = Counter(callee_name(call) for call in graph.all_calls())
    found = {name for name, count in counts.items() if count > 1}
    pending = list(found)
    while pending:
        callees = {callee_name(call) for call in graph.calls[pending.pop()]}
        pending += callees - found
        found |= callees
    return found


def _is_cloned_alike(func: ir.Operation, graph: CallGraph) -> bool:
    if len(func.regions[0].blocks) != 1 or ops_named(func, *_DEMANDS):
        return False
    values = list(body(func).arguments)
    for call in graph.calls[symbol_name(func)]:
        if any(name in call.attributes for name in _OF_COMPUTATIONS):
            return False
        values += [*call.operands, *call.results]
    return not any(_has_several_uses(value) for value in values)


def _has_several_uses(value: ir.Value) -> bool:
    uses = value.uses
    return next(uses, None) is not None and next(uses, None) is not None
