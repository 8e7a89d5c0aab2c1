"""sdy-expand-high-products: the high half of a product of integers is spelled out.

    %0 = chlo.mulhi %x, %y : tensor<8xi32>
==> %0 = stablehlo.convert %x : (tensor<8xi32>) -> tensor<8xi64>
    %1 = stablehlo.convert %y : (tensor<8xi32>) -> tensor<8xi64>
    %2 = stablehlo.multiply %0, %1 : tensor<8xi64>
    %3 = stablehlo.constant dense<32> : tensor<8xi64>
    %4 = stablehlo.shift_right_arithmetic %2, %3 : tensor<8xi64>
    %5 = stablehlo.convert %4 : (tensor<8xi64>) -> tensor<8xi32>

XLA does not take `chlo.mulhi` in a manual region, which the program of one of several devices is. A program for one
device, as one that says so is, stays.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.rewriting.inlining import replace
from sdy.mlir.search import ops_named
from sdy.passes.executable.records import is_for_one_device
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder

_HALF = 32


@pass_("sdy-expand-high-products")
def expand_high_products(module: ir.Operation) -> object:
    found = [] if is_for_one_device(module) else ops_named(module, "chlo.mulhi")
    for op in found:
        b = Builder.before(op)
        element = op.results[0].type.element_type
        product = _by_widening if element.width <= _HALF else _signed_by_halves if element.is_signless else _by_halves
        replace(op, [product(b, *op.operands)])
    return None if found else UNCHANGED


def _integer(element: ir.IntegerType, width: int) -> ir.Type:
    """An integer type as `element`, of another width."""
    return ir.IntegerType.get_unsigned(width) if element.is_unsigned else ir.IntegerType.get_signless(width)


def _shifted(b: Builder, x: ir.Value, places: int) -> ir.Value:
    """`x` without its low bits."""
    shift = b.shift_right_logical if x.type.element_type.is_unsigned else b.shift_right_arithmetic
    return shift(x, b.constant(places, x.type))


def _by_widening(b: Builder, x: ir.Value, y: ir.Value) -> ir.Value:
    element = x.type.element_type
    wide = _integer(element, 2 * _HALF)
    return b.convert(_shifted(b, b.multiply(b.convert(x, wide), b.convert(y, wide)), element.width), element)


def _by_halves(b: Builder, x: ir.Value, y: ir.Value) -> ir.Value:
    """Of unsigned numbers: the four products of their halves, none of which overflows, with their carries."""
    mask = b.constant((1 << _HALF) - 1, x.type)
    low_x, low_y, high_x, high_y = b.and_(x, mask), b.and_(y, mask), _shifted(b, x, _HALF), _shifted(b, y, _HALF)
    one = b.add(b.multiply(high_x, low_y), _shifted(b, b.multiply(low_x, low_y), _HALF))
    other = b.add(b.multiply(low_x, high_y), b.and_(one, mask))
    return b.add(b.add(b.multiply(high_x, high_y), _shifted(b, one, _HALF)), _shifted(b, other, _HALF))


def _signed_by_halves(b: Builder, x: ir.Value, y: ir.Value) -> ir.Value:
    """The product of the numbers taken as unsigned is too large by one factor where the other one is negative."""
    element = x.type.element_type
    unsigned = ir.IntegerType.get_unsigned(element.width)
    high = b.convert(_by_halves(b, b.convert(x, unsigned), b.convert(y, unsigned)), element)
    zero = b.constant(0, x.type)
    return b.subtract(b.subtract(high, _where_negative(b, x, y, zero)), _where_negative(b, y, x, zero))


def _where_negative(b: Builder, sign: ir.Value, value: ir.Value, zero: ir.Value) -> ir.Value:
    return b.select(b.compare(sign, zero, "LT"), value, zero)
