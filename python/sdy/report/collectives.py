"""The collectives of a device-local program: as data, and as a table for the terminal.

Works on StableHLO, whatever inserted the collectives. Bytes are those of `sdy.passes.costs.machine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sdy
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.functions import funcs, main_function, symbol_name
from sdy.passes.costs.program_collectives import Collective, collective, collectives_run
from sdy.report.text_table import columns


def collectives(module: ir.Module | ir.Operation, mesh: Mesh) -> tuple[Collective, ...]:
    """The collectives that `@main` of a device-local module runs on `mesh`, in program order."""
    main = main_function(module.operation)
    functions = {symbol_name(function): function for function in funcs(module.operation)}
    return tuple(collective(one, mesh) for one in collectives_run(main, functions))


def collectives_in(text: str, mesh: Mesh, context: ir.Context | None = None) -> tuple[Collective, ...]:
    """Return the collectives of a device-local program; `context`, if given, knows its dialects."""
    return collectives(sdy.parse(text, context=context), mesh)


def moved(found: Iterable[Collective]) -> float:
    """Return the bytes that each device sends in one run of the program; loops of unknown length count once."""
    return sum(one.moved_bytes * (one.times or 1) for one in found)


def table(found: Sequence[Collective]) -> str:
    """Return one line per kind and axes, with the number of ops and the bytes that each device sends in one run."""
    groups: dict[tuple[str, str, int], list[Collective]] = {}
    for one in found:
        groups.setdefault((one.kind, one.axes_text, one.group_size), []).append(one)
    rows = [("collective", "axes", "group", "ops", "bytes sent per device")]
    rows += [
        (kind, axes_text, str(size), _count(ones), f"{moved(ones):,.0f}")
        for (kind, axes_text, size), ones in groups.items()
    ]
    rows.append(("total", "", "", str(len(found)), f"{moved(found):,.0f}"))
    return columns(rows)


def listing(found: Sequence[Collective]) -> str:
    """Return one line per collective, in program order."""
    rows = [("collective", "axes", "group", "bytes sent per device", "times", "where")]
    rows += [
        (
            one.kind,
            one.axes_text,
            str(one.group_size),
            f"{one.moved_bytes:,.0f}",
            "?" if one.times is None else str(one.times),
            one.location,
        )
        for one in found
    ]
    return columns(rows)


def _count(ones: Sequence[Collective]) -> str:
    return str(sum(one.times or 1 for one in ones))
