"""mpmd-pipeline-scheduler: Order the forward and backward fragments of each mesh by a pipeline schedule.

    %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 0 : ui32} ...
    %2 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) {call_counter = 1 : ui32} ...
    %3 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%1) {call_counter = 0 : ui32} ...
==> %1 = ... %3 = ... %2 = ...  // with must-happen-before=1F1B on the last mesh

What data flow orders stays as it is.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import warn_once, warning
from sdy.passes.mpmd.common.dependencies import Dependencies
from sdy.passes.mpmd.common.fragments import is_mpmd_function, is_scheduling_unit, mesh_name_of, topology_of
from sdy.passes.mpmd.scheduling.schedules import needs_stages, schedule_named, unit_of
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION


@dataclass(frozen=True)
class Options:
    """Options under upstream's names."""

    must_happen_before: str = option("GPipe", "the schedule")

    def __post_init__(self) -> None:
        """Raises `ValueError` for a schedule that there is not."""
        schedule_named(self.must_happen_before)


@pass_("mpmd-pipeline-scheduler", on=FUNCTION, options=Options)
def pipeline_scheduler(func: ir.Operation, options: Options) -> None:
    """Spec: mpmd, 5."""
    topology = topology_of(func)
    if topology is None or not is_mpmd_function(func):
        return
    precedes = schedule_named(options.must_happen_before)
    order = Dependencies(func)
    by_mesh: dict[str, list[int]] = {}
    for number, op in enumerate(order.ops):
        if is_scheduling_unit(op):
            by_mesh.setdefault(mesh_name_of(op), []).append(number)
    for numbers in by_mesh.values():
        units = {number: unit_of(order.ops[number], topology) for number in numbers}
        if needs_stages(options.must_happen_before) and any(unit.stage is None for unit in units.values()):
            warn_once("stages", func, f"{options.must_happen_before} does not order fragments without stages")
        for first, unit in units.items():
            for second, other in units.items():
                if first == second or not precedes(unit, other):
                    continue
                if not order.is_before(first, second) and not order.is_before(second, first):
                    order.add(first, second)
    if not order.sort():
        warning(func, "has fragments that depend on one another in a circle")
