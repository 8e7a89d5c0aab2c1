"""Verification of the ops of functions, their order, and computations with regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.shardings.value_shardings import bypass_barriers, get_sharding
from sdy.dialect.values.axes import product, quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.dialect.verification.sharding_checks import (
    ANY,
    SYMBOL_USES,
    OpCheck,
    Scope,
    check_operand,
    check_unreduced,
    expect,
    invariants_of,
    symbol_uses_of,
    value,
)
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.rewriting import terminator

_BOTH = 3
"""The propagation direction that no barrier has."""


@invariants_of("sdy.mesh")
def mesh(op: ir.Operation, scope: Scope) -> None:
    value(op, "mesh", Mesh)
    if op.parent is None or op.parent.operation.name != "builtin.module":
        expect(op, "expects the parent op 'builtin.module'")


@symbol_uses_of("sdy.reshard", "sdy.sharding_constraint")
def reshard(op: ir.Operation, scope: Scope) -> None:
    """A valid sharding; axes that stay unreduced keep their reduction."""
    type_ = op.results[0].type
    key = ("reshard", address(op.attributes["sharding"]), address(op.operands[0].type), address(type_))
    if key in scope.valid:
        return
    sharding: TensorSharding = value(op, "sharding", TensorSharding)
    scope.check(op, sharding, type_)
    if not sharding.unreduced:
        scope.valid.add(key)
        return
    source = get_sharding(bypass_barriers(op.operands[0]))
    source_mesh = source and scope.meshes.of(source)
    if source is not None and source_mesh is not None:
        expect(op, check_operand(source, source_mesh))
        expect(op, check_unreduced([source], [sharding], [source_mesh, scope.mesh(sharding)], ANY, ANY))


@invariants_of("sdy.sharding_group")
def sharding_group(op: ir.Operation, scope: Scope) -> None:
    group = ir.IntegerAttr(op.attributes["group_id"])
    if str(group.type) != "i64":
        expect(op, f"has a group id of type {group.type}, expected i64")


CONSTANTS_OF_OTHER_TYPE = """
pdl.pattern : benefit(2) {
  %type = pdl.type
  %value = pdl.attribute : %type
  %op = pdl.operation "sdy.constant" {"value" = %value} -> (%type : !pdl.type)
  pdl.rewrite %op { %nothing = pdl.attribute = unit }
}
pdl.pattern : benefit(1) {
  %type = pdl.type
  %op = pdl.operation "sdy.constant" -> (%type : !pdl.type)
  pdl.rewrite %op { pdl.apply_native_rewrite "collect"(%op : !pdl.operation) }
}"""
"""Finds the constants that need to be checked.

The result is a ranked tensor by declaration, and only elements of static shape have the type of one.
"""


@invariants_of("sdy.constant")
def constant(op: ir.Operation, scope: Scope) -> None:
    held, result = op.attributes["value"], op.results[0].type
    type_ = getattr(held, "type", None)
    if not isinstance(type_, ir.ShapedType) or isinstance(type_, ir.VectorType):
        expect(op, "has a value that is not a tensor of elements")
    if not isinstance(result, ir.RankedTensorType) or not result.has_static_shape:
        expect(op, f"has a result of type {result}, expected a ranked tensor of static shape")
    if type_ != result and type_ != _storage_type(result):
        expect(op, f"has a result of type {result} for a value of type {type_}")


def _storage_type(type_: ir.RankedTensorType) -> ir.RankedTensorType:
    """Return `type_`; for a quantized type with the storage type of its elements."""
    text = str(type_.element_type)
    if not text.startswith("!quant."):
        return type_
    # `u8` says how the bits are read; they are stored as `i8`.
    storage = text.partition("<")[2].partition(":")[0].partition("<")[0].replace("u", "i")
    return ir.RankedTensorType.get(type_.shape, ir.Type.parse(storage))


@symbol_uses_of("sdy.data_flow_edge")
def data_flow_edge(op: ir.Operation, scope: Scope) -> None:
    """The one use of the result or block argument of a data-flow op."""
    _check_edge(op)
    defining = _defining_name(op.operands[0])
    if defining.startswith("sdy.") and defining not in ("sdy.named_computation", "sdy.manual_computation"):
        message = f"has an input defined by '{defining}', which has no data-flow edges"
        raise DiagnosticError(op, message, [(op.operands[0].location, "defined here")])
    if "sharding" in op.attributes:
        scope.check(op, value(op, "sharding", TensorSharding), op.results[0].type)


@symbol_uses_of("sdy.func_data_flow_edge")
def func_data_flow_edge(op: ir.Operation, scope: Scope) -> None:
    """The one use of a function argument or of a call's result."""
    _check_edge(op)
    operand = op.operands[0]
    if isinstance(operand, ir.BlockArgument):
        if operand.owner.owner.operation.name != "func.func":
            expect(op, "has an input that is an argument of a block that is not directly in a 'func.func'")
    elif _defining_name(operand) != "func.call":
        expect(op, "has an input that is neither a function argument nor the result of a 'func.call'")


