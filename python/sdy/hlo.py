"""Counts the collectives in HLO text, the result of XLA's compilation (spec: jax-execution, 7).

Reads the text of `jax.stages.Compiled.as_text()`, of XLA's dumps and of `as_hlo_text()`, of jaxlib 0.10 and 0.12.
`sdy.communication` reports on such a text as on any other program.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.hlo_text import Computation, HloModule, Instruction, parse
from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import KINDS, moved_bytes

if TYPE_CHECKING:
    import jax.stages

_TRIP_COUNT = re.compile(r'known_trip_count":\{"n":"(\d+)"')
_CALLS = frozenset({"call", "async-start", "conditional"})
_MESH = re.compile(r"mesh\[([^\]]*)\]")

ONE_TENSOR = ("all_to_all", "ragged_all_to_all")
"""Kinds of which HLO may write one tensor as several operands."""

Groups = tuple[tuple[int, ...], ...]
"""Device numbers, group by group; of a collective_permute pairs of source and target."""


@dataclass(frozen=True, slots=True)
class HloCollective:
    """A collective instruction.

    `operand_bytes` are per device, `moved_bytes` the bytes that it sends (see `sdy.passes.costs.machine`); both for one
    execution. `times` is how often it runs: the product of the trip counts of the loops around it; `is_exact` is false
    if the text lacks one of these. `location` is the frontend's name of the op, `position` is ``file:line:col``; both
    are empty if the text has none. `tensor_bytes` are the operand bytes of each tensor.
    """

    kind: str
    name: str
    group_size: int
    tensors: int
    operand_bytes: int
    times: int
    groups: Groups = ()
    location: str = ""
    position: str = ""
    is_in_loop: bool = False
    is_conditional: bool = False
    is_exact: bool = True
    tensor_bytes: tuple[int, ...] = ()

    @property
    def moved_bytes(self) -> float:
        """Bytes that each device sends, each time it runs."""
        return moved_bytes(self.kind, self.group_size, self.operand_bytes)


def collectives(text: str, num_devices: int, default_trip_count: int = 1) -> list[HloCollective]:
    """The collectives that the entry computation of an HLO module runs, in program order.

    A collective_permute is reported with groups of 2. `default_trip_count` is used for a loop without a trip count in
    the text (only the final HLO has them).

    Raises:
      HloSyntaxError: the text is no HLO.
    """
    module = parse(text)
    walk = _Walk(module, num_devices, default_trip_count, Positions(module.tables))
    return list(walk.of_computation(module.entry_computation, _Around()))


def num_devices(text: str) -> int:
    """Return the number of devices in the header of an HLO module; 1 if it has none."""
    header = text.partition("\n")[0]
    counts = (re.search(rf"{name}=(\d+)", header) for name in ("num_partitions", "replica_count"))
    return max((int(found[1]) for found in counts if found), default=1)


def mesh_in(text: str) -> Mesh | None:
    """Return the mesh that replica groups of an HLO text are written on; None if they are all lists of devices."""
    found = _MESH.search(text)
    return None if found is None else _mesh(found[1])


def is_hlo(text: str) -> bool:
    """Return whether a text begins as an HLO module does."""
    return text.lstrip().startswith("HloModule ")


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
    """Return the HLO text after XLA's SPMD partitioner (None if that changed nothing), and the final one.

    The final text is None where the backend provides none.
    """
    with tempfile.TemporaryDirectory() as folder:
        dump = {"xla_dump_to": folder, "xla_dump_hlo_pass_re": "spmd-partitioning"}
        compiled = lowered.compile(compiler_options={**dump, **compiler_options})
        dumps = sorted(Path(folder).glob("*after_spmd-partitioning*.txt"))
        return (dumps[-1].read_text() if dumps else None), compiled.as_text()


# Walking ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Around:
    """Loops and branches around a computation: `times` that they run it, and whether all trip counts are known."""

    times: int = 1
    is_in_loop: bool = False
    is_conditional: bool = False
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class _Walk:
    """Walks the computations of a module in the order in which they run."""

    module: HloModule
    num_devices: int
    default_trip_count: int
    positions: Positions

    def of_computation(self, computation: Computation, around: _Around) -> Iterator[HloCollective]:
        """Yield the collectives of a computation and of those it calls."""
        for instruction in computation.instructions:
            kind = instruction.opcode.removesuffix("-start").replace("-", "_")
            if kind in KINDS:
                yield self._collective(kind, instruction, computation, around)
            for callee, inside in self._called(instruction, around):
                yield from self.of_computation(self.module.computation(callee), inside)

    def _collective(
        self, kind: str, instruction: Instruction, computation: Computation, around: _Around
    ) -> HloCollective:
        is_permute = kind == "collective_permute"
        groups = _groups(instruction, self.num_devices)
        shapes = computation.shapes(instruction)[: 1 if kind == "ragged_all_to_all" else None]
        sizes = tuple(shape.bytes for shape in shapes if shape is not None)
        return HloCollective(
            kind,
            instruction.name,
            2 if is_permute else max(map(len, groups)),
            len(instruction.operands),
            sum(sizes),
            around.times,
            groups,
            *self.positions.of(instruction),
            around.is_in_loop,
            around.is_conditional,
            around.is_exact,
            (sum(sizes),) if kind in ONE_TENSOR else sizes,
        )

    def _called(self, instruction: Instruction, around: _Around) -> list[tuple[str, _Around]]:
        """Return the computations whose collectives the instruction runs, and their surroundings."""
        if instruction.opcode == "while":
            known = _TRIP_COUNT.search(instruction.attribute("backend_config") or "")
            rounds = int(known[1]) if known else self.default_trip_count
            inside = _Around(around.times * rounds, True, around.is_conditional, around.is_exact and known is not None)
            body = (instruction.attribute("body") or "").lstrip("%")
            return [(body, inside)] if body else []
        if instruction.opcode == "conditional":
            around = replace(around, is_conditional=True)
        return [(name, around) for name in instruction.called] if instruction.opcode in _CALLS else []


def _groups(instruction: Instruction, num_devices: int) -> Groups:
    pairs = instruction.attribute("source_target_pairs")
    if pairs is not None:
        return _listed(pairs)
    groups = instruction.attribute("replica_groups")
    everybody = (tuple(range(num_devices)),)
    if groups is None:
        return everybody
    # [groups,size]<=[dims]T(permutation)
    if iota := re.match(r"\[(\d+),(\d+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", groups):
        dims = _ints(iota[3])
        order = _ints(iota[4]) if iota[4] else tuple(range(len(dims)))
        ids = np.arange(np.prod(dims)).reshape(dims).transpose(order).reshape(int(iota[1]), int(iota[2]))
        return tuple(map(tuple, ids.tolist()))
    if axes := re.match(r"mesh\[([^\]]*)\][^{]*\{([^}]*)\}", groups):  # mesh['a'=4,'b'=2] {'a':(1)2,'b'}
        listed = re.findall(r"'?([\w.]+)'?(?::\((\d+)\)(\d+))?", axes[2])
        refs = [AxisRef.sub(name, int(pre), int(size)) if pre else AxisRef(name) for name, pre, size in listed]
        return tuple(map(tuple, _mesh(axes[1]).replica_groups(tuple(refs)).tolist()))
    return _listed(groups) or everybody  # {{0,1},{2,3}}, or {} for all devices


def _listed(text: str) -> Groups:
    return tuple(_ints(row) for row in re.findall(r"\{([\d,]+)\}", text))


def _ints(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _mesh(text: str) -> Mesh:
    return Mesh.of(**{name: int(size) for name, size in re.findall(r"'?([\w.]+)'?=(\d+)", text)})


# Positions -------------------------------------------------------------------------------------------


class Positions:
    """Names and positions in metadata; `tables` are the file and stack-frame tables of the module."""

    def __init__(self, tables: str) -> None:
        self._files = dict(re.findall(r'^(\d+) "(.*)"$', tables.partition("FunctionNames")[0], re.MULTILINE))
        self._places, self._frames = self._rows(tables, "FileLocations"), self._rows(tables, "StackFrames")

    @staticmethod
    def _rows(tables: str, title: str) -> dict[str, dict[str, str]]:
        table = tables.partition(f"{title}\n")[2].partition("\n\n")[0]
        rows = re.findall(r"^(\d+) \{(.*)\}$", table, re.MULTILINE)
        return {key: dict(re.findall(r"(\w+)=(\d+)", row)) for key, row in rows}

    def of(self, instruction: Instruction) -> tuple[str, str]:
        """Return the name that the frontend gave an instruction, and its ``file:line:col``."""
        metadata = instruction.attribute("metadata") or ""
        name = re.search(r'op_name="([^"]*)"', metadata)
        return name[1] if name else "", self._position(metadata)

    def _position(self, metadata: str) -> str:
        frame = re.search(r"stack_frame_id=(\d+)", metadata)
        if frame is None:
            file, line = re.search(r'source_file="([^"]*)"', metadata), re.search(r"source_line=(\d+)", metadata)
            return f"{file[1]}:{line[1]}" if file and line else ""
        place = self._places.get(self._frames.get(frame[1], {}).get("file_location_id", ""), {})
        file = self._files.get(place.get("file_name_id", ""))
        return f"{file}:{place.get('line', 1)}:{place.get('column', 1)}" if file else ""
