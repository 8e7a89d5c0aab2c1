"""Ops that JAX seldom or never emits."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, shuffled, size, subset
from tests.generators.op_instances import OpInstance, array, combiner, generator, tensor


@generator("stablehlo.batch_norm_training")
def batch_norm_training(rng: Random, kind: str) -> OpInstance:
    sizes = [extent or 1 for extent in shape(rng, 1)]
    feature = rng.randrange(len(sizes))
    scale = tensor([sizes[feature]])
    attributes = f"epsilon = 0.1 : f32, feature_index = {feature} : i64"
    return OpInstance(kind, [tensor(sizes), scale, scale], [tensor(sizes), scale, scale], attributes)


@generator("stablehlo.batch_norm_grad")
def batch_norm_grad(rng: Random, kind: str) -> OpInstance:
    sizes = [extent or 1 for extent in shape(rng, 1)]
    feature = rng.randrange(len(sizes))
    whole, scale = tensor(sizes), tensor([sizes[feature]])
    attributes = f"epsilon = 0.1 : f32, feature_index = {feature} : i64"
    return OpInstance(kind, [whole, scale, scale, scale, whole], [whole, scale, scale], attributes)


@generator("stablehlo.map")
def map_(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    attributes = f"dimensions = {array(range(len(sizes)))}"
    return OpInstance(kind, [tensor(sizes)] * 2, [tensor(sizes)], attributes, combiner("stablehlo.multiply"))


@generator("stablehlo.iota")
def iota(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    result = tensor(sizes, rng.choice(["f32", "i32", "ui8"]))
    return OpInstance(kind, [], [result], f"iota_dimension = {rng.randrange(len(sizes))} : i64")


@generator("stablehlo.get_dimension_size")
def get_dimension_size(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    return OpInstance(kind, [tensor(sizes)], [tensor([], "i32")], f"dimension = {rng.randrange(len(sizes))} : i64")


@generator("stablehlo.torch_index_select")
def torch_index_select(rng: Random, kind: str) -> OpInstance:
    sizes = [extent or 1 for extent in shape(rng, 1, 3)]
    dim, count = rng.randrange(len(sizes)), size(rng)
    result = tensor([*sizes[:dim], count, *sizes[dim + 1 :]])
    return OpInstance(
        kind, [tensor(sizes), tensor([count], "i32")], [result], f"dim = {dim} : i64, batch_dims = 0 : i64"
    )


@generator("stablehlo.einsum")
def einsum(rng: Random, kind: str) -> OpInstance:
    batch, rows, inner, columns = (size(rng) for _ in range(4))
    element, summed = rng.choice([("f32", "f32"), ("f32", "f32"), ("i8", "i16"), ("bf16", "f32"), ("i32", "i8")])
    operands = [tensor([batch, rows, inner], element), tensor([batch, inner, columns], element)]
    return OpInstance(kind, operands, [tensor([batch, rows, columns], summed)], 'einsum_config = "bij,bjk->bik"')


@generator("stablehlo.dynamic_broadcast_in_dim")
def dynamic_broadcast_in_dim(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    dims = subset(rng, len(sizes))
    operand = tensor(sizes[dim] for dim in dims)
    return _with_constant(kind, [operand], sizes, tensor(sizes), f"broadcast_dimensions = {array(dims)}")


@generator("stablehlo.dynamic_reshape")
def dynamic_reshape(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    result, _ = shuffled(rng, sizes)
    return _with_constant(kind, [tensor(sizes)], result, tensor(result))


@generator("stablehlo.dynamic_iota")
def dynamic_iota(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    attributes = f"iota_dimension = {rng.randrange(len(sizes))} : i64"
    return _with_constant(kind, [], sizes, tensor(sizes, "i32"), attributes)


def _with_constant(
    kind: str, arguments: list[str], numbers: list[int], result: str, attributes: str = ""
) -> OpInstance:
    """An op whose last operand is a constant vector."""
    type_ = tensor([len(numbers)], "i64")
    operands = [(f"%a{index}", argument) for index, argument in enumerate(arguments)]
    before = f"%c = stablehlo.constant dense<{numbers}> : {type_}"
    return OpInstance(kind, arguments, [result], attributes, operands=[*operands, ("%c", type_)], before=before)
