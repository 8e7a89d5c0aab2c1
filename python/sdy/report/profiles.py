"""A profile of JAX beside the prediction: each collective and fusion as measured, and as the machine model has it.

>>> compiled = lowered.compile()
>>> with jax.profiler.trace("trace"):
...     jax.block_until_ready(compiled(*arguments))
>>> found = sdy.profile(compiled, "trace", machine="h100")
>>> print(found)                     # tables with the error of each collective and of each fusion
>>> found.machine                    # the machine that fits what was measured

Events are matched with instructions by the names that XLA gives both, and instructions with ops of the program by the
metadata that XLA keeps: ids are those of reports and of the page.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdy import hlo
from sdy.dialect.values.mesh import Mesh
from sdy.hlo_text import parse
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.passes.costs.machine import KINDS, Machine
from sdy.passes.costs.machine_fit import TimedCollectives, fitted_link, fitted_work
from sdy.programs.given_modules import GivenProgram
from sdy.programs.given_modules import compiled as compiled_program
from sdy.programs.meshes import AnyMesh, mesh_from
from sdy.report.communication_report import communication_of
from sdy.report.hlo_communication import axes_of, hlo_of, hlo_transfers, is_compiled
from sdy.report.profile_matching import OpWorkOnDevice, ProfiledFusion, ids_of, shares_of, works_of
from sdy.report.profile_matching import computing as instructions
from sdy.report.step_estimate import Estimate, estimate
from sdy.report.text_table import columns, wrapped_columns
from sdy.report.timelines.timeline import Timeline, duration
from sdy.report.transfer_tables import terminal_width
from sdy.report.transfers import Transfer

if TYPE_CHECKING:
    import jax.stages

_HOLDERS = frozenset({"while", "call", "conditional"})
"""Instructions whose events last as long as those within."""

_ROWS = 20
_NAMES = 4
_LEAST_OF_AXIS = 3


class Event(NamedTuple):
    """An execution of an instruction on a device, in seconds."""

    name: str
    device: int
    run: int
    start: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ProfiledCollective:
    """A collective instruction of one run.

    Attributes:
      name: of the instruction.
      kind: of the collective.
      axes: mesh axes that it sends over; empty if they are not known.
      group_size, operand_bytes: as `sdy.hlo` counts them.
      times: how often it ran.
      location: the frontend's name of the op.
      predicted: seconds by the machine.
      measured: seconds from when the last device was there; the mean of the runs.
      waited: seconds that a device waited for others to be there, on average.
      ids: of the collectives in reports and on the page that it carries out, several of a merged one.
    """

    name: str
    kind: str
    axes: tuple[str, ...]
    group_size: int
    operand_bytes: int
    times: int
    location: str
    predicted: float
    measured: float
    waited: float
    ids: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Return the relative error of the prediction."""
        return self.predicted / self.measured - 1 if self.measured else 0.0


