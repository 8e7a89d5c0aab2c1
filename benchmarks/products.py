"""Random chains of products, as they are sharded by us and by XLA: bytes that a device sends, FLOPs, memory, seconds.

python -m benchmarks.products --programs 1000 --seed 0
python -m benchmarks.products --only 17 --text

A program multiplies two to four operands one after the other, with constraints, transposes, heads and elementwise ops
in between, forward or as gradient, by itself, in a scan or in a branch. Sizes may not divide; shardings are random on
a mesh of 2x2x2 or 4x2. Both sides compile for eight CPU devices in one process. Seconds are those of the default
machine for comparing ways of partitioning (`sdy.passes.costs.machine.BALANCED`).
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from benchmarks.compiled_cost import DEVICES, Cost, measure_pair
from sdy.passes.costs.machine import BALANCED

_MESHES = (((2, 2, 2), ("a", "b", "c")), ((4, 2), ("x", "y")))
_TYPES = ("float32", "float32", "bfloat16", "int8")


@dataclass(frozen=True)
class Program:
    """A program that `jax.jit` takes, with what it is made of."""

    number: int
    function: Callable
    arguments: tuple
    shardings: tuple
    result: NamedSharding | None
    steps: tuple[str, ...]

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of `jax.jit` that say how its arguments and its result are sharded."""
        return {"in_shardings": self.shardings} | ({"out_shardings": self.result} if self.result else {})


@dataclass
class Draw:
    """What one program is drawn with."""

    rng: random.Random
    mesh: Mesh
    steps: list[str] = field(default_factory=list)

    def spec(self, shape: Sequence[int], chance: float = 0.6) -> P:
        """A random sharding of a tensor; an axis may not divide its dimension."""
        axes = list(self.mesh.axis_names)
        self.rng.shuffle(axes)
        dims: list[list[str]] = [[] for _ in shape]
        for axis in axes:
            if self.rng.random() < chance:
                wide = [dim for dim, size in enumerate(shape) if size >= 8]
                if wide:
                    dims[self.rng.choice(wide)].append(axis)
        return P(*(tuple(dim) if dim else None for dim in dims))

    def placed(self, spec: P) -> NamedSharding:
        return NamedSharding(self.mesh, spec)

    def even(self, shape: Sequence[int], chance: float = 0.6) -> P:
        """A random sharding whose axes divide their dimensions, which arguments and results need."""
        while True:
            spec = self.spec(shape, chance)
            counts = [1 if not dim else _shards(self.mesh, dim) for dim in (*spec, *[None] * (len(shape) - len(spec)))]
            if all(size % count == 0 for size, count in zip(shape, counts, strict=True)):
                return spec


def random_mesh(rng: random.Random) -> Mesh:
    """Return a mesh of eight devices."""
    shape, names = rng.choice(_MESHES)
    return jax.make_mesh(shape, names, axis_types=(AxisType.Auto,) * len(shape))


def _shards(mesh: Mesh, names: str | tuple[str, ...]) -> int:
    found = 1
    for name in (names,) if isinstance(names, str) else names:
        found *= mesh.shape[name]
    return found


def draw(number: int, seed: int = 0) -> Program:
    """Return a program; the same one for equal arguments."""
    rng = random.Random(f"{seed}/{number}")
    made = Draw(rng, random_mesh(rng))
    sizes = (16, 24, 32, 64, 128) if rng.random() < 0.75 else (10, 12, 18, 30, 50)
    dtype = rng.choice(_TYPES)
    batch, length, width = rng.choice(sizes), rng.choice((8, *sizes)), rng.choice(sizes)
    arguments = [jax.ShapeDtypeStruct((batch, length, width), dtype)]
    stages: list[Callable] = []
    for place in range(rng.randint(1, 3)):
        stage, width = _stage(made, width, (batch, length), dtype, place, arguments, sizes)
        stages.append(stage)

    def chain(x: jax.Array, *weights: jax.Array) -> jax.Array:
        for stage, weight in zip(stages, weights, strict=True):
            x = stage(x, weight)
        return x

    function = _wrapped(made, chain, dtype, len(arguments))
    shardings = tuple(made.placed(made.even(each.shape)) for each in arguments)
    is_forward = made.steps[-1] in ("forward", "cond")
    result = made.placed(made.even((batch, length, width), 0.5)) if is_forward and rng.random() < 0.6 else None
    return Program(number, function, tuple(arguments), shardings, result, tuple(made.steps))


