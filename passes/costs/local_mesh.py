"""The mesh that a device-local program runs on, and what of the program runs."""

from __future__ import annotations

import numpy as np

from sdy.dialect.definition import attributes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_shardings import OUTPUTS, PARAMETERS
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.functions import callee_name, calls_in, funcs, symbol_name
from sdy.mlir.walk import pre_order
from sdy.passes.costs.program_collectives import groups_attribute, kind_of


def local_mesh(module: ir.Operation) -> Mesh:
    """The mesh of a local module: declared, or that of its arguments; else all devices are one axis."""
    declared = MeshTable(module).global_mesh()
    if declared is not None:
        return declared[1]
    for name in (PARAMETERS, OUTPUTS):
        for sharding in attributes.get(module, name) or ():
            if isinstance(sharding.mesh_or_ref, Mesh) and sharding.mesh_or_ref.axes:
                return sharding.mesh_or_ref
    return Mesh((MeshAxis("devices", devices_named(module)),))


def devices_named(module: ir.Operation) -> int:
    """The number of devices that the device ids of its collectives give away, 1 without any."""
    return max(map(_devices, pre_order(module)))


def entry_functions(module: ir.Operation) -> list[ir.Operation]:
    """The function called `main`, or else the functions that no other calls."""
    functions = funcs(module)
    mains = [function for function in functions if symbol_name(function) == "main"]
    if mains:
        return mains
    called = {callee_name(call) for call in calls_in(module)}
    return [function for function in functions if symbol_name(function) not in called]


def _devices(op: ir.Operation) -> int:
    kind = kind_of(op)
    if kind is None:
        return 1
    ids = op.attributes["source_target_pairs"] if kind == "collective_permute" else groups_attribute(op)
    return int(np.array(ids).max(initial=0)) + 1 if isinstance(ids, ir.DenseIntElementsAttr) else 1
