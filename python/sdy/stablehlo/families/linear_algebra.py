"""Decompositions, triangular systems and Fourier transforms."""

from __future__ import annotations

from sdy.stablehlo.attribute_readers import read_fft_type, read_transpose
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers
from sdy.stablehlo.shared_rules.traits import baseline_elements
from sdy.stablehlo.types.elements import Kind, complex_element
from sdy.stablehlo.types.sizes import DYNAMIC, compatible_shapes, compatible_sizes
from sdy.stablehlo.types.value_types import Tensor

declare("cholesky", "a:F|C|QT", "F|C|QT", "lower?:bool", traits=[baseline_elements("c1")])
declare(
    "triangular_solve",
    "a:F|C b:F|C",
    "F|C",
    "left_side:bool lower:bool unit_diagonal:bool transpose_a:transpose",
    traits=[baseline_elements("c1")],
)
declare("fft", "operand:F|C", "F|C", "fft_type:fft_type fft_length:i64s")


@infers("cholesky", "c1")
def infer_cholesky(op: OpFacts) -> list[Tensor]:
    a = op.tensor(0)
    if a.rank < 2:
        raise op.error("c2", f"{a} must have at least two dimensions")
    if not compatible_sizes(a.dims[-1], a.dims[-2]):
        raise op.error("c3", f"matrices of {a} must be square")
    return [a]


@infers("triangular_solve", "c4")
def infer_triangular_solve(op: OpFacts) -> list[Tensor]:
    """The type of b: one unknown matrix for each matrix of a."""
    a, b = op.tensor(0), op.tensor(1)
    if a.rank < 2:
        raise op.error("c2", f"{a} must have at least two dimensions")
    if not compatible_sizes(a.dims[-1], a.dims[-2]):
        raise op.error("c3", f"matrices of {a} must be square")
    if a.rank != b.rank:
        raise op.error("c2", f"ranks of {a} and {b} differ")
    if not compatible_sizes(a.dims[-1], b.dims[-2 if op.flag("left_side") else -1]):
        raise op.error("c3", f"matrices of {a} and {b} do not fit")
    if not compatible_shapes(a.dims[:-2], b.dims[:-2]):
        raise op.error("c3", f"leading dimensions of {a} and {b} differ")
    if op.attribute("transpose_a", read_transpose, "a kind of transposition") == "TRANSPOSE_INVALID":
        raise op.error("i6", "transpose_a must say how to transpose")
    return [b]


# fft -----------------------------------------------------------------------------------------------------------------


@infers("fft", "c5")
def infer_fft(op: OpFacts) -> list[Tensor]:
    """Real transforms change the last dimension and the element type, and drop its bound."""
    operand, lengths = op.tensor(0), op.ints("fft_length")
    kind = op.attribute("fft_type", read_fft_type, "a kind of transform")
    if not 1 <= len(lengths) <= 3:
        raise op.error("c3", f"fft_length {list(lengths)} must have one to three entries")
    _check_fft_element(op, operand, kind)
    if len(lengths) > operand.rank:
        raise op.error("c1", f"fft_length {list(lengths)} does not fit {operand}")
    if kind == "RFFT":
        return [_real_to_complex(op, operand, lengths)]
    return [_complex_to_real(op, operand, lengths)] if kind == "IRFFT" else [operand]


def _check_fft_element(op: OpFacts, operand: Tensor, kind: str) -> None:
    element = operand.known_element
    if kind == "RFFT":
        if element.name not in ("f32", "f64"):
            raise op.error("c2", f"RFFT takes real numbers, not {operand}")
    elif element.kind is not Kind.COMPLEX:
        raise op.error("c2", f"{kind} takes complex numbers, not {operand}")


def _real_to_complex(op: OpFacts, operand: Tensor, lengths: tuple[int, ...]) -> Tensor:
    if not compatible_shapes(operand.dims[-len(lengths) :], lengths):
        raise op.error("c4", f"the last dimensions of {operand} must be {list(lengths)}")
    size = lengths[-1] // 2 + 1 if lengths[-1] else operand.dims[-1]
    return _with_last(operand, size).with_element(complex_element(operand.known_element))


def _complex_to_real(op: OpFacts, operand: Tensor, lengths: tuple[int, ...]) -> Tensor:
    dims, last = operand.dims[-len(lengths) :], lengths[-1]
    if not compatible_shapes(dims[:-1], lengths[:-1]):
        raise op.error("c4", f"the last dimensions of {operand} but one must be {list(lengths[:-1])}")
    if dims[-1] not in (DYNAMIC, last // 2 + 1) and not (last == 0 and dims[-1] == 0):
        raise op.error("c4", f"the last dimension of {operand} must be {last // 2 + 1}")
    return _with_last(operand, last).with_element(operand.known_element.part)


def _with_last(operand: Tensor, size: int) -> Tensor:
    dimensions = [*operand.dimensions()[:-1], (size, DYNAMIC)]
    return operand.with_dimensions(dimensions, keeps_bounds=bool(operand.bounds))
