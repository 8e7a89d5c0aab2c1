"""Manual axes around an op, and the groups of devices of a collective."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import value_of
from sdy.dialect.ops.model import CUSTOM_CALL
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.values.axes import AxisList, AxisRef, merged
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import MeshRef
from sdy.lazy_dataclass import lazy_pattern
from sdy.mlir import ir, stablehlo
from sdy.mlir.functions import callee_name, enclosing_function, funcs, symbol_name
from sdy.mlir.search import ops_named
from sdy.mlir.walk import ops_around

_COMPUTATION = "sdy.manual_computation"


def manual_axes_around(op: ir.Operation) -> tuple[str, ...]:
    """Return the manual axes of the computations around an op in its function, outermost first."""
    return tuple(name for names in reversed(manual_axes_of_computations(op)) for name in names)


def manual_axes_of_computations(op: ir.Operation, *, itself: bool = False) -> list[tuple[str, ...]]:
    """Return the manual axes of each computation around an op, innermost first, of the op `itself` too if asked for."""
    holders = (op, *ops_around(op)) if itself else ops_around(op)
    computations = [each for each in holders if each.name == _COMPUTATION]
    return [attributes.get(each, "manual_axes").names for each in computations]


class ManualScopes:
    """Manual axes of all ops of a module, including those around the callers of an op's function.

    The callers are read once, since inlining may remove the manual computations around them.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._callers: dict[str, list[ir.Operation]] = {symbol_name(func): [] for func in funcs(module)}
        self._has_computations = False
        for op in ops_named(module, "func.call", _COMPUTATION):
            if op.name == _COMPUTATION:
                self._has_computations = True
            else:
                self._callers.setdefault(callee_name(op), []).append(op)
        self._of_functions: dict[str, frozenset[str]] = {}
        for name in self._callers:
            self._of_function(name)

    def around(self, op: ir.Operation) -> frozenset[str]:
        """Return the names of the axes along which devices run `op` independently."""
        return self.inside(op.parent.operation)

    def inside(self, holder: ir.Operation, *, skip: int = 0) -> frozenset[str]:
        """Return the result of `around` for ops in a region of `holder`, without the innermost `skip` computations."""
        if not self._has_computations:
            return frozenset()
        return self._of_function(symbol_name(enclosing_function(holder))).union(
            *manual_axes_of_computations(holder, itself=True)[skip:]
        )

    def _of_function(self, name: str) -> frozenset[str]:
        if name not in self._of_functions:
            self._of_functions[name] = frozenset()  # ends the search where a function calls itself
            self._of_functions[name] = frozenset().union(*map(self.around, self._callers[name]))
        return self._of_functions[name]


def stablehlo_mesh(mesh: Mesh) -> ir.Attribute:
    """`mesh` as ``#stablehlo.mesh``, with its device ids."""
    mesh_axes = ir.ArrayAttr.get([stablehlo.MeshAxisAttr.get(axis.name, axis.size) for axis in mesh.axes])
    if not mesh.device_ids:
        return stablehlo.MeshAttr.get(mesh_axes)
    i64 = ir.IntegerType.get_signless(64)
    ids = [ir.IntegerAttr.get(i64, device) for device in mesh.device_ids]
    return stablehlo.MeshAttr.get(mesh_axes, ir.DenseElementsAttr.get(ids, ir.RankedTensorType.get([len(ids)], i64)))


FEW_DEVICES = 64
"""With more of them replica groups are written as axes, which take no more room for many devices than for few."""


def mesh_axes(groups: ir.Attribute) -> tuple[MeshRef, AxisList] | None:
    """The mesh and the axes of replica groups; None if they are device ids."""
    if not stablehlo.ReplicaGroupMeshAxesAttr.isinstance(groups):
        return None
    found = stablehlo.ReplicaGroupMeshAxesAttr(groups)
    return _put_together(_mesh(found.mesh), tuple(map(_axis, found.axes)))


def groups_along(mesh: Mesh, axes: Sequence[AxisRef]) -> ir.Attribute:
    """The groups of devices that differ along `axes`, with the mesh in the attribute.

    XLA (in jaxlib 0.12) reads a part of an axis as all of it, so an axis with parts is written as several; `mesh_axes`
    joins them again.
    """
    atoms = mesh.atomic_axes(axes)
    sizes = mesh.axis_sizes
    split = Mesh(tuple(MeshAxis(_name_of_part(atom), atom.size(sizes)) for atom in atoms), mesh.device_ids)
    along = [AxisRef(_name_of_part(atom)) for axis in axes for atom in atoms if axis.contains(atom)]
    refs = ir.ArrayAttr.get(list(map(axis_attribute, along)))
    return stablehlo.ReplicaGroupMeshAxesAttr.get(stablehlo_mesh(split), refs)


