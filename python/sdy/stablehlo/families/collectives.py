"""Types of collectives."""

from __future__ import annotations

from sdy.stablehlo.attribute_readers import read_dense_ints
from sdy.stablehlo.body_rules import (
    check_channel,
    check_mesh_axes,
    check_reduction_body,
    check_replica_groups,
    group_size,
    returned_elements,
)
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import same_count, same_elements, same_elements_pairwise
from sdy.stablehlo.types.elements import I32, Element
from sdy.stablehlo.types.sizes import DYNAMIC, Dimension, compatible_sizes, is_unknown
from sdy.stablehlo.types.value_types import Tensor, compatible_shape_lists, scalar

declare(
    "all_gather",
    "operands*:Any",
    "results*:Any",
    "all_gather_dim:i64>=0 replica_groups:groups channel_handle?:channel use_global_device_ids?:unit",
    traits=[same_count("c6"), same_elements("c6")],
)
declare(
    "all_to_all",
    "operands*:Any",
    "results*:Any",
    "split_dimension:i64>=0 concat_dimension:i64>=0 split_count:i64>0 replica_groups:groups channel_handle?:channel",
    traits=[same_elements_pairwise("c9")],
)
declare(
    "collective_broadcast",
    "operands*:Any",
    "results*:Any",
    "replica_groups:groups channel_handle?:channel has_dynamic_root?:unit",
    traits=[same_elements_pairwise("c3")],
)
declare(
    "collective_permute",
    "operand:Any",
    "Any",
    "source_target_pairs:dense channel_handle?:channel",
    traits=[same_elements("c5")],
)


# all_gather ----------------------------------------------------------------------------------------------------------


@infers("all_gather", "c6", partial=True, compared=compatible_shape_lists)
def infer_all_gather(op: OpFacts) -> list[Tensor]:
    """Multiply the gathered dimension by the group size; it stays open if that is unknown."""
    check_replica_groups(op, "c2", "c4")
    check_channel(op, "c5")
    dim, count = op.integer("all_gather_dim"), group_size(op)
    results: list[Tensor] = []
    for operand in op.tensors():
        if not 0 <= dim < operand.rank:
            raise op.error("c1", f"all_gather_dim {dim} is not a dimension of {operand}")
        if operand.dims[dim] == 0:
            raise op.error("c6", f"{operand} has nothing to gather")
        dimensions = operand.dimensions()
        dimensions[dim] = _scaled(dimensions[dim], count)
        results.append(operand.with_dimensions(dimensions, keeps_bounds=bool(operand.bounds)))
    return results


def _scaled(dimension: Dimension, count: int | None) -> Dimension:
    if count is None:
        return DYNAMIC, DYNAMIC
    size, bound = (DYNAMIC if is_unknown(each) else each * count for each in dimension)
    return size, bound


