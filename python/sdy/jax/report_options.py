"""Warnings, logs and dumps of JAX programs that are partitioned here.

Warnings of the passes become Python warnings at the user's line. Remarks go to the logger `sdy`, as do, on request, the
program's communication and its causes.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from sdy.hidden_frames import warn
from sdy.lazy_dataclass import dataclass
from sdy.partitioned_module import PartitionedModule

if TYPE_CHECKING:
    from collections.abc import Callable

    from sdy.programs.given_modules import CompiledProgram

LOG_COMMUNICATION = "SDY_LOG_COMMUNICATION"
"""The environment variable that has every compiled program logged with what it sends, unless it is empty or 0."""

DUMP_IR_TO = "SDY_DUMP_IR_TO"
"""The environment variable that names a folder for the program after each pass that changes it."""

_logger = logging.getLogger("sdy")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Logs and dumps that compiled programs give.

    With `log_communication` the logger `sdy` reports, as a warning, each program's communication and its causes, as JAX
    does with ``jax_log_compiles``. `dump_ir_to` is a folder that gets each program after each pass that changes it.
    """

    log_communication: bool = False
    dump_ir_to: str = ""

    def with_environment(self) -> ReportOptions:
        """Return the options, with changes from the environment."""
        logs = self.log_communication or os.environ.get(LOG_COMMUNICATION, "0") not in ("", "0", "false", "False")
        return ReportOptions(logs, self.dump_ir_to or os.environ.get(DUMP_IR_TO, ""))

    def tell(self, partitioned: PartitionedModule, program: Callable[[], CompiledProgram]) -> None:
        """Report on a lowered program once it is partitioned; `program` returns the compiled one."""
        for each in partitioned.warnings:
            warn(f"{each.position}: {each.message}" if each.position.line else each.message)
        for each in partitioned.remarks:
            _logger.info("%s: %s", each.position, each.message)
        if self.log_communication:
            from sdy.report.communication_report import communication_of

            report = communication_of(program(), "-")
            _logger.warning("%s sends, from each device:\n%s", partitioned.name, report)


QUIET = ReportOptions()
"""Nothing beyond warnings and remarks."""
