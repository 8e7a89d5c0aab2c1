"""sdy-hlo-async-to-stablehlo: writes asynchronous operations with the ops that StableHLO has for them.

    %s = hlo_async.start(%a) thread "main" (%x: tensor<8xf32>) {
      %y = "stablehlo.all_gather"(%x) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
      hlo_async.return %y : tensor<16xf32>
    } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<16xf32>], []> -> tensor<16xf32>
==> %f = "stablehlo.async_start"(%a) ({
    ^bb0(%x: tensor<8xf32>):
      %y = "stablehlo.all_gather"(%x) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
      stablehlo.return %y : tensor<16xf32>
    }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
    %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>

StableHLO starts collectives with one operand and one result, and slices. It has no updates and no threads. Operations
that it cannot say are errors, or left as they are. Contexts and names of computations, which say nothing of what is
computed, are not kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.dialect.diagnostics import DiagnosticError, Faults
from sdy.dialect.hlo_async.chains import Chain, chains
from sdy.dialect.hlo_async.declarations import MAIN_THREAD
from sdy.mlir import ir
from sdy.passes.overlap.stablehlo_pairs import COLLECTIVES, DONE, MOVES, RETURN, START
from sdy.passes.registry import FUNCTION, UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    """Options of sdy-hlo-async-to-stablehlo."""

    keep_others: bool = field(
        default=False, metadata={"help": "leave operations that StableHLO cannot start as they are"}
    )


@pass_("sdy-hlo-async-to-stablehlo", on=FUNCTION, options=Options)
def hlo_async_to_stablehlo(func: ir.Operation, options: Options) -> object:
    found = [(chain, _obstacle(chain)) for chain in chains(func)]
    if not options.keep_others:
        with Faults() as faults:
            for chain, obstacle in found:
                with faults.one():
                    if obstacle is not None:
                        raise DiagnosticError(chain.start, f"{obstacle}; 'keep-others' leaves it as it is")
    possible = [chain for chain, obstacle in found if obstacle is None]
    for chain in possible:
        _convert(chain)
    return None if possible else UNCHANGED


def _obstacle(chain: Chain) -> str | None:
    """Why StableHLO cannot say it; None if it can."""
    name = chain.wrapped.name
    if chain.updates:
        return "has an update, which StableHLO has not"
    if chain.thread != MAIN_THREAD:
        return f'is for thread "{chain.thread}", and StableHLO has no threads'
    if name not in COLLECTIVES | MOVES:
        return f"starts '{name}', which StableHLO cannot start"
    operands, results = len(chain.start.operands), len(chain.done.results)
    if results != 1 or (operands != 1 and name not in MOVES):
        counts = f"{operands} operands and {results} results"
        return f"starts '{name}' with {counts}, and StableHLO starts it with one of each"
    return None


def _convert(chain: Chain) -> None:
    start, op, done = chain.start, chain.wrapped, chain.done
    type_ = op.results[0].type
    future = ir.Type.parse(f"!stablehlo.future<{type_}>", start.context)
    arguments = list(start.regions[0].blocks[0].arguments)
    kept = {name: start.attributes[name] for name in start.attributes if name not in ("thread", "computation")}
    made = ir.Operation.create(
        START, [future], list(start.operands), kept, regions=1, loc=start.location, ip=ir.InsertionPoint(start)
    )
    attributes = {name: done.attributes[name] for name in done.attributes}
    at_done = ir.InsertionPoint(done)
    ended = ir.Operation.create(DONE, [type_], [made.results[0]], attributes, loc=done.location, ip=at_done)
    block = made.regions[0].blocks.append(
        *(each.type for each in arguments), arg_locs=[each.location for each in arguments]
    )
    for old, new in zip(arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
    returned = op.block.operations[1].operation
    op.move_before(
        ir.Operation.create(RETURN, [], list(op.results), loc=returned.location, ip=ir.InsertionPoint(block))
    )
    done.results[0].replace_all_uses_with(ended.results[0])
    done.erase()
    start.erase()