def _divided(dimension: Dimension, count: int) -> Dimension:
    size, bound = (DYNAMIC if is_unknown(each) else each // count for each in dimension)
    return size, bound


@verifies("all_gather")
def verify_all_gather(op: OpFacts) -> None:
    """Check that the gathered dimension is a multiple of the operand's, even for groups of unknown size."""
    dim = op.integer("all_gather_dim")
    for operand, result in zip(op.tensors(), op.result_tensors(), strict=False):
        size, whole = (type_.dims[dim] if 0 <= dim < type_.rank else DYNAMIC for type_ in (operand, result))
        if size > 0 and whole != DYNAMIC and whole % size:
            raise op.error("c6", f"size {whole} of the result is not a multiple of {size}")


# all_to_all ----------------------------------------------------------------------------------------------------------


@infers("all_to_all", "c9")
def infer_all_to_all(op: OpFacts) -> list[Tensor]:
    """Divide the split dimension by the split count, and multiply the concat dimension by it."""
    split, concat = op.integer("split_dimension"), op.integer("concat_dimension")
    count = op.integer("split_count")
    if count <= 0:
        raise op.error("c4", f"split_count {count} must be positive")
    check_replica_groups(op, "c5", "c7", size=count, sized="c8")
    return [_exchanged(op, operand, split, concat, count) for operand in op.tensors()]


def _exchanged(op: OpFacts, operand: Tensor, split: int, concat: int, count: int) -> Tensor:
    if not 0 <= split < operand.rank:
        raise op.error("c1", f"split_dimension {split} is not a dimension of {operand}")
    if not 0 <= concat < operand.rank:
        raise op.error("c3", f"concat_dimension {concat} is not a dimension of {operand}")
    dimensions = operand.dimensions()
    size = dimensions[split][0]
    if size != DYNAMIC and size % count:
        raise op.error("c2", f"dimension {split} of {operand} is not divisible by {count}")
    dimensions[split] = _divided(dimensions[split], count)
    dimensions[concat] = _scaled(dimensions[concat], count)
    return operand.with_dimensions(dimensions, keeps_bounds=bool(operand.bounds))


# One operand to one result -------------------------------------------------------------------------------------------


@infers("collective_broadcast", "c3")
def infer_collective_broadcast(op: OpFacts) -> list[Tensor]:
    """The types of the operands, as StableHLO 1.20 has it: several, and perhaps the roots of the groups behind them."""
    operands = op.tensors()
    data = operands[:-1] if op.flag("has_dynamic_root") else operands
    if not data:
        raise op.error("c4" if operands else "c3", "needs an operand")
    if data is not operands:
        check_roots(op, "c4", operands[-1], len(data))
    _check_broadcast_groups(op)
    return data


def _check_broadcast_groups(op: OpFacts) -> None:
    """Check that ids occur once; missing ids are processes that do not participate."""
    groups = read_dense_ints(op.attributes.get("replica_groups"))
    if groups is None:
        check_mesh_axes(op, "c1")
        return
    if len(set(groups.values)) != len(groups.values):
        raise op.error("c1", "an id occurs twice in replica_groups")
    if any(each < 0 for each in groups.values):
        raise op.error("c2", "replica_groups has a negative id")


def check_roots(op: OpFacts, label: str, roots: Tensor, count: int) -> None:
    """Check the roots: the source or target process of each operand."""
    if roots != Tensor((count,), I32):
        raise op.error(label, f"the roots must be one 32-bit integer for each operand, not {roots}")


@infers("collective_permute", "c5")
def infer_collective_permute(op: OpFacts) -> list[Tensor]:
    check_pairs(op, ("c1", "c2", "c3", "c4"))
    return [op.tensor(0)]


def check_pairs(op: OpFacts, labels: tuple[str, str, str, str]) -> None:
    """Check pairs of processes: their shape, sources and targets once each, none negative."""
    shape, sources, targets, in_range = labels
    pairs = op.dense("source_target_pairs")
    if not pairs.is_pairs:
        raise op.error(shape, f"source_target_pairs must be of shape nx2, not {pairs.shape}")
    if pairs.least < 0:
        raise op.error(in_range, "source_target_pairs has a negative id")
    for label, position, what in ((sources, 0, "source"), (targets, 1, "target")):
        if pairs.repeats(position, 2):
            raise op.error(label, f"a {what} occurs twice in source_target_pairs")


_GROUPS = "replica_groups:groups channel_handle?:channel use_global_device_ids?:unit"

declare("all_reduce", "operands*:Any", "results*:Any", _GROUPS, regions=1)
declare("collective_reduce", "operands*:Any", "results*:Any", f"{_GROUPS} has_dynamic_root?:unit", regions=1)
declare("reduce_scatter", "operand:Any", "Any", f"scatter_dimension:i64>=0 {_GROUPS}", regions=1)


def _returned(op: OpFacts, label: str) -> Element | None:
    """Return the element type that the region returns; None while it is empty."""
    elements = returned_elements(op, label, op.body(), 1)
    return elements[0] if elements else None


def _check_body(op: OpFacts, label: str, operand: Tensor) -> None:
    check_reduction_body(op, label, op.body(), [operand.known_element], [scalar(operand.element)])


# all_reduce ----------------------------------------------------------------------------------------------------------


@infers("all_reduce", "c6", elements="c7")
def infer_all_reduce(op: OpFacts) -> list[Tensor]:
    """Return the shapes of the operands without bounds; one element type for all."""
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
    """Divide the scattered dimension by the group size; it stays open if that is unknown."""
    operand, dim, count = op.tensor(0), op.integer("scatter_dimension"), group_size(op)
    if not 0 <= dim < operand.rank:
        raise op.error("c2", f"scatter_dimension {dim} is not a dimension of {operand}")
    dimensions = operand.dimensions()
    dimensions[dim] = _part(op, dimensions[dim], count)
    element = _returned(op, "c9") or operand.element
    return [operand.with_dimensions(dimensions, keeps_bounds=bool(operand.bounds)).with_element(element)]


def _part(op: OpFacts, dimension: Dimension, count: int | None) -> Dimension:
    if count is None:
        return DYNAMIC, DYNAMIC
    if dimension[0] != DYNAMIC and dimension[0] % count:
        raise op.error("c1", f"size {dimension[0]} is not divisible by {count}")
    return _divided(dimension, count)


@verifies("reduce_scatter")
def verify_reduce_scatter(op: OpFacts) -> None:
    operand, result = op.tensor(0), op.result(0)
    check_replica_groups(op, "c3", "c5")
    _check_body(op, "c7", operand)
    if operand.rank != result.rank:
        raise op.error("c8", f"ranks of {operand} and {result} differ")
    dim = op.integer("scatter_dimension")
    if not 0 <= dim < operand.rank:
        raise op.error("c2", f"scatter_dimension {dim} is not a dimension of {operand}")
    check_channel(op, "c6")
    whole, part = operand.dims[dim], result.dims[dim]
    if DYNAMIC in (whole, part):
        return
    if 0 in (whole, part) or whole % part:
        raise op.error("c8", f"size {whole} is not a multiple of {part}")
    _check_scattered(op, result)


def _check_scattered(op: OpFacts, result: Tensor) -> None:
    inferred = infer_reduce_scatter(op)[0]
    if not all(map(compatible_sizes, inferred.dims, result.dims)):
        raise op.error("c8", f"the result must be {inferred}, not {result}")
    if inferred.element != result.element:
        raise op.error("c9", f"the region returns {inferred.element}, but the result is {result}")
