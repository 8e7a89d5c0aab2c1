"""R7, R8, R9, R10: what a start may wrap."""

from __future__ import annotations

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import (
    ASYNC,
    ATTRIBUTES,
    COMMON,
    MAIN_THREAD,
    NATIVE_DONES,
    NATIVE_STARTS,
    NATIVELY_ASYNC,
    REQUIRED,
)
from sdy.hlo_text.rules.checked import Checked

_NESTED = frozenset({*ASYNC, *NATIVE_STARTS, *NATIVE_DONES} - {"send", "recv"})


def check_wrapped(checked: Checked) -> None:
    """Reports wrapped computations that are not one operation, called by starts alone."""
    seen: set[str] = set()
    for computation, start in checked.starts():
        wrapped = checked.wrapped(start)
        if wrapped is None:
            checked.report("R7", computation, start, "it names one computation with instructions, as in 'calls=%name'")
            continue
        _native(checked, computation, start, wrapped.root)
        if wrapped.name in seen:
            continue
        seen.add(wrapped.name)
        if checked.is_strict:
            _one_operation(checked, computation, start, wrapped)
        elif wrapped.thread == MAIN_THREAD and start.thread == MAIN_THREAD:
            # XLA's verifier does not look into computations of other threads.
            _little_else(checked, computation, start, wrapped)
        _callers(checked, computation, start, wrapped)
        _known(checked, computation, start, wrapped.root)


def _little_else(checked: Checked, computation: Computation, start: Instruction, wrapped: Computation) -> None:
    """R7 as XLA has it: elements may be read out of parameters, and the root may be anything."""
    for each in wrapped.instructions:
        if each is not wrapped.root and each.opcode not in ("parameter", "get-tuple-element"):
            message = f"%{wrapped.name} consists of parameters and its root, but there is %{each.name}"
            checked.report("R7", computation, start, message)
            return


def _one_operation(checked: Checked, computation: Computation, start: Instruction, wrapped: Computation) -> None:
    """R7."""
    root = wrapped.root
    if root.opcode in ("parameter", "constant"):
        checked.report("R7", computation, start, f"the root of %{wrapped.name} is a {root.opcode}, and no operation")
    elif root.opcode in _NESTED:
        checked.report("R7", computation, start, f"the root of %{wrapped.name} is asynchronous itself")
    for each in wrapped.instructions:
        if each is not root and each.opcode != "parameter":
            message = f"%{wrapped.name} consists of parameters and its root, but there is %{each.name}"
            checked.report("R7", computation, start, message)
            return


def _callers(checked: Checked, computation: Computation, start: Instruction, wrapped: Computation) -> None:
    """R8."""
    if wrapped.name == checked.module.entry:
        checked.report("R8", computation, start, "it wraps the entry computation")
    for _, each in checked.module.callers[wrapped.name]:
        if each.opcode != "async-start":
            checked.report("R8", computation, start, f"%{wrapped.name} is called by %{each.name} as well")


def _native(checked: Checked, computation: Computation, start: Instruction, root: Instruction) -> None:
    """R9."""
    if root.opcode not in NATIVELY_ASYNC:
        return
    if checked.is_strict or start.sugared:
        message = f"'{root.opcode}' has asynchronous opcodes of its own, and is not wrapped"
        checked.report("R9", computation, start, message)


def _known(checked: Checked, computation: Computation, start: Instruction, root: Instruction) -> None:
    """R10, of what XLA's parser knows; the document's own example is of an opcode that XLA does not have."""
    known = ATTRIBUTES.get(root.opcode)
    if known is None:
        if root.opcode not in _NESTED and not checked.is_strict:
            checked.report("R10", computation, start, f"XLA has no opcode '{root.opcode}'")
        return
    present = [key for key, _ in root.attributes]
    for key in present:
        if key not in known and key not in COMMON:
            checked.report("R10", computation, start, f"'{root.opcode}' has no attribute '{key}'")
    for key in sorted(REQUIRED.get(root.opcode, frozenset()).difference(present)):
        checked.report("R10", computation, start, f"'{root.opcode}' needs the attribute '{key}'")
