"""Random programs, partitioned and run on devices, against the same programs on one device.

python -m tests.execution.random_programs --start 0 --count 200    # says which seeds differ
python -m tests.execution.random_programs --start 17 --count 1 --show
"""

from __future__ import annotations

import argparse
import collections
import math
import os
import random
import re
import sys
import traceback

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"

import jax
import numpy as np

from sdy import execution
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from sdy.overlap import Overlap
from sdy.partition import partition
from sdy.running.boundary import Boundary, dtype_of
from sdy.running.placement import unpartitioned
from sdy.tools.sdy_run import differences
from tests.generators.features import Features
from tests.generators.programs import ALL, generate

RANDOM = ("rng",)
"""Numbers that differ between partitionings by design."""

TOLERANCE, NARROW_TOLERANCE = 1e-4, 0.02

FEATURES = Features(
    ops=frozenset(
        kind
        for kind in ALL
        if kind not in RANDOM and not any(word in kind for word in ("custom_call", "all_", "manual"))
    ),
    small_meshes=True,
    several_meshes=False,
    non_divisible=0.0,
    runs=True,
    manual=False,
)


def program(seed: int | random.Random, features: Features = FEATURES) -> str:
    """The first program from that seed, or the next from that generator, that fits on the devices there are."""
    generator = random.Random(seed) if isinstance(seed, int) else seed
    while True:
        text = generate(generator, features)
        if all(_mesh_size(axes) <= len(jax.devices()) for axes in re.findall(r"sdy.mesh @\w+ = <\[(.*?)\]", text)):
            return text


def _mesh_size(axes: str) -> int:
    return math.prod(map(int, re.findall(r"=(\d+)", axes)))


def compare(text: str, seed: int = 0, overlap: Overlap | None = None) -> float:
    """The largest relative difference between a run on several devices and one on a single device; random inputs.

    It is in units of what is allowed for its type: `TOLERANCE`, and `NARROW_TOLERANCE` for floating-point numbers of at
    most 16 bits, of which each device rounds its part of a sum. Raises `DiagnosticError` if the program is refused.
    """
    partitioned = partition(text, overlap=overlap)
    generator = np.random.default_rng(seed)
    inputs = [_input(generator, argument) for argument in partitioned.arguments]
    with jax.enable_x64(True):
        results = execution.compile(partitioned)(*inputs)
        expected = execution.compile_unpartitioned(unpartitioned(text), partitioned.results)(*inputs)
    pairs = zip(results, expected, strict=True)
    return max((_difference(np.asarray(got), np.asarray(wanted)) for got, wanted in pairs), default=0.0)


def _difference(got: np.ndarray, wanted: np.ndarray) -> float:
    is_narrow = got.dtype.itemsize <= 2 and not np.issubdtype(got.dtype, np.integer)
    return differences(got, wanted)[1] / (NARROW_TOLERANCE if is_narrow else TOLERANCE)


def _input(generator: np.random.Generator, argument: Boundary) -> np.ndarray:
    """Small whole numbers, so that sums do not depend on their order."""
    dtype = dtype_of(argument.element)
    return generator.integers(0, 2 if dtype == np.bool_ else 5, argument.shape).astype(dtype)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--show", action="store_true", help="print the programs and the tracebacks")
    options = parser.parse_args()
    outcomes: collections.Counter[str] = collections.Counter()
    for seed in range(options.start, options.start + options.count):
        if options.show:
            print(program(seed))
        outcome = _outcome(seed, options.show)
        outcomes[outcome] += 1
        if outcome != "equal":
            print(f"seed {seed}: {outcome}", flush=True)
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    return 0


def _outcome(seed: int, show: bool) -> str:
    """What happened with a seed, in words that are the same for similar failures."""
    try:
        difference = compare(program(seed), seed)
    except (DiagnosticError, DiagnosticErrors) as error:
        kind = "refused" if isinstance(error, DiagnosticError) else "invalid"
        message = str(error).splitlines()[0].split(": error: ")[-1]
        return f"{kind}: " + re.sub(r"\d+|tensor<[^>]*>|<@.*>", "_", message)[:150]
    except Exception as error:  # noqa: BLE001 - whatever it is, the other seeds are tried too
        if show:
            traceback.print_exc()
        return f"{type(error).__name__}: {str(error)[:150]}"
    return "equal" if difference < 1 else f"differs by {difference:.1e} of what is allowed"


if __name__ == "__main__":
    sys.exit(main())
