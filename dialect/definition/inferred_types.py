"""Types of the results of sdy ops for StableHLO's inference (spec: type-inference, 4.5), and meshes of replica groups.

Import it where the types of any op are inferred; without it, groups along the axes of an `sdy.mesh` have no known size.
Ops that move a tensor have the type of the operand, which is the global
one; here types have to be equal, not only compatible.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import value_of
from sdy.mlir import ir
from sdy.stablehlo import OpFacts, Tensor, register_op
from sdy.stablehlo.body_rules import mesh_op
from sdy.stablehlo.families.sources import infer_constant, is_compatible_constant
from sdy.stablehlo.types.sizes import compatible_shapes
from sdy.stablehlo.types.value_types import ValueType

_OF_OPERAND = (
    "sharding_constraint reshard propagation_barrier all_gather all_slice all_to_all collective_permute all_reduce "
    "reduce_scatter sharded_to_unreduced replicated_to_unreduced"
).split()


def infer_moved(op: OpFacts) -> list[Tensor]:
    """The type of the operand."""
    return [op.tensor(0)]


def infer_computation(op: OpFacts) -> list[ValueType]:
    """The types that the body returns: it must not be empty."""
    if op.body().is_empty:
        raise op.error("body", "needs a body")
    return list(op.body().results)


def infer_nothing(op: OpFacts) -> list[ValueType]:
    """Infer no results."""
    del op
    return []


def verify_edge(op: OpFacts) -> None:
    """Operand and result have one element type and encoding, and compatible shapes."""
    source, target = op.tensor(0), op.result(0)
    same = (source.element, source.bounds, source.encoding) == (target.element, target.bounds, target.encoding)
    if not same or not compatible_shapes(source.dims, target.dims):
        raise op.error("results", f"types {source} and {target} differ")


def _equal(inferred: Sequence[ValueType], declared: Sequence[ValueType]) -> bool:
    return list(inferred) == list(declared)


for _name in _OF_OPERAND:
    register_op(f"sdy.{_name}", infer=infer_moved, is_compatible=_equal)
for _name in ("data_flow_edge", "func_data_flow_edge"):
    register_op(f"sdy.{_name}", verify=verify_edge)
for _name in ("mesh", "return", "sharding_group"):
    register_op(f"sdy.{_name}", infer=infer_nothing, is_compatible=_equal)
register_op("sdy.constant", infer=infer_constant, is_compatible=is_compatible_constant)
register_op("sdy.named_computation", infer=infer_computation, is_compatible=_equal)


@mesh_op("sdy.mesh")
def axis_sizes(op: ir.Operation) -> dict[str, int]:
    """The sizes of the axes of an `sdy.mesh` op."""
    return value_of(op.attributes["mesh"]).axis_sizes
