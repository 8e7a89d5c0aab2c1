"""Random JAX programs with explicit shardings, unreduced and reduced types, and arrays that come from other meshes.

python -m tests.execution.random_jax_programs --start 0 --count 200    # says which seeds differ from plain JAX
python -m tests.execution.random_jax_programs --start 17 --count 1 --show
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.core import ShardingTypeError
from jax.sharding import AxisType, Mesh, NamedSharding

from tests.execution.plain_jax import assert_same

P: Any = jax.sharding.PartitionSpec
AXES = ("x", "y", "z")
SIZE = 8
OTHER_MESHES = (((8,), "d"), ((4, 2), "ab"), ((2, 4), "ab"), ((2, 2, 2), "xyz"), ((1, 8), "ab"))
STEPS = 5


class Program:
    """What a seed stands for: arguments, and a function of them that draws its operations as it is traced.

    An operation that JAX does not take, by its types, is left out; so the draws are the same in every trace.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        generator = random.Random(seed)
        order = list(range(8)) if generator.random() < 0.5 else generator.sample(range(8), 8)
        grid = np.array(jax.devices()[:8])[order].reshape(2, 2, 2)
        self.mesh = Mesh(grid, AXES, axis_types=(AxisType.Explicit,) * 3)
        self._specs = [spec(generator, 2, partial=0.4) for _ in range(generator.choice((1, 2, 3)))]
        self._sources = [_other_mesh(generator) if generator.random() < 0.3 else None for _ in self._specs]
        self._is_gradient = generator.random() < 0.25
        self.log: list[str] = []

    def run(self) -> Any:
        """The results of the function, compiled; or its gradients."""
        with jax.set_mesh(self.mesh):
            arguments = [self._argument(*each) for each in enumerate(zip(self._specs, self._sources, strict=True))]
            self.log = [str(jax.typeof(argument)) for argument in arguments]
            if self._is_gradient:
                return jax.jit(jax.grad(self._loss, argnums=tuple(range(len(arguments)))))(*arguments)
            return jax.jit(self._results)(*arguments)

    def _argument(self, number: int, given: tuple[Any, NamedSharding | None]) -> jax.Array:
        to, source = given
        value: Any = np.random.default_rng(number).integers(-3, 4, (SIZE, SIZE)).astype(np.float32)
        if source is not None:
            value = jax.device_put(jax.device_put(value, source), NamedSharding(self.mesh, P()))
        whole = jax.device_put(value, NamedSharding(self.mesh, to.update(unreduced=frozenset(), unreduced_kind=None)))
        return jax.jit(lambda a: jax.reshard(a, to))(whole) if to.unreduced else whole

    def _results(self, *arguments: jax.Array) -> list[jax.Array]:
        generator = random.Random(self._seed + 1)
        values = list(arguments)
        for _ in range(STEPS):
            name, operation = generator.choice(list(OPERATIONS.items()))
            state = generator.random()
            try:
                values.append(operation(random.Random(state), values))
            except (TypeError, ValueError, NotImplementedError, AssertionError, ShardingTypeError):
                continue  # no program of JAX
            self.log.append(f"{name}: {jax.typeof(values[-1])}")
        return values[len(arguments) :] or values

    def _loss(self, *arguments: jax.Array) -> jax.Array:
        parts = [jax.reshard(each, P()).astype(jnp.float32).sum() / SIZE for each in self._results(*arguments)]
        return jnp.stack(parts).sum()


def _other_mesh(generator: random.Random) -> NamedSharding:
    shape, names = generator.choice(OTHER_MESHES)
    grid = np.array(jax.devices()[:8])[generator.sample(range(8), 8)].reshape(shape)
    sharding = P(*generator.sample([*names, None], 2)) if len(names) > 1 else P("d")
    return NamedSharding(Mesh(grid, tuple(names), axis_types=(AxisType.Auto,) * len(names)), sharding)


def spec(generator: random.Random, rank: int, partial: float = 0.0, kind: Any = None) -> Any:
    """A sharding of `rank` dimensions; unreduced, of that kind, or reduced on further axes with this probability."""
    free = generator.sample(AXES, 3)
    dims = [tuple(free.pop() for _ in range(generator.choice((0, 0, 1, 2))) if free) or None for _ in range(rank)]
    if not free or generator.random() >= partial:
        return P(*dims)
    chosen = frozenset(free[: generator.choice((1, 2))])
    if kind is None and generator.random() < 0.4:
        return P(*dims, reduced=chosen)
    return P(*dims, unreduced=chosen, unreduced_kind=kind)


# Operations: of some of the values there are ---------------------------------------------------------

Operation = Callable[[random.Random, list[jax.Array]], jax.Array]
OPERATIONS: dict[str, Operation] = {}


def operation(function: Operation) -> Operation:
    OPERATIONS[function.__name__] = function
    return function


