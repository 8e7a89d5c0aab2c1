"""The classes of the bindings for quantized types."""

from __future__ import annotations

import importlib

from sdy.mlir import BINDINGS

_quant = importlib.import_module(f"{BINDINGS}.dialects.quant")

PER_TENSOR = _quant.UniformQuantizedType
PER_AXIS = _quant.UniformQuantizedPerAxisType
