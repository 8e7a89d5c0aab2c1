"""Configuration of a program of several meshes: meshes, assignment of names, schedule."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

import jax
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding

from sdy.jax.call_arguments import PyTree
from sdy.jax.mpmd.schedules import PipelineSchedule
from sdy.jax.mpmd.table_schedules import get_pipeline_schedule
from sdy.lazy_dataclass import dataclass
from sdy.pipeline.search import FoundPipeline

Topology: TypeAlias = Mapping[str, Mesh]
"""Meshes by name, in the order of the pipeline."""

Options: TypeAlias = Mapping[str, "bool | str"]
"""Options of the passes, by the names that upstream has for them."""

SCHEDULES = (
    "None",
    "GPipe",
    "1F1B",
    "Circular",
    "CircularWithReversedBackward",
    "GPipeBut1F1BForLastMesh",
    "ZeroBubbleH1",
    "ZeroBubbleH2ZeroTxLatency",
    "ZeroBubbleH2HalfTxLatency",
    "ZeroBubbleH2FullTxLatency",
    "ParallelPipelinesWithWrapAround",
)
"""The values of `mpmd_pipeline_schedule`."""

_SCHEDULE = "mpmd_pipeline_schedule"
_UNEQUAL = "mpmd_enable_heterogeneous_meshes"
_FLAGS = (
    "mpmd_infer_transfers",
    "mpmd_infer_cross_mesh_reductions",
    "mpmd_fragment_remat",
    "mpmd_merge_remat_fragments",
    "mpmd_split_bwd_fragments",
    "mpmd_assume_homogeneous_devices",
    "mpmd_absorb_inferred_fragments_on_entry_point_function",
    "mpmd_copy_constant_creation_from_producer_to_consumer",
    "mpmd_apply_merge_transfers_pass",
    "mpmd_merge_inferred_after_scheduling",
    "mpmd_fail_on_backward_deps",
    _UNEQUAL,
)
_KINDS = ("pinned_host", "device")


@dataclass(frozen=True)
class Config:
    """Meshes and assignments of a program; made and checked by `make_config`.

    Attributes:
      topology: meshes by name, in the order of the pipeline.
      name_to_mesh_assignment: by name of a computation or tensor: the mesh, or ``mesh#pinned_host``.
      name_to_stage_assignment: by name of a computation: the stage of the pipeline.
      input_mesh_assignment, output_mesh_assignment: prefix trees of mesh names or None.
      partitioning_options: options of the passes.
      read_input_output_mesh_from_shardings: whether shardings of arguments and results assign them to meshes.
      pipeline_schedule: rules that order fragments; None for the built-in schedule among the options.
      found: the candidates of `auto`, if it made the config.
    """

    topology: Topology
    name_to_mesh_assignment: Mapping[str, str]
    name_to_stage_assignment: Mapping[str, int] = field(default_factory=dict)
    input_mesh_assignment: PyTree = ()
    output_mesh_assignment: PyTree = ()
    partitioning_options: Options = field(default_factory=dict)
    read_input_output_mesh_from_shardings: bool = False
    pipeline_schedule: PipelineSchedule | None = None
    found: FoundPipeline | None = None

    @property
    def mesh(self) -> Mesh:
        """The first mesh of the topology, with its devices."""
        return next(iter(self.topology.values()))

    @property
    def is_unequal(self) -> bool:
        """Return whether meshes have different axes, prefixed by their names."""
        return self.has(_UNEQUAL)

    @property
    def sharding_mesh(self) -> AbstractMesh:
        """Return the abstract mesh for shardings inside of the function: the first one, or the axes of unequal ones."""
        if not self.is_unequal:
            return self.mesh.abstract_mesh
        sizes = {axis: size for mesh in self.topology.values() for axis, size in mesh.shape.items()}
        return AbstractMesh(tuple(sizes.values()), tuple(sizes), axis_types=(AxisType.Auto,) * len(sizes))

    def has(self, option: str) -> bool:
        """Return whether an option is on."""
        return bool(self.partitioning_options.get(option, False))

    @property
    def schedule_name(self) -> str:
        """The built-in schedule."""
        return str(self.partitioning_options.get(_SCHEDULE, "GPipe"))

    @property
    def schedule_title(self) -> str:
        """Return the name of the schedule on pages."""
        return "Schedule by rules" if self.pipeline_schedule is not None else self.schedule_name

    def on_first_mesh(self, shardings: PyTree) -> PyTree:
        """`shardings` with each `NamedSharding` on the first mesh.

        Raises:
          ValueError: a mesh has other axes; the message has the path in the tree.
        """

        def moved(path: tuple[Any, ...], sharding: Any) -> Any:
            if not isinstance(sharding, NamedSharding):
                return sharding
            if self.is_unequal:
                return self._on_all_axes(path, sharding)
            if dict(sharding.mesh.shape) != dict(self.mesh.shape):
                where = jax.tree_util.keystr(path) or "the sharding"
                raise ValueError(
                    f"{where} is on a mesh with axes {dict(sharding.mesh.shape)}, but meshes of the topology have "
                    f"{dict(self.mesh.shape)}"
                )
            return NamedSharding(self.mesh, sharding.spec, memory_kind=sharding.memory_kind)

        return jax.tree_util.tree_map_with_path(moved, shardings)

    def _on_all_axes(self, path: tuple[Any, ...], sharding: NamedSharding) -> NamedSharding:
        """Convert a sharding over a mesh of the topology to one over the axes of all meshes."""
        unknown = {*sharding.mesh.axis_names} - {*self.sharding_mesh.axis_names}
        if unknown:
            where = jax.tree_util.keystr(path) or "the sharding"
            known = ", ".join(map(str, self.sharding_mesh.axis_names))
            raise ValueError(f"{where} is on a mesh with axis {min(unknown)!r}; the topology has {known}")
        return NamedSharding(self.sharding_mesh, sharding.spec, memory_kind=sharding.memory_kind)

    def mesh_of(self, sharding: Any) -> str | None:
        """Name of the mesh that a sharding assigns its value to; None for an abstract mesh, or no `NamedSharding`."""
        if not isinstance(sharding, NamedSharding) or not isinstance(sharding.mesh, Mesh):
            return None
        devices = {*sharding.mesh.devices.flat}
        return next((name for name, mesh in self.topology.items() if {*mesh.devices.flat} == devices), None)


def make_config(
    topology: Topology,
    name_to_mesh_assignment: Mapping[str, str],
    *,
    name_to_stage_assignment: Mapping[str, int] | None = None,
    input_mesh_assignment: PyTree = (),
    output_mesh_assignment: PyTree = (),
    partitioning_options: Options | None = None,
    read_input_output_mesh_from_shardings: bool = False,
    pipeline_schedule: PipelineSchedule | str | None = None,
) -> Config:
    """A checked `Config`.

    Args:
      topology: meshes by name, in the order of the pipeline; all with the same axes, no two with a common device. With
        the option `mpmd_enable_heterogeneous_meshes` each has axes of its own, ``m0_data`` those of mesh ``m0``; then
        shardings do not propagate from mesh to mesh.
      name_to_mesh_assignment: by name of a computation or tensor: a mesh of the topology, or ``mesh#pinned_host`` for a
        value in the memory of its hosts.
      name_to_stage_assignment: by name of a computation: its stage, at least 0.
      input_mesh_assignment: by argument: a mesh or None for one that is inferred; a prefix of the tree of arguments.
      output_mesh_assignment: the same for results.
      partitioning_options: options of the passes, such as ``{"mpmd_pipeline_schedule": "1F1B"}``.
      read_input_output_mesh_from_shardings: take the meshes of arguments and results from their shardings.
      pipeline_schedule: rules that order the fragments of each mesh, or the name of a registered schedule.

    Raises:
      TypeError: a mesh or an option is of another type.
      ValueError: a name or an option is unknown, meshes do not fit together, or assignments contradict one another.
    """
    if isinstance(pipeline_schedule, str):
        pipeline_schedule = get_pipeline_schedule(pipeline_schedule)
    _check_topology(topology, is_unequal=bool((partitioning_options or {}).get(_UNEQUAL)))
    stages = dict(name_to_stage_assignment or {})
    _check_assignment(topology, name_to_mesh_assignment, stages)
    options = _checked_options(partitioning_options or {}, pipeline_schedule)
    for trees in (input_mesh_assignment, output_mesh_assignment):
        meshes = [each for each in jax.tree.leaves(trees, is_leaf=lambda x: x is None) if each is not None]
        if meshes and read_input_output_mesh_from_shardings:
            raise ValueError("meshes of arguments and results are given twice: by shardings and by an assignment")
        for mesh in meshes:
            _check_mesh(topology, mesh, "an argument or result")
    return Config(
        dict(topology),
        dict(name_to_mesh_assignment),
        stages,
        input_mesh_assignment,
        output_mesh_assignment,
        options,
        read_input_output_mesh_from_shardings,
        pipeline_schedule,
    )


def mesh_names(topology: Topology) -> list[str]:
    """The names of the meshes, in order."""
    return list(topology)


def _check_topology(topology: Topology, *, is_unequal: bool) -> None:
    if not topology:
        raise ValueError("a topology has at least one mesh")
    first = next(iter(topology.values()))
    owners: dict[Any, str] = {}
    for name, mesh in topology.items():
        if not isinstance(mesh, Mesh):
            raise TypeError(f"mesh {name!r} of the topology is not a jax.sharding.Mesh, but a {type(mesh).__name__}")
        if not name or "@" in name or name.endswith(tuple(f"#{kind}" for kind in _KINDS)):
            raise ValueError(f"a mesh cannot be called {name!r}: no @, and no #pinned_host or #device at the end")
        if is_unequal:
            if "_" in name:
                raise ValueError(f"the name of a mesh with axes of its own has no _, but it is {name!r}")
            other = next((axis for axis in mesh.axis_names if not str(axis).startswith(f"{name}_")), None)
            if other is not None:
                raise ValueError(f"axes of unequal meshes begin with the name of theirs: {name}_{other}, not {other!r}")
        elif dict(mesh.shape) != dict(first.shape):
            raise ValueError(
                f"meshes of a topology have the same axes, but {name!r} has {dict(mesh.shape)} and "
                f"{next(iter(topology))!r} has {dict(first.shape)}; others need {_UNEQUAL}"
            )
        for device in mesh.devices.flat:
            if owners.setdefault(device, name) != name and not name.endswith("/cpu"):
                raise ValueError(f"meshes {owners[device]!r} and {name!r} share device {device}")


def _check_mesh(topology: Topology, mesh: str, of: str) -> None:
    name, _, kind = mesh.partition("#")
    if name not in topology:
        raise ValueError(f"{of} is assigned to mesh {name!r}, which is not in the topology: {_known(topology, name)}")
    if kind and kind not in _KINDS:
        raise ValueError(f"{of} is assigned to memory {kind!r}; kinds are {', '.join(_KINDS)}")


def _check_assignment(topology: Topology, meshes: Mapping[str, str], stages: Mapping[str, int]) -> None:
    for name, mesh in meshes.items():
        _check_mesh(topology, mesh, repr(name))
    for name, stage in stages.items():
        if name not in meshes:
            raise ValueError(f"{name!r} has a stage, but no mesh: {_known(meshes, name)}")
        if stage < 0:
            raise ValueError(f"stages are at least 0, but {name!r} has {stage}")


def _known(names: Iterable[str], name: str) -> str:
    """The known names, or the nearest of them first."""
    nearest = difflib.get_close_matches(name, [*names], 1)
    return f"did you mean {nearest[0]!r}?" if nearest else f"known are {', '.join(sorted(names)) or 'none'}"


def _checked_options(options: Options, schedule: PipelineSchedule | None) -> dict[str, bool | str]:
    checked = dict(options)
    for name, value in options.items():
        if name == _SCHEDULE:
            if value not in SCHEDULES:
                raise ValueError(f"unknown schedule {value!r}; these are {', '.join(SCHEDULES)}")
        elif name not in _FLAGS:
            raise ValueError(f"unknown option {name!r}: {_known((*_FLAGS, _SCHEDULE), name)}")
        elif not isinstance(value, bool):
            raise TypeError(f"option {name} is true or false, not {value!r}")
    for name, value in (schedule.required_options if schedule is not None else {}).items():
        if checked.setdefault(name, value) != value:
            raise ValueError(f"the pipeline schedule needs {name}={value!r}, not {checked[name]!r}")
    return checked


def flat_assignment(prefix: PyTree, tree: PyTree) -> list[str | None]:
    """The mesh of each leaf of `tree`; an empty `prefix` assigns nothing.

    Raises:
      ValueError: `prefix` is not a prefix of `tree`.
    """
    count = len(jax.tree.leaves(tree))
    if isinstance(prefix, Sequence) and not isinstance(prefix, str) and not prefix:
        return [None] * count
    found: list[str | None] = []
    jax.tree.map(
        lambda mesh, part: found.extend([mesh] * len(jax.tree.leaves(part))), prefix, tree, is_leaf=lambda x: x is None
    )
    return found
