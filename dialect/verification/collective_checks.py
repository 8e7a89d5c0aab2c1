"""Verification of collectives and of the axes that they move."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from sdy.dialect.data_flow import EDGE
from sdy.dialect.definition.attributes import AllToAllParamList, AxisRefList, ListOfAxisRefLists
from sdy.dialect.hlo_async.async_builders import Bundle, bundle_of, is_bundle
from sdy.dialect.hlo_async.declarations import DONE, IN_SHARDINGS, RETURN, START, UPDATE
from sdy.dialect.op_properties import is_constant
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, any_overlap, gather, product, slice_
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AllToAllParam
from sdy.dialect.values.sharding import Reduction, TensorSharding, axis_set
from sdy.dialect.verification.sharding_checks import (
    NEVER,
    Scope,
    check_axis_list,
    check_axis_lists,
    check_operand,
    check_order,
    check_unreduced,
    expect,
    invariants_of,
    only,
    symbol_uses_of,
    value,
)
from sdy.dialect.verification.structure import same_type
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import enclosing


def check_gather(source: TensorSharding, out: TensorSharding, lists: Sequence[AxisList], mesh: Mesh) -> str | None:
    """Checks that the axes of each list are the minor ones of their dimension, and are missing in the result."""
    return _check_dimensions(source, out, lists, mesh, gather)


def check_slice(source: TensorSharding, out: TensorSharding, lists: Sequence[AxisList], mesh: Mesh) -> str | None:
    """The axes of each list are added to their dimension."""
    return _check_dimensions(source, out, lists, mesh, slice_)


def _check_dimensions(
    source: TensorSharding,
    out: TensorSharding,
    lists: Sequence[AxisList],
    mesh: Mesh,
    change: Callable[[AxisList, AxisList, AxisSizes], AxisList | None],
) -> str | None:
    """Checks that each dimension has the axes that `change` gives for the operand.

    None stands for axes that cannot be removed because they are missing.
    """
    problem = _check_lists(lists, out, mesh)
    if problem is not None:
        return problem
    for dim, (before, axes, after) in enumerate(zip(source.dim_axes, lists, out.dim_axes, strict=True)):
        changed = change(before, axes, mesh.axis_sizes)
        if changed is None:
            return f"removes {axis_set(axes)} from dimension {dim}, which is sharded on {axis_set(before)}"
        if changed != after:
            return _mismatch(dim, changed, after)
    return None


def check_all_to_all(
    source: TensorSharding, out: TensorSharding, params: Sequence[AllToAllParam], mesh: Mesh
) -> str | None:
    """Checks that axes move between dimensions, none of which is used twice."""
    problem = _check_params(params, source.rank, mesh)
    if problem is not None:
        return problem
    expected = list(source.dim_axes)
    for param in params:
        left = gather(expected[param.src_dim], param.axes, mesh.axis_sizes)
        if left is None:
            before = axis_set(expected[param.src_dim])
            return f"removes {axis_set(param.axes)} from dimension {param.src_dim}, which is sharded on {before}"
        expected[param.src_dim] = left
        expected[param.tgt_dim] = slice_(expected[param.tgt_dim], param.axes, mesh.axis_sizes)
    for dim, (more, after) in enumerate(zip(expected, out.dim_axes, strict=True)):
        if more != after:
            return _mismatch(dim, more, after)
    return None


def check_permute(source: TensorSharding, out: TensorSharding, source_mesh: Mesh, mesh: Mesh) -> str | None:
    """Check a permute: it keeps the axes and reorders devices, or keeps the shard count of each dimension."""
    if source_mesh.axes != mesh.axes:
        return f"goes from mesh {source_mesh} to mesh {mesh}, which has other axes"
    if source.mesh_or_ref != out.mesh_or_ref and source_mesh.device_ids == mesh.device_ids:
        return "goes from one mesh to another with the same order of devices"
    for dim, (before, after) in enumerate(zip(source.dim_axes, out.dim_axes, strict=True)):
        shards = product(before, mesh.axis_sizes), product(after, mesh.axis_sizes)
        if before != after and shards[0] != shards[1]:
            return f"has {shards[0]} shards of dimension {dim} in its operand and {shards[1]} in its result"
    return None


def check_all_reduce(source: TensorSharding, out: TensorSharding, axis_list: AxisList, mesh: Mesh) -> str | None:
    """Only unreduced axes change, and the axes of the reduction are in use nowhere."""
    if not source.is_equivalent(out, ignore_unreduced=True):
        return f"has an operand sharded as {source} and a result sharded as {out}"
    return check_ordered(axis_list, mesh) or (
        _check_disjoint(axis_list, _flat(source.dim_axes), "shards a dimension of the operand")
        or _check_disjoint(axis_list, source.replicated, "is replicated on in the operand")
        or _check_disjoint(axis_list, out.unreduced, "is unreduced in the result")
    )


def check_sharded_to_unreduced(
    source: TensorSharding, out: TensorSharding, lists: Sequence[AxisList], mesh: Mesh
) -> str | None:
    """The axes leave their dimensions and become unreduced."""
    return check_gather(source, out, lists, mesh) or _check_became_unreduced(source, out, _flat(lists), mesh)


def check_replicated_to_unreduced(
    source: TensorSharding, out: TensorSharding, axis_list: AxisList, mesh: Mesh
) -> str | None:
    """The axes are not in use in the operand and become unreduced; the dimensions stay as they are."""
    if source.dims != out.dims:
        return f"changes how dimensions are sharded, from {source} to {out}"
    if not axis_list:
        return "has no axes"
    return check_ordered(axis_list, mesh) or (
        _check_disjoint(axis_list, _flat(source.dim_axes), "shards a dimension of the operand")
        or _check_disjoint(axis_list, source.unreduced, "is unreduced in the operand")
        or _check_became_unreduced(source, out, axis_list, mesh)
    )


def check_ordered(axis_list: AxisList, mesh: Mesh) -> str | None:
    """Check that a list of axes is in mesh order."""
    return check_axis_list(axis_list, mesh, set()) or check_order(axis_list, mesh, "reduction")


def _check_lists(lists: Sequence[AxisList], out: TensorSharding, mesh: Mesh) -> str | None:
    problem = check_axis_lists(lists, mesh)
    if problem is None and len(lists) != out.rank:
        return f"has axes for {len(lists)} dimensions of a tensor of rank {out.rank}"
    return problem


def _check_params(params: Sequence[AllToAllParam], rank: int, mesh: Mesh) -> str | None:
    if not params:
        return "moves nothing"
    used: set[int] = set()
    seen: set[AxisRef] = set()
    for param in params:
        if not param.axes:
            return "has a move without axes"
        problem = check_axis_list(param.axes, mesh, seen)
        if problem is not None:
            return problem
        for dim in (param.src_dim, param.tgt_dim):
            if not 0 <= dim < rank:
                return f"moves axes from or to dimension {dim} of a tensor of rank {rank}"
            if dim in used:
                return f"moves axes from or to dimension {dim} twice"
            used.add(dim)
    sources = [param.src_dim for param in params]
    return "has moves that are not in the order of their source dimensions" if sources != sorted(sources) else None


def _check_disjoint(axis_list: AxisList, others: Sequence[AxisRef], what: str) -> str | None:
    for axis in axis_list:
        if any_overlap([axis], others):
            return f"has axis {axis}, which {what}"
    return None


def _check_became_unreduced(source: TensorSharding, out: TensorSharding, added: AxisList, mesh: Mesh) -> str | None:
    if source.unreduced and source.reduction is not out.reduction:
        return f"changes the reduction of unreduced axes from {source.reduction.keyword} to {out.reduction.keyword}"
    expected = mesh.sort_and_merge((*source.unreduced, *added))
    if out.unreduced != expected:
        return f"has a result with unreduced axes {axis_set(out.unreduced)}, expected {axis_set(expected)}"
    return None


def _flat(lists: Sequence[AxisList]) -> AxisList:
    return tuple(axis for axis_list in lists for axis in axis_list)


def _mismatch(dim: int, expected: AxisList, found: AxisList) -> str:
    return f"has dimension {dim} of its result sharded on {axis_set(found)}, expected {axis_set(expected)}"


@dataclass(frozen=True, slots=True)
class _Operands:
    """Inputs of the checks of a collective."""

    source: TensorSharding
    out: TensorSharding
    source_mesh: Mesh
    mesh: Mesh
    axes: Any
    """The lists of axes, list of axes, or moves; None for a permute."""
    reduction: Reduction


_AxesCheck = Callable[[_Operands], "str | None"]


@dataclass(frozen=True, slots=True)
class _Collective:
    """Checks of one collective.

    `axes` is the attribute with its axes and `kind` the class of that attribute's value; `rules` are tried in order.
    """

    axes: str
    kind: type
    rules: tuple[_AxesCheck, ...]
    may_lack_sharding: bool = False
    may_change_mesh: bool = False


def _reduced(it: _Operands) -> str | None:
    """Axes may cease to be unreduced, by the reduction of the op."""
    return check_unreduced([it.source], [it.out], [it.mesh, it.mesh], NEVER, only(it.reduction))


def _by_axes(check: Callable[[TensorSharding, TensorSharding, Any, Mesh], str | None]) -> _AxesCheck:
    """Make a check of the axes alone from one of the entries of a list."""
    return lambda it: check(it.source, it.out, tuple(it.axes), it.mesh)


def _permuted(it: _Operands) -> str | None:
    return check_permute(it.source, it.out, it.source_mesh, it.mesh)


_sliced = _by_axes(check_slice)

_COLLECTIVES = {
    "sdy.all_gather": _Collective("gathering_axes", ListOfAxisRefLists, (_by_axes(check_gather),)),
    "sdy.all_slice": _Collective("slicing_axes", ListOfAxisRefLists, (_sliced,), may_lack_sharding=True),
    "sdy.all_to_all": _Collective("params", AllToAllParamList, (_by_axes(check_all_to_all),)),
    "sdy.collective_permute": _Collective("out_sharding", TensorSharding, (_permuted,), may_change_mesh=True),
    "sdy.all_reduce": _Collective(
        "reduction_axes", AxisRefList, (_by_axes(check_all_reduce), _reduced), may_lack_sharding=True
    ),
    "sdy.reduce_scatter": _Collective(
        "reduce_scatter_axes", ListOfAxisRefLists, (_reduced, _sliced), may_lack_sharding=True
    ),
    "sdy.sharded_to_unreduced": _Collective("axes", ListOfAxisRefLists, (_by_axes(check_sharded_to_unreduced),)),
    "sdy.replicated_to_unreduced": _Collective("axes", AxisRefList, (_by_axes(check_replicated_to_unreduced),)),
}


@invariants_of(*_COLLECTIVES)
def collective(op: ir.Operation, scope: Scope) -> None:
    """The checks common to all (7.1)."""
    key = _key(op)
    if key not in scope.valid:
        _operands(op, scope)
        scope.valid.add(key)


@symbol_uses_of(*_COLLECTIVES, include_invariants=True)
def collective_axes_of(op: ir.Operation, scope: Scope) -> None:
    """The checks of the axes (7.2 to 7.6)."""
    key = ("axes", *_key(op))
    if key not in scope.valid:
        operands = _operands(op, scope)
        expect(op, _check_ranks(operands.source, operands.out))
        for rule in _COLLECTIVES[op.name].rules:
            problem = rule(operands)
            if problem is not None:
                is_about_meshes = operands.source.mesh_or_ref != operands.out.mesh_or_ref
                raise DiagnosticError(op, problem, _mesh_note(op, operands.source_mesh) if is_about_meshes else ())
        scope.valid.add(key)


def _key(op: ir.Operation) -> tuple[Hashable, ...]:
    """Return the key of the checks: operand sharding, addresses of attributes and types."""
    name, stored, operand = op.name, op.attributes, op.operands[0]
    attributes = stored["out_sharding"], stored[_COLLECTIVES[name].axes], stored.get("reduction_op")
    return (
        name,
        get_sharding(operand),
        *map(address, attributes),
        address(operand.type),
        *map(address, op.results.types),
    )


def _operands(op: ir.Operation, scope: Scope) -> _Operands:
    same_type(op, scope)
    how, type_ = _COLLECTIVES[op.name], op.results[0].type
    if not isinstance(type_, ir.ShapedType):
        expect(op, f"has an operand of type {type_}, expected a shaped type")
    found = get_sharding(op.operands[0])
    if found is None and not how.may_lack_sharding:
        expect(op, "has an operand without a sharding")
    out: TensorSharding = value(op, "out_sharding", TensorSharding)
    scope.check(op, out, type_)
    mesh = scope.mesh(out)
    source = found or TensorSharding.open(out.mesh_or_ref, scope.info(type_).rank)
    source_mesh = scope.meshes.of(source)
    if source_mesh is None or (source_mesh != mesh and not how.may_change_mesh):
        raise DiagnosticError(op, f"has an operand on another mesh: {source}", _mesh_note(op, source_mesh))
    expect(op, check_operand(source, source_mesh))
    if found is not None:
        expect(op, _check_ranks(source, out))
    axes = value(op, how.axes, how.kind)
    return _Operands(source, out, source_mesh, mesh, axes, Reduction(_reduction(op)))


def _mesh_note(op: ir.Operation, mesh: Mesh | None) -> list[tuple[ir.Location, str]]:
    """Return a note with the operand's location and mesh."""
    where = "an unknown mesh" if mesh is None else f"mesh {mesh}"
    return [(op.operands[0].location, f"the operand is on {where}")]


