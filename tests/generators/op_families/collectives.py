"""StableHLO's collectives."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, size
from tests.generators.op_instances import OpInstance, combiner, generator, tensor


@generator("stablehlo.collective_broadcast", "stablehlo.collective_permute", "stablehlo.cross-replica-sum")
def pointwise_collective(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng))
    permutes = kind.endswith("permute")
    attributes = ("source_target_pairs" if permutes else "replica_groups") + " = dense<[[0, 1]]> : tensor<1x2xi64>"
    return OpInstance(kind, [type_], [type_], attributes)


_GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


@generator("stablehlo.all_reduce")
def all_reduce(rng: Random, kind: str) -> OpInstance:
    first = shape(rng)
    types = [tensor(first), *(tensor(shape(rng, 0, len(first))) for _ in range(rng.randint(0, 2)))]
    return OpInstance(kind, types, types, _GROUPS, combiner("stablehlo.add"))


@generator("stablehlo.all_gather")
def all_gather(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    dim = rng.randrange(len(sizes))
    operands = [[*sizes[:dim], size(rng) or 1, *sizes[dim + 1 :]] for _ in range(rng.randint(1, 2))]
    results = [[*sizes[:dim], 2 * operand[dim], *sizes[dim + 1 :]] for operand in operands]
    attributes = f"all_gather_dim = {dim} : i64, {_GROUPS}"
    return OpInstance(kind, list(map(tensor, operands)), list(map(tensor, results)), attributes)


@generator("stablehlo.reduce_scatter")
def reduce_scatter(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    dim = rng.randrange(len(sizes))
    operand = [*sizes[:dim], 2 * (sizes[dim] or 1), *sizes[dim + 1 :]]
    result = [*sizes[:dim], sizes[dim] or 1, *sizes[dim + 1 :]]
    attributes = f"scatter_dimension = {dim} : i64, {_GROUPS}"
    return OpInstance(kind, [tensor(operand)], [tensor(result)], attributes, combiner("stablehlo.add"))


@generator("stablehlo.all_to_all")
def all_to_all(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    split, concat = rng.randrange(len(sizes)), rng.randrange(len(sizes))
    sizes[split] = 2 * (sizes[split] or 1)
    result = list(sizes)
    result[split] //= 2
    result[concat] *= 2
    attributes = f"split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = 2 : i64, {_GROUPS}"
    return OpInstance(kind, [tensor(sizes)], [tensor(result)], attributes)
