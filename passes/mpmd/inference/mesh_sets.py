"""Sets of meshes where values are used and where they can be, stored as attributes during inference."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import string_of, value_of
from sdy.dialect.mpmd.values import MeshesWithOrigins, ReductionKind
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, funcs, has_body
from sdy.mlir.rewriting import defining_op, terminator
from sdy.passes.mpmd.common.calls import CALL, callee_of, functions
from sdy.passes.mpmd.common.entries import ARG_ATTRS, RES_ATTRS
from sdy.passes.mpmd.common.fragments import is_entry_point, is_mpmd_function, topology_of

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


def _entries(op: ir.Operation, where: str) -> list[ir.Attribute]:
    if where in op.attributes:
        return list(op.attributes[where])
    if op.name == FOR:
        count = len(op.regions[0].blocks[0].arguments)
    else:
        types = op.attributes["function_type"].value
        count = len(types.inputs if where == ARG_ATTRS else types.results)
    return [ir.DictAttr.get({})] * count


def get_entry_set(op: ir.Operation, where: str, number: int, kind: str) -> MeshesWithOrigins | None:
    """The set of an argument or result of a function, or of an argument of a loop; None if it has none."""
    if where not in op.attributes:
        return None
    entry = op.attributes[where][number]
    return value_of(entry[kind]) if kind in entry else None


def put_entry_set(op: ir.Operation, where: str, number: int, kind: str, meshes: MeshesWithOrigins | None) -> None:
    """Set, or with None remove, the set of an argument or result."""
    entries = _entries(op, where)
    kept = {each.name: each.attr for each in ir.DictAttr(entries[number]) if each.name != kind}
    if meshes is not None:
        kept[kind] = attributes.attr_of(meshes)
    entries[number] = ir.DictAttr.get(kept)
    op.attributes[where] = ir.ArrayAttr.get(entries)


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
        for where in (ARG_ATTRS, RES_ATTRS):
            if where in func.attributes:
                _drop_from_entries(func, where, kinds)


def _drop_from_entries(func: ir.Operation, where: str, kinds: tuple[str, ...]) -> None:
    entries = [{each.name: each.attr for each in entry if each.name not in kinds} for entry in func.attributes[where]]
    if any(entries):
        func.attributes[where] = ir.ArrayAttr.get(list(map(ir.DictAttr.get, entries)))
    else:
        del func.attributes[where]


def ops_of(func: ir.Operation) -> Iterator[ir.Operation]:
    """Return the ops in the block of a function, and in its loops, which follow the loop op."""
    if not has_body(func):
        return
    for op in [view.operation for view in body(func).operations]:
        yield op
        if op.name == FOR:
            yield from [view.operation for view in op.regions[0].blocks[0].operations]


RESULTS, ARGUMENTS = RES_ATTRS, ARG_ATTRS
