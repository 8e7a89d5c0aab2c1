"""Page data of one plan: shardings, collectives, reasons, cures, and a schedule."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import replace

from sdy.auto.plan_difference import PlanFacts
from sdy.auto.plan_report import bounds, remarks, report_tables
from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.program_values import Program
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.markup.drawing import drawings
from sdy.markup.layout import Colours, Layout, label
from sdy.mlir import ir
from sdy.mlir.walk import identity, ops_around, pre_order
from sdy.page.collectives_data import MOST_COLLECTIVES, collective_data, folded, free_data
from sdy.page.data_types import (
    BarePlan,
    CauseData,
    DeviceText,
    FoundData,
    LabelData,
    PassesData,
    ReasonsData,
    ScheduleData,
)
from sdy.page.plans import LARGE, MOST_WITH_PASSES, Parts, Plan
from sdy.page.program_data import Interned, SourceLines, text_and_lines
from sdy.page.schedule import Schedule
from sdy.page.shardings import Layouts, Reasons, written
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import local_mesh, tensors
from sdy.passes.steps import Step
from sdy.programs.bytecode import exact_copy
from sdy.programs.given_modules import CompiledProgram
from sdy.report.communication_report import (
    CommunicationReport,
    Transfer,
    check_devices,
    collective_runs,
    communication_of_local,
)
from sdy.report.explanation import Explainer, explainer_of
from sdy.report.localizing import is_local, is_propagated, make_local
from sdy.suggestions.attribution import MOST_TRIED, Attribution, Cause

_OPTIONS = PrintOptions(name_loc_as_prefix=True, elide_elements_larger_than=16)

_OF_OP = re.compile(r"%sdy23(\d+)")
"""The name that MLIR makes of the location ``sdy#12``, which numbers an op."""

_KEY = re.compile(r"5B(?:27)?(\w+?)(?:27)?5D")
"""Pattern of a key in the name of a value: MLIR writes ``params['w']`` as ``params5B27w275D``."""

_NAME = re.compile(r"%\w+")


class PassTexts:
    """An observer of passes that keeps the text of the module wherever it changes."""

    verifies = False

    def __init__(self) -> None:
        self._names: list[str] = []
        self._texts: list[list[int]] = []
        self._lines = Interned[str]()

    def before(self, step: Step, op: ir.Operation) -> None:
        """Keep the text of the program as it is given."""
        if not self._names:
            self._keep("as given", op)

    def after(self, step: Step, op: ir.Operation) -> None:
        """Keep the text if it differs from the previous one."""
        self._keep(step.name, op)

    def failed(self, step: Step, op: ir.Operation) -> None:
        """Keep nothing of a pass that failed."""

    def data(self) -> PassesData:
        """Return the texts as lists of the numbers of lines."""
        return {"name": self._names, "lines": self._lines.things, "text": self._texts}

    def _keep(self, name: str, op: ir.Operation) -> None:
        (*_, op) = op, *ops_around(op)
        text = _OF_OP.sub(r"%\1", print_module(op, _OPTIONS))
        text = _NAME.sub(lambda found: _KEY.sub(r".\1", found[0]), text)
        numbers = [self._lines[line] for line in text.splitlines()]
        if not self._texts or self._texts[-1] != numbers:
            self._names.append(name)
            self._texts.append(numbers)


_SMALL = 200
"""Ops of a program up to which a page tries as many changes as `sdy.why`."""

_TRIED = 14
"""Changes that are tried for a collective of a larger program."""


def found_data(plan: PlanFacts) -> FoundData:
    """Return the report of a plan; for one that was not partitioned, waiting times are unknown."""
    tables = report_tables(plan)
    memory = None if plan.parts is None else plan.parts.memory
    return {
        "tables": [
            {"title": title, "headings": list(rows[0]), "rows": [list(row) for row in rows[1:]]}
            for title, rows in tables.items()
        ],
        "bounds": [[name, share] for name, share in sorted((bounds(plan) or {}).items(), key=lambda pair: -pair[1])],
        "memory": [] if memory is None else [[kind, size] for kind, size in memory.by_kind.items() if size],
        "where": "" if memory is None else memory.where,
        "remarks": remarks(plan),
    }


