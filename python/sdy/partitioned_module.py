"""The program of one device with the layout of its arguments and results: the result of `sdy.partition`."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir.diagnostics import Diagnostic
from sdy.passes.executable.user_partitions import Inspection
from sdy.running.boundary import Boundary

if TYPE_CHECKING:
    from sdy.mlir import ir
    from sdy.passes.costs.program_collectives import Collective
    from sdy.programs.partitioning import Partitioning
    from sdy.programs.sources import Source


@dataclass(frozen=True)
class PartitionedModule:
    """The program that each device runs, and how its arguments and results lie on the mesh.

    Attributes:
      text: the local module: StableHLO, func and CHLO with local shapes, no sdy. Devices are numbered logically: device
        i of the collectives is the i-th in row-major order of the mesh's axes.
      mesh: all devices; its `device_ids`, if any, say which device each logical number is.
      arguments, results: those of `@main`, with global and local type and sharding (on `mesh`, inlined).
      warnings: warnings of the passes.
      remarks: the ops along whose sharded dimensions data is gathered, since they need it as a whole.
      inspections: the shardings that the program queries, as with `jax.debug.inspect_array_sharding`.
      context: that of the module or text, if the caller gave one: it knows the dialects of `text`.
      source: the original program, with its shardings, for `sdy.explain`, `sdy.why` and others.
      partitioning: the passes that partitioned it, and their options; None if that was not kept.
    """

    name: str
    text: str
    mesh: Mesh
    arguments: tuple[Boundary, ...]
    results: tuple[Boundary, ...]
    warnings: tuple[Diagnostic, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()
    inspections: tuple[Inspection, ...] = ()
    context: ir.Context | None = field(default=None, repr=False, compare=False)
    source: ir.Module | Source | None = field(default=None, repr=False, compare=False)
    partitioning: Partitioning | None = field(default=None, repr=False, compare=False)

    @cached_property
    def collectives(self) -> tuple[Collective, ...]:
        """Return the collectives of `sdy.report.collectives`, found on demand.

        Raises `DiagnosticError` at a collective of tensors of dynamic size.
        """
        from sdy.report.collectives import collectives_in

        return collectives_in(self.text, Mesh(self.mesh.axes), self.context)

    def _repr_html_(self) -> str:
        """Return the arguments and results drawn on the mesh, for notebooks.

        See `sdy.communication` for the communication.
        """
        from sdy.markup.fragments import Cell, fragment, mesh_picture, sharding_label, table

        rows = [
            [Cell(f"{what} {number}"), Cell(html=sharding_label(one.type, one.sharding, self.mesh))]
            for what, ones in (("argument", self.arguments), ("result", self.results))
            for number, one in enumerate(ones)
        ]
        title = f"@{self.name}, on {self.num_devices} devices"
        return fragment(self.text, table(("", "sharding"), rows, title), mesh_picture(self.mesh))

    @property
    def num_devices(self) -> int:
        """Number of devices of the mesh."""
        return self.mesh.size

    @property
    def in_shardings(self) -> tuple[TensorSharding, ...]:
        """Shardings of the arguments of `@main`."""
        return tuple(argument.sharding for argument in self.arguments)

    @property
    def out_shardings(self) -> tuple[TensorSharding, ...]:
        """Shardings of the results of `@main`."""
        return tuple(result.sharding for result in self.results)
