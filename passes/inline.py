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

Shardings of the callee's arguments and results are lost.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.dialect.canonicalization import canonicalize
from sdy.dialect.functions import CallGraph, body, callee_name, calls_in, has_body, symbol_name
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.passes.manager import run_upstream
from sdy.passes.registry import MODULE, PipelineError, pass_

_NO_INLINE = "no_inline"
_PIPELINES = ("", "canonicalize")


@dataclass(frozen=True, slots=True)
class Options:
    """Those of upstream's pass that are supported."""

    default_pipeline: str = field(
        default="canonicalize", metadata={"help": "what runs on functions afterwards: canonicalize, or nothing"}
    )


@pass_("inline", on=MODULE, options=Options)
def inline(module: ir.Operation, options: Options) -> None:
    """Upstream asks the dialect of an op whether it may be inlined, and IRDL has no way to answer.

    So calls of functions of one block are replaced here, and upstream sees to the rest, such as more blocks. A call
    that closes a cycle stays, as does one that says so.
    """
    if options.default_pipeline not in _PIPELINES:
        raise PipelineError(f"'inline' has no pipeline '{options.default_pipeline}', only 'canonicalize' or ''")
    graph = CallGraph(module)
    place = {symbol_name(func): index for index, func in enumerate(graph.callee_first)}
    functions = {symbol_name(func): func for func in graph.callee_first}
    inlined: set[str] = set()
    for caller in graph.callee_first:
        # Bodies that were inlined before hold calls of their own, but only such as stay.
        for call in calls_in(caller):
            name = callee_name(call)
            callee = functions.get(name)
            if callee is not None and place[name] < place[symbol_name(caller)] and _may_be_inlined(call, callee):
                _inline(call, callee)
                inlined.add(name)
    if options.default_pipeline:
        canonicalize(module)
    _erase_unused(module, [functions[name] for name in place if name in inlined])
    run_upstream(f"{MODULE}(inline{{default-pipeline={options.default_pipeline}}})", module)


def _may_be_inlined(call: ir.Operation, callee: ir.Operation) -> bool:
    if _NO_INLINE in call.attributes or _NO_INLINE in callee.attributes:
        return False
    return has_body(callee) and len(callee.regions[0].blocks) == 1


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


def _erase_unused(module: ir.Operation, functions: list[ir.Operation]) -> None:
    """Erases those private functions that nobody calls, callers first."""
    for func in reversed(functions):
        is_private = "sym_visibility" in func.attributes and func.attributes["sym_visibility"].value == "private"
        name = symbol_name(func)
        if is_private and not any(callee_name(call) == name for call in calls_in(module)):
            func.erase()
