"""Where asynchronous operations are executed: said at the start, and at the computation by consequence."""

from __future__ import annotations

import dataclasses

from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.module import HloModule
from sdy.hlo_text.opcodes import MAIN_THREAD, THREAD


def settle_threads(module: HloModule) -> HloModule:
    """The module with each wrapped computation in the thread of its starts.

    A thread that only the computation names is given to the starts as well, since XLA would lose it.
    """
    changed = _changed(module)
    return module.with_computations(changed) if changed else module


def _changed(module: HloModule) -> dict[str, Computation]:
    wrapped: dict[str, list[Instruction]] = {}
    for computation in module.computations:
        for each in computation.instructions:
            if each.opcode == "async-start":
                for name in each.called:
                    wrapped.setdefault(name, []).append(each)
    changed: dict[str, Computation] = {}
    for name, starts in wrapped.items():
        computation = changed.get(name) or module.by_name[name]
        threads = [each.thread for each in starts if each.thread != MAIN_THREAD]
        if threads and computation.thread != threads[0]:
            changed[name] = dataclasses.replace(computation, thread=threads[0])
        elif not threads and computation.thread != MAIN_THREAD:
            for caller, start in module.callers[name]:
                if start.opcode == "async-start":
                    current = changed.get(caller.name, caller)
                    changed[caller.name] = _with_thread(current, start.name, computation.thread)
    return changed


def _with_thread(computation: Computation, start: str, thread: str) -> Computation:
    return dataclasses.replace(
        computation,
        instructions=tuple(
            dataclasses.replace(each, attributes=((THREAD, f'"{thread}"'), *each.attributes))
            if each.name == start
            else each
            for each in computation.instructions
        ),
    )
