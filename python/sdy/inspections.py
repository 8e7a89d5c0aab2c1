"""Values whose shardings a program asks for, as by `jax.debug.inspect_array_sharding`.

    stablehlo.custom_call @InspectSharding(%0) {backend_config = "..."}     // %0: <@mesh, [{"x"}, {}]>

Such a call asks a partitioner, and computes nothing. So it is no part of the program of one device; what it asks for is
known once shardings have been propagated.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import sdy
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.values import get_sharding
from sdy.dialect.walk import pre_order
from sdy.mesh_translation import translate

TARGET = "InspectSharding"
_PROPAGATION = "sdy-propagation-pipeline{avoid-export-for-partitioning=true}"


@dataclass(frozen=True)
class Inspection:
    """A value that is asked for.

    Attributes:
      key: who asks, the `backend_config` of the call as it is written in a program.
      shape: that of the global value.
      sharding: that of the value, on the mesh of all devices, inlined. JAX has no name for parts of axes: they are not
        there, nor what comes behind them.
    """

    key: str
    shape: tuple[int, ...]
    sharding: TensorSharding


def take_inspections(module: Any, mesh: Mesh) -> tuple[Inspection, ...]:
    """Removes the calls from a module on the devices of `mesh`; if there are any, shardings are propagated first.

    Raises `DiagnosticError` at a call for a value whose sharding cannot be written with the axes of `mesh`.
    """
    if not _calls(module):
        return ()
    sdy.run(module, _PROPAGATION)
    meshes = MeshTable(module)
    taken: list[Inspection] = []
    for op in _calls(module):
        taken.append(_inspection(op, meshes, mesh))
        op.erase()
    return tuple(taken)


def remove_inspections(module: Any) -> None:
    """Removes the calls, whatever they ask."""
    for op in _calls(module):
        op.erase()


def _calls(module: Any) -> list[Any]:
    """The calls; there are no uses of their results."""
    calls = pre_order(module.operation, "stablehlo.custom_call")
    return [
        op
        for op in calls
        if op.attributes["call_target_name"].value == TARGET
        and "backend_config" in op.attributes
        and not any(True for result in op.results for _ in result.uses)
    ]


def _inspection(op: Any, meshes: MeshTable, mesh: Mesh) -> Inspection:
    value = op.operands[0]
    shape = tuple(value.type.shape)
    sharding = get_sharding(value) or TensorSharding.closed(mesh, len(shape))
    own = meshes.of(sharding) or mesh
    dims = [translate(axes, own, mesh) if axes else () for axes in sharding.dim_axes]
    if any(axes is None for axes in dims):
        raise DiagnosticError(op, f"asks for the sharding {sharding}, which mesh{mesh} has not")
    whole = [takewhile(lambda axis: axis.sub_axis is None, axes or ()) for axes in dims]
    return Inspection(str(op.attributes["backend_config"]), shape, TensorSharding.from_axes(mesh, whole))
