"""The ops of the dialect: operands, results, attributes and syntax.

The classes declare an op to IRDL (fields), to the assembly engine (`assembly_format`, in ODS's language) and to
upstream passes (traits). Passes and users build ops with the functions in `sdy.dialect.builders`.
"""

# The annotations are IRDL constraints, which the bindings read; to Python they are no types.
# pyright: reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from collections.abc import Sequence
from typing import Any, TypeVar

from sdy.dialect.definition.attributes import (
    AllToAllParamListAttr,
    AxisRefListAttr,
    ListOfAxisRefListsAttr,
    ManualAxesAttr,
    ShardingPerValueAttr,
    TensorShardingAttr,
)
from sdy.dialect.definition.dialect import Sdy
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ext, ir
from sdy.mlir.declared_dialects import integers
from sdy.mlir.effects import RecursiveEffects, RecursivelySpeculatable

Same = TypeVar("Same")
Ranked = TypeVar("Ranked", bound=ir.RankedTensorType)
Shaped = TypeVar(
    "Shaped",
    bound=ir.RankedTensorType | ir.UnrankedTensorType | ir.MemRefType | ir.UnrankedMemRefType | ir.VectorType,
)

Flowing = TypeVar("Flowing")
"""Shaped, or a tensor on a mesh; IRDL takes any type, since the dialect of the latter is not always loaded."""

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

    The constraint asks for the sharding of the result. It also asks for the operand's, if the sharding is closed and no
    other constraint applies to the operand (see `sdy-apply-sharding-constraints`). It is never dead code. After
    propagation `sdy-sharding-constraint-to-reshard` makes it a reshard.

    ``%1 = sdy.sharding_constraint %0 <@mesh, [{"data"}, {?}]> : tensor<8x8xf32>``
    """

    input: ext.Operand[Same]
    sharding: TensorShardingAttr
    result: ext.Result[Same]

    assembly_format = "$input $sharding attr-dict `:` type($result)"


class ReshardOp(Sdy.Operation, name="reshard", traits=[ext.Pure]):
    """Moves the operand to a sharding; the partitioner turns it into collectives.

    The value stays the same. Unlike a constraint an unused reshard is erased, and it does not constrain the operand.

    ``%1 = sdy.reshard %0 <@mesh, [{"data"}, {}]> : tensor<8x8xf32>``
    """

    input: ext.Operand[Same]
    sharding: TensorShardingAttr
    result: ext.Result[Same]

    assembly_format = "$input $sharding attr-dict `:` type($result)"


class ShardingGroupOp(Sdy.Operation, name="sharding_group"):
    """Puts the operand into a group of values that are sharded alike.

    Groups span the module: all values with the same `group_id`, in any function, have the same rank and get the same
    sharding.

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

    Through an op with regions the same tensor flows by way of several values, such as the initial value, the body's
    argument, the body's result and the result of a loop. They form one edge with one sharding, kept on this op. It
    stands behind the value that owns the edge and is its only user. `sdy-add-data-flow-edges` adds these ops, and
    `sdy-sink-data-flow-edges` moves the shardings back to the ops with regions.

    ``%1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"data"}]> : tensor<8xf32>``

    The attribute `sharding` is optional.
    """

    input: ext.Operand[Flowing]
    result: ext.Result[Flowing]

    assembly_format = "$input (`sharding` `` `=` `` $sharding^)? attr-dict `:` type($result)"
    optional_attributes = {"sharding": TensorShardingAttr}


class FuncDataFlowEdgeOp(Sdy.Operation, name="func_data_flow_edge"):
    """The data-flow edge of a function argument or of a call result.

    It serves calls as `sdy.data_flow_edge` serves ops with regions.

    ``%1 = sdy.func_data_flow_edge %arg0 : tensor<8xf32>``
    """

    input: ext.Operand[Flowing]
    result: ext.Result[Flowing]

    assembly_format = "$input attr-dict `:` type($result)"


class PropagationBarrierOp(Sdy.Operation, name="propagation_barrier", traits=[ext.Pure]):
    """Lets propagation pass in one direction only, or not at all.

    FORWARD is from the operand to the result.

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

    The body uses only its arguments, one per operand and of its type, and returns the results. Shardings are those of
    operands and results. The op has the effects of its body.

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

    Outside of the body tensors are global and have these shardings. Inside, they are a device's part along the manual
    axes, which have to be in front in each dimension. Propagation and the partitioner process the other axes in the
    body, where shardings do not name manual ones. The op has the effects of its body.

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


