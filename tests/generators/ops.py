"""One function per kind of op without nested programs; each appends one op with what it needs to a block."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.generators.block import TOKEN, Block, Type, Value, region

Emit = Callable[[Block], object]

KINDS: dict[str, Emit] = {}
"""All kinds by name. A function does nothing where it finds no suitable operand."""

MAX_SIZE = 2048
"""Elements that a result may have."""


def kind(*names: str) -> Callable[[Emit], Emit]:
    def register(emit: Emit) -> Emit:
        KINDS.update(dict.fromkeys(names, emit))
        return emit

    return register


def static_tensor(type_: Type) -> bool:
    return type_.is_static


def floating(type_: Type) -> bool:
    return type_.is_static and type_.is_float


def with_rank(minimum: int, accept: Callable[[Type], bool] = static_tensor) -> Callable[[Type], bool]:
    return lambda type_: accept(type_) and type_.rank >= minimum


def i64s(values: Sequence[int]) -> str:
    """``array<i64: 1, 2>``."""
    return f"array<i64{': ' if values else ''}{', '.join(map(str, values))}>"


def scalar_region(element: str, name: str, inputs: int = 1) -> str:
    """The body of a reduction: `name` applied to accumulator and element, for each of the inputs."""
    scalar = Type((), element)
    arguments = [Value(f"%s{i}", scalar) for i in range(2 * inputs)]
    lines = [f"%r{i} = {name} %s{i}, %s{i + inputs} : {scalar}" for i in range(inputs)]
    values = ", ".join(f"%r{i}" for i in range(inputs))
    types = ", ".join([str(scalar)] * inputs)
    return region(arguments, lines, f"stablehlo.return {values} : {types}")


# Element-wise ------------------------------------------------------------------------------------

UNARY_FLOAT = (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate round_nearest_afz "
    "round_nearest_even rsqrt sign sine sqrt tan tanh"
).split()
UNARY_INTEGER = "not popcnt count_leading_zeros negate".split()
BINARY = "add multiply subtract maximum minimum".split()
BINARY_FLOAT = "divide atan2 power remainder".split()
BINARY_INTEGER = "and or xor shift_left shift_right_arithmetic shift_right_logical".split()


def _unary(name: str, accept: Callable[[Type], bool]) -> Emit:
    def emit(b: Block) -> None:
        x = b.pick(accept)
        if x is not None:
            b.op(f"stablehlo.{name}", [x], [x.type])

    return emit


def _binary(name: str, accept: Callable[[Type], bool]) -> Emit:
    def emit(b: Block) -> None:
        x = b.pick(accept)
        if x is not None and x.type.shape is not None:
            y = b.tensor(x.type.shape, x.type.element)
            operands = [x, y] if b.rng.random() < 0.5 else [y, x]
            b.op(f"stablehlo.{name}", operands, [x.type])

    return emit


for _name in UNARY_FLOAT:
    KINDS[_name] = _unary(_name, lambda t: t.is_float)
for _name in UNARY_INTEGER[:-1]:
    KINDS[_name] = _unary(_name, lambda t: t.is_integer)
for _name in BINARY:
    KINDS[_name] = _binary(_name, lambda t: t.is_float or t.is_integer)
for _name in BINARY_FLOAT:
    KINDS[_name] = _binary(_name, lambda t: t.is_float)
for _name in BINARY_INTEGER:
    KINDS[_name] = _binary(_name, lambda t: t.is_integer)


@kind("compare")
def compare(b: Block) -> None:
    x = b.pick(lambda t: t.is_float or t.is_integer)
    if x is not None and x.type.shape is not None:
        direction = b.rng.choice(["EQ", "NE", "LT", "GE"])
        y = b.tensor(x.type.shape, x.type.element)
        attributes = [f"comparison_direction = #stablehlo<comparison_direction {direction}>"]
        b.op("stablehlo.compare", [x, y], [x.type.of("i1")], attributes)


@kind("is_finite")
def is_finite(b: Block) -> None:
    x = b.pick(lambda t: t.is_float)
    if x is not None:
        b.op("stablehlo.is_finite", [x], [x.type.of("i1")])


@kind("select")
def select(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        shape = x.type.static
        predicate = b.tensor(() if b.rng.random() < 0.2 else shape, "i1")
        b.op("stablehlo.select", [predicate, x, b.tensor(shape, x.type.element)], [x.type])


@kind("clamp")
def clamp(b: Block) -> None:
    x = b.pick(floating)
    if x is not None:
        low, high = (b.tensor(() if b.rng.random() < 0.5 else x.type.static, x.type.element) for _ in range(2))
        if low.type == high.type:
            b.op("stablehlo.clamp", [low, x, high], [x.type])


@kind("convert")
def convert(b: Block) -> None:
    x = b.pick(lambda t: t.is_float or t.is_integer or t.element == "i1")
    if x is not None and x.type.shape is not None:
        b.op("stablehlo.convert", [x], [x.type.of(b.rng.choice(["f32", "bf16", "i32", "f64"]))])


@kind("reduce_precision")
def reduce_precision(b: Block) -> None:
    x = b.pick(floating)
    if x is not None:
        b.op("stablehlo.reduce_precision", [x], [x.type], ["exponent_bits = 5 : i32", "mantissa_bits = 10 : i32"])


@kind("complex")
def complex_(b: Block) -> None:
    x = b.pick(lambda t: t.is_static and t.element == "f32")
    if x is not None:
        y = b.tensor(x.type.static)
        z = b.op("stablehlo.complex", [x, y], [x.type.of("complex<f32>")])
        b.op(f"stablehlo.{b.rng.choice(['real', 'imag'])}", [z], [x.type])


@kind("chlo")
def chlo(b: Block) -> None:
    x = b.pick(lambda t: t.is_static and t.element == "f32")
    if x is not None and b.features.chlo:
        b.op(f"chlo.{b.rng.choice(['erf', 'square', 'sinh', 'atanh', 'lgamma'])}", [x], [x.type])


@kind("chlo_top_k")
def chlo_top_k(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is not None and b.features.chlo:
        *lead, last = x.type.static
        k = b.rng.randint(1, last) if last else 0
        result = Type((*lead, k), x.type.element)
        b.op("chlo.top_k", [x], [result, result.of("i32")], [f"k = {k} : i64"])


# Layout ------------------------------------------------------------------------------------------


@kind("iota")
def iota(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        result = x.type.of(b.rng.choice(["f32", "i32"]))
        b.op("stablehlo.iota", [], [result], [f"iota_dimension = {b.rng.randrange(result.rank)} : i64"])


@kind("constant")
def constant(b: Block) -> None:
    x = b.pick(lambda t: t.is_float or t.is_integer)
    if x is not None and x.type.is_static and b.features.constants:
        b.constant(x.type)


@kind("reshape")
def reshape(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        shape = regrouped(b, x.type.static)
        b.op("stablehlo.reshape", [x], [Type(shape, x.type.element)])


def regrouped(b: Block, shape: Sequence[int]) -> tuple[int, ...]:
    """Another shape with as many elements: dimensions merged, split, or of size 1 added and removed."""
    dims = list(shape)
    for _ in range(b.rng.randint(1, 3)):
        change = b.rng.choice(["merge", "split", "one", "drop", "regroup"])
        if change == "merge" and len(dims) >= 2:
            at = b.rng.randrange(len(dims) - 1)
            dims[at : at + 2] = [dims[at] * dims[at + 1]]
        elif change == "split" and dims:
            at = b.rng.randrange(len(dims))
            divisors = [d for d in range(2, dims[at]) if dims[at] % d == 0]
            if divisors:
                major = b.rng.choice(divisors)
                dims[at : at + 1] = [major, dims[at] // major]
        elif change == "one":
            dims.insert(b.rng.randint(0, len(dims)), 1)
        elif change == "drop" and 1 in dims:
            dims.remove(1)
        elif change == "regroup" and len(dims) >= 2:
            at = b.rng.randrange(len(dims) - 1)
            total = dims[at] * dims[at + 1]
            divisors = [d for d in range(1, total + 1) if total % d == 0] or [0]
            major = b.rng.choice(divisors)
            dims[at : at + 2] = [major, total // major if major else 0]
    return tuple(dims) if len(dims) <= 5 else tuple(shape)


@kind("transpose")
def transpose(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        order = list(range(x.type.rank))
        b.rng.shuffle(order)
        shape = tuple(x.type.static[d] for d in order)
        b.op("stablehlo.transpose", [x], [Type(shape, x.type.element)], [f"permutation = {i64s(order)}"])


@kind("broadcast_in_dim")
def broadcast_in_dim(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        shape = [b.rng.choice([2, 3, 4]) if d == 1 and b.rng.random() < 0.5 else d for d in x.type.static]
        positions = list(range(len(shape)))
        while len(shape) < 4 and b.rng.random() < 0.6 and math.prod(shape) <= MAX_SIZE // 8:
            at = b.rng.randint(0, len(shape))
            shape.insert(at, b.rng.choice([1, 2, 4, 8]))
            positions = [p + (p >= at) for p in positions]
        attributes = [f"broadcast_dimensions = {i64s(positions)}"]
        b.op("stablehlo.broadcast_in_dim", [x], [Type(tuple(shape), x.type.element)], attributes)


@kind("reverse")
def reverse(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        dims = sorted(b.rng.sample(range(x.type.rank), b.rng.randint(1, x.type.rank)))
        b.op("stablehlo.reverse", [x], [x.type], [f"dimensions = {i64s(dims)}"])


@kind("slice")
def slice_(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        sliced(b, x)


def sliced(b: Block, x: Value) -> Value:
    starts, limits, strides, shape = [], [], [], []
    for size in x.type.static:
        if size < 2 or b.rng.random() < 0.5:
            start, limit, stride = 0, size, 1
        else:
            start = b.rng.randrange(size)
            limit, stride = b.rng.randint(start + 1, size), b.rng.choice([1, 1, 1, 2]) if b.features.delicate else 1
        starts.append(start)
        limits.append(limit)
        strides.append(stride)
        shape.append(-(-(limit - start) // stride))
    attributes = [f"start_indices = {i64s(starts)}", f"limit_indices = {i64s(limits)}", f"strides = {i64s(strides)}"]
    return b.op("stablehlo.slice", [x], [Type(tuple(shape), x.type.element)], attributes)


@kind("pad")
def pad(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is None:
        return
    low, high, interior, shape = [], [], [], []
    for size in x.type.static:
        edges = (0, 0, 0) if b.rng.random() < 0.5 else (b.rng.choice([0, 1, -1, 2]), b.rng.choice([0, 1, 3]), 0)
        if b.rng.random() < 0.1:
            edges = (*edges[:2], 1)
        result = edges[0] + edges[1] + size + max(size - 1, 0) * edges[2]
        if result < 1:
            edges, result = (0, 0, 0), size
        low.append(edges[0])
        high.append(edges[1])
        interior.append(edges[2])
        shape.append(result)
    lists = [("edge_padding_low", low), ("edge_padding_high", high), ("interior_padding", interior)]
    attributes = [f"{name} = {i64s(values)}" for name, values in lists]
    value = b.tensor((), x.type.element) if b.features.delicate else neutral(b, x.type.element, "add")
    b.op("stablehlo.pad", [x, value], [Type(tuple(shape), x.type.element)], attributes)


@kind("concatenate")
def concatenate(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is None or math.prod(x.type.static) > MAX_SIZE // 4:
        return
    dim = b.rng.randrange(x.type.rank)
    parts = [x]
    for _ in range(b.rng.randint(0, 2)):
        if b.rng.random() < 0.4:
            parts.append(_slice_of(b, x, dim))
        else:
            shape = list(x.type.static)
            shape[dim] = b.rng.choice([1, 2, 4, shape[dim]])
            parts.append(b.tensor(tuple(shape), x.type.element))
    if b.rng.random() < 0.3:
        parts[0] = _slice_of(b, x, dim)
    b.rng.shuffle(parts)
    shape = list(x.type.static)
    shape[dim] = sum(part.type.static[dim] for part in parts)
    attributes = [f"dimension = {dim} : i64"]
    b.op("stablehlo.concatenate", parts, [Type(tuple(shape), x.type.element)], attributes)


def _slice_of(b: Block, x: Value, dim: int) -> Value:
    """A slice along one dimension."""
    shape = list(x.type.static)
    start = b.rng.randrange(shape[dim]) if shape[dim] else 0
    limits = list(shape)
    starts = [0] * len(shape)
    starts[dim] = start
    shape[dim] -= start
    attributes = [
        f"start_indices = {i64s(starts)}",
        f"limit_indices = {i64s(limits)}",
        f"strides = {i64s([1] * len(shape))}",
    ]
    return b.op("stablehlo.slice", [x], [Type(tuple(shape), x.type.element)], attributes)


@kind("dynamic_slice")
def dynamic_slice(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        shape = _smaller(b, x.type.static)
        indices = [b.tensor((), "i32") for _ in shape]
        attributes = [f"slice_sizes = {i64s(shape)}"]
        b.op("stablehlo.dynamic_slice", [x, *indices], [Type(shape, x.type.element)], attributes)


@kind("dynamic_update_slice")
def dynamic_update_slice(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        update = b.tensor(_smaller(b, x.type.static), x.type.element)
        indices = [b.tensor((), "i32") for _ in x.type.static]
        b.op("stablehlo.dynamic_update_slice", [x, update, *indices], [x.type])


def _smaller(b: Block, shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(size if size < 2 or b.rng.random() < 0.5 else b.rng.randint(1, size) for size in shape)


@kind("bitcast_convert")
def bitcast_convert(b: Block) -> None:
    x = b.pick(lambda t: t.is_static and t.element in ("f32", "i32", "ui32"))
    if x is not None:
        result = b.rng.choice([x.type.of("ui32"), Type((*x.type.static, 2), "bf16")])
        b.op("stablehlo.bitcast_convert", [x], [result])


@kind("get_dimension_size")
def get_dimension_size(b: Block) -> None:
    x = b.pick(lambda t: t.shape is not None and len(t.shape) > 0)
    if x is not None and x.type.shape is not None:
        b.op(
            "stablehlo.get_dimension_size",
            [x],
            [Type((), "i32")],
            [f"dimension = {b.rng.randrange(len(x.type.shape))} : i64"],
        )


# Contractions and reductions ---------------------------------------------------------------------


@kind("dot_general")
def dot_general(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is None:
        return
    rng = b.rng
    roles = [rng.choice(["batch", "free", "free", "contract", "contract"]) for _ in x.type.static]
    by_role = {role: [d for d, r in enumerate(roles) if r == role] for role in ("batch", "free", "contract")}
    rng.shuffle(by_role["contract"])
    shared = [("batch", d) for d in by_role["batch"]] + [("contract", d) for d in by_role["contract"]]
    dims: list[tuple[str, int]] = shared + [("free", rng.choice([2, 4, 6, 8])) for _ in range(rng.randint(0, 2))]
    rng.shuffle(dims)
    shape = tuple(d if role == "free" else x.type.static[d] for role, d in dims)
    result = (
        *(x.type.static[d] for d in by_role["batch"]),
        *(x.type.static[d] for d in by_role["free"]),
        *(d for role, d in dims if role == "free"),
    )
    if math.prod(result) > MAX_SIZE or len(result) > 5:
        return
    y = b.tensor(shape, x.type.element)
    where = {entry: position for position, entry in enumerate(dims) if entry[0] != "free"}
    lists = {
        "lhs_batching_dimensions": by_role["batch"],
        "rhs_batching_dimensions": [where["batch", d] for d in by_role["batch"]],
        "lhs_contracting_dimensions": by_role["contract"],
        "rhs_contracting_dimensions": [where["contract", d] for d in by_role["contract"]],
    }
    numbers = ", ".join(f"{name} = [{', '.join(map(str, values))}]" for name, values in lists.items())
    b.op(
        "stablehlo.dot_general",
        [x, y],
        [Type(result, x.type.element)],
        [f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"],
    )


@kind("dot")
def dot(b: Block) -> None:
    x = b.pick(lambda t: floating(t) and t.rank in (1, 2) and 0 not in t.static)
    if x is not None:
        *rows, inner = x.type.static
        columns = [b.rng.choice([2, 4, 8])] if b.rng.random() < 0.7 else []
        b.op(
            "stablehlo.dot", [x, b.tensor((inner, *columns), x.type.element)], [Type((*rows, *columns), x.type.element)]
        )


@kind("reduce")
def reduce(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element in ("f32", "i32", "bf16")))
    if x is None:
        return
    dims = sorted(b.rng.sample(range(x.type.rank), b.rng.randint(1, x.type.rank)))
    result = Type(tuple(s for d, s in enumerate(x.type.static) if d not in dims), x.type.element)
    inputs = [x] if b.rng.random() < 0.8 else [x, b.tensor(x.type.static, x.type.element)]
    reduction = b.rng.choice(["add", "add", "maximum", "minimum", *(["multiply"] if b.features.delicate else [])])
    body = scalar_region(x.type.element, f"stablehlo.{reduction}", len(inputs))
    if b.features.delicate:
        inits = [b.tensor((), x.type.element) for _ in inputs]
    else:
        inits = [neutral(b, x.type.element, reduction)] * len(inputs)
    b.op("stablehlo.reduce", [*inputs, *inits], [result] * len(inputs), [f"dimensions = {i64s(dims)}"], [body])


def neutral(b: Block, element: str, reduction: str) -> Value:
    """A constant that a reduction by add, maximum or minimum may start with."""
    infinity = {"bf16": "7F80", "f32": "7F800000", "f64": "7FF0000000000000"}
    if element in infinity:
        negative = f"0xF{infinity[element][1:]}"
        value = {"add": "0.0", "minimum": f"0x{infinity[element]}", "maximum": negative}[reduction]
    elif element.startswith("complex"):
        value = "(0.0, 0.0)"
    elif element == "i1":
        value = "false"
    else:
        value = {"add": "0", "minimum": str(2**31 - 1), "maximum": str(-(2**31))}[reduction]
    type_ = Type((), element)
    return b.op("stablehlo.constant", [], [type_], [f"value = dense<{value}> : {type_}"], annotate=False)


@kind("reduce_window")
def reduce_window(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is None or 0 in x.type.static:
        return
    window = [b.rng.randint(1, min(3, size)) if b.rng.random() < 0.5 else 1 for size in x.type.static]
    strides = [b.rng.choice([1, 1, 2]) if w > 1 else 1 for w in window]
    padding = [(b.rng.randint(0, 1), b.rng.randint(0, 1)) if w > 1 else (0, 0) for w in window]
    shape = tuple(
        (size + sum(p) - w) // s + 1 for size, w, s, p in zip(x.type.static, window, strides, padding, strict=True)
    )
    attributes = [f"window_dimensions = {i64s(window)}", f"window_strides = {i64s(strides)}", _padding(padding)]
    init = b.tensor((), x.type.element)
    body = scalar_region(x.type.element, "stablehlo.maximum")
    b.op("stablehlo.reduce_window", [x, init], [Type(shape, x.type.element)], attributes, [body])


@kind("select_and_scatter")
def select_and_scatter(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is None or 0 in x.type.static:
        return
    window = [2 if size % 2 == 0 and b.rng.random() < 0.6 else 1 for size in x.type.static]
    source = b.tensor(tuple(s // w for s, w in zip(x.type.static, window, strict=True)), x.type.element)
    scalar = Type((), x.type.element)
    arguments = [Value("%s0", scalar), Value("%s1", scalar)]
    chosen = region(
        arguments,
        [f"%r0 = stablehlo.compare GE, %s0, %s1 : ({scalar}, {scalar}) -> tensor<i1>"],
        "stablehlo.return %r0 : tensor<i1>",
    )
    attributes = [f"window_dimensions = {i64s(window)}", f"window_strides = {i64s(window)}"]
    b.op(
        "stablehlo.select_and_scatter",
        [x, source, b.tensor((), x.type.element)],
        [x.type],
        attributes,
        [chosen, scalar_region(x.type.element, "stablehlo.add")],
    )


def _padding(padding: Sequence[tuple[int, int]]) -> str:
    rows = ", ".join(f"[{low}, {high}]" for low, high in padding)
    return f"padding = dense<[{rows}]> : tensor<{len(padding)}x2xi64>"


@kind("convolution")
def convolution(b: Block) -> None:
    rng = b.rng
    spatial = rng.randint(1, 2)
    batch, groups = rng.choice([2, 4, 8]), rng.choice([1, 1, 1, 2])
    grouping = rng.choice(["feature", "batch"])
    feature_groups, batch_groups = (groups, 1) if grouping == "feature" else (1, groups)
    inner, outputs = rng.choice([1, 2, 4]), rng.choice([2, 4, 8])
    sizes = [rng.choice([4, 8, 6]) for _ in range(spatial)]
    kernel = [rng.choice([1, 3, 2, size]) for size in sizes]
    padding = [rng.choice([(0, 0), (k // 2, (k - 1) // 2)]) for k in kernel]
    results = [s + sum(p) - k + 1 for s, k, p in zip(sizes, kernel, padding, strict=True)]
    if min(results) < 1:
        return
    lhs = b.tensor((batch, *sizes, inner * feature_groups))
    rhs = b.tensor((*kernel, inner, outputs))
    axes = ", ".join(map(str, range(spatial)))
    attributes = [
        f"dimension_numbers = #stablehlo.conv<[b, {axes}, f]x[{axes}, i, o]->[b, {axes}, f]>",
        f"feature_group_count = {feature_groups} : i64",
        f"batch_group_count = {batch_groups} : i64",
        f"window_strides = {i64s([1] * spatial)}",
        _padding(padding),
    ]
    b.op("stablehlo.convolution", [lhs, rhs], [Type((batch // batch_groups, *results, outputs))], attributes)


@kind("batch_norm_inference")
def batch_norm_inference(b: Block) -> None:
    x = b.pick(lambda t: with_rank(2)(t) and t.element == "f32")
    if x is not None:
        feature = b.rng.randrange(x.type.rank)
        sides = [b.tensor((x.type.static[feature],)) for _ in range(4)]
        attributes = ["epsilon = 1.0e-3 : f32", f"feature_index = {feature} : i64"]
        b.op("stablehlo.batch_norm_inference", [x, *sides], [x.type], attributes)


@kind("map")
def map_(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element == "f32"))
    if x is not None:
        y = b.tensor(x.type.static)
        attributes = [f"dimensions = {i64s(range(x.type.rank))}"]
        b.op("stablehlo.map", [x, y], [x.type], attributes, [scalar_region("f32", "stablehlo.multiply")])


# Indexed -----------------------------------------------------------------------------------------


class Window:
    """How a gather or scatter addresses an operand: the role of each of its dimensions, and the shape of the slices."""

    def __init__(self, b: Block, shape: Sequence[int]) -> None:
        rng = b.rng
        roles = [rng.choice(["whole", "whole", "part", "one", "batch"]) for _ in shape]
        self.batching = [d for d, role in enumerate(roles) if role == "batch"]
        self.collapsed = [d for d, role in enumerate(roles) if role == "one"]
        self.indexed = [d for d, role in enumerate(roles) if role in ("part", "one")]
        rng.shuffle(self.indexed)
        self.sizes = [
            1 if role in ("one", "batch") else (rng.randint(1, size) if role == "part" else size)
            for size, role in zip(shape, roles, strict=True)
        ]
        batch = [(d, shape[d]) for d in self.batching] + [(-1, rng.choice([2, 4, 8])) for _ in range(rng.randint(0, 2))]
        rng.shuffle(batch)
        self.index_vector_dim = rng.choice([len(batch), len(batch), rng.randint(0, len(batch))])
        indices = [size for _, size in batch]
        indices.insert(self.index_vector_dim, len(self.indexed))
        self.indices = tuple(indices)
        places = {d: i for i, (d, _) in enumerate(batch)}
        self.indices_batching = [places[d] + (places[d] >= self.index_vector_dim) for d in self.batching]
        windows = [self.sizes[d] for d in range(len(shape)) if d not in self.collapsed + self.batching]
        rank = len(batch) + len(windows)
        self.offsets = sorted(rng.sample(range(rank), len(windows)))
        rest_windows, rest_batch = iter(windows), iter(size for _, size in batch)
        self.slices = tuple(next(rest_windows if d in self.offsets else rest_batch) for d in range(rank))

    def usable(self) -> bool:
        return math.prod(self.slices) <= MAX_SIZE and len(self.slices) <= 5


@kind("gather")
def gather(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is None or 0 in x.type.static:
        return
    w = Window(b, x.type.static)
    if not w.usable():
        return
    numbers = [
        f"offset_dims = {w.offsets}",
        f"collapsed_slice_dims = {w.collapsed}",
        f"operand_batching_dims = {w.batching}",
        f"start_indices_batching_dims = {w.indices_batching}",
        f"start_index_map = {w.indexed}",
    ]
    attributes = [
        f"dimension_numbers = #stablehlo.gather<{', '.join(numbers)}, index_vector_dim = {w.index_vector_dim}>",
        f"slice_sizes = {i64s(w.sizes)}",
        f"indices_are_sorted = {b.rng.choice(['true', 'false'])}",
    ]
    b.op("stablehlo.gather", [x, b.tensor(w.indices, "i32")], [Type(w.slices, x.type.element)], attributes)


@kind("scatter")
def scatter(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element in ("f32", "i32")))
    if x is None or 0 in x.type.static:
        return
    w = Window(b, x.type.static)
    if not w.usable():
        return
    numbers = [
        f"update_window_dims = {w.offsets}",
        f"inserted_window_dims = {w.collapsed}",
        f"input_batching_dims = {w.batching}",
        f"scatter_indices_batching_dims = {w.indices_batching}",
        f"scatter_dims_to_operand_dims = {w.indexed}",
    ]
    numbers.append(f"index_vector_dim = {w.index_vector_dim}")
    attributes = [
        f"scatter_dimension_numbers = #stablehlo.scatter<{', '.join(numbers)}>",
        f"unique_indices = {b.rng.choice(['true', 'false'])}",
    ]
    element = x.type.element
    reductions = ["add", "add", "maximum", "multiply", "subtract"] if b.features.delicate else ["add"]
    if b.rng.random() < 0.2:
        arguments = [Value("%s0", Type((), element)), Value("%s1", Type((), element))]
        body = region(arguments, [], f"stablehlo.return %s1 : tensor<{element}>")
    else:
        body = scalar_region(element, f"stablehlo.{b.rng.choice(reductions)}")
    operands = [x, b.tensor(w.indices, "i32"), b.tensor(w.slices, element)]
    b.op("stablehlo.scatter", operands, [x.type], attributes, [body])


@kind("sort")
def sort(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element in ("f32", "i32")))
    if x is None:
        return
    inputs = [x] if b.rng.random() < 0.6 else [x, b.tensor(x.type.static, x.type.element)]
    scalar = Type((), x.type.element)
    arguments = [Value(f"%s{i}", scalar) for i in range(2 * len(inputs))]
    body = region(
        arguments,
        [f"%r0 = stablehlo.compare LT, %s0, %s1 : ({scalar}, {scalar}) -> tensor<i1>"],
        "stablehlo.return %r0 : tensor<i1>",
    )
    attributes = [f"dimension = {b.rng.randrange(x.type.rank)} : i64", "is_stable = true"]
    b.op("stablehlo.sort", inputs, [x.type] * len(inputs), attributes, [body])


# Linear algebra, transforms, random numbers ------------------------------------------------------


@kind("fft")
def fft(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element == "f32"))
    if x is not None and 0 not in x.type.static:
        rank = b.rng.randint(1, min(2, x.type.rank))
        *lead, last = x.type.static
        result = Type((*lead, last // 2 + 1), "complex<f32>")
        attributes = ["fft_type = #stablehlo<fft_type RFFT>", f"fft_length = {i64s(x.type.static[-rank:])}"]
        b.op("stablehlo.fft", [x], [result], attributes)


@kind("cholesky")
def cholesky(b: Block) -> None:
    size = b.rng.choice([2, 4, 8])
    x = b.tensor((*b.rng.choice([(), (2,), (8,)]), size, size))
    b.op("stablehlo.cholesky", [x], [x.type], ["lower = true"])


@kind("triangular_solve")
def triangular_solve(b: Block) -> None:
    size, columns, lead = b.rng.choice([2, 4, 8]), b.rng.choice([2, 4, 6]), b.rng.choice([(), (4,)])
    left = b.rng.choice(["true", "false"])
    x = b.tensor((*lead, *((size, columns) if left == "true" else (columns, size))))
    transposed = b.rng.choice(["NO_TRANSPOSE", "TRANSPOSE"])
    attributes = [
        f"left_side = {left}",
        "lower = true",
        "unit_diagonal = false",
        f"transpose_a = #stablehlo<transpose {transposed}>",
    ]
    b.op("stablehlo.triangular_solve", [b.tensor((*lead, size, size)), x], [x.type], attributes)


@kind("rng_bit_generator")
def rng_bit_generator(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        state = b.tensor((2,), "ui64")
        attributes = ["rng_algorithm = #stablehlo<rng_algorithm DEFAULT>"]
        b.ops("stablehlo.rng_bit_generator", [state], [state.type, x.type.of("ui32")], attributes)


@kind("rng")
def rng_(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element == "f32"))
    if x is not None:
        shape = b.op(
            "stablehlo.constant",
            [],
            [Type((x.type.rank,), "i64")],
            [f"value = dense<[{', '.join(map(str, x.type.static))}]> : tensor<{x.type.rank}xi64>"],
            annotate=False,
        )
        operands = [b.tensor(()), b.tensor(()), shape]
        b.op("stablehlo.rng", operands, [x.type], ["rng_distribution = #stablehlo<rng_distribution UNIFORM>"])


# Other -------------------------------------------------------------------------------------------


@kind("optimization_barrier")
def optimization_barrier(b: Block) -> None:
    values = [value for value in (b.pick() for _ in range(b.rng.randint(1, 3))) if value is not None]
    if values:
        b.ops("stablehlo.optimization_barrier", values, [value.type for value in values])


@kind("custom_call")
def custom_call(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        targets = ["annotate_device_placement", "MoveToHost", "mhlo.erf"]
        target = b.rng.choice([*targets, "sdy_testonly", "foo"] if b.features.delicate else targets)
        rule = [] if target != "foo" else _identity_rule(b, x.type)
        if target != "foo" or rule:
            b.op("stablehlo.custom_call", [x], [x.type], [f'call_target_name = "{target}"', *rule])


def _identity_rule(b: Block, type_: Type) -> list[str]:
    """A user's rule for a call of an unknown target: pass through, with some factors of another kind."""
    if not b.features.custom_rules:
        return []
    factors = "ijklmn"[: type_.rank]
    dims = ", ".join(factors)
    text = f"([{dims}])->([{dims}])"
    if factors:
        text += f" {{{', '.join(f'{f}={size}' for f, size in zip(factors, type_.static, strict=True))}}}"
    if factors and b.rng.random() < 0.4:
        text += f" {b.rng.choice(['need_replication', 'permutation', 'blocked_propagation'])}={{{factors[0]}}}"
    return [f"sdy.sharding_rule = #sdy.op_sharding_rule<{text}, custom>"]


