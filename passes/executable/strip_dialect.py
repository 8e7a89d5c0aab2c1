"""sdy-strip-dialect: removes what is left of the dialect in a local program.

    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {sdy.note} {
      %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<4xf32>) {
        %1 = stablehlo.negate %arg1 : tensor<4xf32>
        sdy.return %1 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
==> func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %arg0 : tensor<4xf32>
      return %0 : tensor<4xf32>
    }

Named computations are inlined, replica groups along axes become numbers of devices, or with more than 64 devices axes
of a mesh that stands in the op; meshes and attributes of the dialect go, but for those by which the module tells who
runs it what it was. Without `keep-records` these go, too. An op that is still to be partitioned is refused, and so is a
call that asks a partitioner for something.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.executable.questions import CUSTOM_PARTITIONING, INSPECT_SHARDING
from sdy.passes.executable.stripping import strip
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.stablehlo import views


@dataclass(frozen=True)
class Options:
    keep_records: bool = option(True, "keep the attributes of the module that say what it was")


@pass_("sdy-strip-dialect", options=Options)
def strip_dialect(module: ir.Operation, options: Options) -> None:
    for call in views.CustomCall.all_in(module):
        pass_name = _TAKEN_BY.get(call.call_target_name)
        if pass_name is not None:
            raise DiagnosticError(call.op, f"is still there after partitioning, which has to run {pass_name}")
    strip(module, keep_records=options.keep_records)


_TAKEN_BY = {
    CUSTOM_PARTITIONING: "sdy-expand-custom-partitioning",
    INSPECT_SHARDING: "sdy-take-inspections",
}
"""The passes behind which there are no calls with a target, by the target."""
