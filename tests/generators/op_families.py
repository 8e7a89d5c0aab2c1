"""How the types and attributes of each kind of op are drawn.

Sizes are small and often 1; sizes 0, square and coprime ones occur. What an op demands of its types is respected, what
its sharding rule depends on is varied.
"""

from __future__ import annotations

from random import Random

from tests.generators.op_instances import OpInstance, Shape, array, combiner, generator, pairs, tensor

SIZES = [1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 15, 16, 20, 24]


def size(rng: Random) -> int:
    return 0 if rng.random() < 0.01 else rng.choice(SIZES)


def shape(rng: Random, least: int = 0, most: int = 4) -> Shape:
    return [size(rng) for _ in range(rng.randint(least, most))]


def subset(rng: Random, number: int, count: int | None = None) -> list[int]:
    """Some of 0, 1, ... `number` - 1, ascending."""
    return sorted(rng.sample(range(number), rng.randint(0, number) if count is None else count))


# Pointwise ops -----------------------------------------------------------------------------------

_FLOAT_UNARY = (
    "cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic round_nearest_afz "
    "round_nearest_even rsqrt sine sqrt tan tanh sign negate"
).split()


@generator(*(f"stablehlo.{name}" for name in _FLOAT_UNARY))
def float_unary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng))
    return OpInstance(kind, [type_], [type_])


@generator("stablehlo.count_leading_zeros", "stablehlo.not", "stablehlo.popcnt")
def integer_unary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "i32")
    return OpInstance(kind, [type_], [type_])


@generator("stablehlo.abs", "stablehlo.real", "stablehlo.imag")
def complex_unary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    return OpInstance(kind, [tensor(sizes, "complex<f32>")], [tensor(sizes)])


@generator("stablehlo.is_finite", "stablehlo.convert", "stablehlo.reduce_precision")
def other_unary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    result = {"stablehlo.is_finite": "i1", "stablehlo.convert": "f16"}.get(kind, "f32")
    attributes = "exponent_bits = 5 : i32, mantissa_bits = 10 : i32" if kind.endswith("precision") else ""
    return OpInstance(kind, [tensor(sizes)], [tensor(sizes, result)], attributes)


_BINARY = (
    "add and atan2 divide maximum minimum multiply or power remainder shift_left shift_right_arithmetic "
    "shift_right_logical subtract xor"
).split()


@generator(*(f"stablehlo.{name}" for name in _BINARY))
def binary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "f32" if kind.endswith("atan2") else "i32")
    return OpInstance(kind, [type_, type_], [type_])


@generator("stablehlo.compare", "stablehlo.complex")
def other_binary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    compares = kind.endswith("compare")
    attributes = "comparison_direction = #stablehlo<comparison_direction LT>" if compares else ""
    return OpInstance(kind, [tensor(sizes)] * 2, [tensor(sizes, "i1" if compares else "complex<f32>")], attributes)


@generator("stablehlo.clamp")
def clamp(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng))
    low, high = rng.choice([(type_, type_), (tensor([]), tensor([])), (type_, tensor([]))])
    return OpInstance(kind, [low, type_, high], [type_])


