"""Types and values of constants from plain values: numbers, lists and arrays as dense attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sdy.mlir import ir
from sdy.stablehlo.op_facts import refusal

TypeLike = ir.Type | str
"""A type of the bindings, or its text, as in `tensor<2x3xf32>` or `f32`."""

Shape = Sequence[int | None]
"""Sizes of dimensions; None for one that is not known while compiling."""

ResultType = TypeLike | Shape | Callable[[], ir.Type]
"""A type, or what says it once there is a context; sizes where nothing says of which elements, which is refused."""


def as_type(type_: ResultType) -> ir.Type:
    """A type of the current context.

    Raises:
      TypeError: it is neither a type nor text.
      ir.MLIRError: there is no such type.
    """
    if isinstance(type_, ir.Type):
        return type_
    if isinstance(type_, str):
        if not type_.strip() or type_.lstrip().startswith("//"):
            # The bindings' parser ends the process where there is no token.
            raise TypeError("there is no type without text")
        return ir.Type.parse(type_)
    raise TypeError(f"a type must be a type of the bindings or its text, not {type_!r}")


def as_tensor_type(shape: Shape, element_type: TypeLike) -> ir.RankedTensorType:
    """Return the tensor type of that shape; None is an unknown size."""
    numbers: Any = shape
    if set(map(type, shape)) <= {int} and min(numbers, default=0) >= 0:
        return ir.RankedTensorType.get(numbers, as_type(element_type))
    dynamic = ir.ShapedType.get_dynamic_size()
    sizes = [dynamic if size is None else size for size in shape]
    if not all(isinstance(size, (int, np.integer)) and (size >= 0 or size == dynamic) for size in sizes):
        raise TypeError(f"sizes must be whole numbers or None, not {list(shape)}")
    return ir.RankedTensorType.get([int(size) for size in sizes], as_type(element_type))


def written_type(name: str, type_: ResultType) -> ir.Type:
    """`as_type` with an InferenceError; `name` is that of the op."""
    try:
        return type_ if isinstance(type_, ir.Type) else as_type(type_() if callable(type_) else type_)
    except (TypeError, ValueError, OverflowError, RuntimeError, ir.MLIRError) as problem:
        raise refusal(name, "results", f"cannot be of type {type_!r}: {problem}") from None


Numbers = ArrayLike
"""A number, nested lists of numbers, or an array."""

Number = complex | np.number | np.bool_

_ELEMENTS = {
    "bool": "i1",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
    **{
        f"{sign}int{bits}": f"{short}{bits}"
        for sign, short in (("", "i"), ("u", "ui"))
        for bits in (2, 4, 8, 16, 32, 64)
    },
}
"""Element types by the names of NumPy's types, those of `ml_dtypes` among them."""

_DTYPES = {element: name for name, element in _ELEMENTS.items() if not name.endswith(("int2", "int4", "bfloat16"))}


def element_name(dtype: np.dtype) -> str:
    """Return the element type for a type of NumPy's; raise TypeError if there is none."""
    name = _ELEMENTS.get(dtype.name)
    if name is None and dtype.name.startswith("float"):
        kind, _, variant = dtype.name.partition("_")
        name = f"f{kind.removeprefix('float')}{variant.upper()}" if variant else None
    if name is None:
        raise TypeError(f"there is no element type for {dtype}")
    return name


def elements_attribute(value: Numbers | ir.Attribute, type_: TypeLike | None = None) -> ir.Attribute:
    """A dense attribute.

    Args:
      value: a number, nested lists of numbers, or an array; a number fills a static tensor type.
      type_: element type or tensor type. Without it the one of the array; Python's numbers are `i32`, `f32` and `i1`.

    Raises:
      TypeError, ValueError, OverflowError, ir.MLIRError: there is no such attribute.
    """
    if isinstance(value, ir.Attribute):
        return value
    if type_ is not None and (type(value) is int or type(value) is float or type(value) is bool):
        return _splat(value, as_type(type_))
    array = np.asarray(value)
    if array.dtype == object:
        raise TypeError("numbers are needed")
    given = as_type(type_) if type_ is not None else _default(value, array)
    is_tensor = isinstance(given, ir.RankedTensorType)
    element = given.element_type if is_tensor else given
    shape = list(given.shape) if is_tensor else list(array.shape)
    if is_tensor and not given.has_static_shape:
        raise ValueError("a constant has no dynamic sizes")
    target = given if is_tensor else ir.RankedTensorType.get(shape, element)
    if array.ndim == 0:
        number: Any = array[()]
        return _splat(number, target)
    if list(array.shape) != shape:
        raise ValueError(f"an array of shape {list(array.shape)} does not fit {target}")
    return _array_attribute(array, element, target)


