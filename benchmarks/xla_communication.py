"""What XLA's own SPMD partitioner sends: the JAX programs compiled by `jax.jit` for eight CPU devices, and counted.

`compiled` answers from a cache, which a process of its own fills that has these devices:

python -m benchmarks.xla_communication cnn 2x2x2
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.data.generate import DEVICES, cache_folder

ROOT = Path(__file__).parents[1]

_FAST = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""Options that make XLA compile faster; collectives are the same."""


@dataclass(frozen=True)
class Case:
    """A program on a mesh. `text` is None if it cannot be lowered for the mesh; `failure` says why.

    `ops` and `sent` are XLA's collectives and the bytes that each device sends.
    """

    text: str | None
    ops: int = 0
    sent: float = 0.0
    failure: str = ""


def compiled(name: str, mesh: str) -> Case:
    """The program called `name` on a mesh such as ``4x2``, from the cache if it is there."""
    path = _path(name, mesh)
    if not path.exists():
        flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}"
        environment = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags.strip()}
        command = [sys.executable, "-m", "benchmarks.xla_communication", name, mesh]
        ended = subprocess.run(command, check=False, env=environment, cwd=ROOT).returncode
        if ended:
            return Case(None, failure=f"the process in which XLA compiles ended with {ended}")
    return Case(**json.loads(path.read_text()))


def _path(name: str, mesh: str) -> Path:
    return cache_folder() / "communication" / f"{name}.{mesh}.json"


def _compile(name: str, mesh: str) -> Case:
    from sdy.hlo import collectives
    from tests.data.programs import load
    from tests.data.programs.registry import meshes_of_shape

    with meshes_of_shape(*map(int, mesh.split("x"))):
        try:
            lowered = load()[name]()
        except Exception as error:  # noqa: BLE001 - whatever JAX has against the mesh is the reason
            return Case(None, failure=str(error).splitlines()[0])
    text = lowered.compile(compiler_options=_FAST).as_text() or ""
    found = [one for one in collectives(text, DEVICES) if one.group_size > 1]
    ops = sum(one.times for one in found)
    sent = sum(one.times * one.moved_bytes for one in found)
    return Case(str(lowered.compiler_ir("stablehlo")), ops, sent)


def main(arguments: Sequence[str]) -> None:
    name, mesh = arguments
    path = _path(name, mesh)
    started = time.monotonic()
    case = _compile(name, mesh)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(asdict(case)))
    unfinished.rename(path)
    print(f"{name} on {mesh} compiled by XLA in {time.monotonic() - started:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
