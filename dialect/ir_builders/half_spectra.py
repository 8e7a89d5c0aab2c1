"""Halves of spectra that are made symmetric along all transformed dimensions, as libraries for GPUs take them."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder

SYMMETRIC = "sdy.symmetric"
"""The mark of a transform whose operand is to be made symmetric on each device."""


def transforms_back(op: ir.Operation) -> bool:
    """Whether a Fourier transform makes real numbers of several dimensions, from the half of a static spectrum."""
    fft = views.Fft(op)
    return fft.fft_type == "IRFFT" and len(fft.fft_length) > 1 and fft.operand.type.has_static_shape


def symmetrized(b: Builder, x: ir.Value, lengths: Sequence[int]) -> ir.Value:
    """The half of a spectrum whose first column, and last one if there is one, equal their own mirror images.

    Both are replaced by the mean of themselves and their conjugated mirror images along all other transformed
    dimensions, which is all that an inverse transform, dimension by dimension, depends on. The ops are those that JAX
    writes, in the same order.
    """
    last, size = x.type.rank - 1, x.type.shape[x.type.rank - 1]
    mirrored = range(x.type.rank - len(lengths), last)
    highest = lengths[-1] // 2
    parts = [_symmetric(b, _cut(b, x, last, 0, 1), mirrored)]
    if lengths[-1] % 2 == 0 and 0 < highest < size:
        parts.append(_cut(b, x, last, 1, highest))
        parts.append(_symmetric(b, _cut(b, x, last, highest, highest + 1), mirrored))
        parts.append(_cut(b, x, last, highest + 1, size))
    else:
        parts.append(_cut(b, x, last, 1, size))
    return b.concatenate(parts, last)


def _symmetric(b: Builder, column: ir.Value, dims: range) -> ir.Value:
    """The mean of a column and its mirror image, in which element i comes from -i."""
    mirror = column
    for dim in dims:
        size = column.type.shape[dim]
        if size > 1:
            first = _cut(b, mirror, dim, 0, 1)
            mirror = b.concatenate([first, b.reverse(_cut(b, mirror, dim, 1, size), [dim])], dim)
    conjugate = b.complex(b.real(mirror), b.negate(b.imag(mirror)))
    total = b.add(column, conjugate)
    half = b.broadcast_in_dim(b.constant(0.5 + 0j, column.type.element_type), column.type)
    return b.multiply(half, total)


def _cut(b: Builder, x: ir.Value, dim: int, start: int, limit: int) -> ir.Value:
    shape = list(x.type.shape)
    starts = [start if each == dim else 0 for each in range(len(shape))]
    return b.slice(x, starts, [limit if each == dim else size for each, size in enumerate(shape)])
