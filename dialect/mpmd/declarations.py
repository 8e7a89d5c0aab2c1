"""The dialect `mpmd`: its attributes, type, ops, and their value objects."""

# The annotations are IRDL constraints, which the bindings read; to Python they are no types.
# pyright: reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from sdy.dialect.definition import attributes as codecs
from sdy.dialect.definition.attributes import ShardingPerValueAttr
from sdy.dialect.mpmd.values import (
    MeshesWithOrigins,
    MeshReduction,
    MeshTensor,
    MeshWithOrigins,
    NamedMesh,
    Origin,
    ReductionKind,
    Topology,
    UserOrigin,
)
from sdy.mlir import declared_dialects, ext, ir
from sdy.mlir.declared_dialects import integers, irdl_of
from sdy.mlir.effects import RecursiveEffects, RecursivelySpeculatable

Same = TypeVar("Same")


class Mpmd(ext.Dialect, name="mpmd"):
    """Programs of several meshes: fragments, each on one mesh, and transfers of tensors between meshes.

    A function has a `topology`, which names its meshes. The type of a tensor on a mesh names the mesh.

        #topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
        !on_m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
        !on_m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>
        func.func @main(%x: !on_m1) -> !on_m2 attributes {topology = #topology} {
          %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%x) (%y: tensor<4xf32>) {
            %2 = stablehlo.tanh %y : tensor<4xf32>
            mpmd.return %2 : tensor<4xf32>
          } : (!on_m1) -> !on_m1
          %1 = mpmd.transfer %0 : (!on_m1) -> !on_m2
          return %1 : !on_m2
        }

    A context has the dialect once a text with something of it is parsed, or `sdy.dialect.context.load_mpmd` is called.
    In Python, `sdy.dialect.mpmd.mpmd_builders` has a function for each op.
    """

    groups = declared_dialects.DEFAULT_GROUPS
    file = Path(__file__).with_name("mpmd.irdl.mlir")

    @classmethod
    def emit(cls, groups: int) -> ir.Module:
        """The IRDL of the dialect, with `groups` groups of values in ops with any number of them."""
        return declared_dialects.emit_dialect(cls, groups)

    @classmethod
    def _emit_module(cls) -> ir.Module:
        return ir.Module.parse(irdl_of(cls.file, cls.emit, cls.groups))


class NamedMeshAttr(Mpmd.Attribute, name="named_mesh"):
    """A mesh of a topology: ``<"m1" : <["x"=2]>>``."""

    name: ir.StringAttr
    mesh: Any


class TopologyAttr(Mpmd.Attribute, name="topology"):
    """The meshes of a program, in order: ``<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>``."""

    meshes: ir.ArrayAttr


class UserOriginAttr(Mpmd.Attribute, name="user_origin"):
    """A computation that a user named, and how often it was transposed: ``<"f"(1)>``."""

    user_name: ir.StringAttr
    transpose_count: ir.IntegerAttr


class OriginAttr(Mpmd.Attribute, name="origin"):
    """A label that says why a value is on a mesh: ``"layer1"``."""

    label: ir.StringAttr


class MeshWithOriginsAttr(Mpmd.Attribute, name="mesh_with_origins"):
    """A mesh and the origins of a value there: ``"m1"["layer1"]``."""

    mesh_name: ir.StringAttr
    origins: ir.ArrayAttr


class MeshesWithOriginsAttr(Mpmd.Attribute, name="meshes_with_origins"):
    """Meshes with the origins of a value there: ``<"m1"["layer1", "layer2"], "m2">``."""

    meshes: ir.ArrayAttr


class MeshReductionAttr(Mpmd.Attribute, name="reduction"):
    """Reduction that combines tensors of several meshes: ``<add>``; none, add, max, min, mul, or, and are 0 to 6."""

    kind: integers(64, (kind.value for kind in ReductionKind))


class MeshTensorType(Mpmd.Type, name="mesh_tensor"):
    """A tensor on a mesh: ``<"m1", tensor<4x8xf32>, sharding=<@mesh, [{"x"}, {}]>, memory_kind="pinned_host">``.

    The tensor type is the global one. Sharding and kind of memory are optional.
    """

    mesh_name: ir.StringAttr
    tensor: ir.RankedTensorType
    sharding: Any
    memory_kind: ir.StringAttr | ir.UnitAttr


