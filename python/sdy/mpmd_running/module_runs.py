"""Runs of a module of several meshes without a config, for tools."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import jax
import numpy as np

import sdy
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import body, main_function
from sdy.mpmd_running.dispatch import Dispatcher, shape_and_dtype
from sdy.mpmd_running.executables import compile_fragments, partitioned_fragments
from sdy.mpmd_running.instructions import PipelineProgram
from sdy.passes.manager import run_pipeline
from sdy.passes.mpmd.common.fragments import FRAGMENT, TOPOLOGY
from sdy.passes.registry import step

if TYPE_CHECKING:
    from jaxlib._jax import Device


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