def _stage(
    made: Draw,
    width: int,
    rows: tuple[int, int],
    dtype: str,
    place: int,
    arguments: list,
    sizes: Sequence[int],
) -> tuple[Callable, int]:
    """Draw a product of what there is with another argument; return it and the width of its result."""
    rng = made.rng
    kind = rng.choice(("product", "product", "transposed", "heads", "attention"))
    made.steps.append(kind)
    constraint = made.placed(made.spec((*rows, width))) if rng.random() < 0.4 else None
    after = rng.choice((None, jnp.tanh, lambda x: x * 2 + 1)) if dtype != "int8" else None
    if kind == "attention" and dtype == "int8":
        kind = "product"
    heads = rng.choice([each for each in (2, 3, 4, 6, 8) if width % each == 0] or [1])
    new = rng.choice(sizes) if kind in ("product", "transposed") else width
    shape = {"product": (width, new), "transposed": (new, width)}.get(kind, (width, width))
    arguments.append(jax.ShapeDtypeStruct(shape, dtype))
    out: dict[str, Any] = {"preferred_element_type": "int32"} if dtype == "int8" else {}

    def stage(x: jax.Array, weight: jax.Array) -> jax.Array:
        if constraint is not None:
            x = lax.with_sharding_constraint(x, constraint)
        if kind == "product":
            y = jnp.einsum("bld,dh->blh", x, weight, **out)
        elif kind == "transposed":
            y = jnp.einsum("bld,hd->blh", x, weight, **out)
        else:
            y = jnp.einsum("bld,dh->blh", x, weight, **out).reshape(*x.shape[:2], heads, -1)
            if kind == "attention":
                p = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", y, y) / 4, -1)
                y = jnp.einsum("bhqk,bkhd->bqhd", p, y)
            y = y.reshape(x.shape)
        y = y.astype(dtype)
        return y if after is None else after(y).astype(dtype)

    return stage, new


def _wrapped(made: Draw, chain: Callable, dtype: str, count: int) -> Callable:
    """Draw what is around the chain: nothing, a gradient, a branch, a scan over it."""
    kinds = ["forward", "cond", "scan"] + ([] if dtype == "int8" else ["gradient", "gradient", "scan gradient"])
    kind = made.rng.choice(kinds)
    made.steps.append(kind)
    if kind == "forward":
        return chain
    if kind == "cond":
        return lambda x, *w: lax.cond(jnp.sum(x) > 0, chain, lambda x, *w: chain(x * 2, *w), x, *w)

    def loss(*values: jax.Array) -> jax.Array:
        return jnp.sum(chain(*values).astype("float32") ** 2)

    def total(*values: jax.Array) -> jax.Array:
        def body(carry: jax.Array, scale: jax.Array) -> tuple[jax.Array, None]:
            return carry + loss((values[0] * scale).astype(dtype), *values[1:]), None

        return lax.scan(body, jnp.float32(0), jnp.arange(3, dtype="float32"))[0]

    if kind == "scan":
        return total
    return jax.grad(loss if kind == "gradient" else total, tuple(range(count)))


def costs(program: Program) -> tuple[Cost, Cost]:
    """Return what a device of ours and of XLA's does."""
    given = program.given
    return measure_pair(
        lambda: jax.jit(program.function, **given).lower(*program.arguments),
        lambda: sdy.jax.jit(program.function, **given).lower(*program.arguments),
    )


def seconds(cost: Cost) -> float:
    """Return the predicted seconds of what is computed and sent."""
    return cost.operations / BALANCED.flops + cost.sent / BALANCED.bandwidth


def _row(program: Program, ours: Cost, xla: Cost) -> str:
    sent = f"{ours.sent:>12,.0f} {xla.sent:>12,.0f} {_ratio(ours.sent, xla.sent):6.2f}"
    rest = (_ratio(ours.operations, xla.operations), _ratio(ours.temporary, xla.temporary))
    time = _ratio(seconds(ours), seconds(xla))
    return f"{program.number:5} {sent} {rest[0]:6.2f} {rest[1]:6.2f} {time:6.2f}  {' '.join(program.steps)}"


def _ratio(ours: float, xla: float) -> float:
    return ours / xla if xla else (1.0 if not ours else float("inf"))


def main(arguments: Sequence[str] | None = None, draw: Callable[[int, int], Program] = draw) -> None:
    """Prints a row for each program that is dearer than XLA's, and how many there are."""
    description = sys.modules[draw.__module__].__doc__
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="one program, with its collectives")
    parser.add_argument("--all", action="store_true", help="a row for every program")
    wanted = parser.parse_args(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # what XLA says of reshards that it makes by gathering all
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", DEVICES)
    numbers = [wanted.only] if wanted.only is not None else range(wanted.first, wanted.first + wanted.programs)
    rows: list[tuple[float, float]] = []
    print("number    ours bytes    XLA bytes  ratio  FLOPs memory   time  program", flush=True)
    for number in numbers:
        program = draw(number, wanted.seed)
        ours, xla = costs(program)
        rows.append((_ratio(ours.sent, xla.sent), _ratio(seconds(ours), seconds(xla))))
        if wanted.all or wanted.only is not None or max(rows[-1]) > 1.001:
            print(_row(program, ours, xla), flush=True)
        if wanted.only is not None:
            print(program.given)
            print(sdy.jax.jit(program.function, **program.given).lower(*program.arguments).communication())
    for place, name in enumerate(("bytes", "seconds")):
        found = [row[place] for row in rows]
        share = sum(each <= 1.001 for each in found) / len(found)
        print(
            f"{name}: at most XLA's in {share:.1%} of {len(found)}, above 1.1 in {sum(r > 1.1 for r in found)}, "
            f"largest {max(found):.2f}"
        )


if __name__ == "__main__":
    main()
