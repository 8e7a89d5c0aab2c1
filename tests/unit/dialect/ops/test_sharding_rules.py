"""The rule of every op: reference vectors and edge cases (spec: sharding-rules, 4 to 6 and 12)."""

from __future__ import annotations

from typing import Any

import pytest

from sdy.dialect.context import make_context
from sdy.dialect.ops.rules import create_rule
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import pre_order
from tests.generators.op_instances import OpInstance, combiner


def types(shapes: str) -> list[str]:
    """Tensor types from ``"4x8 .:i32"``: sizes, a dot for a scalar, the element type behind a colon if not f32."""
    found = []
    for text in shapes.split():
        sizes, _, element_type = text.partition(":")
        found.append("tensor<" + "".join(f"{size}x" for size in sizes.strip(".").split("x") if size))
        found[-1] += f"{element_type or 'f32'}>"
    return found


def op(name: str, signature: str, attributes: str = "", regions: str = "", **others: Any) -> OpInstance:
    """An op from ``"4x8 8x3 -> 4x3"``; a name without a dot is one of StableHLO."""
    operands, results = signature.split("->")
    name = name if "." in name else f"stablehlo.{name}"
    return OpInstance(name, types(operands), types(results), attributes, regions, **others)


def call(target: str, signature: str) -> OpInstance:
    return op("custom_call", signature, f'call_target_name = "{target}"')


def rule(instance: OpInstance, conservative: bool = False) -> str | None:
    """Text of the rule, without the brackets around it."""
    module = ir.Module.parse(instance.function("f"), make_context())
    found = next(nested for nested in pre_order(module.operation) if nested.name == instance.name)
    made = create_rule(found, conservative)
    return None if made is None else str(made)[1:-1]


GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
ADD = combiner("stablehlo.add")
LESS = (
    '{^bb0(%x: tensor<f32>, %y: tensor<f32>): %z = "stablehlo.compare"(%x, %y) '
    "{comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    '"stablehlo.return"(%z) : (tensor<i1>) -> ()}'
)
TWO_RESULTS = (
    "{^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<f32>, %x3: tensor<f32>): "
    '"stablehlo.return"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> ()}'
)
UPDATE = '{^bb0(%x: tensor<f32>, %y: tensor<f32>): "stablehlo.return"(%y) : (tensor<f32>) -> ()}'


def conv(layout: str, groups: tuple[int, int] = (1, 1), strides: str = "1, 1", padding: str = "0, 0") -> str:
    return (
        f"dimension_numbers = #stablehlo.conv<{layout}>, window_strides = array<i64: {strides}>, "
        f"padding = dense<[[{padding}], [{padding}]]> : tensor<2x2xi64>, "
        f"batch_group_count = {groups[0]} : i64, feature_group_count = {groups[1]} : i64"
    )


NHWC = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"


def dot(batch: tuple[list[int], list[int]], contract: tuple[list[int], list[int]]) -> str:
    return (
        f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {batch[0]}, "
        f"rhs_batching_dimensions = {batch[1]}, lhs_contracting_dimensions = {contract[0]}, "
        f"rhs_contracting_dimensions = {contract[1]}>"
    )


def solve(left_side: bool, transpose: str) -> str:
    return (
        f"left_side = {str(left_side).lower()}, lower = true, unit_diagonal = false, "
        f"transpose_a = #stablehlo<transpose {transpose}>"
    )


def scatter(body: str) -> OpInstance:
    numbers = (
        "update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1"
    )
    return op(
        "scatter", "7x4x6 5x1:i32 5x4x2 -> 7x4x6", f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>", body
    )


def window(windows: str, strides: str, padding: str) -> str:
    return (
        f"window_dimensions = array<i64: {windows}>, window_strides = array<i64: {strides}>, "
        f"padding = dense<[{padding}]> : tensor<{windows.count(',') + 1}x2xi64>"
    )


