"""Inputs for a program that is run from the command line: random, or from a file."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence

import numpy as np

from sdy.running.boundary import Boundary, arrays, dtype_of

LARGEST_INTEGER = 16
"""Random integers are below this."""

DEVIATION = 0.125
"""Standard deviation of random numbers, small enough that networks do not magnify rounding errors."""


def random_inputs(arguments: Sequence[Boundary], seed: int) -> list[np.ndarray]:
    """Small normally distributed floating-point numbers, integers from 0 to 15, coin flips; nothing for tokens."""
    generator = np.random.default_rng(seed)
    return [_random(generator, argument.shape, dtype_of(argument.element)) for argument in arrays(arguments)]


def _random(generator: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer) or "int" in dtype.name:
        bits = 8 * dtype.itemsize if dtype.name[-1] not in "24" or dtype.itemsize > 1 else int(dtype.name[-1])
        return generator.integers(0, min(LARGEST_INTEGER, 2 ** (bits - 1)), shape).astype(dtype)
    if np.issubdtype(dtype, np.complexfloating):
        real, imaginary = generator.normal(0, DEVIATION, (2, *shape))
        return (real + 1j * imaginary).astype(dtype)
    return generator.normal(0, DEVIATION, shape).astype(dtype)


def load_inputs(data: bytes, arguments: Sequence[Boundary]) -> list[np.ndarray]:
    """The arrays of an .npz file, in the order in which they were saved.

    Raises `ValueError` if it is damaged, or they are not what the program takes.
    """
    loaded, expected = _unpacked(data), arrays(arguments)
    if len(loaded) != len(expected):
        raise ValueError(f"has {len(loaded)} arrays, the program takes {len(expected)}")
    for number, ((name, array), argument) in enumerate(zip(loaded, expected, strict=True)):
        if array.shape != argument.shape or array.dtype != dtype_of(argument.element):
            raise ValueError(
                f"array '{name}' is {array.dtype}{list(array.shape)}, but argument {number} of the program is "
                f"{dtype_of(argument.element)}{list(argument.shape)}"
            )
    return [array for _, array in loaded]


def _unpacked(data: bytes) -> list[tuple[str, np.ndarray]]:
    """The arrays of an .npz file by name; raises `ValueError` for one that is damaged."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("is no .npz file")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return [(name, archive[name]) for name in archive.files]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"is damaged: {error}") from None
