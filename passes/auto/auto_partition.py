"""sdy-auto-partition: Choose the shardings with the shortest predicted step.

    sdy.mesh @mesh = <["x"=4]>
    func.func @main(%x: tensor<4096x64xf32>, %w: tensor<64x64xf32>) -> tensor<4096x64xf32> {
      %0 = stablehlo.dot_general %x, %w, ...
==> func.func @main(%x: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                    %w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
        -> (tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
      %0 = stablehlo.dot_general %x, %w, ... {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}

Runs in front of propagation. Shardings and constraints of the user stay; open dimensions may get more axes. Each op's
choices follow from its sharding rule; moving data costs what the partitioner's steps cost on the machine. The search
solves for one mesh axis at a time exactly, until no axis changes; the best plans are partitioned and measured.
Functions that a plan shards in several ways are inlined. `sdy.auto` offers the same in Python, with reports.
"""

from __future__ import annotations

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, collecting, remark, saying_apart
from sdy.mlir.functions import module_body
from sdy.passes.auto.auto_options import AutoPartitionOptions, read_mesh
from sdy.passes.auto.plan_costs import Request
from sdy.passes.auto.planner import find_plan
from sdy.passes.auto.written_plans import mesh_of_program
from sdy.passes.registry import pass_


@pass_("sdy-auto-partition", options=AutoPartitionOptions)
def auto_partition(module: ir.Operation, options: AutoPartitionOptions) -> None:
    mesh = _mesh(module, options.mesh)
    names = tuple(axis.name for axis in mesh.axes)
    wanted = [name.strip() for name in options.axes.split(",")] if options.axes else names
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise DiagnosticError(module, f"has no mesh axis '{unknown[0]}' to plan with, but {', '.join(names)}")
    axes = tuple(name for name in names if name in wanted)
    request = Request(
        mesh,
        options.read_machine(),
        axes,
        options.limit(),
        options.effort,
        options.annotate,
        options.verify,
        options.is_soft,
        options.time_limit,
        options.overlap,
    )
    with saying_apart(), collecting(lambda diagnostic: None):
        plan = find_plan(module, request)
    for refused in plan.refusals:
        remark(refused.diagnostic.position, f"a plan was left out, as {refused.diagnostic.message}")
    found = plan.module
    for view in list(module_body(module).operations):
        view.operation.erase()
    for view in list(module_body(found).operations):
        module_body(module).append(view.operation.detach_from_parent())


def _mesh(module: ir.Operation, text: str) -> Mesh:
    known = mesh_of_program(module)
    if not text:
        if known is None:
            raise DiagnosticError(module, "has no mesh; option 'mesh' says which one to plan for")
        return known[1]
    mesh = read_mesh(text)
    if known is not None and known[1] != mesh:
        raise DiagnosticError(module, f"is written for the mesh {known[1]}, not for {mesh}")
    return mesh
