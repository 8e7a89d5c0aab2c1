"""Random JAX programs with effects: callbacks of all kinds in loops, branches, functions and manual regions.

python -m tests.execution.random_effects --start 0 --count 200    # says which seeds differ
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from tests.execution.effect_programs import Log

Step = Callable[[jax.Array], jax.Array]

_SPECS = (P("data", "model"), P("data"), P(None, "model"), P("model", "data"), P(), P(None, ("data", "model")))


class Builder:
    """Makes random steps from 8x8 arrays of whole numbers to others; all of them call back at some point."""

    def __init__(self, seed: int, log: Log, mesh: Mesh) -> None:
        self._random = random.Random(seed)
        self._log = log
        self._mesh = mesh
        self._names = 0

    def program(self) -> Step:
        return self._several(depth=2, manual=False)

    def _several(self, depth: int, *, manual: bool) -> Step:
        steps = [self._step(depth, manual=manual) for _ in range(self._random.randint(1, 3))]

        def apply(x: jax.Array) -> jax.Array:
            for step in steps:
                x = step(x)
            return x

        return apply

    def _step(self, depth: int, *, manual: bool) -> Step:
        leaves = [self._effect, self._question, self._pure, self._debug, self._arithmetic]
        inner = [self._loop, self._scan, self._branch, self._function] if depth else []
        if depth and not manual:
            inner += [self._region, self._partly_manual]
        make = self._random.choice([*leaves, *inner, *inner])
        return make(depth - 1, manual=manual)

    def _logged(self, result: Callable | None = None, *, ordered: bool = False) -> Callable:
        self._names += 1
        return self._log(f"call {self._names}", result, ordered=ordered)

    def _part(self) -> Callable[[jax.Array], jax.Array]:
        return self._random.choice([lambda x: x, lambda x: x[0], lambda x: x.sum(), lambda x: x.T, lambda x: x[:3] * 2])

    # Calls --------------------------------------------------------------------------------------------

    def _effect(self, depth: int, *, manual: bool) -> Step:
        is_ordered, part = self._random.random() < 0.7, self._part()
        callback = self._logged(ordered=is_ordered and not manual)

        def apply(x: jax.Array) -> jax.Array:
            io_callback(callback, None, part(x), ordered=is_ordered)
            return x + 1

        return apply

    def _question(self, depth: int, *, manual: bool) -> Step:
        is_ordered = self._random.random() < 0.7
        callback = self._logged(lambda a: a % 5, ordered=is_ordered and not manual)
        return lambda x: x + io_callback(callback, jax.ShapeDtypeStruct(x.shape, x.dtype), x, ordered=is_ordered)

    def _pure(self, depth: int, *, manual: bool) -> Step:
        callback = self._logged(lambda a: a[::-1] % 7)
        return lambda x: x + jax.pure_callback(callback, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    def _debug(self, depth: int, *, manual: bool) -> Step:
        is_partitioned, part, callback = self._random.random() < 0.5, self._part(), self._logged()
        spec = NamedSharding(self._mesh, self._random.choice(_SPECS))

        def apply(x: jax.Array) -> jax.Array:
            # A value that a callback returned is zero for all devices but one with XLA, if nothing is done with it.
            seen = part(x + 1)
            if is_partitioned and not manual:  # XLA propagates through a simplified program
                seen = lax.with_sharding_constraint(x + 1, spec)
            jax.debug.callback(callback, seen, partitioned=is_partitioned)
            return x

        return apply

    def _arithmetic(self, depth: int, *, manual: bool) -> Step:
        spec = NamedSharding(self._mesh, self._random.choice(_SPECS))
        moved = (lambda x: x) if manual else (lambda x: lax.with_sharding_constraint(x, spec))
        return self._random.choice([lambda x: moved(x * 2 % 11), lambda x: moved(x) - 1, lambda x: moved(x[::-1])])

    # What holds other steps ---------------------------------------------------------------------------

    def _loop(self, depth: int, *, manual: bool) -> Step:
        body, times = self._several(depth, manual=manual), self._random.randint(0, 3)
        return lambda x: lax.fori_loop(0, times, lambda i, c: body(c) + i.astype(c.dtype), x)

    def _scan(self, depth: int, *, manual: bool) -> Step:
        body = self._several(depth, manual=manual)

        def step(carry: jax.Array, number: jax.Array) -> Any:
            carry = body(carry) + number
            return carry, carry.sum()

        def apply(x: jax.Array) -> jax.Array:
            carry, sums = lax.scan(step, x, jnp.arange(2, dtype=x.dtype))
            return carry + sums[0] % 3

        return apply

    def _branch(self, depth: int, *, manual: bool) -> Step:
        yes, no = (self._several(depth, manual=manual) for _ in range(2))
        limit = self._random.randint(-300, 900)
        return lambda x: lax.cond(x.sum() > limit, yes, no, x)

    def _function(self, depth: int, *, manual: bool) -> Step:
        body = jax.jit(self._several(depth, manual=manual))
        return (lambda x: body(body(x))) if self._random.random() < 0.5 else body

    def _region(self, depth: int, *, manual: bool) -> Step:
        spec, body = self._random.choice(_SPECS[:4]), self._several(depth, manual=True)
        return jax.shard_map(body, mesh=self._mesh, in_specs=spec, out_specs=spec, check_vma=False)

    def _partly_manual(self, depth: int, *, manual: bool) -> Step:
        """JAX takes no other callbacks there."""
        first, second = self._debug(depth, manual=True), self._debug(depth, manual=True)
        name = self._random.choice(["data", "model"])
        spec = P(name) if self._random.random() < 0.5 else P(None, name)

        def body(x: jax.Array) -> jax.Array:
            return second(lax.fori_loop(0, 2, lambda i, c: first(c) + 1, x))

        return jax.shard_map(body, mesh=self._mesh, in_specs=spec, out_specs=spec, axis_names={name}, check_vma=False)


def run(jit: Callable, seed: int, mesh: Mesh) -> tuple[Log, jax.Array]:
    """The calls that the program from that seed makes, and its result."""
    log = Log()
    numbers = np.arange(64, dtype=np.float32).reshape(8, 8) % 13
    spec = random.Random(seed).choice(_SPECS)
    result = jit(Builder(seed, log, mesh).program())(jax.device_put(numbers, NamedSharding(mesh, spec)))
    jax.block_until_ready(result)
    jax.effects_barrier()
    return log, result


def check(seed: int, mesh: Mesh) -> None:
    """Raises `AssertionError` if we do not do what plain JAX does; where XLA fails we are not to."""
    got, result = run(sdy.jax.jit, seed, mesh)
    try:
        wanted, wanted_result = run(jax.jit, seed, mesh)
    except jax.errors.JaxRuntimeError:
        return
    assert got.ordered == wanted.ordered, "other ordered calls"
    assert got.others == wanted.others, "other calls"
    np.testing.assert_array_equal(result, wanted_result)
    assert result.sharding.is_equivalent_to(wanted_result.sharding, 2), (
        f"{result.sharding}, not {wanted_result.sharding}"
    )


def square_mesh() -> Mesh:
    auto = (jax.sharding.AxisType.Auto,) * 2
    return jax.make_mesh((2, 2), ("data", "model"), axis_types=auto, devices=jax.devices()[:4])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--show", action="store_true", help="print tracebacks")
    options = parser.parse_args()
    mesh, failed = square_mesh(), 0
    for seed in range(options.start, options.start + options.count):
        try:
            check(seed, mesh)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other seeds are tried too
            failed += 1
            print(f"seed {seed}: {type(error).__name__}: {str(error).strip()[:300]}", flush=True)
            if options.show:
                traceback.print_exc()
    print(f"{failed} of {options.count} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