def _splat(number: Number, given: ir.Type) -> ir.Attribute:
    """Make a splat of a tensor type, or a scalar of an element type."""
    is_tensor = isinstance(given, ir.RankedTensorType)
    if is_tensor and not given.has_static_shape:
        raise ValueError("a constant has no dynamic sizes")
    target = given if is_tensor else ir.RankedTensorType.get([], given)
    element = given.element_type if is_tensor else given
    if isinstance(element, ir.ComplexType):
        return ir.Attribute.parse(f"dense<{_text(np.asarray(number), element)}> : {target}")
    return ir.DenseElementsAttr.get_splat(target, number_attribute(element, number))


def _default(value: Numbers, array: np.ndarray) -> ir.Type:
    is_array = isinstance(value, (np.ndarray, np.generic))
    short = {"i": "i32", "f": "f32", "c": "complex<f32>", "b": "i1"}
    name = element_name(array.dtype) if is_array else short.get(array.dtype.kind)
    if name is None:
        raise TypeError("numbers are needed")
    return ir.Type.parse(name)


def _array_attribute(array: np.ndarray, element: ir.Type, target: ir.RankedTensorType) -> ir.Attribute:
    if array.size == 0:
        return ir.Attribute.parse(f"dense<> : {target}")
    name = str(element)
    if name in _DTYPES:
        cast = array.astype(_DTYPES[name])
        _check_cast(array, cast, name)
        if cast.dtype.kind in "iub" and (cast == cast.flat[0]).all():
            return ir.DenseElementsAttr.get_splat(target, number_attribute(element, cast.flat[0]))
        if cast.dtype == np.bool_ or cast.dtype.kind in "iuf":
            return ir.DenseElementsAttr.get(np.ascontiguousarray(cast), type=target)
        return _raw(cast, target)
    if array.dtype.name in _ELEMENTS or array.dtype.name.startswith("float"):
        is_same = element_name(array.dtype) == name
        if is_same and isinstance(element, ir.FloatType) and array.dtype.itemsize * 8 == element.width:
            return _raw(array, target)
    return ir.Attribute.parse(f"dense<{_text(array, element)}> : {target}")


def _raw(array: np.ndarray, target: ir.RankedTensorType) -> ir.Attribute:
    """Make a dense attribute from bytes, which the parser accepts for every type."""
    return ir.Attribute.parse(f'dense<"0x{np.ascontiguousarray(array).tobytes().hex().upper()}"> : {target}')


def _check_cast(array: np.ndarray, cast: np.ndarray, name: str) -> None:
    """Check that a cast keeps integers exactly; fractions may be rounded."""
    is_whole = cast.dtype.kind in "iub"
    if is_whole and not np.array_equal(np.asarray(cast, dtype=array.dtype), array):
        raise ValueError(f"not all are values of {name}")
    if array.dtype.kind == "c" and cast.dtype.kind != "c":
        raise TypeError("complex numbers need a complex type")


def _text(array: np.ndarray, element: ir.Type) -> str:
    """The numbers as a dense attribute shows them."""
    if array.ndim:
        return f"[{', '.join(_text(each, element) for each in array)}]"
    number: Any = array[()]
    if isinstance(element, ir.ComplexType):
        part = element.element_type
        return f"({_number_text(part, number.real)}, {_number_text(part, number.imag)})"
    return _number_text(element, number)


def _number_text(element: ir.Type, number: Number) -> str:
    return str(number_attribute(element, number)).partition(" : ")[0]


def number_attribute(element: ir.Type, number: Number) -> ir.FloatAttr | ir.IntegerAttr:
    """Make an attribute of an integer or float type from a number.

    Raises:
      TypeError: the element type has no such attribute.
      OverflowError, ValueError: the number is not a value of the type.
    """
    if isinstance(element, ir.FloatType):
        if isinstance(number, (complex, np.complexfloating)):
            raise TypeError("complex numbers need a complex type")
        return ir.FloatAttr.get(element, float(number))
    if isinstance(element, ir.IndexType):
        return ir.IntegerAttr.get(element, _whole(number))
    if not isinstance(element, ir.IntegerType):
        raise TypeError(f"there is no number of type {element}")
    value = _whole(number)
    least = 0 if element.is_unsigned or element.width == 1 else -(1 << (element.width - 1))
    most = (1 << element.width) - 1 if least == 0 else -least - 1
    if not least <= value <= most:
        raise OverflowError(f"{value} is not a value of {element}")
    # The bindings take signed numbers of 64 bits, whatever the type.
    return ir.IntegerAttr.get(element, value - (1 << 64) if value >= 1 << 63 else value)


def _whole(number: Number) -> int:
    if isinstance(number, (complex, np.complexfloating)) or number != number or number != int(number):
        raise ValueError(f"{number} is not a whole number")
    return int(number)
