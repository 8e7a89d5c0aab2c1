"""sdy-strip-dialect: Remove the dialect from the program of one device.

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

Inlines named computations, and writes replica groups along axes as device numbers, or with more than 64 devices as axes
of a mesh in the op. Removes meshes and attributes; the module keeps the records for its caller unless `keep-records` is
off. Errors: an sdy op that is not lowered, an op of a program of several meshes, a query of the partitioner, a
collective with a device that `sdy.devices` does not have.
"""

from __future__ import annotations

import numpy as np

from sdy.dialect.mpmd.declarations import OPS as SEVERAL_MESHES
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named
from sdy.passes.executable.records import DEVICES, devices, strip
from sdy.passes.executable.user_partitions import CUSTOM_PARTITIONING, INSPECT_SHARDING
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.stablehlo import views


@dataclass(frozen=True)
class StripDialectOptions:
    """Options of sdy-strip-dialect."""

    keep_records: bool = option(True, "keep the attributes of the module that describe the whole program")


@pass_("sdy-strip-dialect", options=StripDialectOptions)
def strip_dialect(module: ir.Operation, options: StripDialectOptions) -> None:
    for call in views.CustomCall.all_in(module):
        if call.call_target_name in (CUSTOM_PARTITIONING, INSPECT_SHARDING):
            raise DiagnosticError(call.op, "remains after partitioning, which has to run sdy-resolve-partitioner-calls")
    _refuse_several_meshes(module)
    strip(module)
    if DEVICES in module.attributes:
        _verify_devices(module)
    if not options.keep_records:
        remove_sdy_attributes(module)


def _refuse_several_meshes(module: ir.Operation) -> None:
    """Raise `DiagnosticError` at ops of `mpmd`: in such a program the functions of its fragments are partitioned."""
    names = [name for name in SEVERAL_MESHES if name != "mpmd.return"]
    for op in ops_named(module, *names) if module.context.is_dialect_loaded("mpmd") else ():
        message = "is of a program of several meshes, which is not partitioned as a whole; mpmd-export-pipeline leaves"
        raise DiagnosticError(op, f"{message} a function for each part that runs on one mesh")


_NAMING = {
    "stablehlo.all_gather": "replica_groups",
    "stablehlo.all_reduce": "replica_groups",
    "stablehlo.all_to_all": "replica_groups",
    "stablehlo.collective_broadcast": "replica_groups",
    "stablehlo.collective_permute": "source_target_pairs",
    "stablehlo.reduce_scatter": "replica_groups",
}
"""Ops that name devices, by the attribute in which they do."""


def _verify_devices(module: ir.Operation) -> None:
    """Raise `DiagnosticErrors` at collectives that name a device which `sdy.devices` does not have."""
    count = devices(module).size
    known: set[ir.Attribute] = set()
    for op in ops_named(module, *_NAMING):
        attribute = op.attributes[_NAMING[op.name]]
        if attribute not in known and isinstance(attribute, ir.DenseIntElementsAttr):
            known.add(attribute)
            _verify_op(op, np.array(attribute), count)


def _verify_op(op: ir.Operation, named: np.ndarray, count: int) -> None:
    """Groups of unequal size are padded with -1."""
    unknown = named[named >= count]
    if unknown.size:
        there_are = "is one device" if count == 1 else f"are {count} devices"
        raise DiagnosticError(
            op, f"names device {unknown[0]}, but there {there_are}; set the number of devices if there are more"
        )
