"""CHLO's ops; the dialect has to be loaded, by `sdy.mlir.load_chlo`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.attribute_writers import COMPARISONS, DIRECTIONS
from sdy.stablehlo.ops.making.constants import Numbers, TypeLike, number_attribute
from sdy.stablehlo.ops.making.creation import RegionPlan, create
from sdy.stablehlo.ops.making.structured_attributes import RaggedDotDimensionNumbers, Writable
from sdy.stablehlo.ops.regions import Body, region
from sdy.stablehlo.ops.values import Value, listed, one, several
from sdy.stablehlo.types.value_types import Tensor, read_type, write_type


@dataclass(frozen=True, slots=True)
class _Name(Writable):
    """One of the names of an enumeration of CHLO's."""

    enumeration: str
    name: str
    admitted: str

    def attribute(self) -> ir.Attribute:
        if self.name not in self.admitted.split():
            raise ValueError(f"one of {self.admitted.replace(' ', ', ')} is needed")
        return ir.Attribute.parse(f"#chlo<{self.enumeration} {self.name}>")


@dataclass(frozen=True, slots=True)
class _Number(Writable):
    """A number of the element type of a value."""

    like: ir.Value
    number: complex

    def attribute(self) -> ir.Attribute:
        type_ = self.like.type
        element = type_.element_type if isinstance(type_, ir.ShapedType) else type_
        if not isinstance(element, ir.ComplexType):
            return number_attribute(element, self.number)
        number = complex(self.number)
        return ir.Attribute.parse(f"#complex.number<:{element.element_type} {number.real}, {number.imag}>")


