"""Where an op stands: what the meshes of its module are, and which axes are manual there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification.sharding_checks import check_sharding, check_shardings, manual_axis_in
from sdy.dialect.verification.types import TypeInfo, type_info
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError


class Scope:
    """The surroundings of ops that all stand in the same module and in the same manual computations.

    A program repeats a few dozen pairs of shardings and types thousands of times; each is looked at once.
    """

    def __init__(self, meshes: MeshTable, manual: tuple[tuple[ir.Operation, ManualAxes], ...] = ()) -> None:
        self.meshes = meshes
        self.manual = manual
        """The manual computations around, outermost first."""
        self.manual_names = frozenset(name for _, axes in manual for name in axes)
        self.valid: set[tuple[Hashable, ...]] = set()
        """What has been found valid: addresses of attributes and types, and whatever else was asked about."""
        self._infos: dict[int, TypeInfo] = {}

    def inside(self, op: ir.Operation, axes: ManualAxes) -> Scope:
        """The scope of the body of a manual computation."""
        return Scope(self.meshes, (*self.manual, (op, axes)))

    def info(self, type_: ir.Type) -> TypeInfo:
        key = address(type_)
        info = self._infos.get(key)
        if info is None:
            info = self._infos[key] = type_info(type_)
        return info

    def mesh(self, sharding: TensorSharding) -> Mesh:
        """The mesh of a sharding that has been found valid, hence exists."""
        mesh = self.meshes.of(sharding)
        assert mesh is not None
        return mesh

    def check(self, op: ir.Operation, sharding: TensorSharding, type_: ir.Type, what: str = "") -> None:
        """Raises `DiagnosticError` at `op` unless `sharding` is valid here for a value of `type_`."""
        expect(op, check_sharding(sharding, self.meshes.of(sharding), self.info(type_)), what)
        self._check_manual(op, sharding, what)

    def check_all(
        self, op: ir.Operation, shardings: Sequence[TensorSharding], types: Sequence[ir.Type], what: str = ""
    ) -> None:
        """Raises `DiagnosticError` at `op` unless `shardings` are valid here for values of `types`."""
        meshes = [self.meshes.of(sharding) for sharding in shardings]
        expect(op, check_shardings(shardings, meshes, [self.info(type_) for type_ in types]), what)
        for sharding in shardings:
            self._check_manual(op, sharding, what)

    def check_list(self, op: ir.Operation, name: str, types: Sequence[ir.Type], what: str = "") -> None:
        """As `check_all` for the list in attribute `name` of `op`."""
        key = ("list", address(op.attributes[name]), *map(address, types))
        if key not in self.valid:
            self.check_all(op, value(op, name, ShardingPerValue).shardings, types, what)
            self.valid.add(key)

    def _check_manual(self, op: ir.Operation, sharding: TensorSharding, what: str) -> None:
        if not self.manual_names:
            return
        axis = manual_axis_in(sharding, self.manual_names)
        if axis is None:
            return
        around = next(outer for outer, axes in reversed(self.manual) if axis.name in axes.names)
        raise DiagnosticError(
            op,
            f"{what}uses axis {quote(axis.name)}, which is manual here: {sharding}",
            [(around.location, "made manual here")],
        )


OpCheck = Callable[[ir.Operation, Scope], None]
"""Raises `DiagnosticError` at an op that is wrong."""


def expect(op: ir.Operation, problem: str | None, what: str = "") -> None:
    """Raises `DiagnosticError` at `op` if there is a problem; `what` is put in front of it."""
    if problem is not None:
        raise DiagnosticError(op, what + problem)


def value(op: ir.Operation, name: str, kind: type) -> Any:
    """The value object of attribute `name`, which is of class `kind`; `DiagnosticError` if it is something else."""
    return as_value(op, op.attributes[name], kind, name)


def as_value(op: ir.Operation, attr: ir.Attribute, kind: type, name: str, what: str = "") -> Any:
    """The value object of `attr`, which is of class `kind` and found at `op` under `name`.

    What is said if it is not starts with `what`.

    Raises:
      DiagnosticError: it is something else, or its parts do not fit together.
    """
    try:
        found = attributes.value_of(attr)
    except ValueError as error:
        raise DiagnosticError(op, f"{what}has an attribute '{name}' that is not valid: {error}") from None
    except (TypeError, AttributeError):
        found = None
    if not isinstance(found, kind):
        raise DiagnosticError(op, f"{what}has an attribute '{name}' that is no '{attributes.MNEMONICS[kind]}'")
    return found
