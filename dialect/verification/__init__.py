"""Verification of modules: all that IRDL cannot say (spec: dialect, 4 to 10).

`verify_module` runs after parsing and after each pass. What is valid for one op is valid for thousands like it, so the
expensive questions are asked once per sharding and type; see `Scope`.
"""

from __future__ import annotations

from sdy.dialect.attributes import SHARDING, SHARDING_RULE, ManualAxes, ShardingRule
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.op_properties import shape_of
from sdy.dialect.rule_verifier import verify_rule
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.verification import collectives, computations, structure  # noqa: F401  (each registers its checks)
from sdy.dialect.verification.edges import EDGES, LISTS_OF_EDGES, check_edges, check_lists_of_edges
from sdy.dialect.verification.order import check_in_order
from sdy.dialect.verification.registry import INVARIANTS, SYMBOL_USES
from sdy.dialect.verification.scope import Scope, as_value, expect, value
from sdy.mlir import ir

__all__ = ["verify_module"]


def verify_module(module: ir.Module | ir.Operation) -> None:
    """Checks every op of the module, parents first.

    Raises:
      DiagnosticError: at the first op that is wrong.
    """
    op = module.operation
    with op.context:
        try:
            _verify_op(op, Scope(_meshes(op)))
        except DiagnosticError:
            check_in_order(op, Scope(_meshes(op)), _check_entry)
            raise


def _meshes(module: ir.Operation) -> MeshTable:
    """The meshes of a module, the first that is none reported."""
    for op in module.regions[0].blocks[0].operations:
        if op.operation.name == "sdy.mesh":
            value(op.operation, "mesh", Mesh)
    return MeshTable(module)


def _verify_op(root: ir.Operation, scope: Scope) -> None:
    """Checks `root` and the ops in it, which stand in `scope`."""
    advance, skip, interrupt = ir.WalkResult.ADVANCE, ir.WalkResult.SKIP, ir.WalkResult.INTERRUPT
    errors: list[DiagnosticError] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        name = op.name
        try:
            if name == "builtin.module" and op != root:
                _verify_op(op, Scope(_meshes(op), scope.manual))
                return skip
            _check_entry(op, scope)
            check = SYMBOL_USES.get(name)
            if check is not None:
                check(op, scope)
            if name == "sdy.manual_computation":
                _verify_body(op, scope)
                return skip
        except DiagnosticError as error:
            # What a callback raises leaves the walk as something else.
            errors.append(error)
            return interrupt
        return advance

    root.walk(visit, ir.WalkOrder.PRE_ORDER)
    if errors:
        raise errors[0]


def _check_entry(op: ir.Operation, scope: Scope) -> None:
    """Checks an op but for its uses of symbols."""
    name = op.name
    _verify_attributes(op, scope)
    check = INVARIANTS.get(name)
    if check is not None:
        check(op, scope)
    elif name == "func.func":
        _verify_function(op, scope)


def _verify_body(op: ir.Operation, scope: Scope) -> None:
    """Checks the body of a manual computation."""
    inner = scope.inside(op, value(op, "manual_axes", ManualAxes))
    for nested in op.regions[0].blocks[0].operations:
        _verify_op(nested.operation, inner)


def _verify_attributes(op: ir.Operation, scope: Scope) -> None:
    """Checks the discardable attributes of this dialect (section 5)."""
    attributes = op.attributes
    if SHARDING in attributes:
        scope.check_list(op, SHARDING, [result.type for result in op.results])
    if SHARDING_RULE in attributes:
        shapes = [shape_of(operand) for operand in op.operands], [shape_of(result) for result in op.results]
        expect(op, verify_rule(value(op, SHARDING_RULE, ShardingRule), *shapes))
    if EDGES in attributes:
        check_edges(op, scope)
    for name in LISTS_OF_EDGES:
        if name in attributes:
            check_lists_of_edges(op, name)


def _verify_function(func: ir.Operation, scope: Scope) -> None:
    """Checks the shardings of arguments and results, also of a declaration (section 5.1)."""
    type_ = func.attributes["function_type"].value
    for name, types, what in (("arg_attrs", type_.inputs, "argument"), ("res_attrs", type_.results, "result")):
        if name not in func.attributes:
            continue
        for number, (entry, value_type) in enumerate(zip(func.attributes[name], types, strict=True)):
            if SHARDING in entry:
                _verify_value(func, scope, entry[SHARDING], value_type, f"{what} {number} ")


def _verify_value(func: ir.Operation, scope: Scope, attr: ir.Attribute, type_: ir.Type, what: str) -> None:
    key = ("value", hash(attr), hash(type_))
    if key not in scope.valid:
        scope.check(func, as_value(func, attr, TensorSharding, SHARDING), type_, what)
        scope.valid.add(key)
