"""Building the custom calls and calls that shardings are written as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, FRONTEND


def custom_call(
    target: str,
    operands: Sequence[ir.Value],
    types: Sequence[ir.Type],
    at: ir.Operation,
    *,
    side_effect: bool = False,
    frontend: Mapping[str, ir.Attribute] | None = None,
    attributes: Mapping[str, ir.Attribute] | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Operation:
    """A custom call at the location of `at`, in front of it unless `ip` says otherwise."""
    given: dict[str, ir.Attribute] = {"call_target_name": ir.StringAttr.get(target), **(attributes or {})}
    if side_effect:
        given["has_side_effect"] = ir.BoolAttr.get(True)
    if frontend:
        given[FRONTEND] = ir.DictAttr.get(dict(frontend))
    return ir.Operation.create(
        CUSTOM_CALL,
        results=list(types),
        operands=list(operands),
        attributes=given,
        loc=at.location,
        ip=ip or ir.InsertionPoint(at),
    )


def function_of_region(
    name: str, op: ir.Operation, visibility: str | None, attributes: Mapping[str, ir.Attribute] | None = None
) -> ir.Operation:
    """A function, not in any module, with the one block of the region of `op` moved into it; `op` is left empty."""
    source = op.regions[0].blocks[0]
    *ops, terminator = [each.operation for each in source.operations]
    types = [argument.type for argument in source.arguments]
    results = [value.type for value in terminator.operands]
    given: dict[str, ir.Attribute] = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, results)),
        **(attributes or {}),
    }
    if visibility is not None:
        given["sym_visibility"] = ir.StringAttr.get(visibility)
    func = ir.Operation.create("func.func", attributes=given, regions=1, loc=op.location, ip=False)
    block = func.regions[0].blocks.append(*types, arg_locs=[argument.location for argument in source.arguments])
    for old, new in zip(source.arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
    end = ir.Operation.create(
        "func.return", operands=list(terminator.operands), loc=terminator.location, ip=ir.InsertionPoint(block)
    )
    terminator.erase()
    for each in ops:
        each.move_before(end)
    return func


def call(name: str, operands: Sequence[ir.Value], types: Sequence[ir.Type], at: ir.Operation) -> ir.Operation:
    """A call of the function `name` in front of `at`."""
    given = {"callee": ir.FlatSymbolRefAttr.get(name)}
    return ir.Operation.create(
        "func.call",
        results=list(types),
        operands=list(operands),
        attributes=given,
        loc=at.location,
        ip=ir.InsertionPoint(at),
    )


def says_reduction(sharding: TensorSharding) -> bool:
    """Whether a call with `sharding` has an effect that must stay: partial values are made, or reduced."""
    return bool(sharding.unreduced) or sharding.reduction is not Reduction.SUM
