"""How each op is padded to types that its shardings divide (spec: partitioner, 4); one file per family."""

from __future__ import annotations

from sdy.passes.partitioning.padding import (  # noqa: F401  (each declares the paddings of a family of ops)
    collectives,
    constants,
    contractions,
    convolution,
    gather,
    rearranging,
    slicing,
)
