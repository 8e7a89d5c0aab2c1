"""Machines that command lines name."""

from __future__ import annotations

from sdy.passes.costs.machine import Machine
from sdy.tools.flags import UsageError


def machine_of(text: str, flag: str = "--machine") -> Machine:
    """Raises `UsageError` for what is no machine, naming the flag."""
    try:
        return Machine.parse(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"{flag}: {error}") from None