def _axes(sharding: Any) -> set[str]:
    return {axis for dim in sharding.partitions if dim for axis in (dim if isinstance(dim, tuple) else (dim,))}


def _reachable(value: jax.Array, to: Any) -> Any:
    """`to`; without unreduced axes if `value` has others too, of which XLA's check ends the process."""
    have, want = jax.typeof(value).sharding.spec.unreduced, to.unreduced
    return to if have <= want or want <= have else P(*to.partitions)


def _linear(value: jax.Array) -> Iterable[Callable[[], jax.Array]]:
    return (
        lambda: -value,
        lambda: value.T,
        lambda: value + value,
        lambda: jnp.concatenate([value, value])[: value.shape[0]],
        lambda: jnp.pad(value, ((1, 1), (0, 0)))[1:-1],
        lambda: value.reshape(value.size).reshape(value.shape),
        lambda: value.astype(jnp.bfloat16).astype(value.dtype),
    )


@operation
def linear(g: random.Random, values: list[jax.Array]) -> jax.Array:
    return g.choice(list(_linear(g.choice(values))))()


@operation
def nonlinear(g: random.Random, values: list[jax.Array]) -> jax.Array:
    return g.choice((jnp.tanh, jnp.abs, jax.nn.relu))(g.choice(values))


@operation
def pair(g: random.Random, values: list[jax.Array]) -> jax.Array:
    return g.choice((jnp.add, jnp.multiply, jnp.maximum, jnp.subtract))(g.choice(values), g.choice(values))


@operation
def moved(g: random.Random, values: list[jax.Array]) -> jax.Array:
    value = g.choice(values)
    return jax.reshard(value, _reachable(value, spec(g, value.ndim, partial=0.5)))


@operation
def product(g: random.Random, values: list[jax.Array]) -> jax.Array:
    a, b = g.choice(values), g.choice(values)
    to = spec(g, 2, partial=0.5) if g.random() < 0.7 else None
    return jnp.einsum("ab,bc->ac", a, b, out_sharding=to) / SIZE


@operation
def reduced(g: random.Random, values: list[jax.Array]) -> jax.Array:
    value, name = g.choice(values), g.choice(("sum", "max", "min"))
    kinds = getattr(jax.sharding, "UnreducedKind", None)
    to = spec(g, 1, partial=0.7, kind=None if kinds is None else kinds[name]) if g.random() < 0.7 else None
    if to is not None and to.unreduced and _axes(to) & _axes(jax.typeof(value).sharding.spec):
        to = to.update(partitions=(None,))  # XLA adds up what does not belong together
    row = getattr(lax, f"reduce_{name}")(value, axes=(0,), out_sharding=to)
    return row if g.random() < 0.5 else jnp.broadcast_to(jax.reshard(row, P()), (SIZE, SIZE))


@operation
def loop(g: random.Random, values: list[jax.Array]) -> jax.Array:
    carry, added = g.choice(values), g.choice(values)
    return lax.fori_loop(0, 3, lambda _, c: c + added, carry)


@operation
def scanned(g: random.Random, values: list[jax.Array]) -> jax.Array:
    carry, weights = g.choice(values), g.choice(values)
    return lax.scan(lambda c, _: (jnp.tanh(c @ weights), None), carry, None, length=2)[0]


@operation
def branch(g: random.Random, values: list[jax.Array]) -> jax.Array:
    value = g.choice(values)
    return lax.cond(g.random() < 0.5, lambda a: a + a, lambda a: a, value)


@operation
def called(g: random.Random, values: list[jax.Array]) -> jax.Array:
    a, b, to = g.choice(values), g.choice(values), spec(g, 2, partial=0.5)
    returned, changed = jax.jit(lambda a, b: (a, jax.reshard(a, _reachable(a, to)) if a.ndim == 2 else a + b))(a, b)
    return g.choice((returned, changed))


@operation
def recomputed(g: random.Random, values: list[jax.Array]) -> jax.Array:
    a, b = g.choice(values), g.choice(values)
    return jax.checkpoint(lambda a, b: jnp.tanh(a @ b))(a, b)


@operation
def manual(g: random.Random, values: list[jax.Array]) -> jax.Array:
    value = g.choice(values)
    own = jax.typeof(value).sharding.spec
    scaled = jax.shard_map(lambda s: s * 2, in_specs=own, out_specs=own)
    return scaled(value)


def compare(seed: int) -> Program:
    """Raises `AssertionError` if a program does something else than with plain JAX; returns it."""
    program = Program(seed)
    assert_same(program.run)
    return program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--show", action="store_true", help="print the programs")
    options = parser.parse_args()
    different = 0
    for seed in range(options.start, options.start + options.count):
        program = Program(seed)
        try:
            assert_same(program.run)
        except AssertionError as error:
            different += 1
            print(f"seed {seed}: {' '.join(str(error).split())[:400]}", flush=True)
        if options.show:
            print(*program.log, sep="\n")
    print(f"{different} of {options.count} differ")
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
