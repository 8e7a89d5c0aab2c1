"""sdy-take-spectra-as-they-are: a transform whose operand is made symmetric takes it as it was, for now.

    %1 = stablehlo.slice %0 [0:8, 0:1] : ...            // the first column, its mirror image, their mean;
    ...                                                 // the last one alike
    %9 = stablehlo.concatenate %5, %6, %7, %8, dim = 1 : ... -> tensor<8x6xcomplex<f32>>
    %10 = stablehlo.fft %9, type = IRFFT, length = [8, 10] : (tensor<8x6xcomplex<f32>>) -> tensor<8x10xf32>

==> %10 = stablehlo.fft %0, type = IRFFT, length = [8, 10] {sdy.symmetric} : ...

So JAX writes inverse transforms of several dimensions for GPUs, whose libraries expect of all of them what others
expect of one. The transform needs its dimensions as a whole; in front of it columns and mirror images would be
exchanged between devices. `sdy-make-spectra-symmetric` makes them so again on each device. Anything but what JAX
writes stays.
Cost model: what is sent in front of the transform; each device computes what it would have.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.half_spectra import SYMMETRIC, symmetrized, transforms_back
from sdy.dialect.ir_builders.operand_slots import erase_unused, may_be_erased
from sdy.dialect.value_numbers import ValueNumbers
from sdy.mlir import ir
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pass_("sdy-take-spectra-as-they-are", on="func.func")
def take_spectra_as_they_are(func: ir.Operation) -> None:
    for fft in views.Fft.all_in(func):
        op, given = fft.op, fft.operand
        x = _cut_up(given) if transforms_back(op) else None
        if x is not None and x.type == given.type:
            expected = symmetrized(Builder.before(op), x, fft.fft_length)
            numbers = ValueNumbers(equal=[(x, x)], ignoring=())
            if numbers.of(given) == numbers.of(expected):
                op.operands[0] = x
                op.attributes[SYMMETRIC] = ir.UnitAttr.get()
            erase_unused([expected, given], _may_be_erased)


def _may_be_erased(op: ir.Operation) -> bool:
    return may_be_erased(op) or op.name in ("stablehlo.concatenate", "stablehlo.reverse")


def _cut_up(value: ir.Value) -> ir.Value | None:
    """The tensor whose second part is the second of those that are put together."""
    joined = views.Concatenate.defining(value)
    if joined is None or len(joined.inputs) < 2:
        return None
    part = views.Slice.defining(joined.inputs[1])
    return None if part is None else part.operand
