"""Files of plans: JSON in which each value has a line, to be read and edited by people (see `Plan.save`).

    {
     "format": "sdy plan 1",
     "mesh": {"data": 4, "model": 2},
     ...
     "arguments": [
      {"number": 0, "name": "state['up']", "shape": [64, 256], "sharding": [["data"], []]},
     ...
     "values": [
      {"op": "stablehlo.dot_general", "name": "jit(step)/dot_general", "nth": 0, "number": 0, "shape": ..., ...},

A sharding may be changed, to `null`, too, which leaves it to propagation, as does an entry that is deleted. The last
line is what the search found, by which edits are known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sdy.auto.plan import Plan
from sdy.auto.plan_difference import edits
from sdy.auto.plan_source import SECTIONS, Dims, PlanSource, Site, put, said, sites
from sdy.auto.planning import plan_of, prepared
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.verification import verify_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.auto_options import AMOUNTS
from sdy.passes.auto.plan_costs import PlanCost, measured
from sdy.passes.auto.planner import AS_GIVEN, Request, mesh_of_program, without_calls, written
from sdy.passes.costs.machine import Machine

FORMAT = "sdy plan 1"


def text_of(plan: Plan) -> str:
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
        "predicted": asdict(plan.predicted),
        "measured": None if plan.measured is None else asdict(plan.measured),
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


def _entry(site: Site) -> dict[str, Any]:
    names = ("number",) if len(site.key) == 1 else ("op", "name", "nth", "number")
    given = dict(zip(names, site.key, strict=True))
    return {**given, "name": site.name, "shape": site.shape, "sharding": site.dims}


# Reading ---------------------------------------------------------------------------------------------


def load(path: str | Path, program: Any, *, verify: int = 1, filename: str = "-", context: Any = None) -> Plan:
    """The plan of a file, for the program that it was made for, or one that has the same values; see `Plan.load`."""
    file = _PlanFile.read(Path(path))
    module = prepared(program, filename, context)
    with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        return file.plan_for(module, verify)


@dataclass(frozen=True, slots=True)
class _PlanFile:
    """What a file says, and how it is called."""

    path: str
    data: dict[str, Any]

    @staticmethod
    def read(path: Path) -> _PlanFile:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path}: is no plan: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f'{path}: is no plan: it does not begin with "format": "{FORMAT}"')
        return _PlanFile(str(path), data)

    def plan_for(self, module: Any, verify: int) -> Plan:
        """The plan for a prepared module, whose context is the current one."""
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
        real = measured(annotated, request.mesh, request.machine) if verify else None
        costs = {name: self._cost(name) for name in ("predicted", "measured", "replicated")}
        facts = {name: self.data.get(name) for name in ("without_rule", "is_exact", "solves")}
        plan = plan_of(annotated, source, predicted=costs["predicted"], replicated=costs["replicated"], **facts)
        return replace(
            plan,
            annotate=request.annotate,
            measured=None if real is None else real.cost,
            parts=real,
            as_found=costs["measured"] or costs["predicted"],
            edits=edits(self._as_found(now), now),
        )

    # Parts ---------------------------------------------------------------------------------------

    def _request(self, module: Any, verify: int) -> Request:
        sizes, annotate = self._get("mesh", dict), self._get("annotate", str)
        try:
            mesh = Mesh(tuple(MeshAxis(name, size) for name, size in sizes.items()))
            machine = Machine.parse(self._get("machine", str))
        except (TypeError, ValueError) as error:
            raise self._error(str(error)) from None
        if annotate not in (*AMOUNTS, AS_GIVEN):
            raise self._error(f"annotate is one of {', '.join(AMOUNTS)}, not {annotate!r}")
        known = mesh_of_program(module)
        if known is not None and not known[1].equals_ignoring_device_ids(mesh):
            raise self._error(f"it is for the mesh {mesh}, and the program is written for {known[1]}")
        return Request(mesh, machine, tuple(sizes), math.inf, "default", annotate, verify)

    def _sites(self, section: str, places: dict[Any, Site], mesh: Mesh) -> Iterator[Site]:
        for entry in self._get(section, list):
            if not isinstance(entry, dict):
                raise self._error(f"an entry of {section} is an object, not {entry!r}")
            names = ("number",) if section in ("arguments", "results") else ("op", "name", "nth", "number")
            site = places.get((section, tuple(entry.get(name) for name in names)))
            what = f"{section.removesuffix('s')} {entry.get('name')!r}"
            if site is None:
                raise self._error(f"the program has no {what} ({entry.get('op', entry.get('number'))})")
            if site.shape is None or list(site.shape) != entry.get("shape"):
                raise self._error(f"the {what} has the shape {site.shape} in the program, not {entry.get('shape')}")
            yield replace(site, dims=self._dims(entry.get("sharding"), what, site.shape, mesh))

    def _dims(self, given: Any, what: str, shape: tuple[int, ...], mesh: Mesh) -> Dims | None:
        if given is None:
            return None
        if not isinstance(given, list) or not all(isinstance(axes, list) for axes in given) or len(given) != len(shape):
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
        """What the search found for the entries that are there; as they are, if the file does not say."""
        listed = self.data.get("as_found")
        if not isinstance(listed, dict):
            return now
        found = []
        for entry in listed.get("entries", ()):
            section, key, name, shape, dims = entry
            dims = None if dims is None else tuple(map(tuple, dims))
            found.append(Site(section, tuple(key), None, name, tuple(shape), dims))
        return found

    def _cost(self, name: str) -> PlanCost | None:
        given = self.data.get(name)
        try:
            return None if given is None else PlanCost(**given)
        except TypeError as error:
            raise self._error(f"{name}: {error}") from None

    def _get(self, name: str, kind: type) -> Any:
        found = self.data.get(name)
        if not isinstance(found, kind):
            raise self._error(f'"{name}" is no {kind.__name__}')
        return found

    def _error(self, problem: str) -> ValueError:
        return ValueError(f"{self.path}: {problem}")
