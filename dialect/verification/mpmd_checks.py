"""Verification of programs of several meshes (spec: mpmd, 1)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import is_sdy, number_of, string_of, text_of, value_of
from sdy.dialect.mpmd.declarations import is_mesh_tensor, sharded_type
from sdy.dialect.mpmd.values import MeshReduction, MeshTensor, ReductionKind, Topology, UserOrigin
from sdy.dialect.shardings.meshes import of_module
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification.sharding_checks import (
    Scope,
    as_value,
    check_sharding,
    expect,
    invariants_of,
    symbol_uses_of,
    value,
)
from sdy.mlir import address, ir
from sdy.mlir.rewriting import terminator
from sdy.mlir.walk import enclosing

_FUNCTION, _FOR = "func.func", "mpmd.for"
_MEMORY_KINDS = ("pinned_host", "device")
_MEMORY_KIND = "mhlo.memory_kind"
_TOKEN = "!stablehlo.token"
_U32 = "ui32"


# Questions about what is around ----------------------------------------------------------------------


def _has_topology(func: ir.Operation) -> bool:
    stored = func.attributes
    return "topology" in stored and is_sdy(stored["topology"], Topology)


def _name(func: ir.Operation) -> str:
    return text_of(ir.StringAttr(func.attributes["sym_name"]))


def _topology(op: ir.Operation) -> Topology:
    func = enclosing(op, _FUNCTION)
    if func is None or not _has_topology(func):
        name = "none around it" if func is None else _name(func)
        expect(op, f"Function does not have a topology attribute: {name}")
    assert func is not None
    return value_of(func.attributes["topology"])


def _mesh(op: ir.Operation, name: str) -> Mesh:
    mesh = _topology(op).find(name)
    if mesh is None:
        expect(op, f"Topology doesn't have a mesh with name: {name}")
    assert mesh is not None
    return mesh


def _parent_is(op: ir.Operation, *names: str) -> None:
    parent = op.parent
    if parent is None or parent.operation.name not in names:
        expect(op, f"expects parent op {'to be one of ' if len(names) > 1 else ''}'{', '.join(names)}'")


def _functions(module: ir.Operation) -> dict[str, ir.Operation]:
    """The functions directly in a module by name."""
    inside = (op.operation for op in module.regions[0].blocks[0].operations)
    return {_name(op): op for op in inside if op.name == _FUNCTION}


def _callee(op: ir.Operation) -> ir.Operation:
    attr = op.attributes["callee"]
    name = text_of(attr) if isinstance(attr, ir.FlatSymbolRefAttr) else str(attr)
    func = of_module(_functions, op).get(name)
    if func is None:
        expect(op, f"'{name}' does not reference a valid function")
    assert func is not None
    return func


# Types -----------------------------------------------------------------------------------------------


def _tensor_of(op: ir.Operation, scope: Scope, type_: ir.Type) -> MeshTensor:
    """The value of a mesh tensor's type. Raises `DiagnosticError` unless it is valid in the topology around `op`."""
    found = as_value(op, type_, MeshTensor, str(type_))
    mesh = _mesh(op, found.mesh_name)
    key = ("mesh tensor", address(type_), mesh)
    if key not in scope.valid:
        if found.sharding is not None:
            expect(op, _sharding_problem(found.sharding, ir.RankedTensorType(sharded_type(type_)), mesh, scope))
        scope.valid.add(key)
    return found


def _sharding_problem(sharding: TensorSharding, type_: ir.RankedTensorType, mesh: Mesh, scope: Scope) -> str | None:
    problem = check_sharding(sharding, mesh, scope.info(type_))
    if problem is not None:
        return problem
    for index, (size, axes) in enumerate(zip(type_.shape, sharding.dim_axes, strict=True)):
        parts = 1
        for axis in axes:
            parts *= axis.sub_axis.size if axis.sub_axis is not None else mesh.axis_sizes[axis.name]
        if size >= 0 and size % parts:
            return f"dim {index} with size {size} is not divisible by its sharded size {parts}"
    return None


def _shown(type_: ir.Type) -> str:
    """The text of a type as programs have it."""
    return f"!mpmd.mesh_tensor{value_of(type_)}" if is_mesh_tensor(type_) else str(type_)


