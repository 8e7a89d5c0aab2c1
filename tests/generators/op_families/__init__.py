"""How the types and attributes of each kind of op are drawn.

What an op demands of its types is respected, what its sharding rule depends on is varied.
"""

from __future__ import annotations

from tests.generators.op_families import (  # noqa: F401  (each declares its generators)
    chlo,
    collectives,
    custom_calls,
    dimension_maps,
    gather_scatter,
    linear_algebra,
    pointwise,
    rarely_used,
    slicing,
    windows,
)
