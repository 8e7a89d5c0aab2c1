"""The page of a pipeline: when each mesh computes, transfers and waits, what it holds, and what a step sends.

It is one file without scripts. Figures are those of timelines; nothing is computed here but positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import markup, render
from sdy.mpmd_running.instructions import Move, Run
from sdy.pipeline.timeline import PipelineTimeline, Timed
from sdy.report.timelines.timeline import duration

WIDTH, LEFT, BAR, MEMORY, GAP = 1600, 90, 26, 34, 14
_LABELLED = 22
"""Width of a bar from which on it has a label."""


@dataclass(frozen=True)
class Bar:
    """A drawn fragment."""

    kind: str
    x: float
    width: float
    label: str
    title: str
    critical: bool


def page(title: str, timelines: Mapping[str, PipelineTimeline], texts: Mapping[str, str]) -> str:
    """Return the file.

    Args:
      title: of the page.
      timelines: by name: steps, one below the other on one scale.
      texts: by title: further parts.
    """
    longest = max((each.total for each in timelines.values()), default=0.0) or 1.0
    views = [_view(name, each, (WIDTH - LEFT) / longest) for name, each in timelines.items()]
    parts = [{"title": name, "text": text, "table": ""} for name, text in texts.items()]
    body = render("pipeline.html.j2", title=title, views=views, parts=parts)
    return render("document.html.j2", title=title, body=markup(body)) + "\n"


def _view(name: str, timeline: PipelineTimeline, scale: float) -> dict[str, object]:
    meshes = list(timeline.busy)
    height = BAR + MEMORY + GAP
    tops = {mesh: number * height for number, mesh in enumerate(meshes)}
    critical = {id(each) for each in timeline.critical}
    rows = [
        {
            "mesh": mesh,
            "y": tops[mesh],
            "bars": [_bar(each, scale, id(each) in critical) for each in timeline.runs if _mesh_of(each) == mesh],
            "memory": _points(timeline.memory.get(mesh, ()), timeline, scale, tops[mesh] + BAR + MEMORY),
            "peak": f"{mesh}: {timeline.peak_bytes[mesh]:,} bytes of values a device at most",
        }
        for mesh in meshes
    ]
    moves = [
        _line(each, each.instruction, tops, scale) for each in timeline.moves if isinstance(each.instruction, Move)
    ]
    summary = f"step {duration(timeline.total)}, bubbles {100 * timeline.bubble:.1f} %"
    return {
        "name": name,
        "summary": summary,
        "rows": rows,
        "moves": moves,
        "width": WIDTH,
        "left": LEFT,
        "bar": BAR,
        "height": max(1, len(meshes) * height),
    }


def _mesh_of(timed: Timed) -> str:
    assert isinstance(timed.instruction, Run)
    return timed.instruction.mesh


def _bar(timed: Timed, scale: float, critical: bool) -> Bar:
    run = timed.instruction
    assert isinstance(run, Run)
    is_pass = run.microbatch is not None and run.transpose_count in (0, 1)
    kind = run.half or ("F" if run.transpose_count == 0 else "B") if is_pass else "other"
    width = round(timed.seconds * scale, 2)
    stage = "" if run.stage is None else f", stage {run.stage}"
    title = f"{run}{stage}\n{duration(timed.begun)} to {duration(timed.ended)}, {duration(timed.seconds)}\n{run.line}"
    return Bar(
        kind, round(LEFT + timed.begun * scale, 2), width, run.unit if width > _LABELLED else "", title, critical
    )


def _line(timed: Timed, move: Move, tops: Mapping[str, float], scale: float) -> dict[str, object]:
    is_down = tops[move.source] < tops[move.target]
    return {
        "x1": round(LEFT + timed.begun * scale, 2),
        "x2": round(LEFT + timed.ended * scale, 2),
        "y1": tops[move.source] + (BAR if is_down else 0),
        "y2": tops[move.target] + (0 if is_down else BAR),
        "title": f"{move}\n{duration(timed.begun)} to {duration(timed.ended)}, {duration(timed.seconds)}\n{move.line}",
    }


def _points(curve: Sequence[tuple[float, int]], timeline: PipelineTimeline, scale: float, bottom: float) -> str:
    """Return the corners of a curve of steps."""
    most = max((size for own in timeline.memory.values() for _, size in own), default=0) or 1
    points: list[str] = []
    before = 0
    for second, size in (*curve, (timeline.total, curve[-1][1] if curve else 0)):
        x = round(LEFT + second * scale, 2)
        points += [f"{x},{bottom - MEMORY * before / most:.1f}", f"{x},{bottom - MEMORY * size / most:.1f}"]
        before = size
    return " ".join(points)