def _types(values: Sequence[ir.Value]) -> list[ir.Type]:
    return [each.type for each in values]


def _pairwise(op: ir.Operation, inside: str, found: Sequence[ir.Type], outside: str, types: Sequence[ir.Type]) -> None:
    """Raises unless the values inside a body have the global types of the values outside."""
    if len(found) != len(types):
        expect(
            op,
            f"number of {inside}s must match the number of {outside}s respectively: {len(found)} != {len(types)}",
        )
    for here, there in zip(found, types, strict=True):
        if here != sharded_type(there):
            what = "be global tensor type" if is_mesh_tensor(there) else "match the"
            expect(
                op,
                f"expected the type of the {inside} to {what} {outside}: '{sharded_type(there)}', got: '{here}'",
            )


def _body(op: ir.Operation) -> tuple[list[ir.Type], list[ir.Type]]:
    """Return the types of the arguments of a body and of its returned values."""
    block = op.regions[0].blocks[0]
    end = terminator(block)
    if end.name != "mpmd.return":
        expect(op, f"has a body that ends with '{end.name}', expected 'mpmd.return'")
    return _types(block.arguments), _types(end.operands)


def _counter(op: ir.Operation) -> None:
    if "call_counter" in op.attributes and not _is_u32(op.attributes["call_counter"]):
        attr = op.attributes["call_counter"]
        expect(op, f"call_counter must be an uint32, got '{getattr(attr, 'type', attr)}'")


def _is_u32(attr: ir.Attribute) -> bool:
    return isinstance(attr, ir.IntegerAttr) and str(attr.type) == _U32


def _string(op: ir.Operation, name: str) -> None:
    if name in op.attributes and not isinstance(op.attributes[name], ir.StringAttr):
        expect(op, f"attribute '{name}' failed to satisfy constraint: string attribute")


def _origins(op: ir.Operation) -> None:
    if not all(is_sdy(each, UserOrigin) for each in ir.ArrayAttr(op.attributes["origin"])):
        expect(op, "has an attribute 'origin' that holds something else than user origins")


def _is_hlo_value(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) or str(type_) == _TOKEN


# Ops -------------------------------------------------------------------------------------------------


@invariants_of("mpmd.named_computation")
def named_computation(op: ir.Operation, scope: Scope) -> None:
    value(op, "origin", UserOrigin)
    for kind, types in (("operand", _types(op.operands)), ("result", _types(op.results))):
        for number, type_ in enumerate(types):
            if not _is_hlo_value(type_):
                expect(op, f"{kind} #{number} must be variadic of ranked tensor or token, but got '{_shown(type_)}'")
    arguments, returned = _body(op)
    _pairwise(op, "block argument", arguments, "operand", _types(op.operands))
    _pairwise(op, "returned value", returned, "result", _types(op.results))


@invariants_of("mpmd.fragment")
def fragment(op: ir.Operation, scope: Scope) -> None:
    _parent_is(op, _FUNCTION, _FOR)
    _origins(op)
    stage = op.attributes.get("stage_id")
    if stage is not None and not (isinstance(stage, ir.IntegerAttr) and str(stage.type) == "i64"):
        expect(op, "attribute 'stage_id' failed to satisfy constraint: 64-bit signless integer attribute")
    for name in ("in_shardings", "out_shardings"):
        if name in op.attributes:
            value(op, name, ShardingPerValue)
    arguments, returned = _body(op)
    _on_mesh(op, scope, is_token_allowed=True)
    _pairwise(op, "block argument", arguments, "operand", _types(op.operands))
    _pairwise(op, "returned value", returned, "result", _types(op.results))


def _on_mesh(op: ir.Operation, scope: Scope, *, is_token_allowed: bool) -> None:
    """Raises unless operands and results are on the mesh of a fragment or of a fragment call."""
    name = string_of(op.attributes["mesh_name"])
    _mesh(op, name)
    for kind, values in (("operand", op.operands), ("result", op.results)):
        for number, each in enumerate(values):
            if is_token_allowed and str(each.type) == _TOKEN:
                continue
            if not is_mesh_tensor(each.type):
                allowed = "mesh tensor type or token" if is_token_allowed else "mesh tensor type"
                expect(op, f"{kind} #{number} must be variadic of {allowed}, but got '{_shown(each.type)}'")
            found = _tensor_of(op, scope, each.type)
            if found.mesh_name != name:
                message = f"expected the mesh name of the {kind} to match that of the fragment op"
                expect(op, f"{message}: {found.mesh_name} != {name}")


