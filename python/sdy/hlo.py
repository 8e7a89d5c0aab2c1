"""Collectives in HLO text: what XLA made of a program, counted (spec: jax-execution, 7).

Reads the text of `jax.stages.Compiled.as_text()`, of XLA's dumps and of `as_hlo_text()`, of jaxlib 0.10 and 0.12.
"""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sdy.hlo_text import Computation, HloModule, Instruction, parse
from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import KINDS, moved_bytes

if TYPE_CHECKING:
    import jax.stages

_TRIP_COUNT = re.compile(r'known_trip_count":\{"n":"(\d+)"')
_CALLS = frozenset({"call", "async-start", "conditional"})


@dataclass(frozen=True, slots=True)
class HloCollective:
    """A collective instruction.

    `operand_bytes` are those of one device, `moved_bytes` what it sends (see `sdy.passes.costs.machine`); both
    of one execution.
    `times` is how often it runs: the product of the trip counts of the loops around it.
    """

    kind: str
    name: str
    group_size: int
    tensors: int
    operand_bytes: int
    times: int

    @property
    def moved_bytes(self) -> float:
        """Bytes that each device sends, each time it runs."""
        return moved_bytes(self.kind, self.group_size, self.operand_bytes)


def collectives(text: str, num_devices: int, default_trip_count: int = 1) -> list[HloCollective]:
    """The collectives that the entry computation of an HLO module runs, in program order.

    A collective_permute is reported with groups of 2. `default_trip_count` stands in for a loop whose trip count the
    text does not say (only the final HLO does).

    Raises:
      HloSyntaxError: the text is no HLO.
    """
    module = parse(text)
    return list(_walk(module, module.entry_computation, 1, num_devices, default_trip_count))


def summary(found: Iterable[HloCollective]) -> dict[tuple[str, int], tuple[int, int, int, float]]:
    """By kind and group size: number of ops, of tensors, operand bytes, moved bytes; loops multiplied out."""
    table: dict[tuple[str, int], tuple[int, int, int, float]] = {}
    for one in found:
        ops, tensors, operand, moved = table.get((one.kind, one.group_size), (0, 0, 0, 0.0))
        table[one.kind, one.group_size] = (
            ops + one.times,
            tensors + one.tensors * one.times,
            operand + one.operand_bytes * one.times,
            moved + one.moved_bytes * one.times,
        )
    return table


def after_partitioning(
    lowered: jax.stages.Lowered, **compiler_options: str | bool | float
) -> tuple[str | None, str | None]:
    """HLO text right after XLA's SPMD partitioner (None if that changed nothing) and at the end of the compilation.

    The latter is None where the backend has no text.
    """
    with tempfile.TemporaryDirectory() as folder:
        dump = {"xla_dump_to": folder, "xla_dump_hlo_pass_re": "spmd-partitioning"}
        compiled = lowered.compile(compiler_options={**dump, **compiler_options})
        dumps = sorted(Path(folder).glob("*after_spmd-partitioning*.txt"))
        return (dumps[-1].read_text() if dumps else None), compiled.as_text()


# Walking ---------------------------------------------------------------------------------------------


def _walk(
    module: HloModule, computation: Computation, times: int, num_devices: int, default_trip_count: int
) -> Iterator[HloCollective]:
    """The collectives of a computation that runs `times` times, those of the computations it calls included."""
    for instruction in computation.instructions:
        kind = instruction.opcode.removesuffix("-start").replace("-", "_")
        if kind in KINDS:
            group = 2 if kind == "collective_permute" else _group_size(instruction, num_devices)
            shapes = computation.shapes(instruction)[: 1 if kind == "ragged_all_to_all" else None]
            size = sum(shape.bytes for shape in shapes if shape is not None)
            yield HloCollective(kind, instruction.name, group, len(instruction.operands), size, times)
        for callee, count in _called(instruction, default_trip_count):
            yield from _walk(module, module.computation(callee), times * count, num_devices, default_trip_count)


def _called(instruction: Instruction, default_trip_count: int) -> list[tuple[str, int]]:
    """Computations whose collectives the instruction runs, and how often."""
    if instruction.opcode == "while":
        known = _TRIP_COUNT.search(instruction.attribute("backend_config") or "")
        body = (instruction.attribute("body") or "").lstrip("%")
        return [(body, int(known[1]) if known else default_trip_count)] if body else []
    return [(name, 1) for name in instruction.called] if instruction.opcode in _CALLS else []


def _group_size(instruction: Instruction, num_devices: int) -> int:
    groups = instruction.attribute("replica_groups")
    if groups is None:
        return num_devices
    if iota := re.match(r"\[(\d+),(\d+)\]<=", groups):  # [groups,size]<=[dims]T(permutation)
        return int(iota[2])
    if axes := re.match(r"mesh\[([^\]]*)\][^{]*\{([^}]*)\}", groups):  # mesh['a'=4,'b'=2] {'a':(1)2,'b'}
        sizes = {name: int(size) for name, size in re.findall(r"'?([\w.]+)'?=(\d+)", axes[1])}
        listed = re.findall(r"'?([\w.]+)'?(?::\(\d+\)(\d+))?", axes[2])
        return math.prod(int(part) if part else sizes[name] for name, part in listed)
    dense = re.match(r"\{(\{[\d,]+\}(?:,\{[\d,]+\})*)\}", groups)  # {{0,1},{2,3}}, or {} for all devices
    return max(group.count(",") + 1 for group in dense[1].split("},{")) if dense else num_devices
