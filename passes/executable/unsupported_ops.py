"""Replacements for ops that XLA refuses or computes wrongly, in the program of one device."""

from __future__ import annotations

from typing import ClassVar

from sdy.dialect.shardings.meshes import enclosing_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, register_stablehlo_passes, stablehlo
from sdy.mlir.functions import new_function
from sdy.mlir.rewriting import clone_with, move_out
from sdy.mlir.tensor_types import with_shape
from sdy.passes.executable.records import is_for_one_device
from sdy.passes.manager import run_upstream
from sdy.passes.pattern_sets import PatternOptions, Rewriter, apply_patterns, pattern
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pattern("einsum-operands", "stablehlo.einsum", "stablehlo.unary_einsum")
def convert_einsum_operands(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Give an einsum operands and a result of one element type.

    XLA computes an einsum in the element type of its operands and reinterprets the bits in the result's type: it gives
    wrong numbers, or an internal error where the result is sharded.

    %0 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<4x2xi8>, tensor<2x4xi8>) -> tensor<4x4xi16>
    ==>  %0 = stablehlo.convert %x : (tensor<4x2xi8>) -> tensor<4x2xi16>
         %1 = stablehlo.convert %y : (tensor<2x4xi8>) -> tensor<2x4xi16>
         %2 = stablehlo.einsum %0, %1, config = "ab,bc->ac" : (tensor<4x2xi16>, tensor<2x4xi16>) -> tensor<4x4xi16>
    """
    if len({value.type.element_type for value in (*op.operands, *op.results)}) == 1:
        return rewriter.no_match(op, "it has one element type")
    before, result = Builder.before(op), op.results[0]
    element = result.type.element_type
    common = max((element, *(value.type.element_type for value in op.operands)), key=_generality)
    operands = [value if value.type.element_type == common else before.convert(value, common) for value in op.operands]
    type_ = ir.RankedTensorType.get(result.type.shape, common)
    computed = before.create(op.name, operands, (type_,), dict(op.attributes.items())).results[0]
    return rewriter.replace(op, computed if common == element else before.convert(computed, element))


def _generality(element: ir.ComplexType | ir.FloatType | ir.IntegerType) -> tuple[int, int]:
    """Return a key that is larger for a more general type, by kind and by width."""
    if isinstance(element, ir.ComplexType):
        return 2, element.element_type.width
    return int(isinstance(element, ir.FloatType)), element.width


@pattern("high-products", "chlo.mulhi")
def expand_high_product(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Spell out the high half of a product of integers.

    XLA refuses `chlo.mulhi` in a manual region, which the program of one of several devices is. A program declared for
    one device stays.

    %0 = chlo.mulhi %x, %y : tensor<8xi32>
    ==>  %0 = stablehlo.convert %x : (tensor<8xi32>) -> tensor<8xi64>
         %1 = stablehlo.convert %y : (tensor<8xi32>) -> tensor<8xi64>
         %2 = stablehlo.multiply %0, %1 : tensor<8xi64>
         %4 = stablehlo.shift_right_arithmetic %2, %c32 : tensor<8xi64>
         %5 = stablehlo.convert %4 : (tensor<8xi64>) -> tensor<8xi32>
    """
    if is_for_one_device(enclosing_module(op)):
        return rewriter.no_match(op, "the program is for one device")
    register_stablehlo_passes()
    module, types = ir.Module.create(loc=op.location), [operand.type for operand in op.operands]
    function = new_function("main", types, op.results.types, loc=op.location, ip=ir.InsertionPoint(module.body))
    block = function.regions[0].blocks.append(*types)
    end = ir.InsertionPoint(block)
    spelled = clone_with(op, dict(zip(op.operands, block.arguments, strict=False)), end)
    ir.Operation.create("func.return", operands=list(spelled.results), loc=op.location, ip=end)
    run_upstream("builtin.module(func.func(chlo-legalize-to-stablehlo))", module.operation)
    return rewriter.replace(op, move_out(block, list(op.operands), op)[0])


@pattern("scatter-indices", views.Scatter)
def explicit_scatter_indices(scatter: views.Scatter, rewriter: Rewriter) -> bool:
    """Give a scatter by empty index vectors indices of zero.

    All updates go to the first element of a dimension that is not indexed. XLA reads updates of the input's shape as
    one update of the whole input.

    %0 = "stablehlo.scatter"(%x, %empty, %updates) <{... inserted_window_dims = [0], index_vector_dim = 1}>
         : (tensor<8xf32>, tensor<8x0xi32>, tensor<8xf32>) -> tensor<8xf32>
    ==>  %c = stablehlo.constant dense<0> : tensor<8x1xi32>
         %0 = "stablehlo.scatter"(%x, %c, %updates) <{... scatter_dims_to_operand_dims = [0] ...}>
    """
    op, numbers, indices = scatter.op, scatter.scatter_dimension_numbers, scatter.scatter_indices
    dims = numbers.inserted_window_dims
    if not dims or numbers.scattered_dims_to_operand_dims or not indices.type.has_static_shape:
        return rewriter.no_match(op, "its index vectors are not empty, or it inserts no dimensions")
    shape = list(indices.type.shape)
    shape[numbers.index_vector_dim] = len(dims)
    op.operands[len(scatter.inputs)] = Builder.before(op).constant(0, with_shape(indices.type, shape))
    op.attributes["scatter_dimension_numbers"] = stablehlo.ScatterDimensionNumbers.get(
        *numbers._replace(scattered_dims_to_operand_dims=dims)
    )
    return True


@pattern("fourier-layouts", views.Fft)
def fix_fourier_layout(fft: views.Fft, rewriter: Rewriter) -> bool:
    """Keep Fourier transforms in row-major layout.

    XLA's gathers may need another layout, which its code for CPUs refuses. A program declared for one device has no
    gathers and stays.

    %1 = stablehlo.fft %0, type = FFT, length = [8] : ...
    ==>  %0' = stablehlo.custom_call @LayoutConstraint(%0) ...
         %1' = stablehlo.fft %0', type = FFT, length = [8] : ...
         %1 = stablehlo.custom_call @LayoutConstraint(%1') ...
    """
    if is_for_one_device(enclosing_module(fft.op)):
        return rewriter.no_match(fft.op, "the program is for one device")
    fft.op.operands[0] = _row_major(Builder.before(fft.op), fft.operand)
    fixed = _row_major(Builder.after(fft.op), fft.result)
    fft.result.replace_all_uses_except(fixed, [fixed.owner.operation])
    return True


def _row_major(b: Builder, x: ir.Value) -> ir.Value:
    rank = len(x.type.shape)
    layouts = [list(reversed(range(rank)))]
    (fixed,) = b.custom_call([x], "LayoutConstraint", [x.type], operand_layouts=layouts, result_layouts=layouts)
    return fixed


@dataclass(frozen=True)
class LegalizeOptions(PatternOptions):
    """Options of sdy-legalize-for-xla."""

    PATTERNS: ClassVar = (convert_einsum_operands, explicit_scatter_indices, expand_high_product, fix_fourier_layout)


@pass_("sdy-legalize-for-xla", on="func.func", options=LegalizeOptions)
def legalize_for_xla(func: ir.Operation, options: LegalizeOptions) -> object:
    """sdy-legalize-for-xla: Rewrite local ops that XLA rejects or computes wrongly.

        %0 = chlo.mulhi %x, %y : tensor<8xi32>
    ==> %2 = stablehlo.multiply (%x and %y as 64 bits)
        %5 = stablehlo.convert (the high half of %2) : (tensor<8xi64>) -> tensor<8xi32>
    """
    return apply_patterns(func, options)
