"""What a plan says of the inside of a program, written into the program as JAX lowers it to be compiled.

That is the program that was planned, but its arguments and results have their shardings already, and arguments that
nobody uses may be missing; so values are known by their ops, as in files of plans.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sdy
from sdy.auto.plan import Plan
from sdy.auto.plan_source import Dims, Key, put, said, sites
from sdy.auto.planning import prepared
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.planner import AS_GIVEN, without_calls, written

_INSIDE = ("values", "uses")
"""The sections of a plan that are not of arguments and results."""


@dataclass(frozen=True, slots=True)
class PlanInside:
    """The shardings of a plan for what ops return and for operands that are moved, on its mesh.

    `entries` are section, key, name and dimensions, as `plan_source.Site` has them. `is_inlined` says that they are of
    the program without calls, `annotate` how they are written down.
    """

    mesh: Mesh
    annotate: str
    is_inlined: bool
    entries: tuple[tuple[str, Key, str, Dims], ...] = field(repr=False)

    @staticmethod
    def of(plan: Plan) -> PlanInside:
        """What `plan` says, as far as it is written down."""
        source = plan.made_from
        with source.module.context as context, exclusively(context):
            entries = tuple(
                (site.section, site.key, site.name, site.dims)
                for site in said(source, plan.annotate)
                if site.section in _INSIDE and site.dims is not None
            )
        return PlanInside(plan.mesh, plan.annotate, source.is_inlined, entries)

    def put_into(self, text: str, filename: str) -> str:
        """The program `text` with these shardings. Raises `DiagnosticError` if it is not the one that was planned."""
        if self.annotate == AS_GIVEN:
            return text
        module = prepared(text, filename, None)
        with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
            program = without_calls(module) if self.is_inlined else module
            annotations = self._annotations(program)
            annotated = written(module, program, annotations, self.annotate, self.mesh)
            return sdy.print_module(annotated, PrintOptions(debug_info=True))

    def _annotations(self, program: ir.Operation) -> Annotations:
        places = {(site.section, site.key): site for site in sites(program) if site.section in _INSIDE}
        found = Annotations()
        for section, key, name, dims in self.entries:
            site = places.get((section, key))
            if site is None or site.shape is None or len(site.shape) != len(dims):
                raise DiagnosticError(program, f"is not the program that was planned: it has no {key[0]} {name!r}")
            put(found, site, dims)
        return found