PAD = op(
    "pad",
    "6x6x6 . -> 8x6x6",
    "edge_padding_low = array<i64: 1, 1, 0>, edge_padding_high = array<i64: 1, -1, 0>, "
    "interior_padding = array<i64: 0, 0, 0>",
)
SLICE = op(
    "slice",
    "9x6x10 -> 9x2x5",
    "start_indices = array<i64: 0, 1, 0>, limit_indices = array<i64: 9, 3, 10>, strides = array<i64: 1, 1, 2>",
)
REDUCE_WINDOW = op("reduce_window", "12x10x4 . -> 4x10x4", window("3, 1, 1", "3, 1, 1", "[0, 0], [1, -1], [0, 0]"), ADD)
SELECT_AND_SCATTER = op(
    "select_and_scatter", "6x20 6x10 . -> 6x20", window("1, 2", "1, 2", "[0, 0], [0, 0]"), f"{LESS}, {ADD}"
)
CONCATENATE = op("concatenate", "5x3 2x3 -> 7x3", "dimension = 0 : i64")
CONVOLUTION = op("convolution", "2x9x9x4 3x3x4x6 -> 2x4x4x6", conv(NHWC, strides="2, 2"))

REFERENCE = {
    "pointwise": (op("add", "4x1x0 4x1x0 -> 4x1x0"), "([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=1, k=0}"),
    "pointwise on scalars": (op("tanh", ". -> ."), "([])->([])"),
    "clamp to a scalar": (op("clamp", ". 5x3 5x3 -> 5x3"), "([], [i, j], [i, j])->([i, j]) {i=5, j=3}"),
    "select by a scalar": (op("select", ".:i1 5x3 5x3 -> 5x3"), "([], [i, j], [i, j])->([i, j]) {i=5, j=3}"),
    "all_reduce has the shape of its first result": (
        op("all_reduce", "4x8 16 -> 4x8 16", GROUPS, ADD),
        "([i, j], [i])->([i, j], [i]) {i=4, j=8}",
    ),
    "all_gather": (
        op("all_gather", "2x3x4 -> 2x6x4", f"all_gather_dim = 1 : i64, {GROUPS}"),
        "([i, k, j])->([i, l, j]) {i=2, j=4, k=3, l=6} need_replication={k, l}",
    ),
    "all_gather of two": (
        op("all_gather", "2x3 2x5 -> 2x6 2x10", f"all_gather_dim = 1 : i64, {GROUPS}"),
        "([i, j], [i, j])->([i, k], [i, k]) {i=2, j=3, k=6} need_replication={j, k}",
    ),
    "reduce_scatter": (
        op("reduce_scatter", "2x6x4 -> 2x3x4", f"scatter_dimension = 1 : i64, {GROUPS}", ADD),
        "([i, k, j])->([i, l, j]) {i=2, j=4, k=6, l=3} need_replication={k, l}",
    ),
    "all_to_all between dimensions": (
        op(
            "all_to_all",
            "2x3x4 -> 4x3x2",
            f"split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {GROUPS}",
        ),
        "([l, i, j])->([m, i, k]) {i=3, j=4, k=2, l=2, m=4} need_replication={j, k, l, m}",
    ),
    "all_to_all within a dimension": (
        op(
            "all_to_all",
            "2x3x4 -> 2x3x4",
            f"split_dimension = 2 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, {GROUPS}",
        ),
        "([i, j, k])->([i, j, l]) {i=2, j=3, k=4, l=4} need_replication={k, l}",
    ),
    "bitcast to narrow": (
        op("bitcast_convert", "5x3:f64 -> 5x3x2"),
        "([i, j])->([i, j, k]) {i=5, j=3, k=2} need_replication={k}",
    ),
    "bitcast to wide": (
        op("bitcast_convert", "5x3x2 -> 5x3:f64"),
        "([i, j, k])->([i, j]) {i=5, j=3, k=2} need_replication={k}",
    ),
    "batch_norm_inference": (
        op("batch_norm_inference", "4x8x16 8 8 8 8 -> 4x8x16", "epsilon = 0.1 : f32, feature_index = 1 : i64"),
        "([i, j, k], [j], [j], [j], [j])->([i, j, k]) {i=4, j=8, k=16}",
    ),
    "broadcast_in_dim": (
        op("broadcast_in_dim", "3x1x1x5 -> 5x3x7x1x9", "broadcast_dimensions = array<i64: 1, 3, 2, 0>"),
        "([j, m, k, i])->([i, j, l, m, n]) {i=5, j=3, k=1, l=7, m=1, n=9}",
    ),
    "broadcast of a scalar": (
        op("broadcast_in_dim", ". -> 2x1", "broadcast_dimensions = array<i64>"),
        "([])->([i, j]) {i=2, j=1}",
    ),
    "cholesky": (
        op("cholesky", "5x3x3 -> 5x3x3", "lower = true"),
        "([i, j, k])->([i, j, k]) {i=5, j=3, k=3} need_replication={j, k}",
    ),
    "concatenate": (CONCATENATE, "([i, j], [i, j])->([i, j]) {i=7, j=3} need_replication={i}"),
    "concatenate a tensor and its slice": (
        op(
            "concatenate",
            "5x3 -> 7x3",
            "dimension = 0 : i64",
            operands=[("%a0", "tensor<5x3xf32>"), ("%s", "tensor<2x3xf32>")],
            before="%s = stablehlo.slice %a0 [0:2, 0:3] : (tensor<5x3xf32>) -> tensor<2x3xf32>",
        ),
        "([i, j], [i, j])->([i, j]) {i=7, j=3} permutation={i}",
    ),
    "concatenate a tensor with itself": (
        op(
            "concatenate",
            "5x3 -> 10x3",
            "dimension = 0 : i64",
            operands=[("%a0", "tensor<5x3xf32>"), ("%a0", "tensor<5x3xf32>")],
        ),
        "([i, j], [i, j])->([i, j]) {i=10, j=3} need_replication={i}",
    ),
    "convolution with stride": (
        CONVOLUTION,
        "([i, jk, lm, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=4, k=2, l=4, m=2, n=4, o=6} "
        "reduction={k, m, n} permutation={j, l}",
    ),
    "convolution with the same padding": (
        op("convolution", "2x8x8x4 3x3x4x6 -> 2x8x8x6", conv(NHWC, padding="1, 1")),
        "([i, j, l, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=8, k=3, l=8, m=3, n=4, o=6} "
        "reduction={n} permutation={j, k, l, m}",
    ),
    "convolution with a kernel of one element": (
        op("convolution", "2x8x8x4 1x1x4x1 -> 2x8x8x1", conv(NHWC)),
        "([i, j, k, l], [m, n, l, o])->([i, j, k, p]) {i=2, j=8, k=8, l=4, m=1, n=1, o=1, p=1} "
        "reduction={l} permutation={j, k}",
    ),
    "convolution with a kernel larger than the result": (
        op("convolution", "2x8x10x4 8x7x4x1 -> 2x1x4x1", conv(NHWC)),
        "([i, j, k, m], [j, k, m, n])->([i, o, l, p]) {i=2, j=8, k=7, l=4, m=4, n=1, o=1, p=1} "
        "reduction={j, k, m} permutation={l}",
    ),
    "convolution with batch groups": (
        op("convolution", "8x9x9x12 3x3x12x20 -> 2x7x7x20", conv(NHWC, (4, 1))),
        "([ij, k, m, o], [l, n, o, ip])->([j, k, m, ip]) {i=4, j=2, k=7, l=3, m=7, n=3, o=12, p=5} "
        "reduction={o} permutation={k, l, m, n}",
    ),
    "convolution with batch groups of one": (
        op("convolution", "4x9x9x12 3x3x12x4 -> 1x7x7x4", conv(NHWC, (4, 1))),
        "([i, k, m, o], [l, n, o, i])->([j, k, m, i]) {i=4, j=1, k=7, l=3, m=7, n=3, o=12} "
        "reduction={o} permutation={k, l, m, n}",
    ),
    "convolution with feature groups": (
        op("convolution", "8x9x9x12 3x3x3x20 -> 8x7x7x20", conv(NHWC, (1, 4))),
        "([i, j, l, no], [k, m, o, np])->([i, j, l, np]) {i=8, j=7, k=3, l=7, m=3, n=4, o=3, p=5} "
        "reduction={o} permutation={j, k, l, m}",
    ),
    "depthwise convolution": (
        op("convolution", "8x9x9x12 3x3x1x12 -> 8x7x7x12", conv(NHWC, (1, 12))),
        "([i, j, l, n], [k, m, o, n])->([i, j, l, n]) {i=8, j=7, k=3, l=7, m=3, n=12, o=1} "
        "reduction={o} permutation={j, k, l, m}",
    ),
    "convolution of an empty dimension": (
        op("convolution", "2x0x8x4 3x3x4x6 -> 2x2x6x6", conv(NHWC).replace("[[0, 0],", "[[2, 2],")),
        "([i, n, j, l], [o, k, l, m])->([i, p, j, m]) {i=2, j=6, k=3, l=4, m=6, n=1, o=1, p=1} "
        "reduction={l} permutation={j, k}",
    ),
    "dot_general": (
        op("dot_general", "6x4x10 6x10x3 -> 6x4x3", dot(([0], [0]), ([2], [1]))),
        "([i, j, l], [i, l, k])->([i, j, k]) {i=6, j=4, k=3, l=10} reduction={l}",
    ),
    "dot_general with batching dimensions in another order": (
        op("dot_general", "5x2x3x7 3x7x2x4 -> 3x2x5x4", dot(([2, 1], [0, 2]), ([3], [1]))),
        "([k, j, i, m], [i, m, j, l])->([i, j, k, l]) {i=3, j=2, k=5, l=4, m=7} reduction={m}",
    ),
    "dot of a vector and a matrix": (op("dot", "8 8x3 -> 3"), "([j], [j, i])->([i]) {i=3, j=8} reduction={j}"),
    "dynamic_slice": (
        op("dynamic_slice", "12x5x9 .:i32 .:i32 .:i32 -> 12x2x3", "slice_sizes = array<i64: 12, 2, 3>"),
        "([i, j, k], [], [], [])->([i, j, k]) {i=12, j=5, k=9} need_replication={j, k} blocked_propagation={j, k}",
    ),
    "dynamic_update_slice": (
        op("dynamic_update_slice", "9x6 9x2 .:i32 .:i32 -> 9x6"),
        "([i, j], [i, k], [], [])->([i, j]) {i=9, j=6, k=2} permutation={j, k}",
    ),
    "fft that shortens": (
        op(
            "fft",
            "8x6x10 -> 8x6x6:complex<f32>",
            "fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 6, 10>",
        ),
        "([i, j, k])->([i, j, k]) {i=8, j=6, k=10} need_replication={j, k} blocked_propagation={k}",
    ),
    "fft": (
        op(
            "fft",
            "8x6x10:complex<f32> -> 8x6x10:complex<f32>",
            "fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 10>",
        ),
        "([i, j, k])->([i, j, k]) {i=8, j=6, k=10} need_replication={k}",
    ),
    "gather": (
        op(
            "gather",
            "6x7x5x9 4x2:i32 -> 4x7x2x1",
            "dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], "
            "start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7, 2, 1>",
        ),
        "([n, j, k, l], [i, o])->([i, j, k, m]) {i=4, j=7, k=5, l=9, m=1, n=6, o=2} "
        "reduction={l, n} need_replication={k, m, o} blocked_propagation={k}",
    ),
    "gather with batching dimensions": (
        op(
            "gather",
            "5x8x3 3x6x1:i32 -> 3x6x5",
            "dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], "
            "operand_batching_dims = [2], start_indices_batching_dims = [0], start_index_map = [1], "
            "index_vector_dim = 2>, slice_sizes = array<i64: 5, 1, 1>",
        ),
        "([k, l, i], [i, j, m])->([i, j, k]) {i=3, j=6, k=5, l=8, m=1} reduction={l} need_replication={m}",
    ),
    "gather with scalar indices": (
        op(
            "gather",
            "1x6 3:i32 -> 3x6",
            "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
            "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>",
        ),
        "([k, j], [i])->([i, j]) {i=3, j=6, k=1} need_replication={k}",
    ),
    "scatter that adds": (
        scatter(ADD),
        "([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=5, j=4, k=6, l=2, m=7, n=1} "
        "reduction={i} need_replication={k, l, n}",
    ),
    "scatter that overwrites": (
        scatter(UPDATE),
        "([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=5, j=4, k=6, l=2, m=7, n=1} need_replication={i, k, l, n}",
    ),
    "scatter that subtracts": (
        scatter(combiner("stablehlo.subtract")),
        "([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=5, j=4, k=6, l=2, m=7, n=1} need_replication={i, k, l, n}",
    ),
    "pad": (PAD, "([i, j, k], [])->([i, j, k]) {i=6, j=6, k=6} permutation={i, j}"),
    "reduce": (
        op("reduce", "3x10x5 3x10x5 . . -> 10 10", "dimensions = array<i64: 2, 0>", TWO_RESULTS),
        "([i, j, k], [i, j, k], [], [])->([j], [j]) {i=3, j=10, k=5} reduction={i, k}",
    ),
    "reduce_window": (REDUCE_WINDOW, "([i, j, k], [])->([i, j, k]) {i=4, j=10, k=4} permutation={i, j}"),
    "reverse": (
        op("reverse", "4x1x3 -> 4x1x3", "dimensions = array<i64: 1, 2>"),
        "([i, j, k])->([i, j, k]) {i=4, j=1, k=3} permutation={j, k}",
    ),
    "rng_bit_generator": (
        op(
            "rng_bit_generator",
            "2:ui64 -> 2:ui64 3x11:ui32",
            "rng_algorithm = #stablehlo<rng_algorithm DEFAULT>",
        ),
        "([i])->([i], [j, k]) {i=2, j=3, k=11} need_replication={i} blocked_propagation={i}",
    ),
    "select_and_scatter": (
        SELECT_AND_SCATTER,
        "([i, k], [i, j], [])->([i, k]) {i=6, j=10, k=20} need_replication={j} permutation={k}",
    ),
    "slice": (SLICE, "([i, j, k])->([i, j, k]) {i=9, j=6, k=10} permutation={j, k}"),
    "sort": (
        op("sort", "7x9 -> 7x9", "dimension = 0 : i64", LESS),
        "([i, j])->([i, j]) {i=7, j=9} need_replication={i}",
    ),
    "sort of the only real dimension": (
        op("sort", "1x5 -> 1x5", "dimension = 1 : i64", LESS),
        "([i, j])->([i, j]) {i=1, j=5} need_replication={j} blocked_propagation={j}",
    ),
    "sort of the last dimension counted from the end": (
        op("sort", "7x9 -> 7x9", "dimension = -1 : i64", LESS),
        "([i, j])->([i, j]) {i=7, j=9}",
    ),
    "sort of the last dimension by default": (op("sort", "1x5 -> 1x5", "", LESS), "([i, j])->([i, j]) {i=1, j=5}"),
    "transpose": (
        op("transpose", "3x5x7 -> 7x3x5", "permutation = array<i64: 2, 0, 1>"),
        "([j, k, i])->([i, j, k]) {i=7, j=3, k=5}",
    ),
    "triangular_solve": (
        op("triangular_solve", "6x4x4 6x4x7 -> 6x4x7", solve(True, "NO_TRANSPOSE")),
        "([i, j, l], [i, j, k])->([i, l, k]) {i=6, j=4, k=7, l=4} need_replication={j, k, l}",
    ),
    "triangular_solve, adjoint": (
        op("triangular_solve", "6x4x4 6x4x7 -> 6x4x7", solve(True, "ADJOINT")),
        "([i, l, j], [i, j, k])->([i, l, k]) {i=6, j=4, k=7, l=4} need_replication={j, k, l}",
    ),
    "triangular_solve from the right": (
        op("triangular_solve", "6x4x4 6x7x4 -> 6x7x4", solve(False, "NO_TRANSPOSE")),
        "([i, l, k], [i, j, k])->([i, j, l]) {i=6, j=7, k=4, l=4} need_replication={j, k, l}",
    ),
    "triangular_solve from the right, transposed": (
        op("triangular_solve", "6x4x4 6x7x4 -> 6x7x4", solve(False, "TRANSPOSE")),
        "([i, k, l], [i, j, k])->([i, j, l]) {i=6, j=7, k=4, l=4} need_replication={j, k, l}",
    ),
    "Eigh": (call("Eigh", "3x5x5 -> 3x5x5 3x5"), "([i, j, k])->([i, j, k], [i, k]) {i=3, j=5, k=5}"),
    "Qr": (
        call("Qr", "2x6x4 -> 2x6x4 2x4"),
        "([i, j, k])->([i, j, k], [i, l]) {i=2, j=6, k=4, l=4} need_replication={j, k, l}",
    ),
    "Householder reflectors": (
        call("ProductOfElementaryHouseholderReflectors", "3x7x9 3x4 -> 3x7x9"),
        "([i, j, k], [i, l])->([i, j, k]) {i=3, j=7, k=9, l=4} need_replication={j, k, l}",
    ),
    "TopK": (
        call("TopK", "9x20 -> 9x4 9x4:i32"),
        "([i, j])->([i, j], [i, j]) {i=9, j=20} need_replication={j} blocked_propagation={j}",
    ),
    "TopK of all": (call("mhlo.topk", "9x20 -> 9x20 9x20:i32"), "([i, j])->([i, j], [i, j]) {i=9, j=20}"),
    "PartialReduce": (
        call("PartialReduce", "20x8 20x8:i32 . .:i32 -> 5x8 5x8:i32"),
        "([i, k], [i, k], [], [])->([j, k], [j, k]) {i=20, j=5, k=8} need_replication={j} blocked_propagation={j}",
    ),
    "X64Combine for a random number generator": (
        op(
            "custom_call",
            "2:ui32 2:ui32 -> 2:ui64",
            'call_target_name = "X64Combine"',
            after='%s:2 = "stablehlo.rng_bit_generator"(%r#0) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} '
            ": (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)",
        ),
        "([i], [i])->([i]) {i=2} need_replication={i} blocked_propagation={i}",
    ),
    "X64Combine": (call("X64Combine", "2:ui32 2:ui32 -> 2:ui64"), "([i], [i])->([i]) {i=2}"),
    "a call with other sizes": (call("MoveToHost", "4x5 -> 7x9"), "([i, j])->([i, j]) {i=7, j=9}"),
    "a call with a higher rank": (call("MoveToHost", "4 -> 4x2x3"), "([i])->([i, j, k]) {i=4, j=2, k=3}"),
    "a call without operands": (call("MoveToHost", "-> 4"), "()->([i]) {i=4}"),
    "a call that is silently unknown": (call("tpu_custom_call", "4 -> 4"), None),
    "names of targets are exact": (call("movetohost", "4 -> 4"), None),
}

