"""sdy-place-callbacks: says which devices call back to Python, where the program does not.

    stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {has_side_effect = true}
==> stablehlo.custom_call @xla_ffi_python_cpu_callback(%0)
      {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>]>}

A call with an effect is made once, by the first device, with whole operands. In a region that is manual on all axes, or
a function called there, every device makes its own. Partitioned callbacks are made by every device with its parts of
the operands: they lose the sharding that JAX gives them, which is that of other calls.
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.replica_groups import ManualScopes
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.idioms.callbacks import callbacks, has_side_effect, is_made_on_parts

_FIRST_DEVICE = TensorSharding(Mesh((), (0,)))


@pass_("sdy-place-callbacks")
def place_callbacks(module: ir.Operation) -> object:
    found = callbacks(module)
    world = MeshTable(module).global_mesh()
    if not found or world is None:
        return UNCHANGED
    manual = ManualScopes(module)
    for op in found:
        if is_made_on_parts(op):
            set_op_shardings(op, None)
        elif has_side_effect(op) and SHARDING not in op.attributes:
            _place(op, manual.around(op), world[1])
    return None


def _place(op: ir.Operation, manual: frozenset[str], mesh: Mesh) -> None:
    free = [axis.name for axis in mesh.axes if axis.size > 1 and axis.name not in manual]
    if not manual:
        set_op_shardings(op, [_FIRST_DEVICE] * max(1, len(op.results)))
    elif free:
        raise DiagnosticError(
            op,
            f"has an effect, and is in a region that is not manual on the axes {', '.join(map(repr, free))}: give it "
            "a sharding, or make them manual",
        )
