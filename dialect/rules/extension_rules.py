"""Sharding rules of what JAX emits that the reference has no rule for, or one that is stricter than the op.

Propagation by itself does not know them; `sdy-populate-chlo-sharding-rules` puts them on the ops.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sdy.dialect.op_properties import is_elementwise, is_terminator
from sdy.dialect.rules.builder import NEED_REPLICATION, PASS_THROUGH, REDUCTION, RuleBuilder
from sdy.dialect.rules.custom_call_rules import matrix_dims
from sdy.dialect.rules.op_signature import OpSignature
from sdy.dialect.rules.registry import is_users, made_by
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.stablehlo.idioms.ragged_dims import RaggedDims

_POINTWISE = tuple(
    f"chlo.{name}"
    for name in (
        "_asin_acos_kernel acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma sinh square tan zeta"
    ).split()
)
_CALL = "stablehlo.custom_call"
DECOMPOSING = ("stablehlo.cholesky", "stablehlo.triangular_solve", _CALL)
"""The ops that `decomposes_matrices` may hold of."""
_UNINITIALIZED = "AllocateBuffer"
"""The call that JAX makes arrays by of which no element has a value yet."""


def extension_rule(op: ir.Operation) -> ShardingRule | None:
    """The rule of an op of `EXTENDED_OPS`, or of a custom call; None if it has none or a user's, and for all others.

    Raises `DiagnosticError` at an op of other ranks than such ops have.
    """
    name = op.name
    target = op.attributes["call_target_name"].value if name == _CALL else None
    make = _OPS.get(name) if target is None else _CALLS.get(target)
    return None if make is None or is_users(name, target) else made_by(make, OpSignature(op), op)


def decomposes_matrices(op: ir.Operation) -> bool:
    """Whether an op decomposes matrices, or solves equations, of which it needs the whole."""
    if op.name == _CALL:
        target = op.attributes["call_target_name"].value
        return target in (*_MATRIX_CALLS, "QrDecompositionBlock") or target.startswith(_LINEAR_ALGEBRA)
    return op.name in DECOMPOSING


def is_uninitialized(op: ir.Operation) -> bool:
    """Whether an op makes elements that hold whatever was there before."""
    return op.name == _CALL and op.attributes["call_target_name"].value == _UNINITIALIZED


def _pointwise(op: OpSignature) -> ShardingRule | None:
    if len({*op.operands, *op.results}) > 1:
        return None
    rule = RuleBuilder(op)
    for dim, size in enumerate(op.result(0)):
        rule.align(dim, size)
    return rule.build()


def _top_k(op: OpSignature) -> ShardingRule:
    """The last dimension is searched as a whole."""
    rule = RuleBuilder(op)
    *batch, searched = op.operand(0)
    for dim, size in enumerate(batch):
        rule.align(dim, size)
    last = len(batch)
    rule.factor(searched, {0: last}, kind=NEED_REPLICATION)
    rule.factor(op.result(0)[last], results={0: last, 1: last}, kind=NEED_REPLICATION)
    return rule.build()


def _without_values(op: OpSignature) -> ShardingRule:
    """Elements that hold whatever was there before: each device has its own."""
    rule = RuleBuilder(op)
    for dim, size in enumerate(op.result(0)):
        rule.factor(size, {}, {0: dim})
    return rule.build()


def _of_matrices(op: OpSignature) -> ShardingRule:
    """Leading dimensions pass through; those of the matrices are needed, and made, as a whole.

    Nothing propagates along the latter: what is computed as a whole had better stay so until somebody needs a part.
    """
    rule = RuleBuilder(op)
    count, _ = matrix_dims(op)
    for dim, size in enumerate(op.operand(0)[:count]):
        rule.align(dim, size)
    _whole_dims(rule, op, count)
    return rule.build()


def _symmetric_product(op: OpSignature) -> ShardingRule:
    """Of `alpha` times a matrix with itself transposed, plus `beta` times another: leading dimensions pass through."""
    rule = RuleBuilder(op)
    count, _ = matrix_dims(op)
    for dim, size in enumerate(op.operand(0)[:count]):
        rule.factor(size, {0: dim, 1: dim}, {0: dim})
    _whole_dims(rule, op, count)
    return rule.build()


def _triangular_solve(op: OpSignature) -> ShardingRule:
    """As all ops on matrices; with more right hand sides than unknowns, each device solves for those it has.

    Fewer are brought to all devices: in gradients the matrix, which is larger, would have to be added up.
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


