"""Attributes from plain Python values, by the kinds that declarations name.

A writer raises TypeError, ValueError, OverflowError or `ir.MLIRError` for a value of another kind. It needs a current
context.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.stablehlo.ops.constants import Numbers, TypeLike, as_type, elements_attribute

__all__ = ["ConvDimensionNumbers", "DotAlgorithm", "DotDimensionNumbers", "GatherDimensionNumbers"]
__all__ += ["RaggedDotDimensionNumbers", "ResultAccuracy", "ScatterDimensionNumbers"]


class Writable(ABC):
    """A value that an attribute can be made of."""

    __slots__ = ()

    @abstractmethod
    def attribute(self) -> ir.Attribute:
        """Return the attribute in the current context; raise TypeError or OverflowError for parts of other kinds."""


def int64s(numbers: Iterable[SupportsIndex]) -> list[int]:
    """Whole numbers of 64 bits."""
    if isinstance(numbers, (str, bytes)):
        raise TypeError("whole numbers are needed")
    values = [operator.index(number) for number in numbers]
    if values and (min(values) < -(1 << 63) or max(values) >= 1 << 63):
        raise OverflowError(f"one of {values} has more than 64 bits")
    return values


_WRITTEN: dict[str, Callable[[Any], object]] = {
    "Sequence[int]": int64s,
    "int": operator.index,
    "bool": bool,
    "TypeLike": as_type,
}
"""Conversions of a part for the bindings, by its annotation."""


class _Parts(Writable):
    """A value that its class in the bindings builds from the fields in order."""

    __slots__ = ()
    _made_by: ClassVar[Callable[..., ir.Attribute]]

    def attribute(self) -> ir.Attribute:
        parts: Any = self  # a data class, as all below are
        return self._made_by(*(_WRITTEN[str(each.type)](getattr(self, each.name)) for each in fields(parts)))


@dataclass(frozen=True, slots=True)
class DotDimensionNumbers(_Parts):
    _made_by = stablehlo.DotDimensionNumbers.get

    lhs_batching_dimensions: Sequence[int]
    rhs_batching_dimensions: Sequence[int]
    lhs_contracting_dimensions: Sequence[int]
    rhs_contracting_dimensions: Sequence[int]


@dataclass(frozen=True, slots=True)
class RaggedDotDimensionNumbers(Writable):
    lhs_batching_dimensions: Sequence[int]
    rhs_batching_dimensions: Sequence[int]
    lhs_contracting_dimensions: Sequence[int]
    rhs_contracting_dimensions: Sequence[int]
    lhs_ragged_dimensions: Sequence[int]
    rhs_group_dimensions: Sequence[int]

    def attribute(self) -> ir.Attribute:
        parts = ", ".join(f"{name} = {int64s(getattr(self, name))}" for name in self.__slots__)
        return ir.Attribute.parse(f"#chlo.ragged_dot<{parts}>")


@dataclass(frozen=True, slots=True)
class GatherDimensionNumbers(_Parts):
    _made_by = stablehlo.GatherDimensionNumbers.get

    offset_dims: Sequence[int]
    collapsed_slice_dims: Sequence[int]
    operand_batching_dims: Sequence[int]
    start_indices_batching_dims: Sequence[int]
    start_index_map: Sequence[int]
    index_vector_dim: int


@dataclass(frozen=True, slots=True)
class ScatterDimensionNumbers(_Parts):
    _made_by = stablehlo.ScatterDimensionNumbers.get

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    input_batching_dims: Sequence[int]
    scatter_indices_batching_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    index_vector_dim: int


@dataclass(frozen=True, slots=True)
class ConvDimensionNumbers(_Parts):
    """Positions of batch, feature and spatial dimensions in input, kernel and output.

    `from_text("b01f", "01io", "b01f")` reads the usual short form: `b` batch, `f` features, `i` and `o` input and
    output features of the kernel, digits the spatial dimensions.
    """

    _made_by = stablehlo.ConvDimensionNumbers.get

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Sequence[int]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: Sequence[int]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Sequence[int]

    @staticmethod
    def from_text(input_: str, kernel: str, output: str) -> ConvDimensionNumbers:
        """Raises ValueError for a text with other letters, or with a gap between the digits."""
        return ConvDimensionNumbers(*_places(input_, "bf"), *_places(kernel, "io"), *_places(output, "bf"))


def _places(text: str, letters: str) -> tuple[int, int, list[int]]:
    digits = "".join(map(str, range(len(text) - 2)))
    if sorted(text) != sorted(letters + digits):
        raise ValueError(f"'{text}' must hold each of '{letters}{digits}' once")
    return text.index(letters[0]), text.index(letters[1]), [text.index(digit) for digit in digits]


@dataclass(frozen=True, slots=True)
class DotAlgorithm(_Parts):
    """Algorithm of a dot product; types are types of the bindings or their text, such as `tf32`."""

    _made_by = stablehlo.DotAlgorithm.get

    lhs_precision_type: TypeLike
    rhs_precision_type: TypeLike
    accumulation_type: TypeLike
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


@dataclass(frozen=True, slots=True)
class ResultAccuracy(Writable):
    """Required accuracy of the result of an elementary function.

    Attributes:
      mode: DEFAULT, HIGHEST, or TOLERANCE, for which the others count.
      atol, rtol: absolute and relative error.
      ulps: units in the last place.
    """

    mode: str = "TOLERANCE"
    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0

    def attribute(self) -> ir.Attribute:
        if self.mode not in ("DEFAULT", "HIGHEST", "TOLERANCE"):
            raise ValueError("one of DEFAULT, HIGHEST, TOLERANCE is needed")
        return stablehlo.ResultAccuracyAttr.get(
            float(self.atol), float(self.rtol), operator.index(self.ulps), self.mode
        )


Plain = TypeVar("Plain")


def i64(number: SupportsIndex) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), operator.index(number))


def _i32(number: SupportsIndex) -> ir.IntegerAttr:
    value = operator.index(number)
    if not -(1 << 31) <= value < 1 << 31:
        raise OverflowError(f"{value} has more than 32 bits")
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)


def i64_array(numbers: Sequence[int]) -> ir.DenseI64ArrayAttr:
    try:
        return ir.DenseI64ArrayAttr.get(numbers)
    except TypeError:
        # The numbers may be of other kinds than Python's.
        return ir.DenseI64ArrayAttr.get(int64s(numbers))


def _bool(value: object) -> ir.BoolAttr:
    return ir.BoolAttr.get(_truth(value))


def _truth(value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError("neither True nor False")
    return bool(value)


def _bools(values: Sequence[bool]) -> ir.DenseBoolArrayAttr:
    return ir.DenseBoolArrayAttr.get([_truth(value) for value in values])


def _segments(sizes: Sequence[int]) -> ir.DenseI32ArrayAttr:
    return ir.DenseI32ArrayAttr.get(list(sizes))


def _unit(value: object) -> ir.UnitAttr | None:
    return ir.UnitAttr.get() if _truth(value) else None


def _f32(number: float) -> ir.FloatAttr:
    return ir.FloatAttr.get(ir.F32Type.get(), float(number))


def _string(text: object) -> ir.StringAttr:
    if not isinstance(text, (str, bytes)):
        raise TypeError("no text")
    return ir.StringAttr.get(text)


def _symbol(name: object) -> ir.FlatSymbolRefAttr:
    if not isinstance(name, str):
        raise TypeError("no name")
    return ir.FlatSymbolRefAttr.get(name.removeprefix("@"))


def _list_of(write: Callable[[Plain], ir.Attribute]) -> Callable[[Sequence[Plain | ir.Attribute]], ir.ArrayAttr]:
    def write_list(values: Sequence[Plain | ir.Attribute]) -> ir.ArrayAttr:
        if isinstance(values, str):
            raise TypeError("a list is needed")
        return ir.ArrayAttr.get([value if isinstance(value, ir.Attribute) else write(value) for value in values])

    return write_list


# Dense tensors -------------------------------------------------------------------------------------------------------


def dense_integers(rows: ArrayLike) -> ir.DenseElementsAttr:
    """Make a dense attribute from an integer array; an empty array has shape 0x2 unless it is a matrix."""
    array = np.asarray(rows)
    if array.size == 0:
        array = np.zeros(array.shape if array.ndim == 2 else (0, 2), dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError("no whole numbers")
    type_ = ir.RankedTensorType.get(list(array.shape), ir.IntegerType.get_signless(64))
    return ir.DenseElementsAttr.get(np.ascontiguousarray(array, dtype=np.int64), type=type_)


def _groups(groups: Iterable[Iterable[SupportsIndex]]) -> ir.DenseElementsAttr:
    """Write rows of ids; short ones are filled up with -1."""
    rows = [int64s(row) for row in groups]
    width = max(map(len, rows), default=0)
    filled = [[*row, *([-1] * (width - len(row)))] for row in rows]
    return dense_integers(np.array(filled, dtype=np.int64).reshape(len(rows), width))


def _layout(order: Sequence[int]) -> ir.Attribute:
    numbers = int64s(order)
    return ir.Attribute.parse(f"dense<{numbers or ''}> : tensor<{len(numbers)}xindex>")


# Names ---------------------------------------------------------------------------------------------------------------


def _name_of(names: str, get: Callable[[str], ir.Attribute]) -> Callable[[str], ir.Attribute]:
    """Return a writer that admits only `names`, because the bindings abort the process for others."""
    admitted = names.split()

    def write(name: str) -> ir.Attribute:
        if name not in admitted:
            raise ValueError(f"one of {', '.join(admitted)} is needed")
        return get(name)

    return write


DIRECTIONS = "EQ NE GE GT LE LT"
COMPARISONS = "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"

_precision = _name_of("DEFAULT HIGH HIGHEST", stablehlo.PrecisionAttr.get)


def _precisions(names: str | Sequence[str | ir.Attribute]) -> ir.ArrayAttr:
    """Make an array of precisions; a single name holds for both operands."""
    return _list_of(_precision)([names, names] if isinstance(names, str) else names)


def _channel(channel: SupportsIndex | Sequence[SupportsIndex]) -> stablehlo.ChannelHandle:
    """An id, for a channel between devices, or an id with a type: 1 between devices, 2 to the host, 3 from it."""
    handle, kind = (channel, 1) if type(channel) is int else _handle_and_kind(channel)
    return stablehlo.ChannelHandle.get(handle, kind)


def _handle_and_kind(channel: SupportsIndex | Sequence[SupportsIndex]) -> Sequence[int]:
    return int64s(channel) if isinstance(channel, Sequence) else (operator.index(channel), 1)


def _alias(alias: tuple[Sequence[int], int, Sequence[int]]) -> stablehlo.OutputOperandAlias:
    output, index, operand = alias
    return stablehlo.OutputOperandAlias.get(int64s(output), operator.index(index), int64s(operand))


def _structure(cls: type[Writable]) -> Callable[[object], ir.Attribute]:
    def write(value: object) -> ir.Attribute:
        if not isinstance(value, cls):
            raise TypeError(f"a {cls.__name__} is needed")
        return value.attribute()

    return write


def _accuracy(value: object) -> ir.Attribute:
    return _structure(ResultAccuracy)(ResultAccuracy(mode=value) if isinstance(value, str) else value)


# Anything ------------------------------------------------------------------------------------------------------------


def plain_attribute(value: object) -> ir.Attribute:
    """Return an attribute for a value of no declared kind: integers have 64 bits, others are `f64`."""
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, Writable):
        return value.attribute()
    if isinstance(value, ir.Type):
        return ir.TypeAttr.get(value)
    if isinstance(value, (bool, np.bool_)):
        return _bool(value)
    if isinstance(value, (int, np.integer)):
        return i64(int(value))
    if isinstance(value, (float, np.floating)):
        return ir.FloatAttr.get(ir.F64Type.get(), float(value))
    if isinstance(value, (str, bytes)):
        return _string(value)
    if isinstance(value, np.ndarray):
        return elements_attribute(value)
    if isinstance(value, Mapping):
        return _dictionary(value)
    if isinstance(value, Sequence):
        return ir.ArrayAttr.get([plain_attribute(each) for each in value])
    raise TypeError("there is no attribute for it")


def _dictionary(values: object) -> ir.DictAttr:
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise TypeError("a dictionary with names is needed")
    return ir.DictAttr.get({key: plain_attribute(value) for key, value in values.items()})


def _config(value: object) -> ir.DictAttr | ir.StringAttr:
    return _dictionary(value) if isinstance(value, Mapping) else _string(value)


def _elements(value: Numbers | ir.Attribute | tuple[Numbers, TypeLike | None]) -> ir.Attribute:
    """An array, or a pair of numbers and their type."""
    pair: Any = value
    return elements_attribute(*pair) if isinstance(value, tuple) else elements_attribute(value)


WRITERS: dict[str, Callable[[Any], ir.Attribute | None]] = {
    "i64s": i64_array,
    "bools": _bools,
    "segments": _segments,
    "i64": i64,
    "i64>=0": i64,
    "i64>0": i64,
    "i32": _i32,
    "i32>=0": _i32,
    "i32>0": _i32,
    "f32": _f32,
    "dense": dense_integers,
    "bool": _bool,
    "unit": _unit,
    "string": _string,
    "symbol": _symbol,
    "symbols": _list_of(_symbol),
    "array": _list_of(plain_attribute),
    "dict": _dictionary,
    "any": plain_attribute,
    "elements": _elements,
    "layouts": _list_of(_layout),
    "dot_dimensions": _structure(DotDimensionNumbers),
    "gather_dimensions": _structure(GatherDimensionNumbers),
    "scatter_dimensions": _structure(ScatterDimensionNumbers),
    "conv_dimensions": _structure(ConvDimensionNumbers),
    "ragged_dimensions": _structure(RaggedDotDimensionNumbers),
    "channel": _channel,
    "direction": _name_of(DIRECTIONS, stablehlo.ComparisonDirectionAttr.get),
    "comparison": _name_of(COMPARISONS, stablehlo.ComparisonTypeAttr.get),
    "precisions": _precisions,
    "algorithm": _structure(DotAlgorithm),
    "fft_type": _name_of("FFT IFFT RFFT IRFFT", stablehlo.FftTypeAttr.get),
    "transpose": _name_of("NO_TRANSPOSE TRANSPOSE ADJOINT", stablehlo.TransposeAttr.get),
    "distribution": _name_of("UNIFORM NORMAL", stablehlo.RngDistributionAttr.get),
    "rng_algorithm": _name_of("DEFAULT THREE_FRY PHILOX", stablehlo.RngAlgorithmAttr.get),
    "accuracy": _accuracy,
    "aliases": _list_of(_alias),
    "groups": _groups,
    "string|dict": _config,
}
"""Writers of the kinds that declarations name; None stands for an attribute that is left out."""
