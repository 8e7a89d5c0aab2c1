"""inline: puts the bodies of functions in the place of their calls, in computations as elsewhere.

    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
==> func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }

Private functions that nobody calls any more go. Shardings of the callee's arguments and results are lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from sdy.dialect.functions import CallGraph, body, callee_name, calls_in, symbol_name
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.passes.manager import plan, run_upstream
from sdy.passes.registry import FUNCTION, MODULE, pass_
from sdy.passes.symbol_uses import used_symbols

_NO_INLINE = "no_inline"


@dataclass(frozen=True, slots=True)
class Options:
    """Those of upstream's pass that are supported."""

    default_pipeline: str = field(
        default="canonicalize", metadata={"help": "passes that run on each function before and after, or nothing"}
    )


@pass_("inline", on=MODULE, options=Options)
def inline(module: ir.Operation, options: Options) -> None:
    """Upstream asks the dialect of an op whether it may be inlined, and IRDL has no way to answer.

    So calls of functions of one block are replaced here, in upstream's order, and upstream sees to functions of more
    blocks.
    """
    passes = plan(f"{FUNCTION}({options.default_pipeline})") if options.default_pipeline else []

    def simplify(func: ir.Operation) -> None:
        for each in passes:
            each.run(func)

    _Inliner(module, simplify).run()
    if any(len(func.regions[0].blocks) > 1 for func in CallGraph(module).callee_first):
        run_upstream(f"{MODULE}(inline{{default-pipeline={{{options.default_pipeline}}}}})", module)


class _Inliner:
    """Goes through the functions, callees first.

    A private function that nobody names goes as it is: what it calls counts as called. Nothing is inlined along a
    call that closes a cycle, nor where the call or the callee says so.
    """

    def __init__(self, module: ir.Operation, simplify: Callable[[ir.Operation], None]) -> None:
        graph = CallGraph(module)
        self._module = module
        self._simplify = simplify
        self._functions = {symbol_name(func): func for func in graph.callee_first}
        self._place = {name: index for index, name in enumerate(self._functions)}

    def run(self) -> None:
        uses = Counter(used_symbols(self._module))
        dead = [func for name, func in self._functions.items() if _is_private(func) and not uses[name]]
        inlined: set[str] = set()
        for name, caller in self._functions.items():
            if caller in dead:
                continue
            self._simplify(caller)
            found = self._inline_calls(name, caller)
            if found:
                self._simplify(caller)
            inlined |= found
        self._erase_unused(inlined)
        for func in dead:
            func.erase()

    def _inline_calls(self, caller_name: str, caller: ir.Operation) -> set[str]:
        """Inlines what can be; returns the callees. Their own bodies hold but calls that stay."""
        found: set[str] = set()
        for call in calls_in(caller):
            name = callee_name(call)
            callee = self._functions.get(name)
            if callee is None or self._place[name] >= self._place[caller_name]:
                continue
            if _may_be_inlined(call, callee):
                _inline(call, callee)
                found.add(name)
        return found

    def _erase_unused(self, inlined: set[str]) -> None:
        """Erases those private functions among `inlined` that nobody names any more, callers first."""
        uses = Counter(used_symbols(self._module))
        for name, func in reversed(self._functions.items()):
            if name in inlined and _is_private(func) and not uses[name]:
                uses.subtract(used_symbols(func))
                func.erase()


def _is_private(func: ir.Operation) -> bool:
    return "sym_visibility" in func.attributes and func.attributes["sym_visibility"].value != "public"


def _may_be_inlined(call: ir.Operation, callee: ir.Operation) -> bool:
    if _NO_INLINE in call.attributes or _NO_INLINE in callee.attributes:
        return False
    return len(callee.regions[0].blocks) == 1


def _inline(call: ir.Operation, callee: ir.Operation) -> None:
    """Replaces `call` by a copy of the body of `callee`."""
    copy = callee.clone(ip=False).operation
    block = body(copy)
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *nested, terminator = [op.operation for op in block.operations]
    for op in nested:
        for each in pre_order(op):
            each.location = ir.Location.callsite(each.location, [call.location])
        op.move_before(call)
    for result, value in zip(call.results, terminator.operands, strict=True):
        result.replace_all_uses_with(value)
    call.erase()
    copy.erase()
