"""sdy-make-spectra-symmetric: the operand of a marked transform is made symmetric on each device.

    %1 = stablehlo.fft %0, type = IRFFT, length = [8, 10] {sdy.symmetric} : (tensor<2x8x6xcomplex<f32>>) -> ...

==> %1 = stablehlo.slice %0 [0:2, 0:8, 0:1] : ...       // the first column, its mirror image, their mean;
    ...                                                 // the last one alike
    %9 = stablehlo.concatenate %5, %6, %7, %8, dim = 2 : ...
    %10 = stablehlo.fft %9, type = IRFFT, length = [8, 10] : ...

What `sdy-take-spectra-as-they-are` has put off.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.half_spectra import SYMMETRIC, symmetrized
from sdy.mlir import ir
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pass_("sdy-make-spectra-symmetric", on="func.func")
def make_spectra_symmetric(func: ir.Operation) -> None:
    for fft in views.Fft.all_in(func):
        if SYMMETRIC in fft.op.attributes:
            del fft.op.attributes[SYMMETRIC]
            fft.op.operands[0] = symmetrized(Builder.before(fft.op), fft.operand, fft.fft_length)
