"""Verification of named and manual computations (spec: dialect, 6.7 and 6.8)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.values.axes import product, quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.dialect.verification.scope import Scope, expect, invariants_of, symbol_uses_of, value
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import terminator


@invariants_of("sdy.named_computation")
def returned_types(op: ir.Operation, scope: Scope) -> None:
    if _returned(op) != [result.type for result in op.results]:
        expect(op, "returns values that differ from its results in number or type")


@symbol_uses_of("sdy.named_computation")
def named_computation(op: ir.Operation, scope: Scope) -> None:
    operands = [operand.type for operand in op.operands]
    if _arguments(op) != operands:
        expect(op, "has block arguments that differ from its operands in number or type")
    if "in_shardings" in op.attributes:
        scope.check_list(op, "in_shardings", operands, "in_shardings: ")
    if "out_shardings" in op.attributes:
        scope.check_list(op, "out_shardings", [result.type for result in op.results], "out_shardings: ")


@invariants_of("sdy.manual_computation")
def not_manual_yet(op: ir.Operation, scope: Scope) -> None:
    _body(op)
    manual: ManualAxes = value(op, "manual_axes", ManualAxes)
    for name in manual.names:
        if name in scope.manual_names:
            around = next(outer for outer, axes in reversed(scope.manual) if name in axes.names)
            raise DiagnosticError(
                op, f"has manual axis {quote(name)}, which is manual already", [(around.location, "made manual here")]
            )


@symbol_uses_of("sdy.manual_computation")
def manual_computation(op: ir.Operation, scope: Scope) -> None:
    manual: ManualAxes = value(op, "manual_axes", ManualAxes)
    operands = [operand.type for operand in op.operands]
    results = [result.type for result in op.results]
    ins = _check_side(op, scope, "in_shardings", operands, _arguments(op), manual)
    outs = _check_side(op, scope, "out_shardings", results, _returned(op), manual)
    if ins or outs:
        _check_manual_axes(op, scope, manual, [*ins, *outs])


def _arguments(op: ir.Operation) -> list[ir.Type]:
    return [argument.type for argument in _body(op).arguments]


def _returned(op: ir.Operation) -> list[ir.Type]:
    return [operand.type for operand in terminator(_body(op)).operands]


def _body(op: ir.Operation) -> ir.Block:
    """The one block of the op, which ends with an `sdy.return`."""
    blocks = list(op.regions[0].blocks)
    if len(blocks) != 1:
        expect(op, f"has a body of {len(blocks)} blocks, expected one")
    if not len(blocks[0].operations):
        expect(op, "has a body that does not end with 'sdy.return'")
    last = terminator(blocks[0])
    if last.name != "sdy.return":
        problem = f"has a body that ends with '{last.name}', expected 'sdy.return'"
        raise DiagnosticError(op, problem, [(last.location, "it ends here")])
    return blocks[0]


def _check_side(
    op: ir.Operation,
    scope: Scope,
    name: str,
    global_types: Sequence[ir.Type],
    local_types: Sequence[ir.Type],
    manual: ManualAxes,
) -> tuple[TensorSharding, ...]:
    """Checks operands with block arguments, or results with returned values; returns their shardings."""
    shardings: tuple[TensorSharding, ...] = value(op, name, ShardingPerValue).shardings
    if not (global_types or local_types or shardings):
        return ()
    what = f"{name}: "
    scope.check_all(op, shardings, global_types, what)
    if len(global_types) != len(local_types):
        expect(op, f"{what}{len(global_types)} values outside the body are {len(local_types)} inside")
    for sharding, outer, inner in zip(shardings, global_types, local_types, strict=True):
        expect(op, _check_manual_first(sharding, manual), what)
        if isinstance(outer, ir.ShapedType):
            expect(op, _check_local_type(outer, inner, sharding, manual, scope.mesh(sharding)), what)
    return shardings


def _check_manual_first(sharding: TensorSharding, manual: ManualAxes) -> str | None:
    for dim, axes in enumerate(sharding.dim_axes):
        free = [axis.name not in manual.names for axis in axes]
        if free != sorted(free):
            return f"dimension {dim} has a free axis before a manual one in {sharding}"
    return None


def _check_local_type(
    outer: ir.ShapedType, inner: ir.Type, sharding: TensorSharding, manual: ManualAxes, mesh: Mesh
) -> str | None:
    """Whether `inner` is what is left of `outer` on one device along the manual axes."""
    if sharding.rank != outer.rank:
        return f"a value of type {outer} cannot be on a single device"
    shape = []
    for dim, (size, dim_sharding) in enumerate(zip(outer.shape, sharding.dims, strict=True)):
        shards = _manual_shards(dim_sharding, manual, mesh)
        if size >= 0 and size % shards:
            return f"dimension {dim} of size {size} cannot be cut into {shards} equal parts along manual axes"
        shape.append(size // shards if size >= 0 else size)
    expected = ir.RankedTensorType.get(shape, outer.element_type, loc=ir.Location.unknown(outer.context))
    if inner != expected:
        return f"a value of type {outer} is {inner} inside the body, expected {expected}"
    return None


def _manual_shards(dim: DimensionSharding, manual: ManualAxes, mesh: Mesh) -> int:
    return product((axis for axis in dim.axes if axis.name in manual.names), mesh.axis_sizes)


def _check_manual_axes(op: ir.Operation, scope: Scope, manual: ManualAxes, shardings: Sequence[TensorSharding]) -> None:
    if not manual.names:
        return
    common = scope.meshes.common(shardings)
    mesh = None if common is None else scope.meshes.resolve(common)
    if mesh is None:
        expect(op, "has shardings on different meshes")
        return
    for name in manual.names:
        if name not in mesh.axis_sizes:
            expect(op, f"has manual axis {quote(name)}, which the mesh does not have")
