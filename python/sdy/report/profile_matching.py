"""Instructions of a compiled program, matched with the ops of the program by the names and positions that both have.

Frontends name ops, and XLA keeps name and position as metadata of what it makes of them, also within fusions. Several
ops may share both; then they share the instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from sdy import hlo
from sdy.hlo_text import parse
from sdy.hlo_text.model import Instruction
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds, product_operations
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.costs.program_steps import Reader, leaves
from sdy.passes.costs.simulation import Work
from sdy.programs.given_modules import CompiledProgram
from sdy.report.localizing import made_local
from sdy.report.transfers import Transfer

_HUGE = 1e300

Key = tuple[str, str]
"""Name that the frontend gave an op, and its ``file:line:col``."""


@dataclass(frozen=True, slots=True)
class OpWorkOnDevice:
    """Work of an op of the program on one device in one step.

    Attributes:
      value: its result by the name in the printed program, as in reports and on the page.
      key: name and position.
      operations: of products; 0 for other ops.
      bytes: read and written.
      starts: how many kernels it starts.
      element_type: of operands of products.
    """

    value: str
    key: Key
    operations: float
    bytes: float
    starts: float
    element_type: str = ""

    def seconds(self, machine: Machine) -> float:
        """Return what it takes on a machine."""
        if not self.starts:
            return self.bytes / machine.memory_bandwidth
        at_once = replace(machine, overhead=0.0)
        if self.operations:
            moved = at_once.product_seconds(self.operations, self.bytes, self.element_type)
        else:
            moved = at_once.memory_seconds(self.bytes)
        return moved + self.starts * machine.overhead


def works_of(own: CompiledProgram, machine: Machine, filename: str = "-") -> list[OpWorkOnDevice]:
    """Return the work of all ops of a program that compute, loops multiplied out."""
    with made_local(own, filename, None) as (local, origins, _):
        mesh = own.mesh or local_mesh(local)
        reader = Reader(local, mesh, machine, seconds_of=fused_seconds(local))
        found = list[OpWorkOnDevice]()
        for item, times in leaves(reader.of_entries(local)):
            if not item.regions and isinstance(item.step, Work) and item.step.compute:
                origin = origins.of(item.op)
                key = _named(origin.location), origin.position
                operations, touched, starts = (times * one for one in _facts(item.op, reader, machine))
                kind = _element_type(item.op)
                found.append(OpWorkOnDevice(origin.value, key, operations, touched, starts, kind))
        return found


def _facts(op: ir.Operation, reader: Reader, machine: Machine) -> tuple[float, float, float]:
    """Return operations, bytes and starts of an op, read off machines on which nothing else takes time."""
    idle = replace(machine, flops=_HUGE, element_flops=(), memory_bandwidth=_HUGE, overhead=0.0)
    touched = reader.seconds_of(op, replace(idle, memory_bandwidth=1.0))
    starts = reader.seconds_of(op, replace(idle, overhead=1.0))
    return product_operations(op, machine.tile) or 0.0, touched, float(round(starts))


def _element_type(op: ir.Operation) -> str:
    return str(op.operands[0].type.element_type) if product_operations(op) is not None else ""


@dataclass(frozen=True, slots=True)
class Computing:
    """An instruction that computes; `keys` are those of all instructions in it."""

    name: str
    location: str
    keys: tuple[Key, ...]


def computing(text: str, names: Iterable[str]) -> list[Computing]:
    """Return the instructions of some names, with what is fused into them."""
    module = parse(text)
    positions = hlo.Positions(module.tables)
    bodies = {part.name: part.instructions for part in module.computations}
    wanted = set(names)
    found = list[Computing]()
    for part in module.computations:
        for each in part.instructions:
            if each.name in wanted:
                keys = dict.fromkeys(key for one in _within(each, bodies) for key in _keys(one, positions))
                found.append(Computing(each.name, _named(positions.of(each)[0]), tuple(keys)))
    return found


def _within(instruction: Instruction, bodies: Mapping[str, Sequence[Instruction]]) -> Iterator[Instruction]:
    """Yield an instruction and what the computation that it calls consists of."""
    yield instruction
    called = (instruction.attribute("calls") or instruction.attribute("to_apply") or "").lstrip("%")
    for each in bodies.get(called, ()):
        yield from _within(each, bodies)


def _keys(instruction: Instruction, positions: hlo.Positions) -> Iterator[Key]:
    name, position = positions.of(instruction)
    for part in name.split(";") if name else ():
        yield _named(part), position


def _named(name: str) -> str:
    """Return the frontend's name of an op without the calls that backends write before it."""
    at = re.search(r"\bjit\(", name)
    return name[at.start() :] if at else name


