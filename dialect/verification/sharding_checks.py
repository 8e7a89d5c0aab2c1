"""Checks of axes, types, shardings and unreduced axes, without MLIR where they can be (spec: dialect, 4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import TypeVar

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef, any_overlap, difference, quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding, axis_set, symbol
from sdy.lazy_dataclass import dataclass
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


def check_axis_list(axis_list: Sequence[AxisRef], mesh: Mesh, seen: set[AxisRef]) -> str | None:
    """Check that axes exist, occur once, and are merged. Related lists share the set `seen`."""
    previous: AxisRef | None = None
    for axis in axis_list:
        if axis.name not in mesh.axis_sizes:
            return f"uses axis {quote(axis.name)}, which the mesh does not have"
        if axis in seen:
            return f"uses axis {axis} twice"
        seen.add(axis)
        if previous is not None and previous.can_merge(axis):
            return f"has the consecutive sub-axes {previous} and {axis}, which must be written as one"
        previous = axis
    return None


def check_axis_lists(lists: Iterable[Sequence[AxisRef]], mesh: Mesh) -> str | None:
    """Run `check_axis_list` for related lists."""
    seen: set[AxisRef] = set()
    for axis_list in lists:
        problem = check_axis_list(axis_list, mesh, seen)
        if problem is not None:
            return problem
    return None


def check_order(axis_list: Sequence[AxisRef], mesh: Mesh, what: str) -> str | None:
    """Return whether the axes are sorted in mesh order.

    Axes that the mesh lacks are left to `check_axis_list`.
    """
    keys = [mesh.order_key(axis) for axis in axis_list if axis.name in mesh.axis_sizes]
    return f"has {what} axes that are not in the order of the mesh" if keys != sorted(keys) else None


def check_sub_axes(axis_list: Sequence[AxisRef], mesh: Mesh) -> str | None:
    """Return whether each sub-axis is a part of its axis, and no two of the axes in use overlap."""
    names = {axis.name: None for axis in axis_list if axis.sub_axis is not None}
    for name in names:
        parts = [axis for axis in axis_list if axis.name == name]
        if any(axis.sub_axis is None for axis in parts):
            return f"uses axis {quote(name)} as well as a sub-axis of it"
        problem = _check_parts(sorted(parts, key=lambda axis: axis.name_key), mesh.axis_sizes[name])
        if problem is not None:
            return problem
    return None


def _check_parts(parts: Sequence[AxisRef], full_size: int) -> str | None:
    """Checks the sub-axes of one axis, sorted."""
    end = 1
    for axis in parts:
        assert axis.sub_axis is not None
        pre, size = axis.sub_axis.pre_size, axis.sub_axis.size
        if pre < 1 or size <= 1:
            return f"has sub-axis {axis} with a pre-size below 1 or a size below 2"
        if full_size % (pre * size):
            return f"has sub-axis {axis}, which does not divide its axis of size {full_size}"
        if size == full_size:
            return f"has sub-axis {axis}, which is its whole axis"
        if pre < end:
            return f"has sub-axis {axis}, which overlaps another one"
        end = pre * size
    return None


class TypeKind(Enum):
    """The kinds that a sharding tells apart."""

    NONE = 0
    """There is no value, as for an op without results."""
    TUPLE = 1
    """A tuple of other than one element."""
    UNSHAPED = 2
    UNRANKED = 3
    RANKED = 4


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """The kind of a type and, if it is ranked, its shape."""

    kind: TypeKind
    shape: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        """Rank of the type; 0 if it has none."""
        return len(self.shape)


NO_TYPE = TypeInfo(TypeKind.NONE)


def type_info(type_: ir.Type) -> TypeInfo:
    """The info of `type_`; a tuple of one element counts as that element (spec: dialect, 4)."""
    if isinstance(type_, ir.TupleType):
        if type_.num_types != 1:
            return TypeInfo(TypeKind.TUPLE)
        type_ = type_.get_type(0)
    type_ = sharded_type(type_)
    if not isinstance(type_, ir.ShapedType):
        return TypeInfo(TypeKind.UNSHAPED)
    return TypeInfo(TypeKind.RANKED, tuple(type_.shape)) if type_.has_rank else TypeInfo(TypeKind.UNRANKED)


@lru_cache(maxsize=1 << 14)
def check_sharding(sharding: TensorSharding, mesh: Mesh | None, info: TypeInfo) -> str | None:
    """Return whether `sharding` on `mesh` fits a value of that type. Manual axes are left to `manual_axis_in`."""
    if mesh is None:
        return f"has a sharding on the unknown mesh {symbol(str(sharding.mesh_or_ref))}"
    if mesh.is_maximal:
        return _check_bare(sharding, "a sharding on a single device")
    if info.kind is TypeKind.NONE and sharding.is_fully_replicated:
        return _check_bare(sharding, "the sharding of no value")
    if info.kind is TypeKind.TUPLE:
        return "has a sharding for a tuple of several elements or none"
    if info.kind is TypeKind.UNSHAPED:
        return _check_bare(sharding, "the sharding of a value without a shape")
    if info.kind is TypeKind.UNRANKED:
        return "has a sharding for a value without a rank"
    if sharding.rank != len(info.shape):
        return f"has a sharding of rank {sharding.rank} for a value of rank {len(info.shape)}"
    return _check_axes(sharding, mesh)


@lru_cache(maxsize=1 << 14)
def check_operand(sharding: TensorSharding, mesh: Mesh) -> str | None:
    """Check that the axes of an operand's sharding exist and do not overlap, so that computations can use them.

    The full check runs at the sharding's own op, possibly later.
    """
    axes = tuple(sharding.axis_refs())
    for axis in axes:
        if axis.name not in mesh.axis_sizes:
            return f"has an operand with axis {axis}, which the mesh does not have"
    problem = check_sub_axes(axes, mesh)
    return None if problem is None else f"has an operand that {problem}"


def check_shardings(
    shardings: Sequence[TensorSharding], meshes: Sequence[Mesh | None], infos: Sequence[TypeInfo]
) -> str | None:
    """Return whether a list of shardings fits a list of types; `meshes` are those of the shardings (section 4.4)."""
    if not infos and len(shardings) == 1:
        mesh = meshes[0]
        if shardings[0].is_fully_replicated or (mesh is not None and mesh.is_maximal):
            return check_sharding(shardings[0], mesh, NO_TYPE)
    if len(shardings) != len(infos):
        return f"has {len(shardings)} shardings for {len(infos)} values"
    for number, (sharding, mesh, info) in enumerate(zip(shardings, meshes, infos, strict=True)):
        problem = check_sharding(sharding, mesh, info)
        if problem is not None:
            return problem if len(infos) == 1 else f"{problem} (value number {number})"
    return None


def manual_axis_in(sharding: TensorSharding, names: Iterable[str]) -> AxisRef | None:
    """Return an axis of `sharding` that is a manual axis in `names`, or a part of one (section 4.3)."""
    manual = set(names)
    return next((axis for axis in sharding.axis_refs() if axis.name in manual), None)


def _check_bare(sharding: TensorSharding, what: str) -> str | None:
    if sharding.rank or sharding.replicated or sharding.unreduced:
        return f"has {what}, which can have neither dimensions nor axes, as {sharding}"
    return None


def _check_axes(sharding: TensorSharding, mesh: Mesh) -> str | None:
    seen: set[AxisRef] = set()
    for dim in sharding.dims:
        problem = _check_priority(dim) or check_axis_list(dim.axes, mesh, seen)
        if problem is not None:
            return problem
    return (
        check_order(sharding.replicated, mesh, "replicated")
        or check_axis_list(sharding.replicated, mesh, seen)
        or check_order(sharding.unreduced, mesh, "unreduced")
        or check_axis_list(sharding.unreduced, mesh, seen)
        or check_sub_axes(tuple(sharding.axis_refs()), mesh)
    )


def _check_priority(dim: DimensionSharding) -> str | None:
    if dim.priority is None:
        return None
    if dim.priority < 0:
        return f"has the negative priority {dim.priority}"
    if dim.is_closed and not dim.axes:
        return "has a priority on a closed dimension without axes"
    return None


@dataclass(frozen=True, slots=True)
class Change:
    """Permission for axes to become unreduced or cease to be, optionally restricted to one reduction."""

    allowed: bool
    reduction: Reduction | None = None


NEVER = Change(False)
ANY = Change(True)


def only(reduction: Reduction) -> Change:
    """Allowed for shardings with that reduction."""
    return Change(True, reduction)


def check_unreduced(
    sources: Sequence[TensorSharding],
    results: Sequence[TensorSharding],
    meshes: Sequence[Mesh],
    introduce: Change,
    remove: Change,
) -> str | None:
    """Return the error of the unreduced axes of `results`, given those of the operands; None if there is none.

    `meshes` are those of all the shardings; nothing is checked if they differ.
    """
    if any(mesh != meshes[0] for mesh in meshes[1:]):
        return None
    sizes = meshes[0].axis_sizes
    before = [axis for sharding in sources for axis in sharding.unreduced]
    after = [axis for sharding in results for axis in sharding.unreduced]
    return (
        _check_change(difference(after, before, sizes), results, introduce, "makes axes unreduced")
        or _check_change(difference(before, after, sizes), sources, remove, "reduces axes")
        or _check_kept(sources, results)
    )


def _check_change(
    changed: Sequence[AxisRef], shardings: Sequence[TensorSharding], change: Change, what: str
) -> str | None:
    if not changed:
        return None
    if not change.allowed:
        return f"{what}, which it cannot: {axis_set(changed)}"
    for sharding in shardings:
        wrong = change.reduction is not None and sharding.reduction is not change.reduction
        if wrong and change.reduction is not None and any_overlap(sharding.unreduced, changed):
            return f"{what} by {sharding.reduction.keyword}, expected {change.reduction.keyword}: {axis_set(changed)}"
    return None


def _check_kept(sources: Sequence[TensorSharding], results: Sequence[TensorSharding]) -> str | None:
    for result in results:
        for source in sources:
            if result.reduction is not source.reduction and any_overlap(result.unreduced, source.unreduced):
                return (
                    f"has axes that are unreduced by {source.reduction.keyword} in an operand and by "
                    f"{result.reduction.keyword} in a result"
                )
    return None
