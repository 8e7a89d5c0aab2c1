"""Why no plan fits into memory: what is there where it is most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect.op_names import op_name
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function
from sdy.passes.auto.search.memory_model import MemoryModel, Peak
from sdy.passes.auto.search.problem import Plan, Problem

_LISTED = 5
"""How many tensors are named if a plan does not fit."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """What is said of a program for which the limit of memory, in bytes on a device, is too low."""

    module: ir.Operation
    memory: MemoryModel
    limit: float

    def check_bound(self, devices: int) -> None:
        """Raises `DiagnosticError` if no plan can fit, whatever is searched for."""
        least = self.memory.least(devices)
        if least.bytes > self.limit:
            raise DiagnosticError(
                main_function(self.module),
                f"needs at least {least.bytes:,.0f} bytes on each of {devices} devices at {self._where(least.at)}, in "
                f"equal parts, and the limit of memory is {self.limit:,.0f}; the whole is "
                f"{self._listed(self.memory.whole(least.at))}",
            )

    def too_large(self, problem: Problem, plan: Plan, peak: Peak) -> DiagnosticError:
        """What is wrong with the plan of least memory, be it as predicted, or only once it was partitioned."""
        largest = self._listed(self.memory.held(problem.options(plan.states), problem.shards, peak.at))
        takes = "takes" if peak.bytes > self.limit else "is predicted to take, less than when it is partitioned,"
        return DiagnosticError(
            main_function(self.module),
            f"fits in no plan that was found: that of least memory {takes} {peak.bytes:,.0f} bytes at "
            f"{self._where(peak.at)}, {peak.arguments:,.0f} of them arguments, and the limit of memory is "
            f"{self.limit:,.0f}" + (f"; largest besides arguments: {largest}" if largest else ""),
        )

    def _where(self, at: int) -> str:
        ops = self.memory.graph.snapshot.ops
        return op_name(ops[min(at, len(ops) - 1)].location)

    def _listed(self, held: Sequence[tuple[float, int]]) -> str:
        """The largest of what is held, by name; what else there is as a sum."""
        texts = [f"{size:,.0f} of {self._name(variable)}" for size, variable in held[:_LISTED]]
        rest = sum(size for size, _ in held[_LISTED:])
        return "; ".join([*texts, *([f"{rest:,.0f} of {len(held) - _LISTED} others"] if rest else ())])

    def _name(self, variable: int) -> str:
        op = self.memory.graph.variables[variable].op
        if op is not None:
            return op_name(self.memory.graph.snapshot.ops[op].location)
        number = self.memory.graph.arguments.index(variable)
        argument = main_function(self.module).regions[0].blocks[0].arguments[number]
        name = op_name(argument.location)
        return f"argument {number}" if name == "unknown" else name
