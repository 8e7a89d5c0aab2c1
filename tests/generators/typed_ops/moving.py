"""Ops that move data: broadcasts, reshapes, slices, gathers, scatters; those with dynamic shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from tests.generators.typed_ops.case import Case, cases
from tests.generators.typed_ops.drawing import (
    element,
    i64,
    ints,
    per_axis,
    relaxed,
    scalar_body,
    shape,
    subset,
    tensor,
    vector,
)


@cases("broadcast")
def broadcast(rng: Random, name: str) -> Case:
    return Case(name, (relaxed(rng, shape(rng), element(rng, "Any")),), {"broadcast_sizes": ints(shape(rng, 0, 2))})


@cases("broadcast_in_dim dynamic_broadcast_in_dim")
def broadcast_in_dim(rng: Random, name: str) -> Case:
    result = shape(rng)
    dims = subset(rng, len(result))
    rng.shuffle(dims)
    operand = [1 if rng.random() < 0.2 else result[dim] for dim in dims]
    source, target = _broadcast_elements(rng, operand, dims, result)
    attributes = {"broadcast_dimensions": ints(dims)}
    if not name.endswith("dynamic_broadcast_in_dim"):
        return Case(name, (relaxed(rng, operand, source),), attributes, results=(tensor(result, target),))
    if rng.random() < 0.2 and dims:
        attributes["known_nonexpanding_dimensions"] = ints([0])
    return _with_shape(rng, name, (tensor(operand, source),), result, target, attributes)


def _broadcast_elements(
    rng: Random, operand: Sequence[int], dims: Sequence[int], result: Sequence[int]
) -> tuple[str, str]:
    if dims and rng.random() < 0.2:
        axis = rng.randrange(len(dims))
        if operand[axis] == result[dims[axis]]:
            scales = ", ".join(["0.5"] * operand[axis])
            return tuple(f"!quant.uniform<i8:f32:{each}, {{{scales}}}>" for each in (axis, dims[axis]))  # type: ignore[return-value]
    type_ = element(rng, "Any")
    return type_, type_


def _with_shape(
    rng: Random, name: str, operands: tuple[str, ...], result: Sequence[int], target: str, attributes: dict[str, str]
) -> Case:
    """The last operand is the shape of the result, which is known in half of the instances."""
    kind = rng.choice(["i64", "i32", "index"])
    known = {len(operands): vector(result, kind)} if rng.random() < 0.5 else {}
    shapes = (*operands, tensor([len(result)], kind))
    return Case(name, shapes, attributes, results=(relaxed(rng, result, target),), known=known)


@cases("reshape dynamic_reshape")
def reshape(rng: Random, name: str) -> Case:
    operand = shape(rng)
    result = list(operand)
    rng.shuffle(result)
    if len(result) > 1 and rng.random() < 0.5:
        result = [math.prod(result[:2]), *result[2:]]
    type_ = element(rng, "Any")
    if name.endswith("dynamic_reshape"):
        return _with_shape(rng, name, (relaxed(rng, operand, type_),), result, type_, {})
    if operand and rng.random() < 0.15:
        type_ = per_axis(rng, 0, operand[0])
        result = list(operand)
    return Case(name, (tensor(operand, type_),), results=(tensor(result, type_),))


@cases("transpose")
def transpose(rng: Random, name: str) -> Case:
    dims = shape(rng)
    permutation = rng.sample(range(len(dims)), len(dims))
    operand = relaxed(rng, dims, element(rng, "Any"))
    if dims and rng.random() < 0.2:
        axis = rng.randrange(len(dims))
        operand = tensor(dims, per_axis(rng, axis, dims[axis]))
    return Case(name, (operand,), {"permutation": ints(permutation)})


@cases("reverse")
def reverse(rng: Random, name: str) -> Case:
    dims = shape(rng)
    return Case(name, (relaxed(rng, dims, element(rng, "Any")),), {"dimensions": ints(subset(rng, len(dims)))})


# Slices --------------------------------------------------------------------------------------------------------------


@cases("slice")
def slice_(rng: Random, name: str) -> Case:
    dims = shape(rng)
    starts = [rng.randint(0, size) for size in dims]
    limits = [rng.randint(start, size) for start, size in zip(starts, dims, strict=True)]
    attributes = {
        "start_indices": ints(starts),
        "limit_indices": ints(limits),
        "strides": ints(rng.choice([1, 1, 2, 3]) for _ in dims),
    }
    return Case(name, (relaxed(rng, dims, element(rng, "Any")),), attributes)


@cases("dynamic_slice")
def dynamic_slice(rng: Random, name: str) -> Case:
    dims, index = shape(rng), element(rng, "I")
    sizes = [rng.randint(0, size) for size in dims]
    operands = relaxed(rng, dims, element(rng, "Any")), *[tensor([], index)] * len(dims)
    return Case(name, operands, {"slice_sizes": ints(sizes)})


@cases("dynamic_update_slice")
def dynamic_update_slice(rng: Random, name: str) -> Case:
    dims, index, type_ = shape(rng), element(rng, "I"), element(rng, "Any")
    update = [rng.randint(0, size) for size in dims]
    return Case(name, (relaxed(rng, dims, type_), relaxed(rng, update, type_), *[tensor([], index)] * len(dims)))


@cases("real_dynamic_slice")
def real_dynamic_slice(rng: Random, name: str) -> Case:
    dims, type_, index = shape(rng), element(rng, "Any"), rng.choice(["i64", "index"])
    operands = relaxed(rng, dims, type_), *[tensor([len(dims)], index)] * 3
    if not dims or rng.random() < 0.5:
        return Case(name, operands, results=(tensor(["?"] * len(dims), type_),))
    starts = [rng.randint(0, size) for size in dims]
    limits = [rng.randint(start, size) for start, size in zip(starts, dims, strict=True)]
    strides = [rng.choice([1, 1, 2, 3]) for _ in dims]
    known = {number: vector(values, index) for number, values in enumerate((starts, limits, strides), 1)}
    sizes = [-(-(limit - start) // stride) for start, limit, stride in zip(starts, limits, strides, strict=True)]
    return Case(name, operands, results=(tensor(sizes, type_),), known=known)


@cases("pad dynamic_pad")
def pad(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, "Any")
    low = [rng.choice([0, 0, 1, 2, -1]) for _ in dims]
    high = [rng.choice([0, 0, 1, 3]) for _ in dims]
    interior = [rng.choice([0, 0, 1]) for _ in dims]
    operand = relaxed(rng, dims, type_), tensor([], type_)
    if name.endswith("dynamic_pad"):
        sizes = [
            size + before + after + max(size - 1, 0) * between
            for size, before, after, between in zip(dims, low, high, interior, strict=True)
        ]
        operands = (*operand, *[tensor([len(dims)], "i64")] * 3)
        known = {}
        if rng.random() < 0.5:
            known = {index: vector(values, "i64") for index, values in ((2, low), (3, high), (4, interior))}
        return Case(name, operands, results=(tensor([max(size, 0) for size in sizes], type_),), known=known)
    attributes = {
        "edge_padding_low": ints(low),
        "edge_padding_high": ints(high),
        "interior_padding": ints(interior),
    }
    return Case(name, operand, attributes)


@cases("concatenate")
def concatenate(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng, 1), element(rng, "Any")
    dimension = rng.randrange(len(dims))
    inputs = []
    for _ in range(rng.choice([1, 2, 3])):
        sizes = list(dims)
        sizes[dimension] = rng.choice([0, 1, 2, 3])
        inputs.append(relaxed(rng, sizes, type_, 0.4))
    return Case(name, tuple(inputs), {"dimension": i64(dimension)})


# Gather, scatter -----------------------------------------------------------------------------------------------------


@cases("gather dynamic_gather")
def gather(rng: Random, name: str) -> Case:
    dims = shape(rng, 1)
    rank = len(dims)
    batching = rng.random() < 0.3
    indexed = (
        rng.sample(range(1, rank), rng.randint(0, rank - 1))
        if batching
        else rng.sample(range(rank), rng.randint(0, rank))
    )
    sizes = [1 if (batching and dim == 0) else rng.randint(0, size) for dim, size in enumerate(dims)]
    collapsed = sorted(dim for dim in indexed if rng.random() < 0.5)
    for dim in collapsed:
        sizes[dim] = min(sizes[dim], 1)
    batch = [*([dims[0]] if batching else []), *shape(rng, 0, 2)]
    is_implicit = len(indexed) == 1 and rng.random() < 0.5
    indices = batch if is_implicit else [*batch, len(indexed)]
    offsets = rank - len(collapsed) - batching
    offset_dims = sorted(rng.sample(range(len(batch) + offsets), offsets))
    numbers = (
        f"#stablehlo.gather<offset_dims = {offset_dims}, collapsed_slice_dims = {collapsed}, "
        f"operand_batching_dims = {[0] if batching else []}, start_indices_batching_dims = {[0] if batching else []}, "
        f"start_index_map = {indexed}, index_vector_dim = {len(batch)}>"
    )
    type_ = element(rng, "Any")
    operands = relaxed(rng, dims, type_), relaxed(rng, indices, element(rng, "I"))
    attributes = {"dimension_numbers": numbers}
    if name.endswith("dynamic_gather"):
        known = {2: vector(sizes, "i64")} if rng.random() < 0.5 else {}
        return Case(name, (*operands, tensor([rank], "i64")), attributes, known=known)
    return Case(name, operands, {**attributes, "slice_sizes": ints(sizes)})


@cases("scatter")
def scatter(rng: Random, name: str) -> Case:
    dims, count = shape(rng, 1), rng.choice([1, 1, 2])
    rank = len(dims)
    batching = rng.random() < 0.3
    free = list(range(1 if batching else 0, rank))
    scattered = rng.sample(free, rng.randint(0, len(free)))
    inserted = sorted(dim for dim in scattered if rng.random() < 0.5)
    batch = [*([dims[0]] if batching else []), *shape(rng, 0, 2)]
    window = [rng.randint(0, dims[dim]) for dim in free if dim not in inserted]
    is_implicit = len(scattered) == 1 and rng.random() < 0.5
    indices = batch if is_implicit else [*batch, len(scattered)]
    places = sorted(rng.sample(range(len(batch) + len(window)), len(window)))
    sizes, others, windows = [], iter(batch), iter(window)
    for place in range(len(batch) + len(window)):
        sizes.append(next(windows) if place in places else next(others))
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {places}, inserted_window_dims = {inserted}, "
        f"input_batching_dims = {[0] if batching else []}, "
        f"scatter_indices_batching_dims = {[0] if batching else []}, "
        f"scatter_dims_to_operand_dims = {scattered}, index_vector_dim = {len(batch)}>"
    )
    type_ = element(rng, "F|I|C")
    inputs = [relaxed(rng, dims, type_, 0.15) for _ in range(count)]
    updates = [relaxed(rng, sizes, type_, 0.15) for _ in range(count)]
    operands = (*inputs, relaxed(rng, indices, rng.choice(["i32", "i64", "index"])), *updates)
    return Case(name, operands, {"scatter_dimension_numbers": numbers}, (scalar_body(type_, count),))


# Sizes ---------------------------------------------------------------------------------------------------------------


@cases("dynamic_iota")
def dynamic_iota(rng: Random, name: str) -> Case:
    result = shape(rng, 1)
    attributes = {"iota_dimension": i64(rng.randrange(len(result)))}
    return _with_shape(rng, name, (), result, element(rng, "I|F|C"), attributes)


@cases("get_dimension_size set_dimension_size")
def dimension_size(rng: Random, name: str) -> Case:
    dims = shape(rng, 1)
    dim = rng.randrange(len(dims))
    operand = relaxed(rng, dims, element(rng, "Any"))
    attributes = {"dimension": i64(dim)}
    if name.endswith("get_dimension_size"):
        return Case(name, (operand,), attributes)
    known = {1: f"dense<{rng.choice([dims[dim], 1])}> : tensor<i32>"} if rng.random() < 0.5 else {}
    return Case(name, (operand, "tensor<i32>"), attributes, known=known)
