"""Shardings that a user wants some values to have, as changes of the program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from sdy.cures.changes import Change, Constrain, ShardArgument, ShardResult, apply
from sdy.dialect.program_values import Program, ProgramValue, SelectorError, ValueKind, select
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import CLOSED, TensorSharding
from sdy.dialect.verification import verify_module
from sdy.mlir import ir

Dims = Iterable[str | Sequence[str] | None]
"""The mesh axes of each dimension, as in a `jax.sharding.PartitionSpec`."""


class Spec(Protocol):
    """A `jax.sharding.NamedSharding`."""

    @property
    def spec(self) -> Iterable[str | Sequence[str] | None]: ...


class Value(Protocol):
    """A `sdy.jax.Sharding`."""

    @property
    def value(self) -> TensorSharding: ...


Given = TensorSharding | Dims | Spec | Value

Wanted = Mapping[str, Given | None]
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


def _changes(module: ir.Module | ir.Operation, program: Program, selector: str, given: Given | None) -> list[Change]:
    return [_change(value, _sharding(module, given, value.rank), selector) for value in select(program, selector)]


def _change(value: ProgramValue, sharding: TensorSharding | None, selector: str) -> Change:
    if value.kind is ValueKind.OUTPUT:
        return ShardResult(value.op, value.index, sharding)
    if sharding is None:
        raise SelectorError(f"'{selector}' is no result of a function, whose sharding could be left open")
    if value.kind is ValueKind.RESULT:
        return Constrain(value.op, value.index, sharding)
    if value.what.what.startswith("argument"):
        return ShardArgument(value.op, value.index, sharding)
    raise SelectorError(f"'{selector}' is an argument of a region, which is sharded as what it comes from")


def _sharding(module: ir.Module | ir.Operation, given: Given | None, rank: int) -> TensorSharding | None:
    """Dimensions that are left out are closed, as in JAX."""
    if given is None or isinstance(given, TensorSharding):
        return given
    meshes = MeshTable(module.operation).by_name
    value = getattr(given, "value", None)
    if isinstance(value, TensorSharding):
        name = next((name for name, mesh in meshes.items() if mesh == value.mesh_or_ref), None)
        if name is None:
            raise ValueError(f"the program has no mesh {value.mesh_or_ref}")
        return value.with_mesh(name).with_dims((*value.dims, *(CLOSED,) * (rank - value.rank)))
    # JAX declares a mesh without axes beside the one of a program.
    names = [name for name, mesh in meshes.items() if mesh.axes] or list(meshes)
    if len(names) != 1:
        raise ValueError(f"the program has {len(names)} meshes: give a TensorSharding, which says on which it is")
    listed = getattr(given, "spec", given)
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        raise TypeError(f"a sharding is a TensorSharding or the mesh axes of each dimension, not {listed!r}")
    dims = [() if each is None else (each,) if isinstance(each, str) else tuple(each) for each in listed]
    dims += [()] * (rank - len(dims))
    return TensorSharding.from_axes(names[0], [[AxisRef(axis) for axis in each] for each in dims])