def _sparse_product(op: OpSignature) -> ShardingRule:
    """Of a matrix in compressed rows with a vector or a matrix: each device multiplies with the columns that it has.

    Nothing propagates along them, as nothing does in XLA. The matrix is needed as a whole, since a row may have its
    elements anywhere; so is the other where the result is larger, which would have to be gathered.
    """
    rule = RuleBuilder(op)
    factors, result = op.operand(3), op.result(0)
    columns = {(3, 1), (4, 1)} if len(factors) == 2 and result[0] <= factors[0] else set()
    if columns:
        rule.factor(factors[1], {3: 1}, {0: 1}, blocked=True)
    _whole_dims(rule, op, 0, columns)
    return rule.build()


def _whole_dims(rule: RuleBuilder, op: OpSignature, first: int, others: Collection[tuple[int, int]] = ()) -> None:
    """A factor of its own for each dimension from `first` on, but for the dimensions `others` of operands, results."""
    operands = len(op.operands)
    for number, shape in enumerate((*op.operands, *op.results)):
        for dim in range(first, len(shape or ())):
            if shape is not None and (number, dim) not in others:
                place = {number if number < operands else number - operands: dim}
                taken, made = (place, None) if number < operands else (None, place)
                rule.factor(shape[dim], taken, made, NEED_REPLICATION)


# A loop over slices ------------------------------------------------------------------------------


def _scan(op: OpSignature) -> ShardingRule | None:
    """All but the scanned dimension pass through, if the body computes each element by itself; else there is none."""
    region = op.operation.regions[0]
    if not computes_elements(region):
        return None
    rule, scanned = RuleBuilder(op), op.integer("dimension")
    inputs, outputs = (op.integers(name)[0] for name in ("operandSegmentSizes", "resultSegmentSizes"))
    shape = op.operand(0) if inputs else ()
    for dim, size in enumerate(shape):
        kept = dim - (dim > scanned)
        operands = {number: dim if number < inputs else kept for number in range(len(op.operands))}
        results = {number: dim if number < outputs else kept for number in range(len(op.results))}
        if dim == scanned:
            operands = dict.fromkeys(range(inputs), dim)
            results = dict.fromkeys(range(outputs), dim)
        rule.factor(size, operands, results, NEED_REPLICATION if dim == scanned else PASS_THROUGH)
    return rule.build()


def computes_elements(region: ir.Region) -> bool:
    """Whether the body of a scan computes each element of its slices, which are of one shape, by itself."""
    block = region.blocks[0]
    shapes = {tuple(argument.type.shape) for argument in block.arguments}
    return len(shapes) == 1 and all(_is_local(op.operation, *shapes) for op in block.operations)


def _is_local(op: ir.Operation, shape: Sequence[int]) -> bool:
    if is_terminator(op):
        return True
    if any(tuple(result.type.shape) not in (tuple(shape), ()) for result in op.results):
        return False
    if op.name in ("stablehlo.constant", "sdy.constant"):
        return op.attributes["value"].is_splat
    repeats = op.name == "stablehlo.broadcast_in_dim" and not op.operands[0].type.shape
    return repeats or is_elementwise(op)


# A product of groups of matrices -----------------------------------------------------------------


