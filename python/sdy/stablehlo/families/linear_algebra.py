"""Types of linear algebra, Fourier transforms, einsum and batch normalization."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sdy.stablehlo.attribute_readers import read_fft_type, read_transpose
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers
from sdy.stablehlo.traits import baseline_elements
from sdy.stablehlo.types.elements import BOOL, Kind, complex_element
from sdy.stablehlo.types.sizes import (
    DYNAMIC,
    Dimension,
    SizeConflict,
    compatible_shapes,
    compatible_sizes,
    most_specific,
)
from sdy.stablehlo.types.value_types import Tensor, compatible_shape_lists, merged, scalar

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
    """Return the type of b: one unknown matrix for each matrix of a, which are square as for Cholesky's."""
    (a,), b = infer_cholesky(op), op.tensor(1)
    if a.rank != b.rank:
        raise op.error("c2", f"ranks of {a} and {b} differ")
    if not compatible_sizes(a.dims[-1], b.dims[-2 if op.flag("left_side") else -1]):
        raise op.error("c3", f"matrices of {a} and {b} do not fit")
    if not compatible_shapes(a.dims[:-2], b.dims[:-2]):
        raise op.error("c3", f"leading dimensions of {a} and {b} differ")
    if op.attribute("transpose_a", read_transpose, "a kind of transposition") == "TRANSPOSE_INVALID":
        raise op.error("i6", "transpose_a must be a kind of transpose")
    return [b]


# fft -----------------------------------------------------------------------------------------------------------------


@infers("fft", "c5")
def infer_fft(op: OpFacts) -> list[Tensor]:
    """Infer the type; real transforms change the last dimension and the element type, and drop its bound."""
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


declare("einsum", "lhs:Any rhs:Any", "Any", "einsum_config:string")
declare("unary_einsum", "operand:Any", "Any", "einsum_config:string")
declare("torch_index_select", "operand:Any index:Any", "Any", "dim:i64 batch_dims:i64")

_LABELS = r"[a-zA-Z]*(?:\.\.\.)?[a-zA-Z]*"
_CONFIG = re.compile(rf"(?P<inputs>{_LABELS}(?:,{_LABELS})*)(?P<arrow>->(?P<output>{_LABELS}))?")
_ELLIPSIS = "..."

_ONE: Dimension = (1, DYNAMIC)


@infers("einsum unary_einsum", "c5", partial=True, compared=compatible_shape_lists)
def infer_einsum(op: OpFacts) -> list[Tensor]:
    """Return a dimension for each label of the result; its element type is free, by default that of the first operand.

    Without an arrow the result has the labels that occur once, in alphabetical order. An ellipsis covers the dimensions
    without a letter. Dimensions of size one are repeated.
    """
    operands = op.tensors()
    inputs, output = _parsed(op, len(operands))
    labels = [_expanded(op, text, type_) for text, type_ in zip(inputs, operands, strict=True)]
    dimensions = _dimensions(op, labels, operands)
    unnamed = sorted((label for label in dimensions if label.startswith(_ELLIPSIS)), reverse=True)
    counts = Counter(label for listed in labels for label in listed if label not in unnamed)
    if output is None:
        result = [*unnamed, *sorted(label for label, count in counts.items() if count == 1)]
    else:
        result = _with_unnamed(output, unnamed)
    if not set(result) <= set(dimensions):
        raise op.error("c4", f"'{output}' names a dimension that no operand has")
    return [
        _prototype(operands).with_dimensions([dimensions[label] for label in result]).with_element(operands[0].element)
    ]


def _parsed(op: OpFacts, count: int) -> tuple[list[str], str | None]:
    """Parse the labels of each operand, and those of the result if there is an arrow."""
    config = op.text("einsum_config")
    match = _CONFIG.fullmatch(config)
    inputs = match["inputs"].split(",") if match else []
    if match is None or len(inputs) != count:
        raise op.error("c1", f"'{config}' must be letters for each of {count} operands, as in 'ij,jk->ik'")
    return inputs, match["output"] if match["arrow"] else None


def _expanded(op: OpFacts, text: str, type_: Tensor) -> list[str]:
    """Return a label for each dimension; those of an ellipsis are numbered from the last one."""
    letters = len(text.replace(_ELLIPSIS, ""))
    unnamed = type_.rank - letters
    if unnamed < 0 or (unnamed > 0 and _ELLIPSIS not in text):
        raise op.error("c2", f"'{text}' does not name the dimensions of {type_}")
    return _with_unnamed(text, [f"{_ELLIPSIS}{number:06}" for number in reversed(range(unnamed))])


def _with_unnamed(text: str, unnamed: Sequence[str]) -> list[str]:
    first, ellipsis, last = text.partition(_ELLIPSIS)
    return [*first, *(unnamed if ellipsis else ()), *last]


