"""New ops with shardings, new operands for users of a value, and manual computations of one device."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sdy.dialect import builders
from sdy.dialect import builders as sdy_ops
from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of
from sdy.dialect.op_properties import is_constant, is_pure
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import is_unused, replace
from sdy.mlir.walk import pre_order
from sdy.stablehlo.ops import Builder

_MOVEMENTS = frozenset({"stablehlo.dynamic_slice", "stablehlo.pad", "stablehlo.transpose"})


def may_be_erased(op: ir.Operation) -> bool:
    """Return whether an op is known to have no effects, without a look into its regions."""
    return op.name in _MOVEMENTS or op.name in COLLECTIVES or is_pure(op) or is_constant(op)


def erase_unused(values: Iterable[ir.Value], may_be_erased: Callable[[ir.Operation], bool] = may_be_erased) -> None:
    """Erase unused ops without effects that make `values`, and then the ops that only these used."""
    pending = dict.fromkeys(values)
    while pending:
        value = next(iter(pending))
        del pending[value]
        if not isinstance(value, ir.OpResult):
            continue
        op = value.owner.operation
        if is_unused(op) and may_be_erased(op):
            for result in op.results:
                pending.pop(result, None)  # it is not to be looked at once it is gone
            pending.update(dict.fromkeys(op.operands))
            op.erase()


class OperandSlot(NamedTuple):
    """Operand `number` of `user`."""

    user: ir.Operation
    number: int


def uses_of(value: ir.Value) -> list[OperandSlot]:
    """The operands that are `value`, as a snapshot."""
    return [OperandSlot(use.owner.operation, use.operand_number) for use in value.uses]


def use_instead(slots: Sequence[OperandSlot], value: ir.Value) -> None:
    """Makes all of `slots` use `value`."""
    for slot in slots:
        slot.user.operands[slot.number] = value


def replace_resharded(op: ir.Operation, value: ir.Value, sharding: TensorSharding) -> None:
    """Replace the only result of `op` by `value`; erase `op`, and the maker of its first operand if that is unused.

    Users that reshard the result reshard the new value, the others get it in `sharding`.
    """
    others = [slot for slot in uses_of(op.results[0]) if slot.user.name != "sdy.reshard"]
    if others and get_sharding(value) != sharding:
        use_instead(others, builders.reshard(value, sharding, loc=op.location, ip=ir.InsertionPoint(op)))
    op.results[0].replace_all_uses_with(value)
    before = op.operands[0]
    op.erase()
    erase_unused([before])


def cut_at_ends(b: Builder, x: ir.Value, shape: Sequence[int]) -> ir.Value:
    """`first_elements` of `x`; `x` itself if that is the whole."""
    return x if list(x.type.shape) == list(shape) else first_elements(b, x, shape)


def first_elements(b: Builder, x: ir.Value, shape: Sequence[int]) -> ir.Value:
    """The first elements of every dimension.

    Raises `DiagnosticError` if a size is dynamic: a slice has no way to say that a dimension stays whole.
    """
    if any(size < 0 for size in shape):
        raise DiagnosticError(b.location, f"a value of type {x.type}, of dynamic size, cannot be cut")
    return b.slice(x, [0] * len(shape), shape)


def pad_at_ends(b: Builder, x: ir.Value, shape: Sequence[int], value: ir.Value | None = None) -> ir.Value:
    """`x` extended with `value`, or zeros; `x` itself if it has that shape."""
    old = list(x.type.shape)
    if old == list(shape):
        return x
    filler = value if value is not None else b.constant(0, x.type.element_type)
    return b.pad(x, filler, [0] * len(old), [new - n for n, new in zip(old, shape, strict=True)])


def set_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    """Sets `sdy.sharding` of the op whose only result is `value`."""
    value.owner.operation.attributes[SHARDING] = attr_of(ShardingPerValue((sharding,)))


def with_sharding(value: ir.Value, sharding: TensorSharding | None) -> ir.Value:
    """`value`, the only result of its op, with `sharding` if there is one."""
    if sharding is not None:
        set_sharding(value, sharding)
    return value


def pad_high(
    b: Builder, x: ir.Value, shape: Sequence[int], sharding: TensorSharding | None, filler: ir.Value | None = None
) -> ir.Value:
    """`x` extended to `shape` at the ends of its dimensions, by `filler` or zeros; `x` itself if it has that shape."""
    padded = pad_at_ends(b, x, shape, filler)
    return x if padded == x else with_sharding(padded, sharding)


def slice_high(b: Builder, x: ir.Value, shape: Sequence[int], sharding: TensorSharding | None) -> ir.Value:
    """The first elements of `x` along every dimension, of `shape`; `x` itself if it has that shape."""
    cut = cut_at_ends(b, x, shape)
    return x if cut == x else with_sharding(cut, sharding)


class ManualOperand(NamedTuple):
    """An operand of a manual computation: its layout `sharding` and its local type."""

    value: ir.Value
    sharding: TensorSharding
    part: ir.Type


class ManualResult(NamedTuple):
    """A result of a manual computation: its type, which `sharding` divides, and its final shape."""

    type: ir.Type
    sharding: TensorSharding
    shape: Sequence[int]


Body = Callable[[Builder, list[ir.Value]], Sequence[ir.Value]]
"""Function that builds the device's parts of the results from its parts of the operands."""


