"""sdy-inline-plain-calls: puts the bodies of functions in the place of their calls, as XLA does before it propagates.

    %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    ...
    func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
==> %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>

Propagation may come to other shardings where a call keeps what is inside from what is outside. A call stays if it says
more than what it calls, or if the function says how its arguments or results are sharded. Functions that nobody calls
any more stay where they are.
"""

from __future__ import annotations

from sdy.dialect.hlo_async.declarations import START
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, callee_name, symbol_name
from sdy.mlir.rewriting.inlined_call import inline_call
from sdy.passes.registry import pass_


@pass_("sdy-inline-plain-calls")
def inline_plain_calls(module: ir.Operation) -> None:
    """A call that makes a function call itself stays, for others to refuse."""
    calls = CallGraph(module)
    inlined: dict[str, ir.Operation] = {}
    for func in calls.callee_first:
        name = symbol_name(func)
        for call in calls.calls[name]:
            callee = inlined.get(callee_name(call))
            if callee is not None and _is_plain(call):
                inline_call(call, callee)
        if _has_plain_body(func):
            inlined[name] = func


def _is_plain(call: ir.Operation) -> bool:
    return len(call.attributes) == 1 and call.parent.operation.name != START


def _has_plain_body(func: ir.Operation) -> bool:
    is_plain = len(func.regions[0].blocks) == 1 and "no_inline" not in func.attributes
    return is_plain and not any((*arg_shardings(func), *result_shardings(func)))
