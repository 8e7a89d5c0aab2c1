"""sdy-convert-einsum-operands: einsums get operands and results of one element type.

    %0 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<4x2xi8>, tensor<2x4xi8>) -> tensor<4x4xi16>
==> %0 = stablehlo.convert %x : (tensor<4x2xi8>) -> tensor<4x2xi16>
    %1 = stablehlo.convert %y : (tensor<2x4xi8>) -> tensor<2x4xi16>
    %2 = stablehlo.einsum %0, %1, config = "ab,bc->ac" : (tensor<4x2xi16>, tensor<2x4xi16>) -> tensor<4x4xi16>

XLA computes an einsum in the element type of its operands and takes the bits for numbers of the type of the result: it
gives wrong numbers, or an internal error where the result is sharded.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder


@pass_("sdy-convert-einsum-operands")
def convert_einsum_operands(module: ir.Operation) -> object:
    """Computes in the more general of the types of operands and result, and converts the result if that is another."""
    mixed = [op for op in ops_named(module, "stablehlo.einsum", "stablehlo.unary_einsum") if _is_mixed(op)]
    for op in mixed:
        _convert(op)
    return None if mixed else UNCHANGED


def _is_mixed(op: ir.Operation) -> bool:
    return len({value.type.element_type for value in (*op.operands, *op.results)}) > 1


def _convert(op: ir.Operation) -> None:
    before, result = Builder.before(op), op.results[0]
    element = result.type.element_type
    common = max((element, *(value.type.element_type for value in op.operands)), key=_generality)
    operands = [value if value.type.element_type == common else before.convert(value, common) for value in op.operands]
    type_ = ir.RankedTensorType.get(result.type.shape, common)
    computed = before.create(op.name, operands, (type_,), dict(op.attributes.items())).results[0]
    result.replace_all_uses_with(computed if common == element else before.convert(computed, element))
    op.erase()


def _generality(element: ir.ComplexType | ir.FloatType | ir.IntegerType) -> tuple[int, int]:
    """Larger for a type whose numbers are more, by kind and by width."""
    if isinstance(element, ir.ComplexType):
        return 2, element.element_type.width
    return int(isinstance(element, ir.FloatType)), element.width