def _check_ranks(source: TensorSharding, out: TensorSharding) -> str | None:
    if source.rank == out.rank:
        return None
    return f"has an operand with a sharding of rank {source.rank} and a result with one of rank {out.rank}"


def _reduction(op: ir.Operation) -> int:
    """Return the number of the reduction; 0, which is sum, for an op without one."""
    if "reduction_op" not in op.attributes:
        return 0
    attr = op.attributes["reduction_op"]
    if not isinstance(attr, ir.IntegerAttr) or attr.type != ir.IntegerType.get_signless(32):
        expect(op, f"has a reduction {attr}, expected a 32-bit integer")
    kind = ir.IntegerAttr(attr).value
    if kind not in _REDUCTIONS:
        expect(op, f"has an unknown reduction, number {kind}")
    return kind


_REDUCTIONS = frozenset(kind.value for kind in Reduction)


_ASYNCHRONOUS = ("hlo_async.", "stablehlo.async_")


@invariants_of(START)
def start(op: ir.Operation, scope: Scope) -> None:
    _names(op)
    bundle = _bundle(op, op.results[0].type)
    _same(op, "takes operands of", [each.type for each in op.operands], "takes", bundle.operands)
    block = op.regions[0].blocks[0]
    _same(op, "has block arguments of", [each.type for each in block.arguments], "takes", bundle.operands)
    _body(op, bundle)
    around = enclosing(op, START)
    if around is not None:
        expect(op, "stands in another 'hlo_async.start'; an asynchronous operation holds no other one")
    _one_user(op)


