"""Functions that build the ops of the dialect.

    op = start([x], [x.type])
    with ir.InsertionPoint(op.regions[0].blocks[0]):
        return_([stablehlo.tanh(op.regions[0].blocks[0].arguments[0])])
    y = done(update(op.result)).results[0]

`loc` and `ip` are the current ones by default. What the rules of the dialect ask for, such as that a bundle has one
user, is checked when the module is verified. To start an op that there is already use `sdy.dialect.hlo_async.chains`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sdy.dialect.hlo_async.bundles import Bundle, bundle_of, is_bundle
from sdy.dialect.hlo_async.declarations import DONE, MAIN_THREAD, RETURN, START, UPDATE
from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At


def start(
    operands: Sequence[ir.Value],
    result_types: Sequence[ir.Type],
    contexts: Sequence[ir.Type] = (),
    thread: str = MAIN_THREAD,
    computation: str | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """An `hlo_async.start` with an empty block, which has an argument for each operand; returns the op.

    Args:
      operands: what the operation takes.
      result_types: the types of what it gives.
      contexts: the types of the context that goes with it.
      thread: the thread of execution.
      computation: what the wrapped computation is called in HLO.
    """
    types = [each.type for each in operands]
    bundle = Bundle(tuple(types), tuple(result_types), tuple(contexts)).type()
    attributes = {"thread": ir.StringAttr.get(thread)}
    if computation is not None:
        attributes["computation"] = ir.StringAttr.get(computation)
    op = ir.Operation.create(START, results=[bundle], operands=list(operands), attributes=attributes, regions=1, **at)
    op.regions[0].blocks.append(*types, arg_locs=[each.location for each in operands])
    return op


def update(bundle: ir.Value, **at: Unpack[At]) -> ir.OpResult:
    """An `hlo_async.update` of a bundle; returns the bundle that goes on.

    Raises `TypeError` if it takes something else.
    """
    _check(bundle)
    return ir.Operation.create(UPDATE, results=[bundle.type], operands=[bundle], **at).results[0]


def done(bundle: ir.Value, **at: Unpack[At]) -> ir.Operation:
    """An `hlo_async.done` of a bundle; returns the op, which has the results of the operation.

    Raises `TypeError` if it takes something else.
    """
    _check(bundle)
    results = list(bundle_of(bundle.type).results)
    return ir.Operation.create(DONE, results=results, operands=[bundle], **at)


def return_(values: Sequence[ir.Value], **at: Unpack[At]) -> ir.Operation:
    """Ends the body of a start; returns the op."""
    return ir.Operation.create(RETURN, operands=list(values), **at)


def _check(bundle: object) -> None:
    if not isinstance(bundle, ir.Value) or not is_bundle(bundle.type):
        raise TypeError(f"expected a value of a bundle's type, not {bundle!r}")
