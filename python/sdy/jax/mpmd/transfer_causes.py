"""The reason of a transfer between meshes, and other assignments of names that would send less: `Lowered.why`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sdy.jax.mpmd.config import Config
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.mlir.diagnostics import DiagnosticError
from sdy.pipeline.transfer_report import Transfer, transfer_report
from sdy.report.text_table import columns

if TYPE_CHECKING:
    from sdy.jax.mpmd.lowered import Lowered


@dataclass(frozen=True)
class Alternative:
    """An evaluated assignment: its change, and the bytes that a step sends with it; None if refused."""

    change: str
    bytes_sent: int | None
    reason: str = ""


@dataclass(frozen=True)
class TransferCause(ShownText):
    """The reason for a transfer.

    Attributes:
      transfer: the transfer.
      line: where its value is made.
      bytes_sent: bytes of all transfers of a step.
      alternatives: the evaluated ones, fewest bytes first.
    """

    transfer: Transfer
    line: str
    bytes_sent: int
    alternatives: tuple[Alternative, ...]

    def __str__(self) -> str:
        one = self.transfer
        head = (
            f"{one.name}: {one.tensor} from {one.source} to {one.target}, {one.count} times in a step\n"
            f"made by {one.producer} on {one.source}, at {self.line}\n"
            f"used by {', '.join(one.consumers)} on {one.target}"
        )
        if not self.alternatives:
            return f"{head}\nno name of its fragments can be moved"
        rows = [("instead", "bytes in a step", "difference")]
        for each in self.alternatives:
            sent = "refused" if each.bytes_sent is None else f"{each.bytes_sent:,}"
            more = each.reason if each.bytes_sent is None else f"{each.bytes_sent - self.bytes_sent:+,}"
            rows.append((each.change, sent, more))
        return f"{head}\n{columns(rows)}"


def why(lowered: Lowered, name: str) -> TransferCause:
    """Explain the transfer of that name; each alternative goes through all pipelines.

    Raises:
      ValueError: there is no such transfer.
    """
    report = transfer_report(lowered.program)
    found = next((each for each in report.transfers if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in report.transfers) or "none"
        raise ValueError(f"there is no transfer {name!r}; these are {known}")
    tried = [_tried(lowered, change, config) for change, config in _changes(lowered.config, found)]
    tried.sort(key=lambda one: (one.bytes_sent is None, one.bytes_sent or 0))
    return TransferCause(found, found.line, report.bytes_sent, tuple(tried))


def _changes(config: Config, transfer: Transfer) -> Iterator[tuple[str, Config]]:
    """Yield configs in which a computation at the transfer is on its other side."""
    for name, mesh in ((transfer.last_name, transfer.target), (transfer.first_name, transfer.source)):
        if name not in config.name_to_mesh_assignment:
            continue
        stages = dict(config.name_to_stage_assignment)
        if name in stages:
            others = [
                stages[other]
                for other, where in config.name_to_mesh_assignment.items()
                if where == mesh and other in stages
            ]
            stages[name] = (min if mesh == transfer.target else max)(others, default=stages[name])
        meshes = {**config.name_to_mesh_assignment, name: mesh}
        yield f"{name} on {mesh}", replace(config, name_to_mesh_assignment=meshes, name_to_stage_assignment=stages)


def _tried(lowered: Lowered, change: str, config: Config) -> Alternative:
    try:
        return Alternative(change, transfer_report(lowered.with_config(config).program).bytes_sent)
    except (DiagnosticError, ValueError) as error:
        return Alternative(change, None, str(error).splitlines()[0])
