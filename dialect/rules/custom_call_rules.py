"""Custom calls by the name of their target (spec: sharding-rules, 6). `TopK` is with the slicing ops."""

from __future__ import annotations

from sdy.dialect.rules.builder import NEED_REPLICATION, RuleBuilder, pointwise
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import built_in_rule
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir

built_in_rule(
    custom_call=(
        "annotate_device_placement",
        "Cholesky",
        "CompactWyHelper",
        "InspectSharding",
        "InvertDiagBlocksLowerTriangular",
        "InvertDiagBlocksUpperTriangular",
        "LayoutConstraint",
        "mhlo.erf",
        "MoveToDevice",
        "MoveToHost",
        "X64SplitHigh",
        "X64SplitLow",
        "xla.megascale.provide_metadata",
        "_SPMDInternalOp_MultiPad",
        "_SPMDInternalOp_MultiRotate",
        "_SPMDInternalOp_MultiSlice",
        "_SPMDInternalOp_RotateRight",
        "_SPMDInternalOp_Wrap",
    )
)(pointwise)


@built_in_rule(
    custom_call=(
        "sdy_testonly",
        "tpu_custom_call",
        "xla_python_cpu_callback",
        "xla_python_gpu_callback",
        "xla_ffi_python_cpu_callback",
        "xla_ffi_python_gpu_callback",
        "xla_ffi_partitioned_python_cpu_callback",
        "xla_ffi_partitioned_python_gpu_callback",
        "xla.debug.Log",
    )
)
def opaque(op: OpSignature) -> None:
    """Nothing is known about what the call does, and that is expected."""


@built_in_rule(custom_call="AllocateBuffer")
def without_operands(op: OpSignature) -> None:
    """A rule is about operands; what has none is sharded as it is used, like a constant."""


@built_in_rule(custom_call="X64Combine")
def x64_combine(op: OpSignature) -> ShardingRule | None:
    """Pointwise; the state of a random number generator is replicated and blocked."""
    if not op.look(_is_random_state):
        return pointwise(op)
    rule = RuleBuilder(op)
    rule.align(0, op.result(0)[0], NEED_REPLICATION, blocked=True)
    return rule.build()


def _is_random_state(op: ir.Operation) -> bool:
    users = (use.owner.operation for result in op.results for use in result.uses)
    return any(user.name == "stablehlo.rng_bit_generator" for user in users)


@built_in_rule(custom_call="Eigh")
def eigh(op: OpSignature) -> ShardingRule:
    """Pointwise for the eigenvectors; the eigenvalues correspond to their columns."""
    rule = RuleBuilder(op)
    rows, columns = matrix_dims(op)
    shape = op.operand(0)
    for dim in range(rows):
        rule.align(dim, shape[dim])
    rule.factor(shape[rows], {0: rows}, {0: rows})
    rule.factor(shape[columns], {0: columns}, {0: columns, 1: rows})
    return rule.build()


@built_in_rule(custom_call=("Qr", "QrDecompositionBlock"))
def qr(op: OpSignature) -> ShardingRule:
    """Batch dimensions pass through, the matrices and the `taus` are replicated."""
    rule = RuleBuilder(op)
    rows = _matrix_factors(rule, op)
    rule.factor(op.result(1)[rows], {}, {1: rows}, NEED_REPLICATION)
    return rule.build()


@built_in_rule(custom_call="ProductOfElementaryHouseholderReflectors")
def householder_product(op: OpSignature) -> ShardingRule:
    """Batch dimensions pass through, the matrices and the `taus` are replicated."""
    rule = RuleBuilder(op)
    rows = _matrix_factors(rule, op)
    rule.factor(op.operand(1)[rows], {1: rows}, kind=NEED_REPLICATION)
    return rule.build()


def _matrix_factors(rule: RuleBuilder, op: OpSignature) -> int:
    """Aligned batch dimensions, and replicated rows and columns of the first operand and result. Returns the dimension
    of the rows."""
    rows, columns = matrix_dims(op)
    shape = op.operand(0)
    for dim in range(rows):
        rule.align(dim, shape[dim])
    for dim in (rows, columns):
        rule.factor(shape[dim], {0: dim}, {0: dim}, NEED_REPLICATION)
    return rows


def matrix_dims(op: OpSignature) -> tuple[int, int]:
    """The dimensions of rows and columns of operand 0. Raises `ValueError` if it is no matrix."""
    rank = len(op.operand(0))
    if rank < 2:
        raise ValueError(f"operand 0 has rank {rank}, a matrix was expected")
    return rank - 2, rank - 1


@built_in_rule(custom_call=("ApproxTopK", "PartialReduce"))
def partial_reduce(op: OpSignature) -> ShardingRule:
    """Values and their indices along with two scalars: pointwise, but the reduced dimension is replicated and blocked
    in the results and has a factor of its own in the operands."""
    rule = RuleBuilder(op)
    for dim, (size, reduced_size) in enumerate(zip(op.operand(0), op.result(0), strict=True)):
        if size == reduced_size:
            rule.align(dim, size)
        else:
            rule.factor(size, {0: dim, 1: dim})
            rule.factor(reduced_size, {}, {0: dim, 1: dim}, NEED_REPLICATION, blocked=True)
    return rule.build()
