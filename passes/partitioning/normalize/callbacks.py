"""Devices that run host callbacks."""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ops.custom_calls import callbacks, is_made_on_parts
from sdy.dialect.replica_groups import ManualScopes
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, enclosing_module
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.pattern_sets import Rewriter, function_pattern
from sdy.stablehlo import views

_FIRST_DEVICE = TensorSharding(Mesh((), (0,)))


@function_pattern("callbacks", "stablehlo.custom_call")
def place_callbacks(func: ir.Operation, rewriter: Rewriter) -> bool:
    """Shard host callbacks that have no sharding.

    The first device makes a call that has an effect, with replicated operands. In a region that is manual on all axes,
    or a function called there, every device makes its own. Every device makes a partitioned callback with its parts of
    the operands; the sharding that JAX gives it, which suits other calls, is dropped.

    stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {has_side_effect = true}
    ==>  stablehlo.custom_call @xla_ffi_python_cpu_callback(%0)
           {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>]>}
    """
    found, module = callbacks(func), enclosing_module(func)
    world = MeshTable(module).global_mesh() if found else None
    if world is None:
        return False
    manual = ManualScopes(module)
    changed = False
    for op in found:
        is_sharded = SHARDING in op.attributes
        if is_made_on_parts(op):
            set_op_shardings(op, None)
            changed |= is_sharded
        elif views.CustomCall(op).has_side_effect and not is_sharded:
            changed |= _place(op, manual.around(op), world[1])
    return changed


def _place(op: ir.Operation, manual: frozenset[str], mesh: Mesh) -> bool:
    free = [axis.name for axis in mesh.axes if axis.size > 1 and axis.name not in manual]
    if not manual:
        set_op_shardings(op, [_FIRST_DEVICE] * max(1, len(op.results)))
    elif free:
        raise DiagnosticError(
            op,
            f"has an effect, and is in a region that is not manual on the axes {', '.join(map(repr, free))}: give it "
            "a sharding, or make them manual",
        )
    return not manual
