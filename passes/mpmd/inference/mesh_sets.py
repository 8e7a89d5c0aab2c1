"""Sets of meshes where values are used and where they can be, stored as attributes during inference."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import string_of, value_of
from sdy.dialect.mpmd.values import MeshesWithOrigins, ReductionKind
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, entries_of, funcs, has_body, map_entries, put_entries
from sdy.mlir.rewriting import defining_op, has_one_use, terminator, users
from sdy.passes.mpmd.common.fragment_editing import CALL, callee_of, functions
from sdy.passes.mpmd.common.fragments import ARG_ATTRS, RES_ATTRS, is_entry_point, is_mpmd_function, topology_of

USE_SET, SOURCE_SET, REDUCE = "mpmd.use_set", "mpmd.src_set", "mpmd.reduce"
CONVERTIBLE, VISITED_FAILURE = "mpmd.can_convert_to_reduce", "mpmd.visited_failure"
ANNOTATIONS = (USE_SET, SOURCE_SET, REDUCE, CONVERTIBLE, VISITED_FAILURE)

ASSIGN, UNASSIGN, BROADCAST, REDUCE_OP = "mpmd.assign", "mpmd.unassign", "mpmd.broadcast", "mpmd.reduce"
FOR, FUNCTION, RETURNS = "mpmd.for", "func.func", ("func.return", "mpmd.return")

KINDS = {
    "stablehlo.add": ReductionKind.ADD,
    "stablehlo.maximum": ReductionKind.MAX,
    "stablehlo.minimum": ReductionKind.MIN,
    "stablehlo.multiply": ReductionKind.MUL,
    "stablehlo.or": ReductionKind.OR,
    "stablehlo.and": ReductionKind.AND,
}
"""Ops that reduce values of several meshes."""


class Program:
    """The functions of a module, and the calls of them."""

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self.functions = functions(module)

    @property
    def entry_points(self) -> list[ir.Operation]:
        return [func for func in self.functions.values() if is_mpmd_function(func) and is_entry_point(func)]

    @property
    def callees(self) -> list[ir.Operation]:
        return [func for func in self.functions.values() if is_mpmd_function(func) and not is_entry_point(func)]

    @property
    def callees_first(self) -> list[ir.Operation]:
        return [*self.callees, *self.entry_points]

    def callee(self, call: ir.Operation) -> ir.Operation:
        """The function that a call names.

        Raises:
          DiagnosticError: it has no topology, which `mpmd-copy-topology-from-main` gives it.
        """
        callee = callee_of(call, self.functions)
        if not is_mpmd_function(callee):
            raise DiagnosticError(call, "calls a function without topology", [(callee.location, "defined here")])
        return callee

    def behind_calls(self, value: ir.Value) -> ir.Value:
        """Return the value that a call or loop returns as this result; the value itself if it is not such a result."""
        while (op := defining_op(value)) is not None and op.name in (CALL, FOR):
            assert isinstance(value, ir.OpResult)
            block = body(self.callee(op)) if op.name == CALL else op.regions[0].blocks[0]
            value = terminator(block).operands[value.result_number]
        return value


def first_mesh(func: ir.Operation) -> str:
    """The mesh of the topology with the smallest name as text."""
    topology = topology_of(func)
    assert topology is not None
    return min(each.name for each in topology.meshes)


def is_meshless(op: ir.Operation) -> bool:
    """Return whether an op directly in a function or loop of several meshes is on no mesh yet."""
    parent = op.parent.operation
    is_inside = parent.name in (FUNCTION, FOR)
    return is_inside and not op.name.startswith("mpmd.") and op.name not in RETURNS


def label_of(op: ir.Operation) -> str | None:
    """The origin of an assign or unassign."""
    return string_of(op.attributes["origin"]) if "origin" in op.attributes else None


def get_set(op: ir.Operation, kind: str) -> MeshesWithOrigins | None:
    """The set of an op; None if it has none."""
    return attributes.get(op, kind) if kind in op.attributes else None


def put_set(op: ir.Operation, kind: str, meshes: MeshesWithOrigins | None) -> None:
    """Set the set of an op; do nothing without a set."""
    if meshes is not None:
        attributes.put(op, kind, meshes)


def get_entry_set(op: ir.Operation, where: str, number: int, kind: str) -> MeshesWithOrigins | None:
    """The set of an argument or result of a function, or of an argument of a loop; None if it has none."""
    if where not in op.attributes:
        return None
    entry = op.attributes[where][number]
    return value_of(entry[kind]) if kind in entry else None


def put_entry_set(op: ir.Operation, where: str, number: int, kind: str, meshes: MeshesWithOrigins | None) -> None:
    """Set, or with None remove, the set of an argument or result."""
    is_new_loop = op.name == FOR and where not in op.attributes
    entries = [{} for _ in op.regions[0].blocks[0].arguments] if is_new_loop else entries_of(op, where)
    entries[number].pop(kind, None)
    if meshes is not None:
        entries[number][kind] = attributes.attr_of(meshes)
    put_entries(op, where, entries)


def argument_set(argument: ir.BlockArgument, kind: str) -> MeshesWithOrigins | None:
    """The set of an argument of a function or loop."""
    return get_entry_set(argument.owner.owner.operation, ARG_ATTRS, argument.arg_number, kind)


def put_argument_set(argument: ir.BlockArgument, kind: str, meshes: MeshesWithOrigins | None) -> None:
    put_entry_set(argument.owner.owner.operation, ARG_ATTRS, argument.arg_number, kind, meshes)


def value_set(value: ir.Value, kind: str) -> MeshesWithOrigins | None:
    """The set of an argument, or of the op that a value is a result of."""
    if isinstance(value, ir.BlockArgument):
        return argument_set(value, kind)
    return get_set(value.owner.operation, kind)


def drop_annotations(module: ir.Operation, *kinds: str) -> None:
    """Remove inference's attributes from functions and the ops directly in them."""
    for func in funcs(module):
        for op in (func, *ops_of(func)):
            for kind in kinds:
                if kind in op.attributes and not (op.name == REDUCE_OP and kind == "reduction"):
                    del op.attributes[kind]
        map_entries(func, lambda entries: {name: attr for name, attr in entries.items() if name not in kinds})