def _names(op: ir.Operation) -> None:
    """Checks the names of the thread and of the computation, which IRDL does not check."""
    for name in ("thread", "computation"):
        if name not in op.attributes:
            continue
        attr = op.attributes[name]
        if not isinstance(attr, ir.StringAttr):
            expect(op, f"has an attribute '{name}' that is not a string: {attr}")
        elif not attr.value:
            expect(op, f"has an empty name of a {name}; leave it out")


def _bundle(op: ir.Operation, type_: ir.Type) -> Bundle:
    """Return the types of a bundle. Raises `DiagnosticError` unless they exist in HLO."""
    try:
        bundle = bundle_of(type_)
    except ValueError as error:
        expect(op, f"has a bundle with an entry that is not a type: {error}")
        raise
    for types in (bundle.operands, bundle.results, bundle.contexts):
        for each in types:
            if not _is_hlo_value(each):
                expect(op, f"has a bundle with a value of type {each}, expected tensors, tokens or tuples of them")
    return bundle


def _is_hlo_value(type_: ir.Type) -> bool:
    if isinstance(type_, ir.TupleType):
        return all(_is_hlo_value(type_.get_type(index)) for index in range(type_.num_types))
    return isinstance(type_, ir.RankedTensorType | ir.UnrankedTensorType) or str(type_) == "!stablehlo.token"


