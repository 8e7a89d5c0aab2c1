"""Communication as something that tests and CI hold: budgets, snapshots, summaries for pull requests.

>>> assert_communication(step.lower(state, batch), none_of=["all_to_all"], at_most={"all_reduce": 4}, max_bytes=8e6)

Programs are those of `sdy.jax.jit` and `jax.jit`, lowered or compiled, modules, MLIR and HLO text. Installing the
package adds the pytest fixture `communication_snapshot`; `sdy-report --budget` checks files.
"""

from __future__ import annotations

from sdy.testing.assertion import assert_communication
from sdy.testing.budget import Budget, CollectiveSelector, Excess
from sdy.testing.footprint import Footprint
from sdy.testing.snapshot import snapshot_text

__all__ = ["Budget", "CollectiveSelector", "Excess", "Footprint", "assert_communication", "snapshot_text"]
