"""Loops and calls on the way to one function per microbatch."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sdy.dialect.definition.attributes import number_of
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, drop_arguments_and_results, enclosing_function, funcs, is_private
from sdy.mlir.greedy import erase_dead_ops
from sdy.mlir.rewriting import before, clone_with, defining_op, remade, replace, terminator, users
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import ui32_attr
from sdy.mlir.walk import enclosing
from sdy.passes.mpmd.common.fragment_editing import CALL, callee_of, calls_by_callee, calls_of, functions
from sdy.passes.mpmd.common.fragments import CALL_COUNTER, TOPOLOGY, is_distributed, is_mpmd_function
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import ops

_FOR = "mpmd.for"
_UNROLL_COUNTER = "unroll_counter"


@pass_("mpmd-copy-topology-from-main")
def copy_topology_from_main(module: ir.Operation) -> None:
    """mpmd-copy-topology-from-main: Give callees of functions with a topology the same topology, and make them private.

        func.func @main() attributes {topology = #t} { mpmd.call @f() : () -> ()  return }
        func.func @f() { return }
    ==> func.func private @f() attributes {topology = #t} { return }
    """
    known = functions(module)
    for func in funcs(module):
        if not is_mpmd_function(func):
            continue
        for call in ops_named(func, CALL):
            callee = callee_of(call, known)
            callee.attributes[TOPOLOGY] = func.attributes[TOPOLOGY]
            callee.attributes["sym_visibility"] = ir.StringAttr.get("private")


@pass_("mpmd-unroll-for-loops", on="func.func")
def unroll_for_loops(func: ir.Operation) -> object:
    """mpmd-unroll-for-loops: Replace each loop by a copy of its body for each iteration.

        %0 = mpmd.for (%arg0) {iterations = 2 : ui32, unroll_factor = 2 : ui32}
            (%arg1: tensor<ui32>, %index: tensor<ui32>) {
          %1 = stablehlo.add %arg1, %index : tensor<ui32>
          mpmd.return %1 : tensor<ui32>
        } : tensor<ui32>
    ==> %c = stablehlo.constant {unroll_counter = 0 : ui32} dense<0> : tensor<ui32>
        %0 = stablehlo.add %arg0, %c {unroll_counter = 0 : ui32} : tensor<ui32>
        %c_0 = stablehlo.constant {unroll_counter = 1 : ui32} dense<1> : tensor<ui32>
        %1 = stablehlo.add %0, %c_0 {unroll_counter = 1 : ui32} : tensor<ui32>

    The counters go on through all loops of a function.

    Raises `DiagnosticError` at a loop in a loop, and at one that is not to be unrolled as a whole.
    """
    loops = ops_named(func, _FOR) if is_distributed(func) else []
    done = 0
    for loop in loops:
        _check_loop(loop)
        done += _unroll(loop, done)
    return None if loops else UNCHANGED


def _check_loop(loop: ir.Operation) -> None:
    if enclosing(loop, _FOR) is not None:
        raise DiagnosticError(loop, "is in a loop, and nested loops are not supported")
    iterations = number_of(loop.attributes["iterations"])
    factor = loop.attributes.get("unroll_factor")
    if factor is None or number_of(factor) != iterations:
        given = "none" if factor is None else number_of(factor)
        raise DiagnosticError(loop, f"can only be unrolled as a whole: its unroll factor is {given}, not {iterations}")


def _unroll(loop: ir.Operation, done: int) -> int:
    """Replace a loop; return the number of its iterations."""
    block = loop.regions[0].blocks[0]
    iterations = number_of(loop.attributes["iterations"])
    *nested, end = [view.operation for view in block.operations]
    *carried, index = block.arguments
    values = list(loop.operands)
    where = before(loop)
    for iteration in range(iterations):
        counter = ui32_attr(done + iteration)
        elements = ir.DenseElementsAttr.get_splat(index.type, ir.IntegerAttr.get(index.type.element_type, iteration))
        constant = ops.constant(elements, loc=loop.location, ip=where)
        constant.owner.attributes[_UNROLL_COUNTER] = counter
        given: dict[ir.Value, ir.Value] = {index: constant, **dict(zip(carried, values, strict=True))}
        for op in nested:
            clone = clone_with(op, given, where)
            clone.attributes[_UNROLL_COUNTER] = counter
            given.update(zip(op.results, clone.results, strict=True))
        values = [given.get(each, each) for each in end.operands]
    replace(loop, values)
    return iterations


@pass_("mpmd-from-unroll-to-call-counter", on="func.func")
def from_unroll_to_call_counter(func: ir.Operation) -> None:
    """mpmd-from-unroll-to-call-counter: Number calls by the iteration that they were unrolled from.

        mpmd.call @f() {unroll_counter = 1 : ui32} : () -> ()
    ==> mpmd.call @f() {call_counter = 1 : ui32} : () -> ()
    """
    for call in ops_named(func, CALL) if is_distributed(func) else []:
        if _UNROLL_COUNTER in call.attributes:
            call.attributes[CALL_COUNTER] = call.attributes[_UNROLL_COUNTER]
            del call.attributes[_UNROLL_COUNTER]


@pass_("mpmd-sink-negligible-ops-into-call-op")
def sink_negligible_ops_into_call_op(module: ir.Operation) -> None:
    """mpmd-sink-negligible-ops-into-call-op: Compute operands of calls that depend on no values in the callee.

        %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
        %1 = mpmd.call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
        func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> { return %arg0 : tensor<4xf32> }
    ==> %1 = mpmd.call @f() : () -> tensor<4xf32>
        func.func private @f() -> tensor<4xf32> { %0 = stablehlo.constant ...  return %0 : tensor<4xf32> }

    All calls with used results have to pass the same value, which is the only result of its op.
    """
    used = calls_by_callee(module)
    callers: list[ir.Operation] = []
    for name, func in functions(module).items():
        sunk = _sink(func, used[name]) if is_mpmd_function(func) and name in used else []
        if not sunk:
            continue
        for call in calls_of(module, name):
            caller = enclosing_function(call)
            callers += [caller] if caller not in callers else []
            _call_anew(call, sunk, ())
        drop_arguments_and_results(func, sunk, ())
    for caller in callers:
        erase_dead_ops(caller.regions[0])


def _sink(func: ir.Operation, calls: Sequence[ir.Operation]) -> list[int]:
    """Replace arguments by the passed values; return their numbers."""
    block, sunk = body(func), list[int]()
    first = block.operations[0].operation
    for number, argument in enumerate(block.arguments):
        passed = {call.operands[number] for call in calls}
        source = defining_op(passed.pop()) if len(passed) == 1 else None
        if source is not None and not len(source.operands) and len(source.results) == 1:
            clone = source.clone(ip=before(first)).operation
            argument.replace_all_uses_with(clone.results[0])
            sunk.append(number)
    return sunk


def _call_anew(call: ir.Operation, operands: Collection[int], results: Collection[int]) -> None:
    """Rebuild a call without these operands, and without these results, which have no uses."""
    taken = [each for number, each in enumerate(call.operands) if number not in operands]
    given = [each for number, each in enumerate(call.results) if number not in results]
    new = remade(call, taken, [each.type for each in given])
    for old, result in zip(given, new.results, strict=True):
        old.replace_all_uses_with(result)
    call.erase()


@pass_("mpmd-erase-unused-callee-block-arguments")
def erase_unused_callee_block_arguments(module: ir.Operation) -> None:
    """mpmd-erase-unused-callee-block-arguments: Remove arguments of callees that are at most returned.

        %0:2 = mpmd.call @f(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
        func.func private @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
          %1 = stablehlo.abs %arg0 : tensor<4xf32>
          return %1, %arg1 : tensor<4xf32>, tensor<4xf32>
        }
    ==> %0 = mpmd.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>     (with %b in place of %0#1)
        func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> { ... }

    A callee without remaining results is erased, and so are its calls.
    """
    used = calls_by_callee(module)
    for name, func in functions(module).items():
        calls = calls_of(module, name)
        if name in used and is_mpmd_function(func) and is_private(func):
            _erase_unused(func, calls)


def _erase_unused(func: ir.Operation, calls: Sequence[ir.Operation]) -> None:
    end = terminator(body(func))
    arguments = [
        argument.arg_number for argument in body(func).arguments if all(user == end for user in users(argument))
    ]
    results = {
        number: operand.arg_number
        for number, operand in enumerate(end.operands)
        if isinstance(operand, ir.BlockArgument) and operand.arg_number in arguments
    }
    if not arguments:
        return
    is_empty = len(results) == len(end.operands)
    for call in calls:
        for number, argument in results.items():
            call.results[number].replace_all_uses_with(call.operands[argument])
        if is_empty:
            call.erase()
        else:
            _call_anew(call, arguments, results)
    if is_empty:
        func.erase()
    else:
        drop_arguments_and_results(func, arguments, results)
