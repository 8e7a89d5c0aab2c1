"""Creates StableHLO ops at one place of the program.

The bindings have no op classes for StableHLO; this is the project's short way to write `add(x, y)`. Every function
takes and returns values, infers the result type where it follows from the operands, and stamps its location on
what it makes. Needs a current context.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sdy.dialect.diagnostics import DiagnosticError
from sdy.mlir import ir, stablehlo


class Builder:
    """Inserts ops at `ip`, one after the other, all with `location`."""

    __slots__ = ("ip", "location")

    def __init__(self, ip: ir.InsertionPoint, location: ir.Location) -> None:
        self.ip = ip
        self.location = location

    @staticmethod
    def before(op: ir.Operation) -> Builder:
        return Builder(ir.InsertionPoint(op), op.location)

    @staticmethod
    def after(op: ir.Operation) -> Builder:
        return Builder(ir.InsertionPoint.after(op), op.location)

    @staticmethod
    def at_end(block: ir.Block, location: ir.Location) -> Builder:
        return Builder(ir.InsertionPoint(block), location)

    # Any op --------------------------------------------------------------------------------------

    def create(
        self,
        name: str,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        attributes: Mapping[str, ir.Attribute] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        return ir.Operation.create(
            name,
            results=list(types),
            operands=list(operands),
            attributes=dict(attributes) if attributes else None,
            regions=regions,
            loc=self.location,
            ip=self.ip,
        )

    def one(
        self,
        name: str,
        operands: Sequence[ir.Value],
        type_: ir.Type,
        attributes: Mapping[str, ir.Attribute] | None = None,
    ) -> ir.Value:
        """The only result of a new op."""
        return self.create(name, operands, (type_,), attributes).results[0]

    # Constants -----------------------------------------------------------------------------------

    def constant(self, value: ir.Attribute) -> ir.Value:
        return self.one("stablehlo.constant", (), value.type, {"value": value})

    def splat(self, type_: ir.Type, number: complex) -> ir.Value:
        """A constant of the static tensor type `type_` with the same number everywhere."""
        element = type_.element_type
        if isinstance(element, ir.ComplexType):
            return self.parsed_constant(f"dense<({float(number.real)}, {float(number.imag)})> : {type_}")
        if not isinstance(element, (ir.IntegerType, ir.FloatType, ir.IndexType)):
            raise DiagnosticError(
                self.location, f"needs a constant of type {type_} to be partitioned, which is not there"
            )
        return self.constant(ir.DenseElementsAttr.get_splat(type_, number_attribute(element, number)))

    def parsed_constant(self, text: str) -> ir.Value:
        """A constant given as text, for values that the attribute classes of the bindings cannot hold."""
        op = ir.Operation.parse(f"stablehlo.constant {text}").operation
        op.location = self.location
        self.ip.insert(op)
        return op.results[0]

    def scalar(self, element_type: ir.Type, number: complex) -> ir.Value:
        return self.splat(tensor_type((), element_type), number)

    def zeros(self, type_: ir.Type) -> ir.Value:
        return self.splat(type_, 0)

    def table(self, numbers: np.ndarray, element_type: ir.Type) -> ir.Value:
        """A constant of integers or booleans with the shape of `numbers`."""
        return self.constant(integers_attribute(numbers, element_type))

    # Elementwise ---------------------------------------------------------------------------------

    def same_type(self, name: str, *operands: ir.Value) -> ir.Value:
        """An op whose result has the type of its first operand, such as ``same_type("add", x, y)``."""
        return self.one(f"stablehlo.{name}", operands, operands[0].type)

    def add(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.same_type("add", x, y)

    def subtract(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.same_type("subtract", x, y)

    def multiply(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.same_type("multiply", x, y)

    def and_(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.same_type("and", x, y)

    def maximum(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.same_type("maximum", x, y)

    def minimum(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.same_type("minimum", x, y)

    def clamp(self, low: ir.Value, x: ir.Value, high: ir.Value) -> ir.Value:
        return self.one("stablehlo.clamp", (low, x, high), x.type)

    def convert(self, x: ir.Value, element_type: ir.Type) -> ir.Value:
        return self.one("stablehlo.convert", (x,), with_element_type(x.type, element_type))

    def compare(self, x: ir.Value, y: ir.Value, direction: str) -> ir.Value:
        """`direction` is EQ, NE, GE, GT, LE or LT."""
        attributes = {"comparison_direction": stablehlo.ComparisonDirectionAttr.get(direction)}
        return self.one("stablehlo.compare", (x, y), with_element_type(x.type, i1()), attributes)

    def select(self, predicate: ir.Value, on_true: ir.Value, on_false: ir.Value) -> ir.Value:
        return self.one("stablehlo.select", (predicate, on_true, on_false), on_true.type)

    # Shapes --------------------------------------------------------------------------------------

    def reshape(self, x: ir.Value, shape: Sequence[int]) -> ir.Value:
        return self.one("stablehlo.reshape", (x,), with_shape(x.type, shape))

    def transpose(self, x: ir.Value, permutation: Sequence[int]) -> ir.Value:
        shape = [x.type.shape[d] for d in permutation]
        return self.one("stablehlo.transpose", (x,), with_shape(x.type, shape), {"permutation": i64_array(permutation)})

    def broadcast_in_dim(self, x: ir.Value, shape: Sequence[int], dims: Sequence[int] = ()) -> ir.Value:
        """`dims[i]` is the result dimension of dimension i of `x`."""
        attributes = {"broadcast_dimensions": i64_array(dims)}
        return self.one("stablehlo.broadcast_in_dim", (x,), with_shape(x.type, shape), attributes)

    def concatenate(self, xs: Sequence[ir.Value], dim: int) -> ir.Value:
        shape = list(xs[0].type.shape)
        shape[dim] = sum(x.type.shape[dim] for x in xs)
        return self.one("stablehlo.concatenate", xs, with_shape(xs[0].type, shape), {"dimension": i64(dim)})

    def slice(
        self, x: ir.Value, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None
    ) -> ir.Value:
        """Raises `DiagnosticError` if a limit is dynamic: the op has no way to say that a dimension stays whole."""
        if any(limit < 0 for limit in limits):
            raise DiagnosticError(self.location, f"a value of type {x.type}, of dynamic size, cannot be cut")
        steps = list(strides) if strides is not None else [1] * len(starts)
        shape = [-(-(limit - start) // step) for start, limit, step in zip(starts, limits, steps, strict=True)]
        attributes = {
            "start_indices": i64_array(starts),
            "limit_indices": i64_array(limits),
            "strides": i64_array(steps),
        }
        return self.one("stablehlo.slice", (x,), with_shape(x.type, shape), attributes)

    def high_slice(self, x: ir.Value, shape: Sequence[int]) -> ir.Value:
        """The first elements of every dimension; `x` itself if that is all of it."""
        if list(x.type.shape) == list(shape):
            return x
        return self.slice(x, [0] * len(shape), shape)

    def dynamic_slice(self, x: ir.Value, starts: Sequence[ir.Value], sizes: Sequence[int]) -> ir.Value:
        attributes = {"slice_sizes": i64_array(sizes)}
        return self.one("stablehlo.dynamic_slice", (x, *starts), with_shape(x.type, sizes), attributes)

    def dynamic_update_slice(self, x: ir.Value, update: ir.Value, starts: Sequence[ir.Value]) -> ir.Value:
        return self.one("stablehlo.dynamic_update_slice", (x, update, *starts), x.type)

    def pad(
        self,
        x: ir.Value,
        value: ir.Value,
        low: Sequence[int],
        high: Sequence[int],
        interior: Sequence[int] | None = None,
    ) -> ir.Value:
        inner = list(interior) if interior is not None else [0] * len(low)
        shape = [
            lo + hi + n + max(n - 1, 0) * between
            for n, lo, hi, between in zip(x.type.shape, low, high, inner, strict=True)
        ]
        attributes = {
            "edge_padding_low": i64_array(low),
            "edge_padding_high": i64_array(high),
            "interior_padding": i64_array(inner),
        }
        return self.one("stablehlo.pad", (x, value), with_shape(x.type, shape), attributes)

    def high_pad(self, x: ir.Value, shape: Sequence[int], value: ir.Value | None = None) -> ir.Value:
        """`x` extended at the end of its dimensions with `value`, or zeros; `x` itself if it has that shape."""
        old = list(x.type.shape)
        if old == list(shape):
            return x
        filler = value if value is not None else self.scalar(x.type.element_type, 0)
        return self.pad(x, filler, [0] * len(old), [new - n for n, new in zip(old, shape, strict=True)])

    def iota(self, type_: ir.Type, dim: int) -> ir.Value:
        return self.one("stablehlo.iota", (), type_, {"iota_dimension": i64(dim)})

    # Regions -------------------------------------------------------------------------------------

    def fill_binary_region(self, region: ir.Region, name: str, element_type: ir.Type) -> None:
        """Gives an empty region the body ``(a, b) -> name(a, b)`` on scalars."""
        scalar = tensor_type((), element_type)
        block = region.blocks.append(scalar, scalar, arg_locs=[self.location, self.location])
        body = Builder.at_end(block, self.location)
        body.create("stablehlo.return", (body.same_type(name, *block.arguments),), ())


RegionFiller = Callable[[Builder, ir.Region], None]
"""Fills the empty region of a new op."""


# Types and attributes --------------------------------------------------------------------------


MOST_ELEMENTS = (1 << 63) - 1
"""The largest size of a dimension."""


def tensor_type(shape: Sequence[int], element_type: ir.Type) -> ir.Type:
    return ir.RankedTensorType.get(_possible(shape), element_type)


def with_shape(type_: ir.Type, shape: Sequence[int]) -> ir.Type:
    """`type_` with another shape; element type and encoding stay."""
    return ir.RankedTensorType.get(_possible(shape), type_.element_type, type_.encoding)


def _possible(shape: Sequence[int]) -> list[int]:
    sizes = list(shape)
    if sizes and max(sizes) > MOST_ELEMENTS:
        raise DiagnosticError(
            ir.Location.current, f"needs a tensor with a dimension of {max(sizes)}, which is too large"
        )
    return sizes


def with_element_type(type_: ir.Type, element_type: ir.Type) -> ir.Type:
    return ir.RankedTensorType.get(list(type_.shape), element_type, type_.encoding)


def is_tensor(type_: ir.Type) -> bool:
    """Whether `type_` is a ranked tensor."""
    return isinstance(type_, ir.RankedTensorType)


def i1() -> ir.Type:
    return ir.IntegerType.get_signless(1)


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def ui32() -> ir.Type:
    return ir.IntegerType.get_unsigned(32)


def i64(number: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)


def i64_array(numbers: Sequence[int]) -> ir.Attribute:
    return ir.DenseI64ArrayAttr.get([int(n) for n in numbers])


def number_attribute(element_type: ir.Type, number: complex) -> ir.Attribute:
    """`number` as an integer or float attribute of `element_type`."""
    if isinstance(element_type, ir.FloatType):
        return ir.FloatAttr.get(element_type, float(number.real))
    integer = int(number.real)
    # The bindings take signed numbers of 64 bits, whatever the type.
    return ir.IntegerAttr.get(element_type, integer - (1 << 64) if integer >= 1 << 63 else integer)


_NUMPY_INTEGERS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}


def integers_attribute(numbers: np.ndarray, element_type: ir.Type) -> ir.Attribute:
    """A dense attribute of integers or booleans; unsigned element types take the low bits of `numbers`."""
    type_ = tensor_type(numbers.shape, element_type)
    width = element_type.width
    if numbers.size and (numbers == numbers.flat[0]).all():
        return ir.DenseElementsAttr.get_splat(type_, ir.IntegerAttr.get(element_type, int(numbers.flat[0])))
    if width == 1:
        return ir.DenseElementsAttr.get(np.ascontiguousarray(numbers, dtype=np.bool_), type=type_)
    if width not in _NUMPY_INTEGERS:
        return ir.Attribute.parse(f"dense<{numbers.tolist()}> : {type_}")
    data = np.ascontiguousarray(numbers).astype(_NUMPY_INTEGERS[width])
    if element_type.is_unsigned:
        data = data.view(data.dtype.str.replace("i", "u"))
    return ir.DenseElementsAttr.get(data, type=type_)


def dense_matrix(rows: np.ndarray) -> ir.Attribute:
    """A dense i64 attribute, the form of replica groups and of source-target pairs."""
    return integers_attribute(np.asarray(rows, dtype=np.int64), ir.IntegerType.get_signless(64))


def num_elements(shape: Sequence[int]) -> int:
    return math.prod(shape)
