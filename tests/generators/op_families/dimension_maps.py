"""Ops that permute, broadcast, regroup, multiply or reduce dimensions."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.generators.op_families.draw import shape, shuffled, size, subset
from tests.generators.op_families.reductions import NAN, reduction
from tests.generators.op_instances import OpInstance, Shape, array, generator, tensor


@generator("stablehlo.transpose")
def transpose(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    permutation = rng.sample(range(len(sizes)), len(sizes))
    result = tensor(sizes[dim] for dim in permutation)
    return OpInstance(kind, [tensor(sizes)], [result], f"permutation = {array(permutation)}")


@generator("stablehlo.broadcast_in_dim")
def broadcast_in_dim(rng: Random, kind: str) -> OpInstance:
    result = shape(rng, 0, 5)
    dims = rng.sample(range(len(result)), rng.randint(0, len(result)))
    sizes = [1 if rng.random() < 0.3 else result[dim] for dim in dims]
    return OpInstance(kind, [tensor(sizes)], [tensor(result)], f"broadcast_dimensions = {array(dims)}")


@generator("stablehlo.bitcast_convert")
def bitcast_convert(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    narrow, wide = tensor([*sizes, 2], "f32"), tensor(sizes, "f64")
    operand, result = rng.choice([(narrow, wide), (wide, narrow), (tensor(sizes, "i32"), tensor(sizes, "f32"))])
    return OpInstance(kind, [operand], [result])


@generator("stablehlo.reshape")
def reshape(rng: Random, kind: str) -> OpInstance:
    """The same primes, in the same or another order, grouped at random."""
    primes = [rng.choice([2, 2, 2, 3, 3, 5, 7, 11]) for _ in range(rng.randint(0, 6))]
    if rng.random() < 0.03:
        primes.append(0)
    others = list(primes)
    if rng.random() < 0.5:
        first = rng.randrange(len(others) + 1)
        others[first:] = rng.sample(others[first:], len(others) - first)
    return OpInstance(kind, [tensor(_grouped(rng, primes))], [tensor(_grouped(rng, others))])


def _grouped(rng: Random, factors: list[int]) -> Shape:
    sizes: Shape = []
    for factor in factors:
        if sizes and rng.random() < 0.4:
            sizes[-1] *= factor
        else:
            sizes.append(factor)
    for _ in range(rng.choice([0, 0, 1, 2])):
        sizes.insert(rng.randint(0, len(sizes)), 1)
    return sizes


@generator("stablehlo.dot_general")
def dot_general(rng: Random, kind: str) -> OpInstance:
    batch, contract = shape(rng, 0, 2), shape(rng, 0, 2)
    lhs_free, rhs_free = shape(rng, 0, 2), shape(rng, 0, 2)
    lhs, lhs_dims = shuffled(rng, batch + contract + lhs_free)
    rhs, rhs_dims = shuffled(rng, batch + contract + rhs_free)
    taken = len(batch) + len(contract)
    lists = {
        "lhs_batching_dimensions": lhs_dims[: len(batch)],
        "rhs_batching_dimensions": rhs_dims[: len(batch)],
        "lhs_contracting_dimensions": lhs_dims[len(batch) : taken],
        "rhs_contracting_dimensions": rhs_dims[len(batch) : taken],
    }
    result = [*batch, *(lhs[dim] for dim in sorted(lhs_dims[taken:])), *(rhs[dim] for dim in sorted(rhs_dims[taken:]))]
    numbers = ", ".join(f"{name} = {dims}" for name, dims in lists.items())
    return OpInstance(
        kind, [tensor(lhs), tensor(rhs)], [tensor(result)], f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"
    )


@generator("stablehlo.dot")
def dot(rng: Random, kind: str) -> OpInstance:
    inner = size(rng)
    lhs, rhs = shape(rng, 0, 1), shape(rng, 0, 1)
    return OpInstance(kind, [tensor([*lhs, inner]), tensor([inner, *rhs])], [tensor(lhs + rhs)])


@generator("stablehlo.reduce")
def reduce(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    dims = subset(rng, len(sizes))
    if dims and all(sizes[dim] == 1 for dim in dims):  # StableHLO leaves open if one element meets the init value
        sizes[dims[0]] = 2
    drawn = reduction(rng)
    # XLA's all-reduces of CPUs leave NaN out of minima and maxima.
    drawn = replace(drawn, init_values=["2.5" if value == NAN else value for value in drawn.init_values])
    operands = [tensor(sizes, element) for element in drawn.elements]
    arguments, starts, before = drawn.starts(len(operands))
    result = [extent for dim, extent in enumerate(sizes) if dim not in dims]
    return OpInstance(
        kind,
        [*operands, *arguments],
        [tensor(result, element) for element in drawn.elements],
        f"dimensions = {array(dims)}",
        drawn.region,
        [*[(f"%a{number}", type_) for number, type_ in enumerate(operands)], *starts],
        before,
    )