@symbol_uses_of("mpmd.fragment_call")
def fragment_call(op: ir.Operation, scope: Scope) -> None:
    _parent_is(op, _FUNCTION)
    _origins(op)
    func = _callee(op)
    _on_mesh(op, scope, is_token_allowed=False)
    type_ = func.attributes["function_type"].value
    _pairwise(op, "block argument", type_.inputs, "operand", _types(op.operands))
    _pairwise(op, "returned value", type_.results, "result", _types(op.results))
    shape = func.attributes.get("mesh_shape")
    if shape is None or not is_sdy(shape, Mesh):
        expect(op, f"Function does not have a mesh_shape attribute: {_name(func)}")
    mesh, own = _mesh(op, string_of(op.attributes["mesh_name"])), value_of(func.attributes["mesh_shape"])
    if mesh != own:
        message = "Expected mesh of fragment call and callee function to match"
        expect(op, f"{message}: #sdy.mesh{mesh} vs #sdy.mesh{own}")


@invariants_of("mpmd.transfer")
def transfer(op: ir.Operation, scope: Scope) -> None:
    _parent_is(op, _FUNCTION)
    source, target = (_tensor_of(op, scope, each.type) for each in (op.operands[0], op.results[0]))
    if source.tensor != target.tensor:
        # The printed form is that of the dialect, not the one of IRDL that types have as texts.
        names = f"'!mpmd.mesh_tensor{source}' and '!mpmd.mesh_tensor{target}'"
        expect(op, f"cannot perform transfer between given types {names}: global tensor types are different")
    for each in (source, target):
        if each.memory_kind is not None and each.memory_kind not in _MEMORY_KINDS:
            expect(op, f"memory kind must be either 'pinned_host' or 'device'. Found '{each.memory_kind}'.")
    _no_memory_attribute(op)


def _no_memory_attribute(op: ir.Operation) -> None:
    """Raises if an attribute says that the operand of a transfer is in the memory of a host: its type has to."""
    operand = op.operands[0]
    kind = None
    if isinstance(operand, ir.OpResult):
        kind = operand.owner.operation.attributes.get(_MEMORY_KIND)
    elif isinstance(operand, ir.BlockArgument):
        func = operand.owner.owner.operation
        entries = func.attributes.get("arg_attrs") if func.name == _FUNCTION else None
        if entries is not None and _MEMORY_KIND in entries[operand.arg_number]:
            kind = entries[operand.arg_number][_MEMORY_KIND]
    if isinstance(kind, ir.StringAttr) and kind.value == "pinned_host":
        expect(op, "Memory kind attributes are not supported on operands of transfers; it must be in their type")


@invariants_of("mpmd.assign")
def assign(op: ir.Operation, scope: Scope) -> None:
    _to_or_from_mesh(op, scope, op.operands[0].type, op.results[0].type)


@invariants_of("mpmd.unassign")
def unassign(op: ir.Operation, scope: Scope) -> None:
    _to_or_from_mesh(op, scope, op.results[0].type, op.operands[0].type)


def _to_or_from_mesh(op: ir.Operation, scope: Scope, tensor: ir.Type, on_mesh: ir.Type) -> None:
    _parent_is(op, _FUNCTION, _FOR)
    _string(op, "origin")
    found = _tensor_of(op, scope, on_mesh)
    if found.sharding is not None and any(found.sharding.dim_axes):
        expect(op, f"MeshTensorType should be fully replicated: '!mpmd.mesh_tensor{found}'")
    if tensor != sharded_type(on_mesh):
        message = "mismatch between the given local type"
        expect(op, f"{message} '{tensor}' and mesh_type ranked tensor type: '{found.tensor}'")