def shares_of(
    found: Sequence[Computing], works: Sequence[OpWorkOnDevice]
) -> dict[str, list[tuple[OpWorkOnDevice, float]]]:
    """Divide the work of ops among the instructions with their names and positions.

    Ops without an instruction of their position go to those of their name. Where there are as many instructions as ops,
    they are paired in order; else each instruction gets an equal share of each op.
    """
    by_key, by_name = dict[Key, list[str]](), dict[str, list[str]]()
    for one in found:
        for key in one.keys:
            by_key.setdefault(key, []).append(one.name)
        for name in dict.fromkeys(name for name, _ in one.keys):
            by_name.setdefault(name, []).append(one.name)
    alike = dict[tuple[str, ...], list[OpWorkOnDevice]]()
    for work in works:
        alike.setdefault(tuple(by_key.get(work.key) or by_name.get(work.key[0], ())), []).append(work)
    divided = dict[str, list[tuple[OpWorkOnDevice, float]]]()
    for places, ones in alike.items():
        pairs = zip(places, ones, strict=True) if len(places) == len(ones) else product(places, ones)
        share = 1.0 if len(places) == len(ones) else 1 / max(1, len(places))
        for place, work in pairs:
            divided.setdefault(place, []).append((work, share))
    return divided


def ids_of(collectives: Sequence[hlo.HloCollective], transfers: Sequence[Transfer]) -> list[tuple[Transfer, ...]]:
    """Return the transfers that each collective instruction carries out, each once.

    Kind, group and bytes have to agree; of several such transfers name and position decide, then the order. An
    instruction of several tensors, as a merged sum, has a transfer for each.
    """
    left = [*transfers]
    found = list[tuple[Transfer, ...]]()
    for one in collectives:
        mine = list[Transfer]()
        for size in one.tensor_bytes:
            alike = [each for each in left if (each.kind, each.group_size) == (one.kind, one.group_size)]
            alike = [each for each in alike if max(_agreement(each, one, size))]
            best = max(alike, key=lambda each: _agreement(each, one, size), default=None)
            if best is not None:
                left.remove(best)
                mine.append(best)
        found.append(tuple(mine))
    return found


def _agreement(transfer: Transfer, one: hlo.HloCollective, size: int) -> tuple[bool, bool]:
    is_there = transfer.position == one.position and _named(transfer.location) == _named(one.location)
    return transfer.operand_bytes == size, is_there


@dataclass(frozen=True, slots=True)
class ProfiledFusion:
    """An instruction that computes, in one run of the program.

    Attributes:
      name: of the instruction.
      location: the frontend's name of its last op.
      times: how often it ran.
      works: work of ops of the program that it does, each with the share that it does; empty if none is known.
      predicted: seconds by the machine; 0 if no op is known.
      measured: seconds on a device, the median of devices and runs.
    """

    name: str
    location: str
    times: int
    works: tuple[tuple[OpWorkOnDevice, float], ...]
    predicted: float
    measured: float

    @property
    def values(self) -> tuple[str, ...]:
        """Results of its ops, by their names in the printed program."""
        return tuple(dict.fromkeys(work.value for work, _ in self.works if work.value))

    def on(self, machine: Machine) -> ProfiledFusion:
        """Return the same fusion as another machine predicts it."""
        return replace(self, predicted=sum(share * work.seconds(machine) for work, share in self.works))

    @property
    def amounts(self) -> tuple[float, float, float]:
        """Operations of products, bytes, and starts of kernels."""
        rows = [(share * each.operations, share * each.bytes, share * each.starts) for each, share in self.works]
        operations, touched, starts = map(sum, zip(*rows, strict=True)) if rows else (0.0, 0.0, 0.0)
        return operations, touched, starts
