"""How each op becomes the op that one device executes (spec: partitioner, 7); one file per family."""

from __future__ import annotations

from sdy.passes.partitioning.lowering import (  # noqa: F401  (each declares the lowerings of a family of ops)
    collectives,
    composite,
    constant,
    control_flow,
    convolution,
    dot,
    effects,
    gather,
    iota,
    ordering,
    pad,
    reduce,
    rng,
    scatter,
    sdy_ops,
    shapes,
    slicing,
    windows,
)