def _defining_name(operand: ir.Value) -> str:
    """The name of the op that `operand` is a result of; empty for a block argument."""
    return operand.owner.operation.name if isinstance(operand, ir.OpResult) else ""


def _check_edge(op: ir.Operation) -> None:
    type_ = sharded_type(op.results[0].type)
    if not ir.ShapedType(type_).has_static_shape:
        expect(op, f"has a result of type {type_}, expected one of static shape")
    uses = iter(op.operands[0].uses)
    next(uses)
    if next(uses, None) is not None:
        expect(op, "has an input with other uses")


@invariants_of("sdy.propagation_barrier")
def propagation_barrier(op: ir.Operation, scope: Scope) -> None:
    same_type(op, scope)
    direction = ir.IntegerAttr(op.attributes["allowed_direction"]).value
    if not 0 <= direction <= _BOTH:
        expect(op, f"has an unknown direction, number {direction}")
    if direction == _BOTH:
        expect(op, "allows propagation in both directions, so it is not a barrier")


@invariants_of("sdy.data_flow_edge", "sdy.func_data_flow_edge")
def type_of_edge(op: ir.Operation, scope: Scope) -> None:
    """Check that the operand is shaped or a tensor on a mesh, which IRDL cannot express without that dialect loaded.

    The result has its type.
    """
    for each in (*op.operands, *op.results):
        if not isinstance(sharded_type(each.type), ir.ShapedType):
            expect(op, f"type '{each.type}' does not satisfy the constraint of edges, which are shaped")
    same_type(op, scope)


@invariants_of("sdy.reshard", "sdy.sharding_constraint")
def same_type(op: ir.Operation, scope: Scope) -> None:
    """The result has the type of the operand."""
    operand, result = op.operands[0].type, op.results[0].type
    if operand != result:
        expect(op, f"has a result of type {result} for an operand of type {operand}")


_SYMBOL_TABLE = "builtin.module"


def check_in_order(module: ir.Operation, scope: Scope, check_entry: OpCheck) -> None:
    """Raises the first error in the module, or that of each function.

    `check_entry` raises the errors of an op before symbols are looked up.

    Slow: nothing is cached between ops.
    """
    check_entry(module, scope)
    inner, later = _inside(module, scope), []
    for op in _nested(module):
        if len(op.regions) and op.has_trait(ir.IsIsolatedFromAboveTrait):
            later.append(op)
        else:
            check_in_order(op, inner, check_entry)
    # Upstream verifies all of them, whatever is wrong with one.
    with Faults() as faults:
        for op in later:
            with faults.one():
                check_in_order(op, inner, check_entry)
    if module.name == _SYMBOL_TABLE:
        _check_symbol_uses(module, inner)


def _check_symbol_uses(table: ir.Operation, scope: Scope) -> None:
    """Checks the ops of a symbol table, but not those of nested tables."""
    regions = [(region, scope) for region in table.regions]
    while regions:
        region, around = regions.pop()
        for block in region.blocks:
            for found in block.operations:
                op = found.operation
                check = SYMBOL_USES.get(op.name)
                if check is not None:
                    check(op, around)
                if op.name != _SYMBOL_TABLE:
                    inner = _inside(op, around)
                    regions += [(each, inner) for each in op.regions]


def _nested(op: ir.Operation) -> Iterator[ir.Operation]:
    """The ops directly in `op`."""
    for region in op.regions:
        for block in region.blocks:
            for nested in block.operations:
                yield nested.operation


def _inside(op: ir.Operation, scope: Scope) -> Scope:
    """Return the scope of the ops in `op`, which is in `scope`."""
    if op.name == _SYMBOL_TABLE:
        return scope.of_module(op)
    if op.name == "sdy.manual_computation":
        return scope.inside(op, value(op, "manual_axes", ManualAxes))
    return scope


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
    # The sharding of no value names the mesh of a computation with effects alone.
    for sharding, outer, inner in zip(shardings, global_types, local_types, strict=bool(global_types)):
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
    """Return whether `inner` is the local type of `outer` on one device along the manual axes."""
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
