"""R11: operations with asynchronous opcodes of their own."""

from __future__ import annotations

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.native import done_shape, is_native_start
from sdy.hlo_text.opcodes import NATIVE_DONES, NATIVE_STARTS
from sdy.hlo_text.rules.checked import Checked
from sdy.hlo_text.shape import Shape, same


def check_natives(checked: Checked) -> None:
    """Reports native starts and dones of wrong shapes, and those that do not belong together."""
    for computation in checked.module.computations:
        for each in computation.instructions:
            if each.opcode in NATIVE_STARTS:
                _start(checked, computation, each)
            elif each.opcode in NATIVE_DONES:
                _done(checked, computation, each)


def _start(checked: Checked, computation: Computation, start: Instruction) -> None:
    operands: list[Shape] = [each for each in computation.shapes(start) if each is not None]
    if not is_native_start(start.opcode, operands, start.shape):
        given = ", ".join(map(str, operands))
        message = f"{start.opcode} of {given or 'nothing'} cannot have the shape {start.shape}"
        checked.report("R11", computation, start, message)
    if not checked.is_strict and start.opcode in ("send", "recv") and _is_wrapped(checked, computation):
        return  # XLA's verifier does not ask for what belongs to it
    journey = checked.journeys[computation.name, start.name]
    done = NATIVE_STARTS[start.opcode]
    dones = {(use.place.computation, use.user.name) for use in journey.dones}
    if len(dones) != 1:
        names = ", ".join(f"%{name}" for _, name in sorted(dones))
        message = f"it has exactly one {done}; here are {len(dones)}: {names}" if dones else f"it has no {done}"
        checked.report("R11", computation, start, message)
    for use in journey.strays:
        checked.report("R11", computation, start, f"it is used by {done}, not by '{use.user.opcode}'")


def _is_wrapped(checked: Checked, computation: Computation) -> bool:
    return any(each.opcode == "async-start" for _, each in checked.module.callers[computation.name])


def _done(checked: Checked, computation: Computation, done: Instruction) -> None:
    start_opcode = NATIVE_DONES[done.opcode]
    starts = checked.starts_of.get((computation.name, done.name), ())
    if len(done.operands) != 1 or len(starts) != 1:
        message = f"{done.opcode} has one operand, what one {start_opcode} gives"
        checked.report("R11", computation, done, message)
        return
    expected = done_shape(start_opcode, starts[0].shape)
    if expected is not None and not same(done.shape, expected):
        checked.report("R11", computation, done, f"its shape is {done.shape}, but that of the result is {expected}")
