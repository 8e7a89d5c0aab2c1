"""Programs compiled for eight GPUs or TPUs, none of which has to be there: ours beside XLA's own partitioner.

    python -m benchmarks.absent_devices gpu                    # the programs of tests/data and benchmarks/programs
    python -m benchmarks.absent_devices tpu mlp_fsdp moe
    python -m benchmarks.absent_devices gpu --steps moe gnn    # steps of real size, as experts shard them

XLA compiles for a topology that is described to it, with the compilers of the platform:

    pip install --no-deps jax-cuda13-plugin jax-cuda13-pjrt nvidia-cuda-nvcc nvidia-nvvm   # of jaxlib's version
    pip install --no-deps libtpu

Temporary memory is what XLA assigns buffers for, after it has scheduled what can overlap, which differs from CPUs.
Bytes are those of collectives that are in the program as such; on TPUs many become part of products, and are not
counted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.experimental import topologies
from jax.sharding import AxisType, Mesh

from benchmarks.auto_partitioning.experts import experts_of
from benchmarks.auto_partitioning.programs import PROGRAMS
from benchmarks.compiled_cost import DEVICES, Cost, Pair, measure, ratio
from benchmarks.mocked_gpus import Placed, for_platform
from benchmarks.programs.registry import Lower, load
from sdy.report.text_table import columns
from tests.data.programs.registry import meshes_of_devices

H100 = Path(__file__).parent / "h100.txtpb"
HEADINGS = ("program", "temporary", "XLA", "ratio", "sent", "XLA", "ratio")
SIZES = {"data": DEVICES // 2, "model": 2}
_NO_TIMING = "--xla_gpu_autotune_level=0"
"""Kernels cannot be timed on devices that are not there."""


def devices_of(platform: str) -> list[Any]:
    if platform == "tpu":
        return list(topologies.get_topology_desc("v5e:2x4", "tpu").devices)
    described = {"topology": f"1x{DEVICES}x1", "target_config": H100.read_text()}
    return list(topologies.get_topology_desc("h100", "cuda", **described).devices)


def steps(name: str, devices: list[Any]) -> Iterator[tuple[str, Lower]]:
    """A step of `benchmarks.auto_partitioning` as each of its experts shards it."""
    mesh = Mesh(np.array(devices).reshape(*SIZES.values()), tuple(SIZES), axis_types=(AxisType.Auto,) * 2)
    program = for_platform(PROGRAMS[name](), mesh)
    for title, expert in experts_of(name, SIZES).items():
        yield f"{name}, {title}", Placed(program, expert, mesh).lowered


def _cells(ours: Cost, xla: Cost) -> tuple[str, ...]:
    return (
        *(f"{ours.temporary:,}", f"{xla.temporary:,}", ratio(ours.temporary, xla.temporary)),
        *(f"{ours.sent:,.0f}", f"{xla.sent:,.0f}", ratio(ours.sent, xla.sent)),
    )


def _lowerings(given: argparse.Namespace, devices: list[Any]) -> Iterator[tuple[str, Lower]]:
    known = load()
    names = [*PROGRAMS] if given.steps else [*known]
    unknown = [name for name in given.programs if name not in names]
    if unknown:
        raise SystemExit(f"unknown program '{unknown[0]}'; there are {', '.join(names)}")
    for name in given.programs or names:
        if given.steps:
            yield from steps(name, devices)
        else:
            yield name, known[name]


def main(arguments: list[str] | None = None) -> None:
    """In a process of its own, whose environment says how XLA compiles."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} {_NO_TIMING}".strip()
    given = arguments if arguments is not None else sys.argv[1:]
    subprocess.run(
        [sys.executable, "-m", "benchmarks.absent_devices", "--here", *given],
        check=True,
        env={**os.environ, "XLA_FLAGS": flags, "TPU_SKIP_MDS_QUERY": "1"},
    )


def _run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("platform", choices=("gpu", "tpu"))
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--steps", action="store_true", help="of benchmarks.auto_partitioning")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_intermixed_args()
    if not given.here:
        main()
        return
    jax.config.update("jax_platforms", "cpu")
    devices = devices_of(given.platform)
    print(f"bytes on each device, {len(devices)} x {devices[0].device_kind}, none of which is here")
    failed: list[Pair] = []
    rows: list[tuple[str, ...]] = []
    with meshes_of_devices(devices):
        for name, lower in _lowerings(given, devices):
            pair = measure(name, lower, fast=False)
            if pair.ours and pair.xla:
                rows.append((name, *_cells(pair.ours, pair.xla)))
                print(*rows[-1], flush=True, file=sys.stderr)
            else:
                failed.append(pair)
    print(columns([HEADINGS, *rows]))
    for pair in failed:
        print(f"  {pair.program}: {pair.failure}")


if __name__ == "__main__":
    _run()
