"""Builders of CHLO's ops; the dialect has to be loaded, by `sdy.mlir.load_chlo`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Unpack

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.attribute_writers import COMPARISONS, DIRECTIONS, Writable
from sdy.stablehlo.ops.constants import Numbers, TypeLike, number_attribute
from sdy.stablehlo.ops.creation import RegionPlan, create
from sdy.stablehlo.ops.declared import ROWS, builder
from sdy.stablehlo.ops.regions import Body, Value, listed, one, region
from sdy.stablehlo.types.value_types import Tensor, read_type, write_type


@dataclass(frozen=True, slots=True)
class _Name(Writable):
    """Name of a CHLO enumeration."""

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


BY_HAND = "broadcast_compare", "constant", "constant_like", "scan"
"""Builders that are no rows of the table in `declared`."""


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


def constant(value: Numbers | ir.Attribute, type: TypeLike | None = None, **at: Unpack[At]) -> Value:
    """A constant; see `ops.constant`."""
    return one("chlo.constant", (), {"value": value if isinstance(value, ir.Attribute) else (value, type)}, **at)


def constant_like(operand: ir.Value, value: complex, **at: Unpack[At]) -> Value:
    """A tensor of the operand's type, filled with a number."""
    return one("chlo.constant_like", (operand,), {"value": _Number(operand, value)}, **at)


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
      init_values: carried values of the first step.
      dimension: the dimension that is scanned, also of the outputs.
      body: takes a slice of each input and the carried values; returns outputs, then the next carried values.
      is_reverse: begins with the last slice.
      is_associative: the steps may be combined in any order.
      scan_dim_size: number of steps, without an input.
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
    """Return a tensor type without one of its dimensions."""
    tensor = read_type(type_)
    if not isinstance(tensor, Tensor) or not 0 <= dimension < tensor.rank:
        raise ValueError(f"dimension {dimension} is not a dimension of {type_}")
    dimensions = tensor.dimensions()
    del dimensions[dimension]
    return write_type(tensor.with_dimensions(dimensions, keeps_bounds=bool(tensor.bounds)), type_.context)


def __getattr__(name: str) -> Callable[..., object]:
    if name not in ROWS["chlo"]:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    made = globals()[name] = builder("chlo", name)
    return made
