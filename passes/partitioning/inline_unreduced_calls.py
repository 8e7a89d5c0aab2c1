"""sdy-inline-unreduced-calls: puts the body of a function in the place of its calls if unreduced axes are involved.

    func.func private @f(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = sdy.sharding_constraint %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
      return %arg0, %0 : tensor<8xf32>, tensor<8xf32>
    }
    ...
    %1:2 = call @f(%0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
==> %1 = sdy.sharding_constraint %0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>

Arguments and results of a function are sharded in one way, and what is unreduced in one place of it, or in one of its
calls, need not be in another. A call stays if the function says how its arguments or results are sharded.
"""

from __future__ import annotations

from sdy.dialect.shardings.sharding_survey import occurs, shardings_in
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, callee_name, symbol_name
from sdy.mlir.rewriting import inline_call
from sdy.passes.partitioning.facts.inlining import is_sharded_at_its_border, may_be_inlined
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-inline-unreduced-calls")
def inline_unreduced_calls(module: ir.Operation) -> object:
    """The functions that nobody calls any more stay where they are."""
    if not occurs(module, lambda sharding: sharding.unreduced):
        return UNCHANGED
    calls = CallGraph(module)
    calls.check_growth()
    functions = {symbol_name(func): func for func in calls.callee_first}
    unreduced: set[str] = set()
    for name, func in functions.items():
        if any(sharding.unreduced for sharding in shardings_in(func)):
            unreduced.add(name)
        for call in calls.calls[name]:
            callee = functions.get(callee_name(call))
            if callee is None or not (callee_name(call) in unreduced or _passes_unreduced(call)):
                continue
            unreduced.add(name)
            if may_be_inlined(callee) and not is_sharded_at_its_border(callee):
                inline_call(call, callee)
    return None


def _passes_unreduced(call: ir.Operation) -> bool:
    """Whether an operand is known to be unreduced, or a result is said to be so where it is used."""
    users = [use.owner.operation for result in call.results for use in result.uses]
    constrained = [user.results[0] for user in users if user.name == "sdy.sharding_constraint"]
    shardings = map(get_sharding, (*call.operands, *constrained))
    return any(sharding is not None and sharding.unreduced for sharding in shardings)