RESHAPES = {
    "3x5 -> 15": "([i, j])->([ij]) {i=3, j=5}",
    "20 -> 4x1x5": "([ik])->([i, j, k]) {i=4, j=1, k=5} need_replication={j}",
    "1x6x2 -> 6x1x2x1": "([i, j, l])->([j, k, l, m]) {i=1, j=6, k=1, l=2, m=1} need_replication={i, k, m}",
    "1x1x1 -> .": "([i, j, k])->([]) {i=1, j=1, k=1} need_replication={i, j, k}",
    "1x3 -> 1x3": "([i, k])->([j, k]) {i=1, j=1, k=3} need_replication={i, j}",
    "4x6 -> 8x3": "([i, jk])->([ij, k]) {i=4, j=2, k=3}",
    "5x3 -> 3x5": "([i, k])->([i, j]) {i=5, j=5, k=3} need_replication={j, k} permutation={i}",
    "4x15 -> 6x10": "([ij, km])->([ij, lm]) {i=2, j=2, k=3, l=2, m=5} need_replication={k, l} permutation={j}",
    "7x2x11x3 -> 7x3x11x2": "([i, j, k, m])->([i, j, l, n]) {i=7, j=2, k=11, l=11, m=3, n=2} "
    "need_replication={k, l, m, n} permutation={j}",
    "2x5x4 -> 5x8": "([i, j, l])->([i, kl]) {i=2, j=5, k=2, l=4} need_replication={j, k} permutation={i}",
    "9x10x2 -> 15x12": "([ij, km, n])->([ij, lmn]) {i=3, j=3, k=5, l=3, m=2, n=2} "
    "need_replication={k, l} permutation={j}",
    "6x35x4 -> 14x15x4": "([ij, km, n])->([ij, lm, n]) {i=2, j=3, k=7, l=3, m=5, n=4} "
    "need_replication={k, l} permutation={j}",
    "3x0 -> 0x5": None,
    ". -> .": "([])->([])",
}

