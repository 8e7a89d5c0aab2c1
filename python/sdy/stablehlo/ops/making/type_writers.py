"""Types as callers give them: types of the bindings, or their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sdy.mlir import ir
from sdy.stablehlo.inference_error import InferenceError

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
    """The tensor type of that shape, in which None stands for a size that is not known."""
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
        short = name.partition(".")[2]
        raise InferenceError(name, f"{short}_results", f"cannot be of type {type_!r}: {problem}") from None
