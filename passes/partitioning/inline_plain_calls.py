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

With `cheap` only those private functions are inlined that are small, as the paddings and shifts of JAX, or called once:
the program does not grow, and what shifts data is seen together with what is around it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sdy.dialect.hlo_async.declarations import START
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, callee_name, calls_in, symbol_name
from sdy.mlir.rewriting import inline_call
from sdy.passes.options import option
from sdy.passes.partitioning.facts.inlining import is_cheap, is_sharded_at_its_border, may_be_inlined
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class InlinePlainCallsOptions:
    """Options of sdy-inline-plain-calls."""

    cheap: bool = option(False, "only private functions that are small or called once")


@pass_("sdy-inline-plain-calls", options=InlinePlainCallsOptions)
def inline_plain_calls(module: ir.Operation, options: InlinePlainCallsOptions) -> None:
    """A call that makes a function call itself stays, for others to refuse.

    Raises `DiagnosticError` where copies would be too many.
    """
    uses = Counter(map(callee_name, calls_in(module)))
    if not uses:
        return
    calls = CallGraph(module)
    if not options.cheap:
        calls.check_growth()
    inlined: dict[str, ir.Operation] = {}
    for func in calls.callee_first:
        name = symbol_name(func)
        for call in calls.calls[name]:
            callee = inlined.get(callee_name(call))
            if callee is not None and _is_plain(call):
                inline_call(call, callee)
        is_plain = may_be_inlined(func) and not is_sharded_at_its_border(func)
        if is_plain and (not options.cheap or is_cheap(func, uses[name])):
            inlined[name] = func


def _is_plain(call: ir.Operation) -> bool:
    return len(call.attributes) == 1 and call.parent.operation.name != START
