"""Callbacks of fragments: fragments that contain some, and the device that makes each.

Passes drop the shardings of ops in fragments, which are propagated anew. That of a callback says which device calls it,
so it is kept aside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sdy.dialect.definition.attributes import number_of
from sdy.dialect.ops.custom_calls import callbacks
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir

if TYPE_CHECKING:
    from sdy.partitioned_module import PartitionedModule

_CALLBACK = re.compile(r"custom_call @\w*python\w*callback")
_DEVICE = "mpmd.callback_device"


def keep_callback_devices(root: ir.Operation) -> None:
    """Record the device of each single-device callback below `root`; the first device makes ordered ones."""
    for op in callbacks(root):
        shardings = op_shardings(op) or ()
        mesh = mesh_of(shardings[0].mesh_or_ref, op) if shardings else None
        is_ordered = any(str(value.type) == "!stablehlo.token" for value in op.operands)
        if (mesh is not None and mesh.is_maximal) or is_ordered:
            number = mesh.device_ids[0] if mesh is not None and mesh.is_maximal else 0
            op.attributes[_DEVICE] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)


def restore_callback_devices(root: ir.Operation) -> bool:
    """Give callbacks below `root` their recorded shardings; return whether there were any."""
    noted = [op for op in callbacks(root) if _DEVICE in op.attributes]
    for op in noted:
        mesh = Mesh((), (number_of(op.attributes[_DEVICE]),))
        del op.attributes[_DEVICE]
        set_op_shardings(op, [TensorSharding.closed(mesh, 0)] * max(1, len(op.results)))
    return bool(noted)


def with_callbacks(fragments: Mapping[str, PartitionedModule]) -> frozenset[str]:
    """Return the names of the fragments that call back to Python."""
    return frozenset(name for name, each in fragments.items() if _CALLBACK.search(each.text))
