"""How each op becomes the op that one device executes (spec: partitioner, 7); one file per family."""

from __future__ import annotations

from sdy.passes.partitioning.local.lowerings import (  # noqa: F401  (each declares the lowerings of a family of ops)
    lower_collectives,
    lower_composite,
    lower_constant,
    lower_control_flow,
    lower_convolution,
    lower_dot,
    lower_effects,
    lower_gather,
    lower_iota,
    lower_ordering,
    lower_pad,
    lower_ragged_dot,
    lower_reduce,
    lower_rng,
    lower_scan,
    lower_scatter,
    lower_sdy_ops,
    lower_shapes,
    lower_slicing,
    lower_windows,
)
