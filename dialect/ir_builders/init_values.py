"""Init values of reductions on several devices: each result contains them exactly once, whatever they are.

A device that reduces a part only, or whose windows reach beyond the tensor, needs something in the place of elements
that are not there. An init value is not always neutral (a sum may start from 2.5), so it is either replaced by what is,
or elements carry a flag that says whether they count.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.ir_builders.identities import identity_of_op
from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.tensor_types import i1, tensor_type
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.reduction_bodies import IDEMPOTENT, combining_ops
from sdy.stablehlo.ops import Builder


def fillers(b: Builder, region: ir.Region, init_values: Sequence[ir.Value]) -> list[ir.Value] | None:
    """For each init value one that may be combined any number of times besides it; None if none is known.

    An init value of maxima, say, may be so itself.
    """
    names = combining_ops(region)
    if names is None:
        return None
    found: list[ir.Value] = []
    for name, value in zip(names, init_values, strict=True):
        if may_repeat(name, value):
            found.append(value)
            continue
        element = value.type.element_type
        neutral = identity_of_op(name, element, exact=True)
        if neutral is None:
            return None
        found.append(b.constant(neutral, element))
    return found


def are_fillers(region: ir.Region, init_values: Sequence[ir.Value]) -> bool:
    """Whether each init value may be combined any number of times besides itself."""
    names = combining_ops(region)
    return names is not None and all(map(may_repeat, names, init_values))


def may_repeat(name: str, value: ir.Value) -> bool:
    """Whether it makes no difference how often `name` combines `value`; a sum from 0 is never -0.0."""
    return name in IDEMPOTENT or splat_number(repeated(value)) == identity_of_op(name, value.type.element_type)


def repeated(value: ir.Value) -> ir.Value:
    """What `value` repeats, if it repeats anything."""
    while (broadcast := views.BroadcastInDim.defining(value)) is not None:
        value = broadcast.operand
    return value


def with_flags(op: ir.Operation, flagged: ir.Operation) -> None:
    """Gives `flagged` the body of the reduction `op`, for flags as one more operand, behind the others.

    What has a false flag leaves the other operand of the body unchanged.
    """
    original = op.clone(ip=False).operation
    block = original.regions[0].blocks[0]
    block.append_to(flagged.regions[0])
    count, flag = len(block.arguments) // 2, tensor_type((), i1())
    for _ in range(2):
        block.add_argument(flag, op.location)
    arguments = list(block.arguments)
    for number in reversed(range(count, 2 * count)):
        arguments[number + 1].set_type(arguments[number].type)
        arguments[number].replace_all_uses_with(arguments[number + 1])
    arguments[count].set_type(flag)
    old = terminator(block)
    b = Builder.before(old)
    *lefts, counts = block.arguments[: count + 1]
    *rights, also_counts = block.arguments[count + 1 :]
    results = [
        b.select(counts, b.select(also_counts, both, left), right)
        for both, left, right in zip(old.operands, lefts, rights, strict=True)
    ]
    b.create(old.name, [*results, b.or_(counts, also_counts)], [])
    old.erase()


def flagged_reduction(
    b: Builder,
    op: ir.Operation,
    operands: Sequence[ir.Value],
    init_values: Sequence[ir.Value],
    types: Sequence[ir.Type],
) -> ir.Operation:
    """`op`, a reduce or reduce_window, of operands and init values of which the last ones are flags; see `with_flags`.

    Its results are of `types`. What `op` says of its sharding is gone.
    """
    attributes = without_sharding(op)
    made = b.create(op.name, [*operands, *init_values], types, attributes, regions=1)
    with_flags(op, made)
    return made