@dataclass(frozen=True, slots=True)
class Profile(ShownText):
    """Measurements of a program beside the predictions for a machine.

    Attributes:
      collectives: the collectives that ran, the longest first.
      missing: collective instructions without an event.
      runs: number of runs in the trace.
      devices: number of devices with events.
      step: seconds of a run, from the first event to the last on any device; the mean of the runs.
      compute: seconds of a run in which a device computes, the mean of devices and runs.
      asked: the machine of the prediction.
      estimate: prediction of the whole step, if the program was given.
      events: of the last run.
      fusions: instructions that computed, the longest first; predicted if the program was handed over.
      program: the given program.
    """

    collectives: tuple[ProfiledCollective, ...]
    missing: tuple[str, ...]
    runs: int
    devices: int
    step: float
    compute: float
    asked: Machine
    events: tuple[Event, ...]
    estimate: Estimate | None = None
    fusions: tuple[ProfiledFusion, ...] = ()
    program: GivenProgram | None = field(default=None, repr=False, compare=False)

    @property
    def measured(self) -> float:
        """Seconds of all collectives as measured."""
        return sum(one.measured for one in self.collectives)

    @property
    def predicted(self) -> float:
        """Seconds of all collectives as predicted."""
        return sum(one.predicted for one in self.collectives)

    @property
    def machine(self) -> Machine:
        """Return the machine that fits the measurements best.

        Of links one for all, one per axis, or as asked for, whatever is nearest to the collectives; of rates of
        products, memory and starts the fitted ones, or as asked for, whatever is nearest to the fusions. All are fitted
        by least relative errors, or to the sum; an axis has a link of its own if at least three collectives went over
        it alone.

        Raises:
          ValueError: nothing was measured.
        """
        computing = min(self._computing(), key=lambda machine: _distance(self._on(machine).fusions))
        if not self.collectives:
            return computing
        linked = [*self._linked(computing)]
        sums = [self._on(machine).predicted for machine in linked]
        rates = [(one, whole / self.measured) for one, whole in zip(linked, sums, strict=True) if whole]
        linked += [_faster(one, rate, are_links=True) for one, rate in rates]
        return min(linked, key=lambda machine: self._on(machine).distance)

    def _computing(self) -> Iterator[Machine]:
        """Yield machines with rates that fit the fusions, each also so that the sum fits."""
        measured = sum(one.measured for one in self.fusions if one.works)
        for machine in self._fitted():
            predicted = sum(one.predicted for one in self._on(machine).fusions if one.works)
            yield machine
            if predicted and measured:
                yield _faster(machine, predicted / measured, are_links=False)

    def _fitted(self) -> Iterator[Machine]:
        """Yield the machine of the prediction, and machines with rates that fit fusions one by one."""
        yield self.asked
        rows = [(one.amounts, one.measured) for one in self.fusions if one.works and one.measured]
        products = [(operations, starts, seconds) for (operations, _, starts), seconds in rows if operations]
        others = [(touched, starts, seconds) for (operations, touched, starts), seconds in rows if not operations]
        if not products and not others and not self.collectives:
            raise ValueError("the profile has neither collectives nor fusions of the program")
        for traffic in ([], others):
            memory, overhead = fitted_work(traffic) if traffic else (self.asked.memory_bandwidth, self.asked.overhead)
            moved = replace(self.asked, memory_bandwidth=_finite(memory), overhead=overhead)
            yield moved
            if products:
                flops, overhead = fitted_work(products)
                yield replace(moved, flops=_finite(flops), element_flops=(), efficiency=1.0)
                yield replace(moved, flops=_finite(flops), element_flops=(), efficiency=1.0, overhead=overhead)

    def _linked(self, asked: Machine) -> list[Machine]:
        """Return a machine with links that fit, one link for all and one per axis, and the one that is given."""
        timed = {one: _timed(one) for one in self.collectives if one.measured}
        bandwidth, latency = fitted_link([*timed.values()])
        shared = replace(asked, bandwidth=bandwidth, latency=latency, axis_bandwidth=(), axis_latency=())
        shared = replace(shared, directions=1)
        by_axis: dict[str, list[TimedCollectives]] = {}
        for one, seconds in timed.items():
            if len(one.axes) == 1:
                by_axis.setdefault(one.axes[0], []).append(seconds)
        links = {axis: fitted_link(ones) for axis, ones in by_axis.items() if len(ones) >= _LEAST_OF_AXIS}
        rates = {axis: rate for axis, (rate, _) in links.items()}
        apart = replace(shared, axis_bandwidth=rates, axis_latency={axis: wait for axis, (_, wait) in links.items()})
        return [shared, apart, asked]

    @property
    def distance(self) -> float:
        """Sum of the errors of all collectives, as a share of their seconds."""
        return _distance(self.collectives)

    def predicted_by(self, machine: Machine) -> Profile:
        """Return the same profile with the prediction of another machine."""
        step = None if self.program is None else estimate(self.program, machine)
        return replace(self._on(machine), estimate=step)

    def _on(self, machine: Machine) -> Profile:
        again = tuple(replace(one, predicted=_predicted(one, machine)) for one in self.collectives)
        return replace(self, collectives=again, fusions=tuple(one.on(machine) for one in self.fusions), asked=machine)

    def __str__(self) -> str:
        sums = [("", "predicted", "measured", "error"), _sum("collectives", self.collectives)]
        known = [one for one in self.fusions if one.works]
        sums += [_sum("fusions", known)] if known else []
        for name, seconds in (("compute", self.compute), ("step", self.step)):
            expected = None if self.estimate is None else getattr(self.estimate, name)
            told = ("", "") if expected is None else (duration(expected), _error(expected, seconds))
            sums.append((name, told[0], duration(seconds), told[1]))
        lines = [f"{self.runs} runs on {self.devices} devices", columns(sums), ""]
        head = ("id", "collective", "axes", "times", "predicted", "measured", "error", "waited", "where")
        lines += _table(head, [_row(one) for one in self.collectives])
        if known:
            head = ("fusion", "ops", "times", "predicted", "measured", "error", "where")
            lines += ["", *_table(head, [_fusion_row(one) for one in self.fusions])]
        lines += [f"no event of {', '.join(self.missing)}"] if self.missing else []
        return "\n".join(lines)

    def to_trace(self, timeline: Timeline | None = None) -> str:
        """Return the last run as trace events for Perfetto, a lane for each device, beside those of a timeline.

        Args:
          timeline: the prediction of `sdy.timeline` for the program.
        """
        begin = min((one.start for one in self.events), default=0.0)
        predicted = [] if timeline is None else json.loads(timeline.to_trace())["traceEvents"]
        ops = {one.name: one.ids for one in self.collectives} | {one.name: one.values for one in self.fusions}
        measured = [
            {
                "ph": "X",
                "name": one.name,
                "cat": "measured",
                "pid": "measured",
                "tid": one.device,
                "ts": 1e6 * (one.start - begin),
                "dur": 1e6 * one.seconds,
                "args": {"ops": ", ".join(ops.get(one.name, ()))},
            }
            for one in self.events
        ]
        return json.dumps({"traceEvents": [*predicted, *measured]})


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    more = [f"... and {len(rows) - _ROWS} more"] if len(rows) > _ROWS else []
    width, listed = terminal_width(), [head, *rows[:_ROWS]]
    return [columns(listed) if width is None else wrapped_columns(listed, len(head) - 1, width), *more]


