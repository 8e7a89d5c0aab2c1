"""Compiles modules by XLA one after the other, with Shardy, and has it write what it imports.

python -m tests.dumping_worker FOLDER FIRST [FLAG...]

FOLDER/modules.json lists the modules; FOLDER/at says how far it is. The flags are XLA's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def main(folder: Path, first: int, flags: list[str]) -> None:
    dumping = f"{' '.join(flags)} --xla_dump_to={folder} --xla_dump_hlo_pass_re=.*shardy.*"
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count=8 {dumping}"
    import numpy as np
    from jax._src import compiler, xla_bridge
    from jax._src.interpreters import mlir as jax_mlir
    from jax.extend.mlir import ir
    from jaxlib import xla_client

    modules = json.loads((folder / "modules.json").read_text())
    backend = xla_bridge.get_backend()
    for number in range(first, len(modules)):
        (folder / "at").write_text(str(number))
        count = int(modules[number].partition("num_partitions = ")[2].split()[0])
        assignment = np.arange(count).reshape(1, count)
        options = compiler.get_compile_options(num_replicas=1, num_partitions=count, device_assignment=assignment)
        options.executable_build_options.use_shardy_partitioner = True
        devices = xla_client.DeviceList(tuple(backend.local_devices()[:count]))
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(modules[number])
            try:
                backend.compile_and_load(module, devices, options)
            except Exception:  # noqa: BLE001 - what XLA refuses has no dump
                continue


def dump(folder: Path, modules: list[str], *flags: str) -> None:
    """Compiles the modules in other processes; what comes behind one that ends its process is for another."""
    (folder / "modules.json").write_text(json.dumps(modules))
    first = 0
    while first < len(modules):
        command = [sys.executable, "-m", "tests.dumping_worker", str(folder), str(first), *flags]
        if subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True).returncode == 0:
            break
        first = int((folder / "at").read_text()) + 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
