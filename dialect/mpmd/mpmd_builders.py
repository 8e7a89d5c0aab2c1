"""Functions that build the ops of `mpmd`; the dialect has to be loaded (`sdy.dialect.context.load_mpmd`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from sdy.dialect.definition.attributes import attr_of, type_of
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.mpmd.values import MeshReduction, MeshTensor, ReductionKind, UserOrigin
from sdy.dialect.values.rule import ShardingPerValue
from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.mlir.tensor_types import i64_attr, ui32_attr

Body = Callable[..., Sequence[ir.Value]]
"""Given the arguments of a block, builds what is in it and says what it returns."""


def mesh_tensor(
    mesh_name: str, tensor: ir.Type, sharding: Any = None, memory_kind: str | None = None
) -> ir.DynamicType:
    """The type of a tensor on a mesh.

    Args:
      mesh_name: the mesh of the topology.
      tensor: the global type.
      sharding: a `TensorSharding`; None if each device has the whole tensor.
      memory_kind: "device" or "pinned_host"; None for the default one.
    """
    return ir.DynamicType(type_of(MeshTensor(mesh_name, str(tensor), sharding, memory_kind), tensor.context))


def _create(
    name: str,
    operands: Sequence[ir.Value],
    results: Sequence[ir.Type],
    attributes: Mapping[str, Any],
    at: At,
    regions: int = 0,
) -> ir.Operation:
    stored = {key: value for key, value in attributes.items() if value is not None}
    return ir.Operation.create(
        f"mpmd.{name}",
        results=list(results),
        operands=list(operands),
        attributes={key: _attribute(value) for key, value in stored.items()},
        regions=regions,
        **at,
    )


def _attribute(value: Any) -> ir.Attribute:
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    if isinstance(value, tuple):
        return ir.ArrayAttr.get([attr_of(each) for each in value])
    return attr_of(value)


def _u32(value: int | None) -> ir.Attribute | None:
    return None if value is None else ui32_attr(value)


def _fill(op: ir.Operation, types: Sequence[ir.Type], body: Body | None) -> ir.Operation:
    """Gives a new op its block, with arguments of the given types and a return of the values from `body`."""
    block = op.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    with ir.InsertionPoint(block), op.location:
        return_(body(*block.arguments) if body is not None else [])
    return op


def named_computation(
    origin: UserOrigin,
    operands: Sequence[ir.Value],
    results: Sequence[ir.Type],
    body: Body | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """Builds `mpmd.named_computation`; without `body` its block returns nothing."""
    op = _create("named_computation", operands, results, {"origin": origin}, at, regions=1)
    return _fill(op, [each.type for each in operands], body)


def named_tensor(operand: ir.Value, name: str, **at: Unpack[At]) -> ir.Value:
    """Builds `mpmd.named_tensor`."""
    return _create("named_tensor", [operand], [operand.type], {"name": name}, at).results[0]


def fragment(
    mesh_name: str,
    origins: Sequence[UserOrigin],
    operands: Sequence[ir.Value],
    results: Sequence[ir.Type],
    body: Body | None = None,
    *,
    stage: int | None = None,
    in_shardings: ShardingPerValue | None = None,
    out_shardings: ShardingPerValue | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """Builds `mpmd.fragment`.

    Args:
      mesh_name: the mesh that it is on.
      origins: the computations that it is made of; none for one that is inferred.
      operands: tensors on the mesh, and tokens.
      results: their types.
      body: gets the global tensors; without it the block returns nothing.
      stage: the stage of the pipeline.
      in_shardings: of the block's arguments.
      out_shardings: shardings of the returned values.
      at: where the op goes, and its location.
    """
    attributes = {
        "mesh_name": mesh_name,
        "origin": tuple(origins),
        "stage_id": None if stage is None else i64_attr(stage),
        "in_shardings": in_shardings,
        "out_shardings": out_shardings,
    }
    op = _create("fragment", operands, results, attributes, at, regions=1)
    return _fill(op, [sharded_type(each.type) for each in operands], body)


def fragment_call(
    mesh_name: str,
    origins: Sequence[UserOrigin],
    callee: str,
    operands: Sequence[ir.Value],
    results: Sequence[ir.Type],
    **at: Unpack[At],
) -> ir.Operation:
    """Builds `mpmd.fragment_call`."""
    attributes = {"mesh_name": mesh_name, "origin": tuple(origins), "callee": ir.FlatSymbolRefAttr.get(callee)}
    return _create("fragment_call", operands, results, attributes, at)


def transfer(operand: ir.Value, result: ir.Type, **at: Unpack[At]) -> ir.Value:
    """Builds `mpmd.transfer` to the type `result`."""
    return _create("transfer", [operand], [result], {}, at).results[0]


def assign(operand: ir.Value, result: ir.Type, origin: str | None = None, **at: Unpack[At]) -> ir.Value:
    """Builds `mpmd.assign` to the type `result`."""
    return _create("assign", [operand], [result], {"origin": origin}, at).results[0]


def unassign(operand: ir.Value, origin: str | None = None, **at: Unpack[At]) -> ir.Value:
    """Builds `mpmd.unassign`; the type of the result is the global one of the operand."""
    return _create("unassign", [operand], [sharded_type(operand.type)], {"origin": origin}, at).results[0]


def call(
    callee: str,
    operands: Sequence[ir.Value],
    results: Sequence[ir.Type],
    call_counter: int | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """Builds `mpmd.call`."""
    attributes = {"callee": ir.FlatSymbolRefAttr.get(callee), "call_counter": _u32(call_counter)}
    return _create("call", operands, results, attributes, at)


def for_(
    iterations: int,
    operands: Sequence[ir.Value],
    body: Body,
    unroll_factor: int | None = None,
    **at: Unpack[At],
) -> ir.Operation:
    """Builds `mpmd.for`; the last argument of `body` is the index."""
    types = [each.type for each in operands]
    attributes = {"iterations": _u32(iterations), "unroll_factor": _u32(unroll_factor)}
    op = _create("for", operands, types, attributes, at, regions=1)
    return _fill(op, [*types, ir.RankedTensorType.get([], ir.IntegerType.get_unsigned(32), loc=op.location)], body)


def broadcast(operand: ir.Value, **at: Unpack[At]) -> ir.Value:
    """Builds `mpmd.broadcast`."""
    return _create("broadcast", [operand], [operand.type], {}, at).results[0]


def reduce(operands: Sequence[ir.Value], kind: ReductionKind = ReductionKind.NONE, **at: Unpack[At]) -> ir.Value:
    """Builds `mpmd.reduce` of one or more tensors of one type."""
    return _create("reduce", operands, [operands[0].type], {"reduction": MeshReduction(kind)}, at).results[0]


def return_(operands: Sequence[ir.Value], **at: Unpack[At]) -> ir.Operation:
    """Builds `mpmd.return`."""
    return _create("return", operands, [], {}, at)
