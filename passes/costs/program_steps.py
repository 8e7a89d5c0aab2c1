"""A device-local program as the sequence of a device's steps, with durations (spec: async, 13).

A call stands for its callee. A loop is a single step with as many rounds as it counts to, one if that is unknown; of a
branch the region with the longest time counts. Both are entered with idle channels. The condition of a loop counts if
it communicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from sdy.dialect.hlo_async.chains import done_of, family_of, is_done, is_start, is_update, operation_of
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import callee_name, funcs, symbol_name
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import compute_seconds, product_operations
from sdy.passes.costs.program_collectives import (
    Collective,
    channels,
    collective,
    entry_functions,
    kind_of,
    sent_operands,
)
from sdy.passes.costs.simulation import Done, Run, Start, Step, Work, simulate
from sdy.stablehlo.idioms.loops import BRANCHES, CONTROL_FLOW, WHILE, Execution, trip_count

HOLDERS = frozenset({"func.call", *CONTROL_FLOW})


@dataclass(frozen=True, slots=True)
class Transfer:
    """A collective in a run: its op, its done if it is asynchronous, and the bytes that it sends."""

    op: ir.Operation
    done: ir.Operation | None
    collective: Collective


@dataclass(frozen=True, slots=True)
class Region:
    """Steps of a loop or branch, run `rounds` times; None if unknown.

    Of the regions of a branch the longest `counts`; a loop has one for its body, and another one for its condition.
    """

    rounds: int | None
    steps: Steps
    run: Run
    counts: bool


@dataclass(frozen=True, slots=True)
class Item:
    """A step, its op, and the steps that run inside."""

    op: ir.Operation
    step: Step
    transfer: Transfer | None = None
    regions: tuple[Region, ...] = ()


@dataclass(slots=True)
class Steps:
    """Steps of a block, in order; `is_exact` if all trip counts are known."""

    items: list[Item] = field(default_factory=list)
    is_exact: bool = True

    def run(self) -> Run:
        """Return the seconds of the steps, from idle channels."""
        return simulate(item.step for item in self.items)


class Reader:
    """Reads the steps of the functions of one module. Asynchronous pairs count as synchronous on request.

    `seconds_of` gives the time of a computing op.
    """

    def __init__(
        self,
        module: ir.Operation,
        mesh: Mesh,
        machine: Machine,
        *,
        synchronous: bool = False,
        seconds_of: Callable[[ir.Operation, Machine], float] = compute_seconds,
    ) -> None:
        self.mesh = mesh
        self.seconds_of = seconds_of
        self.machine = machine.on(mesh)
        self.synchronous = synchronous
        self.functions: Mapping[str, Any] = {symbol_name(function): function for function in funcs(module)}
        self._running: list[str] = []
        self._next_key = 0

    def of_entries(self, module: ir.Operation) -> Steps:
        """Return the steps of all functions that nothing calls, one after the other; see `of_function`."""
        runs = [self.of_function(function) for function in entry_functions(module)]
        return Steps([item for run in runs for item in run.items], all(run.is_exact for run in runs))

    def of_function(self, function: ir.Operation) -> Steps:
        """Raises `DiagnosticError` at tensors of dynamic size and recursive calls, which cannot be estimated."""
        found = Steps()
        name = symbol_name(function)
        if name in self._running:
            raise DiagnosticError(function, "calls itself, which is not supported")
        self._running.append(name)
        for region in function.regions:
            for block in region.blocks:
                self._read(block, found)
        self._running.pop()
        return found

    def of_block(self, block: ir.Block) -> Steps:
        """Return the steps of a block alone."""
        found = Steps()
        self._read(block, found)
        return found

    def work_of(self, op: ir.Operation) -> Work:
        """Return an op as one step."""
        if not self._is_composed(op):
            return Work(self.seconds_of(op, self.machine))
        found = Steps()
        self._read_op(op, found, {})
        run = found.run()
        return Work(run.compute, run.exposed, run.communication, run.peak_bytes_in_flight)

    def start_of(self, start: ir.Operation) -> Start | None:
        """Return the step that a start begins; None if it is not a collective."""
        op = operation_of(start)
        if kind_of(op) is None:
            return None
        step = self._transfer(op, start, None).step
        assert isinstance(step, Start), "transfers are started"
        return step

    def _is_composed(self, op: ir.Operation) -> bool:
        """Return whether an op is more than a step of the stream."""
        name = op.name
        return kind_of(op) is not None or name in HOLDERS or family_of(op) is not None

    # Ops -----------------------------------------------------------------------------------------

    def _read(self, block: ir.Block, found: Steps) -> None:
        flying: dict[Any, int] = {}
        for view in block.operations:
            self._read_op(view.operation, found, flying)

    def _read_op(self, op: ir.Operation, found: Steps, flying: dict[ir.Value, int]) -> None:
        name = op.name
        if kind_of(op) is not None:
            found.items += self._synchronous(op, op)
        elif is_start(op):
            self._start(op, found, flying)
        elif is_done(op):
            self._done(op, found, flying)
        elif name == "func.call":
            self._call(op, found)
        elif name in CONTROL_FLOW:
            found.items.append(self._holder(op, found))
        elif not is_update(op) and not is_terminator(op):
            found.items.append(Item(op, Work(self.seconds_of(op, self.machine))))

    def _start(self, start: ir.Operation, found: Steps, flying: dict[ir.Value, int]) -> None:
        """A pair without a visible done, or without communication, counts as synchronous."""
        op, done = operation_of(start), done_of(start)
        if kind_of(op) is None:
            found.items.append(Item(start, Work(self.seconds_of(op, self.machine))))
        elif done is None or self.synchronous:
            found.items += self._synchronous(op, start)
        else:
            item = self._transfer(op, start, done)
            found.items.append(item)
            flying[done.operands[0]] = self._next_key

    def _done(self, done: ir.Operation, found: Steps, flying: dict[ir.Value, int]) -> None:
        key = flying.pop(done.operands[0], None)
        if key is not None:
            found.items.append(Item(done, Done(key)))

    def _synchronous(self, op: ir.Operation, at: ir.Operation) -> list[Item]:
        item = self._transfer(op, at, None)
        return [item, Item(at, Done(self._next_key))]

    def _transfer(self, op: ir.Operation, start: ir.Operation, done: ir.Operation | None) -> Item:
        """Start a collective with the key `_next_key`. `start` is `op` or the op that holds it."""
        self._next_key += 1
        what = collective(Execution(op), self.mesh)
        seconds = self.machine.collective_seconds(
            what.kind, what.group_size, what.operand_bytes, [axis.name for axis in what.axes or ()]
        )
        buffers = [(value, byte_size(value.type)) for value in start.operands]
        buffers += [((self._next_key, number), byte_size(result.type)) for number, result in enumerate(op.results)]
        over = channels(what, op, self.mesh, self.machine)
        step = Start(self._next_key, seconds, over, tuple(buffers))
        return Item(start, step, Transfer(op, done, what))

    # Calls, loops, branches ----------------------------------------------------------------------

    def _call(self, call: ir.Operation, found: Steps) -> None:
        callee = self.functions.get(callee_name(call))
        if callee is None:
            raise DiagnosticError(call, f"calls '{callee_name(call)}', which is not a function of the module")
        inner = self.of_function(callee)
        found.items += inner.items
        found.is_exact &= inner.is_exact

    def _holder(self, op: ir.Operation, found: Steps) -> Item:
        """A loop or a branch."""
        regions = self._loop(op) if op.name == WHILE else self._branches(op)
        counted = [region for region in regions if region.counts]
        found.is_exact &= all(region.rounds is not None and region.steps.is_exact for region in regions)
        found.is_exact &= op.name not in BRANCHES or len({region.run.total for region in regions}) <= 1
        step = Work(
            compute=sum(_rounds(region) * region.run.compute for region in counted),
            exposed=sum(_rounds(region) * region.run.exposed for region in counted),
            communication=sum(_rounds(region) * region.run.communication for region in counted),
            bytes_in_flight=max((region.run.peak_bytes_in_flight for region in counted), default=0),
        )
        return Item(op, step, None, regions)

    def _loop(self, loop: ir.Operation) -> tuple[Region, ...]:
        rounds = trip_count(loop)
        condition, body = (self.of_block(region.blocks[0]) for region in loop.regions)
        found = [Region(rounds, body, body.run(), counts=True)]
        if any(map(_communicates, condition.items)):
            found.insert(0, Region(None if rounds is None else rounds + 1, condition, condition.run(), counts=True))
        return tuple(found)

    def _branches(self, op: ir.Operation) -> tuple[Region, ...]:
        steps = [self.of_block(region.blocks[0]) for region in op.regions]
        runs = [one.run() for one in steps]
        longest = max(range(len(runs)), key=lambda number: (runs[number].total, -number))
        pairs = enumerate(zip(steps, runs, strict=True))
        return tuple(Region(1, one, run, counts=number == longest) for number, (one, run) in pairs)


def _communicates(item: Item) -> bool:
    return item.transfer is not None or any(
        _communicates(nested) for region in item.regions for nested in region.steps.items
    )


def _rounds(region: Region) -> int:
    return 1 if region.rounds is None else region.rounds


# Parts of a step's time ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sent:
    """All collectives of one kind over the same mesh axes: how many run, bytes that each device sends, seconds.

    An all_reduce of several tensors counts as several.
    """

    kind: str
    axes: str
    ops: int
    bytes_sent: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ComputeSeconds:
    """Seconds of computation of a device, by part.

    Attributes:
      products: contractions.
      traffic: memory traffic of all other ops.
      starts: fixed cost of starting kernels.
      operations: additions and multiplications of the contractions, which are no seconds.
    """

    products: float
    traffic: float
    starts: float
    operations: float


def compute_parts(steps: Steps, reader: Reader) -> ComputeSeconds:
    """Return the shares of the time in which the device computes, for steps that `reader` has read."""
    at_once = replace(reader.machine, overhead=0.0)
    products = traffic = starts = operations = 0.0
    for item, times in leaves(steps):
        if item.regions or not isinstance(item.step, Work) or not item.step.compute:
            continue
        seconds = reader.seconds_of(item.op, at_once)
        starts += times * (item.step.compute - seconds)
        count = product_operations(item.op)
        if count is None:
            traffic += times * seconds
        else:
            products += times * seconds
            operations += times * count
    return ComputeSeconds(products, traffic, starts, operations)


def collectives_sent(steps: Steps) -> tuple[Sent, ...]:
    """In program order."""
    groups: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
    for item, times in leaves(steps):
        if item.transfer is not None and isinstance(item.step, Start):
            what = item.transfer.collective
            row = (times * len(sent_operands(item.transfer.op)), times * what.moved_bytes, times * item.step.seconds)
            groups.setdefault((what.kind, what.axes_text), []).append(row)
    return tuple(Sent(*key, *map(sum, zip(*rows, strict=True))) for key, rows in groups.items())


def leaves(steps: Steps, times: int = 1) -> Iterator[tuple[Item, int]]:
    """Yield the steps that count, with their numbers of runs; those around them run `times` times."""
    for item in steps.items:
        yield item, times
        for region in item.regions:
            if region.counts:
                yield from leaves(region.steps, times * _rounds(region))
