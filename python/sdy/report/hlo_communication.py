"""Communication of programs that XLA has partitioned: HLO text, or compiled JAX stages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from sdy import hlo
from sdy.dialect.replica_groups import group_axes
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.mesh import Mesh
from sdy.passes.costs.program_collectives import permuted_axes
from sdy.programs.meshes import is_jax_mesh, mesh_from
from sdy.programs.sources import Source
from sdy.report.transfers import Transfer

if TYPE_CHECKING:
    import jax.stages

HloProgram: TypeAlias = "jax.stages.Compiled | Source"
"""A compiled stage of JAX, or HLO text."""


def is_compiled(given: object) -> bool:
    """Return whether `given` is a compiled JAX stage."""
    stages = sys.modules.get("jax.stages")
    return stages is not None and isinstance(given, stages.Compiled)


def hlo_of(given: object) -> tuple[str, Mesh | None] | None:
    """Return the HLO text of a program and the mesh of its shardings, if known; None for a program in MLIR.

    Raises:
      ValueError: a compiled program of a backend that has no text.
    """
    program: Any = given
    if is_compiled(program):
        text = program.as_text()
        if text is None:
            raise ValueError("the backend gives no text of a compiled program")
        return text, _mesh_of(program)
    if isinstance(program, Source) and hlo.is_hlo(program.text):
        return program.text, None
    return None


def _mesh_of(compiled: jax.stages.Compiled) -> Mesh | None:
    """Return the mesh of the shardings of arguments and results."""
    tree_leaves = sys.modules["jax"].tree.leaves
    shardings = tree_leaves((compiled.input_shardings, compiled.output_shardings))
    meshes = [each.mesh for each in shardings if is_jax_mesh(getattr(each, "mesh", None))]
    return mesh_from(meshes[0]) if meshes else None


def hlo_transfers(text: str, mesh: Mesh | None) -> Iterator[Transfer]:
    """Yield the transfers of an HLO text, one per tensor, in program order.

    Args:
      text: the HLO module.
      mesh: names the axes of groups of devices; None for that on which the text writes them, if there is one.

    Raises:
      HloSyntaxError: the text cannot be read.
      ValueError: the mesh has fewer devices than the text names.
    """
    count = hlo.num_devices(text)
    mesh = mesh or hlo.mesh_in(text)
    if mesh is not None and mesh.size < count:
        raise ValueError(f"the program runs on {count} devices, but {mesh} has {mesh.size}")
    number = 0
    for one in hlo.collectives(text, count):
        tensors = 1 if one.kind in hlo.ONE_TENSOR else one.tensors
        axes = None if mesh is None else axes_of(one, mesh)
        for _ in range(tensors):
            yield Transfer(
                one.kind,
                axes,
                one.group_size,
                one.operand_bytes // tensors,
                one.times if one.is_exact else None,
                one.location,
                serves="",
                position=one.position,
                value=f"%{one.name}",
                is_conditional=one.is_conditional,
                is_in_loop=one.is_in_loop,
                reshard=None,
                id=f"c{number}",
            )
            number += 1


def axes_of(one: hlo.HloCollective, mesh: Mesh) -> AxisList | None:
    """Return the mesh axes of a collective; None if its groups are along no axes."""
    return permuted_axes(mesh, one.groups) if one.kind == "collective_permute" else group_axes(mesh, one.groups)
