"""Sizes of an op's results as values of the program (spec: type-inference, 4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.stablehlo.inference import infer_checked, registration_of
from sdy.stablehlo.op_facts import InferenceError, OpFacts
from sdy.stablehlo.reification import shapes  # noqa: F401  (it fills the registry)
from sdy.stablehlo.reification.size_values import Size, Sizes, as_index_tensor, result_size, written
from sdy.stablehlo.types.sizes import DYNAMIC
from sdy.stablehlo.types.value_types import Tensor
from sdy.stablehlo.verification import facts_of

_SHAPE_OPERAND = {
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_reshape": 1,
    "stablehlo.rng": 2,
}
"""Ops that are given the sizes of their result."""


def reify_return_type_shapes(
    builder: ir.InsertionPoint, op: ir.Operation, operands: Sequence[ir.Value]
) -> list[ir.Value]:
    """The sizes of each result of an op, as a one-dimensional tensor of `index` per result.

    Args:
      builder: an insertion point; constants, sizes of operands and what is computed from them are inserted there.
      op: the op.
      operands: values that stand for its operands, which may be other values of the same types.

    Raises:
      InferenceError: a result is no tensor, or a size that is not known does not follow from the operands, as the sizes
        of what a call, a branch or a loop gives.
    """
    facts = facts_of(op)
    types = _result_types(facts)
    given = _SHAPE_OPERAND.get(facts.name)
    with builder, op.operation.location:
        if given is not None:
            return [as_index_tensor(operands[given])]
        sizes = Sizes(facts, operands)
        return [_shape(sizes, number, type_) for number, type_ in enumerate(types)]


def _result_types(facts: OpFacts) -> list[Tensor]:
    """The inferred types, or the declared ones where they do not follow from the operands."""
    registration = registration_of(facts)
    types = infer_checked(facts, registration) if registration.infer is not None else list(facts.results)
    found = [type_ for type_ in types if isinstance(type_, Tensor)]
    if len(found) != len(types):
        raise facts.error("results", "has results that are no tensors")
    return found


def _shape(sizes: Sizes, number: int, type_: Tensor) -> ir.Value:
    return written([size if size != DYNAMIC else _open(sizes, number, dim) for dim, size in enumerate(type_.dims)])


def _open(sizes: Sizes, number: int, dim: int) -> Size:
    size = result_size(sizes, number, dim)
    if size is None:
        facts = sizes.facts
        message = f"size {dim} of its result does not follow from its operands"
        raise InferenceError(facts.name, f"{facts.short_name}_results", message)
    return size
