"""R3, R4, R6, R10, R12: how starts, updates and dones hang together."""

from __future__ import annotations

import re

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import ALIASING, COMMON, CONTROL, MAIN_THREAD, THREAD
from sdy.hlo_text.rules.checked import Checked

_NAMES = re.compile(r"%([\w.\-]+)", re.ASCII)
_OWN = {
    "async-start": frozenset({"calls", THREAD, ALIASING}),
    "async-update": frozenset({"calls", THREAD, ALIASING}),
    "async-done": frozenset({"calls", THREAD}),
}


def check_links(checked: Checked) -> None:
    """Reports starts without one done, dones without one start, and what does not agree with the start."""
    for computation, each in checked.links:
        if each.opcode != "async-done":
            _users(checked, computation, each)
        if each.opcode != "async-start" and each.operands:
            _origin(checked, computation, each)
        _attributes(checked, computation, each)
    for name, callers in checked.module.callers.items():
        starts = [(computation, each) for computation, each in callers if each.opcode == "async-start"]
        for computation, each in starts[1:]:
            if each.thread != starts[0][1].thread:
                message = f"%{name} is executed in thread '{starts[0][1].thread}' by another start, not '{each.thread}'"
                checked.report("R6", computation, each, message)


def _users(checked: Checked, computation: Computation, link: Instruction) -> None:
    """R3."""
    if checked.is_strict:
        users = computation.users[link.name]
        if len(users) != 1:
            names = ", ".join(f"%{each.name}" for each in users) or "none"
            message = f"it has exactly one user, an update or a done; here are {len(users)}: {names}"
            checked.report("R3", computation, link, message if users else "nothing updates it or is its done")
        elif users[0].opcode not in ("async-update", "async-done") or users[0].operands[0] != link.name:
            checked.report("R3", computation, link, f"its user is an update or a done, not %{users[0].name}")
        elif users[0].operands.count(link.name) > 1:
            checked.report("R3", computation, link, f"%{users[0].name} has it twice")
        return
    journey = checked.journeys.get((computation.name, link.name))
    if journey is None:
        return  # an update; its start is looked at
    for use in journey.strays:
        message = f"%{use.user.name} cannot take a bundle: '{use.user.opcode}'"
        checked.report("R3", computation, link, message)
    dones = {(use.place.computation, use.user.name) for use in journey.dones}
    if not dones:
        checked.report("R3", computation, link, "it has no done")
    elif len(dones) > 1:
        names = ", ".join(f"%{name}" for _, name in sorted(dones))
        checked.report("R3", computation, link, f"it has several dones: {names}")


def _origin(checked: Checked, computation: Computation, link: Instruction) -> None:
    """R4."""
    starts = checked.starts_of.get((computation.name, link.name), ())
    if len(starts) > 1:
        names = ", ".join(f"%{each.name}" for each in starts)
        checked.report("R4", computation, link, f"it continues several starts: {names}")
    elif not starts:
        checked.report("R4", computation, link, f"%{link.operands[0]} is not what a start gives")
    elif checked.is_strict:
        continued = computation.by_name.get(link.operands[0])
        if continued is not None and continued.opcode not in ("async-start", "async-update"):
            message = f"it continues a start or an update directly, not '{continued.opcode}'"
            checked.report("R4", computation, link, message)


def _attributes(checked: Checked, computation: Computation, link: Instruction) -> None:
    """R6 for updates and dones, and R10."""
    for key, value in link.attributes:
        if key not in COMMON and key not in _OWN[link.opcode]:
            checked.report("R10", computation, link, f"{link.opcode} has no attribute '{key}'")
        elif key == THREAD and link.opcode != "async-start":
            written = value.strip('"') or MAIN_THREAD
            for start in checked.starts_of.get((computation.name, link.name), ()):
                if start.thread != written:
                    message = f"it was started in thread '{start.thread}', not '{written}'"
                    checked.report("R6", computation, link, message)


def check_order(checked: Checked) -> None:
    """R12: an instruction comes behind its operands and control predecessors."""
    for computation in checked.module.computations:
        seen: set[str] = set()
        for each in computation.instructions:
            needed = each.operands
            if each.attributes and (control := each.attribute(CONTROL)):
                needed = (*needed, *_NAMES.findall(control))
            for name in needed:
                if name not in seen:
                    what = "comes behind it" if name in computation.by_name else "is not there"
                    checked.report("R12", computation, each, f"%{name} {what}")
            seen.add(each.name)
