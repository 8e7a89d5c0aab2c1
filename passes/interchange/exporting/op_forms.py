"""What ops of the dialect become in a module of StableHLO alone, and how that is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.dialect.builders import OPS
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES, inherent_sharding_name
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.search import ops_named
from sdy.passes.interchange.sites import CUSTOM_CALL, FRONTEND, SHARDING_CALL


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


RESHARDS = tuple(name for name in INHERENT_NAMES if name != "sdy.data_flow_edge")
"""Constraints, reshards and collectives: they give their result a sharding."""

EDGES = ("sdy.data_flow_edge", "sdy.func_data_flow_edge")


def write_reshard(op: ir.Operation, *, as_call: bool = True, keep_open_dims: bool = False) -> None:
    """A call of @Sharding, or a copy, takes the place of `op`, one of `RESHARDS`, which is left without uses.

    With `keep_open_dims` the call says which dimensions are open.
    """
    name = inherent_sharding_name(op.name)
    assert name is not None
    sharding = attributes.get(op, name)
    type_ = op.results[0].type
    if as_call:
        given = open_dims_of(sharding) if keep_open_dims else None
        new = custom_call(
            SHARDING_CALL, op.operands, [type_], op, side_effect=says_reduction(sharding), attributes=given
        )
    else:
        new = ir.Operation.create(
            "mhlo.copy", results=[type_], operands=list(op.operands), loc=op.location, ip=ir.InsertionPoint(op)
        )
    attributes.put(new, SHARDING, ShardingPerValue((sharding,)))
    op.results[0].replace_all_uses_with(new.results[0])


def open_dims_of(sharding: TensorSharding) -> dict[str, ir.Attribute]:
    """What a call of @Sharding has beside a text that cannot say that dimensions are open."""
    listed = [str(number) for number, dim in enumerate(sharding.dims) if not dim.is_closed]
    return {"backend_config": ir.StringAttr.get(f"unspecified_dims=[{','.join(listed)}]")} if listed else {}


def write_constant(op: ir.Operation) -> None:
    """A constant of StableHLO takes the place of one of the dialect.

    Raises `DiagnosticError` if its value is none, which StableHLO would not survive where nothing is verified.
    """
    if not isinstance(getattr(op.attributes["value"], "type", None), ir.ShapedType):
        raise DiagnosticError(op, "has a value that is no tensor of elements")
    new = ir.Operation.create(
        "stablehlo.constant",
        results=[op.results[0].type],
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])


def forward(op: ir.Operation) -> None:
    """The operand takes the place of the result."""
    op.results[0].replace_all_uses_with(op.operands[0])


_REFUSED = tuple(name for name in OPS if name != "sdy.mesh")


def refuse_ops_left(module: ir.Operation, form: str) -> None:
    """Raises `DiagnosticError` at every op of the dialect but meshes: it has no `form`."""
    with Faults() as faults:
        for op in ops_named(module, *_REFUSED):
            with faults.one():
                raise DiagnosticError(op, f"has no form in {form}")