def _row(one: ProfiledCollective) -> tuple[str, ...]:
    seconds = map(duration, (one.predicted, one.measured))
    axes = ", ".join(one.axes)
    error = _error(one.predicted, one.measured)
    return (_listed(one.ids), one.kind, axes, str(one.times), *seconds, error, duration(one.waited), one.location)


def _fusion_row(one: ProfiledFusion) -> tuple[str, ...]:
    predicted = (duration(one.predicted), _error(one.predicted, one.measured)) if one.works else ("", "")
    ops = _listed(one.values)
    return (one.name, ops, str(one.times), predicted[0], duration(one.measured), predicted[1], one.location)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names if len(names) <= _NAMES else [*names[: _NAMES - 1], f"{len(names) - _NAMES + 1} more"])


def _sum(name: str, found: Sequence[ProfiledCollective] | Sequence[ProfiledFusion]) -> tuple[str, ...]:
    predicted, measured = sum(one.predicted for one in found), sum(one.measured for one in found)
    return name, duration(predicted), duration(measured), _error(predicted, measured)


def _error(predicted: float, measured: float) -> str:
    return f"{predicted / measured - 1 if measured else 0.0:+.0%}"


def _distance(found: Sequence[ProfiledCollective] | Sequence[ProfiledFusion]) -> float:
    """Return the sum of the errors as a share of the measured seconds."""
    known = [one for one in found if one.predicted]
    whole = sum(one.measured for one in known)
    return sum(abs(one.predicted - one.measured) for one in known) / whole if whole else 0.0


