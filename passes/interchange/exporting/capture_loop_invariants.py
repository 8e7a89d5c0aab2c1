"""sdy-capture-loop-invariants: loops with shardings carry no variable that they do not change.

    %0:2 = stablehlo.while(%i = %a, %n = %b) {sdy.sharding = ...} ... do {
      %1 = stablehlo.add %n, %i
      stablehlo.return %i, %1
==> %0 = stablehlo.while(%n = %b) {sdy.sharding = ...} ... do {
      %1 = stablehlo.add %n, %a
      stablehlo.return %1

XLA does so itself when it makes HLO of a loop, and counts the shardings of the results after that.

With `before-propagation` it is the loops without shardings instead. XLA's propagation sees them without such variables,
too: a weight that a loop reads is sharded in it as its uses there want it, and need not be sharded so around the loop.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.values.lists import ShardingPerValue
from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION
from sdy.stablehlo.idioms.loop_variables import WHILE, loop_body


@dataclass(frozen=True)
class Options:
    before_propagation: bool = option(False, "loops without shardings instead of those with shardings")


@pass_("sdy-capture-loop-invariants", on=FUNCTION, options=Options)
def capture_loop_invariants(func: ir.Operation, options: Options) -> object:
    """Spec: interchange, 8.2."""
    # Those inside of others come first: what they do not change, the others may not change, either.
    found = [loop for loop in ops_named(func, WHILE) if (SHARDING in loop.attributes) != options.before_propagation]
    changed = [_capture(loop) for loop in found]
    return None if any(changed) else UNCHANGED


def _capture(loop: ir.Operation) -> bool:
    invariant = _invariants(loop)
    if not invariant:
        return False
    if len(invariant) == len(loop.operands):
        return True  # it runs never, or for ever, and stays as it is
    kept = [number for number in range(len(loop.operands)) if number not in invariant]
    returned = terminator(loop_body(loop))
    results = [returned.operands[number] for number in kept]
    ir.Operation.create(returned.name, operands=results, loc=returned.location, ip=ir.InsertionPoint(returned))
    returned.erase()
    given = dict(loop.attributes.items())
    if SHARDING in given:
        shardings = list(attributes.get(loop, SHARDING))
        given[SHARDING] = attributes.attr_of(ShardingPerValue(tuple(shardings[number] for number in kept)))
    new = ir.Operation.create(
        WHILE,
        results=[loop.results[number].type for number in kept],
        operands=[loop.operands[number] for number in kept],
        attributes=given,
        regions=2,
        loc=loop.location,
        ip=ir.InsertionPoint(loop),
    )
    for region, target in zip(loop.regions, new.regions, strict=True):
        block = region.blocks[0]
        for number in sorted(invariant, reverse=True):
            block.erase_argument(number)
        block.append_to(target)
    for number, result in zip(kept, new.results, strict=True):
        loop.results[number].replace_all_uses_with(result)
    loop.erase()
    return True


def _invariants(loop: ir.Operation) -> set[int]:
    """The variables that the loop does not change; what they are before it takes their place wherever they are used."""
    found: set[int] = set()
    body = loop_body(loop)
    returned = terminator(body)
    while True:
        new = {
            number
            for number, before in enumerate(loop.operands)
            if number not in found and returned.operands[number] in (before, body.arguments[number])
        }
        if not new:
            return found
        for number in new:
            before = loop.operands[number]
            for region in loop.regions:
                region.blocks[0].arguments[number].replace_all_uses_with(before)
            loop.results[number].replace_all_uses_with(before)
        found |= new
