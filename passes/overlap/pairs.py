"""Pairs of an asynchronous start and its done, the all_to_alls allowed in them, the channels of new collectives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.hlo_async.chains import (
    HLO_ASYNC,
    STABLEHLO,
    chain_of,
    families,
    is_start,
    problem_of_done,
    problem_of_start,
    unwrap,
    unwrap_pair,
)
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from sdy.mlir.rewriting import first_user, replace, users
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import i64_attr
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


def channels_from(first: int) -> Iterator[int]:
    """Channels that are not used yet."""
    while True:
        yield first
        first += 1


# all_to_all between two dimensions as one along a dimension that holds the parts, and nothing else, and back.
#
# An asynchronous all_to_all may cut and join one dimension only (spec: async, 4.1). With N devices, a value of sizes
# [.., s, .., c, ..] that is cut along s and joined along c:
#
#     reshape [.., N, s/N, .., c, ..] -> all_to_all along N -> transpose N before c -> reshape [.., s/N, .., N c, ..]
#
# which moves the same bytes. The all_to_all carries `sdy.split_and_concat_dimensions`, by which it is put back.


MARK = "sdy.split_and_concat_dimensions"

_ALL_TO_ALL = "stablehlo.all_to_all"


def dimensions(op: ir.Operation) -> tuple[int, int]:
    """The dimension that an all_to_all cuts, and the one that it joins."""
    exchange = views.AllToAll(op)
    return exchange.split_dimension, exchange.concat_dimension


def along_parts(op: ir.Operation) -> ir.Operation:
    """Replaces an all_to_all between two static dimensions, which it cuts evenly; returns the new one."""
    split, concat = dimensions(op)
    b, (x,), count = Builder.before(op), op.operands, views.AllToAll(op).split_count
    shape = list(x.type.shape)
    parts = b.reshape(x, [*shape[:split], count, shape[split] // count, *shape[split + 1 :]])
    attributes = without_sharding(op)
    attributes |= {
        "split_dimension": i64_attr(split),
        "concat_dimension": i64_attr(split),
        MARK: ir.DenseI64ArrayAttr.get([split, concat]),
    }
    moved = b.create(_ALL_TO_ALL, (parts,), (parts.type,), attributes)
    permutation = _permutation(len(shape), split, concat)
    # What is done with the parts stands at the first use, so that the all_to_all may be done as late.
    b = Builder(ir.InsertionPoint(first_user(op) or op), op.location)
    joined = b.reshape(b.transpose(moved.results[0], permutation), op.results[0].type.shape)
    replace(op, [joined])
    return moved


def restore_all_to_all(op: ir.Operation) -> None:
    """Undo `along_parts` if the ops around the all_to_all are unchanged; else only remove the mark."""
    if op.name != _ALL_TO_ALL or MARK not in op.attributes:
        return
    split, concat = list(ir.DenseI64ArrayAttr(op.attributes[MARK]))
    del op.attributes[MARK]
    before = views.Reshape.defining(op.operands[0])
    transposed = views.Transpose.match(_only_user(op))
    after = None if transposed is None else views.Reshape.match(_only_user(transposed.op))
    if before is None or transposed is None or after is None or _only_user(before.op) is None:
        return
    if list(transposed.permutation) != _permutation(len(before.operand.type.shape), split, concat):
        return
    attributes = without_sharding(op)
    attributes |= {"split_dimension": i64_attr(split), "concat_dimension": i64_attr(concat)}
    whole = Builder.before(op).create(_ALL_TO_ALL, (before.operand,), (after.result.type,), attributes)
    after.result.replace_all_uses_with(whole.results[0])
    for each in (after.op, transposed.op, op, before.op):
        each.erase()


def _permutation(rank: int, split: int, concat: int) -> list[int]:
    """Return the permutation of `rank` dimensions that moves the parts' one from before `split` to before `concat`."""
    others = [dim for dim in range(rank + 1) if dim != split]
    others.insert(concat, split)
    return others


def _only_user(op: ir.Operation) -> ir.Operation | None:
    found = users(op.results[0])
    return found[0] if len(found) == 1 else None


_KEPT_ATTRIBUTES = ("mhlo.frontend_attributes",)
"""Attributes that start and done share with the op."""


def checked_starts(root: ir.Operation) -> list[ir.Operation]:
    """The starts below `root`, inner ones first.

    Raises `DiagnosticErrors` at starts without exactly one done in their block, and at dones without a start.
    """
    names = [name for family in families() for name in (family.start, family.update, family.done) if name is not None]
    found = ops_named(root, *names)
    problems = [(op, problem_of_start(op) if is_start(op) else problem_of_done(op)) for op in found]
    errors = [DiagnosticError(op, problem) for op, problem in problems if problem is not None]
    if errors:
        raise DiagnosticErrors([diagnostic for error in errors for diagnostic in error.diagnostics])
    return [op for op in found if is_start(op)]


def has_elements(op: ir.Operation) -> bool:
    """Return whether no tensor of a collective is empty: XLA folds those to constants, which a start cannot hold."""
    types = [value.type for value in (*op.operands, *op.results)]
    return not any(isinstance(type_, ir.RankedTensorType) and 0 in type_.shape for type_ in types)


def make_asynchronous(op: ir.Operation) -> tuple[ir.Operation, ir.Operation]:
    """Puts an op with one result into a start, with its done right behind; returns both.

    The op itself moves, so references to it stay valid; builders that make the body's ops cannot do that.
    """
    attributes = {name: op.attributes[name] for name in _KEPT_ATTRIBUTES if name in op.attributes}
    result = op.results[0]
    handle = ir.Type.parse(f"!stablehlo.future<{result.type}>", op.context)
    here: dict[str, Any] = {"attributes": attributes, "loc": op.location, "ip": ir.InsertionPoint(op)}
    start = ir.Operation.create(STABLEHLO.start, [handle], list(op.operands), regions=1, **here)
    done = ir.Operation.create(STABLEHLO.done, [result.type], [start.results[0]], **here)
    result.replace_all_uses_with(done.results[0])
    types = [operand.type for operand in op.operands]
    block = start.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    block.append(op)
    for number, argument in enumerate(block.arguments):
        op.operands[number] = argument
    ir.Operation.create(STABLEHLO.terminator, [], [op.results[0]], loc=op.location, ip=ir.InsertionPoint(block))
    return start, done


def make_synchronous(start: ir.Operation) -> ir.Operation:
    """Replaces a start and its done by the op that the start holds; returns the op."""
    if start.name == HLO_ASYNC.start:
        return unwrap(chain_of(start))
    return unwrap_pair(start)