def _ragged_dot(op: OpSignature) -> ShardingRule:
    """As a product; the devices that have a part of the ragged dimension have parts of some groups.

    Where groups are sharded, in the right operand or in the result, each device computes those it has: of rows the
    devices' results add up. Sizes are sharded as the groups of the result, if these are summed by themselves; all
    devices need all of them in any case.
    """
    dims = RaggedDims.of(op.required("ragged_dot_dimension_numbers"))
    rule = RuleBuilder(op)
    lhs, rhs, sizes = (op.operand(number) for number in range(3))
    result_dims = _ResultDims(dims, len(lhs), len(rhs))
    prefix = dims.prefix(len(lhs)) if len(sizes) > 1 else ()
    for left, right in zip(dims.lhs_batching, dims.rhs_batching, strict=True):
        rule.factor(lhs[left], {0: left, 1: right, **_along(prefix, left)}, {0: result_dims.of_lhs(left)})
    for left in dims.lhs_free(len(lhs)):
        rule.factor(lhs[left], {0: left, **_along(prefix, left)}, {0: result_dims.of_lhs(left)})
    for right in dims.rhs_free(len(rhs)):
        rule.factor(rhs[right], {1: right}, {0: result_dims.of_rhs(right)})
    for left, right in zip(dims.lhs_contracting, dims.rhs_contracting, strict=True):
        rule.factor(lhs[left], {0: left, 1: right, **_along(prefix, left)}, kind=REDUCTION)
    groups, last = op.operand(2)[-1], len(sizes) - 1
    if dims.contracts_groups and not prefix:
        rule.factor(groups, {2: last}, {0: 0})
        return rule.build()
    # With sizes for each of several parts no rotation brings the first group of a device to the front of all of them.
    if dims.contracts_groups:
        rule.factor(groups, {}, {0: 0}, NEED_REPLICATION)
    elif dims.rhs_group:
        rule.factor(groups, {1: dims.rhs_group[0]}, kind=NEED_REPLICATION if prefix else REDUCTION)
    rule.factor(groups, {2: last}, kind=NEED_REPLICATION)
    return rule.build()


def _along(prefix: Sequence[int], left: int) -> dict[int, int]:
    """The dimension of the sizes of groups that belongs to a dimension of the left operand."""
    return {2: prefix.index(left)} if left in prefix else {}


class _ResultDims:
    """Where the dimensions of the operands are in the result."""

    def __init__(self, dims: RaggedDims, lhs_rank: int, rhs_rank: int) -> None:
        self._lhs = [*dims.lhs_batching, *dims.lhs_free(lhs_rank)]
        self._rhs = list(dims.rhs_free(rhs_rank))
        self._first = int(dims.contracts_groups)

    def of_lhs(self, dim: int) -> int:
        return self._first + self._lhs.index(dim)

    def of_rhs(self, dim: int) -> int:
        return self._first + len(self._lhs) + self._rhs.index(dim)


_OPS: dict[str, Callable[[OpSignature], ShardingRule | None]] = {
    "chlo.ragged_dot": _ragged_dot,
    "chlo.scan": _scan,
    "chlo.top_k": _top_k,
    "stablehlo.cholesky": _of_matrices,
    "stablehlo.triangular_solve": _triangular_solve,
    **dict.fromkeys(_POINTWISE, _pointwise),
}
_MATRIX_CALLS = ("Cholesky", "Eigh", "LuDecomposition", "ProductOfElementaryHouseholderReflectors", "Qr")
_LINEAR_ALGEBRA = ("blas_", "cublas_", "cusolver_", "hipblas_", "hipsolver_", "lapack_")
"""How targets of libraries begin, on whose calls JAX writes a rule."""
_CALLS: dict[str, Callable[[OpSignature], ShardingRule | None]] = {
    **dict.fromkeys((*_MATRIX_CALLS, "QrDecompositionBlock"), _of_matrices),
    _UNINITIALIZED: _without_values,
    **dict.fromkeys(("cusolver_syrk_ffi", "hipsolver_syrk_ffi"), _symmetric_product),
    **dict.fromkeys(("cu_threefry2x32_ffi", "hip_threefry2x32_ffi"), _pointwise),
    "cpu_csr_sparse_dense_ffi": _sparse_product,
}

EXTENDED_OPS = tuple(_OPS)
"""The ops of which any has a rule, apart from custom calls."""
