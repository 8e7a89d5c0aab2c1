"""Custom calls."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, size
from tests.generators.op_instances import OpInstance, generator, tensor


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
    xla_ffi_partitioned_python_cpu_callback xla_ffi_partitioned_python_gpu_callback
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