def scalars(values: Sequence[ir.Value], ref: MeshRef) -> list[ManualOperand]:
    """Scalars that enter as they are, the same on all devices of the mesh `ref`."""
    whole = TensorSharding(ref)
    return [ManualOperand(value, whole, value.type) for value in values]


def build_manual_computation(
    b: Builder, entering: Sequence[ManualOperand], leaving: Sequence[ManualResult], manual: Sequence[str], body: Body
) -> list[ir.Value]:
    """Build a manual computation of `body` along the axes `manual`; return its results.

    Padding at the end of a result, which makes its parts even, is cut off.
    """
    computation = sdy_ops.manual_computation(
        [each.value for each in entering],
        [each.type for each in leaving],
        [each.sharding for each in entering],
        [each.sharding for each in leaving],
        manual,
        [each.part for each in entering],
        loc=b.location,
        ip=b.ip,
    )
    block = computation.regions[0].blocks[0]
    inside = Builder.at_end(block, b.location)
    sdy_ops.return_(body(inside, list(block.arguments)), loc=b.location, ip=inside.ip)
    wholes = zip(computation.results, leaving, strict=True)
    return [slice_high(b, whole, each.shape, each.sharding) for whole, each in wholes]


def replace_with_manual_computation(
    op: ir.Operation,
    b: Builder,
    entering: Sequence[ManualOperand],
    leaving: Sequence[ManualResult],
    manual: Sequence[str],
    body: Body,
) -> None:
    """Replaces the results of the erased `op` by those of a manual computation with the body `body`."""
    replace(op, build_manual_computation(b, entering, leaving, manual, body))


_HARMLESS = frozenset({"sdy.reshard", "sdy.constant", "sdy.return"})


def leave_to_one_device(op: ir.Operation, is_on_one: Callable[[TensorSharding], bool]) -> list[ir.Operation]:
    """Marks the ops in the regions of `op`, in the branch of one device, as ops of that device.

    Replicated outer values are used directly in the branch; sharded ones are gathered in front of the branches.
    `is_on_one` tells whether a sharding is that of one device.

    Returns:
      The reshards outside of `op` whose results its regions used.

    Raises:
      DiagnosticError: at an op inside that is sharded, or takes partial values.
    """
    before = op.parent.operation
    inside = [each for each in pre_order(op) if each != op]
    own = {value for each in (op, *inside) for region in each.regions for b in region.blocks for value in b.arguments}
    own |= {result for each in inside for result in each.results}
    whole: dict[ir.Value, ir.Value] = {}
    passed: list[ir.Operation] = []
    for each in inside:
        _check(each, is_on_one)
        for number, operand in enumerate(list(each.operands)):
            if operand in own:
                continue
            if operand not in whole:
                whole[operand] = _whole(operand, each, before, is_on_one, passed)
            each.operands[number] = whole[operand]
        if SHARDING in each.attributes:
            del each.attributes[SHARDING]
    for each in reversed(inside):
        if each.name == "sdy.reshard":
            replace(each, [each.operands[0]])
    return passed


def _whole(
    value: ir.Value,
    user: ir.Operation,
    before: ir.Operation,
    is_on_one: Callable[[TensorSharding], bool],
    passed: list[ir.Operation],
) -> ir.Value:
    """Return `value` replicated; a reshard that only brings it to the device is added to `passed`."""
    maker = value.owner
    if not isinstance(maker, ir.Block) and maker.operation.name == "sdy.reshard":
        reshard = maker.operation
        if is_on_one(attributes.get(reshard, "sharding")):
            passed.append(reshard)
            return reshard.operands[0]
    sharding = get_sharding(value)
    if sharding is None or is_on_one(sharding):
        return value
    if sharding.unreduced:
        raise DiagnosticError(user, "takes partial values, in an op that a single device executes")
    if sharding.is_fully_replicated:
        return value
    closed = TensorSharding.closed(sharding.mesh_or_ref, sharding.rank)
    return builders.all_gather(value, sharding.dim_axes, closed, loc=before.location, ip=ir.InsertionPoint(before))


def _check(op: ir.Operation, is_on_one: Callable[[TensorSharding], bool]) -> None:
    """Refuses ops that need several devices."""
    is_reshard = op.name == "sdy.reshard"
    shardings = (attributes.get(op, "sharding"),) if is_reshard else op_shardings(op) or ()
    is_collective = op.name.startswith("sdy.") and op.name not in _HARMLESS
    if is_collective or not all(is_on_one(each) or each.is_fully_replicated for each in shardings):
        raise DiagnosticError(op, "is sharded, in an op that a single device executes")


def constraint_to_reshard(op: ir.Operation) -> None:
    """Replace a sharding constraint by a reshard with its sharding and all its other attributes."""
    value = op.results[0]
    reshard = ir.Operation.create(
        "sdy.reshard",
        results=[value.type],
        operands=[op.operands[0]],
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    value.replace_all_uses_with(reshard.results[0])
    op.erase()