@symbol_uses_of("mpmd.call")
def call(op: ir.Operation, scope: Scope) -> None:
    _counter(op)
    func, around = _callee(op), op.parent.operation
    name = _name(func)
    if around.name not in (_FUNCTION, _FOR):
        message = f'Mpmd CallOp on "{name}" can only be used in a function or for_op block'
        expect(op, f"{message} but was called from inside op {around.name}.")
    if _has_topology(func) and not _is_private(func):
        message = "MPMD CallOp callee with topology must also have visibility set to private"
        expect(op, f"{message}, as public functions with topologies are assumed to be entry point functions.")
    caller = enclosing(op, _FUNCTION)
    if caller is not None and _has_topology(caller) and _is_private(caller):
        message = f'Mpmd CallOp on "{name}" in an Mpmd function can only be used directly by the entrypoint function'
        expect(op, f'{message}, i.e. the main function, but was called from "{_name(caller)}".')
    type_ = func.attributes["function_type"].value
    for kind, values, types in (("operand", op.operands, type_.inputs), ("result", op.results, type_.results)):
        if len(values) != len(types):
            expect(op, f"has {len(values)} {kind}s, but its callee has {len(types)}")
        for each, wanted in zip(_types(values), types, strict=True):
            if each != wanted:
                expect(
                    op, f"Type mismatch. Expected call {kind} to have type '{_shown(wanted)}' but got '{_shown(each)}'"
                )


def _is_private(func: ir.Operation) -> bool:
    visibility = func.attributes.get("sym_visibility")
    return isinstance(visibility, ir.StringAttr) and visibility.value == "private"


@invariants_of("mpmd.for")
def loop(op: ir.Operation, scope: Scope) -> None:
    arguments, returned = _body(op)
    types = _types(op.operands)
    if len(arguments) != len(types) + 1:
        expect(op, "wrong number of arguments for region")
    for number, (found, wanted) in enumerate(zip(arguments[:-1], types, strict=True)):
        if found != wanted:
            expect(op, f"wrong argument type at argument no. {number}")
    index = arguments[-1]
    if not isinstance(index, ir.RankedTensorType) or index.rank or str(index.element_type) not in ("i32", "ui32"):
        expect(op, "index must have a 32-bit integer rank-0 tensor type")
    if returned != _types(op.results) or returned != types:
        expect(op, "type mismatch for result of region")
    if len({is_mesh_tensor(each) for each in types}) > 1 or len({type(each) for each in types}) > 1:
        expect(op, "type ids in operands/results are not identical")
    _iterations(op)


def _iterations(op: ir.Operation) -> None:
    for name in ("iterations", "unroll_factor"):
        if name in op.attributes and not _is_u32(op.attributes[name]):
            expect(op, f"attribute '{name}' failed to satisfy constraint: 32-bit unsigned integer attribute")
    iterations = number_of(op.attributes["iterations"])
    if not iterations:
        expect(op, "number of iterations must be greater than zero")
    if "unroll_factor" in op.attributes:
        factor = number_of(op.attributes["unroll_factor"])
        if not factor or iterations % factor:
            expect(op, f"number of iterations {iterations} isn't divisible by unroll factor {factor}")


@invariants_of("mpmd.reduce")
def reduce(op: ir.Operation, scope: Scope) -> None:
    kind = value(op, "reduction", MeshReduction).kind
    if not len(op.operands):
        expect(op, "expected 1 or more operands, but found 0")
    result = op.results[0].type
    if any(each.type != result for each in op.operands):
        expect(op, "requires the same type for all operands and results")
    if kind is ReductionKind.NONE and len(op.operands) != 1:
        expect(op, "ReduceOp must have exactly one operand if the reduction type is none")


@invariants_of("mpmd.broadcast", "mpmd.named_tensor")
def tensor_only(op: ir.Operation, scope: Scope) -> None:
    type_ = op.operands[0].type
    if not isinstance(type_, ir.RankedTensorType):
        expect(op, f"operand #0 must be ranked tensor, but got '{_shown(type_)}'")


@invariants_of("mpmd.return")
def return_(op: ir.Operation, scope: Scope) -> None:
    _parent_is(op, "mpmd.named_computation", "mpmd.fragment", _FOR)
