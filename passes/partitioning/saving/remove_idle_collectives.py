"""sdy-remove-idle-collectives: what every device sends to itself alone is not sent.

    %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> : ...
==> %0

A program that says itself what devices send, along an axis of the mesh, does so along an axis of size 1 as well. Works
on local programs with replica groups as matrices, and on collectives that leave the type as it is. Cost model: none,
less is sent and nothing is added.
"""

from __future__ import annotations

import numpy as np

from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_

_GROUPED = tuple(
    f"stablehlo.{name}" for name in "all_gather all_reduce all_to_all collective_broadcast reduce_scatter".split()
)
_PERMUTE = "stablehlo.collective_permute"


@pass_("sdy-remove-idle-collectives", on="func.func")
def remove_idle_collectives(func: ir.Operation) -> None:
    found = of_module(MeshTable, func).global_mesh()
    if found is None:
        return
    for op in ops_named(func, _PERMUTE, *_GROUPED):
        if _is_idle(op, found[1].size) and list(op.results.types) == [value.type for value in op.operands]:
            for result, operand in zip(op.results, op.operands, strict=True):
                result.replace_all_uses_with(operand)
            op.erase()


def _is_idle(op: ir.Operation, devices: int) -> bool:
    """Whether each of so many devices gets what it sends."""
    ids = op.attributes["source_target_pairs" if op.name == _PERMUTE else "replica_groups"]
    if not isinstance(ids, ir.DenseIntElementsAttr):
        return False
    matrix = np.array(ids)
    if op.name != _PERMUTE and matrix.shape[1:] != (1,):
        return False
    return np.array_equal(matrix[:, 0], matrix[:, -1]) and np.array_equal(np.sort(matrix[:, 0]), np.arange(devices))
