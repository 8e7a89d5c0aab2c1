"""Ops that compute: elementwise, normalization, products, reductions, linear algebra."""

from __future__ import annotations

from random import Random

from tests.generators.typed_ops.case import Case, cases
from tests.generators.typed_ops.drawing import (
    COMPLEX,
    bools,
    element,
    i64,
    ints,
    matrix,
    per_axis,
    relaxed,
    scalar_body,
    shape,
    subset,
    tensor,
)

_UNARY = {
    "F|C|QT": "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh",
    "F|QT": "ceil floor round_nearest_afz round_nearest_even is_finite",
    "SI|F|C|QT": "sign abs",
    "I|F|C|QT": "negate",
    "Pred|I": "not",
    "I": "count_leading_zeros popcnt",
    "F|C": "real imag chlo.acos chlo.acosh chlo.asin chlo.asinh chlo.atan chlo.atanh chlo.conj chlo.cosh chlo.sinh "
    "chlo.square chlo.tan",
    "F": "chlo.bessel_i1e chlo.digamma chlo.erf chlo.erf_inv chlo.erfc chlo.lgamma chlo.is_inf chlo.is_neg_inf "
    "chlo.is_pos_inf",
    "C": "chlo._asin_acos_kernel",
}
_BINARY = {
    "Any": "add maximum minimum multiply",
    "Pred|I": "and or xor",
    "F|C|QT": "atan2",
    "I|F|C|QT": "divide power remainder subtract",
    "I": "shift_left shift_right_arithmetic shift_right_logical chlo.mulhi",
    "F": "chlo.next_after chlo.polygamma chlo.zeta",
}
_BROADCASTING = {
    "Any": "add atan2 divide maximum minimum multiply next_after polygamma power remainder shift_left "
    "shift_right_arithmetic shift_right_logical subtract compare",
    "Pred|I": "and or xor",
    "F": "zeta",
    "f32|f64": "complex",
}


def _full(name: str) -> str:
    return name if "." in name else f"stablehlo.{name}"


_SET_OF = {
    _full(name): union for table in (_UNARY, _BINARY) for union, names in table.items() for name in names.split()
}
_BROADCAST_SET_OF = {
    f"chlo.broadcast_{name}": union for union, names in _BROADCASTING.items() for name in names.split()
}


@cases(" ".join(" ".join(_UNARY.values()).split()))
def unary(rng: Random, name: str) -> Case:
    attributes = {}
    if name.removeprefix("stablehlo.") in _UNARY["F|C|QT"].split() and rng.random() < 0.3:
        attributes["result_accuracy"] = rng.choice(
            [
                "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
                "#stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
            ]
        )
    return Case(name, (relaxed(rng, shape(rng), element(rng, _SET_OF[name])),), attributes)


@cases(" ".join(" ".join(_BINARY.values()).split()))
def binary(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, _SET_OF[name])
    if name.endswith(".add") and dims and rng.random() < 0.2:
        axis = rng.randrange(len(dims))
        type_ = per_axis(rng, axis, dims[axis])
        return Case(name, (tensor(dims, type_),) * 2)
    return Case(name, (relaxed(rng, dims, type_), relaxed(rng, dims, type_)))


@cases(" ".join(_BROADCAST_SET_OF))
def broadcasting(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, _BROADCAST_SET_OF[name])
    narrow = [1 if rng.random() < 0.3 else size for size in dims[rng.randint(0, len(dims)) :]]
    attributes = {}
    if name.endswith("compare"):
        attributes["comparison_direction"] = "#chlo<comparison_direction EQ>"
    if rng.random() < 0.4:
        attributes["broadcast_dimensions"] = ints(range(len(dims) - len(narrow), len(dims)))
    operands = [tensor(narrow, type_), relaxed(rng, dims, type_, 0.1)]
    rng.shuffle(operands)
    return Case(name, tuple(operands), attributes)


@cases("chlo.broadcast_select")
def broadcast_select(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, "Any")
    parts = [dims[rng.randint(0, len(dims)) :] for _ in range(3)]
    return Case(name, (tensor(parts[0], "i1"), tensor(parts[1], type_), tensor(parts[2], type_)))


@cases("reduce_precision")
def reduce_precision(rng: Random, name: str) -> Case:
    attributes = {"exponent_bits": "5 : i32", "mantissa_bits": f"{rng.choice([0, 2, 10])} : i32"}
    return Case(name, (relaxed(rng, shape(rng), element(rng, "F|QT")),), attributes)


@cases("complex")
def complex_(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), rng.choice(["f32", "f64"])
    return Case(name, (relaxed(rng, dims, type_), relaxed(rng, dims, type_)))


