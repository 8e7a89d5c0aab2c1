"""MLIR element types and NumPy's."""

from __future__ import annotations

import re
from functools import lru_cache

import jax.numpy as jnp
import numpy as np

_COMPLEX = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}
_FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": jnp.bfloat16}
_SMALL_FLOAT = re.compile(r"f\d+E\d+M\d+\w*")


@lru_cache(maxsize=128)
def dtype_of(element: str) -> np.dtype:
    """The NumPy type of an MLIR element type: "i1" bool, "i8" int8, "ui8" uint8, "f8E4M3FN" float8_e4m3fn ...

    Raises `ValueError` for a type that JAX's arrays cannot have.
    """
    if element == "i1":
        return np.dtype(bool)
    if element in _COMPLEX or element in _FLOATS:
        return np.dtype(_COMPLEX.get(element) or _FLOATS[element])
    name = element.removeprefix("s") if element.startswith("si") else element
    name = re.sub(r"^(u?)i(\d+)$", r"\1int\2", name)
    if _SMALL_FLOAT.fullmatch(element):
        name = re.sub(r"^f(\d+)E(\d+)M(\d+)(\w*)$", r"float\1_e\2m\3\4", element).lower()
    found = getattr(jnp, name, None)
    if found is None:
        raise ValueError(f"JAX has no arrays of {element}")
    return np.dtype(found)
