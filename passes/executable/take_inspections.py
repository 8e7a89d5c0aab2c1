"""sdy-take-inspections: what a program asks about shardings is noted, and is no part of it any more.

    stablehlo.custom_call @InspectSharding(%0) {backend_config = "0"} : ...     // %0: <@mesh, [{"x"}, {}]>
==> module attributes {sdy.inspections = [{key = "0", shape = array<i64: 8, 16>,
                                           sharding = #sdy.sharding<mesh<["x"=4]>, [{"x"}, {}]>}]}

Such a call, as by `jax.debug.inspect_array_sharding`, asks a partitioner, and computes nothing. What it asks for is
known once shardings have been propagated. A sharding that the mesh of all devices has not is refused.
"""

from __future__ import annotations

from itertools import takewhile

from sdy.dialect.mesh_translation import translate
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting.uses import is_unused
from sdy.passes.executable.questions import INSPECT_SHARDING, Inspection
from sdy.passes.executable.records import devices, store_inspections
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import views


@pass_("sdy-take-inspections")
def take_inspections(module: ir.Operation) -> object:
    """Where nobody says which devices there are they are those of the first mesh."""
    calls = _calls(module)
    if not calls:
        return UNCHANGED
    meshes, mesh = MeshTable(module), Mesh(devices(module).axes)
    taken = [(op.attributes["backend_config"], _inspection(op, meshes, mesh)) for op in calls]
    for op in calls:
        op.erase()
    store_inspections(module, taken)
    return None


def _calls(module: ir.Operation) -> list[ir.Operation]:
    """The calls; there are no uses of their results."""
    return [
        call.op
        for call in views.CustomCall.all_in(module)
        if call.call_target_name == INSPECT_SHARDING and "backend_config" in call.op.attributes and is_unused(call.op)
    ]


def _inspection(op: ir.Operation, meshes: MeshTable, mesh: Mesh) -> Inspection:
    value = op.operands[0]
    shape = tuple(value.type.shape)
    sharding = get_sharding(value) or TensorSharding.closed(mesh, len(shape))
    own = meshes.of(sharding) or mesh
    dims = [translate(axes, own, mesh) if axes else () for axes in sharding.dim_axes]
    if any(axes is None for axes in dims):
        raise DiagnosticError(op, f"asks for the sharding {sharding}, which mesh{mesh} has not")
    whole = [takewhile(lambda axis: axis.sub_axis is None, axes or ()) for axes in dims]
    return Inspection(str(op.attributes["backend_config"]), shape, TensorSharding.from_axes(mesh, whole))
