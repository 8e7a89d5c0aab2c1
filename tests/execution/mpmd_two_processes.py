"""One of two processes, each with the mesh of one stage; run by test_mpmd_processes.py as ``RANK PORT SOCKET``."""

from __future__ import annotations

import sys

import jax
import numpy as np

rank, port, socket = int(sys.argv[1]), sys.argv[2], sys.argv[3]
jax.config.update("jax_num_cpu_devices", 2)
jax.config.update("jax_cross_host_transfer_socket_address", f"127.0.0.1:{socket}")
jax.config.update("jax_cross_host_transport_addresses", "127.0.0.1:0")
jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=2, process_id=rank)

from jax.sharding import Mesh  # noqa: E402

import sdy  # noqa: E402
from sdy.mpmd_running.dispatch import Dispatcher  # noqa: E402
from sdy.mpmd_running.executables import compile_fragments, partitioned_fragments  # noqa: E402
from sdy.mpmd_running.instructions import PipelineProgram  # noqa: E402

devices = {f"m{number}": Mesh(np.array(jax.devices()[2 * number :][:2]), ("data",)) for number in range(2)}
module = sdy.parse(sys.stdin.read())
program = PipelineProgram.of(module)
partitioned = partitioned_fragments(module, {run.callee: 2 for run in program.runs})
executables = compile_fragments(partitioned, program.runs, devices)
assert len(executables) == 1, "each process compiles what runs on its own devices"
dispatcher = Dispatcher(program, executables, devices)
rng = np.random.default_rng(0)
values = [rng.standard_normal(type_.shape).astype(np.float32) for type_ in program.slots[: program.num_arguments]]
arguments = [
    jax.make_array_from_callback(value.shape, sharding, lambda index, value=value: value[index], dtype=value.dtype)
    for value, sharding in zip(values, dispatcher.shardings, strict=False)
]
for _ in range(2):
    results = dispatcher(arguments)
    x, y, w, v = values
    for result, given in zip(results, (x, y), strict=True):
        assert len(result.addressable_shards) == 2 * rank
        for shard in result.addressable_shards:
            np.testing.assert_allclose(shard.data, (np.tanh(given @ w) @ v)[shard.index], rtol=1e-5, atol=1e-5)
print("equal")
jax.distributed.shutdown()
