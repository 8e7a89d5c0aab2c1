"""The frame of the local conversion: in which order what is made local."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import body, has_body
from sdy.mlir import ir
from sdy.passes.partitioning.communication import Communication
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering import control_flow, generic
from sdy.passes.partitioning.lowering.local_op import LocalOp, Lowering, Setting
from sdy.passes.partitioning.lowering.registry import choice_of
from sdy.passes.partitioning.program_layouts import BlockArgument, FunctionLayouts, LaidOutOp, ProgramLayouts


class Conversion:
    """Makes a module local.

    Two sweeps. The first reads: it notes the layout of every value and chooses a lowering for every op, while all types
    are still global. The second changes one op after the other, nested ops before the op that holds them.
    """

    def __init__(
        self,
        module: ir.Operation,
        communication: Communication,
        *,
        per_dim_all_gather: bool = False,
        combine_multi_dimension_reduce_scatter: bool = False,
    ) -> None:
        self._program = ProgramLayouts(module)
        self._setting = Setting(
            self._program.layouts,
            communication,
            self._program.functions,
            {},
            per_dim_all_gather,
            combine_multi_dimension_reduce_scatter,
        )

    def run(self) -> None:
        for function in self._program.functions.values():
            for layout in (*function.arguments, *function.results):
                _check(layout, function.func)
        changes = [self._read(each) for each in self._program.walk()]
        for function in self._program.functions.values():
            _change_signature(function)
        for change in changes:
            change()

    def _read(self, each: LaidOutOp | BlockArgument) -> Callable[[], None]:
        """What to do with an op or a block argument when all have been read."""
        if isinstance(each, BlockArgument):
            _check(each.layout, each.owner)
            return partial(each.argument.set_type, each.layout.local_type)
        for layout in each.results:
            _check(layout, each.op)
        local = LocalOp(each.op, each.operands, each.results, self._setting)
        return partial(self._lowering(local, each), local)

    def _lowering(self, local: LocalOp, each: LaidOutOp) -> Lowering:
        choice = choice_of(each.op.name)
        if choice is not None:
            return choice(local)
        if each.flow is not None:
            return control_flow.data_flow(each.flow, self._program.of)
        return generic.choose(local)


def _check(layout: Layout, op: ir.Operation) -> None:
    if layout.sharded_dims and not layout.divides:
        raise DiagnosticError(
            op, f"has a value of type {layout.type} that its sharding {layout.sharding} does not divide evenly"
        )


def _change_signature(function: FunctionLayouts) -> None:
    inputs = [layout.local_type for layout in function.arguments]
    outputs = [layout.local_type for layout in function.results]
    if has_body(function.func):
        for argument, type_ in zip(body(function.func).arguments, inputs, strict=True):
            argument.set_type(type_)
    function.func.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
