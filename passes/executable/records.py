"""Records for the caller: module attributes that stay when the dialect is stripped from a lowered program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import attr_of, value_of
from sdy.dialect.replica_groups import FEW_DEVICES, groups_along, mesh_axes
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import OUTPUTS, PARAMETERS
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import inline
from sdy.mlir.walk import post_order
from sdy.passes.executable.user_partitions import Inspection

DEVICES = "sdy.devices"
MAIN_TYPE = "sdy.main_type"
INSPECTIONS = "sdy.inspections"
GIVEN_PARAMETERS = "sdy.given_parameters_shardings"
GIVEN_OUTPUTS = "sdy.given_output_shardings"

Shardings = tuple[TensorSharding | None, ...]
"""Inlined shardings of arguments or results; None for those of the program."""


def devices(module: ir.Operation) -> Mesh:
    """Return the mesh of all devices: as recorded, or the first mesh with axes; it has ids if reordered."""
    recorded = attributes.get(module, DEVICES)
    if recorded is not None:
        return recorded
    found = MeshTable(module).global_mesh()
    return Mesh() if found is None else found[1]


def is_for_one_device(module: ir.Operation) -> bool:
    """Return whether the program is known to run on one device."""
    return DEVICES in module.attributes and attributes.get(module, DEVICES).size == 1


def store_inspections(module: ir.Operation, found: Sequence[tuple[ir.Attribute, Inspection]]) -> None:
    """Writes inspections to the module, each with the attribute that is its key."""
    entries = [
        ir.DictAttr.get({"key": key, "shape": ir.DenseI64ArrayAttr.get(one.shape), "sharding": attr_of(one.sharding)})
        for key, one in found
    ]
    module.attributes[INSPECTIONS] = ir.ArrayAttr.get(entries)


def inspections(module: ir.Operation) -> tuple[Inspection, ...]:
    """The recorded inspections; none if nothing was recorded."""
    if INSPECTIONS not in module.attributes:
        return ()
    entries = map(ir.DictAttr, ir.ArrayAttr(module.attributes[INSPECTIONS]))
    return tuple(
        Inspection(str(one["key"]), tuple(ir.DenseI64ArrayAttr(one["shape"])), value_of(one["sharding"]))
        for one in entries
    )


def store_given(module: ir.Operation, arguments: Shardings, results: Shardings) -> None:
    """Writes the shardings that arguments and results have outside of the program."""
    for name, shardings in ((GIVEN_PARAMETERS, arguments), (GIVEN_OUTPUTS, results)):
        entries = [ir.UnitAttr.get() if each is None else attr_of(each) for each in shardings]
        module.attributes[name] = ir.ArrayAttr.get(entries)


def given(module: ir.Operation, name: str) -> Shardings:
    """The recorded shardings under `GIVEN_PARAMETERS` or `GIVEN_OUTPUTS`; none at all if nothing was recorded."""
    if name not in module.attributes:
        return ()
    return tuple(
        None if isinstance(each, ir.UnitAttr) else value_of(each) for each in ir.ArrayAttr(module.attributes[name])
    )


_KEPT = (
    PARAMETERS,
    OUTPUTS,
    DEVICES,
    MAIN_TYPE,
    INSPECTIONS,
    GIVEN_PARAMETERS,
    GIVEN_OUTPUTS,
)

_MODULE = "builtin.module"


def strip(module: ir.Operation) -> None:
    """Inline named computations, write replica groups as device numbers, and remove meshes and sdy attributes.

    Module attributes that describe the whole program stay.

    Raises:
      DiagnosticError: at an sdy op that no pass has lowered.
    """
    meshes = MeshTable(module)
    for op in post_order(module):
        name = op.name
        if name == "sdy.mesh":
            op.erase()
        elif name == "sdy.named_computation":
            inline(op)
        elif name.startswith("sdy.") and name != "sdy.return":
            raise DiagnosticError(op, "remains after partitioning")
        else:
            stored = op.attributes
            if not len(stored):
                continue
            if "replica_groups" in stored:
                _write_groups(op, meshes)
            remove_sdy_attributes(op, but=_KEPT if name == _MODULE and op == module else ())


def _write_groups(op: ir.Operation, meshes: MeshTable) -> None:
    """Replica groups along axes of a mesh symbol become device numbers, or axes of an inlined mesh."""
    named = mesh_axes(op.attributes["replica_groups"])
    if named is None:
        return
    mesh = meshes.resolve(named[0])
    if mesh is None:
        raise DiagnosticError(op, f"refers to an unknown mesh @{named[0]}")
    if mesh.size > FEW_DEVICES and not mesh.device_ids:
        op.attributes["replica_groups"] = groups_along(mesh, named[1])
        return
    groups = np.ascontiguousarray(mesh.replica_groups(named[1]))
    op.attributes["replica_groups"] = ir.DenseIntElementsAttr.get(groups)
