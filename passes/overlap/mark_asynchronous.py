"""sdy-mark-asynchronous: makes asynchronous operations of a global program synchronous, and marks the ops.

    %s = hlo_async.start(%a) thread "main" (%x: tensor<8xf32>) {
      %y = stablehlo.tanh %x : tensor<8xf32>
      hlo_async.return %y : tensor<8xf32>
    } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
==> %0 = stablehlo.tanh %a {sdy.asynchronous = {...}} : tensor<8xf32>

So the partitioner finds ordinary ops, around which it may move data; `sdy-restore-asynchronous` starts them again when
they are local. Collectives that StableHLO starts, as manual computations do, are local as they are and stay.
"""

from __future__ import annotations

from sdy.dialect.asynchronous_pairs import STABLEHLO, operation_of, problem_of_start
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.hlo_async.async_builders import bundle_of
from sdy.dialect.hlo_async.chains import chains, unwrap
from sdy.dialect.hlo_async.declarations import START
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named
from sdy.passes.overlap.asynchronous_marks import Mark, Origin, write_origins
from sdy.passes.overlap.stablehlo_pairs import FROM_STABLEHLO, MOVES, to_hlo_async
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-mark-asynchronous")
def mark_asynchronous(module: ir.Operation) -> object:
    starts = ops_named(module, STABLEHLO.start, START)
    slices = [op for op in starts if op.name == STABLEHLO.start and operation_of(op).name in MOVES]
    if not slices and all(op.name == STABLEHLO.start for op in starts):
        return UNCHANGED
    for start in slices:
        problem = problem_of_start(start)
        if problem is not None:
            raise DiagnosticError(start, problem)
    for start in slices:
        to_hlo_async(start).attributes[FROM_STABLEHLO] = ir.UnitAttr.get(module.context)
    origins = []
    for number, chain in enumerate(chains(module)):
        contexts = bundle_of(chain.start.results[0].type).contexts
        mark = Mark.of_chain(number, chain, contexts, is_stablehlo=FROM_STABLEHLO in chain.start.attributes)
        sharding = chain.done.attributes.get(SHARDING)
        op = unwrap(chain)
        if sharding is not None:
            op.attributes[SHARDING] = sharding
        mark.put(op)
        origins.append(Origin.of(op))
    write_origins(module, origins)
    return None
