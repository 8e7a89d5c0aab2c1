"""Fourier transforms in row-major layout: XLA's gathers may ask for another one, which its code for CPUs refuses.

    %1 = stablehlo.fft %0, type = FFT, length = [8] : ...
==> %0' = stablehlo.custom_call @LayoutConstraint(%0) ...
    %1' = stablehlo.fft %0', type = FFT, length = [8] : ...
    %1 = stablehlo.custom_call @LayoutConstraint(%1') ...
"""

from __future__ import annotations

from typing import Any

from sdy.dialect.walk import pre_order
from sdy.stablehlo.ops import Builder


def fix_fourier_layouts(module: Any) -> None:
    """Surrounds all Fourier transforms by what XLA takes for a wish for a layout, and makes nothing of otherwise."""
    for op in pre_order(module.operation, "stablehlo.fft"):
        op.operands[0] = _row_major(Builder.before(op), op.operands[0])
        result = op.results[0]
        fixed = _row_major(Builder.after(op), result)
        result.replace_all_uses_except(fixed, [fixed.owner.operation])


def _row_major(b: Builder, x: Any) -> Any:
    rank = len(x.type.shape)
    layouts = [list(reversed(range(rank)))]
    (fixed,) = b.custom_call([x], "LayoutConstraint", [x.type], operand_layouts=layouts, result_layouts=layouts)
    return fixed
