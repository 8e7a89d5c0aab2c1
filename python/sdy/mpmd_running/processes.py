"""Several processes: all run the same instructions, which is checked before any of them waits for another."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence

import jax

from sdy.jax_internals import distributed
from sdy.mpmd_running.instructions import Free, PipelineProgram

SECONDS = 120
"""Seconds that a process waits until the others have compiled the program."""

_DIGITS = 8
_numbers = itertools.count()


def check_same_program(program: PipelineProgram) -> None:
    """Compare a program with those of the other processes. Each calls this for its programs in the same order.

    Raises:
      RuntimeError: another process has another program, or none within `SECONDS`.
    """
    count, process = jax.process_count(), jax.process_index()
    client = distributed.global_state.client
    if count == 1 or client is None:
        return
    own = digests(program)
    name = f"sdy/mpmd/{next(_numbers)}"
    client.key_value_set(f"{name}/{process}", "".join(own))
    for other in range(count):
        if other != process:
            try:
                text = client.blocking_key_value_get(f"{name}/{other}", SECONDS * 1000)
            except Exception as error:
                late = "DEADLINE_EXCEEDED" in str(error)
                problem = f"process {other} has not compiled it in {SECONDS} s" if late else f"process {other}: {error}"
                raise RuntimeError(f"cannot compare the program of process {process}: {problem}") from error
            _compare(program, own, [text[at : at + _DIGITS] for at in range(0, len(text), _DIGITS)], other)


def digests(program: PipelineProgram) -> list[str]:
    """Return a digest of a program's arguments and results, then one of each shared instruction."""
    frame = program.topology, program.slots, program.num_arguments, program.results, program.donated
    steps = [each for each in program.instructions if not isinstance(each, Free)]
    return [_digest(frame)] + [_digest((type(each).__name__, str(each), each.inputs, each.outputs)) for each in steps]


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:_DIGITS]


def _compare(program: PipelineProgram, own: Sequence[str], others: Sequence[str], other: int) -> None:
    """Raise `RuntimeError` at the first instruction that differs."""
    if [*own] == [*others]:
        return
    steps = [each for each in program.instructions if not isinstance(each, Free)]
    shared = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(own[1:], others[1:], strict=False))
    place = sum(1 for _ in shared)
    where = f"from instruction {place} on, here {steps[place]}" if place < len(steps) else "which goes on longer"
    raise RuntimeError(
        f"process {other} has another program ({len(others) - 1} instructions, here {len(own) - 1}), {where}; "
        "all processes lower the same function for the same config"
    )
