"""Options with the mesh, stage and memory of named ops, inputs and outputs."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from sdy.dialect.mpmd.values import Topology
from sdy.lazy_dataclass import dataclass

ASSIGNMENT = "name@mesh or name@mesh/stage of each name"


@dataclass(frozen=True, slots=True)
class Placement:
    """Place of a named op, an input or an output.

    Attributes:
      mesh_name: a mesh of the topology.
      stage: the stage of the pipeline, None if there is none.
      memory_kind: "device" or "pinned_host", None for the default one.
    """

    mesh_name: str
    stage: int | None = None
    memory_kind: str | None = None


def parse_assignment(entries: Sequence[str]) -> dict[str, Placement]:
    """The placements of names, from ``name@mesh``, ``name@mesh/stage`` or ``name@mesh#memory_kind``.

    Raises:
      ValueError: an entry has another form.
    """
    return dict(map(_entry, entries))


def parse_indices(entries: Sequence[str]) -> dict[int, Placement]:
    """The placements of inputs or outputs, from ``index@mesh`` or ``index@mesh#memory_kind``, by ascending index.

    Raises:
      ValueError: an entry has another form.
    """
    found: dict[int, Placement] = {}
    for entry in entries:
        name, placement = _entry(entry)
        if not name.isdecimal():
            raise ValueError(f"'{entry}' does not begin with the index of an input or output")
        found[int(name)] = placement
    return dict(sorted(found.items()))


def _entry(text: str) -> tuple[str, Placement]:
    name, at, rest = text.rpartition("@")
    if not (name and at and rest):
        raise ValueError(f"'{text}' is not of the form name@mesh")
    rest, _, memory_kind = rest.partition("#")
    mesh_name, slash, stage = rest.rpartition("/")
    if not (slash and stage.isdecimal()):
        return name, Placement(rest, None, memory_kind or None)
    return name, Placement(mesh_name, int(stage), memory_kind or None)


def mesh_problem(placement: Placement, topology: Topology | None) -> str | None:
    """Return the error of a placement on an unknown mesh; None if the topology has it."""
    known = [each.name for each in topology.meshes] if topology is not None else []
    if placement.mesh_name in known:
        return None
    return f"mesh '{placement.mesh_name}' is not in the topology, which has {named(known)}"


def named(names: Iterable[str]) -> str:
    """Names in quotes."""
    return ", ".join(f"'{name}'" for name in names) or "none"


def nearest(name: str, assignment: Mapping[str, Placement]) -> str:
    """Return the assigned names, with the nearest one first if one is similar."""
    close = difflib.get_close_matches(name, list(assignment), 1, 0.7)
    hint = f", did you mean '{close[0]}'?" if close else ""
    return f"{hint} assigned are {named(assignment)}" if close else f"; assigned are {named(assignment)}"
