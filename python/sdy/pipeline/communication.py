"""Communication of a step on several meshes: transfers between meshes, and collectives within them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mpmd_running.instructions import PipelineProgram
from sdy.pipeline.transfer_report import Transfer, TransferReport, transfer_report
from sdy.report.communication_report import CommunicationReport
from sdy.report.text_table import columns

if TYPE_CHECKING:
    from sdy.partitioned_module import PartitionedModule


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
