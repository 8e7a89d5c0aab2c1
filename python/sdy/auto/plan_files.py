"""Files of plans: editable JSON with a line for each value (see `Plan.save`).

    {
     "format": "sdy plan 1",
     "mesh": {"data": 4, "model": 2},
     ...
     "arguments": [
      {"number": 0, "name": "state['up']", "shape": [64, 256], "sharding": [["data"], []]},
     ...
     "values": [
      {"op": "stablehlo.dot_general", "name": "jit(step)/dot_general", "nth": 0, "number": 0, "shape": ..., ...},

A sharding may be changed. `null`, or deleting an entry, leaves it to propagation. The last line holds the search's
result, by which edits are recognized.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeAlias, TypeGuard, TypeVar

from sdy.auto.found_plans import plan_of, prepared
from sdy.auto.plan_difference import PlanFacts, edits
from sdy.auto.plan_source import SECTIONS, Dims, Key, PlanSource, Site, put, said, sites
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.verification import verify_module
from sdy.lazy_dataclass import dataclass
from sdy.markup import Json, JsonObject
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.auto_options import AMOUNTS, check_overlap
from sdy.passes.auto.plan_costs import AS_GIVEN, PlanCost, Request
from sdy.passes.auto.written_plans import mesh_of_program, without_calls, written
from sdy.passes.costs.machine import Machine
from sdy.programs.sources import AnyProgram

FORMAT = "sdy plan 1"

_OPTIONAL = ("block_arguments", "sums", "steps")
"""Sections that a file may do without."""

T = TypeVar("T")

_Found: TypeAlias = tuple[str, list[int | str], str, list[int], list[list[str]] | None]
"""Section, key, name, shape and sharding of a value, as a list of JSON."""


def text_of(plan: PlanFacts) -> str:
    """The file of a plan."""
    source = plan.made_from
    with source.module.context as context, exclusively(context):
        found = said(source, plan.annotate)
    head = {
        "format": FORMAT,
        "mesh": {axis.name: axis.size for axis in plan.mesh.axes},
        "machine": str(plan.machine),
        "annotate": plan.annotate,
        "is_inlined": source.is_inlined,
        "overlap": float(source.request.overlap),
        "predicted": asdict(plan.predicted),
        "estimated": None if plan.estimated is None else asdict(plan.estimated),
        "replicated": asdict(plan.replicated),
        "without_rule": plan.without_rule,
        "is_exact": plan.is_exact,
        "solves": plan.solves,
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    for section in SECTIONS:
        entries = ",\n".join(f"  {json.dumps(_entry(site))}" for site in found if site.section == section)
        lines.append(f' "{section}": [\n{entries}\n ],')
    entries = [(site.section, site.key, site.name, site.shape, site.dims) for site in found]
    lines.append(f' "as_found": {json.dumps({"entries": entries})}')
    return "\n".join(["{", *lines, "}"]) + "\n"


def _entry(site: Site) -> JsonObject:
    names = ("number",) if len(site.key) == 1 else ("op", "name", "nth", "number")
    given = dict(zip(names, site.key, strict=True))
    return {**given, "name": site.name, "shape": site.shape, "sharding": site.dims}


# Reading ---------------------------------------------------------------------------------------------


def load(
    path: str | Path,
    program: AnyProgram,
    *,
    verify: int = 1,
    filename: str = "-",
    context: ir.Context | None = None,
) -> PlanFacts:
    """Return the plan of a file, for its program, or one with the same values; see `Plan.load`."""
    file = _PlanFile.read(Path(path))
    module = prepared(program, filename, context)
    with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        return file.plan_for(module, verify)


@dataclass(frozen=True, slots=True)
class _PlanFile:
    """Content and name of a plan file."""

    path: str
    data: dict[str, Json]

    @staticmethod
    def read(path: Path) -> _PlanFile:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: is not a plan: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f'{path}: is not a plan: it does not begin with "format": "{FORMAT}"')
        return _PlanFile(str(path), data)

    def plan_for(self, module: ir.Operation, verify: int) -> PlanFacts:
        """Return the plan for a prepared module, whose context is the current one."""
        request = self._request(module, verify)
        program = without_calls(module) if self._get("is_inlined", bool) else module
        places = {(site.section, site.key): site for site in sites(program)}
        now = [each for section in SECTIONS for each in self._sites(section, places, request.mesh)]
        annotations = Annotations()
        for site in now:
            if site.dims is not None:
                put(annotations, site, site.dims)
        source = PlanSource(module, request, annotations, program is not module)
        annotated = written(module, program, annotations, request.annotate, request.mesh)
        verify_module(annotated)
        real = request.measured(annotated) if verify else None
        predicted = self._cost("predicted")
        plan = plan_of(
            annotated,
            source,
            predicted=predicted,
            replicated=self._cost("replicated"),
            without_rule=self._get("without_rule", dict),
            is_exact=self._get("is_exact", bool),
            solves=self._get("solves", int),
        )
        return replace(
            plan,
            annotate=request.annotate,
            estimated=None if real is None else real.cost,
            parts=real,
            as_found=predicted if self.data.get("estimated") is None else self._cost("estimated"),
            edits=edits(self._as_found(now), now),
        )

    # Parts ---------------------------------------------------------------------------------------

    def _request(self, module: ir.Operation, verify: int) -> Request:
        sizes, annotate = self._get("mesh", dict), self._get("annotate", str)
        try:
            mesh = Mesh(tuple(MeshAxis(name, size) for name, size in sizes.items()))
            machine = Machine.parse(self._get("machine", str))
            overlap = self._get("overlap", float) if "overlap" in self.data else 0.0
            check_overlap(overlap)
        except (TypeError, ValueError) as error:
            raise self._error(str(error)) from None
        if annotate not in (*AMOUNTS, AS_GIVEN):
            raise self._error(f"annotate is one of {', '.join(AMOUNTS)}, not {annotate!r}")
        known = mesh_of_program(module)
        if known is not None and not known[1].equals_ignoring_device_ids(mesh):
            raise self._error(f"it is for the mesh {mesh}, and the program is written for {known[1]}")
        return Request(mesh, machine, tuple(sizes), math.inf, "default", annotate, verify, overlap=overlap)

    def _sites(self, section: str, places: dict[tuple[str, Key], Site], mesh: Mesh) -> Iterator[Site]:
        for entry in self._get(section, list) if section in self.data or section not in _OPTIONAL else ():
            if not isinstance(entry, dict):
                raise self._error(f"an entry of {section} is an object, not {entry!r}")
            names = ("number",) if section in ("arguments", "results") else ("op", "name", "nth", "number")
            key = tuple(part for name in names if isinstance(part := entry.get(name), int | str))
            site = places.get((section, key))
            what = f"{section.removesuffix('s')} {entry.get('name')!r}"
            if site is None:
                raise self._error(f"the program has no {what} ({entry.get('op', entry.get('number'))})")
            if site.shape is None or list(site.shape) != entry.get("shape"):
                raise self._error(f"the {what} has the shape {site.shape} in the program, not {entry.get('shape')}")
            yield replace(site, dims=self._dims(entry.get("sharding"), what, site.shape, mesh))

    def _dims(self, given: Json, what: str, shape: tuple[int, ...], mesh: Mesh) -> Dims | None:
        if given is None:
            return None
        if not _is_dims(given) or len(given) != len(shape):
            raise self._error(f"the sharding of the {what} is a list of axes for each of {len(shape)} dimensions")
        sizes, used = mesh.axis_sizes, [axis for axes in given for axis in axes]
        unknown = [axis for axis in used if axis not in sizes]
        if unknown:
            raise self._error(f"the mesh has no axis {unknown[0]!r}, by which the {what} is sharded")
        if len(set(used)) < len(used):
            raise self._error(f"the {what} is sharded twice along one axis")
        for dim, (size, axes) in enumerate(zip(shape, given, strict=True)):
            if size % math.prod(sizes[axis] for axis in axes):
                raise self._error(f"dimension {dim} of the {what}, {size}, does not divide by {', '.join(axes)}")
        return tuple(map(tuple, given))

    def _as_found(self, now: list[Site]) -> list[Site]:
        """Return the results of the search for the present entries; `now` if the file has none."""
        listed = self.data.get("as_found")
        if not isinstance(listed, dict):
            return now
        entries = listed.get("entries", [])
        if not _are_entries(entries):
            raise self._error('"as_found" is not as it was written')
        return [
            Site(section, tuple(key), None, name, tuple(shape), None if dims is None else tuple(map(tuple, dims)))
            for section, key, name, shape, dims in entries
        ]

    def _cost(self, name: str) -> PlanCost:
        given = self._get(name, dict)
        try:
            return PlanCost(**given)
        except TypeError as error:
            raise self._error(f"{name}: {error}") from None

    def _get(self, name: str, kind: type[T]) -> T:
        found = self.data.get(name)
        if not isinstance(found, kind):
            raise self._error(f'"{name}" is not of type {kind.__name__}')
        return found

    def _error(self, problem: str) -> ValueError:
        return ValueError(f"{self.path}: {problem}")


def _is_dims(given: Json) -> TypeGuard[list[list[str]]]:
    return isinstance(given, list) and all(
        isinstance(axes, list) and all(isinstance(axis, str) for axis in axes) for axes in given
    )


def _are_entries(given: Json) -> TypeGuard[list[_Found]]:
    return isinstance(given, list) and all(
        isinstance(one, list)
        and len(one) == 5
        and all(isinstance(one[place], str) for place in (0, 2))
        and all(isinstance(one[place], list) for place in (1, 3))
        and (one[4] is None or _is_dims(one[4]))
        for one in given
    )
