"""Random programs that are manual along some axes of a mesh, against the same programs on one device.

python -m tests.execution.partly_manual_programs --start 0 --count 200    # says which seeds differ
python -m tests.execution.partly_manual_programs --start 17 --count 1 --show

A body is drawn as it is traced: reshards between free axes and parts of axes, ops that exchange rows, products, sums,
loops, branches that differ between devices, random numbers, collectives along manual axes, and manual computations in
it. On one device the same body runs under `vmap` with the manual axes as named axes, without any sharding.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16 --xla_backend_optimization_level=0"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding

import sdy.jax
from tests.numerics.harness import compare as compare_arrays

P: Any = jax.sharding.PartitionSpec
Assignment = tuple[tuple[str, ...], ...]
"""The axes along which each dimension is split."""

MESHES = ((2, 2, 2, 2), (2, 2, 2), (4, 2, 2), (2, 4, 2), (2, 2, 4))
SIZE, STEPS, MODULUS = 16, 4, 23
WAYS = (
    *["as usual"] * 4,
    "with overlap",
    "without the passes that save communication",
    "automatically inside",
)


@dataclass
class Body:
    """A function of one part, drawn from `seed` anew whenever it is traced; `is_sharded` tells which of both runs."""

    seed: float
    mesh: Mesh
    manual: tuple[str, ...]
    is_sharded: bool
    depth: int = 0
    log: list[str] = field(default_factory=list)
    checks_varying: bool = False

    def __call__(self, part: jax.Array) -> jax.Array:
        """A value of the shape of `part`."""
        generator = random.Random(self.seed)
        values = [self.varying(part)]
        for _ in range(STEPS):
            operation, state = generator.choice(OPERATIONS), generator.random()
            result = operation(self, random.Random(state), generator.choice(values))
            self.log.append(f"{'  ' * self.depth}{operation.__name__}: {result.shape}")
            values.append(jnp.mod(result, MODULUS))
        return sum(values[1:], values[0])

    def varying(self, value: jax.Array) -> jax.Array:
        """`value`, which JAX takes to differ along all manual axes."""
        if not self.is_sharded or not self.checks_varying:
            return value
        missing = tuple(name for name in self.manual if name not in jax.typeof(value).manual_axis_type.varying)
        return lax.pcast(value, missing, to="varying") if missing else value

    @property
    def free(self) -> list[str]:
        return [name for name in self.mesh.axis_names if name not in self.manual]

    def constrained(self, g: random.Random, value: jax.Array) -> jax.Array:
        """`value`, sharded along free axes or parts of them."""
        axes = [part for name in self.free for part in _parts(g, name, self.mesh.shape[name])]
        dims = [sdy.jax.Dim(_merged(each), open=g.random() < 0.2) for each in _assigned(g, axes, value.ndim)]
        self.log.append(f"{'  ' * self.depth}to {dims}")
        return sdy.jax.constraint(value, dims, mesh=self.mesh) if self.is_sharded else value

    def mapped(self, inner: Body, value: jax.Array, axes: tuple[str, ...], ins: Assignment, outs: Assignment) -> Any:
        """`inner`, manual along `axes`, of the parts of `value`."""
        if self.is_sharded:
            specs = [P(*(dim or None for dim in each)) for each in (ins, outs)]
            mesh = jax.sharding.get_abstract_mesh() if self.depth or inner.depth else self.mesh
            options: dict[str, Any] = {"axis_names": set(axes), "check_vma": inner.checks_varying}
            return jax.shard_map(inner, mesh=mesh, in_specs=specs[0], out_specs=specs[1], **options)(value)
        return _by_vmap(inner, value, axes, ins, outs, self.mesh)


def _parts(g: random.Random, name: str, size: int) -> list[str]:
    return [f"{name}:(1)2", f"{name}:(2)2"] if size == 4 and g.random() < 0.6 else [name]


def _merged(axes: tuple[str, ...]) -> tuple[str, ...]:
    """`axes`, where an axis stands for two consecutive parts of it."""
    pairs = {(f"{name}:(1)2", f"{name}:(2)2"): name for name in "wxyz"}
    found: list[str] = []
    for axis in axes:
        whole = pairs.get((found[-1], axis)) if found else None
        found[len(found) - (whole is not None) :] = [whole or axis]
    return tuple(found)


def _assigned(g: random.Random, axes: Sequence[str], rank: int, *, all_of_them: bool = False) -> Assignment:
    """Each axis in some dimension, or, unless all have to be, in none."""
    dims: list[tuple[str, ...]] = [() for _ in range(rank)]
    for name in g.sample(list(axes), len(axes)):
        dim = g.randrange(rank + (not all_of_them))
        if dim < rank:
            dims[dim] += (name,)
    return tuple(dims)


def _by_vmap(body: Body, value: jax.Array, axes: tuple[str, ...], ins: Assignment, outs: Assignment, mesh: Mesh) -> Any:
    """`body` of each part of `value`, on one device."""
    shape: list[int] = []
    places: dict[str, int] = {}
    for size, names in zip(value.shape, ins, strict=True):
        for name in names:
            places[name] = len(shape)
            shape.append(mesh.shape[name])
        shape.append(size // math.prod(mesh.shape[name] for name in names))
    split = value.reshape(shape)
    front = [places[name] for name in axes if name in places]
    split = split.transpose(front + [dim for dim in range(len(shape)) if dim not in front])
    function: Callable[[jax.Array], jax.Array] = body
    for name in reversed(axes):
        size = mesh.shape[name]
        function = jax.vmap(function, in_axes=0 if name in places else None, axis_name=name, axis_size=size)
    result = function(split)
    order: list[int] = []
    merged: list[int] = []
    for dim, names in enumerate(outs):
        order += [axes.index(name) for name in names] + [len(axes) + dim]
        merged.append(result.shape[len(axes) + dim] * math.prod(mesh.shape[name] for name in names))
    return result.transpose(order).reshape(merged)


# Operations: of one value, with a result of its shape ------------------------------------------------

Operation = Callable[[Body, random.Random, Any], Any]
OPERATIONS: list[Operation] = []


def operation(times: int = 1) -> Callable[[Operation], Operation]:
    def register(function: Operation) -> Operation:
        OPERATIONS.extend([function] * times)
        return function

    return register


@operation(times=6)
def moved(body: Body, g: random.Random, value: Any) -> Any:
    return body.constrained(g, body.constrained(g, value) + 1)


@operation(times=2)
def rows_exchanged(body: Body, g: random.Random, value: Any) -> Any:
    value = body.constrained(g, value)
    dim, n = g.randrange(2), g.randrange(1, 4)
    n = min(n, value.shape[dim] - 1)
    padding = [(n, 0) if each == dim else (0, 0) for each in range(2)]
    kept = [slice(0, -n or None) if each == dim else slice(None) for each in range(2)]
    ways: list[Callable[[], Any]] = [
        lambda: jnp.roll(value, n, dim),
        lambda: jnp.flip(value, dim),
        lambda: jnp.cumsum(value, dim),
        lambda: jnp.pad(value, padding, constant_values=3)[tuple(kept)],
        lambda: lax.slice_in_dim(jnp.concatenate([value, value * 2], dim), 1, 1 + value.shape[dim], axis=dim),
        lambda: lax.reduce_window(value, 0.0, lax.add, (3, 1), (1, 1), "SAME"),
        lambda: jnp.sort(value, dim),
        lambda: value.reshape(-1).reshape(value.shape[1], value.shape[0]).T,
    ]
    return body.constrained(g, g.choice(ways)())


@operation()
def product(body: Body, g: random.Random, value: Any) -> Any:
    other = body.constrained(g, value.T)
    weights = body.constrained(g, value)
    return body.constrained(g, jnp.mod(value @ other, MODULUS) @ weights)


@operation()
def summed(body: Body, g: random.Random, value: Any) -> Any:
    dim = g.randrange(2)
    total = g.choice((jnp.sum, jnp.max, jnp.argmax))(body.constrained(g, value), axis=dim, keepdims=True)
    return value + total.astype(value.dtype)


@operation()
def looked_up(body: Body, g: random.Random, value: Any) -> Any:
    indices = jnp.arange(value.shape[0]) * 3 % value.shape[0]
    if g.random() < 0.5:
        return body.constrained(g, jnp.take(body.constrained(g, value), indices, axis=0))
    return body.constrained(g, value).at[indices, 0].add(2)


@operation()
def looped(body: Body, g: random.Random, value: Any) -> Any:
    state = g.random()
    return lax.fori_loop(0, 3, lambda _, v: jnp.mod(body.constrained(random.Random(state), v) * 2 + 1, MODULUS), value)


@operation()
def branched(body: Body, g: random.Random, value: Any) -> Any:
    """Branches that communicate are taken by all devices alike: XLA's permutes on CPU wait for every device."""
    state = g.random()
    if g.random() < 0.5:
        return lax.cond(lax.axis_index(g.choice(body.manual)) == 0, lambda v: v + 1, lambda v: v * 2, value)
    taken = lax.psum(value[0, 0], body.manual) % 2 == 0
    return lax.cond(taken, lambda v: body.constrained(random.Random(state), v) + 1, lambda v: v * 2, value)