class NamedComputationOp(
    Mpmd.Operation,
    name="named_computation",
    traits=[ir.IsIsolatedFromAboveTrait, RecursiveEffects, RecursivelySpeculatable],
):
    """Ops that form a unit with a name, which users map to a mesh.

    ``%1 = mpmd.named_computation<"f"(1)> (%0) (%arg1: tensor<8xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>``
    """

    tensors: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    origin: UserOriginAttr
    region: ext.Region

    assembly_format = (
        "`` `<` `` $origin `` `>` `(` `` $tensors `` `)` attr-dict region($region) `:` "
        "functional-type($tensors, $results_)"
    )
    grammars = {"origin": "stripped_origin"}


class NamedTensorOp(Mpmd.Operation, name="named_tensor", traits=[ext.Pure]):
    """The operand under a name, which users map to a mesh.

    ``%1 = mpmd.named_tensor %0 name="x" : tensor<8xf32>``
    """

    tensor: ext.Operand[Same]
    name: ir.StringAttr
    result: ext.Result[Same]

    assembly_format = "$tensor `name` `` `=` `` $name attr-dict `:` type($result)"


# The accessor that `ext` makes for the attribute `name` would hide the op's own name.
del NamedTensorOp.name


class FragmentOp(
    Mpmd.Operation,
    name="fragment",
    traits=[ir.IsIsolatedFromAboveTrait, RecursiveEffects, RecursivelySpeculatable],
):
    """A program on one mesh, made of the computations in `origin`; an inferred fragment has none.

    Inside are the global tensors. The attributes `stage_id` (``stage=``), `in_shardings` and `out_shardings` are
    optional.

    ``%1 = mpmd.fragment<mesh="m1", origin=["f"], stage=2> (%0) (%arg1: tensor<8xf32>) { ... } : (...) -> ...``
    """

    inputs: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    mesh_name: ir.StringAttr
    origin: ir.ArrayAttr
    region: ext.Region

    assembly_format = (
        "`` `<` `` `mesh` `` `=` `` $mesh_name `` `,` `origin` `` `=` `` $origin "
        "(`` `,` `stage` `` `=` `` $stage_id^)? "
        "(`` `,` `in_shardings` `` `=` `` $in_shardings^)? "
        "(`` `,` `out_shardings` `` `=` `` $out_shardings^)? "
        "`` `>` `(` `` $inputs `` `)` attr-dict region($region) `:` functional-type($inputs, $results_)"
    )
    grammars = {"origin": "origin_list"}
    optional_attributes = {
        "stage_id": ir.IntegerAttr,
        "in_shardings": ShardingPerValueAttr,
        "out_shardings": ShardingPerValueAttr,
    }


class FragmentCallOp(Mpmd.Operation, name="fragment_call"):
    """A call of the function that holds the body of a fragment.

    ``%1 = mpmd.fragment_call<mesh="m1", origin=["f"]> @f(%0) : (...) -> ...``
    """

    tensors: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    origin: ir.ArrayAttr
    mesh_name: ir.StringAttr
    callee: ir.SymbolRefAttr

    assembly_format = (
        "`` `<` `` `mesh` `` `=` `` $mesh_name `` `,` `origin` `` `=` `` $origin `` `>` $callee `` `(` `` $tensors "
        "`` `)` attr-dict `:` functional-type($tensors, $results_)"
    )
    grammars = {"origin": "origin_list", "callee": "symbol_ref"}


class TransferOp(Mpmd.Operation, name="transfer", traits=[ext.Pure]):
    """Moves a tensor to another mesh, sharding or kind of memory.

    ``%1 = mpmd.transfer %0 : (!mpmd.mesh_tensor<"m1", tensor<8xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<8xf32>>``
    """

    tensor: ext.Operand[MeshTensorType]
    result: ext.Result[MeshTensorType]

    assembly_format = "attr-dict $tensor `:` functional-type($tensor, $result)"


class AssignOp(Mpmd.Operation, name="assign", traits=[ext.Pure]):
    """Puts a tensor on a mesh; the optional attribute `origin` says why.

    ``%1 = mpmd.assign {origin = "f"} %0 : (tensor<8xf32>) -> !mpmd.mesh_tensor<"m1", tensor<8xf32>>``
    """

    tensor: ext.Operand[ir.RankedTensorType]
    result: ext.Result[MeshTensorType]

    assembly_format = "attr-dict $tensor `:` functional-type($tensor, $result)"
    optional_attributes = {"origin": ir.StringAttr}


