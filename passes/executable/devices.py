"""The devices and the mesh of a program for XLA."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.mesh_translation import on_mesh, translate
from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    result_shardings,
    set_arg_sharding,
    set_result_sharding,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.lists import ManualAxes
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, main_function, module_body, top_level
from sdy.mlir.search import ops_named
from sdy.passes.executable.records import DEVICES, devices, store_given
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@pass_("sdy-use-common-mesh")
def use_common_mesh(module: ir.Operation) -> object:
    """sdy-use-common-mesh: shardings are written with the axes of the first mesh, where that has them.

        sdy.mesh @mesh = <["x"=4, "y"=2]>
        sdy.mesh @mesh_0 = <["d"=8]>
        %0 = sdy.sharding_constraint %arg0 <@mesh_0, [{"d"}]> : tensor<8xf32>
    ==> %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", "y"}]> : tensor<8xf32>

    Shardings only travel, and data is only moved step by step, between values on one mesh. XLA does the same in front
    of its propagation.

    Meshes stay declared. Left as they are: shardings on meshes with another order of devices, and on those whose axes
    are only parts of axes of the first mesh if there are regions that are manual on them.
    """
    meshes = MeshTable(module)
    found = meshes.global_mesh()
    if found is None:
        return UNCHANGED
    name, mesh = found
    manual = ops_named(module, "sdy.manual_computation")
    used = {_mesh_name(op) for op in manual}
    translations = {
        other: _Translation(each, name, mesh)
        for other, each in meshes.by_name.items()
        if each.axes and each.size == mesh.size and each.device_ids == mesh.device_ids and other != name
    }
    translations = {
        other: one for other, one in translations.items() if one.is_complete and (one.is_whole or other not in used)
    }
    if not translations:
        return UNCHANGED
    for op in manual:
        if (translation := translations.get(_mesh_name(op) or "")) is not None:
            names = attributes.get(op, "manual_axes").names
            attributes.put(op, "manual_axes", ManualAxes(translation.manual_axes(names)))

    def translated(sharding: TensorSharding) -> TensorSharding:
        ref = sharding.mesh_or_ref
        return translations[ref].of(sharding) if isinstance(ref, str) and ref in translations else sharding

    transform_shardings(module, translated)
    return None


def _mesh_name(op: ir.Operation) -> str | None:
    """The mesh of a manual computation, if it has operands or results."""
    shardings = (*attributes.get(op, "in_shardings").shardings, *attributes.get(op, "out_shardings").shardings)
    return next((one.mesh_or_ref for one in shardings if isinstance(one.mesh_or_ref, str)), None)


class _Translation:
    """From a mesh to one of the same devices in the same order, which is called `name`."""

    def __init__(self, source: Mesh, name: str, target: Mesh) -> None:
        self._source, self._name, self._target = source, name, target
        found = [translate([AxisRef(axis.name)], source, target) for axis in source.axes]
        self.is_complete = all(axes is not None for axes in found)
        self.is_whole = all(axis.sub_axis is None for axes in found for axis in axes or ())

    def of(self, sharding: TensorSharding) -> TensorSharding:
        dims = tuple(replace(dim, axes=tuple(self._axes(dim.axes))) for dim in sharding.dims)
        replicated, unreduced = (
            self._target.sort_and_merge(self._axes(axes)) for axes in (sharding.replicated, sharding.unreduced)
        )
        return replace(sharding, mesh_or_ref=self._name, dims=dims, replicated=replicated, unreduced=unreduced)

    def manual_axes(self, names: Sequence[str]) -> tuple[str, ...]:
        axes = self._axes([AxisRef(name) for name in names])
        return tuple(axis.name for axis in sorted(axes, key=self._target.order_key))

    def _axes(self, axes: Sequence[AxisRef]) -> Sequence[AxisRef]:
        found = translate(axes, self._source, self._target)
        assert found is not None, "the translation is complete"
        return found


@pass_("sdy-translate-foreign-boundaries")
def translate_foreign_boundaries(module: ir.Operation) -> object:
    """sdy-translate-foreign-boundaries: arguments and results have shardings that the mesh of the program has.

        sdy.mesh @mesh = <["x"=4]>
        sdy.mesh @other = <["x"=4], device_ids=[3, 2, 1, 0]>
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>})
    ==> module attributes {sdy.given_parameters_shardings =
            [#sdy.sharding<mesh<["x"=4], device_ids=[3, 2, 1, 0]>, [{"x"}]>], ...} {
        func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})

    A region that is manual on all axes is manual on those of one mesh. What JAX hands over on a mesh with another order
    of devices, or with axes that divide the devices otherwise, comes into the program as the nearest sharding of its
    mesh, and results leave it so; XLA moves the data between the two. Propagation has decided how results are sharded
    of which nothing was said. What is unreduced along axes that the mesh has not is reduced in the program.
    """
    mesh, meshes = Mesh(devices(module).axes), MeshTable(module)
    others = [each for each in meshes.by_name.values() if each.size == mesh.size and each != mesh]
    if all(_divides_alike(each, mesh) for each in others):
        return UNCHANGED
    main = main_function(module)
    name = next((name for name, each in meshes.by_name.items() if each == mesh), None)
    if name is None:
        raise DiagnosticError(module, f"has no mesh {mesh}, that of its devices")
    given = []
    for shardings, put in ((arg_shardings(main), set_arg_sharding), (result_shardings(main), set_result_sharding)):
        foreign = [_foreign(one, meshes, mesh) for one in shardings]
        for number, sharding in enumerate(foreign):
            if sharding is not None:
                put(main, number, _nearest(sharding, mesh).with_mesh(name))
        given.append(tuple(foreign))
    _settle_results(main, name)
    store_given(module, *given)
    return None


def _settle_results(main: ir.Operation, mesh: str) -> None:
    """Results that nothing has reached are whole: what arguments are sharded by now is not for them."""
    types = main.attributes["function_type"].value.results
    for number, (type_, sharding) in enumerate(zip(types, result_shardings(main), strict=True)):
        if sharding is None and isinstance(type_, ir.RankedTensorType):
            set_result_sharding(main, number, TensorSharding.closed(mesh, type_.rank))


def _divides_alike(mesh: Mesh, other: Mesh) -> bool:
    """Whether each axis of `mesh` is one or several axes, or a part of one, of `other`."""
    sharding = TensorSharding.from_axes(mesh, [[axis] for axis in mesh.atomic_axes(())])
    return on_mesh(sharding, mesh, other) is not None


def _foreign(sharding: TensorSharding | None, meshes: MeshTable, mesh: Mesh) -> TensorSharding | None:
    """The sharding, inlined, if `mesh` has it not."""
    own = None if sharding is None else meshes.of(sharding)
    if sharding is None or own is None or own.size != mesh.size or on_mesh(sharding, own, mesh) is not None:
        return None
    return sharding.with_mesh(own)


def _nearest(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    """The sharding with the same shards, whichever device has them, or with whole dimensions if there is none."""
    own = sharding.mesh_or_ref
    assert isinstance(own, Mesh)
    ordered = replace(own, device_ids=())
    return TensorSharding.from_axes(mesh, [translate(dim, ordered, mesh) or () for dim in sharding.dim_axes])


MOST_DEVICES = 1 << 20
"""Local programs hold tables with an entry for each device."""


@dataclass(frozen=True)
class Options:
    num_devices: int = option(0, "how many devices there are; 0: as many as the mesh has, or one without a mesh")
    are_logical: bool = option(
        False,
        "device ids are logical numbers already, as in programs of JAX: the mesh of all devices is the one "
        "without any that has the most axes, as in XLA, or one of a single axis if there is none",
    )


@pass_("sdy-number-devices", options=Options)
def number_devices(module: ir.Operation, options: Options) -> None:
    """sdy-number-devices: devices are numbered logically, in row-major order of the axes of the mesh.

        sdy.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 0]>
        sdy.mesh @first = <[], device_ids=[3]>
    ==> module attributes {sdy.devices = #sdy.mesh<["x"=4], device_ids=[3, 2, 1, 0]>} {
        sdy.mesh @mesh = <["x"=4]>
        sdy.mesh @first = <[], device_ids=[0]>

    An executable knows its devices by position only, so a program that is to run is written in logical numbers. The
    order of the devices themselves is kept aside: the module attribute `sdy.devices` is the mesh of all devices, its
    device ids included. That is the first mesh with several devices, and the first of the module from here on; it has
    no device ids in the module. A program without meshes runs alike on all devices, which lie on an axis of their own;
    and what is on a mesh of one device is on all of them.

    Refused are meshes with more devices than there are or with another number than the first, and a maximal one whose
    device the first does not have.
    """
    attributes.put(module, DEVICES, _number(module, options))


def _number(module: ir.Operation, options: Options) -> Mesh:
    """Rewrites the meshes; returns the one of all devices."""
    declared = [op for op in top_level(module) if op.name == "sdy.mesh"]
    with_axes = [op for op in declared if attributes.get(op, "mesh").axes]
    if not with_axes:
        return Mesh((MeshAxis("devices", options.num_devices or 1),))
    large = [op for op in with_axes if attributes.get(op, "mesh").size > 1]
    first = (large or with_axes)[0]
    mesh: Mesh = attributes.get(first, "mesh")
    if not options.num_devices and mesh.size > MOST_DEVICES:
        raise DiagnosticError(first, f"has {mesh.size} devices, more than the {MOST_DEVICES} there may be")
    if 0 < options.num_devices < mesh.size:
        raise DiagnosticError(first, f"needs {mesh.size} devices, but there are only {options.num_devices}")
    if options.are_logical and large:
        in_order = [op for op in large if not attributes.get(op, "mesh").device_ids]
        first = max(in_order, key=_num_axes) if in_order else _declare_flat(module, mesh.size)
        mesh = attributes.get(first, "mesh")
    for op in declared:
        attributes.put(op, "mesh", _renumbered(op, mesh))
    if first != with_axes[0]:
        first.move_before(with_axes[0])
    if large:
        _spread(module, [op for op in with_axes if attributes.get(op, "mesh").size == 1], first)
    return mesh


def _num_axes(op: ir.Operation) -> int:
    return sum(axis.size > 1 for axis in attributes.get(op, "mesh").axes)


def _declare_flat(module: ir.Operation, size: int) -> ir.Operation:
    mesh = Mesh((MeshAxis("devices", size),))
    start = ir.InsertionPoint.at_block_begin(module_body(module))
    op = builders.mesh("devices", mesh, loc=module.location, ip=start)
    ModuleSymbols(module).insert(op)
    return op


def _renumbered(op: ir.Operation, first: Mesh) -> Mesh:
    """The mesh of `op` with the positions of its devices in `first`."""
    mesh: Mesh = attributes.get(op, "mesh")
    if mesh.is_maximal:
        device = mesh.device_ids[0]
        if device not in first.devices:
            raise DiagnosticError(op, f"names device {device}, but mesh{first} does not have it")
        return replace(mesh, device_ids=(first.devices.index(device),))
    if not mesh.axes or mesh.size == 1:
        return mesh
    if mesh.size != first.size:
        raise DiagnosticError(op, f"has {mesh.size} devices, but mesh{first} has {first.size}")
    if not mesh.device_ids and not first.device_ids:
        return mesh
    positions = {device: position for position, device in enumerate(first.devices)}
    return replace(mesh, device_ids=tuple(positions[device] for device in mesh.devices))


def _spread(module: ir.Operation, of_one_device: list[ir.Operation], everywhere: ir.Operation) -> None:
    """What is on a mesh of one device is whole on every device of the mesh `everywhere`."""
    if not of_one_device:
        return
    names = {op.attributes["sym_name"].value for op in of_one_device}
    target = everywhere.attributes["sym_name"].value
    for op in ops_named(module, "sdy.manual_computation"):
        shardings = (*attributes.get(op, "in_shardings").shardings, *attributes.get(op, "out_shardings").shardings)
        if any(sharding.mesh_or_ref in names for sharding in shardings):
            attributes.put(op, "manual_axes", ManualAxes(()))

    def spread(sharding: TensorSharding) -> TensorSharding:
        if sharding.mesh_or_ref not in names:
            return sharding
        return sharding.map_axes(lambda axis: False).with_mesh(target)

    transform_shardings(module, spread)


_NAMING = {
    "stablehlo.all_gather": "replica_groups",
    "stablehlo.all_reduce": "replica_groups",
    "stablehlo.all_to_all": "replica_groups",
    "stablehlo.collective_broadcast": "replica_groups",
    "stablehlo.collective_permute": "source_target_pairs",
    "stablehlo.reduce_scatter": "replica_groups",
}
"""Ops that name devices, by the attribute in which they do."""


@pass_("sdy-verify-devices")
def verify_devices(module: ir.Operation) -> str:
    """sdy-verify-devices: every device that a collective of a local program names is one of those that there are.

        module attributes {sdy.devices = #sdy.mesh<["x"=2]>} {
          ...
          %1 = "stablehlo.all_gather"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, ...}>

    The devices are those that `sdy.devices` says. A device that is not one of them is an error at the op.
    """
    count = devices(module).size
    known: set[ir.Attribute] = set()
    for op in ops_named(module, *_NAMING):
        attribute = op.attributes[_NAMING[op.name]]
        if attribute not in known and isinstance(attribute, ir.DenseIntElementsAttr):
            known.add(attribute)
            _verify_op(op, np.array(attribute), count)
    return UNCHANGED


def _verify_op(op: ir.Operation, named: np.ndarray, count: int) -> None:
    """Groups of unequal size are padded with -1."""
    unknown = named[named >= count]
    if unknown.size:
        there_are = "is one device" if count == 1 else f"are {count} devices"
        raise DiagnosticError(op, f"names device {unknown[0]}, but there {there_are}, if no other number is given")