CONSERVATIVE = {
    "concatenate": (CONCATENATE, "([j, i], [k, i])->([l, i]) {i=3, j=1, k=1, l=1}"),
    "convolution": (
        CONVOLUTION,
        "([i, l, m, j], [n, o, j, k])->([i, p, q, k]) {i=2, j=4, k=6, l=1, m=1, n=1, o=1, p=1, q=1} reduction={j}",
    ),
    "pad": (PAD, "([i, j, k], [])->([i, j, k]) {i=6, j=6, k=6} permutation={i, j} blocked_propagation={i}"),
    "reduce_window": (
        REDUCE_WINDOW,
        "([i, j, k], [])->([i, j, k]) {i=4, j=10, k=4} permutation={i, j} blocked_propagation={i, j}",
    ),
    "select_and_scatter": (
        SELECT_AND_SCATTER,
        "([i, k], [i, j], [])->([i, k]) {i=6, j=10, k=20} need_replication={j} permutation={k} "
        "blocked_propagation={j, k}",
    ),
    "slice": (SLICE, "([i, j, k])->([i, j, k]) {i=9, j=6, k=10} permutation={j, k} blocked_propagation={j, k}"),
    "reshape, as ever": (op("reshape", "3x5 -> 15"), "([i, j])->([ij]) {i=3, j=5}"),
}


