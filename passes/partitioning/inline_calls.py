"""sdy-inline-calls: Inline calls that hide shardings or data movement from the partitioner.

    %1 = stablehlo.while(...) do {
      %2 = func.call @body(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32>
==> %1 = stablehlo.while(...) do {
      %2 = stablehlo.negate %x {sdy.sharding = ...} : tensor<8xf32>

`calls` selects them:

* `cheap`: private functions that are small or called once, where arguments and results are sharded alike inside and
  outside. The slices and sums of a loop show only if its body is inlined. Cost model: none; nothing is sent or computed
  differently.
* `unreduced`: calls with unreduced operands or results, or to functions with unreduced values. Arguments and results
  have one sharding per function, unreduced axes differ from call to call. Functions without calls stay.
* `plain`: calls without attributes, as XLA inlines them before it propagates, and then those of `unreduced`; a call
  boundary would stop shardings. A function with shardings on its arguments or results keeps its calls. Functions
  without calls stay.
* `plain-cheap`: as `plain`, but calls without attributes only of private functions that are small or called once. The
  program does not grow by them.

Calls inside an asynchronous start stay; later passes refuse them. Copies beyond the growth limit are an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

from sdy.dialect.hlo_async.declarations import START
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.sharding_walk import occurs, shardings_in
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, body, callee_name, calls_in, funcs, has_body, is_private, symbol_name
from sdy.mlir.rewriting import inline_call, inline_last_call, terminator
from sdy.mlir.walk import enclosing
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

_SMALL = 16
"""Number of ops up to which a function is inlined at every call."""


def may_be_inlined(func: ir.Operation) -> bool:
    """Return whether a function has a body of one block, and is not marked to stay."""
    return has_body(func) and len(func.regions[0].blocks) == 1 and "no_inline" not in func.attributes


def is_sharded_at_its_border(func: ir.Operation) -> bool:
    """Return whether a function has shardings of arguments or results, which inlining would lose."""
    return any((*arg_shardings(func), *result_shardings(func)))


def is_cheap(func: ir.Operation, uses: int) -> bool:
    """Return whether a private function with a body and this many uses is cheap to copy for each call.

    It is called once, or has few ops.
    """
    return is_private(func) and (uses == 1 or len(body(func).operations) <= _SMALL + 1)  # the last one returns


class Calls(Enum):
    """The calls that are inlined."""

    CHEAP = "cheap"
    PLAIN = "plain"
    PLAIN_CHEAP = "plain-cheap"
    UNREDUCED = "unreduced"


@dataclass(frozen=True)
class InlineCallsOptions:
    """Options of sdy-inline-calls."""

    calls: Calls = option(Calls.CHEAP, "the calls that are inlined; see above")


@pass_("sdy-inline-calls", options=InlineCallsOptions)
def inline_calls(module: ir.Operation, options: InlineCallsOptions) -> object:
    if options.calls is Calls.CHEAP:
        return _inline_cheap(module)
    if options.calls is Calls.UNREDUCED:
        return _inline_unreduced(module)
    _inline_plain(module, cheap=options.calls is Calls.PLAIN_CHEAP)
    _inline_unreduced(module)
    return None


def _inline_plain(module: ir.Operation, *, cheap: bool) -> None:
    uses = Counter(map(callee_name, calls_in(module)))
    if not uses:
        return
    calls = CallGraph(module)
    if not cheap:
        calls.check_growth()
    inlined: dict[str, ir.Operation] = {}
    for func in calls.callee_first:
        name = symbol_name(func)
        for call in calls.calls[name]:
            callee = inlined.get(callee_name(call))
            if callee is not None and len(call.attributes) == 1 and call.parent.operation.name != START:
                inline_call(call, callee)
        is_plain = may_be_inlined(func) and not is_sharded_at_its_border(func)
        if is_plain and (not cheap or is_cheap(func, uses[name])):
            inlined[name] = func


def _inline_unreduced(module: ir.Operation) -> object:
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
    """Return whether an operand is known to be unreduced, or a use declares a result unreduced."""
    users = [use.owner.operation for result in call.results for use in result.uses]
    constrained = [user.results[0] for user in users if user.name == "sdy.sharding_constraint"]
    shardings = map(get_sharding, (*call.operands, *constrained))
    return any(sharding is not None and sharding.unreduced for sharding in shardings)


def _inline_cheap(module: ir.Operation) -> None:
    functions = {symbol_name(func): func for func in funcs(module) if may_be_inlined(func)}
    if not any(callee_name(call) in functions for call in calls_in(module)):
        return
    uses = Counter(used_symbols(module))
    for call in CallGraph(module).all_calls():
        name = callee_name(call)
        callee = functions.get(name)
        if callee is None or not is_cheap(callee, uses[name]) or not _means_the_same(call, callee):
            continue
        if uses[name] == 1:
            del functions[name]
            inline_last_call(call, callee)
        else:
            inline_last_call(call, callee.clone(ip=False).operation)
            uses[name] -= 1


def _means_the_same(call: ir.Operation, callee: ir.Operation) -> bool:
    if _holds(callee, call):
        return False
    returned = terminator(body(callee)).operands
    inside = result_shardings(callee)
    return (
        _agree(map(get_sharding, call.operands), arg_shardings(callee))
        and _agree(map(get_sharding, call.results), inside)
        and _agree(map(get_sharding, returned), inside)
    )


def _holds(func: ir.Operation, op: ir.Operation) -> bool:
    return enclosing(op, "func.func") == func


def _agree(first: Iterable[TensorSharding | None], second: Iterable[TensorSharding | None]) -> bool:
    return all(_is_same(a, b) for a, b in zip(first, second, strict=True))


def _is_same(first: TensorSharding | None, second: TensorSharding | None) -> bool:
    if first is None or second is None:
        return all(each is None or (each.is_fully_replicated and not each.unreduced) for each in (first, second))
    return first is second or (first.mesh_or_ref == second.mesh_or_ref and first.is_equivalent(second))
