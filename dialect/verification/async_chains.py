"""Verification of asynchronous operations (spec: async, 10.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.data_flow import EDGE
from sdy.dialect.hlo_async.async_builders import Bundle, bundle_of, is_bundle
from sdy.dialect.hlo_async.declarations import DONE, IN_SHARDINGS, RETURN, START, UPDATE
from sdy.dialect.op_properties import is_constant
from sdy.dialect.verification.scope import Scope, expect, invariants_of, symbol_uses_of
from sdy.mlir import ir

_ASYNCHRONOUS = ("hlo_async.", "stablehlo.async_")


@invariants_of(START)
def start(op: ir.Operation, scope: Scope) -> None:
    _names(op)
    bundle = _bundle(op, op.results[0].type)
    _same(op, "takes operands of", [each.type for each in op.operands], "takes", bundle.operands)
    block = op.regions[0].blocks[0]
    _same(op, "has block arguments of", [each.type for each in block.arguments], "takes", bundle.operands)
    _body(op, bundle)
    around = _start_around(op)
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


def _start_around(op: ir.Operation) -> ir.Operation | None:
    around = op.parent
    while around is not None and around.operation.name != START:
        around = around.operation.parent
    return around and around.operation


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
