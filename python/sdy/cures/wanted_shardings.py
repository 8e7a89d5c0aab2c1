"""Shardings that a user wants some values to have, as changes of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.cures.changes import Change, Constrain, ShardArgument, ShardResult, apply
from sdy.dialect.program_values import Program, ProgramValue, SelectorError, ValueKind, select
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification import verify_module
from sdy.mlir import ir

Dims = Sequence[str | Sequence[str] | None]
"""The mesh axes of each dimension, as in a `jax.sharding.PartitionSpec`."""

Wanted = Mapping[str, TensorSharding | Dims | None]
"""Shardings by what selects the values; None leaves that of a result open."""


def shard(copy: ir.Module | ir.Operation, module: ir.Module | ir.Operation, program: Program, wanted: Wanted) -> None:
    """Gives values of `copy` the shardings that are wanted; `program` is that of `module`, of which it is a copy.

    Raises:
      SelectorError (a ValueError): a selector that means no value, or none that can be sharded.
      DiagnosticError, DiagnosticErrors: a sharding that does not fit.
      ValueError: axes without a mesh for a program that has none, or several.
    """
    changes = [each for selector, given in wanted.items() for each in _changes(module, program, selector, given)]
    # Later ops first: a constraint that is put in moves the numbers of those behind it.
    for change in sorted(changes, key=lambda each: -each.op):
        apply(change, copy)
    verify_module(copy)


def _changes(
    module: ir.Module | ir.Operation, program: Program, selector: str, given: TensorSharding | Dims | None
) -> list[Change]:
    return [_change(value, _sharding(module, given), selector) for value in select(program, selector)]


def _change(value: ProgramValue, sharding: TensorSharding | None, selector: str) -> Change:
    if value.kind is ValueKind.OUTPUT:
        return ShardResult(value.op, value.index, sharding)
    if sharding is None:
        raise SelectorError(f"'{selector}' is no result of a function, whose sharding could be left open")
    if value.kind is ValueKind.RESULT:
        return Constrain(value.op, value.index, sharding)
    if value.what.startswith("argument"):
        return ShardArgument(value.op, value.index, sharding)
    raise SelectorError(f"'{selector}' is an argument of a region, which is sharded as what it comes from")


def _sharding(module: ir.Module | ir.Operation, given: TensorSharding | Dims | None) -> TensorSharding | None:
    if given is None or isinstance(given, TensorSharding):
        return given
    names = list(MeshTable(module.operation).by_name)
    if len(names) != 1:
        raise ValueError(f"the program has {len(names)} meshes: give a TensorSharding, which says on which it is")
    dims = [() if each is None else (each,) if isinstance(each, str) else each for each in given]
    return TensorSharding.from_axes(names[0], [[AxisRef(axis) for axis in each] for each in dims])
