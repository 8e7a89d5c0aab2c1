"""Rules R1 to R6, R10, R12, R13: shapes, operands and links of starts, updates and dones."""

from __future__ import annotations

import re

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import ALIASING, COMMON, CONTROL, MAIN_THREAD, THREAD
from sdy.hlo_text.rules.checked import Checked, bundle_parts, is_prefix
from sdy.hlo_text.shape import ArrayShape, Shape, TupleShape, same

_NOTHING = TupleShape()


def check_bundles(checked: Checked) -> None:
    """Reports shapes that do not fit the operands or the wrapped computation."""
    for computation, each in checked.links:
        if each.opcode == "async-start":
            _start(checked, computation, each)
        elif not each.operands:
            checked.report("R13", computation, each, f"{each.opcode} has no operand")
        elif each.opcode == "async-update":
            _update(checked, computation, each)
        else:
            _done(checked, computation, each)


def _start(checked: Checked, computation: Computation, start: Instruction) -> None:
    parts = _parts(checked, computation, start, "R1", "a start")
    if parts is None:
        return
    operands, result, context = parts
    given = TupleShape(tuple(each for each in computation.shapes(start) if each is not None))
    if not same(operands, given):
        checked.report("R1", computation, start, f"element 0 of its shape is {operands}, but its operands are {given}")
    if checked.is_strict and not _is_plain_context(context):
        message = "the context is at most one element, an integer or a tuple, not " + ", ".join(map(str, context))
        checked.report("R1", computation, start, message)
    _against_wrapped(checked, computation, start, operands, result)


def _parts(
    checked: Checked, computation: Computation, link: Instruction, rule: str, what: str
) -> tuple[TupleShape, Shape, tuple[Shape, ...]] | None:
    """Return operands, result and context of the operation in flight; report a shape without them."""
    parts = bundle_parts(link.shape)
    if parts is None:
        message = f"the shape of {what} is a tuple ((operands), result, context), not {link.shape}"
        checked.report(rule, computation, link, message)
    return parts


def _is_plain_context(context: tuple[Shape, ...]) -> bool:
    if not context:
        return True
    one = context[0]
    is_integer = isinstance(one, ArrayShape) and not one.dims and one.element[0] in "su"
    return len(context) == 1 and (is_integer or isinstance(one, TupleShape))


def _against_wrapped(
    checked: Checked, computation: Computation, link: Instruction, operands: TupleShape, result: Shape
) -> None:
    """Holds operands and result of a start or update against parameters and root of the computation."""
    for start in [link] if link.opcode == "async-start" else checked.starts_of.get((computation.name, link.name), ()):
        wrapped = checked.wrapped(start)
        if wrapped is None:
            return
        parameters = TupleShape(tuple(each.shape for each in wrapped.parameters))
        fits = same(operands, parameters) or (not checked.is_strict and is_prefix(operands, parameters))
        if not fits:
            message = f"the operands are {operands}, but %{wrapped.name} has parameters {parameters}"
            checked.report("R2", computation, link, message)
        root = wrapped.root.shape
        if not (same(result, root) or (not checked.is_strict and (result == _NOTHING or is_prefix(result, root)))):
            message = f"element 1 of its shape is {result}, but %{wrapped.name} gives {root}"
            checked.report("R1" if link is start else "R5", computation, link, message)


def _update(checked: Checked, computation: Computation, update: Instruction) -> None:
    continued = computation.by_name.get(update.operands[0])
    before = bundle_parts(continued.shape) if continued else None
    if before is None or continued is None:
        return  # R4 says what is wrong
    if checked.is_strict:
        if len(update.operands) > 1:
            checked.report("R5", computation, update, "it has more operands than the operation it continues")
        if not same(update.shape, continued.shape):
            message = f"its shape is {update.shape}, but it continues {continued.shape}"
            checked.report("R5", computation, update, message)
        return
    parts = _parts(checked, computation, update, "R5", "an update")
    if parts is None:
        return
    operands, result, _ = parts
    added = tuple(each for each in computation.shapes(update)[1:] if each is not None)
    expected = TupleShape((*before[0].elements, *added))
    if not same(operands, expected):
        message = f"element 0 of its shape is {operands}, but its operands so far are {expected}"
        checked.report("R5", computation, update, message)
    elif not (same(before[1], result) or before[1] == _NOTHING or is_prefix(before[1], result)):
        message = f"element 1 of its shape is {result}, but it continues {before[1]}"
        checked.report("R5", computation, update, message)
    else:
        _against_wrapped(checked, computation, update, operands, result)


def _done(checked: Checked, computation: Computation, done: Instruction) -> None:
    bundle = computation.by_name.get(done.operands[0])
    if checked.is_strict and len(done.operands) > 1:
        checked.report("R13", computation, done, f"a done has one operand, not {len(done.operands)}")
    parts = bundle_parts(bundle.shape) if bundle else None
    for start in checked.starts_of.get((computation.name, done.name), ()):
        wrapped = checked.wrapped(start)
        if wrapped is None or parts is None:
            continue
        if not same(done.shape, wrapped.root.shape):
            message = f"its shape is {done.shape}, but %{wrapped.name} gives {wrapped.root.shape}"
            checked.report("R2", computation, done, message)
        if len(parts[0].elements) < len(wrapped.parameters):
            count = f"{len(parts[0].elements)} of {len(wrapped.parameters)}"
            checked.report("R2", computation, done, f"only {count} operands of %{wrapped.name} have been given")


_NAMES = re.compile(r"%([\w.\-]+)", re.ASCII)
_OWN = {
    "async-start": frozenset({"calls", THREAD, ALIASING}),
    "async-update": frozenset({"calls", THREAD, ALIASING}),
    "async-done": frozenset({"calls", THREAD}),
}


def check_links(checked: Checked) -> None:
    """Reports starts without exactly one done, dones without exactly one start, and disagreements with the start."""
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
    """Check R3."""
    if checked.is_strict:
        users = computation.users[link.name]
        if len(users) != 1:
            names = ", ".join(f"%{each.name}" for each in users) or "none"
            message = f"it has exactly one user, an update or a done, but has {len(users)}: {names}"
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
    """Check R4."""
    starts = checked.starts_of.get((computation.name, link.name), ())
    if len(starts) > 1:
        names = ", ".join(f"%{each.name}" for each in starts)
        checked.report("R4", computation, link, f"it continues several starts: {names}")
    elif not starts:
        checked.report("R4", computation, link, f"%{link.operands[0]} is not the result of a start")
    elif checked.is_strict:
        continued = computation.by_name.get(link.operands[0])
        if continued is not None and continued.opcode not in ("async-start", "async-update"):
            message = f"it continues a start or an update directly, not '{continued.opcode}'"
            checked.report("R4", computation, link, message)


def _attributes(checked: Checked, computation: Computation, link: Instruction) -> None:
    """Check R6 for updates and dones, and R10."""
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
