"""sdy-windows-to-scans: windows that were a scan are one again, on each device.

    %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = [2, 1], padding = [[1, 0], [0, 0]]}> ({add})
         {sdy.scanned = 0} : (tensor<2x6xf32>, tensor<f32>) -> tensor<2x6xf32>
==> %1:2 = chlo.scan(%0) inits (%zeros) dimension=0 {is_associative = true, is_reverse = false} {
      ^bb0(%x: tensor<6xf32>, %sum: tensor<6xf32>):
        %2 = stablehlo.add %x, %sum : tensor<6xf32>
        stablehlo.return %2, %2 : ...
    } : (tensor<2x6xf32>, tensor<6xf32>) -> (tensor<2x6xf32>, tensor<6xf32>)

What `sdy-scans-to-windows` has left. Windows that have become others on the way stay windows.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.partitioning.facts.cumulative_windows import SCANNED, growing
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.idioms.reduction_bodies import combining_ops
from sdy.stablehlo.ops import Builder, chlo
from sdy.stablehlo.ops.values import one


@pass_("sdy-windows-to-scans", on="func.func")
def windows_to_scans(func: ir.Operation) -> None:
    for windows in views.ReduceWindow.all_in(func):
        if SCANNED in windows.op.attributes:
            del windows.op.attributes[SCANNED]
            _rewrite(windows.op)


def _rewrite(op: ir.Operation) -> None:
    windows, names = growing(op), combining_ops(op.regions[0])
    if windows is None or names is None or len(op.results) != 1:
        return
    x, init = op.operands
    b, (name,) = Builder.before(op), names
    if views.ReduceWindow(op).window_dimensions[windows.dim] != x.type.shape[windows.dim]:
        return
    slices = [size for dim, size in enumerate(x.type.shape) if dim != windows.dim]
    inits = b.broadcast_in_dim(init, slices) if slices else init
    made, _ = chlo.scan(
        [x],
        [inits],
        windows.dim,
        lambda element, carried: [one(name, (element, carried))] * 2,
        is_reverse=windows.from_end,
        is_associative=True,
        loc=b.location,
        ip=b.ip,
    )
    op.results[0].replace_all_uses_with(made)
    op.erase()