@cases("compare")
def compare(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, "Any")
    attributes = {"comparison_direction": "#stablehlo<comparison_direction LT>"}
    if rng.random() < 0.3:
        attributes["compare_type"] = f"#stablehlo<comparison_type {_compare_type(type_)}>"
    return Case(name, (relaxed(rng, dims, type_), relaxed(rng, dims, type_)), attributes)


def _compare_type(type_: str) -> str:
    if type_ == "i1" or type_.startswith("ui"):
        return "UNSIGNED"
    return "SIGNED" if type_.startswith("i") else "FLOAT"


@cases("select")
def select(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, "Any")
    pred = relaxed(rng, dims if rng.random() < 0.6 else [], "i1")
    return Case(name, (pred, relaxed(rng, dims, type_), relaxed(rng, dims, type_)))


@cases("clamp")
def clamp(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng), element(rng, "Any")
    limits = [relaxed(rng, dims if rng.random() < 0.5 else [], type_) for _ in range(2)]
    return Case(name, (limits[0], relaxed(rng, dims, type_), limits[1]))


@cases("convert")
def convert(rng: Random, name: str) -> Case:
    dims, sets = shape(rng), "F|Pred|I|C"
    return Case(name, (relaxed(rng, dims, element(rng, sets)),), results=(relaxed(rng, dims, element(rng, sets)),))


@cases("uniform_quantize")
def uniform_quantize(rng: Random, name: str) -> Case:
    dims = shape(rng)
    target = "!quant.uniform<i8:f32, 0.5:1>"
    if dims and rng.random() < 0.3:
        target = per_axis(rng, 0, dims[0])
    source = rng.choice(["f32", "!quant.uniform<u8:f32, 0.5:3>"])
    return Case(name, (tensor(dims, source),), results=(tensor(dims, target),))


@cases("uniform_dequantize")
def uniform_dequantize(rng: Random, name: str) -> Case:
    dims = shape(rng)
    if dims and rng.random() < 0.3:
        return Case(name, (tensor(dims, per_axis(rng, 0, dims[0])),))
    return Case(name, (relaxed(rng, dims, element(rng, "QT")),))


@cases("bitcast_convert")
def bitcast_convert(rng: Random, name: str) -> Case:
    dims = shape(rng)
    wide, narrow, factor = rng.choice(
        [
            ("f32", "i32", 1),
            ("f32", "i8", 4),
            ("i64", "f32", 2),
            ("complex<f64>", "complex<f32>", 2),
            ("i8", "i4", 2),
            ("ui32", "!quant.uniform<i8:f32, 0.5>", 4),
        ]
    )
    types = [tensor(dims, wide), tensor([*dims, factor] if factor > 1 else dims, narrow)]
    rng.shuffle(types)
    return Case(name, (types[0],), results=(types[1],))


# Normalization -------------------------------------------------------------------------------------------------------


@cases("batch_norm_training batch_norm_inference batch_norm_grad")
def batch_norm(rng: Random, name: str) -> Case:
    dims, type_ = shape(rng, 1), element(rng, "F|QT")
    feature = rng.randrange(len(dims))
    attributes = {"epsilon": "0.1 : f32", "feature_index": i64(feature)}
    rows = [relaxed(rng, [dims[feature]], type_) for _ in range(4)]
    operand = relaxed(rng, dims, type_)
    if name.endswith("grad"):
        return Case(name, (operand, *rows[:3], relaxed(rng, dims, type_)), attributes)
    return Case(name, (operand, *rows[: 2 if name.endswith("training") else 4]), attributes)


# Products ------------------------------------------------------------------------------------------------------------


@cases("dot_general")
def dot_general(rng: Random, name: str) -> Case:
    batch, contracted = shape(rng, 0, 1), shape(rng, 0, 2)
    left, right = shape(rng, 0, 1), shape(rng, 0, 2)
    lhs, rhs = [*batch, *left, *contracted], [*batch, *contracted, *right]
    first, last = len(batch) + len(left), len(batch)
    numbers = (
        f"#stablehlo.dot<lhs_batching_dimensions = {list(range(len(batch)))}, "
        f"rhs_batching_dimensions = {list(range(len(batch)))}, "
        f"lhs_contracting_dimensions = {list(range(first, first + len(contracted)))}, "
        f"rhs_contracting_dimensions = {list(range(last, last + len(contracted)))}>"
    )
    attributes = {"dot_dimension_numbers": numbers}
    if rng.random() < 0.3:
        attributes["precision_config"] = "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"
    if rng.random() < 0.15:
        attributes["algorithm"] = (
            "#stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, "
            "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, "
            "allow_imprecise_accumulation = false>"
        )
    lhs_type, rhs_type, result_type = _product_types(rng)
    result = tensor([*batch, *left, *right], result_type)
    return Case(name, (relaxed(rng, lhs, lhs_type), relaxed(rng, rhs, rhs_type)), attributes, results=(result,))


