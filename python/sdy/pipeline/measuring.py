"""Timeline of a measured step: each fragment and transfer is timed alone, then the step is simulated.

It is what predicted timelines are compared with, also where devices cannot overlap, as several CPU devices of a mesh.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import jax

from sdy.mpmd_running.dispatch import Dispatcher, await_outputs
from sdy.mpmd_running.instructions import Free, Instruction, Move, Run
from sdy.mpmd_running.mesh_threads import Slots
from sdy.pipeline.timeline import PipelineTimeline, simulate


def measured_timeline(
    dispatcher: Dispatcher, arguments: Sequence[jax.Array]
) -> tuple[list[jax.Array], PipelineTimeline]:
    """Run one step, waiting for each instruction; return its results and the timeline.

    Of the runs of one function, and of the transfers between two meshes, the fastest counts.

    Args:
      dispatcher: one that starts instructions in program order.
      arguments: as for a call; donated ones are gone afterwards.

    Raises:
      FragmentError: an instruction fails.
    """
    runs: dict[str, float] = {}
    moves: dict[tuple[str, str], float] = {}
    last = time.perf_counter()

    def observe(instruction: Instruction, slots: Slots) -> None:
        nonlocal last
        await_outputs(instruction, slots)
        took = time.perf_counter() - last
        if isinstance(instruction, Run):
            runs[instruction.callee] = min(took, runs.get(instruction.callee, took))
        elif not isinstance(instruction, Free):
            pair = instruction.source, instruction.target
            moves[pair] = min(took, moves.get(pair, took))
        last = time.perf_counter()

    jax.block_until_ready(arguments)
    last = time.perf_counter()
    results = dispatcher(arguments, observe)

    def move_seconds(move: Move) -> float:
        return moves[move.source, move.target]

    return results, simulate(dispatcher.program, lambda run: runs[run.callee], move_seconds)
