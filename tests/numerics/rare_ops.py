"""Ops that JAX seldom emits, in forms that a CPU executes."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, subset, window_positions
from tests.generators.op_instances import Generator, OpInstance, array, combiner, tensor

RARE: dict[str, Generator] = {}
"""By name, as `tests.generators.op_instances.GENERATORS`."""


def rare(*names: str):
    def register(function: Generator) -> Generator:
        RARE.update(dict.fromkeys(names, function))
        return function

    return register


def _sizes(rng: Random, least: int = 1, most: int = 3) -> list[int]:
    return [extent or 1 for extent in shape(rng, least, most)]


def _with_vectors(
    kind: str, arguments: list[str], vectors: list[list[int]], result: str, attributes: str = ""
) -> OpInstance:
    """An op whose last operands are constant vectors."""
    operands = [(f"%a{index}", argument) for index, argument in enumerate(arguments)]
    before = []
    for number, vector in enumerate(vectors):
        type_ = tensor([len(vector)], "i32")
        operands.append((f"%c{number}", type_))
        before.append(f"%c{number} = stablehlo.constant dense<{vector}> : {type_}")
    return OpInstance(kind, arguments, [result], attributes, operands=operands, before="\n".join(before))


@rare("stablehlo.dynamic_gather")
def dynamic_gather(rng: Random, kind: str) -> OpInstance:
    rows, columns, count = _sizes(rng, 3, 3)
    numbers = (
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
    )
    operands = [tensor([rows, columns]), tensor([count, 1], "i32")]
    attributes = f"dimension_numbers = {numbers}, indices_are_sorted = false"
    return _with_vectors(kind, operands, [[1, columns]], tensor([count, columns]), attributes)


@rare("stablehlo.dynamic_pad")
def dynamic_pad(rng: Random, kind: str) -> OpInstance:
    sizes = _sizes(rng)
    low, high, inner = ([rng.choice([0, 0, 1, 2]) for _ in sizes] for _ in range(3))
    result = [
        size + before + after + (size - 1) * between
        for size, before, after, between in zip(sizes, low, high, inner, strict=True)
    ]
    return _with_vectors(kind, [tensor(sizes), tensor([])], [low, high, inner], tensor(result))


@rare("stablehlo.real_dynamic_slice")
def real_dynamic_slice(rng: Random, kind: str) -> OpInstance:
    sizes = _sizes(rng)
    starts = [rng.randrange(size) if rng.random() < 0.5 else 0 for size in sizes]
    strides = [rng.choice([1, 1, 2]) for _ in sizes]
    result = [-(-(size - start) // stride) for size, start, stride in zip(sizes, starts, strides, strict=True)]
    return _with_vectors(kind, [tensor(sizes)], [starts, sizes, strides], tensor(result))


@rare("stablehlo.broadcast")
def broadcast(rng: Random, kind: str) -> OpInstance:
    sizes, leading = _sizes(rng, 0, 2), _sizes(rng, 1, 2)
    return OpInstance(kind, [tensor(sizes)], [tensor([*leading, *sizes])], f"broadcast_sizes = {array(leading)}")


@rare("stablehlo.optimization_barrier")
def optimization_barrier(rng: Random, kind: str) -> OpInstance:
    types = [tensor(_sizes(rng)), tensor(_sizes(rng), "i32")]
    return OpInstance(kind, types, types)


@rare("stablehlo.case", "stablehlo.if")
def branches(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(_sizes(rng))
    bodies = [
        f'{{\n%y{number} = "stablehlo.{op}"(%a1, %a1) : ({type_}, {type_}) -> {type_}\n'
        f'"stablehlo.return"(%y{number}) : ({type_}) -> ()\n}}'
        for number, op in enumerate(rng.sample(["add", "multiply", "subtract"], 2))
    ]
    predicate = tensor([], "i1" if kind.endswith("if") else "i32")
    return OpInstance(kind, [predicate, type_], [type_], regions=", ".join(bodies), operands=[("%a0", predicate)])


@rare("stablehlo.while")
def while_(rng: Random, kind: str) -> OpInstance:
    type_, number = tensor(_sizes(rng)), tensor([], "i32")
    condition = (
        f"{{^bb0(%i: {number}, %x: {type_}):\n%three = stablehlo.constant dense<3> : {number}\n"
        f"%p = stablehlo.compare LT, %i, %three : ({number}, {number}) -> tensor<i1>\n"
        '"stablehlo.return"(%p) : (tensor<i1>) -> ()\n}'
    )
    body = (
        f"{{^bb0(%i: {number}, %x: {type_}):\n%one = stablehlo.constant dense<1> : {number}\n"
        f"%j = stablehlo.add %i, %one : {number}\n%y = stablehlo.add %x, %a1 : {type_}\n"
        f'"stablehlo.return"(%j, %y) : ({number}, {type_}) -> ()\n}}'
    )
    operands = [("%a0", number), ("%a1", type_)]
    return OpInstance(kind, [number, type_], [number, type_], regions=f"{condition}, {body}", operands=operands)


@rare("stablehlo.reduce_window")
def reduce_window_pair(rng: Random, kind: str) -> OpInstance:
    """Of two operands, by one of several bodies."""
    sizes = _sizes(rng)
    windows = [rng.choice([1, 2, 3]) if size > 2 else 1 for size in sizes]
    result = [window_positions(size, window, 1, 0, 0) for size, window in zip(sizes, windows, strict=True)]
    ops = rng.choice([("maximum", "minimum"), ("add", "add"), ("multiply", "maximum")])
    scalars = ", ".join(f"%{name}: tensor<f32>" for name in "pqrs")
    lines = "".join(f"%m{i} = stablehlo.{op} %{'pq'[i]}, %{'rs'[i]} : tensor<f32>\n" for i, op in enumerate(ops))
    region = f'{{^bb0({scalars}):\n{lines}"stablehlo.return"(%m0, %m1) : (tensor<f32>, tensor<f32>) -> ()\n}}'
    operands = [tensor(sizes), tensor(sizes), tensor([]), tensor([])]
    return OpInstance(kind, operands, [tensor(result)] * 2, f"window_dimensions = {array(windows)}", region)


@rare("stablehlo.reduce")
def reduce_any(rng: Random, kind: str) -> OpInstance:
    """By bodies other than the usual ones, from init values that are not neutral.

    Of single elements XLA would ignore the init value.
    """
    sizes = [max(size, 2) for size in _sizes(rng)]
    dims = subset(rng, len(sizes), rng.randint(1, len(sizes)))
    result = [size for dim, size in enumerate(sizes) if dim not in dims]
    op, element = rng.choice([("xor", "i32"), ("and", "ui8"), ("or", "i1"), ("multiply", "i32"), ("minimum", "f32")])
    operands = [tensor(sizes, element), tensor([], element)]
    region = combiner(f"stablehlo.{op}", element)
    return OpInstance(kind, operands, [tensor(result, element)], f"dimensions = {array(dims)}", region)


@rare("chlo.scan")
def scan(rng: Random, kind: str) -> OpInstance:
    sizes = _sizes(rng)
    dim = rng.randrange(len(sizes))
    whole, row = tensor(sizes), tensor([*sizes[:dim], *sizes[dim + 1 :]])
    reverse = rng.choice(["true", "false"])
    attributes = (
        f"dimension = {dim} : i64, is_reverse = {reverse}, operandSegmentSizes = array<i32: 1, 1>, "
        "resultSegmentSizes = array<i32: 1, 1>"
    )
    region = (
        f"{{^bb0(%x: {row}, %y: {row}):\n%z = stablehlo.add %x, %y : {row}\n"
        f'"stablehlo.return"(%z, %z) : ({row}, {row}) -> ()\n}}'
    )
    return OpInstance(kind, [whole, row], [whole, row], attributes, region)


@rare(*(f"chlo.broadcast_{name}" for name in "compare complex next_after polygamma zeta".split()))
def broadcasting_floats(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(_sizes(rng))
    element = {"chlo.broadcast_compare": "i1", "chlo.broadcast_complex": "complex<f32>"}.get(kind, "f32")
    attributes = "comparison_direction = #chlo<comparison_direction LT>" if kind.endswith("compare") else ""
    return OpInstance(kind, [type_, type_], [type_.replace("f32", element)], attributes)


@rare(*(f"chlo.broadcast_shift_{name}" for name in "left right_arithmetic right_logical".split()))
def broadcasting_shifts(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(_sizes(rng), "i32")
    return OpInstance(kind, [type_, type_], [type_])


@rare("chlo.broadcast_select")
def broadcasting_select(rng: Random, kind: str) -> OpInstance:
    sizes = _sizes(rng)
    return OpInstance(kind, [tensor(sizes, "i1"), tensor(sizes), tensor(sizes)], [tensor(sizes)])


@rare("chlo._asin_acos_kernel")
def complex_kernel(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(_sizes(rng), "complex<f32>")
    return OpInstance(kind, [type_], [type_])


@rare("chlo.constant_like")
def constant_like(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(_sizes(rng))
    return OpInstance(kind, [type_], [type_], "value = 3.0 : f32")