@dataclass
class PlanReader:
    """Reads one plan, in the context of its module, which is the current one."""

    plan: Plan
    own: CompiledProgram
    original: ir.Module | ir.Operation
    program: Program
    parts: Parts
    machine: Machine | None
    machine_name: str = ""

    def __post_init__(self) -> None:
        operation = self.original.operation
        self.is_local = is_local(operation)
        propagates = self.own.partitioning.options.propagate
        self.propagates = not self.is_local and propagates and is_propagated(operation)
        self.explainer: Explainer | None = None
        if self.propagates:
            self.explainer = explainer_of(self.original, self.program, self.own.partitioning)
        self.sources = SourceLines(self.plan.texts, reads=self.parts.sources)
        self._localize()
        declared = MeshTable(operation).by_name
        self.meshes: dict[str, Mesh] = {name: mesh for name, mesh in declared.items() if mesh.axes}
        if not self.meshes:
            self.meshes = {"mesh": self.mesh}
        layouts = Layouts(self.program, self.explainer, self.mesh, is_local=self.is_local)
        self.layouts = [layouts.of(value) for value in self.program.values]
        self._labels = Interned[Layout]()
        self.label_of = [-1 if one is None else self._labels[one[0]] for one in self.layouts]
        self._written = Interned[Layout]()
        self._written_of = [self._written_label(number) for number in range(len(self.layouts))]

    def _written_label(self, number: int) -> int:
        layout = self.layouts[number]
        sharding = written(self.program, self.program.values[number]) if layout and not self.is_local else None
        if layout is None or sharding is None:
            return -1
        return self._written[replace(layout[0], sharding=sharding)]

    def _localize(self) -> None:
        copy = exact_copy(self.original).operation
        texts = PassTexts()
        is_told = not self.is_local and len(self.program.ops) <= MOST_WITH_PASSES
        observers = [texts] if is_told else []
        origins, reshards = make_local(copy, self.own.partitioning, self.plan.filename, observers=observers)
        self.passes = texts.data() if is_told else None
        self.mesh = self.own.mesh or local_mesh(copy)
        check_devices(copy, self.mesh)
        self.report: CommunicationReport = communication_of_local(copy, self.mesh, origins, reshards)
        numbers = _numbers(copy) if self.is_local else {}

        def number_of(op: ir.Operation) -> int:
            found = numbers.get(identity(op)) if self.is_local else origins.number_of(op)
            return -1 if found is None else found

        self.device = self._device_text(copy, number_of)
        self.collectives = [collective_data(one, self.sources) for one in self.report.transfers]
        runs = collective_runs(copy)
        self._first: list[int] = []
        at = 0
        for run in runs:
            self._first.append(at)
            count = len(tensors(run, self.mesh))
            for one in self.collectives[at : at + count]:
                one["op"] = number_of(run.op) if self.is_local else one["op"]
            at += count
        self.schedule: ScheduleData | None = None
        if self.machine is not None:
            schedule = Schedule(copy, self.mesh, self.machine, number_of, self.machine_name)
            self.schedule = self._timed(schedule)
        self._all = self.collectives
        self.is_folded = len(self._all) > MOST_COLLECTIVES
        if self.is_folded:
            self._fold()

    def _device_text(self, local: ir.Operation, number_of: Callable[[ir.Operation], int]) -> DeviceText | None:
        """Return the text of the local program; none for a large program, or one that is local already."""
        ops = pre_order(local)
        if self.is_local or len(self.program.ops) > LARGE:
            return None
        text, lines = text_and_lines(local, len(ops))
        numbers = [-1] * (text.count("\n") + 1)
        for op, line in zip(ops, lines, strict=True):
            if 0 <= line < len(numbers) and numbers[line] < 0:
                numbers[line] = number_of(op)
        return {"text": text, "op": numbers}

    def _fold(self) -> None:
        self.collectives, numbers = folded(self._all)
        for lane in self.schedule["lanes"] if self.schedule else ():
            if lane["name"] != "compute":
                lane["item"] = [numbers[one] for one in lane["item"]]

    def _timed(self, schedule: Schedule) -> ScheduleData:
        """Set the times of collectives; those of one op are divided by bytes. Spans refer to their collective."""
        ends = [*self._first, len(self.collectives)][1:]
        for first, end, (seconds, exposed) in zip(self._first, ends, schedule.times, strict=True):
            ones = self.collectives[first:end]
            total = sum(one["operand_bytes"] for one in ones) or 1
            for one in ones:
                part = one["operand_bytes"] / total if len(ones) > 1 else 1.0
                one["seconds"], one["exposed"] = seconds * part, exposed * part
        found = schedule.data()
        for lane in found["lanes"]:
            if lane["name"] != "compute":
                lane["item"] = [self._first[run] for run in lane["item"]]
        return found

    # What ops are, to find equal ones ------------------------------------------------------------

    def facts(self) -> list[Hashable]:
        """Return results and communication of each op."""
        found: list[list[Hashable]] = [[] for _ in self.program.ops]
        for value, number in zip(self.program.values, self.label_of, strict=True):
            found[value.op].append(number)
        for one in self._all:
            if one["op"] >= 0:
                axes = tuple(one["axes"] or ())
                found[one["op"]].append((one["kind"], axes, one["operand_bytes"], one["times"]))
        return [tuple(each) for each in found]

    # Data ----------------------------------------------------------------------------------------

    def data(self, colours: Colours, repeated: Collection[int] = ()) -> BarePlan:
        """Return the data of this plan; ops whose numbers are in `repeated` have no reasons."""
        report = self.report
        causes = list(self._causes()) if self.parts.reasons and self.propagates else []
        asked = {value for cause in causes for each in cause["around"] for value in each if isinstance(value, int)}
        return {
            "name": self.plan.name,
            "is_local": self.is_local,
            "labels": [self._label(layout, colours) for layout in self._labels.things],
            "written": [
                {"html": label(one, colours, as_written=True), "text": str(one.sharding)}
                for one in self._written.things
            ],
            "values": {
                "label": self.label_of,
                "written": self._written_of,
                "local_bytes": [0 if one is None else one[1] for one in self.layouts],
            },
            "collectives": self.collectives,
            "free_reshards": free_data(report),
            "totals": [
                {"kind": one.kind, "axes": one.axes, "ops": one.ops, "bytes_sent": one.bytes_sent}
                for one in report.totals
            ],
            "ops": report.ops,
            "bytes_sent": report.bytes_sent,
            "is_exact": report.is_exact,
            "schedule": self.schedule,
            "reasons": self._reasons(repeated, asked) if self.parts.reasons else None,
            "causes": causes,
            "found": None if self.plan.found is None else found_data(self.plan.found),
            "device": self.device,
            "passes": self.passes,
        }

    def _label(self, layout: Layout, colours: Colours) -> LabelData:
        return {"html": label(layout, colours), "text": layout.text, "drawing": list(drawings(layout, colours))}

    def _reasons(self, repeated: Collection[int], asked: Collection[int]) -> ReasonsData | None:
        """Return the explanations of all values, except those of `repeated` ops.

        Numbers in `asked` are always included.
        """
        if self.explainer is None:
            return None
        reasons = Reasons(self.program, self.sources)
        for number, value in enumerate(self.program.values):
            if value.rank and (value.op not in repeated or number in asked):
                for explanation in self.explainer.explanations(value)[:1]:
                    reasons.add(number, explanation)
        return reasons.data()

    def _causes(self) -> Iterator[CauseData]:
        """Return the causes of collectives, and cures for the largest ones."""
        most = self.parts.cures_for(len(self.program.ops))
        tried = {each.id for each in _heaviest(self.report.transfers)[:most]}
        known = self.explainer, self.report.transfers
        attribution = Attribution(self.original, self.program, self.machine, self.own.partitioning, *known)
        shown = {one["id"] for one in self.collectives}
        changes = MOST_TRIED if len(self.program.ops) <= _SMALL else _TRIED
        for one in self.report.transfers:
            if one.id not in shown:
                continue
            cause = attribution.of(one.id, changes if one.id in tried else 0)
            yield _cause_data(cause, is_tried=one.id in tried)


def _numbers(module: ir.Operation) -> dict[Hashable, int]:
    return {identity(op): number for number, op in enumerate(pre_order(module))}


def _heaviest(transfers: tuple[Transfer, ...]) -> list[Transfer]:
    """Return one collective of each sort, sorts that send most first."""
    sorts: dict[Hashable, list[Transfer]] = {}
    for one in transfers:
        if one.op is not None:
            sorts.setdefault((one.kind, one.axes, one.operand_bytes, one.serves, str(one.reshard)), []).append(one)
    heavy = sorted(sorts.values(), key=lambda ones: -sum(one.bytes_sent for one in ones))
    return [ones[0] for ones in heavy]


def _cause_data(cause: Cause, *, is_tried: bool) -> CauseData:
    return {
        "factors": list(cause.factors),
        "around": [[each.role, each.value.number] for each in cause.around],
        "is_tried": is_tried,
        "tried": cause.tried,
        "cures": [
            {
                "text": cure.text,
                "bytes_saved": cure.bytes_saved,
                "ops_saved": cure.ops_saved,
                "seconds_saved": cure.seconds_saved,
                "is_cheaper": cure.is_cheaper,
            }
            for cure in cause.cures
        ],
    }
