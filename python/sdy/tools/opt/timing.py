"""`--mlir-timing` and `--mlir-pass-statistics`: time of reading, each pass and writing; ops made and erased."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from sdy.dialect.definition.attributes import SHARDING
from sdy.lazy_dataclass import dataclass
from sdy.markup import Json, JsonObject
from sdy.mlir import ir
from sdy.mlir.walk import for_each
from sdy.passes.steps import FUNCTION, Step

_RULE = "===" + "-" * 73 + "==="
_TITLE = "... Execution time report ..."


@dataclass(slots=True)
class _Row:
    """A timed item, in seconds, and its parts."""

    name: str
    seconds: float = 0.0
    parts: list[_Row] = field(default_factory=list)


@dataclass(slots=True)
class Timing:
    """Measures the wall time since its creation, and of the steps in between."""

    verifies: bool = False
    _rows: list[_Row] = field(default_factory=list)
    _step: Step | None = None
    _started_at: float = 0.0
    _created_at: float = field(default_factory=time.perf_counter)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Time the block; successive blocks of one name are merged."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._last(self._rows, name).seconds += time.perf_counter() - started

    def before(self, step: Step, op: ir.Operation) -> None:
        """Start the clock of a pass."""
        self._started_at = time.perf_counter()

    def after(self, step: Step, op: ir.Operation) -> None:
        """Add the time of a pass."""
        spent = time.perf_counter() - self._started_at
        rows = self._rows
        if op.name == FUNCTION:
            group = self._last(rows, f"'{FUNCTION}' Pipeline")
            group.seconds += spent
            rows = group.parts
        # A pass on functions runs on one after the other.
        row = rows[-1] if rows and step is self._step else None
        if row is None:
            row = _Row(step.name)
            rows.append(row)
        row.seconds += spent
        self._step = step

    def failed(self, step: Step, op: ir.Operation) -> None:
        """Add the time of a pass that failed."""
        self.after(step, op)

    @staticmethod
    def _last(rows: list[_Row], name: str) -> _Row:
        if not rows or rows[-1].name != name:
            rows.append(_Row(name))
        return rows[-1]

    def report(self, *, display: str = "tree", form: str = "text") -> str:
        """The report.

        Args:
          display: `tree` shows the order in which things happened, `list` everything of one name at once, longest
            first.
          form: `text` or `json`.
        """
        total = time.perf_counter() - self._created_at
        rest = _Row("Rest", total - sum(row.seconds for row in self._rows))
        rows = [*self._rows, rest] if display == "tree" else [*_merged(self._rows), rest]
        rows.append(_Row("Total", total))
        if form == "json":
            return json.dumps([_as_json(row, total) for row in rows], indent=1)
        lines = [_RULE, _TITLE.center(len(_RULE)).rstrip(), _RULE, f"  Total Execution Time: {total:.4f} seconds", ""]
        return "\n".join([*lines, "  ----Wall Time----  ----Name----", *_lines(rows, total)])


def _merged(rows: list[_Row]) -> list[_Row]:
    sums: dict[str, _Row] = {}
    for row in _flat(rows):
        sums.setdefault(row.name, _Row(row.name)).seconds += row.seconds
    return sorted(sums.values(), key=lambda row: -row.seconds)


def _flat(rows: list[_Row]) -> Iterator[_Row]:
    for row in rows:
        yield row
        yield from _flat(row.parts)


def _lines(rows: list[_Row], total: float, depth: int = 0) -> Iterator[str]:
    for row in rows:
        yield f"  {row.seconds:8.4f} ({_percent(row, total):5.1f}%)  {'  ' * depth}{row.name}"
        yield from _lines(row.parts, total, depth + 1)


def _percent(row: _Row, total: float) -> float:
    return 100 * row.seconds / total if total else 0.0


def _as_json(row: _Row, total: float) -> JsonObject:
    wall = {"duration": round(row.seconds, 6), "percentage": round(_percent(row, total), 1)}
    found: dict[str, Json] = {"wall": wall, "name": row.name}
    return found | ({"passes": [_as_json(part, total) for part in row.parts]} if row.parts else {})


_STATISTICS = "... Pass statistics report ..."

_TEXTS = {
    "num-ops-created": "Ops added, by kind",
    "num-ops-erased": "Ops removed, by kind",
    "num-shardings-changed": "Number of ops whose sharding is new, another one, or gone",
}


@dataclass(slots=True)
class _Program:
    """Counts of a program at one moment."""

    kinds: Counter[str] = field(default_factory=Counter)
    shardings: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, op: ir.Operation) -> None:
        self.kinds[op.name] += 1
        attributes = op.attributes
        if SHARDING in attributes:
            self.shardings[op.name, str(attributes[SHARDING])] += 1
        for name in ("arg_attrs", "res_attrs"):
            if name in attributes:
                for number, each in enumerate(attributes[name]):
                    if SHARDING in each:
                        self.shardings[f"{op.name} {name} {number}", str(each[SHARDING])] += 1


@dataclass(slots=True)
class _PassRow:
    """A pass, whether it runs on functions, and its counts."""

    name: str
    on_func: bool
    counts: Counter[str]


@dataclass(slots=True)
class PassStatistics:
    """Receives events of each pass; a pass on functions is counted once for all of them."""

    verifies: bool = False
    _rows: list[_PassRow] = field(default_factory=list)
    _step: Step | None = None
    _before: _Program = field(default_factory=_Program)

    def before(self, step: Step, op: ir.Operation) -> None:
        """Count the program before a pass."""
        self._before = _read(op)

    def after(self, step: Step, op: ir.Operation) -> None:
        """Count the program after a pass."""
        if step is not self._step:
            self._rows.append(_PassRow(step.name, op.name == FUNCTION, Counter(dict.fromkeys(_TEXTS, 0))))
        self._step = step
        self._rows[-1].counts.update(_changes(self._before, _read(op)))

    def failed(self, step: Step, op: ir.Operation) -> None:
        """Count the program after a pass that failed."""
        self.after(step, op)

    def report(self, *, display: str = "pipeline") -> str:
        """Return the report; `pipeline` shows the passes in order, `list` sums up by name."""
        rows = self._rows if display == "pipeline" else _summed_up(self._rows)
        lines = [_RULE, _STATISTICS.center(len(_RULE)).rstrip(), _RULE]
        is_nested = False
        for row in rows:
            if display == "pipeline" and row.on_func and not is_nested:
                lines.append(f"'{FUNCTION}' Pipeline")
            is_nested = display == "pipeline" and row.on_func
            indent = "  " * is_nested
            lines.append(f"{indent}{row.name}")
            lines += [f"{indent}  (S) {row.counts[name]:5} {name:22} - {text}" for name, text in _TEXTS.items()]
        return "\n".join(lines)


def _read(op: ir.Operation) -> _Program:
    found = _Program()
    for_each(op, found.add)
    return found


def _changes(before: _Program, after: _Program) -> Counter[str]:
    return Counter(
        {
            "num-ops-created": (after.kinds - before.kinds).total(),
            "num-ops-erased": (before.kinds - after.kinds).total(),
            "num-shardings-changed": max(
                (after.shardings - before.shardings).total(), (before.shardings - after.shardings).total()
            ),
        }
    )


def _summed_up(rows: list[_PassRow]) -> list[_PassRow]:
    sums: dict[str, _PassRow] = {}
    for row in rows:
        sums.setdefault(row.name, _PassRow(row.name, row.on_func, Counter())).counts.update(row.counts)
    return [sums[name] for name in sorted(sums)]
