"""sort."""

from __future__ import annotations

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.shared_rules.body_rules import check_scalar_body
from sdy.stablehlo.shared_rules.traits import same_shapes, some_operands
from sdy.stablehlo.types.value_types import Tensor

declare(
    "sort",
    "inputs*:Any",
    "results*:Any",
    "dimension?:i64 is_stable?:bool",
    regions=1,
    traits=[some_operands("c1"), same_shapes("c3")],
)


@infers("sort", "c2")
def infer_sort(op: OpFacts) -> list[Tensor]:
    """The types of the inputs; the region is not looked at."""
    return op.tensors()


@verifies("sort")
def verify_sort(op: OpFacts) -> None:
    inputs = op.tensors()
    if not inputs:
        raise op.error("c1", "needs an input")
    dimension, rank = op.optional_integer("dimension", -1), inputs[0].rank
    if not -rank <= dimension < rank:
        raise op.error("c4", f"dimension {dimension} is none of {inputs[0]}")
    pairs = [input_.known_element for input_ in inputs for _ in range(2)]
    check_scalar_body(op, "c5", op.body(), pairs)
