"""Which ops a program runs, and how often: loops and calls multiplied out."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import callee_name
from sdy.stablehlo.idioms.trip_count import trip_count

_BRANCHES = ("stablehlo.case", "stablehlo.if")


@dataclass(frozen=True, slots=True)
class Execution:
    """An op that runs, once per call of the function that it is in.

    `times` is how often it runs, by the trip counts of the loops around it; None if one of them is not known. In a
    branch (`is_conditional`) that is the most it can be. What is in a function counts as being where that is called.
    """

    op: ir.Operation
    times: int | None = 1
    is_conditional: bool = False
    is_in_loop: bool = False


def executions(
    function: ir.Operation, functions: Mapping[str, ir.Operation], wanted: Container[str]
) -> Iterator[Execution]:
    """The ops with names in `wanted` that `function` runs, in program order.

    `functions` are those of the module by name. Raises `DiagnosticError` at a recursive call.
    """
    return _walk(Execution(function), functions, wanted, (function,))


def _walk(
    outer: Execution, functions: Mapping[str, ir.Operation], wanted: Container[str], running: tuple[ir.Operation, ...]
) -> Iterator[Execution]:
    """What is in the regions of an op, and in the functions called there; `running` are the functions around it."""
    for number, region in enumerate(outer.op.regions):
        inner = _inside(outer, number)
        for block in region.blocks:
            for nested in block.operations:
                op = nested.operation
                if op.name in wanted:
                    yield replace(inner, op=op)
                elif op.name == "func.call":
                    callee = functions[callee_name(op)]
                    if callee in running:
                        raise DiagnosticError(op, f"recursive call of '{callee_name(op)}' is not supported")
                    yield from _walk(replace(inner, op=callee), functions, wanted, (*running, callee))
                elif len(op.regions):
                    yield from _walk(replace(inner, op=op), functions, wanted, running)


def _inside(outer: Execution, region: int) -> Execution:
    """How often region number `region` of an op runs; the condition of a loop runs once more than its body."""
    if outer.op.name in _BRANCHES:
        return replace(outer, is_conditional=True)
    if outer.op.name != "stablehlo.while":
        return outer
    count = trip_count(outer.op)
    times = None if count is None or outer.times is None else outer.times * (count + (region == 0))
    return replace(outer, times=times, is_in_loop=True)