def _name_of_part(axis: AxisRef) -> str:
    part = axis.sub_axis
    return axis.name if part is None else f"{axis.name}.part{part.pre_size}x{part.size}"


_PART = lazy_pattern(r"(.*)\.part(\d+)x(\d+)")


def _part(name: str) -> AxisRef:
    found = _PART.fullmatch(name)
    return AxisRef(name) if found is None else AxisRef.sub(found[1], int(found[2]), int(found[3]))


def _put_together(mesh: MeshRef, axes: AxisList) -> tuple[MeshRef, AxisList]:
    """The mesh and the axes that `groups_along` has split."""
    if not isinstance(mesh, Mesh) or not any(_PART.fullmatch(axis.name) for axis in mesh.axes):
        return mesh, axes
    sizes: dict[str, int] = {}
    for axis in mesh.axes:
        name = _part(axis.name).name
        sizes[name] = sizes.get(name, 1) * axis.size
    whole = Mesh(tuple(MeshAxis(name, size) for name, size in sizes.items()), mesh.device_ids)
    return whole, merged(tuple(_part(axis.name) for axis in axes), whole.axis_sizes)


def axis_attribute(axis: AxisRef) -> ir.Attribute:
    """`axis` as replica groups refer to it."""
    if axis.sub_axis is None:
        return stablehlo.AxisRefAttr.get(axis.name)
    info = stablehlo.SubAxisInfoAttr.get(axis.sub_axis.pre_size, axis.sub_axis.size)
    return stablehlo.AxisRefAttr.get(axis.name, info)


def _mesh(attr: ir.Attribute) -> MeshRef:
    if isinstance(attr, ir.FlatSymbolRefAttr):
        return attr.value
    if not stablehlo.MeshAttr.isinstance(attr):
        return value_of(attr)
    mesh = stablehlo.MeshAttr(attr)
    axes = tuple(MeshAxis(axis.name, axis.size) for axis in map(stablehlo.MeshAxisAttr, mesh.axes))
    return Mesh(axes, () if mesh.device_ids is None else tuple(np.array(mesh.device_ids).tolist()))


def _axis(attr: ir.Attribute) -> AxisRef:
    ref = stablehlo.AxisRefAttr(attr)
    if ref.sub_axis_info is None:
        return AxisRef(ref.name)
    info = stablehlo.SubAxisInfoAttr(ref.sub_axis_info)
    return AxisRef.sub(ref.name, info.pre_size, info.size)


# Groups of devices -----------------------------------------------------------------------------------

Groups = tuple[tuple[int, ...], ...]


def groups_attribute(op: ir.Operation) -> ir.Attribute:
    """Return the replica groups of a collective; for a call, those in its attributes."""
    if op.name == CUSTOM_CALL:
        return ir.DictAttr(op.attributes["backend_config"])["replica_groups"]
    return op.attributes["replica_groups"]


def device_groups(attr: ir.Attribute) -> Groups:
    """Return the rows of a dense matrix; groups of unequal size are padded with -1."""
    matrix = np.array(ir.DenseIntElementsAttr(attr)).reshape(ir.RankedTensorType(attr.type).shape)
    return tuple(tuple(device for device in row if device >= 0) for row in matrix.tolist())


def axes_of_groups(op: ir.Operation, mesh: Mesh) -> AxisList | None:
    """Return the axes along which the groups of a collective lie; None if there are none, or on another mesh."""
    groups = groups_attribute(op)
    named = mesh_axes(groups)
    if named is not None:
        return named[1] if mesh_of(named[0], op) == mesh else None
    ids = device_groups(groups) or (mesh.devices,)
    return group_axes(mesh, ids) if set(mesh.devices).issuperset(chain.from_iterable(ids)) else None


@lru_cache
def group_axes(mesh: Mesh, groups: Groups) -> AxisList | None:
    """Return the axes, in mesh order, along which these groups of devices lie; None if there are none.

    The order of the groups and of the devices in a group does not matter.
    """
    wanted = {frozenset(group) for group in groups}
    found = _varying_axes(mesh, groups[0])
    if found is None or {frozenset(group) for group in mesh.replica_groups(found).tolist()} != wanted:
        return None
    return found


def _varying_axes(mesh: Mesh, group: Sequence[int]) -> AxisList | None:
    """Return, for each axis, the part along which the devices of one group differ; None if that is not a sub-axis."""
    varying: list[AxisRef] = []
    number = mesh.positions
    for axis in mesh.axes:
        found = sorted({mesh.coordinate(AxisRef(axis.name), number[device]) for device in group})
        if len(found) == axis.size > 1:
            varying.append(AxisRef(axis.name))
        elif len(found) > 1:
            step = found[1] - found[0]
            if found != list(range(found[0], found[0] + step * len(found), step)) or axis.size % (len(found) * step):
                return None
            varying.append(AxisRef.sub(axis.name, axis.size // (len(found) * step), len(found)))
    return tuple(varying)
