"""Functions that build the ops of the dialect, for passes and users.

    with ir.InsertionPoint(block), ir.Location.unknown():
        y = ops.reshard(x, TensorSharding.closed("mesh", 2))
        z = ops.all_gather(y, [["a"], []], TensorSharding.closed("mesh", 2))

They take and return values and infer result types. Attribute parameters accept value objects, attributes, and plain
lists: axes by name or as `AxisRef`, one list per dimension where dimensions differ. `loc` and `ip` are the current ones
by default. Verification of the module checks conditions on the program, for example that the mesh has an axis.

Raises, all of them:
  TypeError: an argument is of another kind than the op needs.
  ValueError: it is none of the values that there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Unpack

from numpy.typing import NDArray

from sdy.dialect.definition.attributes import VALUE_CLASSES, attr_of, value_of
from sdy.dialect.definition.op_declarations import (
    COLLECTIVES,
    OPS,
    PROPAGATION_DIRECTIONS,
    AllGatherOp,
    AllReduceOp,
    AllSliceOp,
    AllToAllOp,
    CollectivePermuteOp,
    ConstantOp,
    DataFlowEdgeOp,
    Flowing,
    FuncDataFlowEdgeOp,
    ManualComputationOp,
    MeshOp,
    NamedComputationOp,
    PropagationBarrierOp,
    ReduceScatterOp,
    ReplicatedToUnreducedOp,
    ReshardOp,
    ReturnOp,
    Shaped,
    ShardedToUnreducedOp,
    ShardingConstraintOp,
    ShardingGroupOp,
)
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import (
    AllToAllParam,
    AllToAllParamList,
    AxisRefList,
    ListOfAxisRefLists,
    ManualAxes,
    ShardingPerValue,
)
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ext, ir
from sdy.mlir.rewriting import At

__all__ = ["COLLECTIVES", "OPS", "PROPAGATION_DIRECTIONS", "Flowing", "Shaped"]

Operand = ir.Value | ir.Operation
"""A value, or an op with one result."""

Axes = AxisRefList | Iterable[AxisRef | str] | ir.Attribute
AxesPerDim = ListOfAxisRefLists | Iterable[Iterable[AxisRef | str]] | ir.Attribute
Sharding = TensorSharding | ir.Attribute
Move = AllToAllParam | tuple[Iterable[AxisRef | str], int, int]
Moves = AllToAllParamList | Iterable[Move] | ir.Attribute
Shardings = ShardingPerValue | Iterable[TensorSharding] | ir.Attribute


# Arguments ---------------------------------------------------------------------------------------


@cache
def _kinds(op: type[ext.Operation]) -> dict[str, type]:
    """The value classes of the attributes of an op."""
    declared = {each.name: each.constraint for each in op._fields if isinstance(each, ext.AttributeDef)}
    declared |= getattr(op, "optional_attributes", {})
    found = {name: VALUE_CLASSES[kind._name] for name, kind in declared.items() if hasattr(kind, "_name")}
    return found | ({"mesh": Mesh} if op is MeshOp else {})


def _build(
    op: type[ext.Operation],
    operands: Sequence[ir.Value],
    result_types: Sequence[ir.Type],
    attributes: Mapping[str, object],
    regions: int = 0,
    **at: Unpack[At],
) -> ir.Operation:
    """Creates the op; attributes that are value objects become attributes, optional ones that are None are left out."""
    given = {
        name: value if isinstance(value, ir.Attribute) else _attribute(op, name, value)
        for name, value in attributes.items()
        if value is not None or name not in getattr(op, "optional_attributes", ())
    }
    return ir.Operation.create(
        op.OPERATION_NAME, results=list(result_types), operands=list(operands), attributes=given, regions=regions, **at
    )


def _attribute(op: type[ext.Operation], name: str, value: object) -> ir.Attribute:
    kind = _kinds(op).get(name)
    if type(value) is not kind:
        needed = kind.__name__ if kind is not None else "attribute"
        raise TypeError(f"'{op.OPERATION_NAME}' takes a {needed} as '{name}', not {value!r}")
    return attr_of(value)


def _value(op: type[ext.Operation], x: object) -> ir.Value:
    """The value `x`, or the only result of the op `x`."""
    if isinstance(x, ir.Value):
        return x
    results = getattr(x, "results", ())
    if len(results) != 1:
        raise TypeError(f"'{op.OPERATION_NAME}' takes a value, or an op with one result, not {x!r}")
    return results[0]


def _same_type(op: type[ext.Operation], x: Operand, attributes: Mapping[str, object], **at: Unpack[At]) -> ir.OpResult:
    operand = _value(op, x)
    return _build(op, [operand], [operand.type], attributes, **at).results[0]


def _axes(axes: AxisRefList | Iterable[AxisRef | str]) -> AxisList:
    if isinstance(axes, AxisRefList):
        return axes.axes
    if isinstance(axes, str):
        raise TypeError(f"expected a list of axes, not {axes!r}")
    return tuple(AxisRef(axis) if isinstance(axis, str) else axis for axis in axes)


def _axis_list(axes: Axes) -> AxisRefList | ir.Attribute:
    return axes if isinstance(axes, ir.Attribute) else AxisRefList(_axes(axes))


def _axis_lists(lists: AxesPerDim) -> ListOfAxisRefLists | ir.Attribute:
    if isinstance(lists, (ir.Attribute, ListOfAxisRefLists)):
        return lists
    return ListOfAxisRefLists(tuple(map(_axes, lists)))


def _shardings(shardings: Shardings | None) -> ShardingPerValue | ir.Attribute | None:
    if shardings is None or isinstance(shardings, (ir.Attribute, ShardingPerValue)):
        return shardings
    return ShardingPerValue(tuple(shardings))


def _integer(width: int, value: int) -> ir.IntegerAttr:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(width), value)


def _keyword(what: str, given: str, known: Sequence[str]) -> ir.IntegerAttr:
    """The integer of an enumeration's case, given by name."""
    if given not in known:
        raise ValueError(f"{given!r} is not a {what}: expected one of {', '.join(known)}")
    return _integer(32, known.index(given))