@kind("custom_call_topk")
def custom_call_topk(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is not None:
        *lead, last = x.type.static
        result = Type((*lead, b.rng.randint(1, max(last, 1))), x.type.element)
        b.op("stablehlo.custom_call", [x], [result, result.of("i32")], ['call_target_name = "mhlo.topk"'])


@kind("token")
def token(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is None or not b.features.tokens:
        return
    attributes = ['call_target_name = "xla_ffi_python_cpu_callback"', "has_side_effect = true"]
    first = b.ops("stablehlo.custom_call", [x, b.token()], [x.type, TOKEN], attributes)
    if b.rng.random() < 0.5:
        b.op("stablehlo.after_all", [first[1], b.token()], [TOKEN])


# sdy ---------------------------------------------------------------------------------------------


@kind("sharding_constraint", "reshard")
def sharding_constraint(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is None or not b.features.constraints:
        return
    count = b.rng.choice([1, 1, 1, 2, 3])
    for _ in range(count):
        name = "sharding_constraint" if b.rng.random() < 0.85 else "reshard"
        result = b.results([x.type])[0]
        b.lines.append(f"{result.name} = sdy.{name} {x.name} {b.sharding(x.type)} : {x.type}")
        b.values.append(result)
        if b.rng.random() < 0.6:
            x = result


@kind("propagation_barrier")
def propagation_barrier(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None and b.features.barriers:
        result = b.results([x.type])[0]
        direction = b.rng.choice(["FORWARD", "BACKWARD", "NONE"])
        b.lines.append(f"{result.name} = sdy.propagation_barrier {x.name} allowed_direction={direction} : {x.type}")
        b.values.append(result)


@kind("sharding_group")
def sharding_group(b: Block) -> None:
    """Puts one value, or two of the same shape, into a group. A group's members share shape and manual computation."""
    x = b.pick(static_tensor)
    if x is None or not b.features.groups:
        return
    program, messy = b.program, b.features.messy_groups
    fitting = [i for i, (shape, scope) in program.groups.items() if shape == x.type.shape and scope is b.scope]
    if fitting and b.rng.random() < 0.6:
        group = b.rng.choice(fitting)
    else:
        group = len(program.groups) if not messy else 1 + 7 * len(program.groups) % 40
        program.groups[group] = (x.type.static, b.scope)
    others = [value for value in b.visible() if value.type.shape == x.type.shape]
    for value in [x, b.rng.choice(others)]:
        if messy or value.name not in program.grouped:
            program.grouped.add(value.name)
            b.lines.append(f"sdy.sharding_group {value.name} group_id={group} : {value.type}")
