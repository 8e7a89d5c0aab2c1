"""Transfers between meshes as a report: which values, from where to where, how many bytes, how often."""

from __future__ import annotations

import math
from collections.abc import Iterable

from sdy.dialect.mpmd.values import MeshTensor
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mpmd_running.instructions import Move, PipelineProgram, Run
from sdy.report.text_table import columns
from sdy.running.boundary import dtype_of


def local_bytes(type_: MeshTensor, mesh: Mesh) -> int:
    """Bytes of a value on each device of its mesh."""
    axes = type_.sharding.dim_axes if type_.sharding is not None else ()
    parts = math.prod(ref.size(mesh.axis_sizes) for each in axes for ref in each)
    return math.prod(type_.shape) * dtype_of(type_.element).itemsize // parts


@dataclass(frozen=True, slots=True)
class Transfer:
    """Transfers of alike values from one mesh to another in a step.

    Attributes:
      name: "t0", "t1", ... by first appearance.
      source, target: names of meshes.
      tensor: the global type of a value.
      producer, consumers: fragments in short, of the first one; an argument or result of the program where there is
        none.
      bytes_per_device: of one transfer.
      devices: of a mesh.
      count: how many there are in a step.
      microbatches: of the fragments that they come from.
    """

    name: str
    source: str
    target: str
    tensor: str
    producer: str
    consumers: tuple[str, ...]
    bytes_per_device: int
    devices: int
    count: int
    microbatches: tuple[int, ...]

    @property
    def bytes_sent(self) -> int:
        """Bytes that all devices send in a step."""
        return self.bytes_per_device * self.devices * self.count


@dataclass(frozen=True)
class TransferReport(ShownText):
    """What is transferred between meshes in a step; prints as a table."""

    transfers: tuple[Transfer, ...]

    @property
    def bytes_sent(self) -> int:
        """Bytes that all devices send in a step."""
        return sum(each.bytes_sent for each in self.transfers)

    def __str__(self) -> str:
        """A table of the transfers, and their sum."""
        rows = [("", "from", "to", "value", "bytes per device", "times", "bytes", "made by", "used by")]
        rows += [
            (
                each.name,
                each.source,
                each.target,
                each.tensor,
                f"{each.bytes_per_device:,}",
                f"{each.count}",
                f"{each.bytes_sent:,}",
                each.producer,
                ", ".join(each.consumers),
            )
            for each in self.transfers
        ]
        return f"{columns(rows)}\n{self.bytes_sent:,} bytes between meshes in a step"


def transfer_report(program: PipelineProgram) -> TransferReport:
    """What a program transfers between its meshes; transfers of alike values between alike fragments are one entry."""
    made = {slot: run for run in program.runs for slot in run.outputs}
    users: dict[int, list[Run]] = {}
    for run in program.runs:
        for slot in run.inputs:
            users.setdefault(slot, []).append(run)
    groups: dict[tuple[object, ...], list[tuple[Run | None, Move, int, tuple[str, ...]]]] = {}
    for move in program.moves:
        for source, target in zip(move.inputs, move.outputs, strict=True):
            producer = made.get(source)
            consumers = tuple(dict.fromkeys(_computations(run) for run in users.get(target, ())))
            kind = "an argument" if producer is None else _computations(producer)
            key = move.source, move.target, program.slots[source], kind
            groups.setdefault(key, []).append((producer, move, source, consumers or ("the result",)))
    return TransferReport(tuple(_transfer(program, number, each) for number, each in enumerate(groups.values())))


def _transfer(
    program: PipelineProgram, number: int, group: list[tuple[Run | None, Move, int, tuple[str, ...]]]
) -> Transfer:
    producer, move, slot, _ = group[0]
    type_ = program.slots[slot]
    mesh = program.topology.find(move.source)
    assert mesh is not None, "verified"
    consumers = tuple(dict.fromkeys(name for _, _, _, names in group for name in names))
    batches = {run.microbatch for run, _, _, _ in group if run is not None and run.microbatch is not None}
    return Transfer(
        f"t{number}",
        move.source,
        move.target,
        type_.tensor.removeprefix("tensor<").removesuffix(">"),
        "an argument" if producer is None else _computations(producer),
        consumers,
        local_bytes(type_, mesh),
        mesh.size,
        len(group),
        tuple(sorted(batches)),
    )


def _computations(run: Run) -> str:
    """The computations of a fragment in short, with their direction."""
    names = _shortened([origin.name for origin in run.origins])
    kind = {0: " forward", 1: " backward"}.get(-1 if run.transpose_count is None else run.transpose_count, "")
    return f"{names}{kind}" if names else run.callee.partition(".")[0]


def _shortened(names: Iterable[str]) -> str:
    listed = sorted(dict.fromkeys(names))
    return listed[0] if len(listed) == 1 else f"{listed[0]}..{listed[-1]}" if listed else ""
