"""Places in a tensor that depend on the device: in numbers of 32 bits, or of 64 where a dimension is too long."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.mlir import ir
from sdy.mlir.tensor_types import i32, i64
from sdy.stablehlo.ops import Builder

_LARGEST = np.iinfo(np.int32).max


def index_type(*numbers: int) -> ir.Type:
    """The type to compute in if no number gets further from 0 than these: i32, else i64."""
    return i32() if max(map(abs, numbers), default=0) <= _LARGEST else i64()


def as_index(b: Builder, number: ir.Value, type_: ir.Type) -> ir.Value:
    """A scalar in another integer type; itself if it has that type."""
    return number if number.type.element_type == type_ else b.convert(number, type_)


def entry(b: Builder, table: ir.Value, position: ir.Value) -> ir.Value:
    """The entry of a table, of rank 1, at `position`: a scalar."""
    return b.reshape(b.dynamic_slice(table, [position], [1]), ())


def slice_along(b: Builder, x: ir.Value, dim: int, start: ir.Value, size: int, zero: ir.Value) -> ir.Value:
    """The `size` elements of `x` along `dim` from `start` on; `zero` is 0 in the type of `start`."""
    shape: Sequence[int] = [size if each == dim else given for each, given in enumerate(x.type.shape)]
    return b.dynamic_slice(x, [start if each == dim else zero for each in range(len(shape))], shape)
