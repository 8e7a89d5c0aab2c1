"""The fragments of a program of several meshes as programs of one device, and as compiled functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import jax

from sdy import execution
from sdy.dialect import builders
from sdy.dialect.definition.attributes import number_of, value_of
from sdy.dialect.ops.custom_calls import callbacks
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import ARGUMENTS, callee_name, entries_of, main_function, module_body, put_entries, top_level
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import i64_attr
from sdy.mpmd_running.instructions import Run
from sdy.partition import partition
from sdy.running.boundary import dtype_of
from sdy.running.deferred_failures import with_deferred_failures

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
            op.attributes[_DEVICE] = i64_attr(number)


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


Devices: TypeAlias = Mapping[str, jax.sharding.Mesh]
"""The devices of each mesh of a topology."""

_OF_FRAGMENTS = ("mesh_shape", "reserved_hbm_bytes")
_OF_ARGUMENTS = ("tf.aliasing_output", "jax.buffer_donor")


def fragment_modules(module: ir.Module) -> dict[str, ir.Module]:
    """Return, by name of a fragment's function, a module in which that function is `@main`.

    Args:
      module: an exported module, which is not changed.
    """
    with module.context, ir.Location.unknown():
        callees = {callee_name(call): None for call in ops_named(module.operation, "mpmd.fragment_call")}
        main = main_function(module.operation)
        shared = [op for op in top_level(module) if op != main and (op.name != "func.func" or _name(op) not in callees)]
        functions = {_name(op): op for op in top_level(module) if op.name == "func.func"}
        return {name: _module_of(functions[name], shared) for name in callees}


def _name(function: ir.Operation) -> str:
    return ir.StringAttr(function.attributes["sym_name"]).value


def _module_of(function: ir.Operation, shared: Sequence[ir.Operation]) -> ir.Module:
    made = ir.Module.create()
    made.operation.attributes["sym_name"] = ir.StringAttr.get("fragment")
    with ir.InsertionPoint(module_body(made.operation)):
        for op in shared:
            if not _is_mesh_of_others(op, function):
                op.clone()
        main = function.clone().operation
    main.attributes["sym_name"] = ir.StringAttr.get("main")
    if restore_callback_devices(main) and not any(value_of(op.attributes["mesh"]).axes for op in _meshes(made)):
        # Values that one device makes go to all devices of a mesh.
        builders.mesh("fragment_mesh", main.attributes["mesh_shape"], ip=ir.InsertionPoint(main))
    for name in _OF_FRAGMENTS:
        if name in main.attributes:
            del main.attributes[name]
    arguments = [
        {name: attr for name, attr in each.items() if name not in _OF_ARGUMENTS} for each in entries_of(main, ARGUMENTS)
    ]
    put_entries(main, ARGUMENTS, arguments)
    return made


def _is_mesh_of_others(op: ir.Operation, function: ir.Operation) -> bool:
    """Return whether an op is a mesh with other axes than the fragment's mesh."""
    if op.name != "sdy.mesh" or "mesh_shape" not in function.attributes:
        return False
    mesh, own = value_of(op.attributes["mesh"]), value_of(function.attributes["mesh_shape"])
    return bool(mesh.axes) and mesh.axes != own.axes


def _meshes(module: ir.Module) -> list[ir.Operation]:
    return [op for op in top_level(module) if op.name == "sdy.mesh"]


def partitioned_fragments(module: ir.Module, sizes: Mapping[str, int]) -> dict[str, PartitionedModule]:
    """Return the program of one device by name of a fragment's function. Equal fragments are partitioned once.

    Args:
      module: an exported module.
      sizes: by name of such a function, the number of devices of its mesh.

    Raises:
      DiagnosticError: a fragment cannot be partitioned.
    """
    known: dict[tuple[str, int], PartitionedModule] = {}
    found: dict[str, PartitionedModule] = {}
    for name, each in fragment_modules(module).items():
        key = str(each), sizes[name]
        if key not in known:
            known[key] = partition(each, num_devices=sizes[name])
        found[name] = replace(known[key], name=name)
    return found


def compile_fragments(
    partitioned: Mapping[str, PartitionedModule],
    runs: Sequence[Run],
    devices: Devices,
    callbacks: Sequence[Callable] = (),
) -> dict[str, jax.stages.Compiled]:
    """Return the executables by name of a fragment's function, for those on devices of this process.

    They are compiled at the same time, in threads.

    Args:
      partitioned: by that name, the program of one device.
      runs: of the program.
      devices: by name of a mesh.
      callbacks: Python functions that fragments call by their numbers.
    """
    first = {run.callee: run for run in reversed(runs)}
    local = [run for run in first.values() if is_local(devices[run.mesh])]
    with ThreadPoolExecutor(max_workers=max(1, min(8, len(local)))) as pool:
        made = pool.map(lambda run: _compile(partitioned[run.callee], run, devices[run.mesh], callbacks), local)
        return {run.callee: each for run, each in zip(local, made, strict=True)}


def is_local(mesh: jax.sharding.Mesh) -> bool:
    """Return whether a mesh has devices of this process."""
    process = jax.process_index()
    return any(device.process_index == process for device in mesh.devices.flat)


def _compile(
    partitioned: PartitionedModule, run: Run, mesh: jax.sharding.Mesh, callbacks: Sequence[Callable]
) -> jax.stages.Compiled:
    """A fragment compiled for its mesh, with JAX's own dispatch."""
    partitioned, callbacks = with_deferred_failures(partitioned, callbacks)
    function: Any = execution.compile(
        partitioned, mesh, donate_argnums=_usable(partitioned, run.donated), callbacks=callbacks
    )
    types = [jax.ShapeDtypeStruct(one.shape, dtype_of(one.element)) for one in partitioned.arguments]
    return function.lower(*types).compile()


def _usable(partitioned: PartitionedModule, donated: Sequence[int]) -> list[int]:
    """Return the donated arguments with a result of their type; JAX warns about others."""
    free = Counter((one.element, one.local_shape, str(one.sharding)) for one in partitioned.results)
    found: list[int] = []
    for number in donated:
        one = partitioned.arguments[number]
        kind = one.element, one.local_shape, str(one.sharding)
        if free[kind]:
            free[kind] -= 1
            found.append(number)
    return found
