"""The ops of the dialect: what each has, how it is written, and functions that build them.

The classes declare an op to IRDL (fields), to the assembly engine (`assembly_format`, in ODS's language) and to
upstream passes (traits). The functions below them are what passes and users call: they take and return values, infer
result types, and accept value objects for attributes.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from sdy.dialect.attributes import (
    AllToAllParamListAttr,
    AxisRefListAttr,
    ListOfAxisRefListsAttr,
    ManualAxesAttr,
    ShardingPerValueAttr,
    TensorShardingAttr,
    attr_of,
)
from sdy.dialect.axes import AxisList
from sdy.dialect.constraints import integers
from sdy.dialect.dialect import Sdy
from sdy.dialect.effects import RecursiveEffects, RecursivelySpeculatable
from sdy.dialect.lists import (
    AllToAllParam,
    AllToAllParamList,
    AxisRefList,
    ListOfAxisRefLists,
    ManualAxes,
    ShardingPerValue,
)
from sdy.dialect.mesh import Mesh
from sdy.dialect.sharding import Reduction, TensorSharding
from sdy.mlir import ext, ir

Same = TypeVar("Same")
Ranked = TypeVar("Ranked", bound=ir.RankedTensorType)
Shaped = TypeVar(
    "Shaped",
    bound=ir.RankedTensorType | ir.UnrankedTensorType | ir.MemRefType | ir.UnrankedMemRefType | ir.VectorType,
)

PROPAGATION_DIRECTIONS = ("NONE", "FORWARD", "BACKWARD", "BOTH")
"""Spellings of the propagation directions; the position is the value that `allowed_direction` holds."""


# Structure -----------------------------------------------------------------------------------------


class MeshOp(Sdy.Operation, name="mesh"):
    """A named mesh of devices.

    ``sdy.mesh @mesh = <["data"=4, "model"=2]>``
    """

    sym_name: ir.StringAttr
    mesh: Any

    assembly_format = "$sym_name `=` $mesh attr-dict"


class ShardingConstraintOp(Sdy.Operation, name="sharding_constraint"):
    """Demands that the operand be sharded so, during propagation.

    ``%1 = sdy.sharding_constraint %0 <@mesh, [{"data"}, {?}]> : tensor<8x8xf32>``
    """

    input: ext.Operand[Same]
    sharding: TensorShardingAttr
    result: ext.Result[Same]

    assembly_format = "$input $sharding attr-dict `:` type($result)"


class ReshardOp(Sdy.Operation, name="reshard", traits=[ext.Pure]):
    """Moves the operand to a sharding; the partitioner turns it into collectives.

    ``%1 = sdy.reshard %0 <@mesh, [{"data"}, {}]> : tensor<8x8xf32>``
    """

    input: ext.Operand[Same]
    sharding: TensorShardingAttr
    result: ext.Result[Same]

    assembly_format = "$input $sharding attr-dict `:` type($result)"


class ShardingGroupOp(Sdy.Operation, name="sharding_group"):
    """Puts the operand into a group of values that are sharded alike.

    ``sdy.sharding_group %0 group_id=0 : tensor<8x8xf32>``
    """

    input: ext.Operand[ir.RankedTensorType]
    group_id: ir.IntegerAttr

    assembly_format = "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)"


class ConstantOp(Sdy.Operation, name="constant", traits=[ext.Pure]):
    """A constant that upstream neither folds nor merges, so that each use can be sharded its own way.

    ``%0 = sdy.constant dense<1.0> : tensor<8x8xf32>``
    """

    value: Any
    output: ext.Result[ir.RankedTensorType]

    assembly_format = "attr-dict $value"


class DataFlowEdgeOp(Sdy.Operation, name="data_flow_edge"):
    """Holds the sharding of a data-flow edge of the op that owns the operand.

    ``%1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"data"}]> : tensor<8xf32>``

    The attribute `sharding` is optional.
    """

    input: ext.Operand[Shaped]
    result: ext.Result[Shaped]

    assembly_format = "$input (`sharding` `` `=` `` $sharding^)? attr-dict `:` type($result)"
    optional_attributes = {"sharding": TensorShardingAttr}


class FuncDataFlowEdgeOp(Sdy.Operation, name="func_data_flow_edge"):
    """The data-flow edge of a function argument or of a call result.

    ``%1 = sdy.func_data_flow_edge %arg0 : tensor<8xf32>``
    """

    input: ext.Operand[Shaped]
    result: ext.Result[Shaped]

    assembly_format = "$input attr-dict `:` type($result)"


class PropagationBarrierOp(Sdy.Operation, name="propagation_barrier", traits=[ext.Pure]):
    """Lets propagation pass in one direction only, or not at all.

    ``%1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8xf32>``
    """

    input: ext.Operand[Ranked]
    allowed_direction: integers(32, range(len(PROPAGATION_DIRECTIONS)))
    result: ext.Result[Ranked]

    assembly_format = "$input `allowed_direction` `` `=` `` $allowed_direction attr-dict `:` type($input)"
    enums = {"allowed_direction": PROPAGATION_DIRECTIONS}


class NamedComputationOp(
    Sdy.Operation,
    name="named_computation",
    traits=[ir.IsIsolatedFromAboveTrait, RecursiveEffects, RecursivelySpeculatable],
):
    """A call with the callee's body in place.

    ``%1 = sdy.named_computation<"f">(%0) in_shardings=[...] (%arg1: tensor<8xf32>) { ... } : (...) -> ...``

    The attributes `in_shardings` and `out_shardings` are optional.
    """

    operands_: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    name: ir.StringAttr
    body: ext.Region

    assembly_format = (
        "`` `<` `` $name `` `>` `` `(` `` $operands_ `` `)` (`in_shardings` `` `=` `` $in_shardings^)? "
        "(`out_shardings` `` `=` `` $out_shardings^)? region($body) attr-dict `:` "
        "functional-type($operands_, $results_)"
    )
    optional_attributes = {"in_shardings": ShardingPerValueAttr, "out_shardings": ShardingPerValueAttr}


# The accessor that `ext` makes for the attribute `name` would hide the op's own name.
del NamedComputationOp.name


class ManualComputationOp(
    Sdy.Operation, name="manual_computation", traits=[ir.IsIsolatedFromAboveTrait, RecursiveEffects]
):
    """A body on local tensors along the manual axes, with collectives of its own.

    ``%1 = sdy.manual_computation(%0) in_shardings=[...] out_shardings=[...] manual_axes={"a"} (%arg1: ...) {..} : ..``
    """

    operands_: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    in_shardings: ShardingPerValueAttr
    out_shardings: ShardingPerValueAttr
    manual_axes: ManualAxesAttr
    body: ext.Region

    assembly_format = (
        "`` `(` `` $operands_ `` `)` `in_shardings` `` `=` `` $in_shardings `out_shardings` `` `=` `` $out_shardings "
        "`manual_axes` `` `=` `` $manual_axes region($body) attr-dict `:` functional-type($operands_, $results_)"
    )


class ReturnOp(Sdy.Operation, name="return", traits=[ext.Pure, ir.IsTerminatorTrait]):
    """Ends the body of a named or manual computation.

    ``sdy.return %0, %1 : tensor<8xf32>, tensor<4xf32>``
    """

    results_: Sequence[ext.Operand[Any]]

    assembly_format = "attr-dict ($results_^ `:` type($results_))?"


# Collectives ---------------------------------------------------------------------------------------


class AllGatherOp(Sdy.Operation, name="all_gather"):
    """Removes axes from dimensions.

    ``%1 = sdy.all_gather [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    gathering_axes: ListOfAxisRefListsAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$gathering_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


class AllSliceOp(Sdy.Operation, name="all_slice"):
    """Adds axes to dimensions, without communication.

    ``%1 = sdy.all_slice [{"a"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    slicing_axes: ListOfAxisRefListsAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$slicing_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


class AllToAllOp(Sdy.Operation, name="all_to_all"):
    """Moves axes from dimensions to others.

    ``%1 = sdy.all_to_all [{"a"}: 0->1] %0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    params: AllToAllParamListAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$params $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


class CollectivePermuteOp(Sdy.Operation, name="collective_permute"):
    """Exchanges shards so that the same shard counts come from other axes.

    ``%1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


class AllReduceOp(Sdy.Operation, name="all_reduce"):
    """Combines partial values along axes.

    ``%1 = sdy.all_reduce {"a"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    reduction_axes: AxisRefListAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = (
        "$reduction_op $reduction_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"
    )
    enums = {"reduction_op": tuple(kind.keyword for kind in Reduction)}


class ReduceScatterOp(Sdy.Operation, name="reduce_scatter"):
    """Combines partial values along axes and slices the result by them.

    ``%1 = sdy.reduce_scatter [{"a"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    reduce_scatter_axes: ListOfAxisRefListsAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = (
        "$reduction_op $reduce_scatter_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"
    )
    enums = {"reduction_op": tuple(kind.keyword for kind in Reduction)}


class ShardedToUnreducedOp(Sdy.Operation, name="sharded_to_unreduced"):
    """Turns axes of dimensions into unreduced axes.

    ``%1 = sdy.sharded_to_unreduced [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    axes: ListOfAxisRefListsAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


class ReplicatedToUnreducedOp(Sdy.Operation, name="replicated_to_unreduced"):
    """Makes a replicated tensor unreduced along axes.

    ``%1 = sdy.replicated_to_unreduced {"a"} %0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>``
    """

    tensor: ext.Operand[Shaped]
    axes: AxisRefListAttr
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


OPS: dict[str, type] = {cls.OPERATION_NAME: cls for cls in Sdy.operations}
"""The op classes by full name."""

VARIADIC = frozenset(cls.OPERATION_NAME for cls in (NamedComputationOp, ManualComputationOp, ReturnOp))
"""Full names of the ops with any number of operands or results of any types (see `sdy.dialect.variadic`)."""

COLLECTIVES = frozenset(
    cls.OPERATION_NAME
    for cls in (
        AllGatherOp,
        AllSliceOp,
        AllToAllOp,
        CollectivePermuteOp,
        AllReduceOp,
        ReduceScatterOp,
        ShardedToUnreducedOp,
        ReplicatedToUnreducedOp,
    )
)
"""Full names of the collectives."""


# Builders ------------------------------------------------------------------------------------------


def _build(
    op: type,
    operands: Sequence[Any],
    result_types: Sequence[Any],
    attributes: dict[str, Any],
    loc: Any,
    ip: Any,
    regions: int = 0,
) -> Any:
    """Creates the op; attributes that are value objects become attributes, None is left out."""
    given = {
        name: value if isinstance(value, ir.Attribute) else attr_of(value)
        for name, value in attributes.items()
        if value is not None
    }
    return ir.Operation.create(
        op.OPERATION_NAME,
        results=list(result_types),
        operands=list(operands),
        attributes=given,
        regions=regions,
        loc=loc,
        ip=ip,
    )


def _same_type(op: type, x: Any, attributes: dict[str, Any], loc: Any, ip: Any) -> Any:
    return _build(op, [x], [x.type], attributes, loc, ip).results[0]


def _i32(value: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)


def _i64(value: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def mesh(name: str, value: Mesh, *, loc: Any = None, ip: Any = None) -> Any:
    """An ``sdy.mesh``; returns the op."""
    return _build(MeshOp, [], [], {"sym_name": ir.StringAttr.get(name), "mesh": value}, loc, ip)


def sharding_constraint(x: Any, sharding: TensorSharding, *, loc: Any = None, ip: Any = None) -> Any:
    """`x` with a constraint on its sharding."""
    return _same_type(ShardingConstraintOp, x, {"sharding": sharding}, loc, ip)


def reshard(x: Any, sharding: TensorSharding, *, loc: Any = None, ip: Any = None) -> Any:
    """`x` moved to `sharding`."""
    return _same_type(ReshardOp, x, {"sharding": sharding}, loc, ip)


def sharding_group(x: Any, group_id: int, *, loc: Any = None, ip: Any = None) -> Any:
    """Puts `x` into a group; returns the op."""
    return _build(ShardingGroupOp, [x], [], {"group_id": _i64(group_id)}, loc, ip)


def constant(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """A constant of an elements attribute."""
    return _build(ConstantOp, [], [value.type], {"value": value}, loc, ip).results[0]


def data_flow_edge(x: Any, sharding: TensorSharding | None = None, *, loc: Any = None, ip: Any = None) -> Any:
    """The data-flow edge of the owner `x`."""
    return _same_type(DataFlowEdgeOp, x, {"sharding": sharding}, loc, ip)


def func_data_flow_edge(x: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """The data-flow edge of a function argument or call result."""
    return _same_type(FuncDataFlowEdgeOp, x, {}, loc, ip)


def propagation_barrier(x: Any, direction: str, *, loc: Any = None, ip: Any = None) -> Any:
    """`x` behind a barrier that lets propagation through in `direction`: NONE, FORWARD or BACKWARD."""
    allowed = _i32(PROPAGATION_DIRECTIONS.index(direction))
    return _same_type(PropagationBarrierOp, x, {"allowed_direction": allowed}, loc, ip)


def named_computation(
    name: str,
    operands: Sequence[Any],
    result_types: Sequence[Any],
    in_shardings: Iterable[TensorSharding] | None = None,
    out_shardings: Iterable[TensorSharding] | None = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """A named computation with an empty block; returns the op."""
    attributes = {
        "name": ir.StringAttr.get(name),
        "in_shardings": None if in_shardings is None else ShardingPerValue(tuple(in_shardings)),
        "out_shardings": None if out_shardings is None else ShardingPerValue(tuple(out_shardings)),
    }
    op = _build(NamedComputationOp, operands, result_types, attributes, loc, ip, regions=1)
    _entry_block(op, [x.type for x in operands], operands)
    return op


def manual_computation(
    operands: Sequence[Any],
    result_types: Sequence[Any],
    in_shardings: Iterable[TensorSharding],
    out_shardings: Iterable[TensorSharding],
    manual_axes: Iterable[str],
    local_types: Sequence[Any],
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """A manual computation with an empty block on `local_types`; returns the op."""
    attributes = {
        "in_shardings": ShardingPerValue(tuple(in_shardings)),
        "out_shardings": ShardingPerValue(tuple(out_shardings)),
        "manual_axes": ManualAxes(tuple(manual_axes)),
    }
    op = _build(ManualComputationOp, operands, result_types, attributes, loc, ip, regions=1)
    _entry_block(op, local_types, operands)
    return op


def _entry_block(op: Any, types: Sequence[Any], values: Sequence[Any]) -> None:
    op.regions[0].blocks.append(*types, arg_locs=[value.location for value in values])


def return_(values: Sequence[Any], *, loc: Any = None, ip: Any = None) -> Any:
    """Ends a computation's body; returns the op."""
    return _build(ReturnOp, values, [], {}, loc, ip)


def all_gather(
    x: Any, gathering_axes: Iterable[AxisList], out_sharding: TensorSharding, *, loc: Any = None, ip: Any = None
) -> Any:
    """`x` gathered along `gathering_axes`, one list per dimension."""
    axes = ListOfAxisRefLists(tuple(map(tuple, gathering_axes)))
    return _same_type(AllGatherOp, x, {"gathering_axes": axes, "out_sharding": out_sharding}, loc, ip)


def all_slice(
    x: Any, slicing_axes: Iterable[AxisList], out_sharding: TensorSharding, *, loc: Any = None, ip: Any = None
) -> Any:
    """`x` sliced along `slicing_axes`, one list per dimension."""
    axes = ListOfAxisRefLists(tuple(map(tuple, slicing_axes)))
    return _same_type(AllSliceOp, x, {"slicing_axes": axes, "out_sharding": out_sharding}, loc, ip)


def all_to_all(
    x: Any, params: Iterable[AllToAllParam], out_sharding: TensorSharding, *, loc: Any = None, ip: Any = None
) -> Any:
    """`x` with axes moved between dimensions."""
    moves = AllToAllParamList(tuple(params))
    return _same_type(AllToAllOp, x, {"params": moves, "out_sharding": out_sharding}, loc, ip)


def collective_permute(x: Any, out_sharding: TensorSharding, *, loc: Any = None, ip: Any = None) -> Any:
    """`x` with its shards exchanged to fit `out_sharding`."""
    return _same_type(CollectivePermuteOp, x, {"out_sharding": out_sharding}, loc, ip)


def all_reduce(
    x: Any,
    reduction_axes: Iterable[Any],
    out_sharding: TensorSharding,
    reduction: Reduction = Reduction.SUM,
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """`x` combined along `reduction_axes`."""
    axes = AxisRefList(tuple(reduction_axes))
    attributes = {"reduction_axes": axes, "out_sharding": out_sharding, "reduction_op": _i32(reduction.value)}
    return _same_type(AllReduceOp, x, attributes, loc, ip)


def reduce_scatter(
    x: Any,
    reduce_scatter_axes: Iterable[AxisList],
    out_sharding: TensorSharding,
    reduction: Reduction = Reduction.SUM,
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """`x` combined along axes and sliced by them, one list per dimension."""
    axes = ListOfAxisRefLists(tuple(map(tuple, reduce_scatter_axes)))
    attributes = {"reduce_scatter_axes": axes, "out_sharding": out_sharding, "reduction_op": _i32(reduction.value)}
    return _same_type(ReduceScatterOp, x, attributes, loc, ip)


def sharded_to_unreduced(
    x: Any, axes: Iterable[AxisList], out_sharding: TensorSharding, *, loc: Any = None, ip: Any = None
) -> Any:
    """`x` with axes of its dimensions, one list per dimension, made unreduced."""
    lists = ListOfAxisRefLists(tuple(map(tuple, axes)))
    return _same_type(ShardedToUnreducedOp, x, {"axes": lists, "out_sharding": out_sharding}, loc, ip)


def replicated_to_unreduced(
    x: Any, axes: Iterable[Any], out_sharding: TensorSharding, *, loc: Any = None, ip: Any = None
) -> Any:
    """`x`, replicated along `axes`, made unreduced along them."""
    axis_list = AxisRefList(tuple(axes))
    return _same_type(ReplicatedToUnreducedOp, x, {"axes": axis_list, "out_sharding": out_sharding}, loc, ip)