def ops_of(func: ir.Operation) -> Iterator[ir.Operation]:
    """Return the ops in the block of a function, and in its loops, which follow the loop op."""
    if not has_body(func):
        return
    for op in [view.operation for view in body(func).operations]:
        yield op
        if op.name == FOR:
            yield from [view.operation for view in op.regions[0].blocks[0].operations]


RESULTS, ARGUMENTS = RES_ATTRS, ARG_ATTRS


CONCATENATE, _REDUCE = "stablehlo.concatenate", "stablehlo.reduce"


def reduction_kind(op: ir.Operation) -> ReductionKind | None:
    """Return the kind of reduction that an op computes of its operands; None for other ops.

    A concatenate of slices of size 1 counts if it is reduced over them, and so does that reduction.
    """
    if op.name in KINDS:
        return KINDS[op.name]
    if op.name == CONCATENATE:
        reduce = _reduction_of(op)
        return None if reduce is None else KINDS.get(_body_op(reduce) or "")
    return KINDS.get(_body_op(op) or "") if concatenate_of(op) is not None else None


def concatenate_of(op: ir.Operation) -> ir.Operation | None:
    """Return the concatenate of slices of size 1 that an op reduces; None for other ops."""
    source = defining_op(op.operands[0]) if op.name == _REDUCE else None
    is_one = source is not None and source.name == CONCATENATE and _reduction_of(source) == op
    return source if is_one else None


def _reduction_of(concatenate: ir.Operation) -> ir.Operation | None:
    """The reduction over the dimension of a concatenate of slices of size 1, if it is the only user."""
    dim = attributes.number_of(concatenate.attributes["dimension"])
    types = {operand.type for operand in concatenate.operands}
    if len(types) > 1 or concatenate.operands[0].type.shape[dim] != 1:
        return None
    if not has_one_use(concatenate.results[0]):
        return None
    (user,) = users(concatenate.results[0])
    is_reduction = user.name == _REDUCE and len(user.operands) == 2 and list(user.attributes["dimensions"]) == [dim]
    return user if is_reduction and KINDS.get(_body_op(user) or "") is not None else None


def _body_op(reduce: ir.Operation) -> str | None:
    """Return the name of the only op that a reduction applies to its arguments."""
    block = reduce.regions[0].blocks[0]
    inner = [view.operation for view in block.operations]
    is_plain = len(inner) == 2 and len(inner[0].operands) == 2 and set(inner[0].operands) == set(block.arguments)
    return inner[0].name if is_plain and terminator(block).operands[0] == inner[0].results[0] else None
