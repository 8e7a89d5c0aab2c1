"""Write the shardings that a plan gives to inner values into the program that JAX lowers.

It is the planned program, but its arguments and results have their shardings already, and unused arguments may be
missing; so values are identified by their ops, as in files of plans.
"""

from __future__ import annotations

from dataclasses import field

import sdy
from sdy.auto.plan import Plan
from sdy.auto.plan_source import Dims, Key, put, said, sites
from sdy.auto.planning import prepared
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.context import exclusively
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.plan_costs import AS_GIVEN
from sdy.passes.auto.written_plans import without_calls, written

_INSIDE = ("values", "block_arguments", "sums", "steps", "uses")
"""The sections of a plan that are not of arguments and results."""


@dataclass(frozen=True, slots=True)
class PlanInside:
    """The shardings of a plan for op results and resharded operands, on its mesh.

    `entries` are section, key, name, shape and dimensions, as in `plan_source.Site`. `is_inlined` tells that they refer
    to the program without calls, `annotate` how they are written. `search` is the pass that plans a program which JAX
    traces into other ops than the planned ones; an edited plan has none.
    """

    mesh: Mesh
    annotate: str
    is_inlined: bool
    entries: tuple[tuple[str, Key, str, tuple[int, ...] | None, Dims], ...] = field(repr=False)
    search: str = ""

    @staticmethod
    def of(plan: Plan, search: str) -> PlanInside:
        """Return the written shardings of `plan`; `search` is dropped if the plan was edited."""
        source = plan.made_from
        with source.module.context as context, exclusively(context):
            entries = tuple(
                (site.section, site.key, site.name, site.shape, site.dims)
                for site in said(source, plan.annotate)
                if site.section in _INSIDE and site.dims is not None
            )
        return PlanInside(plan.mesh, plan.annotate, source.is_inlined, entries, "" if plan.edits else search)

    def put_into(self, text: str, filename: str) -> str:
        """The program `text` with these shardings.

        Raises `DiagnosticError` if it has other ops than the one that was planned, and the plan was edited.
        """
        if self.annotate == AS_GIVEN:
            return text
        module = prepared(text, filename, None)
        with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
            program = without_calls(module) if self.is_inlined else module
            annotations = self._annotations(program)
            if annotations is None:
                sdy.run(module, self.search)
                annotated = module
            else:
                annotated = written(module, program, annotations, self.annotate, self.mesh)
            return sdy.print_module(annotated, PrintOptions(debug_info=True))

    def _annotations(self, program: ir.Operation) -> Annotations | None:
        """Return the annotations; None for a program that needs its own plan."""
        places = {(site.section, site.key): site for site in sites(program) if site.section in _INSIDE}
        found = Annotations()
        for section, key, name, shape, dims in self.entries:
            site = places.get((section, key))
            if site is None or site.shape != shape:
                if self.search:
                    return None
                raise DiagnosticError(program, f"differs from the planned program: it has no {key[0]} {name!r}")
            put(found, site, dims)
        return found
