"""Programs of one op on random shardings, and inputs that the op can do something with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np

from sdy.partition import partition
from sdy.running.boundary import Boundary
from tests.generators.features import Features
from tests.generators.op_instances import OpInstance
from tests.generators.shardings import NamedMesh, Shardings
from tests.numerics.harness import DEVICES, compare, inputs_for, run_partitioned, run_unpartitioned

FEATURES = Features(
    several_meshes=False, small_meshes=True, priorities=False, replicated=False, density=0.75, non_divisible=0.4
)


def check(instance: OpInstance, seed: int) -> None:
    """Asserts that the op computes the same on random shards as on one device."""
    text = program(instance, Random(seed))
    partitioned = partition(text)
    given = inputs(instance, partitioned.arguments, seed)
    wanted = run_unpartitioned(text, partitioned, given)
    got = run_partitioned(partitioned, given)
    for number, (have, want) in enumerate(zip(got, wanted, strict=True)):
        compare(have, want, f"result {number}", 1e-5)


def program(instance: OpInstance, rng: Random) -> str:
    """@main that applies the op: arguments, operands and results are sharded at random, also unevenly.

    The results are returned whole, since a caller cannot take uneven parts.
    """
    shardings = _shardings(rng)
    mesh = shardings.meshes[0]
    given = [f"%g{number}: {type_}" for number, type_ in enumerate(instance.arguments)]
    lines = [
        _constrained(f"%a{number}", f"%g{number}", type_, shardings) for number, type_ in enumerate(instance.arguments)
    ]
    lines += instance.before.splitlines()
    lines += _op(instance, shardings).splitlines()
    lines += [
        _constrained(f"%out{i}", _result(instance, i), type_, shardings) for i, type_ in enumerate(instance.results)
    ]
    types = ", ".join(instance.results)
    outputs = ", ".join(f"{type_} {{sdy.sharding = #sdy.sharding{_whole(mesh, type_)}}}" for type_ in instance.results)
    returned = ", ".join(f"%out{i}" for i in range(len(instance.results)))
    body = "\n  ".join([*lines, f"func.return {returned} : {types}"])
    return f"{mesh.text()}\nfunc.func @main({', '.join(given)}) -> ({outputs}) {{\n  {body}\n}}\n"


def _shardings(rng: Random) -> Shardings:
    """On a mesh of which there are enough devices."""
    while True:
        shardings = Shardings(rng, replace(FEATURES, device_ids=rng.random() < 0.3))
        if 1 < shardings.meshes[0].mesh.size <= DEVICES:
            return shardings


def _op(instance: OpInstance, shardings: Shardings) -> str:
    arguments = [(f"%a{number}", type_) for number, type_ in enumerate(instance.arguments)]
    operands = arguments if instance.operands is None else instance.operands
    attributes = instance.attributes
    if shardings.rng.random() < 0.5:
        drawn = ", ".join(_sharding(type_, shardings) for type_ in instance.results)
        attributes += f"{', ' if attributes else ''}sdy.sharding = #sdy.sharding_per_value<[{drawn}]>"
    regions = f" ({instance.regions})" if instance.regions else ""
    return (
        f'%r:{len(instance.results)} = "{instance.name}"({", ".join(name for name, _ in operands)}){regions} '
        f"{{{attributes}}} : ({', '.join(type_ for _, type_ in operands)}) -> ({', '.join(instance.results)})"
    )


def _result(instance: OpInstance, number: int) -> str:
    return f"%r#{number}" if len(instance.results) > 1 else "%r#0"


def _constrained(name: str, value: str, type_: str, shardings: Shardings) -> str:
    return f"{name} = sdy.sharding_constraint {value} {_sharding(type_, shardings)} : {type_}"


def _sharding(type_: str, shardings: Shardings) -> str:
    return str(shardings.on_mesh(shardings.meshes[0], shape_of(type_), frozenset()))


def _whole(mesh: NamedMesh, type_: str) -> str:
    return f"<@{mesh.name}, [{', '.join(['{}'] * len(shape_of(type_)))}]>"


def shape_of(type_: str) -> tuple[int, ...]:
    """The shape in the text of a tensor type."""
    return tuple(int(size) for size in type_.removeprefix("tensor<").split("x")[:-1] if size.isdigit())


def inputs(instance: OpInstance, arguments: Sequence[Boundary], seed: int) -> list[np.ndarray]:
    """Whole numbers, whose sums f16 holds exactly; indices mostly in range, matrices that can be decomposed."""
    values = inputs_for(arguments, seed)
    if instance.name in ("stablehlo.cholesky", "stablehlo.triangular_solve"):
        values[0] = _positive_definite(values[0], seed)
    elif instance.name == "stablehlo.select_and_scatter":  # of equal numbers XLA selects another in other shapes
        values[0] = (
            np.random.default_rng(seed).permutation(values[0].size).reshape(values[0].shape).astype(values[0].dtype)
        )
    elif instance.name not in _POINTWISE_INTEGERS:
        values = [_small(value) for value in values]
    return values


def _small(value: np.ndarray) -> np.ndarray:
    if value.dtype == np.float16:
        return value % 9 - 4
    return value % 7 - 1 if value.dtype == np.int32 else value


_POINTWISE_INTEGERS = frozenset(f"stablehlo.{name}" for name in ("add", "multiply", "divide", "popcnt"))


def _positive_definite(like: np.ndarray, seed: int) -> np.ndarray:
    root = np.random.default_rng(seed).random(like.shape)
    return (root @ root.swapaxes(-1, -2) + 2 * np.eye(like.shape[-1])).astype(like.dtype)
