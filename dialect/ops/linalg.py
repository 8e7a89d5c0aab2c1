"""Linear algebra, Fourier transforms and normalization (spec: sharding-rules, 4.3, 5 and 6)."""

from __future__ import annotations

from collections.abc import Collection

from sdy.dialect.ops.elementwise import Pointwise
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, PASS_THROUGH, OpSignature, RuleBuilder
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir


@op_model("stablehlo.cholesky")
class Cholesky(OpModel):
    """Batch dimensions pass through, those of the matrices are replicated."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        shape = op.operand(0)
        for dim, size in enumerate(shape):
            rule.align(dim, size, PASS_THROUGH if dim < len(shape) - 2 else NEED_REPLICATION)
        return rule.build()

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        return _of_matrices(op)


@op_model("stablehlo.triangular_solve")
class TriangularSolve(OpModel):
    """Batch dimensions pass through, those of the matrices are whole."""

    def rule(self, op: OpSignature) -> ShardingRule:
        """Batch dimensions pass through.

        The dimensions of the matrices are replicated, each factor in two of the three tensors: the right hand side and
        the result do not share the solved dimension.
        """
        rule = RuleBuilder(op)
        a, b = op.operand(0), op.operand(1)
        last = len(a) - 1
        for dim in range(last - 1):
            rule.align(dim, a[dim])
        rows, columns = last - 1, last
        if "NO_TRANSPOSE" not in str(op.required("transpose_a")):
            rows, columns = columns, rows
        if op.flag("left_side"):
            rule.factor(a[rows], {0: rows, 1: last - 1}, kind=NEED_REPLICATION)
            rule.factor(b[last], {1: last}, {0: last}, NEED_REPLICATION)
            rule.factor(a[columns], {0: columns}, {0: last - 1}, NEED_REPLICATION)
        else:
            rule.factor(b[last - 1], {1: last - 1}, {0: last - 1}, NEED_REPLICATION)
            rule.factor(a[columns], {0: columns, 1: last}, kind=NEED_REPLICATION)
            rule.factor(a[rows], {0: rows}, {0: last}, NEED_REPLICATION)
        return rule.build()

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        """Return the rule of ops on matrices; many right-hand sides are sharded and solved by each device.

        Fewer are sent to all devices: in gradients the matrix, which is larger, would have to be summed.
        """
        right = op.operand(1)
        count = len(right) - 2
        free, solved = (count + 1, count) if op.flag("left_side") else (count, count + 1)
        if right[free] <= right[solved]:
            return _of_matrices(op)
        rule = RuleBuilder(op)
        for dim, size in enumerate(right[:count]):
            rule.align(dim, size)
        rule.factor(right[free], {1: free}, {0: free})
        _whole_dims(rule, op, count, {(1, free), (2, free)})
        return rule.build()


@op_model("stablehlo.fft")
class Fft(OpModel):
    """Pointwise; transformed dimensions are replicated, and the last one is blocked if its size changes."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        shape = op.operand(0)
        first_transformed = len(shape) - len(op.integers("fft_length"))
        for dim in range(first_transformed):
            rule.align(dim, shape[dim])
        for dim in range(first_transformed, len(shape)):
            is_resized = dim == len(shape) - 1 and shape[dim] != op.result(0)[dim]
            rule.align(dim, shape[dim], NEED_REPLICATION, blocked=is_resized)
        return rule.build()


@op_model("stablehlo.batch_norm_inference")
class BatchNormInference(OpModel):
    """Pointwise; scale, offset, mean and variance have the feature dimension only."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        feature_dim = op.integer("feature_index")
        for dim, size in enumerate(op.operand(0)):
            operands = {0: dim}
            if dim == feature_dim:
                operands |= dict.fromkeys(range(1, 5), 0)
            rule.factor(size, operands, {0: dim})
        return rule.build()


# Custom calls --------------------------------------------------------------------------------------


@op_model(custom_call=("CompactWyHelper", "InvertDiagBlocksLowerTriangular", "InvertDiagBlocksUpperTriangular"))
class MatrixCall(Pointwise):
    """Pointwise in propagation, as in the reference; a device needs whole matrices."""

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        del op
        return frozenset(factor for dim in rule.operands[0][-2:] for factor in dim)


@op_model(custom_call="Cholesky")
class CholeskyCall(MatrixCall):
    """Batch dimensions pass through."""

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        return _of_matrices(op)


@op_model(custom_call="Eigh")
class EighCall(MatrixCall):
    """Pointwise for the eigenvectors; the eigenvalues correspond to their columns."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        rows, columns = matrix_dims(op)
        shape = op.operand(0)
        for dim in range(rows):
            rule.align(dim, shape[dim])
        rule.factor(shape[rows], {0: rows}, {0: rows})
        rule.factor(shape[columns], {0: columns}, {0: columns, 1: rows})
        return rule.build()

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        return _of_matrices(op)


