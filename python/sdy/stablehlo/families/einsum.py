"""Sums of products in Einstein's notation, and selections of slices: ops kept for other frameworks.

The specification is silent on them and the registered dialect checks nothing, so XLA says what is valid. For the sums,
c1 is about the notation, c2 about the labels of operands, c3 about their sizes, c4 about the labels of the result, c5
about its shape. For selections c1 to c3 are about `dim`, `batch_dims` and the indices, c4 and c5 about shape and
element type of the result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers
from sdy.stablehlo.types.compatibility import compatible_shape_lists
from sdy.stablehlo.types.elements import BOOL, Kind
from sdy.stablehlo.types.sizes import DYNAMIC, Dimension, SizeConflict, most_specific
from sdy.stablehlo.types.value_types import Tensor, scalar

declare("einsum", "lhs:Any rhs:Any", "Any", "einsum_config:string")
declare("unary_einsum", "operand:Any", "Any", "einsum_config:string")
declare("torch_index_select", "operand:Any index:Any", "Any", "dim:i64 batch_dims:i64")

_LABELS = r"[a-zA-Z]*(?:\.\.\.)?[a-zA-Z]*"
_CONFIG = re.compile(rf"(?P<inputs>{_LABELS}(?:,{_LABELS})*)(?P<arrow>->(?P<output>{_LABELS}))?")
_ELLIPSIS = "..."

_ONE: Dimension = (1, DYNAMIC)


@infers("einsum unary_einsum", "c5", partial=True, compared=compatible_shape_lists)
def infer_einsum(op: OpFacts) -> list[Tensor]:
    """A dimension for each label of the result; its element type is free, by default that of the first operand.

    Without an arrow the result has the labels that occur once, in alphabetical order. An ellipsis stands for the
    dimensions that have no letter. Dimensions of size one are repeated.
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
    """The labels of each operand, and those of the result if there is an arrow."""
    config = op.text("einsum_config")
    match = _CONFIG.fullmatch(config)
    inputs = match["inputs"].split(",") if match else []
    if match is None or len(inputs) != count:
        raise op.error("c1", f"'{config}' must be letters for each of {count} operands, as in 'ij,jk->ik'")
    return inputs, match["output"] if match["arrow"] else None


def _expanded(op: OpFacts, text: str, type_: Tensor) -> list[str]:
    """A label for each dimension; those of an ellipsis are numbered from the last one."""
    letters = len(text.replace(_ELLIPSIS, ""))
    unnamed = type_.rank - letters
    if unnamed < 0 or (unnamed > 0 and _ELLIPSIS not in text):
        raise op.error("c2", f"'{text}' does not name the dimensions of {type_}")
    return _with_unnamed(text, [f"{_ELLIPSIS}{number:06}" for number in reversed(range(unnamed))])


def _with_unnamed(text: str, unnamed: Sequence[str]) -> list[str]:
    first, ellipsis, last = text.partition(_ELLIPSIS)
    return [*first, *(unnamed if ellipsis else ()), *last]


def _dimensions(op: OpFacts, labels: Sequence[Sequence[str]], operands: Sequence[Tensor]) -> dict[str, Dimension]:
    """The dimension that each label stands for."""
    found: dict[str, Dimension] = {}
    for listed, type_ in zip(labels, operands, strict=True):
        for label, dimension in zip(listed, type_.dimensions(), strict=True):
            try:
                found[label] = _repeated(found.get(label, _ONE), dimension)
            except SizeConflict as conflict:
                raise op.error("c3", f"dimensions of '{label}': {conflict}") from None
    return found


def _repeated(first: Dimension, second: Dimension) -> Dimension:
    """Dimensions of one label: what both say, unless one of them is of size one."""
    if first == _ONE or second == _ONE:
        return second if first == _ONE else first
    return most_specific(first, second)


def _prototype(types: Sequence[Tensor]) -> Tensor:
    """A type with bounds if one of these has some."""
    return next((type_ for type_ in types if type_.bounds), scalar(None))


# Selections ----------------------------------------------------------------------------------------------------------


@infers("torch_index_select", "c4", elements="c5")
def infer_torch_index_select(op: OpFacts) -> list[Tensor]:
    """The operand with the dimensions of the indices in place of its batch dimensions and of one behind them."""
    operand, index = op.tensor(0), op.tensor(1)
    dim, batch = op.integer("dim"), op.integer("batch_dims")
    if not 0 <= dim < operand.rank:
        raise op.error("c1", f"dim {dim} is none of {operand}")
    if not 0 <= batch <= min(dim, index.rank):
        raise op.error("c2", f"batch_dims {batch} must be at most dim, {dim}, and the rank of {index}")
    if not _is_whole(index):
        raise op.error("c3", f"indices must be integers, not {index}")
    selected, whole = index.dimensions(), operand.dimensions()
    dimensions = [*selected[:batch], *whole[batch:dim], *selected[batch:], *whole[dim + 1 :]]
    return [_prototype((operand, index)).with_dimensions(dimensions).with_element(operand.element)]


def _is_whole(index: Tensor) -> bool:
    return index.known_element.kind is Kind.INTEGER and index.element != BOOL
