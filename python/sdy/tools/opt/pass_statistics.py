"""`--mlir-pass-statistics`: ops made, erased and sharded by each pass."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from sdy.dialect.definition.attributes import SHARDING
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.walk import for_each
from sdy.passes.steps import FUNCTION, Step

_RULE = "===" + "-" * 73 + "==="
_TITLE = "... Pass statistics report ..."

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
        rows = self._rows if display == "pipeline" else _merged(self._rows)
        lines = [_RULE, _TITLE.center(len(_RULE)).rstrip(), _RULE]
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


def _merged(rows: list[_PassRow]) -> list[_PassRow]:
    sums: dict[str, _PassRow] = {}
    for row in rows:
        sums.setdefault(row.name, _PassRow(row.name, row.on_func, Counter())).counts.update(row.counts)
    return [sums[name] for name in sorted(sums)]
