"""Values that text would say are partial and that are whole (spec: interchange, 8.2)."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_survey import occurs
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import difference
from sdy.dialect.values.rule import FactorType
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.search import ops_named, ops_with


def refuse_parts_of_wholes(module: ir.Operation, meshes: MeshTable) -> None:
    """Raises `DiagnosticError` where a value gets unreduced axes that it has not had."""
    with Faults() as faults:
        for op in ops_named(module, *_TARGETS):
            given, wanted = get_sharding(op.operands[0]), attributes.get(op, _TARGETS[op.name])
            known = () if given is None else given.unreduced
            if all(any(one.contains(axis) for one in known) for axis in wanted.unreduced):
                continue
            with faults.one():
                raise DiagnosticError(op, _MESSAGE)
        for op in ops_with(module, SHARDING) if occurs(module, lambda sharding: sharding.unreduced) else ():
            with faults.one():
                if _computes_wholes(op, meshes):
                    raise DiagnosticError(op, _MESSAGE)


_MESSAGE = "makes a whole value partial, which no sharding text says"


def _computes_wholes(op: ir.Operation, meshes: MeshTable) -> bool:
    """Whether some result is said to be partial along axes along which the op, by its rule, computes no parts."""
    partial = [sharding for sharding in attributes.get(op, SHARDING) if sharding.unreduced]
    rule = rule_of(op) if partial else None
    if rule is None:
        return bool(partial) and op.name in _SOURCES
    operands = [get_sharding(operand) for operand in op.operands]
    made = [axis for sharding in operands if sharding is not None for axis in sharding.unreduced]
    for sharding, mapping in zip(operands, rule.operands, strict=True):
        for dim, factors in zip(() if sharding is None else sharding.dims, mapping, strict=False):
            if any(rule.factor_types[factor] is FactorType.REDUCTION for factor in factors):
                made += dim.axes
    sizes = [mesh.axis_sizes for sharding in partial if (mesh := meshes.of(sharding)) is not None]
    return any(difference(sharding.unreduced, made, each) for sharding, each in zip(partial, sizes, strict=False))


_SOURCES = ("stablehlo.constant", "stablehlo.iota")
"""Ops without operands, which compute the same on each device."""


_TARGETS = {
    "sdy.reshard": "sharding",
    "sdy.sharded_to_unreduced": "out_sharding",
    "sdy.replicated_to_unreduced": "out_sharding",
}
