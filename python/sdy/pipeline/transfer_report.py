"""Reports of transfers between meshes: values, source and target, bytes, counts; with collectives, of a whole step."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from sdy.dialect.mpmd.values import MeshTensor
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mpmd_running.instructions import Move, PipelineProgram, Run
from sdy.report.communication_report import CommunicationReport
from sdy.report.text_table import columns
from sdy.running.boundary import dtype_of

if TYPE_CHECKING:
    from sdy.partitioned_module import PartitionedModule


def local_bytes(type_: MeshTensor, mesh: Mesh) -> int:
    """Bytes of a value on each device of its mesh."""
    axes = type_.sharding.dim_axes if type_.sharding is not None else ()
    parts = math.prod(ref.size(mesh.axis_sizes) for each in axes for ref in each)
    return math.prod(type_.shape) * dtype_of(type_.element).itemsize // parts


@dataclass(frozen=True, slots=True)
class Transfer:
    """Transfers of similar values from one mesh to another in a step.

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
      last_name: the last computation of the fragment that makes the value.
      first_name: the first computation of the fragment that uses it.
      line: where the value is made.
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
    last_name: str = ""
    first_name: str = ""
    line: str = ""

    @property
    def bytes_sent(self) -> int:
        """Bytes that all devices send in a step."""
        return self.bytes_per_device * self.devices * self.count


@dataclass(frozen=True)
class TransferReport(ShownText):
    """Transfers between meshes in a step; prints as a table."""

    transfers: tuple[Transfer, ...]

    @property
    def bytes_sent(self) -> int:
        """Bytes that all devices send in a step."""
        return sum(each.bytes_sent for each in self.transfers)

    def to_json(self, indent: int | None = 2) -> str:
        """Return the report as JSON: `transfers`, each with its fields and `bytes_sent`, and `bytes_sent` of all."""
        listed = [{**asdict(each), "bytes_sent": each.bytes_sent} for each in self.transfers]
        return json.dumps({"transfers": listed, "bytes_sent": self.bytes_sent}, indent=indent)

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


@dataclass(frozen=True, slots=True)
class _Moved:
    """A transferred value with its maker and its users on the target mesh."""

    move: Move
    slot: int
    producer: Run | None
    users: tuple[Run, ...]
    argument: str = ""

    @property
    def made_by(self) -> str:
        return f"argument {self.argument}".rstrip() if self.producer is None else _computations(self.producer)

    @property
    def used_by(self) -> tuple[str, ...]:
        return tuple(map(_computations, self.users)) or ("the result",)


def transfer_report(program: PipelineProgram) -> TransferReport:
    """Report the transfers of a program between its meshes; equal ones are one entry."""
    made = {slot: run for run in program.runs for slot in run.outputs}
    users: dict[int, list[Run]] = {}
    for run in program.runs:
        for slot in run.inputs:
            users.setdefault(slot, []).append(run)
    groups: dict[tuple[object, ...], list[_Moved]] = {}
    for move in program.moves:
        for source, target in zip(move.inputs, move.outputs, strict=True):
            argument = program.names[source] if source < len(program.names) else ""
            moved = _Moved(move, source, made.get(source), tuple(users.get(target, ())), argument)
            groups.setdefault((move.source, move.target, program.slots[source], moved.made_by), []).append(moved)
    return TransferReport(tuple(_transfer(program, number, each) for number, each in enumerate(groups.values())))


def _transfer(program: PipelineProgram, number: int, group: list[_Moved]) -> Transfer:
    first = group[0]
    type_ = program.slots[first.slot]
    mesh = program.topology.find(first.move.source)
    assert mesh is not None, "verified"
    producers = [each.producer for each in group if each.producer is not None]
    return Transfer(
        f"t{number}",
        first.move.source,
        first.move.target,
        type_.tensor.removeprefix("tensor<").removesuffix(">"),
        first.made_by,
        tuple(dict.fromkeys(name for each in group for name in each.used_by)),
        local_bytes(type_, mesh),
        mesh.size,
        len(group),
        tuple(sorted({run.microbatch for run in producers if run.microbatch is not None})),
        next((run.origins[-1].name for run in producers if run.origins), ""),
        next((run.origins[0].name for run in first.users if run.origins), ""),
        producers[0].line if producers else first.move.line,
    )


def _computations(run: Run) -> str:
    """The computations of a fragment in short, with their direction."""
    names = _shortened([origin.name for origin in run.origins])
    kind = {0: " forward", 1: " backward"}.get(-1 if run.transpose_count is None else run.transpose_count, "")
    return f"{names}{kind}" if names else run.callee.partition(".")[0]


def _shortened(names: Iterable[str]) -> str:
    listed = sorted(dict.fromkeys(names))
    return listed[0] if len(listed) == 1 else f"{listed[0]}..{listed[-1]}" if listed else ""


@dataclass(frozen=True, slots=True)
class FragmentCommunication:
    """Collectives of a fragment.

    Attributes:
      name: of its function.
      mesh: on which it runs.
      runs: how often in a step.
      report: of one run.
    """

    name: str
    mesh: str
    runs: int
    report: CommunicationReport

    @property
    def bytes_sent(self) -> float:
        """Bytes that each device of the mesh sends in a step."""
        return self.runs * self.report.bytes_sent


@dataclass(frozen=True)
class PipelineCommunication(ShownText):
    """Transfers between meshes, and collectives within them; prints as two tables."""

    between: TransferReport
    within: tuple[FragmentCommunication, ...]

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """The transfers between meshes."""
        return self.between.transfers

    @property
    def bytes_sent(self) -> int:
        """Bytes that all devices send to other meshes in a step."""
        return self.between.bytes_sent

    @property
    def bytes_within(self) -> dict[str, float]:
        """Return, by name of a mesh, the bytes that each of its devices sends within the mesh in a step."""
        found: dict[str, float] = {}
        for each in self.within:
            found[each.mesh] = found.get(each.mesh, 0.0) + each.bytes_sent
        return found

    def __str__(self) -> str:
        sending = [each for each in self.within if each.report.ops]
        if not sending:
            return f"{self.between}\nno collectives within meshes"
        rows = [("fragment", "on", "runs", "collectives", "bytes per device", "in a step", "most by")]
        rows += [
            (
                each.name,
                each.mesh,
                f"{each.runs}",
                f"{each.report.ops:,}",
                f"{each.report.bytes_sent:,.0f}",
                f"{each.bytes_sent:,.0f}",
                max(each.report.totals, key=lambda total: total.bytes_sent).kind,
            )
            for each in sending
        ]
        return f"{self.between}\n{columns(rows)}"


def pipeline_communication(
    program: PipelineProgram, fragments: Mapping[str, PartitionedModule], reports: Mapping[str, CommunicationReport]
) -> PipelineCommunication:
    """Report what a step sends.

    Args:
      program: fragments and transfers.
      fragments: by name of a fragment's function: the program of one device.
      reports: by fragment text: its communication in one run.
    """
    runs = Counter(run.callee for run in program.runs)
    meshes = {run.callee: run.mesh for run in program.runs}
    within = [
        FragmentCommunication(name, meshes[name], runs[name], reports[each.text]) for name, each in fragments.items()
    ]
    return PipelineCommunication(transfer_report(program), tuple(within))
