"""The machine that an option of a pass names."""

from __future__ import annotations

from sdy.passes.costs.machine import Machine

BALANCED = Machine(flops=1.4e14, bandwidth=1e11, memory_bandwidth=2e12, latency=0.0, directions=1)
"""What ways of partitioning are compared for where no machine is named: today's accelerators, in round figures.

While it sends a byte, a device writes 20 to its memory, or does 1400 operations of a matrix product. Nothing takes time
only to start, so that the choice does not depend on how small a program is; a byte counts alike in all collectives.
"""


def read_machine(text: str) -> Machine:
    """See `Machine.parse`. Raises `ValueError`, also for a file that cannot be read."""
    try:
        return Machine.parse(text)
    except OSError as error:
        raise ValueError(f"option 'machine': {error}") from None


def machine_to_compare_for(text: str) -> Machine:
    """What the option names, `BALANCED` if nothing. Raises `ValueError` like `read_machine`."""
    return read_machine(text) if text else BALANCED