def acos(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse cosine, in radians."""
    return one("chlo.acos", (operand,), **at)


def acosh(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse hyperbolic cosine."""
    return one("chlo.acosh", (operand,), **at)


def asin(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse sine, in radians."""
    return one("chlo.asin", (operand,), **at)


def asinh(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse hyperbolic sine."""
    return one("chlo.asinh", (operand,), **at)


def atan(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse tangent, in radians."""
    return one("chlo.atan", (operand,), **at)


def atanh(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse hyperbolic tangent."""
    return one("chlo.atanh", (operand,), **at)


def bessel_i1e(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The exponentially scaled modified Bessel function of order 1."""
    return one("chlo.bessel_i1e", (operand,), **at)


def conj(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The complex conjugate."""
    return one("chlo.conj", (operand,), **at)


def cosh(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The hyperbolic cosine."""
    return one("chlo.cosh", (operand,), **at)


def digamma(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The derivative of the logarithm of the gamma function."""
    return one("chlo.digamma", (operand,), **at)


def erf(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The error function."""
    return one("chlo.erf", (operand,), **at)


def erf_inv(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The inverse of the error function."""
    return one("chlo.erf_inv", (operand,), **at)


def erfc(operand: ir.Value, **at: Unpack[At]) -> Value:
    """One minus the error function."""
    return one("chlo.erfc", (operand,), **at)


def is_inf(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Whether a number is infinite."""
    return one("chlo.is_inf", (operand,), **at)


def is_neg_inf(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Whether a number is minus infinity."""
    return one("chlo.is_neg_inf", (operand,), **at)


def is_pos_inf(operand: ir.Value, **at: Unpack[At]) -> Value:
    """Whether a number is plus infinity."""
    return one("chlo.is_pos_inf", (operand,), **at)


def lgamma(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The logarithm of the absolute value of the gamma function."""
    return one("chlo.lgamma", (operand,), **at)


def sinh(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The hyperbolic sine."""
    return one("chlo.sinh", (operand,), **at)


def square(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The product with itself."""
    return one("chlo.square", (operand,), **at)


def tan(operand: ir.Value, **at: Unpack[At]) -> Value:
    """The tangent of an angle in radians."""
    return one("chlo.tan", (operand,), **at)


def _asin_acos_kernel(operand: ir.Value, **at: Unpack[At]) -> Value:
    """What asin and acos of complex numbers have in common."""
    return one("chlo._asin_acos_kernel", (operand,), **at)


def mulhi(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The upper half of the product of two integers."""
    return one("chlo.mulhi", (lhs, rhs), **at)


def next_after(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The number next to `lhs` in the direction of `rhs`."""
    return one("chlo.next_after", (lhs, rhs), **at)


def polygamma(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The polygamma function of order `lhs`."""
    return one("chlo.polygamma", (lhs, rhs), **at)


def zeta(lhs: ir.Value, rhs: ir.Value, **at: Unpack[At]) -> Value:
    """The Hurwitz zeta function."""
    return one("chlo.zeta", (lhs, rhs), **at)


# Ops that broadcast their operands to one shape. All take `broadcast_dimensions`: the dimensions of the result that
# those of the operand of lower rank are; the last ones if missing.


def broadcast_add(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The sum, of operands broadcast to one shape."""
    return _broadcasting("add", lhs, rhs, broadcast_dimensions, **at)


def broadcast_and(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """Bits that both have, of operands broadcast to one shape."""
    return _broadcasting("and", lhs, rhs, broadcast_dimensions, **at)


def broadcast_atan2(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The angle of the point (rhs, lhs), of operands broadcast to one shape."""
    return _broadcasting("atan2", lhs, rhs, broadcast_dimensions, **at)


def broadcast_complex(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """Complex numbers from real and imaginary parts, of operands broadcast to one shape."""
    return _broadcasting("complex", lhs, rhs, broadcast_dimensions, **at)


def broadcast_divide(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The quotient, of operands broadcast to one shape."""
    return _broadcasting("divide", lhs, rhs, broadcast_dimensions, **at)


def broadcast_maximum(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The larger of two numbers, of operands broadcast to one shape."""
    return _broadcasting("maximum", lhs, rhs, broadcast_dimensions, **at)


def broadcast_minimum(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The smaller of two numbers, of operands broadcast to one shape."""
    return _broadcasting("minimum", lhs, rhs, broadcast_dimensions, **at)


def broadcast_multiply(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The product, of operands broadcast to one shape."""
    return _broadcasting("multiply", lhs, rhs, broadcast_dimensions, **at)


def broadcast_next_after(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The number next to `lhs` in the direction of `rhs`, of operands broadcast to one shape."""
    return _broadcasting("next_after", lhs, rhs, broadcast_dimensions, **at)


def broadcast_or(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """Bits that one has, of operands broadcast to one shape."""
    return _broadcasting("or", lhs, rhs, broadcast_dimensions, **at)


def broadcast_polygamma(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The polygamma function of order `lhs`, of operands broadcast to one shape."""
    return _broadcasting("polygamma", lhs, rhs, broadcast_dimensions, **at)


def broadcast_power(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """`lhs` to the power of `rhs`, of operands broadcast to one shape."""
    return _broadcasting("power", lhs, rhs, broadcast_dimensions, **at)


def broadcast_remainder(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The remainder with the sign of `lhs`, of operands broadcast to one shape."""
    return _broadcasting("remainder", lhs, rhs, broadcast_dimensions, **at)


def broadcast_shift_left(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """`lhs` shifted left, of operands broadcast to one shape."""
    return _broadcasting("shift_left", lhs, rhs, broadcast_dimensions, **at)


def broadcast_shift_right_arithmetic(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """`lhs` shifted right, the sign bit stays, of operands broadcast to one shape."""
    return _broadcasting("shift_right_arithmetic", lhs, rhs, broadcast_dimensions, **at)


def broadcast_shift_right_logical(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """`lhs` shifted right, zeros move in, of operands broadcast to one shape."""
    return _broadcasting("shift_right_logical", lhs, rhs, broadcast_dimensions, **at)


def broadcast_subtract(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The difference, of operands broadcast to one shape."""
    return _broadcasting("subtract", lhs, rhs, broadcast_dimensions, **at)


def broadcast_xor(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """Bits that just one has, of operands broadcast to one shape."""
    return _broadcasting("xor", lhs, rhs, broadcast_dimensions, **at)


def broadcast_zeta(
    lhs: ir.Value, rhs: ir.Value, broadcast_dimensions: Sequence[int] | None = None, **at: Unpack[At]
) -> Value:
    """The Hurwitz zeta function, of operands broadcast to one shape."""
    return _broadcasting("zeta", lhs, rhs, broadcast_dimensions, **at)


def _broadcasting(name: str, lhs: ir.Value, rhs: ir.Value, dims: Sequence[int] | None, **at: Unpack[At]) -> Value:
    return one(f"chlo.broadcast_{name}", (lhs, rhs), {"broadcast_dimensions": dims}, **at)


def broadcast_compare(
    lhs: ir.Value,
    rhs: ir.Value,
    direction: str,
    compare_type: str | None = None,
    broadcast_dimensions: Sequence[int] | None = None,
    **at: Unpack[At],
) -> Value:
    """Compares operands broadcast to one shape; see `ops.compare`."""
    attributes = {
        "comparison_direction": _Name("comparison_direction", direction, DIRECTIONS),
        "compare_type": None if compare_type is None else _Name("comparison_type", compare_type, COMPARISONS),
        "broadcast_dimensions": broadcast_dimensions,
    }
    return one("chlo.broadcast_compare", (lhs, rhs), attributes, **at)


def broadcast_select(pred: ir.Value, on_true: ir.Value, on_false: ir.Value, **at: Unpack[At]) -> Value:
    """Elements of `on_true` where `pred` is true, else of `on_false`, all broadcast to one shape."""
    return one("chlo.broadcast_select", (pred, on_true, on_false), **at)


# Others --------------------------------------------------------------------------------------------------------------


def constant(value: Numbers | ir.Attribute, type: TypeLike | None = None, **at: Unpack[At]) -> Value:
    """A constant; see `ops.constant`."""
    return one("chlo.constant", (), {"value": value if isinstance(value, ir.Attribute) else (value, type)}, **at)


def constant_like(operand: ir.Value, value: complex, **at: Unpack[At]) -> Value:
    """A tensor of the operand's type, filled with a number."""
    return one("chlo.constant_like", (operand,), {"value": _Number(operand, value)}, **at)


def top_k(operand: ir.Value, k: int, **at: Unpack[At]) -> tuple[Value, Value]:
    """The `k` largest elements in the last dimension, and their indices."""
    values, indices = several("chlo.top_k", (operand,), {"k": k}, **at)
    return values, indices


def scan(
    inputs: Sequence[ir.Value],
    init_values: Sequence[ir.Value],
    dimension: int,
    body: Body,
    *,
    is_reverse: bool | None = None,
    is_associative: bool | None = None,
    scan_dim_size: int | None = None,
    **at: Unpack[At],
) -> tuple[Value, ...]:
    """A loop over the slices of the inputs along a dimension: the outputs of all steps, then the last carried values.

        totals, last = chlo.scan([x], [zeros], 0, lambda row, total: [row + total, row + total])

    Args:
      inputs: tensors of one size in that dimension.
      init_values: what the first step gets as carried values.
      dimension: the dimension that is scanned, also of the outputs.
      body: takes a slice of each input and the carried values; returns outputs, then the next carried values.
      is_reverse: begins with the last slice.
      is_associative: the steps may be combined in any order.
      scan_dim_size: number of steps, where no input says it.
    """
    carried = listed(init_values)
    operands = [*listed(inputs), *carried]

    def plans() -> list[RegionPlan]:
        slices = [_slice_type(value.type, dimension) for value in listed(inputs)]
        return [region([*slices, *(value.type for value in carried)], body)]

    attributes = {
        "dimension": dimension,
        "is_reverse": is_reverse,
        "is_associative": is_associative,
        "scan_dim_size": scan_dim_size,
        "operandSegmentSizes": [len(operands) - len(carried), len(carried)],
    }
    op = create("chlo.scan", operands, attributes, regions=plans, **at)
    # Only now is it known how many outputs the body has.
    outputs = len(op.results) - len(carried)
    op.attributes["resultSegmentSizes"] = ir.DenseI32ArrayAttr.get([outputs, len(carried)], op.context)
    return tuple(map(Value, op.results))


def _slice_type(type_: ir.Type, dimension: int) -> ir.Type:
    """What is left of a tensor type without a dimension."""
    tensor = read_type(type_)
    if not isinstance(tensor, Tensor) or not 0 <= dimension < tensor.rank:
        raise ValueError(f"dimension {dimension} is none of {type_}")
    dimensions = tensor.dimensions()
    del dimensions[dimension]
    return write_type(tensor.with_dimensions(dimensions, keeps_bounds=bool(tensor.bounds)), type_.context)


def ragged_dot(
    lhs: ir.Value,
    rhs: ir.Value,
    group_sizes: ir.Value,
    dimension_numbers: RaggedDotDimensionNumbers,
    *,
    precision: str | Sequence[str] | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Value:
    """A product of matrices in which groups of rows, columns or batches have matrices of their own.

    Args:
      lhs, rhs: the factors.
      group_sizes: sizes of the groups along the ragged dimension.
      dimension_numbers: roles of the dimensions.
      precision: DEFAULT, HIGH or HIGHEST, for both operands or for each.
      element_type: that of the result, by default the one of `lhs`.
    """
    attributes = {
        "ragged_dot_dimension_numbers": dimension_numbers,
        "precision_config": precision,
    }
    operands = lhs, rhs, group_sizes
    return one("chlo.ragged_dot", operands, attributes, element=element_type, **at)