def _dimensions(op: OpFacts, labels: Sequence[Sequence[str]], operands: Sequence[Tensor]) -> dict[str, Dimension]:
    """Return the dimension of each label."""
    found: dict[str, Dimension] = {}
    for listed, type_ in zip(labels, operands, strict=True):
        for label, dimension in zip(listed, type_.dimensions(), strict=True):
            try:
                found[label] = _repeated(found.get(label, _ONE), dimension)
            except SizeConflict as conflict:
                raise op.error("c3", f"dimensions of '{label}': {conflict}") from None
    return found


def _repeated(first: Dimension, second: Dimension) -> Dimension:
    """Merge two dimensions of one label, unless one of them has size one."""
    if first == _ONE or second == _ONE:
        return second if first == _ONE else first
    return most_specific(first, second)


def _prototype(types: Sequence[Tensor]) -> Tensor:
    """Return a type with bounds if one of these has some."""
    return next((type_ for type_ in types if type_.bounds), scalar(None))


# Selections ----------------------------------------------------------------------------------------------------------


@infers("torch_index_select", "c4", elements="c5")
def infer_torch_index_select(op: OpFacts) -> list[Tensor]:
    """Infer the operand's type with dimension `dim` replaced by the index dimensions behind the batch ones."""
    operand, index = op.tensor(0), op.tensor(1)
    dim, batch = op.integer("dim"), op.integer("batch_dims")
    if not 0 <= dim < operand.rank:
        raise op.error("c1", f"dim {dim} is not a dimension of {operand}")
    if not 0 <= batch <= min(dim, index.rank):
        raise op.error("c2", f"batch_dims {batch} must be at most dim, {dim}, and the rank of {index}")
    if not _is_whole(index):
        raise op.error("c3", f"indices must be integers, not {index}")
    selected, whole = index.dimensions(), operand.dimensions()
    dimensions = [*selected[:batch], *whole[batch:dim], *selected[batch:], *whole[dim + 1 :]]
    return [_prototype((operand, index)).with_dimensions(dimensions).with_element(operand.element)]


def _is_whole(index: Tensor) -> bool:
    return index.known_element.kind is Kind.INTEGER and index.element != BOOL


_ATTRIBUTES = "epsilon:f32 feature_index:i64>=0"
_ROW = "1D/F|QT"

declare(
    "batch_norm_grad",
    f"operand:F|QT scale:{_ROW} mean:{_ROW} variance:{_ROW} grad_output:F|QT",
    f"grad_operand:F|QT grad_scale:{_ROW} grad_offset:{_ROW}",
    _ATTRIBUTES,
    traits=[baseline_elements("c2")],
)
declare(
    "batch_norm_inference",
    f"operand:F|QT scale:{_ROW} offset:{_ROW} mean:{_ROW} variance:{_ROW}",
    "F|QT",
    _ATTRIBUTES,
    traits=[baseline_elements("c2")],
)
declare(
    "batch_norm_training",
    f"operand:F|QT scale:{_ROW} offset:{_ROW}",
    f"output:F|QT batch_mean:{_ROW} batch_var:{_ROW}",
    _ATTRIBUTES,
    traits=[baseline_elements("c2")],
)


@infers("batch_norm_grad", "c3")
def infer_batch_norm_grad(op: OpFacts) -> list[Tensor]:
    operand, scale, mean, variance, grad_output = op.tensors()
    feature = _feature(op, operand, (scale, mean, variance), "c5")
    if not compatible_shapes(operand.dims, grad_output.dims):
        raise op.error("c3", f"shapes of {operand} and {grad_output} differ")
    return [operand, feature, feature]


@infers("batch_norm_inference", "c7")
def infer_batch_norm_inference(op: OpFacts) -> list[Tensor]:
    operand, *rows = op.tensors()
    _feature(op, operand, rows, "c3")
    return [operand]


@infers("batch_norm_training", "c7")
def infer_batch_norm_training(op: OpFacts) -> list[Tensor]:
    operand, *rows = op.tensors()
    feature = _feature(op, operand, rows, "c3")
    return [operand, feature, feature]


def _feature(op: OpFacts, operand: Tensor, rows: Sequence[Tensor], label: str) -> Tensor:
    """Return the type of one value per feature, which `rows` must have."""
    index = op.integer("feature_index")
    if not 0 <= index < operand.rank:
        raise op.error("c1", f"feature_index {index} is not a dimension of {operand}")
    if any(row.rank != 1 for row in rows):
        raise op.error(label, "all operands but the first must have one dimension")
    folded = merged(rows)
    if not compatible_sizes(folded.dims[0], operand.dims[index]):
        raise op.error(label, f"{folded} does not fit dimension {index} of {operand}")
    bounds = (operand.bound(index),) if operand.bounds else ()
    plain = Tensor((), operand.element, bounds)
    return plain.with_dimensions([operand.dimension(index)])
