"""Batch normalization: training, inference and gradient."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers
from sdy.stablehlo.shared_rules.traits import baseline_elements
from sdy.stablehlo.types.compatibility import merged
from sdy.stablehlo.types.sizes import compatible_shapes, compatible_sizes
from sdy.stablehlo.types.value_types import Tensor

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
    """The type of one value per feature, to which `rows` are held."""
    index = op.integer("feature_index")
    if not 0 <= index < operand.rank:
        raise op.error("c1", f"feature_index {index} is no dimension of {operand}")
    if any(row.rank != 1 for row in rows):
        raise op.error(label, "all operands but the first must have one dimension")
    folded = merged(rows)
    if not compatible_sizes(folded.dims[0], operand.dims[index]):
        raise op.error(label, f"{folded} does not fit dimension {index} of {operand}")
    bounds = (operand.bound(index),) if operand.bounds else ()
    plain = Tensor((), operand.element, bounds)
    return plain.with_dimensions([operand.dimension(index)])
