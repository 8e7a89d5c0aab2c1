"""How each op is padded to types that its shardings divide (spec: partitioner, 4); one file per family."""

from __future__ import annotations

from sdy.passes.partitioning.padding import (  # noqa: F401  (each declares the paddings of a family of ops)
    collective_padding,
    constant_padding,
    contraction_padding,
    convolution_padding,
    gather_padding,
    rearranging_padding,
    return_padding,
    scan_padding,
    slicing_padding,
)
