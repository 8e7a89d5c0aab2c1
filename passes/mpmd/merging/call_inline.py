"""mpmd-call-inline: Inline the calls of functions of several meshes; their call counters go to the fragments.

    %1 = mpmd.call @f(%0) {call_counter = 1 : ui32} : (!m1) -> !m1
==> %1 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) {call_counter = 1 : ui32} ...
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.functions import body, callee_name, funcs, symbol_name
from sdy.mlir.rewriting import move_out, replace
from sdy.mlir.search import ops_named
from sdy.passes.mpmd.facts.fragments import FRAGMENT
from sdy.passes.registry import UNCHANGED, pass_

_CALL = "mpmd.call"
_TAKE_ATTRIBUTES = (FRAGMENT, "mpmd.fragment_call")


@pass_("mpmd-call-inline")
def call_inline(module: ir.Operation) -> object:
    """Spec: mpmd, 4."""
    callees = {symbol_name(func): func for func in funcs(module)}
    calls = ops_named(module, _CALL)
    for call in calls:
        copy = callees[callee_name(call)].clone(ip=False).operation
        kept = {name: call.attributes[name] for name in call.attributes if name != "callee"}
        for view in body(copy).operations:
            if view.operation.name in _TAKE_ATTRIBUTES:
                for name, attr in kept.items():
                    view.operation.attributes[name] = attr
        replace(call, move_out(body(copy), list(call.operands), call))
        copy.erase()
    return None if calls else UNCHANGED