def _product_types(rng: Random) -> tuple[str, str, str]:
    if rng.random() < 0.75:
        type_ = element(rng, "F|I|C")
        return type_, type_, type_
    quantized = "!quant.uniform<i8:f32, 0.5>"
    return rng.choice([(quantized, quantized, "!quant.uniform<i32:f32, 0.25>"), ("f32", quantized, "f32")])


@cases("chlo.ragged_dot")
def ragged_dot(rng: Random, name: str) -> Case:
    b, m, k, n = shape(rng, 4, 4)
    batch = [b] if rng.random() < 0.5 else []
    places = list(range(len(batch)))
    groups, kind = rng.choice([1, 2, 3]), rng.choice(["free", "contracting", "batching" if batch else "free"])
    rhs = [*batch, k, n]
    if kind == "free":
        rhs.append(groups)
    first = len(batch)
    ragged = {"free": first, "contracting": first + 1, "batching": 0}[kind]
    numbers = (
        f"#chlo.ragged_dot<lhs_batching_dimensions = {places}, rhs_batching_dimensions = {places}, "
        f"lhs_contracting_dimensions = [{first + 1}], rhs_contracting_dimensions = [{first}], "
        f"lhs_ragged_dimensions = [{ragged}], rhs_group_dimensions = {[first + 2] if kind == 'free' else []}>"
    )
    sizes = [*(batch if kind != "batching" and rng.random() < 0.5 else []), groups]
    result = [*([groups] if kind == "contracting" else []), *batch, m, n]
    operands = relaxed(rng, [*batch, m, k], "f32"), relaxed(rng, rhs, "f32"), tensor(sizes, "i64")
    return Case(name, operands, {"ragged_dot_dimension_numbers": numbers}, results=(tensor(result, "f32"),))


@cases("dot")
def dot(rng: Random, name: str) -> Case:
    left, inner, right = shape(rng, 0, 1), shape(rng, 1, 1), shape(rng, 0, 1)
    type_ = element(rng, "F|I|C")
    operands = relaxed(rng, [*left, *inner], type_), relaxed(rng, [*inner, *right], type_)
    return Case(name, operands, results=(tensor([*left, *right], type_),))


