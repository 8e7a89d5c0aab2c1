"""Cumulative sums written as a scan: windows during partitioning, scans again on each device.

They share propagation, exchange and padding of growing windows with cumulative sums on other platforms.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.init_values import identity_of_op, repeated
from sdy.mlir import ir
from sdy.mlir.rewriting import has_no_use, terminator
from sdy.mlir.tensor_types import i64
from sdy.passes.partitioning.analysis.neighbours import SCANNED, growing
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.loops import COMMUTATIVE, combining_ops
from sdy.stablehlo.ops import Builder, chlo
from sdy.stablehlo.ops.regions import one


@pattern("scans-to-windows", views.ChloScan)
def scan_to_windows(scan: views.ChloScan, rewriter: Rewriter) -> bool:
    """Write an associative scan that begins with the identity element as windows that grow.

    %1:2 = chlo.scan(%0) inits (%zeros) dimension=0 {is_associative = true, is_reverse = false} { add }
           : (tensor<8x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>)
    ==>  %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = [8, 1], padding = [[7, 0], [0, 0]]}> ({add})
              {sdy.scanned = 0} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
    """
    name = _accumulates(scan)
    if name is None:
        return rewriter.no_match(scan.op, "it is not one associative op from its identity element on")
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
    return True


def _accumulates(scan: views.ChloScan) -> str | None:
    """Return the op that combines a slice and the carry, if the carry starts with its identity element.

    None for others.
    """
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


@pattern("windows-to-scans", views.ReduceWindow)
def windows_to_scan(windows: views.ReduceWindow, rewriter: Rewriter) -> bool:
    """Restore local windows that were made from a scan to a scan on each device; windows of another kind stay.

    %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = [2, 1], padding = [[1, 0], [0, 0]]}> ({add})
         {sdy.scanned = 0} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    ==>  %1:2 = chlo.scan(%0) inits (%zeros) dimension=0 {is_associative = true, is_reverse = false} { add }
                : (tensor<2x6xf32>, tensor<6xf32>) -> (tensor<2x6xf32>, tensor<6xf32>)
    """
    op = windows.op
    if SCANNED not in op.attributes:
        return rewriter.no_match(op, "it was no scan")
    del op.attributes[SCANNED]
    grown, names = growing(op), combining_ops(op.regions[0])
    if grown is None or names is None or len(op.results) != 1:
        return True
    x, init = op.operands
    b, (name,) = Builder.before(op), names
    if windows.window_dimensions[grown.dim] != x.type.shape[grown.dim]:
        return True
    slices = [size for dim, size in enumerate(x.type.shape) if dim != grown.dim]
    inits = b.broadcast_in_dim(init, slices) if slices else init
    made, _ = chlo.scan(
        [x],
        [inits],
        grown.dim,
        lambda element, carried: [one(name, (element, carried))] * 2,
        is_reverse=grown.from_end,
        is_associative=True,
        loc=b.location,
        ip=b.ip,
    )
    return rewriter.replace(op, made)
