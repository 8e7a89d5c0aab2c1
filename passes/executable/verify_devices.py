"""sdy-verify-devices: every device that a collective of a local program names is one of those that there are.

    module attributes {sdy.devices = #sdy.mesh<["x"=2]>} {
      ...
      %1 = "stablehlo.all_gather"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, ...}>

The devices are those that `sdy.devices` says. A device that is not one of them is an error at the op.
"""

from __future__ import annotations

import numpy as np

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named
from sdy.passes.executable.records import devices
from sdy.passes.registry import UNCHANGED, pass_

_NAMING = {
    "stablehlo.all_gather": "replica_groups",
    "stablehlo.all_reduce": "replica_groups",
    "stablehlo.all_to_all": "replica_groups",
    "stablehlo.collective_broadcast": "replica_groups",
    "stablehlo.collective_permute": "source_target_pairs",
    "stablehlo.reduce_scatter": "replica_groups",
}
"""Ops that name devices, by the attribute in which they do."""


@pass_("sdy-verify-devices")
def verify_devices(module: ir.Operation) -> str:
    count = devices(module).size
    known: set[ir.Attribute] = set()
    for op in ops_named(module, *_NAMING):
        attribute = op.attributes[_NAMING[op.name]]
        if attribute not in known and isinstance(attribute, ir.DenseIntElementsAttr):
            known.add(attribute)
            _verify(op, np.array(attribute), count)
    return UNCHANGED


def _verify(op: ir.Operation, named: np.ndarray, count: int) -> None:
    """Groups of unequal size are padded with -1."""
    unknown = named[named >= count]
    if unknown.size:
        there_are = "is one device" if count == 1 else f"are {count} devices"
        raise DiagnosticError(op, f"names device {unknown[0]}, but there {there_are}, if no other number is given")
