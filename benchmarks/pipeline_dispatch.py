"""What starting an instruction of a pipeline costs in Python of ours, and with JAX's calls.

    python -m benchmarks.pipeline_dispatch

The step is one of 4 meshes of one CPU device and 8 microbatches, in order. For the first row executables and transfers
are replaced by functions that return arrays which are there. Goal: at most 60 us on an idle core.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import jax

from sdy.mpmd_running.dispatch import Dispatcher
from tests.execution import mpmd_processes

RUNS = 200


def main() -> None:
    jax.config.update("jax_num_cpu_devices", 8)
    lowered = mpmd_processes.lowered(4)
    compiled = lowered.compile(dispatch="order")
    arguments = jax.tree.leaves(compiled.put(*mpmd_processes.arguments()))
    program, topology = lowered.program, lowered.config.topology
    known: dict[int, jax.Array] = {}

    def keep(_: object, slots: list[jax.Array | None]) -> None:
        known.update((slot, value) for slot, value in enumerate(slots) if value is not None)

    real = Dispatcher(program, compiled.fragments, topology, "order")
    real(arguments, keep)
    outputs = {run.callee: [known[slot] for slot in run.outputs] for run in program.runs}
    stubs: dict[str, Any] = {name: lambda *_, values=values: values for name, values in outputs.items()}
    count = len(program.runs) + len(program.moves)
    stub = Dispatcher(program, stubs, topology, "order")
    with mock.patch.object(jax, "device_put", lambda values, _: values):
        ours = _best(lambda: stub(arguments))
    print(f"{count} instructions\nPython of ours   {1e6 * ours / count:6.1f} us each")
    print(f"with JAX's calls {1e6 * _best(lambda: real(arguments)) / count:6.1f} us each")


def _best(call: Callable[[], Any]) -> float:
    """The least seconds of a call, without the wait for its results."""
    least = float("inf")
    for _ in range(RUNS):
        begun = time.perf_counter()
        results = call()
        least = min(least, time.perf_counter() - begun)
        jax.block_until_ready(results)
    return least


if __name__ == "__main__":
    main()