@op_model(custom_call=("Qr", "QrDecompositionBlock"))
class QrCall(OpModel):
    """Batch dimensions pass through, the matrices and the `taus` are replicated."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        rows = _matrix_factors(rule, op)
        rule.factor(op.result(1)[rows], {}, {1: rows}, NEED_REPLICATION)
        return rule.build()

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        return _of_matrices(op)


@op_model(custom_call="ProductOfElementaryHouseholderReflectors")
class HouseholderCall(OpModel):
    """Batch dimensions pass through, the matrices and the `taus` are replicated."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        rows = _matrix_factors(rule, op)
        rule.factor(op.operand(1)[rows], {1: rows}, kind=NEED_REPLICATION)
        return rule.build()

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        return _of_matrices(op)


@op_model(custom_call="LuDecomposition")
class LuCall(OpModel):
    """Batch dimensions pass through."""

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        return _of_matrices(op)


@op_model(custom_call=("cusolver_syrk_ffi", "hipsolver_syrk_ffi"))
class SyrkCall(OpModel):
    """`alpha` times a matrix with itself transposed, plus `beta` times another."""

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        """Return the rule of `alpha` times a matrix with its transpose, plus `beta` times another.

        Leading dimensions pass through.
        """
        rule = RuleBuilder(op)
        count, _ = matrix_dims(op)
        for dim, size in enumerate(op.operand(0)[:count]):
            rule.factor(size, {0: dim, 1: dim}, {0: dim})
        _whole_dims(rule, op, count)
        return rule.build()


@op_model(custom_call="cpu_csr_sparse_dense_ffi")
class SparseProductCall(OpModel):
    """A matrix in compressed rows times a vector or a matrix."""

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        """Return the rule of the product of a matrix in compressed rows with a vector or a matrix.

        Each device multiplies with the columns that it has.

        Nothing propagates along them, as in XLA. The matrix is replicated, since a row may have elements at any
        position. The right hand side is replicated where the result is larger, which would otherwise be gathered.
        """
        rule = RuleBuilder(op)
        factors, result = op.operand(3), op.result(0)
        columns = {(3, 1), (4, 1)} if len(factors) == 2 and result[0] <= factors[0] else set()
        if columns:
            rule.factor(factors[1], {3: 1}, {0: 1}, blocked=True)
        _whole_dims(rule, op, 0, columns)
        return rule.build()


def _matrix_factors(rule: RuleBuilder, op: OpSignature) -> int:
    """Align batch dimensions, replicate rows and columns of operand 0 and result; return the rows' dimension."""
    rows, columns = matrix_dims(op)
    shape = op.operand(0)
    for dim in range(rows):
        rule.align(dim, shape[dim])
    for dim in (rows, columns):
        rule.factor(shape[dim], {0: dim}, {0: dim}, NEED_REPLICATION)
    return rows


def matrix_dims(op: OpSignature) -> tuple[int, int]:
    """The dimensions of rows and columns of operand 0. Raises `ValueError` if it is not a matrix."""
    rank = len(op.operand(0))
    if rank < 2:
        raise ValueError(f"operand 0 has rank {rank}, a matrix was expected")
    return rank - 2, rank - 1


def _of_matrices(op: OpSignature) -> ShardingRule:
    """Return the rule in which leading dimensions pass through, and matrices are replicated.

    Nothing propagates along the dimensions of the matrices: a replicated result should stay replicated until a user
    needs a part.
    """
    rule = RuleBuilder(op)
    count, _ = matrix_dims(op)
    for dim, size in enumerate(op.operand(0)[:count]):
        rule.align(dim, size)
    _whole_dims(rule, op, count)
    return rule.build()


def _whole_dims(rule: RuleBuilder, op: OpSignature, first: int, others: Collection[tuple[int, int]] = ()) -> None:
    """Give each dimension from `first` on a factor of its own, except the dimensions `others`."""
    operands = len(op.operands)
    for number, shape in enumerate((*op.operands, *op.results)):
        for dim in range(first, len(shape or ())):
            if shape is not None and (number, dim) not in others:
                place = {number if number < operands else number - operands: dim}
                taken, made = (place, None) if number < operands else (None, place)
                rule.factor(shape[dim], taken, made, NEED_REPLICATION)
