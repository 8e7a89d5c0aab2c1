"""sdy-scans-to-windows: a cumulative sum that is written as a scan becomes windows that grow, as on other platforms.

    %1:2 = chlo.scan(%0) inits (%zeros) dimension=0 {is_associative = true, is_reverse = false} {
      ^bb0(%x: tensor<6xf32>, %sum: tensor<6xf32>):
        %2 = stablehlo.add %x, %sum : tensor<6xf32>
        stablehlo.return %2, %2 : ...
    } : (tensor<8x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>)
==> %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = [8, 1], padding = [[7, 0], [0, 0]]}> ({add})
         {sdy.scanned = 0} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>

So propagation, exchange and padding are those of cumulative sums. `sdy-windows-to-scans` makes scans again of what is
left of them on each device.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.init_values import identity_of_op, repeated
from sdy.mlir import ir
from sdy.mlir.rewriting import has_no_use, terminator
from sdy.mlir.tensor_types import i64
from sdy.passes.partitioning.facts.cumulative_windows import SCANNED
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.reduction_bodies import COMMUTATIVE
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.values import one


@pass_("sdy-scans-to-windows", on="func.func")
def scans_to_windows(func: ir.Operation) -> None:
    for scan in views.ChloScan.all_in(func):
        name = _accumulates(scan)
        if name is not None:
            _rewrite(scan, name)


def _accumulates(scan: views.ChloScan) -> str | None:
    """The op that combines a slice and what is carried, which begins with its neutral element; None for other scans."""
    if not scan.is_associative or len(scan.op.operands) != 2 or len(scan.results) != 2:
        return None
    x, init = scan.op.operands
    if not all(value.type.has_static_shape for value in (x, *scan.results)) or 0 in x.type.shape:
        return None
    name, number = _combining_op(scan.body), splat_number(repeated(init))
    is_neutral = name is not None and number is not None and number == identity_of_op(name, x.type.element_type)
    return name if is_neutral and scan.results[0].type == x.type else None


def _combining_op(block: ir.Block) -> str | None:
    arguments, returned = list(block.arguments), list(terminator(block).operands)
    if len(arguments) != 2 or len(returned) != 2 or returned[0] != returned[1]:
        return None
    if isinstance(returned[0].owner, ir.Block):
        return None
    made = returned[0].owner.operation
    is_pair = list(made.operands) in (arguments, arguments[::-1])
    return made.name if made.name in COMMUTATIVE and is_pair else None


def _rewrite(scan: views.ChloScan, name: str) -> None:
    b, x, dim = Builder.before(scan.op), scan.op.operands[0], scan.dimension
    shape, element = list(x.type.shape), x.type.element_type
    rest = shape[dim] - 1
    grown = (0, rest) if scan.is_reverse else (rest, 0)
    neutral = identity_of_op(name, element)
    assert neutral is not None, name
    windows = b.reduce_window(
        x,
        b.constant(neutral, element),
        [size if each == dim else 1 for each, size in enumerate(shape)],
        lambda left, right: one(name, (left, right)),
        padding=[grown if each == dim else (0, 0) for each in range(len(shape))],
    )
    windows.owner.operation.attributes[SCANNED] = ir.IntegerAttr.get(i64(), dim)
    found, carried = scan.results
    found.replace_all_uses_with(windows)
    if not has_no_use(carried):
        last = 0 if scan.is_reverse else rest
        starts = [last if each == dim else 0 for each in range(len(shape))]
        limits = [last + 1 if each == dim else size for each, size in enumerate(shape)]
        carried.replace_all_uses_with(b.reshape(b.slice(windows, starts, limits), carried.type))
    scan.op.erase()
