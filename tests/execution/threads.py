"""Several threads that parse, run, partition, explain and jit at once, in a process of their own.

python -m tests.execution.threads --programs 30 --rounds 3    # says what differs from doing it alone

The threads come first, when nothing has been imported, loaded or remembered. Each does everything in an order of its
own, and then it is done in order by one alone: texts and warnings have to be the same, also in a shared context.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

import sdy
import sdy.jax
from sdy.mlir.diagnostics import DiagnosticError, collecting
from tests.generators.features import Features
from tests.generators.programs import generate

THREADS = 4

_FEATURES = Features(small_meshes=True)

UNKNOWN = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @mine(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @yours(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
"""
"""A program that is warned about."""

Outcome = tuple[str, ...]
Job = Callable[[], Outcome]


def jobs(programs: int) -> dict[str, Job]:
    """Everything that is done, by a name that says what."""
    context = sdy.make_context()
    found: dict[str, Job] = {}
    for seed in range(programs):
        text = generate(seed, _FEATURES) if seed else UNKNOWN
        found[f"partition {seed}"] = lambda text=text: _partitioned(text, None)
        found[f"partition {seed} in the same context"] = lambda text=text: _partitioned(text, context)
        found[f"run {seed}"] = lambda text=text: _propagated(text, None)
        found[f"run {seed} in the same context"] = lambda text=text: _propagated(text, context)
        found[f"communication {seed}"] = lambda text=text: (str(sdy.communication(text)),)
        found[f"explanation {seed}"] = lambda text=text: (str(sdy.explain(text, "result:0")),)
    for function in FUNCTIONS:
        found[f"jit {function.__name__}"] = lambda function=function: _jitted(function)
    return {name: lambda job=job: _outcome(job) for name, job in found.items()}


def _outcome(job: Job) -> Outcome:
    try:
        return job()
    except (DiagnosticError, ValueError) as error:
        return (type(error).__name__, str(error))


def _partitioned(text: str, context: Any) -> Outcome:
    found = sdy.partition(text, context=context)
    return (found.text, *map(str, found.warnings), *map(str, found.remarks))


def _propagated(text: str, context: Any) -> Outcome:
    module = sdy.parse(text, context=context)
    warnings: list[str] = []
    with collecting(lambda warning: warnings.append(str(warning))):
        sdy.run(module, "sdy-propagation-pipeline")
    return (sdy.print_module(module), *warnings)


# Functions for jit -----------------------------------------------------------------------------------


def product(x: jax.Array) -> jax.Array:
    return jnp.tanh(x @ x.T)


def strided_sum(x: jax.Array) -> jax.Array:
    return x[::2].sum(0)


def sorted_rows(x: jax.Array) -> jax.Array:
    return jnp.sort(x, axis=0)


def loop(x: jax.Array) -> jax.Array:
    return jax.lax.fori_loop(0, 3, lambda _, carried: jnp.sin(carried) @ jnp.eye(16, dtype=x.dtype), x)


def concatenated(x: jax.Array) -> jax.Array:
    return jnp.concatenate([jnp.cumsum(x, axis=0), x[1:]], 0)


def called_back(x: jax.Array) -> jax.Array:
    return jax.pure_callback(lambda part: np.asarray(part) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1


def gradient(x: jax.Array) -> jax.Array:
    return jax.grad(lambda y: jnp.sum(jnp.tanh(y @ y) ** 2))(x)


FUNCTIONS = [product, strided_sum, sorted_rows, loop, concatenated, called_back, gradient]


def _jitted(function: Callable[[jax.Array], jax.Array]) -> Outcome:
    mesh = jax.make_mesh((4, 2), ("d", "m"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    x = np.random.default_rng(0).standard_normal((16, 16)).astype(np.float32)
    # A function of its own, so that JAX does not know it from another thread.
    jitted = sdy.jax.jit(lambda x: function(x), in_shardings=(NamedSharding(mesh, PartitionSpec("d", "m")),))
    found, expected = np.asarray(jitted(x)), np.asarray(jax.jit(lambda x: function(x))(x))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    return (str(jitted.lower(x).partitioned.collectives),)


# Threads ---------------------------------------------------------------------------------------------


def in_threads(found: dict[str, Job], rounds: int) -> dict[str, set[Outcome]]:
    """What came of each job in any of the threads, which go through them in orders of their own."""
    outcomes: dict[str, set[Outcome]] = {name: set() for name in found}
    start = threading.Barrier(THREADS)

    def work(number: int) -> None:
        start.wait()
        for turn in range(rounds):
            names = list(found)
            random.Random(number + THREADS * turn).shuffle(names)
            for name in names:
                try:
                    outcomes[name].add(found[name]())
                except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
                    outcomes[name].add((type(error).__name__, str(error)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=900, help="seconds after which threads that wait are shown")
    options = parser.parse_args(arguments)
    faulthandler.dump_traceback_later(options.limit, exit=True)
    usual = sys.getswitchinterval(), sys.getrecursionlimit()
    sys.setswitchinterval(1e-5)
    found = jobs(options.programs)
    together = in_threads(found, options.rounds)
    sys.setswitchinterval(usual[0])
    different = [name for name, job in found.items() if together[name] != {job()}]
    for name in different:
        print(f"{name}:", *together[name], sep="\n")
    if sys.getrecursionlimit() != usual[1]:
        different.append("recursion limit")
    print(f"{len(found)} jobs in {THREADS} threads, different: {different}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
