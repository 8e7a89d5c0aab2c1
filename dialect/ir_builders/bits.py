"""Numbers as integers of the same bits, for sums that only move them: such a sum keeps what an addition does not.

With zeros added -0.0 becomes 0.0, on backends that start from 0.0 whatever is added, as XLA's code for CPUs does;
numbers close to zero may become zero, and a NaN another one. Only numbers of 32 and 64 bits are treated so: backends
widen smaller integers to add them up. Of others what is added is -0.0.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.identities import Number, exact_zero, identity_of
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.mlir.tensor_types import with_element_type
from sdy.stablehlo.ops import Builder


def moved_type(element: ir.Type) -> ir.Type:
    """The type of what is added up where a sum moves numbers of type `element`: that of their bits, or their own."""
    if isinstance(element, ir.FloatType) and element.width in (32, 64):
        return ir.IntegerType.get_signless(element.width)
    return element


def nothing(element: ir.Type) -> complex:
    """What devices have that have no part in such a sum: 0 if it is one of bits."""
    return exact_zero(element) if moved_type(element) == element else 0


def identity_of_parts(kind: Reduction, element: Number, *, signed_zeros: bool) -> complex:
    """What devices have that have no part in a partial value; with `signed_zeros` it may be added up as bits."""
    return nothing(element) if signed_zeros and kind is Reduction.SUM else identity_of(kind, element)


def bits_of(b: Builder, x: ir.Value) -> ir.Value:
    """What to add up to move `x`: its bits, or `x` itself."""
    return _with_elements(b, x, moved_type(x.type.element_type))


def from_bits(b: Builder, moved: ir.Value, element: ir.Type) -> ir.Value:
    """Numbers of type `element` that have been moved as `bits_of` says."""
    return _with_elements(b, moved, element)


def _with_elements(b: Builder, x: ir.Value, element: ir.Type) -> ir.Value:
    if x.type.element_type == element:
        return x
    return b.bitcast_convert(x, with_element_type(x.type, element))
