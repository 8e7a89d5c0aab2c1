"""sdy-prepare-executable: Number devices as an executable does, and check the boundary of @main.

    sdy.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 0]>
    sdy.mesh @first = <[], device_ids=[3]>
    func.func @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
==> module attributes {sdy.devices = #sdy.mesh<["x"=4], device_ids=[3, 2, 1, 0]>,
                       sdy.main_type = (tensor<8xf32>) -> tensor<8xf32>} {
    sdy.mesh @mesh = <["x"=4]>
    sdy.mesh @first = <[], device_ids=[0]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>

An executable identifies devices by position, so the program is written in logical numbers: row-major order of the axes
of the mesh of all devices. That is the first mesh with several devices, which moves to the front and loses its device
ids; the module attribute `sdy.devices` keeps them. A program without meshes runs replicated on all devices, which get
an axis. Values on a mesh of one device are replicated.

A single function becomes @main if no function has that name; its type is recorded.

`embedded` (programs of JAX): device ids are logical numbers already. The mesh of all devices is the one without device
ids that has the most axes, as in XLA, or one of a single axis. Shardings on other meshes of the same devices are
rewritten with its axes, because propagation and stepwise data movement stay within one mesh; XLA does the same before
it propagates. Meshes with another order of devices stay, and so do those with parts of axes if a region is manual on
them. Results without elements are replicated, because XLA makes constants of them.

Errors: a mesh with more devices than exist, or with another number than the first; a maximal mesh of another device; an
argument or result that is neither a static tensor nor a token, that is on a single device, or that its shards do not
divide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.mesh_translation import translate
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings, set_result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import transform_shardings
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.rule import ManualAxes
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, at_argument
from sdy.mlir.functions import ModuleSymbols, main_function, module_body, top_level
from sdy.mlir.search import ops_named
from sdy.passes.executable.records import DEVICES, MAIN_TYPE
from sdy.passes.options import option
from sdy.passes.registry import pass_


def _use_common_mesh(module: ir.Operation) -> None:
    meshes = MeshTable(module)
    found = meshes.global_mesh()
    if found is None:
        return
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
        return
    for op in manual:
        if (translation := translations.get(_mesh_name(op) or "")) is not None:
            names = attributes.get(op, "manual_axes").names
            attributes.put(op, "manual_axes", ManualAxes(translation.manual_axes(names)))

    def translated(sharding: TensorSharding) -> TensorSharding:
        ref = sharding.mesh_or_ref
        return translations[ref].of(sharding) if isinstance(ref, str) and ref in translations else sharding

    transform_shardings(module, translated)


def _mesh_name(op: ir.Operation) -> str | None:
    """The mesh of a manual computation, if it has operands or results."""
    shardings = (*attributes.get(op, "in_shardings").shardings, *attributes.get(op, "out_shardings").shardings)
    return next((one.mesh_or_ref for one in shardings if isinstance(one.mesh_or_ref, str)), None)


class _Translation:
    """The translation to a mesh of the same devices in the same order, called `name`."""

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


MOST_DEVICES = 1 << 20
"""Local programs hold tables with an entry for each device."""


@dataclass(frozen=True)
class PrepareExecutableOptions:
    """Options of sdy-prepare-executable."""

    num_devices: int = option(0, "number of devices; 0: as many as the mesh has, or one without a mesh")
    embedded: bool = option(False, "the program is one of JAX; see above")


@pass_("sdy-prepare-executable", options=PrepareExecutableOptions)
def prepare_executable(module: ir.Operation, options: PrepareExecutableOptions) -> None:
    attributes.put(module, DEVICES, _number(module, options))
    if options.embedded:
        _use_common_mesh(module)
        _replicate_empty_results(module)
    _record_main_type(module)


def _number(module: ir.Operation, options: PrepareExecutableOptions) -> Mesh:
    """Rewrites the meshes; returns the mesh of all devices."""
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
    if options.embedded and large:
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
    """Replicate values on meshes of one device over the mesh `everywhere`."""
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


def _replicate_empty_results(module: ir.Operation) -> None:
    found = MeshTable(module).global_mesh()
    if found is None:
        return
    main = main_function(module)
    types = main.attributes["function_type"].value.results
    for number, (type_, sharding) in enumerate(zip(types, result_shardings(main), strict=True)):
        if sharding is None and isinstance(type_, ir.RankedTensorType) and 0 in type_.shape:
            set_result_sharding(main, number, TensorSharding.closed(found[0], type_.rank))


_TOKEN = "!stablehlo.token"


def _record_main_type(module: ir.Operation) -> None:
    main = main_function(module)
    main.attributes["sym_name"] = ir.StringAttr.get("main")
    _check_boundary(main, MeshTable(module))
    module.attributes[MAIN_TYPE] = main.attributes["function_type"]


def _check_boundary(main: ir.Operation, meshes: MeshTable) -> None:
    function_type = main.attributes["function_type"].value
    sides = [
        ("argument", zip(function_type.inputs, arg_shardings(main), strict=True)),
        ("result", zip(function_type.results, result_shardings(main), strict=True)),
    ]
    for side, pairs in sides:
        for number, (type_, sharding) in enumerate(pairs):
            with at_argument(main, number if side == "argument" else None):
                _check_value(main, f"{side} {number}", type_, sharding, meshes)


def _check_value(
    main: ir.Operation, what: str, type_: ir.Type, sharding: TensorSharding | None, meshes: MeshTable
) -> None:
    if str(type_) == _TOKEN:
        return
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        raise DiagnosticError(main, f"{what} has type {type_}, expected a statically shaped tensor or a token")
    mesh = sharding and meshes.of(sharding)
    if sharding is None or mesh is None:
        return
    if mesh.is_maximal:
        raise DiagnosticError(main, f"{what} lies on device {mesh.device_ids[0]} alone, expected it on all devices")
    _check_divisible(main, what, type_.shape, sharding, mesh)


def _check_divisible(main: ir.Operation, what: str, shape: Sequence[int], sharding: TensorSharding, mesh: Mesh) -> None:
    for position, (size, dim) in enumerate(zip(shape, sharding.dims, strict=True)):
        shards = dim.shards(mesh.axis_sizes)
        if size % shards:
            raise DiagnosticError(
                main, f"{what} has size {size} in dimension {position}, which its {shards} shards do not divide"
            )