@pytest.mark.parametrize("name", REFERENCE)
def test_rule(name: str):
    instance, expected = REFERENCE[name]
    assert rule(instance) == expected


@pytest.mark.parametrize("signature", RESHAPES)
def test_rule_of_reshape(signature: str):
    assert rule(op("reshape", signature)) == RESHAPES[signature]


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservative_rule(name: str):
    instance, expected = CONSERVATIVE[name]
    assert rule(instance, conservative=True) == expected


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (call("MoveToHost", "4x8x2 -> 4"), "rank 3"),
        (call("Eigh", "4 -> 4 4"), "a matrix was expected"),
        (call("Qr", "4x4 -> 4x4"), "the op has no result 1"),
        (call("TopK", "4x4 -> 4"), "does not fit its sharding rule"),
    ],
)
def test_ops_of_other_shapes_than_the_rule_is_for_are_rejected(instance: OpInstance, message: str):
    with pytest.raises(DiagnosticError, match=message):
        rule(instance)


def test_a_call_that_returns_a_token_first_has_no_rule():
    text = (
        "func.func @f(%t: !stablehlo.token, %a: tensor<4xf32>) {\n"
        '%r:2 = "stablehlo.custom_call"(%t, %a) {call_target_name = "MoveToHost"} '
        ": (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)\nreturn\n}"
    )
    module = ir.Module.parse(text, make_context())
    assert create_rule(module.body.operations[0].regions[0].blocks[0].operations[0].operation) is None


def test_a_token_beside_a_tensor_has_an_empty_mapping():
    text = (
        "func.func @f(%a: tensor<4xf32>, %t: !stablehlo.token) {\n"
        '%r:2 = "stablehlo.custom_call"(%a, %t) {call_target_name = "MoveToHost"} '
        ": (tensor<4xf32>, !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)\nreturn\n}"
    )
    module = ir.Module.parse(text, make_context())
    made = create_rule(module.body.operations[0].regions[0].blocks[0].operations[0].operation)
    assert str(made) == "<([i], [])->([i], []) {i=4}>"