def _same(op: ir.Operation, has: str, types: Sequence[ir.Type], says: str, expected: Sequence[ir.Type]) -> None:
    if tuple(types) != tuple(expected):
        expect(op, f"{has} types {_list(types)}, but its bundle {says} {_list(expected)}")


def _list(types: Sequence[ir.Type]) -> str:
    return f"({', '.join(map(str, types))})"


def _body(op: ir.Operation, bundle: Bundle) -> None:
    """Return the only op of the body besides data-flow edges, which propagation inserts, and the return."""
    *nested, terminator = (each.operation for each in op.regions[0].blocks[0].operations)
    if terminator.name != RETURN:
        expect(op, f"has a body that ends with '{terminator.name}', expected '{RETURN}'")
    wrapped = [each for each in nested if each.name != EDGE]
    if len(wrapped) != 1:
        expect(op, f"has {len(wrapped)} operations in its body besides '{RETURN}', expected one")
    name = wrapped[0].name
    if is_constant(wrapped[0]):
        expect(op, f"starts a constant, '{name}', which takes no time; use it directly")
    if name.startswith(_ASYNCHRONOUS):
        expect(op, f"starts '{name}', which is asynchronous already; start the op in it")
    if list(terminator.operands) != list(wrapped[0].results):
        expect(op, f"has a body that returns something else than all results of '{name}', in order")
    _same(op, "returns", [each.type for each in terminator.operands], "gives", bundle.results)