@generator("stablehlo.select")
def select(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    return OpInstance(kind, [tensor(rng.choice([sizes, []]), "i1"), tensor(sizes), tensor(sizes)], [tensor(sizes)])


# Collectives -------------------------------------------------------------------------------------


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


# Slices, paddings and the like -------------------------------------------------------------------


@generator("stablehlo.slice")
def slice_(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    starts, limits, strides, result = [], [], [], []
    for extent in sizes:
        start = rng.randint(0, extent) if rng.random() < 0.5 else 0
        limit = rng.randint(start, extent) if rng.random() < 0.5 else extent
        stride = rng.choice([1, 1, 2])
        starts.append(start)
        limits.append(limit)
        strides.append(stride)
        result.append(-(-(limit - start) // stride))
    attributes = f"start_indices = {array(starts)}, limit_indices = {array(limits)}, strides = {array(strides)}"
    return OpInstance(kind, [tensor(sizes)], [tensor(result)], attributes)


def _smaller(rng: Random, sizes: Shape) -> Shape:
    return [rng.choice([extent, extent, rng.randint(min(1, extent), extent)]) for extent in sizes]


@generator("stablehlo.dynamic_slice")
def dynamic_slice(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)  # StableHLO cannot read what it prints for a scalar
    result = _smaller(rng, sizes)
    indices = [tensor([], "i32")] * len(sizes)
    return OpInstance(kind, [tensor(sizes), *indices], [tensor(result)], f"slice_sizes = {array(result)}")


@generator("stablehlo.dynamic_update_slice")
def dynamic_update_slice(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    indices = [tensor([], "i32")] * len(sizes)
    if rng.random() < 0.5:
        return OpInstance(kind, [tensor(sizes), tensor(_smaller(rng, sizes)), *indices], [tensor(sizes)])
    arguments = [tensor(sizes), tensor(_smaller(rng, sizes))]
    operands = [("%a0", arguments[0]), ("%a1", arguments[1]), *(("%c", tensor([], "i32")) for _ in sizes)]
    before = "%c = stablehlo.constant dense<0> : tensor<i32>"
    return OpInstance(kind, arguments, [tensor(sizes)], operands=operands, before=before)


@generator("stablehlo.pad")
def pad(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    low, high, interior, result = [], [], [], []
    for extent in sizes:
        before, after, between = rng.choice([0, 0, 1, 2, -1]), rng.choice([0, 0, 1, -1]), rng.choice([0, 0, 0, 1])
        if extent + max(extent - 1, 0) * between + before + after < 0:
            before = after = 0
        low.append(before)
        high.append(after)
        interior.append(between)
        result.append(extent + max(extent - 1, 0) * between + before + after)
    attributes = (
        f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(interior)}"
    )
    return OpInstance(kind, [tensor(sizes), tensor([])], [tensor(result)], attributes)


@generator("stablehlo.reverse")
def reverse(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    dims = subset(rng, len(sizes))
    rng.shuffle(dims)
    return OpInstance(kind, [tensor(sizes)], [tensor(sizes)], f"dimensions = {array(dims)}")


@generator("stablehlo.concatenate")
def concatenate(rng: Random, kind: str) -> OpInstance:
    """Operands are arguments, or slices of the arguments."""
    sizes = shape(rng, 1)
    dim = rng.randrange(len(sizes))
    type_ = tensor(sizes)
    arguments = [type_] * rng.randint(1, 2)
    before: list[str] = []
    operands: list[tuple[str, str]] = []
    total = 0
    slice_chance = rng.choice([0.0, 0.5, 1.0])
    for number in range(rng.randint(1, 3)):
        source = f"%a{rng.randrange(len(arguments))}"
        if rng.random() >= slice_chance:
            operands.append((source, type_))
            total += sizes[dim]
            continue
        limits = list(sizes)
        limits[dim] = rng.randint(0, sizes[dim])
        result = tensor(limits)
        attributes = f"start_indices = {array([0] * len(sizes))}, limit_indices = {array(limits)}"
        attributes += f", strides = {array([1] * len(sizes))}"
        before.append(f'%s{number} = "stablehlo.slice"({source}) {{{attributes}}} : ({type_}) -> {result}')
        if rng.random() < 0.1:
            before.append(f"%t{number} = stablehlo.negate %s{number} : {result}")
        operands.append((f"%{'t' if 't' in before[-1][:2] else 's'}{number}", result))
        total += limits[dim]
    result = tensor([*sizes[:dim], total, *sizes[dim + 1 :]])
    return OpInstance(
        kind, arguments, [result], f"dimension = {dim} : i64", operands=operands, before="\n".join(before)
    )


@generator("stablehlo.sort")
def sort(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    if rng.random() < 0.3:
        sizes = [1 if rng.random() < 0.8 else extent for extent in sizes]
    count = rng.randint(1, 2)
    scalars = [f"%x{number}: tensor<f32>" for number in range(2 * count)]
    region = (
        f"{{^bb0({', '.join(scalars)}):\n"
        '  %z = "stablehlo.compare"(%x0, %x1) {comparison_direction = #stablehlo<comparison_direction LT>} '
        ': (tensor<f32>, tensor<f32>) -> tensor<i1>\n  "stablehlo.return"(%z) : (tensor<i1>) -> ()\n}'
    )
    dim = rng.randint(-len(sizes), len(sizes) - 1)
    attributes = rng.choice([f"dimension = {dim} : i64, is_stable = true", f"dimension = {dim} : i64", ""])
    return OpInstance(kind, [tensor(sizes)] * count, [tensor(sizes)] * count, attributes, region)


# Windows -----------------------------------------------------------------------------------------


def _windowed(extent: int, window: int, stride: int, low: int, high: int, base: int = 1, dilation: int = 1) -> int:
    """Number of window positions; negative if the padded dimension is impossible."""
    padded = (0 if extent == 0 else (extent - 1) * base + 1) + low + high
    span = 0 if window == 0 else (window - 1) * dilation + 1
    if padded < 0:
        return -1
    return 0 if padded == 0 or span > padded else (padded - span) // stride + 1


@generator("stablehlo.reduce_window")
def reduce_window(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    windows, strides, padding, bases, dilations, result = [], [], [], [], [], []
    for extent in sizes:
        while True:
            window, stride = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2])
            pads = rng.choice([(0, 0), (0, 0), (1, 1), (0, 1), (1, -1)])
            base, dilation = rng.choice([1, 1, 1, 2]), rng.choice([1, 1, 1, 2])
            positions = _windowed(extent, window, stride, *pads, base, dilation)
            if positions >= 0:
                break
        windows.append(window)
        strides.append(stride)
        padding.append(pads)
        bases.append(base)
        dilations.append(dilation)
        result.append(positions)
    attributes = [f"window_dimensions = {array(windows)}"]
    optional = {
        "window_strides": (array(strides), all(stride == 1 for stride in strides)),
        "base_dilations": (array(bases), all(base == 1 for base in bases)),
        "window_dilations": (array(dilations), all(dilation == 1 for dilation in dilations)),
        "padding": (pairs(padding), all(pads == (0, 0) for pads in padding)),
    }
    for name, (text, is_default) in optional.items():
        if not is_default or (sizes and rng.random() < 0.5):
            attributes.append(f"{name} = {text}")
    return OpInstance(
        kind, [tensor(sizes), tensor([])], [tensor(result)], ", ".join(attributes), combiner("stablehlo.add")
    )


@generator("stablehlo.select_and_scatter")
def select_and_scatter(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    windows, strides, padding, source = [], [], [], []
    for extent in sizes:
        while True:
            window, stride = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2])
            pads = rng.choice([(0, 0), (0, 0), (1, 1), (0, 1)])
            positions = _windowed(extent, window, stride, *pads)
            if positions >= 0:
                break
        windows.append(window)
        strides.append(stride)
        padding.append(pads)
        source.append(positions)
    attributes = [f"window_dimensions = {array(windows)}"]
    if any(stride != 1 for stride in strides):
        attributes.append(f"window_strides = {array(strides)}")
    if any(pads != (0, 0) for pads in padding):
        attributes.append(f"padding = {pairs(padding)}")
    select = combiner("stablehlo.compare GE,").replace(
        "%x, %y : tensor<f32>", "%x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    )
    select = select.replace("(%z) : (tensor<f32>)", "(%z) : (tensor<i1>)")
    return OpInstance(
        kind,
        [tensor(sizes), tensor(source), tensor([])],
        [tensor(sizes)],
        ", ".join(attributes),
        f"{select}, {combiner('stablehlo.add')}",
    )


# Dimension maps ----------------------------------------------------------------------------------


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
    lhs, lhs_dims = _shuffled(rng, batch + contract + lhs_free)
    rhs, rhs_dims = _shuffled(rng, batch + contract + rhs_free)
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


def _shuffled(rng: Random, sizes: Shape) -> tuple[Shape, list[int]]:
    """The sizes in another order, and where each went."""
    places = rng.sample(range(len(sizes)), len(sizes))
    shuffled = [0] * len(sizes)
    for place, extent in zip(places, sizes, strict=True):
        shuffled[place] = extent
    return shuffled, places


@generator("stablehlo.dot")
def dot(rng: Random, kind: str) -> OpInstance:
    inner = size(rng)
    lhs, rhs = shape(rng, 0, 1), shape(rng, 0, 1)
    return OpInstance(kind, [tensor([*lhs, inner]), tensor([inner, *rhs])], [tensor(lhs + rhs)])


@generator("stablehlo.reduce")
def reduce(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    dims = subset(rng, len(sizes))
    count = rng.randint(1, 2)
    result = tensor(extent for dim, extent in enumerate(sizes) if dim not in dims)
    scalars = ", ".join(f"%x{number}: tensor<f32>" for number in range(2 * count))
    returned = ", ".join(f"%x{number}" for number in range(count))
    types = ", ".join(["tensor<f32>"] * count)
    region = f'{{^bb0({scalars}):\n  "stablehlo.return"({returned}) : ({types}) -> ()\n}}'
    return OpInstance(
        kind,
        [tensor(sizes)] * count + [tensor([])] * count,
        [result] * count,
        f"dimensions = {array(dims)}",
        region,
    )


# Convolution -------------------------------------------------------------------------------------


def _layout(order: list[int], names: tuple[str, str]) -> str:
    """Text like `[b, 0, f, 1]`: what each dimension is, given the places of the two named ones and the spatial ones."""
    labels = [""] * len(order)
    for label, place in zip([*names, *map(str, range(len(order) - 2))], order, strict=True):
        labels[place] = label
    return f"[{', '.join(labels)}]"


def _placed(order: list[int], sizes: Shape) -> Shape:
    placed = [0] * len(order)
    for place, extent in zip(order, sizes, strict=True):
        placed[place] = extent
    return placed


@generator("stablehlo.convolution")
def convolution(rng: Random, kind: str) -> OpInstance:
    rank = rng.randint(0, 3)
    batch_groups, feature_groups = rng.choice([(1, 1), (1, 1), (rng.choice([2, 4]), 1), (1, rng.choice([2, 4]))])
    batch, features = size(rng) or 1, size(rng) or 1
    out_features = (size(rng) or 1) * batch_groups * feature_groups
    spatial, kernel, output, attributes = _spatial(rng, rank)
    orders = [rng.sample(range(rank + 2), rank + 2) for _ in range(3)]
    lhs = _placed(orders[0], [batch * batch_groups, features * feature_groups, *spatial])
    rhs = _placed(orders[1], [features, out_features, *kernel])
    result = _placed(orders[2], [batch, out_features, *output])
    layouts = [
        _layout(orders[0], ("b", "f")),
        _layout(orders[1], ("i", "o")),
        _layout(orders[2], ("b", "f")),
    ]
    attributes += [
        f"dimension_numbers = #stablehlo.conv<{layouts[0]}x{layouts[1]}->{layouts[2]}>",
        f"batch_group_count = {batch_groups} : i64",
        f"feature_group_count = {feature_groups} : i64",
    ]
    return OpInstance(kind, [tensor(lhs), tensor(rhs)], [tensor(result)], ", ".join(attributes))


def _spatial(rng: Random, rank: int) -> tuple[Shape, Shape, Shape, list[str]]:
    """Spatial sizes of lhs, kernel and output, and the attributes that relate them."""
    spatial, kernel, output, strides, padding, bases, dilations = [], [], [], [], [], [], []
    for _ in range(rank):
        while True:
            extent, window, stride = size(rng), rng.choice([1, 1, 2, 3, 5, 8]), rng.choice([1, 1, 1, 2, 3])
            base, dilation = rng.choice([1, 1, 1, 2]), rng.choice([1, 1, 1, 2])
            low, high = rng.choice([(0, 0), (0, 0), (1, 1), (0, 1), (2, 2), (1, -1)])
            positions = _windowed(extent, window, stride, low, high, base, dilation)
            if positions > 0 or (positions == 0 and rng.random() < 0.05):
                break
        spatial.append(extent)
        kernel.append(window)
        output.append(positions)
        strides.append(stride)
        padding.append((low, high))
        bases.append(base)
        dilations.append(dilation)
    attributes = [
        f"window_strides = {array(strides)}",
        f"padding = {pairs(padding)}",
        f"lhs_dilation = {array(bases)}",
        f"rhs_dilation = {array(dilations)}",
    ]
    return spatial, kernel, output, attributes


# Gather and scatter ------------------------------------------------------------------------------


class _Indexed:
    """The dimensions of a gather or scatter: of the input, of the indices, and of the slices."""

    def __init__(self, rng: Random) -> None:
        self.input = [extent or 1 for extent in shape(rng, 1, 4)]
        rank = len(self.input)
        shuffled = rng.sample(range(rank), rank)
        batching = rng.randint(0, min(2, rank)) if rng.random() < 0.5 else 0
        self.input_batching = shuffled[:batching]
        self.dropped = sorted(shuffled[batching : batching + rng.randint(0, rank - batching)])
        if rng.random() < 0.5:
            # Batching dimensions of the input need not ascend in what is verified as long as they are sorted.
            self.input_batching.sort()
        self.input_batching.sort()
        window = [dim for dim in range(rank) if dim not in self.dropped and dim not in self.input_batching]
        self.slice_sizes = [
            rng.choice([self.input[dim], 1, rng.randint(1, self.input[dim])]) if dim in window else 1
            for dim in range(rank)
        ]
        # Dimensions of the indices: the batching ones, others, and the one that holds the index vector.
        batch = [self.input[dim] for dim in self.input_batching] + [extent or 1 for extent in shape(rng, 0, 2)]
        batch, places = _shuffled(rng, batch)
        indexed = [dim for dim in range(rank) if dim not in self.input_batching]
        self.index_map = rng.sample(indexed, rng.randint(0, len(indexed)))
        self.index_vector_dim = rng.randint(0, len(batch))
        self.indices = list(batch)
        if len(self.index_map) == 1 and rng.random() < 0.5:
            self.index_vector_dim = len(batch)
        else:
            self.indices.insert(self.index_vector_dim, len(self.index_map))
        has_vector_dim = len(self.indices) > len(batch)
        self.indices_batching = [
            place + (has_vector_dim and place >= self.index_vector_dim) for place in places[:batching]
        ]
        # Dimensions of the slices: those of the window in order, among those of the batch in order.
        self.window_dims = subset(rng, len(batch) + len(window), len(window))
        sizes = {True: iter(self.slice_sizes[dim] for dim in window), False: iter(batch)}
        self.slices = [next(sizes[dim in self.window_dims]) for dim in range(len(batch) + len(window))]


@generator("stablehlo.gather")
def gather(rng: Random, kind: str) -> OpInstance:
    dims = _Indexed(rng)
    numbers = {
        "offset_dims": dims.window_dims,
        "collapsed_slice_dims": dims.dropped,
        "operand_batching_dims": dims.input_batching,
        "start_indices_batching_dims": dims.indices_batching,
        "start_index_map": dims.index_map,
        "index_vector_dim": dims.index_vector_dim,
    }
    attributes = (
        f"dimension_numbers = #stablehlo.gather<{_numbers(numbers)}>, slice_sizes = {array(dims.slice_sizes)}, "
        "indices_are_sorted = false"
    )
    return OpInstance(kind, [tensor(dims.input), tensor(dims.indices, "i32")], [tensor(dims.slices)], attributes)


def _numbers(numbers: dict[str, list[int] | int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in numbers.items() if value != [])


@generator("stablehlo.scatter")
def scatter(rng: Random, kind: str) -> OpInstance:
    dims = _Indexed(rng)
    numbers = {
        "update_window_dims": dims.window_dims,
        "inserted_window_dims": dims.dropped,
        "input_batching_dims": dims.input_batching,
        "scatter_indices_batching_dims": dims.indices_batching,
        "scatter_dims_to_operand_dims": dims.index_map,
        "index_vector_dim": dims.index_vector_dim,
    }
    count = rng.choice([1, 1, 2])
    element_type = rng.choice(["f32", "i32", "i1"])
    inputs = [tensor(dims.input, element_type)] * count
    updates = [tensor(dims.slices, element_type)] * count
    return OpInstance(
        kind,
        [*inputs, tensor(dims.indices, "i32"), *updates],
        inputs,
        f"scatter_dimension_numbers = #stablehlo.scatter<{_numbers(numbers)}>",
        _scatter_body(rng, count, element_type),
    )


def _scatter_body(rng: Random, count: int, element_type: str) -> str:
    ops = (
        ["add", "multiply", "maximum", "minimum", "subtract"] if element_type == "f32" else ["add", "and", "or", "xor"]
    )
    ops = [rng.choice(ops)] * count if rng.random() < 0.8 else [rng.choice(ops) for _ in range(count)]
    scalar = tensor([], element_type)
    lines = [f"{{^bb0({', '.join(f'%x{number}: {scalar}' for number in range(2 * count))}):"]
    returned = []
    for number, op in enumerate(ops):
        operands = [f"%x{number}", f"%x{number + count}"]
        if rng.random() < 0.3:
            operands.reverse()
        if rng.random() < 0.1:
            operands[0] = "%x0"
        if rng.random() < 0.1:
            returned.append(f"%x{number + count}")
            continue
        lines.append(f"  %z{number} = stablehlo.{op} {', '.join(operands)} : {scalar}")
        returned.append(f"%z{number}")
    lines.append(f'  "stablehlo.return"({", ".join(returned)}) : ({", ".join([scalar] * count)}) -> ()\n}}')
    return "\n".join(lines)


# Linear algebra and the rest ---------------------------------------------------------------------


@generator("stablehlo.cholesky")
def cholesky(rng: Random, kind: str) -> OpInstance:
    order = size(rng)
    type_ = tensor([*shape(rng, 0, 2), order, order])
    return OpInstance(kind, [type_], [type_], "lower = true")


@generator("stablehlo.triangular_solve")
def triangular_solve(rng: Random, kind: str) -> OpInstance:
    batch, order, other = shape(rng, 0, 2), size(rng), size(rng)
    left = rng.random() < 0.5
    b = tensor([*batch, order, other] if left else [*batch, other, order])
    transpose = rng.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    attributes = (
        f"left_side = {str(left).lower()}, lower = true, unit_diagonal = false, "
        f"transpose_a = #stablehlo<transpose {transpose}>"
    )
    return OpInstance(kind, [tensor([*batch, order, order]), b], [b], attributes)


@generator("stablehlo.batch_norm_inference")
def batch_norm_inference(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    feature = rng.randrange(len(sizes))
    attributes = f"epsilon = 0.1 : f32, feature_index = {feature} : i64"
    return OpInstance(kind, [tensor(sizes), *[tensor([sizes[feature]])] * 4], [tensor(sizes)], attributes)


@generator("stablehlo.fft")
def fft(rng: Random, kind: str) -> OpInstance:
    sizes = [extent or 1 for extent in shape(rng, 1)]
    count = rng.randint(1, min(3, len(sizes)))
    halved = [*sizes[:-1], sizes[-1] // 2 + 1]
    form = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    operand, result = {
        "RFFT": (tensor(sizes), tensor(halved, "complex<f32>")),
        "IRFFT": (tensor(halved, "complex<f32>"), tensor(sizes)),
    }.get(form, (tensor(sizes, "complex<f32>"),) * 2)
    attributes = f"fft_type = #stablehlo<fft_type {form}>, fft_length = {array(sizes[-count:])}"
    return OpInstance(kind, [operand], [result], attributes)


@generator("stablehlo.rng_bit_generator")
def rng_bit_generator(rng: Random, kind: str) -> OpInstance:
    state = tensor([rng.choice([2, 3])], "ui64")
    attributes = "rng_algorithm = #stablehlo<rng_algorithm DEFAULT>"
    return OpInstance(kind, [state], [state, tensor(shape(rng), "ui32")], attributes)


# Custom calls ------------------------------------------------------------------------------------


def _call(target: str) -> str:
    return f'call_target_name = "{target}"'


_CALL = "stablehlo.custom_call"


_POINTWISE_TARGETS = """
    annotate_device_placement Cholesky CompactWyHelper InspectSharding InvertDiagBlocksLowerTriangular
    InvertDiagBlocksUpperTriangular LayoutConstraint mhlo.erf MoveToDevice MoveToHost X64SplitHigh X64SplitLow
    xla.megascale.provide_metadata _SPMDInternalOp_MultiPad _SPMDInternalOp_MultiRotate _SPMDInternalOp_MultiSlice
    _SPMDInternalOp_RotateRight _SPMDInternalOp_Wrap
    """.split()

_TARGETS_WITHOUT_RULE = """
    sdy_testonly tpu_custom_call xla_python_cpu_callback xla_python_gpu_callback xla_ffi_python_cpu_callback
    xla_ffi_python_gpu_callback xla.debug.Log unknown
    """.split()


@generator(*_POINTWISE_TARGETS, *_TARGETS_WITHOUT_RULE)
def pointwise_call(rng: Random, kind: str) -> OpInstance:
    result = shape(rng)
    operands = [tensor(shape(rng, 0, len(result))) for _ in range(rng.randint(1, 3))]
    results = [tensor(result), *(tensor(shape(rng, 0, len(result))) for _ in range(rng.randint(0, 1)))]
    return OpInstance(_CALL, operands, results, _call(kind))


@generator("X64Combine")
def x64_combine(rng: Random, kind: str) -> OpInstance:
    if rng.random() < 0.5:
        type_ = tensor(shape(rng), "ui32")
        return OpInstance(_CALL, [type_, type_], [type_], _call(kind))
    half, whole = tensor([2], "ui32"), tensor([2], "ui64")
    after = (
        '%s:2 = "stablehlo.rng_bit_generator"(%r#0) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} '
        f": ({whole}) -> ({whole}, tensor<4xui32>)"
    )
    return OpInstance(_CALL, [half, half], [whole], _call(kind), after=after)


@generator("Eigh")
def eigh(rng: Random, kind: str) -> OpInstance:
    batch, order = shape(rng, 0, 2), size(rng)
    matrix = tensor([*batch, order, order])
    return OpInstance(_CALL, [matrix], [matrix, tensor([*batch, order])], _call(kind))


@generator("Qr", "QrDecompositionBlock")
def qr(rng: Random, kind: str) -> OpInstance:
    batch, rows, columns = shape(rng, 0, 2), size(rng), size(rng)
    matrix = tensor([*batch, rows, columns])
    return OpInstance(_CALL, [matrix], [matrix, tensor([*batch, min(rows, columns)])], _call(kind))


@generator("ProductOfElementaryHouseholderReflectors")
def householder_product(rng: Random, kind: str) -> OpInstance:
    batch, rows, columns = shape(rng, 0, 2), size(rng), size(rng)
    matrix = tensor([*batch, rows, columns])
    return OpInstance(_CALL, [matrix, tensor([*batch, rng.randint(0, columns)])], [matrix], _call(kind))


@generator("mhlo.topk", "TopK")
def top_k(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    result = [*sizes[:-1], rng.choice([sizes[-1], rng.randint(0, sizes[-1])])]
    return OpInstance(_CALL, [tensor(sizes)], [tensor(result), tensor(result, "i32")], _call(kind))


@generator("ApproxTopK", "PartialReduce")
def partial_reduce(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    dim = rng.randrange(len(sizes))
    result = [*sizes[:dim], rng.randint(0, sizes[dim]), *sizes[dim + 1 :]]
    operands = [tensor(sizes), tensor(sizes, "i32"), tensor([]), tensor([], "i32")]
    return OpInstance(_CALL, operands, [tensor(result), tensor(result, "i32")], _call(kind))