def _reduction(reduction: Reduction | str) -> ir.IntegerAttr:
    if isinstance(reduction, Reduction):
        return _integer(32, reduction.value)
    return _keyword("kind of reduction", reduction, [kind.keyword for kind in Reduction])


# Structure -----------------------------------------------------------------------------------------


def mesh(name: str, value: Mesh | ir.Attribute, **at: Unpack[At]) -> ir.Operation:
    """An ``sdy.mesh``; returns the op."""
    return _build(MeshOp, [], [], {"sym_name": ir.StringAttr.get(name), "mesh": value}, **at)


def sharding_constraint(x: Operand, sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` with a constraint on its sharding."""
    return _same_type(ShardingConstraintOp, x, {"sharding": sharding}, **at)


def reshard(x: Operand, sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` moved to `sharding`."""
    return _same_type(ReshardOp, x, {"sharding": sharding}, **at)


def sharding_group(x: Operand, group_id: int, **at: Unpack[At]) -> ir.Operation:
    """Puts `x` into a group; returns the op."""
    return _build(ShardingGroupOp, [_value(ShardingGroupOp, x)], [], {"group_id": _integer(64, group_id)}, **at)


def constant(value: ir.Attribute | NDArray[Any], **at: Unpack[At]) -> ir.OpResult:
    """A constant of an elements attribute, or of a NumPy array."""
    if not isinstance(value, ir.Attribute):
        value = ir.DenseElementsAttr.get(value)
    if not isinstance(getattr(value, "type", None), ir.ShapedType):
        raise TypeError(f"'sdy.constant' takes an elements attribute, not {value}")
    return _build(ConstantOp, [], [value.type], {"value": value}, **at).results[0]


def data_flow_edge(x: Operand, sharding: Sharding | None = None, **at: Unpack[At]) -> ir.OpResult:
    """The data-flow edge of the owner `x`."""
    return _same_type(DataFlowEdgeOp, x, {"sharding": sharding}, **at)


def func_data_flow_edge(x: Operand, **at: Unpack[At]) -> ir.OpResult:
    """The data-flow edge of a function argument or call result."""
    return _same_type(FuncDataFlowEdgeOp, x, {}, **at)


def propagation_barrier(x: Operand, direction: str, **at: Unpack[At]) -> ir.OpResult:
    """`x` behind a barrier that lets propagation through in `direction`: NONE, FORWARD or BACKWARD."""
    allowed = _keyword("propagation direction", direction, PROPAGATION_DIRECTIONS)
    return _same_type(PropagationBarrierOp, x, {"allowed_direction": allowed}, **at)


def named_computation(
    name: str,
    operands: Sequence[Operand],
    result_types: Sequence[ir.Type],
    in_shardings: Shardings | None = None,
    out_shardings: Shardings | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """A named computation with an empty block; returns the op.

    The block has an argument for each operand; `return_` has to end it.
    """
    values = [_value(NamedComputationOp, x) for x in operands]
    attributes = {
        "name": ir.StringAttr.get(name),
        "in_shardings": _shardings(in_shardings),
        "out_shardings": _shardings(out_shardings),
    }
    op = _build(NamedComputationOp, values, result_types, attributes, regions=1, **at)
    _entry_block(op, [x.type for x in values], values)
    return op


def manual_computation(
    operands: Sequence[Operand],
    result_types: Sequence[ir.Type],
    in_shardings: Shardings,
    out_shardings: Shardings,
    manual_axes: ManualAxes | Iterable[str] | ir.Attribute,
    local_types: Sequence[ir.Type] | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """A manual computation with an empty block; returns the op.

    The block has an argument for each operand: its part on one device along the manual axes, unless `local_types` says
    otherwise. `return_` has to end the block.
    """
    values = [_value(ManualComputationOp, x) for x in operands]
    attributes = {
        "in_shardings": _shardings(in_shardings),
        "out_shardings": _shardings(out_shardings),
        "manual_axes": _manual_axes(manual_axes),
    }
    op = _build(ManualComputationOp, values, result_types, attributes, regions=1, **at)
    try:
        types = _local_types(op, values) if local_types is None else local_types
    except ValueError:
        op.erase()
        raise
    _entry_block(op, types, values)
    return op


def _manual_axes(axes: ManualAxes | Iterable[str] | ir.Attribute) -> ManualAxes | ir.Attribute:
    if isinstance(axes, (ir.Attribute, ManualAxes)):
        return axes
    if isinstance(axes, str):
        raise TypeError(f"expected a list of axes, not {axes!r}")
    return ManualAxes(tuple(axes))


def _entry_block(op: ir.Operation, types: Sequence[ir.Type], values: Sequence[ir.Value]) -> None:
    op.regions[0].blocks.append(*types, arg_locs=[value.location for value in values])


def _local_types(op: ir.Operation, values: Sequence[ir.Value]) -> list[ir.Type]:
    """The types of the arguments of a manual computation's body."""
    shardings: ShardingPerValue = value_of(op.attributes["in_shardings"])
    manual: ManualAxes = value_of(op.attributes["manual_axes"])
    if len(shardings) != len(values):
        raise ValueError(f"{len(values)} operands have {len(shardings)} in_shardings")
    return [_local_type(op, x.type, each, manual) for x, each in zip(values, shardings, strict=True)]


def _local_type(op: ir.Operation, type_: ir.Type, sharding: TensorSharding, manual: ManualAxes) -> ir.Type:
    if not isinstance(type_, ir.RankedTensorType):
        return type_
    found = mesh_of(sharding.mesh_or_ref, op)
    if found is None:
        raise ValueError(f"there is no mesh '{sharding.mesh_or_ref}'")
    if sharding.rank != type_.rank:
        raise ValueError(f"a value of type {type_} has a sharding of {sharding.rank} dimensions: {sharding}")
    kept = sharding.with_dims(dim.with_axes(a for a in dim.axes if a.name in manual.names) for dim in sharding.dims)
    for axis in (axis for axis_list in kept.dim_axes for axis in axis_list):
        if axis.name not in found.axis_sizes:
            raise ValueError(f"the mesh of {sharding} has no axis '{axis.name}'")
    return ir.RankedTensorType.get(kept.local_shape(type_.shape, found.axis_sizes), type_.element_type, type_.encoding)


def return_(values: Sequence[Operand], **at: Unpack[At]) -> ir.Operation:
    """Ends a computation's body; returns the op."""
    return _build(ReturnOp, [_value(ReturnOp, x) for x in values], [], {}, **at)


# Collectives ---------------------------------------------------------------------------------------


def _collective(
    op: type[ext.Operation], x: Operand, out_sharding: Sharding, attributes: Mapping[str, object], **at: Unpack[At]
) -> ir.OpResult:
    return _same_type(op, x, {**attributes, "out_sharding": out_sharding}, **at)


def all_gather(x: Operand, gathering_axes: AxesPerDim, out_sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` gathered along `gathering_axes`, one list per dimension."""
    return _collective(AllGatherOp, x, out_sharding, {"gathering_axes": _axis_lists(gathering_axes)}, **at)


def all_slice(x: Operand, slicing_axes: AxesPerDim, out_sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` sliced along `slicing_axes`, one list per dimension."""
    return _collective(AllSliceOp, x, out_sharding, {"slicing_axes": _axis_lists(slicing_axes)}, **at)


def _move(move: Move) -> AllToAllParam:
    if isinstance(move, AllToAllParam):
        return move
    axes, source, target = move
    return AllToAllParam(_axes(axes), source, target)


def all_to_all(x: Operand, params: Moves, out_sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` with axes moved between dimensions; a move is an `AllToAllParam`, or axes with the two dimensions."""
    given = isinstance(params, (ir.Attribute, AllToAllParamList))
    moves = params if given else AllToAllParamList(tuple(map(_move, params)))
    return _collective(AllToAllOp, x, out_sharding, {"params": moves}, **at)


def collective_permute(x: Operand, out_sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` with its shards exchanged to fit `out_sharding`."""
    return _collective(CollectivePermuteOp, x, out_sharding, {}, **at)


def all_reduce(
    x: Operand,
    reduction_axes: Axes,
    out_sharding: Sharding,
    reduction: Reduction | str = Reduction.SUM,
    **at: Unpack[At],
) -> ir.OpResult:
    """`x` combined along `reduction_axes`."""
    attributes = {"reduction_axes": _axis_list(reduction_axes), "reduction_op": _reduction(reduction)}
    return _collective(AllReduceOp, x, out_sharding, attributes, **at)


def reduce_scatter(
    x: Operand,
    reduce_scatter_axes: AxesPerDim,
    out_sharding: Sharding,
    reduction: Reduction | str = Reduction.SUM,
    **at: Unpack[At],
) -> ir.OpResult:
    """`x` combined along axes and sliced by them, one list per dimension."""
    attributes = {"reduce_scatter_axes": _axis_lists(reduce_scatter_axes), "reduction_op": _reduction(reduction)}
    return _collective(ReduceScatterOp, x, out_sharding, attributes, **at)


def sharded_to_unreduced(x: Operand, axes: AxesPerDim, out_sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x` with axes of its dimensions, one list per dimension, made unreduced."""
    return _collective(ShardedToUnreducedOp, x, out_sharding, {"axes": _axis_lists(axes)}, **at)


def replicated_to_unreduced(x: Operand, axes: Axes, out_sharding: Sharding, **at: Unpack[At]) -> ir.OpResult:
    """`x`, replicated along `axes`, made unreduced along them."""
    return _collective(ReplicatedToUnreducedOp, x, out_sharding, {"axes": _axis_list(axes)}, **at)