@cases("convolution dynamic_conv")
def convolution(rng: Random, name: str) -> Case:
    spatial = shape(rng, 0, 2)
    kernel = [min(size, rng.choice([1, 2, 3])) for size in spatial]
    groups, batches = rng.choice([(1, 1), (1, 1), (2, 1), (1, 2)])
    batch, features = 2 * batches, 2 * groups
    lhs = [batch, *spatial, features]
    rhs = [*kernel, features // groups, 4]
    strides = [rng.choice([1, 1, 2]) for _ in spatial]
    padding = [(rng.choice([0, 0, 1]), rng.choice([0, 0, 2, -1])) for _ in spatial]
    letters = "".join(f"{dim}, " for dim in range(len(spatial)))
    attributes = {
        "dimension_numbers": f"#stablehlo.conv<[b, {letters}f]x[{letters}i, o]->[b, {letters}f]>",
        "feature_group_count": i64(groups),
        "batch_group_count": i64(batches),
        "window_strides": ints(strides),
    }
    if rng.random() < 0.3:
        attributes["window_reversal"] = bools([False] * len(spatial))
        attributes["rhs_dilation"] = ints([1] * len(spatial))
    if rng.random() < 0.3:
        attributes["precision_config"] = "[#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]"
    sizes = [
        _positions(size + low + high, window, stride)
        for size, window, stride, (low, high) in zip(spatial, kernel, strides, padding, strict=True)
    ]
    types = _product_types(rng) if name.endswith("convolution") else ("f32",) * 3
    operands = [relaxed(rng, lhs, types[0]), relaxed(rng, rhs, types[1])]
    result = tensor([batch // batches, *sizes, 4], types[2])
    if name.endswith("convolution"):
        attributes["padding"] = matrix(padding)
        return Case(name, tuple(operands), attributes, results=(result,))
    operands.append(tensor([len(spatial), 2], "i64"))
    known = {2: matrix(padding)} if rng.random() < 0.5 else {}
    return Case(name, tuple(operands), attributes, results=(result,), known=known)


def _positions(extent: int, window: int, stride: int) -> int:
    return 0 if extent <= 0 or window > extent else (extent - window) // stride + 1


# Reductions ----------------------------------------------------------------------------------------------------------


@cases("reduce")
def reduce(rng: Random, name: str) -> Case:
    dims, count = shape(rng), rng.choice([1, 1, 2])
    type_ = element(rng, "F|I|C|Pred")
    inputs = [relaxed(rng, dims, type_) for _ in range(count)]
    attributes = {"dimensions": ints(subset(rng, len(dims)))}
    body = scalar_body(type_, count)
    return Case(name, (*inputs, *[tensor([], type_)] * count), attributes, (body,))


@cases("reduce_window")
def reduce_window(rng: Random, name: str) -> Case:
    dims, count = shape(rng), rng.choice([1, 1, 2])
    type_, rank = element(rng, "F|I|C"), len(dims)
    attributes = {"window_dimensions": ints(rng.choice([1, 2, 3]) for _ in dims)}
    for attribute in ("window_strides", "base_dilations", "window_dilations"):
        if rng.random() < 0.5:
            attributes[attribute] = ints(rng.choice([1, 1, 2]) for _ in dims)
    if rng.random() < 0.5 and rank:
        attributes["padding"] = matrix([(rng.choice([0, 1]), rng.choice([0, 2, -1])) for _ in dims])
    inputs = [relaxed(rng, dims, type_) for _ in range(count)]
    return Case(name, (*inputs, *[tensor([], type_)] * count), attributes, (scalar_body(type_, count),))


@cases("select_and_scatter")
def select_and_scatter(rng: Random, name: str) -> Case:
    windows = shape(rng, 1, 3)
    window = [rng.choice([1, 2]) for _ in windows]
    operand = [count * size for count, size in zip(windows, window, strict=True)]
    type_ = element(rng, "F|I")
    attributes = {"window_dimensions": ints(window), "window_strides": ints(window)}
    if rng.random() < 0.3:
        attributes["padding"] = matrix([(0, 0)] * len(windows))
    scalar = tensor([], type_)
    bodies = (((scalar, scalar), (tensor([], "i1"),)), scalar_body(type_))
    return Case(name, (relaxed(rng, operand, type_), relaxed(rng, windows, type_), scalar), attributes, bodies)


@cases("map")
def map_(rng: Random, name: str) -> Case:
    dims, type_, result = shape(rng), element(rng, "Any"), element(rng, "Any")
    count = rng.choice([1, 2, 3])
    body = ((tensor([], type_),) * count, (tensor([], result),))
    operands = tuple(relaxed(rng, dims, type_) for _ in range(count))
    return Case(name, operands, {"dimensions": ints(range(len(dims)))}, (body,))


@cases("sort")
def sort(rng: Random, name: str) -> Case:
    dims, types = shape(rng, 1), [element(rng, "Any") for _ in range(rng.choice([1, 1, 2]))]
    attributes = {"dimension": i64(rng.randint(-len(dims), len(dims) - 1))}
    if rng.random() < 0.3:
        attributes["is_stable"] = "true"
    arguments = tuple(tensor([], type_) for type_ in types for _ in range(2))
    operands = tuple(relaxed(rng, dims, type_) for type_ in types)
    return Case(name, operands, attributes, ((arguments, (tensor([], "i1"),)),))


@cases("chlo.top_k")
def top_k(rng: Random, name: str) -> Case:
    dims = shape(rng, 1)
    return Case(name, (relaxed(rng, dims, element(rng, "Any")),), {"k": i64(rng.randint(0, dims[-1]))})


# Linear algebra ------------------------------------------------------------------------------------------------------


@cases("cholesky")
def cholesky(rng: Random, name: str) -> Case:
    size = rng.choice([1, 2, 3])
    return Case(name, (relaxed(rng, [*shape(rng, 0, 2), size, size], element(rng, "F|C")),), {"lower": "true"})


@cases("triangular_solve")
def triangular_solve(rng: Random, name: str) -> Case:
    batch, size, columns = shape(rng, 0, 2), rng.choice([1, 2, 3]), rng.choice([1, 3, 4])
    type_, left = element(rng, "F|C"), rng.random() < 0.5
    attributes = {
        "left_side": str(left).lower(),
        "lower": "true",
        "unit_diagonal": "false",
        "transpose_a": f"#stablehlo<transpose {rng.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}>",
    }
    b = [*batch, size, columns] if left else [*batch, columns, size]
    return Case(name, (relaxed(rng, [*batch, size, size], type_), relaxed(rng, b, type_)), attributes)


@cases("fft")
def fft(rng: Random, name: str) -> Case:
    kind = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    batch, lengths = shape(rng, 0, 2), shape(rng, 1, 3)
    dims = list(lengths)
    if kind == "IRFFT":
        dims[-1] = lengths[-1] // 2 + 1
    type_ = rng.choice(["f32", "f64"] if kind == "RFFT" else COMPLEX)
    attributes = {"fft_type": f"#stablehlo<fft_type {kind}>", "fft_length": ints(lengths)}
    return Case(name, (relaxed(rng, [*batch, *dims], type_),), attributes)
