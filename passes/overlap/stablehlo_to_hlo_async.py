"""sdy-stablehlo-to-hlo-async: writes StableHLO's asynchronous operations in the dialect hlo_async.

    %f = "stablehlo.async_start"(%a) ({
    ^bb0(%x: tensor<8xf32>):
      %y = "stablehlo.all_gather"(%x) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
      stablehlo.return %y : tensor<16xf32>
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
    %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>
==> %s = hlo_async.start(%a) thread "main" (%x: tensor<8xf32>) {
      %y = "stablehlo.all_gather"(%x) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
      hlo_async.return %y : tensor<16xf32>
    } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []> -> tensor<16xf32>

`sdy-hlo-async-to-stablehlo` undoes it. A start that is not followed by one done, in its block, is an error.
"""

from __future__ import annotations

from sdy.dialect.diagnostics import DiagnosticError, Faults
from sdy.dialect.hlo_async import builders
from sdy.dialect.search import ops_named
from sdy.mlir import ir
from sdy.passes.overlap.stablehlo_pairs import DONE, START, done_of, held_op
from sdy.passes.registry import FUNCTION, UNCHANGED, pass_


@pass_("sdy-stablehlo-to-hlo-async", on=FUNCTION)
def stablehlo_to_hlo_async(func: ir.Operation) -> object:
    starts, dones = ops_named(func, START), ops_named(func, DONE)
    if not starts and not dones:
        return UNCHANGED
    with Faults() as faults:
        for start in starts:
            with faults.one():
                done_of(start)
        for done in dones:
            with faults.one():
                _check_operand(done)
    for start in starts:
        _convert(start)
    return None


def _check_operand(done: ir.Operation) -> None:
    future = done.operands[0]
    if not isinstance(future, ir.OpResult) or future.owner.operation.name != START:
        raise DiagnosticError(done, f"waits for a future that no '{START}' in this function gives")


def _convert(start: ir.Operation) -> None:
    done, op = done_of(start), held_op(start)
    arguments = list(start.regions[0].blocks[0].arguments)
    with ir.InsertionPoint(start), start.location:
        made = builders.start(list(start.operands), [result.type for result in op.results])
    for name in start.attributes:
        made.attributes[name] = start.attributes[name]
    with ir.InsertionPoint(done), done.location:
        ended = builders.done(made.results[0])
    for name in done.attributes:
        ended.attributes[name] = done.attributes[name]
    block = made.regions[0].blocks[0]
    for old, new in zip(arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
        new.set_location(old.location)
    terminator = op.block.operations[1].operation
    with ir.InsertionPoint(block), terminator.location:
        op.move_before(builders.return_(list(op.results)))
    for old, new in zip(done.results, ended.results, strict=True):
        old.replace_all_uses_with(new)
    done.erase()
    start.erase()
