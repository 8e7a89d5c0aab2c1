"""Context of verifiers: the module around an op, attributes, the registry."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification.sharding_checks import (
    TypeInfo,
    check_sharding,
    check_shardings,
    manual_axis_in,
    type_info,
)
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError

T = TypeVar("T")


def expect(op: ir.Operation, problem: str | None, what: str = "") -> None:
    """Raises `DiagnosticError` at `op` if there is a problem; the message begins with `what`."""
    if problem is not None:
        raise DiagnosticError(op, what + problem)


def value(op: ir.Operation, name: str, kind: type[T]) -> T:
    """Return the value object of attribute `name`, of class `kind`; raises `DiagnosticError` for another class."""
    return as_value(op, op.attributes[name], kind, name)


def as_value(op: ir.Operation, attr: ir.Attribute | ir.Type, kind: type[T], name: str, what: str = "") -> T:
    """Return the value object of `attr`, of class `kind`; errors name `op` and `name`.

    The error begins with `what`.

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
        raise DiagnosticError(op, f"{what}has an attribute '{name}' that is not '{attributes.MNEMONICS[kind]}'")
    return found


_MODULE = "builtin.module"
_MANUAL = "sdy.manual_computation"

WITH_SCOPE = frozenset({_MODULE, _MANUAL})
"""Ops that what is in them has a scope of its own."""


class Scope:
    """The surroundings of ops in the same module and the same manual computations.

    A program repeats a few dozen pairs of shardings and types thousands of times; each is looked at once.
    """

    def __init__(self, meshes: MeshTable, manual: tuple[tuple[ir.Operation, ManualAxes], ...] = ()) -> None:
        self.meshes = meshes
        self.manual = manual
        """The manual computations around, outermost first."""
        self.manual_names = frozenset(name for _, axes in manual for name in axes)
        self.valid: set[tuple[Hashable, ...]] = set()
        """Keys found valid: addresses of attributes and types, and other arguments of the check."""
        self._infos: dict[int, TypeInfo] = {}

    def of_module(self, module: ir.Operation) -> Scope:
        """Return the scope of the ops in a module at this position."""
        return Scope(MeshTable(module), self.manual)

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
        """Check the list in attribute `name` of `op` like `check_all`."""
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


class Scopes:
    """Scopes made on demand; most modules have only one."""

    def __init__(self, module: ir.Operation, inner: Iterable[ir.Operation]) -> None:
        """`inner` are the ops in the module that have a scope of their own."""
        self.outermost = module_scope(module)
        self._by_op = {module: self.outermost}
        self._inner = list(inner)
        self.share_meshes = all(op.name != _MODULE for op in self._inner)
        """True if a mesh has the same name in all nested modules."""
        manual = (value(op, "manual_axes", ManualAxes) for op in self._inner if op.name == _MANUAL)
        self.manual_names = frozenset(name for axes in manual for name in axes.names)
        """The axes that are manual anywhere."""

    def around(self, op: ir.Operation) -> Scope:
        """Return the scope of an op in the module."""
        if not self._inner:
            return self.outermost
        parent = op.parent.operation
        while parent.name not in WITH_SCOPE:
            parent = parent.parent.operation
        return self._inside(parent)

    def _inside(self, op: ir.Operation) -> Scope:
        scope = self._by_op.get(op)
        if scope is None:
            outer = self.around(op)
            if op.name == _MODULE:
                scope = module_scope(op, outer)
            else:
                scope = outer.inside(op, value(op, "manual_axes", ManualAxes))
            self._by_op[op] = scope
        return scope


def module_scope(module: ir.Operation, outer: Scope | None = None) -> Scope:
    """The scope of the ops in a module.

    Raises:
      DiagnosticError: at the first of its meshes that is none.
    """
    for op in module.regions[0].blocks[0].operations:
        if op.operation.name == "sdy.mesh":
            value(op.operation, "mesh", Mesh)
    return outer.of_module(module) if outer else Scope(MeshTable(module))


OpCheck = Callable[[ir.Operation, Scope], None]
"""Raises `DiagnosticError` at an op that is wrong."""

INVARIANTS: dict[str, OpCheck] = {}
SYMBOL_USES: dict[str, OpCheck] = {}

ALL_IN_ONE: dict[str, OpCheck] = {}
"""Checks of both kinds together, for where the order does not matter."""


def invariants_of(*names: str) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of the invariants of ops of these names."""
    return _registering(INVARIANTS, names)


def symbol_uses_of(*names: str, include_invariants: bool = False) -> Callable[[OpCheck], OpCheck]:
    """Registers the decorated function as the check of symbol uses in ops of these names.

    With `include_invariants` it also applies the checks of the invariants.
    """
    return _registering(SYMBOL_USES, names, include_invariants)


def _registering(
    checks: dict[str, OpCheck], names: tuple[str, ...], is_all: bool = False
) -> Callable[[OpCheck], OpCheck]:
    def register(function: OpCheck) -> OpCheck:
        checks.update(dict.fromkeys(names, function))
        if is_all:
            ALL_IN_ONE.update(dict.fromkeys(names, function))
        return function

    return register


def check_by_name(op: ir.Operation, scope: Scope) -> None:
    """Makes all checks for ops of this name."""
    name = op.name
    if name in ALL_IN_ONE:
        ALL_IN_ONE[name](op, scope)
        return
    for checks in (INVARIANTS, SYMBOL_USES):
        if name in checks:
            checks[name](op, scope)
