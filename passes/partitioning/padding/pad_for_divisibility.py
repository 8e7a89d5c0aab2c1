"""sdy-pad-for-divisibility: Pad dimensions to multiples of their shards, and mask the padding.

    %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<7xf32>
    %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<7xf32>
    %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<7xf32>
==> %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %pad = stablehlo.pad %arg0, %zero, low = [0], high = [1], interior = [0]
           : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
    %0 = sdy.all_slice [{"x"}] %pad out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
    %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
    %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@mesh, [{}]> : tensor<8xf32>
    %3 = stablehlo.slice %2 [0:7] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>}
         : (tensor<8xf32>) -> tensor<7xf32>

Ops that mix elements along a padded dimension get neutral values in the padding. Arguments and results of public
functions have to be divisible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sdy.dialect.data_flow import DataFlowOp, data_flow_names
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.lowering.pad_op import PadOp, Progress
from sdy.dialect.lowering.program_layouts import FunctionLayouts, ProgramLayouts
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, has_body
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import MOST_ELEMENTS, with_shape
from sdy.passes.partitioning.analysis.modules import check_asynchronous
from sdy.passes.partitioning.analysis.sharded_results import all_results
from sdy.passes.partitioning.padding.generic_padding import choose
from sdy.passes.partitioning.padding.manual_parts import split_uneven_parts
from sdy.passes.registry import pass_


@pass_("sdy-pad-for-divisibility")
def pad_for_divisibility(module: ir.Operation) -> None:
    split_uneven_parts(module, Layouts(MeshTable(module)))
    program = ProgramLayouts(module)
    for function in program.functions.values():
        _check_public(function)
    if _all_divide(program, module):
        return
    progress = Progress(program.layouts, program.functions)
    changes = _Changes(progress)
    program.read(changes.read, changes.read_argument)
    for function in program.functions.values():
        _change_signature(function)
    for change in changes.noted:
        change()
    check_asynchronous(module)


def _all_divide(program: ProgramLayouts, module: ir.Operation) -> bool:
    """Return whether there is nothing to pad, the common case; this check is faster than reading the program."""
    at_boundary = [layout for each in program.functions.values() for layout in (*each.arguments, *each.results)]
    if not all(layout.divides for layout in at_boundary):
        return False
    try:
        if not all_results(module, lambda type_, sharding: program.layouts.of(type_, sharding).divides):
            return False
    except DiagnosticError:
        return False  # what reads op by op says at which one
    told_otherwise = ops_named(module, *INHERENT_NAMES, *data_flow_names())
    return all(layout.divides for op in told_otherwise for layout in program.own_layouts(op))


def _check_public(function: FunctionLayouts) -> None:
    stored = function.func.attributes
    if "sym_visibility" in stored and stored["sym_visibility"].value == "private":
        return
    for what, layouts in (("argument", function.arguments), ("result", function.results)):
        for number, layout in enumerate(layouts):
            if not layout.divides:
                raise DiagnosticError(
                    function.func,
                    f"is public, but the sharding {layout.sharding} does not divide its {what} {number} of type "
                    f"{layout.type}",
                )


class _Changes:
    """Changes of ops and block arguments, applied when all are read."""

    def __init__(self, progress: Progress) -> None:
        self.noted: list[Callable[[], object]] = []
        self._progress = progress

    def read_argument(self, _owner: ir.Operation, argument: ir.Value, layout: Layout) -> None:
        if not layout.divides:
            self.noted.append(partial(argument.set_type, _padded_type(layout)))

    def read(
        self,
        op: ir.Operation,
        _name: str,
        _values: Sequence[ir.Value],
        operands: tuple[Layout, ...],
        results: tuple[Layout, ...],
        _flow: DataFlowOp | None,
    ) -> None:
        if all(layout.divides for layout in (*operands, *results)):
            return
        _check_possible(op, (*operands, *results))
        padded = PadOp(op, operands, results, self._progress)
        self.noted.append(partial(choose(padded), padded))


def _padded_type(layout: Layout) -> ir.Type:
    return layout.type if layout.divides else with_shape(layout.type, layout.padded_shape)


def _check_possible(op: ir.Operation, layouts: Sequence[Layout]) -> None:
    for layout in layouts:
        if max(layout.padded_shape, default=0) > MOST_ELEMENTS:
            raise DiagnosticError(op, f"has a value of type {layout.type}, which is too large to be padded")


def _change_signature(function: FunctionLayouts) -> None:
    _check_possible(function.func, (*function.arguments, *function.results))
    inputs = list(map(_padded_type, function.arguments))
    outputs = list(map(_padded_type, function.results))
    if has_body(function.func):
        for argument, type_ in zip(body(function.func).arguments, inputs, strict=True):
            argument.set_type(type_)
    function.func.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
