"""Merging of two fragments of one mesh (spec: mpmd, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sdy.dialect.definition.attributes import number_of, text_of
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.greedy import Rewriter
from sdy.mlir.rewriting import has_one_use, terminator, users
from sdy.mlir.tensor_types import i64_attr
from sdy.passes.mpmd.common.fragment_editing import set_returned
from sdy.passes.mpmd.common.fragments import (
    CALL_COUNTER,
    INFERRED_BY,
    STAGE,
    block_of,
    is_user_fragment,
    mesh_name_of,
    stage_of,
)

CONTROL_START = "mpmd.control_operand_start_idx"
"""Number of the first operand that is there for the order alone."""


def data_operands(fragment: ir.Operation) -> list[ir.Value]:
    """Return the operands with arguments in the block."""
    return list(fragment.operands)[: _control_start(fragment)]


def control_operands(fragment: ir.Operation) -> list[ir.Value]:
    """Return the operands that only order execution."""
    return list(fragment.operands)[_control_start(fragment) :]


def _control_start(fragment: ir.Operation) -> int:
    attr = fragment.attributes.get(CONTROL_START)
    return len(fragment.operands) if attr is None else number_of(attr)


def may_be_one(first: ir.Operation, second: ir.Operation) -> bool:
    """Return whether fragments are on one mesh, and in one stage or one of them in none."""
    stages = stage_of(first), stage_of(second)
    return mesh_name_of(first) == mesh_name_of(second) and (None in stages or stages[0] == stages[1])


@dataclass(frozen=True, slots=True)
class _Joined:
    """Operands of a merged fragment, with the operand of each argument of both blocks.

    Results of the first fragment are counted from -1 downwards.
    """

    operands: list[ir.Value]
    first: list[int]
    second: list[int]


def merge(
    first: ir.Operation, second: ir.Operation, place: ir.Operation, rewriter: Rewriter | None = None
) -> ir.Operation:
    """Make two fragments one, in front of `place`.

    Args:
      first: the fragment whose body comes first; the other may take results of it.
      second: the other fragment.
      place: the op in front of which all operands are defined; all of their users are behind it.
      rewriter: the pattern's rewriter, notified of changes.

    Returns:
      The fragment that has the uses of both, which are erased.
    """
    kept = [result for result in first.results if any(user != second for user in users(result))]
    joined = _joined(first, second)
    controls = [
        value
        for op, other in ((first, second), (second, first))
        for value in control_operands(op)
        if value not in list(other.results)
    ]
    types = [result.type for result in (*kept, *second.results)]
    new = ir.Operation.create(
        first.name,
        results=types,
        operands=[*joined.operands, *controls],
        attributes=_merged_attributes(first, second, len(joined.operands), bool(controls)),
        regions=1,
        loc=ir.Location.fused([first.location, second.location]),
        ip=ir.InsertionPoint(place),
    )
    _merge_blocks(first, second, new, joined, [result.result_number for result in kept])
    replace_uses = ir.Value.replace_all_uses_with if rewriter is None else rewriter.replace_uses
    for old, result in zip([*kept, *second.results], new.results, strict=True):
        replace_uses(old, result)
    for op in (second, first):
        (op.erase if rewriter is None else partial(rewriter.erase, op))()
    return new if rewriter is None else rewriter.created(new)


def _joined(first: ir.Operation, second: ir.Operation) -> _Joined:
    mine, others = data_operands(first), data_operands(second)
    results: list[ir.Value] = list(first.results)
    if len(mine) == len(results) == 1 and has_one_use(results[0]) and results[0] in others:
        at = others.index(results[0])
        operands = [mine[0] if number == at else value for number, value in enumerate(others)]
        return _Joined(operands, [at], [-1 if number == at else number for number in range(len(others))])
    operands = list(dict.fromkeys(mine))
    own = [operands.index(value) for value in mine]
    arguments = []
    for value in others:
        if value in results:
            arguments.append(-1 - results.index(value))
            continue
        if value not in operands:
            operands.append(value)
        arguments.append(operands.index(value))
    return _Joined(operands, own, arguments)


def _merge_blocks(
    first: ir.Operation, second: ir.Operation, new: ir.Operation, joined: _Joined, kept: Sequence[int]
) -> None:
    """Move the ops of both blocks into the block of the new fragment."""
    blocks = block_of(first), block_of(second)
    types = _argument_types(first, second, joined)
    block = new.regions[0].blocks.append(*types, arg_locs=[new.location] * len(types))
    end = ir.Operation.create("mpmd.return", loc=terminator(blocks[1]).location, ip=ir.InsertionPoint(block))
    for argument, number in zip(blocks[0].arguments, joined.first, strict=True):
        argument.replace_all_uses_with(block.arguments[number])
    values = list(terminator(blocks[0]).operands)
    for argument, number in zip(blocks[1].arguments, joined.second, strict=True):
        argument.replace_all_uses_with(values[-1 - number] if number < 0 else block.arguments[number])
    returned = [*(values[number] for number in kept), *terminator(blocks[1]).operands]
    for old in blocks:
        for view in [*old.operations][:-1]:
            view.operation.move_before(end)
    set_returned(new, returned)


def _argument_types(first: ir.Operation, second: ir.Operation, joined: _Joined) -> list[ir.Type]:
    of_value = dict(zip(data_operands(first), [each.type for each in block_of(first).arguments], strict=True))
    of_second = zip(data_operands(second), [each.type for each in block_of(second).arguments], strict=True)
    of_value = {**dict(of_second), **of_value}
    return [of_value[value] for value in joined.operands]


def _merged_attributes(
    first: ir.Operation, second: ir.Operation, count: int, has_controls: bool
) -> dict[str, ir.Attribute]:
    stored: dict[str, ir.Attribute] = {"mesh_name": first.attributes["mesh_name"]}
    origins = dict.fromkeys([*ir.ArrayAttr(first.attributes["origin"]), *ir.ArrayAttr(second.attributes["origin"])])
    stored["origin"] = ir.ArrayAttr.get(list(origins))
    for op in (first, second):
        if STAGE in op.attributes:
            stored[STAGE] = op.attributes[STAGE]
    counter = _merged_counter(first, second)
    if counter is not None:
        stored[CALL_COUNTER] = counter
    inferred = merged_passes(first, second)
    if inferred is not None:
        stored[INFERRED_BY] = inferred
    if has_controls:
        stored[CONTROL_START] = i64_attr(count)
    return stored


def _merged_counter(first: ir.Operation, second: ir.Operation) -> ir.Attribute | None:
    """Return the call counter of both; if they differ, that of the only user fragment."""
    counters = [op.attributes[CALL_COUNTER] for op in (first, second) if CALL_COUNTER in op.attributes]
    if len(counters) < 2 or counters[0] == counters[1]:
        return next(iter(counters), None)
    by_users = [op for op in (first, second) if is_user_fragment(op)]
    return by_users[0].attributes[CALL_COUNTER] if len(by_users) == 1 else None


def merged_passes(first: ir.Operation, second: ir.Operation) -> ir.Attribute | None:
    """The passes that inferred the fragments, if both are inferred."""
    if is_user_fragment(first) or is_user_fragment(second):
        return None
    names = {
        text_of(each): each
        for op in (first, second)
        if INFERRED_BY in op.attributes
        for each in ir.ArrayAttr(op.attributes[INFERRED_BY])
    }
    return ir.ArrayAttr.get(list(names.values())) if names else None