def _faster(machine: Machine, factor: float, *, are_links: bool) -> Machine:
    """Return a machine that computes, or sends, so many times as fast."""
    if are_links:
        rates = {axis: rate * factor for axis, rate in dict(machine.axis_bandwidth).items()}
        waits = {axis: wait / factor for axis, wait in dict(machine.axis_latency).items()}
        changed = {"axis_bandwidth": rates, "axis_latency": waits, "latency": machine.latency / factor}
        return replace(machine, bandwidth=_finite(machine.bandwidth * factor), **changed)
    kinds = {kind: rate * factor for kind, rate in dict(machine.element_flops).items()}
    memory, flops = _finite(machine.memory_bandwidth * factor), _finite(machine.flops * factor)
    overhead = machine.overhead / factor
    return replace(machine, flops=flops, element_flops=kinds, memory_bandwidth=memory, overhead=overhead)


def _finite(rate: float) -> float:
    return min(rate, 1e30)


def profile(
    compiled: jax.stages.Compiled,
    trace: str | Path,
    machine: Machine | str,
    *,
    program: GivenProgram | None = None,
    mesh: AnyMesh | None = None,
) -> Profile:
    """Compare the collectives of a profile with the predictions of a machine model.

    Args:
      compiled: a compiled JAX stage that was run.
      trace: the folder that `jax.profiler.trace` wrote, of which the last trace counts, or an ``.xplane.pb`` file.
      machine: the machine of the predictions.
      program: the source of the compiled stage, for ids of its collectives and ops, and to predict fusions and step,
        too.
      mesh: names the axes of groups of devices; by default that of the shardings of the program.

    Returns:
      A `Profile`: measured and predicted seconds of each collective and fusion, and a fitted machine.

    Raises:
      OSError: there is no trace.
      TypeError: `compiled` is not compiled, or no machine is given.
      ValueError: the trace has no event of the program, or the backend gives no text of it.
    """
    found = hlo_of(compiled) if is_compiled(compiled) else None
    if found is None:
        raise TypeError(f"profile() takes a compiled JAX stage, not {type(compiled).__name__}")
    text, on = found[0], Machine.given(machine, "profile")
    module = parse(text)
    events = list(_events(_trace_file(Path(trace)), module.name))
    if not events:
        raise ValueError(f"{trace} has no event of the program {module.name}")
    over = mesh_from(mesh) if mesh is not None else found[1] or hlo.mesh_in(text)
    runs, devices = len({one.run for one in events}), len({one.device for one in events})
    own = None if program is None else compiled_program(program)
    transfers = [*hlo_transfers(text, over)] if own is None else communication_of(own, "-").transfers
    works = [] if own is None else works_of(own, on)
    collectives, missing = _collectives(text, events, over, on, transfers)
    opcodes = {each.name: each.opcode for part in module.computations for each in part.instructions}
    computing = {name for name, code in opcodes.items() if code not in _HOLDERS and not _is_collective(code)}
    last = max(one.run for one in events)
    return Profile(
        tuple(sorted(collectives, key=lambda one: -one.measured)),
        tuple(missing),
        runs,
        devices,
        _step(events),
        sum(one.seconds for one in events if one.name in computing) / runs / devices,
        on,
        tuple(one for one in events if one.run == last),
        None if program is None else estimate(program, on),
        tuple(_fusions(text, [one for one in events if one.name in computing], works, on)),
        program,
    )


def _fusions(
    text: str, events: Sequence[Event], works: Sequence[OpWorkOnDevice], machine: Machine
) -> list[ProfiledFusion]:
    """Return what computed, the longest first."""
    by_name: dict[str, list[Event]] = {}
    for event in events:
        by_name.setdefault(event.name, []).append(event)
    found = instructions(text, by_name)
    divided = shares_of(found, works)
    fusions = list[ProfiledFusion]()
    for one in found:
        ran = by_name[one.name]
        by_run = dict[tuple[int, int], float]()
        for each in ran:
            by_run[each.run, each.device] = by_run.get((each.run, each.device), 0.0) + each.seconds
        times, seconds = max(1, round(len(ran) / len(by_run))), statistics.median(by_run.values())
        mine = tuple(divided.get(one.name, ()))
        fusions.append(ProfiledFusion(one.name, one.location, times, mine, 0.0, seconds).on(machine))
    return sorted(fusions, key=lambda one: -one.measured)


