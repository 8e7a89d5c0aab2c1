"""Communication that reduces on its way: all_reduce, collective_reduce, reduce_scatter."""

from __future__ import annotations

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.families.collectives import check_roots
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.shared_rules.body_rules import check_reduction_body, returned_elements
from sdy.stablehlo.shared_rules.replica_group_rules import check_channel, check_replica_groups, group_size
from sdy.stablehlo.types.elements import Element
from sdy.stablehlo.types.sizes import DYNAMIC, Dimension, compatible_sizes
from sdy.stablehlo.types.value_types import Tensor, scalar

_GROUPS = "replica_groups:groups channel_handle?:channel use_global_device_ids?:unit"

declare("all_reduce", "operands*:Any", "results*:Any", _GROUPS, regions=1)
declare("collective_reduce", "operands*:Any", "results*:Any", f"{_GROUPS} has_dynamic_root?:unit", regions=1)
declare("reduce_scatter", "operand:Any", "Any", f"scatter_dimension:i64>=0 {_GROUPS}", regions=1)


def _returned(op: OpFacts, label: str) -> Element | None:
    """The element type that the region returns; None while it is empty."""
    elements = returned_elements(op, label, op.body(), 1)
    return elements[0] if elements else None


def _check_body(op: OpFacts, label: str, operand: Tensor) -> None:
    check_reduction_body(op, label, op.body(), [operand.known_element], [scalar(operand.element)])


# all_reduce ----------------------------------------------------------------------------------------------------------


@infers("all_reduce", "c6", elements="c7")
def infer_all_reduce(op: OpFacts) -> list[Tensor]:
    """The shapes of the operands without bounds; one element type for all."""
    operands = op.tensors()
    if not operands:
        return []
    element = _returned(op, "c7") or operands[0].element
    return [Tensor(operand.dims, element) for operand in operands]


@verifies("all_reduce")
def verify_all_reduce(op: OpFacts) -> None:
    check_replica_groups(op, "c1", "c3", padded=True)
    check_channel(op, "c4")
    for operand in op.tensors():
        _check_body(op, "c5", operand)


# collective_reduce ---------------------------------------------------------------------------------------------------


def _data(op: OpFacts) -> list[Tensor]:
    """The operands that are reduced, without the roots of the groups."""
    operands = op.tensors()
    return operands[:-1] if op.flag("has_dynamic_root") else operands


@infers("collective_reduce", "c3")
def infer_collective_reduce(op: OpFacts) -> list[Tensor]:
    """The shapes of the data without bounds, with the element type that the region returns."""
    element = _returned(op, "c3")
    return [Tensor(operand.dims, element or operand.element) for operand in _data(op)]


@verifies("collective_reduce")
def verify_collective_reduce(op: OpFacts) -> None:
    check_replica_groups(op, "c1", "c2", padded=True)
    check_channel(op, "channel")
    data = _data(op)
    if not data:
        raise op.error("i1", "needs an operand")
    if op.flag("has_dynamic_root"):
        check_roots(op, "i1", op.tensor(len(data)), len(data))
    for operand in data:
        _check_body(op, "c4", operand)


# reduce_scatter ------------------------------------------------------------------------------------------------------


@infers("reduce_scatter", "c8", partial=True)
def infer_reduce_scatter(op: OpFacts) -> list[Tensor]:
    """The scattered dimension is divided by the size of the groups; it is open if that is not known."""
    operand, dim, count = op.tensor(0), op.integer("scatter_dimension"), group_size(op)
    if not 0 <= dim < operand.rank:
        raise op.error("c2", f"scatter_dimension {dim} is none of {operand}")
    dimensions = operand.dimensions()
    dimensions[dim] = _part(op, dimensions[dim], count)
    element = _returned(op, "c9") or operand.element
    return [operand.with_dimensions(dimensions, keeps_bounds=bool(operand.bounds)).with_element(element)]


def _part(op: OpFacts, dimension: Dimension, count: int | None) -> Dimension:
    if count is None:
        return DYNAMIC, DYNAMIC
    size, bound = dimension
    if size != DYNAMIC and size % count:
        raise op.error("c1", f"size {size} is not divisible by {count}")
    size, bound = (DYNAMIC if each == DYNAMIC else each // count for each in dimension)
    return size, bound


@verifies("reduce_scatter")
def verify_reduce_scatter(op: OpFacts) -> None:
    operand, result = op.tensor(0), op.result(0)
    check_replica_groups(op, "c3", "c5")
    _check_body(op, "c7", operand)
    if operand.rank != result.rank:
        raise op.error("c8", f"ranks of {operand} and {result} differ")
    dim = op.integer("scatter_dimension")
    if not 0 <= dim < operand.rank:
        raise op.error("c2", f"scatter_dimension {dim} is none of {operand}")
    check_channel(op, "c6")
    whole, part = operand.dims[dim], result.dims[dim]
    if DYNAMIC in (whole, part):
        return
    if 0 in (whole, part) or whole % part:
        raise op.error("c8", f"size {whole} is no multiple of {part}")
    _check_scattered(op, result)


def _check_scattered(op: OpFacts, result: Tensor) -> None:
    inferred = infer_reduce_scatter(op)[0]
    if not all(map(compatible_sizes, inferred.dims, result.dims)):
        raise op.error("c8", f"the result must be {inferred}, not {result}")
    if inferred.element != result.element:
        raise op.error("c9", f"the region returns {inferred.element}, but the result is {result}")