class Collective(Sdy.Operation):
    """Base of collectives, which bring a tensor to `out_sharding`."""

    tensor: ext.Operand[Shaped]
    out_sharding: TensorShardingAttr
    result: ext.Result[Shaped]

    assembly_format = "$tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)"


_REDUCTIONS = {"reduction_op": tuple(kind.keyword for kind in Reduction)}


class AllGatherOp(Collective, name="all_gather"):
    """Removes axes from dimensions: every device along them gets all of the data.

    The axes are the last ones of the operand's dimensions; `out_sharding` has the remaining ones.

    ``%1 = sdy.all_gather [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>``
    """

    gathering_axes: ListOfAxisRefListsAttr

    assembly_format = f"$gathering_axes {Collective.assembly_format}"


class AllSliceOp(Collective, name="all_slice"):
    """Adds axes to the end of dimensions without communication: each device keeps a slice of its part.

    ``%1 = sdy.all_slice [{"a"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>``
    """

    slicing_axes: ListOfAxisRefListsAttr

    assembly_format = f"$slicing_axes {Collective.assembly_format}"


class AllToAllOp(Collective, name="all_to_all"):
    """Moves axes from the end of dimensions to the end of others.

    ``%1 = sdy.all_to_all [{"a"}: 0->1] %0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>``
    """

    params: AllToAllParamListAttr

    assembly_format = f"$params {Collective.assembly_format}"


class CollectivePermuteOp(Collective, name="collective_permute"):
    """Exchanges shards for a sharding with equal shard counts but other axes, or another order of devices.

    ``%1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<8x8xf32>``
    """


class AllReduceOp(Collective, name="all_reduce"):
    """Combines partial values along axes, by sum unless ``max`` or ``min`` stands in front of them.

    ``%1 = sdy.all_reduce {"a"} %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>``
    """

    reduction_axes: AxisRefListAttr

    assembly_format = f"$reduction_op $reduction_axes {Collective.assembly_format}"
    enums = _REDUCTIONS


class ReduceScatterOp(Collective, name="reduce_scatter"):
    """Combines partial values along axes and slices the result by them.

    ``%1 = sdy.reduce_scatter [{"a"}, {}] %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>``
    """

    reduce_scatter_axes: ListOfAxisRefListsAttr

    assembly_format = f"$reduction_op $reduce_scatter_axes {Collective.assembly_format}"
    enums = _REDUCTIONS


class ShardedToUnreducedOp(Collective, name="sharded_to_unreduced"):
    """Turns axes of dimensions into unreduced axes.

    ``%1 = sdy.sharded_to_unreduced [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>``
    """

    axes: ListOfAxisRefListsAttr

    assembly_format = f"$axes {Collective.assembly_format}"


class ReplicatedToUnreducedOp(Collective, name="replicated_to_unreduced"):
    """Makes a replicated tensor unreduced along axes.

    ``%1 = sdy.replicated_to_unreduced {"a"} %0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>``
    """

    axes: AxisRefListAttr

    assembly_format = f"$axes {Collective.assembly_format}"


OPS: dict[str, type] = {cls.OPERATION_NAME: cls for cls in Sdy.operations}
"""The op classes by full name."""

COLLECTIVES = frozenset(name for name, op in OPS.items() if issubclass(op, Collective))
"""Full names of the collectives."""
