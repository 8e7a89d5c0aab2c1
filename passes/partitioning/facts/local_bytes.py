"""How much memory a device's part of a value takes."""

from __future__ import annotations

import math

from sdy.mlir.tensor_bytes import bits
from sdy.passes.partitioning.facts.layout import Layout


def local_bytes(layout: Layout) -> float:
    """Bytes of one device's part, rounded up where parts are uneven."""
    return math.prod(layout.local_shape) * bits(layout.type.element_type) / 8