def _one_user(op: ir.Operation) -> None:
    """Checks that a start or update has one user: an update or a done."""
    uses = list(op.results[0].uses)
    if not uses:
        expect(op, f"is never done; end it with a '{DONE}'")
    if len(uses) > 1:
        expect(op, f"has {len(uses)} uses, expected one, by '{UPDATE}' or '{DONE}'; start it once for each")
    user = uses[0].owner.operation
    if user.name not in (UPDATE, DONE):
        expect(op, f"is used by '{user.name}', expected '{UPDATE}' or '{DONE}'")
    if user.block != op.block:
        expect(op, f"goes on in another block, by '{user.name}'; a chain has to stay in one")


@symbol_uses_of(START)
def shardings_of_arguments(op: ir.Operation, scope: Scope) -> None:
    if IN_SHARDINGS in op.attributes:
        scope.check_list(op, IN_SHARDINGS, [operand.type for operand in op.operands], f"{IN_SHARDINGS}: ")


@invariants_of(UPDATE)
def update(op: ir.Operation, scope: Scope) -> None:
    _continues(op)
    operand, result = op.operands[0].type, op.results[0].type
    if operand != result:
        expect(op, f"has a result of type {result} for an operand of type {operand}")
    _one_user(op)


@invariants_of(DONE)
def done(op: ir.Operation, scope: Scope) -> None:
    _continues(op)
    bundle = _bundle(op, op.operands[0].type)
    _same(op, "has results of", [each.type for each in op.results], "gives", bundle.results)


def _continues(op: ir.Operation) -> None:
    """Return whether the handle's maker is a start or update of the same block."""
    operand = op.operands[0]
    if not is_bundle(operand.type):
        expect(op, f"takes a value of type {operand.type}, expected a bundle")
    if not isinstance(operand, ir.OpResult):
        expect(op, f"takes a bundle that is a block argument, expected one of a '{START}' of the same block")
    before = operand.owner.operation
    if before.name not in (START, UPDATE):
        expect(op, f"takes a bundle of '{before.name}', expected one of a '{START}' or '{UPDATE}'")
    if before.block != op.block:
        expect(op, "takes a bundle of another block; a chain has to stay in one")


@invariants_of(RETURN)
def return_(op: ir.Operation, scope: Scope) -> None:
    around = op.parent
    if around is None or around.operation.name != START:
        expect(op, f"expects the parent op '{START}'")
