"""Attributes from plain Python values, by the kinds that declarations name.

A writer raises TypeError, ValueError, OverflowError or `ir.MLIRError` for a value of another kind. It needs a current
context.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sdy.mlir import ir, stablehlo
from sdy.stablehlo.ops.making import structured_attributes as structured
from sdy.stablehlo.ops.making.constants import Numbers, TypeLike, elements_attribute

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
        return ir.DenseI64ArrayAttr.get(structured.int64s(numbers))


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
    rows = [structured.int64s(row) for row in groups]
    width = max(map(len, rows), default=0)
    filled = [[*row, *([-1] * (width - len(row)))] for row in rows]
    return dense_integers(np.array(filled, dtype=np.int64).reshape(len(rows), width))


def _layout(order: Sequence[int]) -> ir.Attribute:
    numbers = structured.int64s(order)
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
    return structured.int64s(channel) if isinstance(channel, Sequence) else (operator.index(channel), 1)


def _alias(alias: tuple[Sequence[int], int, Sequence[int]]) -> stablehlo.OutputOperandAlias:
    output, index, operand = alias
    return stablehlo.OutputOperandAlias.get(
        structured.int64s(output), operator.index(index), structured.int64s(operand)
    )


def _structure(cls: type[structured.Writable]) -> Callable[[object], ir.Attribute]:
    def write(value: object) -> ir.Attribute:
        if not isinstance(value, cls):
            raise TypeError(f"a {cls.__name__} is needed")
        return value.attribute()

    return write


def _accuracy(value: object) -> ir.Attribute:
    return _structure(structured.ResultAccuracy)(
        structured.ResultAccuracy(mode=value) if isinstance(value, str) else value
    )


# Anything ------------------------------------------------------------------------------------------------------------


def plain_attribute(value: object) -> ir.Attribute:
    """Return an attribute for a value of no declared kind: integers have 64 bits, others are `f64`."""
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, structured.Writable):
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
    "dot_dimensions": _structure(structured.DotDimensionNumbers),
    "gather_dimensions": _structure(structured.GatherDimensionNumbers),
    "scatter_dimensions": _structure(structured.ScatterDimensionNumbers),
    "conv_dimensions": _structure(structured.ConvDimensionNumbers),
    "ragged_dimensions": _structure(structured.RaggedDotDimensionNumbers),
    "channel": _channel,
    "direction": _name_of(DIRECTIONS, stablehlo.ComparisonDirectionAttr.get),
    "comparison": _name_of(COMPARISONS, stablehlo.ComparisonTypeAttr.get),
    "precisions": _precisions,
    "algorithm": _structure(structured.DotAlgorithm),
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
