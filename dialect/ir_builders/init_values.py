"""Identity elements and init values of reductions on several devices."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.mlir.rewriting import terminator
from sdy.mlir.tensor_types import i1, tensor_type, with_element_type
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.loops import IDEMPOTENT, combining_ops
from sdy.stablehlo.ops import Builder

_LARGEST_WITHOUT_INFINITY = {
    "f8E4M3FN": 448.0,
    "f8E4M3FNUZ": 240.0,
    "f8E4M3B11FNUZ": 30.0,
    "f8E5M2FNUZ": 57344.0,
    "f4E2M1FN": 6.0,
    "f6E2M3FN": 7.5,
    "f6E3M2FN": 28.0,
    "f8E8M0FNU": 2.0**127,
}

Number = ir.IntegerType | ir.FloatType
"""A type of real numbers."""

_WITHOUT_NEGATIVE_ZERO = frozenset({"f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2FNUZ", "f8E8M0FNU"})


def lowest(element_type: Number) -> float | int:
    """The neutral element of maximum: minus infinity where there is one."""
    if isinstance(element_type, ir.FloatType):
        if str(element_type) == "f8E8M0FNU":
            return 2.0**-127
        return -highest(element_type)
    signed = isinstance(element_type, ir.IntegerType) and not element_type.is_unsigned and element_type.width > 1
    return -(1 << (element_type.width - 1)) if signed else 0


def highest(element_type: Number) -> float | int:
    """The neutral element of minimum: infinity where there is one."""
    if isinstance(element_type, ir.FloatType):
        return _LARGEST_WITHOUT_INFINITY.get(str(element_type), math.inf)
    bits = element_type.width
    signed = not element_type.is_unsigned and bits > 1
    return (1 << (bits - 1)) - 1 if signed else (1 << bits) - 1


def exact_zero(element_type: ir.Type) -> complex:
    """Return the identity of addition: -0.0 where there is one, because -0.0 + 0.0 is 0.0."""
    if isinstance(element_type, ir.ComplexType):
        return complex(-0.0, -0.0)
    return -0.0 if isinstance(element_type, ir.FloatType) and str(element_type) not in _WITHOUT_NEGATIVE_ZERO else 0


def identity_of(kind: Reduction, element_type: Number) -> float | int:
    """Return the identity element of `kind`; +0.0 for sums, so -0.0 is not preserved."""
    if kind is Reduction.SUM:
        return 0
    return lowest(element_type) if kind is Reduction.MAX else highest(element_type)


def identity_of_op(name: str, element_type: Number, *, exact: bool = False) -> complex | None:
    """The neutral element of a binary StableHLO op, None if it has none (or is not known to); see `exact_zero`."""
    match name.removeprefix("stablehlo."):
        case "add":
            return exact_zero(element_type) if exact else 0
        case "or" | "xor":
            return 0
        case "multiply":
            return 1
        case "and":
            unsigned = getattr(element_type, "is_unsigned", False)
            return 1 if element_type.width == 1 else (1 << element_type.width) - 1 if unsigned else -1
        case "maximum":
            return lowest(element_type)
        case "minimum":
            return highest(element_type)
    return None


def moved_type(element: ir.Type) -> ir.Type:
    """Return the type in which numbers of type `element` are sent for a sum: an integer of their bits, or `element`."""
    if isinstance(element, ir.FloatType) and element.width in (32, 64):
        return ir.IntegerType.get_signless(element.width)
    return element


def nothing(element: ir.Type) -> complex:
    """Return the summand of devices without a part: 0 for a sum of bits."""
    return exact_zero(element) if moved_type(element) == element else 0


def identity_of_parts(kind: Reduction, element: Number, *, signed_zeros: bool) -> complex:
    """Return the value of devices without a part; with `signed_zeros` it may be added up as bits."""
    return nothing(element) if signed_zeros and kind is Reduction.SUM else identity_of(kind, element)


def bits_of(b: Builder, x: ir.Value) -> ir.Value:
    """Return the summand to send for `x`: its bits, or `x`."""
    return _with_elements(b, x, moved_type(x.type.element_type))


def from_bits(b: Builder, moved: ir.Value, element: ir.Type) -> ir.Value:
    """Numbers of type `element` that have been moved as `bits_of` says."""
    return _with_elements(b, moved, element)


def _with_elements(b: Builder, x: ir.Value, element: ir.Type) -> ir.Value:
    if x.type.element_type == element:
        return x
    return b.bitcast_convert(x, with_element_type(x.type, element))


def fillers(b: Builder, region: ir.Region, init_values: Sequence[ir.Value]) -> list[ir.Value] | None:
    """Return an init value for each operand that may be combined any number of times; None if none is known.

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
    """Return whether each init value may be combined any number of times without an effect."""
    names = combining_ops(region)
    return names is not None and all(map(may_repeat, names, init_values))


def may_repeat(name: str, value: ir.Value) -> bool:
    """Return whether it makes no difference how often `name` combines `value`; a sum from 0 is never -0.0."""
    return name in IDEMPOTENT or splat_number(repeated(value)) == identity_of_op(name, value.type.element_type)


def repeated(value: ir.Value) -> ir.Value:
    """Return the value that `value` broadcasts, if any."""
    while (broadcast := views.BroadcastInDim.defining(value)) is not None:
        value = broadcast.operand
    return value


def with_flags(op: ir.Operation, flagged: ir.Operation) -> None:
    """Gives `flagged` the body of the reduction `op`, for flags as one more operand, behind the others.

    An element with a false flag leaves the other operand of the body unchanged.
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

    Its results have `types`. The sharding of `op` is dropped.
    """
    attributes = without_sharding(op)
    made = b.create(op.name, [*operands, *init_values], types, attributes, regions=1)
    with_flags(op, made)
    return made
