"""sdy-transpose-before-all-reduces: the transpose of a sum over devices is taken of what each of them adds to it.

    %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
         : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.all_reduce"(%1) <{...}> ({ ... }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
==> %1 = stablehlo.dot_general ...
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %3 = "stablehlo.all_reduce"(%2) <{...}> ({ ... }) : (tensor<6x4xf32>) -> tensor<6x4xf32>

Gradients of products are products whose transpose is wanted. A compiler computes that at once where nothing is
between product and transpose. Otherwise it copies the gradient, or the parameter and what else is combined with it,
since one of them lies in memory the other way round. Works on local programs. Cost model: the same bytes are sent,
with fewer copies.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.ir_builders.operand_slots import uses_of
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder

_ALL_REDUCE = "stablehlo.all_reduce"
_TRANSPOSE = "stablehlo.transpose"


@pass_("sdy-transpose-before-all-reduces", on="func.func")
def transpose_before_all_reduces(func: ir.Operation) -> None:
    for op in ops_named(func, _TRANSPOSE):
        sums = _sums_of_product(op)
        if sums:
            _add_up_transposed(op, sums)


def _sums_of_product(transpose: ir.Operation) -> list[ir.Operation]:
    """The all_reduces between a product and its transpose, the last one first, if nobody else uses what is between."""
    found: list[ir.Operation] = []
    value = transpose.operands[0]
    while isinstance(value, ir.OpResult) and len(uses_of(value)) == 1:
        op = value.owner.operation
        if op.name == "stablehlo.dot_general":
            return found
        if op.name != _ALL_REDUCE or len(op.operands) != 1:
            break
        found.append(op)
        value = op.operands[0]
    return []


def _add_up_transposed(transpose: ir.Operation, sums: list[ir.Operation]) -> None:
    """The all_reduces move behind the transpose, and so behind nothing that they or their users need."""
    result = transpose.results[0]
    value = Builder.before(sums[-1]).transpose(sums[-1].operands[0], list(transpose.attributes["permutation"]))
    for op in reversed(sums):
        attributes = without_sharding(op)
        added = Builder.before(op).create(_ALL_REDUCE, (value,), (result.type,), attributes, regions=1)
        op.regions[0].blocks[0].append_to(added.regions[0])
        value = added.results[0]
    result.replace_all_uses_with(value)
    for op in (transpose, *sums):
        op.erase()
