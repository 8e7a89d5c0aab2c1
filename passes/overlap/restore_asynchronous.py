"""sdy-restore-asynchronous: makes the ops asynchronous again that `sdy-mark-asynchronous` has marked.

    %0 = stablehlo.tanh %a {sdy.asynchronous = {...}} : tensor<4xf32>
==> %s = hlo_async.start(%a) thread "main" (%x: tensor<4xf32>) {
      %y = stablehlo.tanh %x : tensor<4xf32>
      hlo_async.return %y : tensor<4xf32>
    } : (tensor<4xf32>) -> !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], []> -> tensor<4xf32>

That takes one op that is still what it was. If something stood between start and done, the done goes to where its
results are first used. Where the partitioner has made several ops of it, or exchanges of data, it
stays synchronous, which a remark tells.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.asynchronous_pairs import MARK
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.hlo_async.chains import Chain, wrap
from sdy.dialect.hlo_async.declarations import IN_SHARDINGS
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import remark
from sdy.mlir.search import ops_with
from sdy.passes.overlap.asynchronous_marks import Mark, Origin, take_origins
from sdy.passes.overlap.stablehlo_pairs import obstacle_of, to_stablehlo
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-restore-asynchronous")
def restore_asynchronous(module: ir.Operation) -> object:
    if MARK not in module.attributes:
        return UNCHANGED
    origins = take_origins(module)
    by_number: dict[int, list[tuple[ir.Operation, Mark]]] = {}
    for op in ops_with(module, MARK):
        mark = Mark.of_op(op)
        by_number.setdefault(mark.number, []).append((op, mark))
        del op.attributes[MARK]
    for number, origin in enumerate(origins):
        _restore(by_number.get(number, ()), origin)
    return None


def _restore(marked: Sequence[tuple[ir.Operation, Mark]], origin: Origin) -> None:
    if len(marked) != 1 or marked[0][0].name != origin.name:
        became = f"it has become {len(marked)} ops" if len(marked) > 1 else "the partitioner has made other ops of it"
        remark(origin.place, f"'{origin.name}' stays synchronous: {became}")
        return
    op, mark = marked[0]
    chain = wrap(op, thread=mark.thread, computation=mark.computation, updates=mark.updates, contexts=mark.contexts)
    if mark.is_late:
        _end_late(chain)
    _keep_shardings(chain)
    if mark.is_stablehlo and obstacle_of(chain) is None:
        to_stablehlo(chain)


def _end_late(chain: Chain) -> None:
    """Moves the done to the first op that uses its results, or holds one that does."""
    block, first = chain.start.block, None
    for user in (use.owner.operation for result in chain.done.results for use in result.uses):
        while user.block != block:
            user = user.block.owner.operation
        if first is None or user.is_before_in_block(first):
            first = user
    if first is not None:
        chain.done.move_before(first)


def _keep_shardings(chain: Chain) -> None:
    """Where the op still has shardings, the ends of the chain have them too."""
    shardings = op_shardings(chain.wrapped)
    if shardings is None:
        return
    set_op_shardings(chain.done, shardings)
    given = tuple(each for operand in chain.start.operands if (each := get_sharding(operand)) is not None)
    if given and len(given) == len(chain.start.operands):
        attributes.put(chain.start, IN_SHARDINGS, ShardingPerValue(given))
