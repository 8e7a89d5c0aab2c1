"""`assert_communication`: a test fails with the excess, its cause, and the cheapest cure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sdy.programs.meshes import AnyMesh
from sdy.report.step_estimate import size_text
from sdy.report.text_table import columns
from sdy.report.transfer_tables import transfer_table
from sdy.testing.budget import Budget, Excess
from sdy.testing.footprint import Footprint, TestedProgram

_ROWS = 8
"""Rows of a failure that are listed."""


def assert_communication(
    program: TestedProgram,
    *,
    none_of: Iterable[str] = (),
    at_most: Mapping[str, int] | None = None,
    max_bytes: float | None = None,
    max_temp_bytes: float | None = None,
    max_flops: float | None = None,
    mesh: AnyMesh | None = None,
) -> None:
    """Fail if a program sends, holds or computes more than the limits.

    Collectives are selected by kind, optionally restricted by axes, size or loops: ``all_gather``, ``any over pod``,
    ``all_reduce over data above 1000`` (bytes that each device sends each time), ``any in loops``. A kind may be
    written as in HLO, ``all-gather``. The count is the number of runs in one step, with loops multiplied out.

    Args:
      program: a stage of `sdy.jax.jit` or `jax.jit`, lowered or compiled, a module, or MLIR or HLO text or a file with
        it. XLA compiles stages of `jax.jit`.
      none_of: collectives that may not run.
      at_most: how often others may run.
      max_bytes: that each device may send in one run.
      max_temp_bytes: that a device may hold besides its arguments; of HLO text that is not known.
      max_flops: that a device may compute in one run; of HLO text that is not known.
      mesh: names the axes in an HLO text that only lists the devices of groups.

    Raises:
      AssertionError: it exceeds a limit. The message has the limits, the collectives that count, why the largest of
        them is there, and the cheapest change of shardings that removes it.
      TypeError, ValueError: invalid limits or program.
    """
    __tracebackhide__ = True
    budget = Budget.of(
        none_of=none_of, at_most=at_most, max_bytes=max_bytes, max_temp_bytes=max_temp_bytes, max_flops=max_flops
    )
    footprint = Footprint(program, mesh=mesh)
    excesses = tuple(budget.excesses(footprint))
    if excesses:
        raise AssertionError(excess_text(footprint, excesses))


def excess_text(footprint: Footprint, excesses: Sequence[Excess]) -> str:
    """Describe by how much a program exceeds its limits, with the excess and its cause."""
    lines = ["the program exceeds its communication budget", *(f"  {each}" for each in excesses)]
    first = next((each for each in excesses if each.selector is not None), None)
    if first is not None and first.selector is not None:
        lines += ["", transfer_table(first.rows, most=_ROWS)]
        cause = footprint.cause(first.selector.matches)
        lines += ["", "partitioned by sdy:"] if cause is not None and footprint.is_of_xla else [""]
        lines += [] if cause is None else [cause.text(most_cures=1)]
    if any(each.selector is None for each in excesses):
        held = [(size_text(one.bytes), one.kind, one.name) for one in footprint.held[:_ROWS]]
        lines += ["", columns([("held at the peak", "kind", "name"), *held])] if held else []
    return "\n".join(lines).rstrip()
