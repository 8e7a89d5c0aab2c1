"""Runs of a module of several meshes without a config, and the same program without meshes as their reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import jax
import numpy as np

import sdy
from sdy.dialect.assembly import print_module
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import (
    ARGUMENTS,
    RESULTS,
    body,
    boundary_types,
    callee_name,
    is_return,
    main_function,
    module_body,
    new_function,
    top_level,
)
from sdy.mpmd_running.dispatch import Dispatcher, shape_and_dtype
from sdy.mpmd_running.executables import compile_fragments, partitioned_fragments
from sdy.mpmd_running.instructions import PipelineProgram
from sdy.passes.manager import run_pipeline
from sdy.passes.mpmd.common.fragments import FRAGMENT, TOPOLOGY, TRANSFER
from sdy.passes.registry import step

if TYPE_CHECKING:
    from jaxlib._jax import Device


_CALL = "mpmd.fragment_call"


def without_meshes(module: ir.Module) -> str:
    """Return an exported module's text with calls in place of fragments, without transfers and shardings.

    Args:
      module: it is not changed.
    """
    with module.context, ir.Location.unknown():
        main = main_function(module.operation)
        made = ir.Module.create()
        block = module_body(made.operation)
        with ir.InsertionPoint(block):
            for op in top_level(module):
                if op.name == "func.func" and op != main:
                    _bare(op.clone().operation)
            new = new_function("main", *_boundary_of(main))
        _fill(new, main)
        return print_module(made)


def _bare(function: ir.Operation) -> None:
    """Drop the placement attributes of a fragment's function."""
    for name in ("mesh_shape", "reserved_hbm_bytes", "arg_attrs", "res_attrs"):
        if name in function.attributes:
            del function.attributes[name]
    remove_sdy_attributes(function)
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")


def _boundary_of(main: ir.Operation) -> tuple[list[ir.Type], list[ir.Type]]:
    inputs, outputs = ([sharded_type(each) for each in boundary_types(main, kind)] for kind in (ARGUMENTS, RESULTS))
    return inputs, outputs


def _fill(new: ir.Operation, main: ir.Operation) -> None:
    """Build the body of the main function."""
    old = body(main)
    block = new.regions[0].blocks.append(*(sharded_type(argument.type) for argument in old.arguments))
    known: dict[ir.Value, ir.Value] = dict(zip(old.arguments, block.arguments, strict=True))
    with ir.InsertionPoint(block):
        for view in old.operations:
            op = view.operation
            operands = [known[operand] for operand in op.operands]
            if is_return(op):
                ir.Operation.create("func.return", operands=operands)
            elif op.name == TRANSFER:
                known[op.results[0]] = operands[0]
            else:
                assert op.name == _CALL, "exported"
                call = ir.Operation.create(
                    "func.call",
                    results=[sharded_type(result.type) for result in op.results],
                    operands=operands,
                    attributes={"callee": ir.FlatSymbolRefAttr.get(callee_name(op))},
                    loc=op.location,
                )
                known |= dict(zip(op.results, call.results, strict=True))


@dataclass(frozen=True)
class MeshesModule:
    """An exported module of several meshes, and its instructions."""

    module: ir.Module
    program: PipelineProgram

    @staticmethod
    def of(text: str, filename: str = "-") -> MeshesModule | None:
        """Return the program of a text, exported if it is not; None for one without a topology.

        Raises:
          DiagnosticError: the text cannot be parsed or exported.
        """
        if "mpmd." not in text:
            return None
        imported = sdy.parse(text, filename)
        module: ir.Module = getattr(imported, "module", imported)
        with module.context:
            main = main_function(module.operation)
            if TOPOLOGY not in main.attributes:
                return None
            is_exported = all(view.operation.name != FRAGMENT for view in body(main).operations)
        if not is_exported:
            run_pipeline(module, [step("mpmd-export-pipeline", keep_call_counters=True)])
        return MeshesModule(module, PipelineProgram.of(module))

    @property
    def num_devices(self) -> int:
        """Devices of all meshes together."""
        return sum(mesh.mesh.size for mesh in self.program.topology.meshes)

    def inputs(self, make: Callable[[tuple[int, ...], np.dtype], np.ndarray]) -> list[np.ndarray]:
        """Return an array for each argument."""
        return [make(*shape_and_dtype(type_)) for type_ in self.program.slots[: self.program.num_arguments]]

    def run(self, inputs: Sequence[np.ndarray], devices: Sequence[Device]) -> list[jax.Array]:
        """Return the results on meshes of these devices, in order.

        Raises:
          FragmentError: a fragment or transfer fails.
        """
        meshes: dict[str, jax.sharding.Mesh] = {}
        first = 0
        for mesh in self.program.topology.meshes:
            sizes = dict(mesh.mesh.axis_sizes)
            count = math.prod(sizes.values())
            grid = np.array(devices[first : first + count]).reshape(tuple(sizes.values()))
            meshes[mesh.name] = jax.sharding.Mesh(grid, tuple(sizes))
            first += count
        sizes = {run.callee: meshes[run.mesh].size for run in self.program.runs}
        partitioned = partitioned_fragments(self.module, sizes)
        dispatcher = Dispatcher(self.program, compile_fragments(partitioned, self.program.runs, meshes), meshes)
        pairs = zip(inputs, dispatcher.shardings, strict=False)
        return dispatcher([jax.device_put(array, sharding) for array, sharding in pairs])