@operation()
def drawn(body: Body, g: random.Random, value: Any) -> Any:
    implementation = g.choice(("rbg", "threefry2x32"))
    # Under vmap each part would get a key of its own.
    numbers = jax.random.randint(jax.random.key(g.randrange(9), impl=implementation), value.shape, 0, 9)
    return value + body.constrained(g, numbers).astype(value.dtype)


@operation()
def called(body: Body, g: random.Random, value: Any) -> Any:
    state = g.random()
    return jax.jit(lambda v: body.constrained(random.Random(state), v) * 3)(value)


@operation(times=2)
def sent(body: Body, g: random.Random, value: Any) -> Any:
    """A collective of the program itself."""
    name = g.choice(body.manual)
    size = body.mesh.shape[name]
    value = body.constrained(g, value)
    ways: list[Callable[[], Any]] = [
        lambda: lax.psum(value, name),
        lambda: lax.pmax(lax.stop_gradient(value), name),
        lambda: lax.ppermute(value, name, [(i, (i + 1) % size) for i in range(size)]),
        lambda: lax.all_gather(value, name).sum(0),
        lambda: value + lax.axis_index(name),
    ]
    return body.varying(g.choice(ways)())


@operation()
def nested(body: Body, g: random.Random, value: Any) -> Any:
    if body.depth or not body.free:
        return value + 1
    axes = tuple(g.sample(body.free, g.choice((1, 1, len(body.free)))))
    ins, outs = (_fitting(g, axes, value.shape, body.mesh, all_of_them=outs) for outs in (False, True))
    manual = (*body.manual, *axes)
    inner = Body(g.random(), body.mesh, manual, body.is_sharded, body.depth + 1, body.log, body.checks_varying)
    body.log.append(f"manual along {axes}, {ins} to {outs}")
    result = body.mapped(inner, value, axes, ins, outs)
    repeats = [-(-size // have) for size, have in zip(value.shape, result.shape, strict=True)]
    return jnp.tile(result, repeats)[tuple(map(slice, value.shape))]


def _fitting(
    g: random.Random, axes: Sequence[str], shape: Sequence[int], mesh: Mesh, *, all_of_them: bool
) -> Assignment:
    """An assignment that divides the shape; of results, which may have any size, one of all axes."""
    while True:
        found = _assigned(g, axes, len(shape), all_of_them=all_of_them)
        counts = [math.prod(mesh.shape[name] for name in names) for names in found]
        if all_of_them or all(size % count == 0 for size, count in zip(shape, counts, strict=True)):
            return found


# Programs --------------------------------------------------------------------------------------------


class Program:
    """What a seed stands for: a mesh, a whole argument, and a manual computation of it."""

    def __init__(self, seed: int) -> None:
        g = random.Random(seed)
        shape = g.choice([each for each in MESHES if math.prod(each) <= len(jax.devices())])
        names = tuple("wxyz"[: len(shape)])
        devices = np.array(jax.devices()[: math.prod(shape)])
        order = g.sample(range(len(devices)), len(devices)) if g.random() < 0.2 else list(range(len(devices)))
        self.mesh = Mesh(devices[order].reshape(shape), names, axis_types=(AxisType.Auto,) * len(shape))
        self.manual = tuple(g.sample(names, g.choice((1, 1, 2))))
        size = (SIZE, g.choice((SIZE, SIZE // 2, 12)))
        self.ins = _fitting(g, self.manual, size, self.mesh, all_of_them=False)
        self.outs = _fitting(g, self.manual, size, self.mesh, all_of_them=True)
        given = _fitting(g, names, size, self.mesh, all_of_them=False)
        self.given = NamedSharding(self.mesh, P(*(dim or None for dim in given)))
        self.argument = np.random.default_rng(seed).integers(0, MODULUS, size).astype(np.float32)
        self._seed = g.random()
        self.way, self.is_gradient = g.choice(WAYS), g.random() < 0.3
        self.checks_varying = g.random() < 0.5
        self.log: list[str] = [f"{dict(self.mesh.shape)}, manual along {self.manual}, {self.ins} to {self.outs}"]
        self.log.append(f"partitioned {self.way}{', gradient' * self.is_gradient}")

    def _function(self, *, is_sharded: bool) -> Callable[[Any], Any]:
        body = Body(self._seed, self.mesh, self.manual, is_sharded, checks_varying=self.checks_varying)
        outer = Body(0.0, self.mesh, (), is_sharded)
        self.log = body.log = self.log[:2]

        def function(value: Any) -> Any:
            return outer.mapped(body, value, self.manual, self.ins, self.outs)

        def loss(value: Any) -> Any:
            result = function(value)
            return (result * (jnp.arange(result.size).reshape(result.shape) % 5)).sum()

        return jax.grad(loss) if self.is_gradient else function

    def wanted(self) -> np.ndarray:
        """The result on one device, without sdy."""
        return np.asarray(jax.jit(self._function(is_sharded=False))(self.argument))

    def check(self) -> None:
        """Raises `AssertionError` if a device has another part than the result on one device has there.

        A program that JAX does not lower is none.
        """
        wanted = self.wanted()
        given = jax.device_put(self.argument, self.given)
        try:
            jax.jit(self._function(is_sharded=True)).lower(given)
        except ValueError:
            self.log.append("not lowered by JAX")
            return
        result = _jit(self.way, self._function(is_sharded=True))(given)
        for shard in result.addressable_shards:
            compare_arrays(np.asarray(shard.data), wanted[shard.index], f"on {shard.device}", 1e-4)


def _jit(way: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    if way == "with overlap":
        return sdy.jax.jit(function, overlap=sdy.Overlap())
    if way == "without the passes that save communication":
        return sdy.jax.jit(
            function, partitioner=sdy.jax.Partitioner("sdy-partition-pipeline{save-communication=false}")
        )
    return sdy.jax.jit(function, auto="inside") if way == "automatically inside" else sdy.jax.jit(function)


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
            program.check()
        except Exception as error:  # noqa: BLE001 - the other programs are wanted, too
            different += 1
            print(f"seed {seed}: {type(error).__name__} {' '.join(str(error).split())[:400]}", flush=True)
        if options.show:
            print(*program.log, sep="\n")
    print(f"{different} of {options.count} differ")
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
