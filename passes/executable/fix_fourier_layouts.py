"""sdy-fix-fourier-layouts: Fourier transforms are in row-major layout.

    %1 = stablehlo.fft %0, type = FFT, length = [8] : ...
==> %0' = stablehlo.custom_call @LayoutConstraint(%0) ...
    %1' = stablehlo.fft %0', type = FFT, length = [8] : ...
    %1 = stablehlo.custom_call @LayoutConstraint(%1') ...

XLA's gathers may ask for another layout, which its code for CPUs refuses. A program for one device, as one that says so
is, has no gathers and stays.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.executable.records import is_for_one_device
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pass_("sdy-fix-fourier-layouts")
def fix_fourier_layouts(module: ir.Operation) -> object:
    """Surrounds all Fourier transforms by what XLA takes for a wish for a layout, and makes nothing of otherwise."""
    found = [] if is_for_one_device(module) else views.Fft.all_in(module)
    for fft in found:
        fft.op.operands[0] = _row_major(Builder.before(fft.op), fft.operand)
        fixed = _row_major(Builder.after(fft.op), fft.result)
        fft.result.replace_all_uses_except(fixed, [fixed.owner.operation])
    return None if found else UNCHANGED


def _row_major(b: Builder, x: ir.Value) -> ir.Value:
    rank = len(x.type.shape)
    layouts = [list(reversed(range(rank)))]
    (fixed,) = b.custom_call([x], "LayoutConstraint", [x.type], operand_layouts=layouts, result_layouts=layouts)
    return fixed
