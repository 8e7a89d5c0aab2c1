"""The machine that an option of a pass names."""

from __future__ import annotations

from sdy.passes.costs.machine import Machine


def read_machine(text: str) -> Machine:
    """See `Machine.parse`. Raises `ValueError`, also for a file that cannot be read."""
    try:
        return Machine.parse(text)
    except OSError as error:
        raise ValueError(f"option 'machine': {error}") from None