def _collectives(
    text: str, events: Sequence[Event], mesh: Mesh | None, machine: Machine, transfers: Sequence[Transfer]
) -> tuple[list[ProfiledCollective], list[str]]:
    """Return the timed collectives of a program, and the names of those without an event."""
    by_name: dict[str, list[Event]] = {}
    for event in events:
        by_name.setdefault(event.name, []).append(event)
    runs, found, missing = len({one.run for one in events}), list[ProfiledCollective](), list[str]()
    listed = hlo.collectives(text, hlo.num_devices(text))
    for one, ids in zip(listed, ids_of(listed, transfers), strict=True):
        ran = by_name.get(one.name)
        if ran is None:
            missing.append(one.name)
            continue
        axes = None if mesh is None else axes_of(one, mesh)
        names = () if axes is None else tuple(axis.name for axis in axes)
        times = max(1, round(len(ran) / len({(each.run, each.device) for each in ran})))
        seconds = _measured(ran, runs)
        facts = one.name, one.kind, names, one.group_size, one.operand_bytes, times, one.location
        row = ProfiledCollective(*facts, 0.0, *seconds, tuple(each.id for each in ids))
        found.append(replace(row, predicted=_predicted(row, machine)))
    return found, missing


def _is_collective(opcode: str) -> bool:
    return opcode.removesuffix("-start").removesuffix("-done").replace("-", "_") in KINDS


def _timed(one: ProfiledCollective) -> TimedCollectives:
    return TimedCollectives(((one.kind, one.operand_bytes),), one.group_size, one.measured / one.times)


def _predicted(one: ProfiledCollective, machine: Machine) -> float:
    return one.times * machine.collective_seconds(one.kind, one.group_size, one.operand_bytes, one.axes)


def _measured(events: Sequence[Event], runs: int) -> tuple[float, float]:
    """Return the seconds of one instruction in a run on all devices, and the seconds that a device waits in it."""
    rows: dict[tuple[int, int], list[float]] = {}
    for one in sorted(events, key=lambda one: one.start):
        rows.setdefault((one.run, one.device), []).append(one.seconds)
    by_run: dict[int, list[list[float]]] = {}
    for (run, _), seconds in rows.items():
        by_run.setdefault(run, []).append(seconds)
    shared = waited = 0.0
    for devices in by_run.values():
        for at_once in zip(*devices, strict=False):
            shared += min(at_once)
            waited += statistics.fmean(at_once) - min(at_once)
    return shared / runs, waited / runs


def _step(events: Iterable[Event]) -> float:
    ends: dict[int, tuple[float, float]] = {}
    for one in events:
        first, last = ends.get(one.run, (one.start, one.start))
        ends[one.run] = min(first, one.start), max(last, one.start + one.seconds)
    return statistics.fmean(last - first for first, last in ends.values())


# Traces ----------------------------------------------------------------------------------------------


def _trace_file(trace: Path) -> Path:
    """The file of the last trace in a folder.

    Raises:
      FileNotFoundError: there is none.
    """
    if trace.is_file():
        return trace
    files = sorted(trace.glob("**/*.xplane.pb"), key=lambda path: path.stat().st_mtime)
    if not files:
        raise FileNotFoundError(2, "there is no .xplane.pb file of jax.profiler.trace", str(trace))
    return files[-1]


def _events(file: Path, module: str) -> Iterator[Event]:
    """Yield the executions of instructions of a module, on all devices."""
    profiler = sys.modules["jax"].profiler
    runs: dict[object, int] = {}
    for plane in profiler.ProfileData.from_file(str(file)).planes:
        for line in plane.lines:
            for event in line.events:
                stats: Mapping[str, object] = dict(event.stats)
                name, run = stats.get("hlo_op"), stats.get("run_id", 0)
                if isinstance(name, str) and stats.get("hlo_module") == module:
                    number = runs.setdefault(run, len(runs))
                    device = stats.get("device_ordinal", 0)
                    start, length = event.start_ns / 1e9, event.duration_ns / 1e9
                    yield Event(name, device if isinstance(device, int) else 0, number, start, length)