class UnassignOp(Mpmd.Operation, name="unassign", traits=[ext.Pure]):
    """Removes a tensor from its mesh; the optional attribute `origin` says why.

    ``%1 = mpmd.unassign {origin = "f"} %0 : (!mpmd.mesh_tensor<"m1", tensor<8xf32>>) -> tensor<8xf32>``
    """

    tensor: ext.Operand[MeshTensorType]
    result: ext.Result[ir.RankedTensorType]

    assembly_format = "attr-dict $tensor `:` functional-type($tensor, $result)"
    optional_attributes = {"origin": ir.StringAttr}


class CallOp(Mpmd.Operation, name="call"):
    """A call of a function over several meshes, such as one microbatch.

    ``%1 = mpmd.call @f(%0) {call_counter = 1 : ui32} : (tensor<8xf32>) -> tensor<8xf32>``
    """

    tensors: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    callee: ir.SymbolRefAttr

    assembly_format = "$callee `` `(` `` $tensors `` `)` attr-dict `:` functional-type($tensors, $results_)"
    grammars = {"callee": "symbol_ref"}


class ForOp(Mpmd.Operation, name="for", traits=[RecursiveEffects]):
    """A loop with a fixed number of iterations, whose body has the carried values and the index.

    ``%1 = mpmd.for (%0) {iterations = 4 : ui32} (%arg1: tensor<8xf32>, %i: tensor<ui32>) { ... } : tensor<8xf32>``

    The attribute `unroll_factor` is optional.
    """

    tensors: Sequence[ext.Operand[Any]]
    results_: Sequence[ext.Result[Any]]
    iterations: ir.IntegerAttr
    region: ext.Region

    assembly_format = "`(` `` $tensors `` `)` attr-dict region($region) `:` type($results_)"
    optional_attributes = {"unroll_factor": ir.IntegerAttr}


class BroadcastOp(Mpmd.Operation, name="broadcast", traits=[ext.Pure]):
    """The operand, copied to all meshes that use the result.

    ``%1 = mpmd.broadcast %0 : tensor<8xf32>``
    """

    tensor: ext.Operand[Same]
    result: ext.Result[Same]

    assembly_format = "attr-dict $tensor `:` type($result)"


class ReduceOp(Mpmd.Operation, name="reduce", traits=[ext.Pure]):
    """Combines tensors that may be on different meshes.

    ``%2 = mpmd.reduce<add> %0, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>``
    """

    tensors: Sequence[ext.Operand[Any]]
    result: ext.Result[ir.RankedTensorType]
    reduction: MeshReductionAttr

    assembly_format = "`` $reduction attr-dict $tensors `:` functional-type($tensors, $result)"


class MpmdReturnOp(Mpmd.Operation, name="return", traits=[ext.Pure, ir.IsTerminatorTrait]):
    """Ends the body of a named computation, of a fragment or of a loop.

    ``mpmd.return %0, %1 : tensor<8xf32>, tensor<4xf32>``
    """

    results_: Sequence[ext.Operand[Any]]

    assembly_format = "attr-dict ($results_^ `:` type($results_))?"


OPS: dict[str, type] = {cls.OPERATION_NAME: cls for cls in Mpmd.operations}
"""The op classes by full name."""


def is_mesh_tensor(type_: ir.Type) -> bool:
    """Return whether a type is that of a tensor on a mesh."""
    return isinstance(type_, ir.DynamicType) and str(type_).startswith(f"!{MeshTensorType.type_name}<")


def sharded_type(type_: ir.Type) -> ir.Type:
    """Return the type that a sharding refers to: the global type of a tensor on a mesh, else the type itself."""
    return ir.TypeAttr(ir.DynamicType(type_).params[1]).value if is_mesh_tensor(type_) else type_


TENSOR: codecs.Kind = (str, lambda param: str(param.maybe_downcast().value))
"""The kind of the text of a tensor type."""

codecs.register(
    {
        NamedMesh: (NamedMeshAttr, codecs.STRING, codecs.VALUE),
        Topology: (TopologyAttr, codecs.VALUES),
        UserOrigin: (UserOriginAttr, codecs.STRING, codecs.INT),
        Origin: (OriginAttr, codecs.STRING),
        MeshWithOrigins: (MeshWithOriginsAttr, codecs.STRING, codecs.VALUES),
        MeshesWithOrigins: (MeshesWithOriginsAttr, codecs.VALUES),
        MeshReduction: (MeshReductionAttr, codecs.enum_of(ReductionKind)),
        MeshTensor: (
            MeshTensorType,
            codecs.STRING,
            TENSOR,
            codecs.optional(codecs.VALUE),
            codecs.optional(codecs.STRING),
        ),
    }
)
