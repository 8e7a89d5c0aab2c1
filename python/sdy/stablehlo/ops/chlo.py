"""CHLO's ops; the dialect has to be loaded, by `sdy.mlir.load_chlo`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.attribute_writers import COMPARISONS, DIRECTIONS
from sdy.stablehlo.ops.making.constants import Numbers, TypeLike, number_attribute
from sdy.stablehlo.ops.making.creation import RegionPlan, create
from sdy.stablehlo.ops.making.structured_attributes import RaggedDotDimensionNumbers, Writable
from sdy.stablehlo.ops.regions import Body, region
from sdy.stablehlo.ops.values import Value, binary, broadcasting, listed, one, several, unary
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


acos = unary("chlo.acos", "The inverse cosine, in radians.")
acosh = unary("chlo.acosh", "The inverse hyperbolic cosine.")
asin = unary("chlo.asin", "The inverse sine, in radians.")
asinh = unary("chlo.asinh", "The inverse hyperbolic sine.")
atan = unary("chlo.atan", "The inverse tangent, in radians.")
atanh = unary("chlo.atanh", "The inverse hyperbolic tangent.")
bessel_i1e = unary("chlo.bessel_i1e", "The exponentially scaled modified Bessel function of order 1.")
conj = unary("chlo.conj", "The complex conjugate.")
cosh = unary("chlo.cosh", "The hyperbolic cosine.")
digamma = unary("chlo.digamma", "The derivative of the logarithm of the gamma function.")
erf = unary("chlo.erf", "The error function.")
erf_inv = unary("chlo.erf_inv", "The inverse of the error function.")
erfc = unary("chlo.erfc", "One minus the error function.")
is_inf = unary("chlo.is_inf", "Whether a number is infinite.")
is_neg_inf = unary("chlo.is_neg_inf", "Whether a number is minus infinity.")
is_pos_inf = unary("chlo.is_pos_inf", "Whether a number is plus infinity.")
lgamma = unary("chlo.lgamma", "The logarithm of the absolute value of the gamma function.")
sinh = unary("chlo.sinh", "The hyperbolic sine.")
square = unary("chlo.square", "The product with itself.")
tan = unary("chlo.tan", "The tangent of an angle in radians.")
_asin_acos_kernel = unary("chlo._asin_acos_kernel", "What asin and acos of complex numbers have in common.")
mulhi = binary("chlo.mulhi", "The upper half of the product of two integers.")
next_after = binary("chlo.next_after", "The number next to `lhs` in the direction of `rhs`.")
polygamma = binary("chlo.polygamma", "The polygamma function of order `lhs`.")
zeta = binary("chlo.zeta", "The Hurwitz zeta function.")


broadcast_add = broadcasting("chlo.broadcast_add", "The sum")
broadcast_and = broadcasting("chlo.broadcast_and", "Bits that both have")
broadcast_atan2 = broadcasting("chlo.broadcast_atan2", "The angle of the point (rhs, lhs)")
broadcast_complex = broadcasting("chlo.broadcast_complex", "Complex numbers from real and imaginary parts")
broadcast_divide = broadcasting("chlo.broadcast_divide", "The quotient")
broadcast_maximum = broadcasting("chlo.broadcast_maximum", "The larger of two numbers")
broadcast_minimum = broadcasting("chlo.broadcast_minimum", "The smaller of two numbers")
broadcast_multiply = broadcasting("chlo.broadcast_multiply", "The product")
broadcast_next_after = broadcasting("chlo.broadcast_next_after", "The number next to `lhs` in the direction of `rhs`")
broadcast_or = broadcasting("chlo.broadcast_or", "Bits that one has")
broadcast_polygamma = broadcasting("chlo.broadcast_polygamma", "The polygamma function of order `lhs`")
broadcast_power = broadcasting("chlo.broadcast_power", "`lhs` to the power of `rhs`")
broadcast_remainder = broadcasting("chlo.broadcast_remainder", "The remainder with the sign of `lhs`")
broadcast_shift_left = broadcasting("chlo.broadcast_shift_left", "`lhs` shifted left")
broadcast_shift_right_arithmetic = broadcasting(
    "chlo.broadcast_shift_right_arithmetic", "`lhs` shifted right, with its sign"
)
broadcast_shift_right_logical = broadcasting("chlo.broadcast_shift_right_logical", "`lhs` shifted right, zeros move in")
broadcast_subtract = broadcasting("chlo.broadcast_subtract", "The difference")
broadcast_xor = broadcasting("chlo.broadcast_xor", "Bits that just one has")
broadcast_zeta = broadcasting("chlo.broadcast_zeta", "The Hurwitz zeta function")


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
