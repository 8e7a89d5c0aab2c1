"""The frame of the local conversion: in which order what is made local."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sdy.dialect.data_flow import DataFlowOp
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import body, has_body
from sdy.mlir import ir
from sdy.passes.partitioning.communication import Communication
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.lowering import control_flow, generic
from sdy.passes.partitioning.lowering.local_op import LocalOp, Lowering, Setting
from sdy.passes.partitioning.lowering.registry import choice_of
from sdy.passes.partitioning.program_layouts import FunctionLayouts, ProgramLayouts


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
        self._known: dict[tuple[str, tuple[Layout, ...], tuple[Layout, ...]], Lowering | None] = {}
        """The lowerings of ops of a name and such layouts; None if it takes more to know."""
        self._changes: list[Callable[[], object]] = []

    def run(self) -> None:
        for function in self._program.functions.values():
            for layout in (*function.arguments, *function.results):
                _check(layout, function.func)
        self._program.read(self._read, self._read_argument)
        for function in self._program.functions.values():
            _change_signature(function)
        for change in self._changes:
            change()

    def _read_argument(self, owner: ir.Operation, argument: ir.Value, layout: Layout) -> None:
        _check(layout, owner)
        self._changes.append(partial(argument.set_type, layout.local_type))

    def _read(
        self, op: ir.Operation, operands: tuple[Layout, ...], results: tuple[Layout, ...], flow: DataFlowOp | None
    ) -> None:
        """Notes what to do with an op when all have been read."""
        local = LocalOp(op, operands, results, self._setting)
        alike = (op.name, operands, results)
        if alike not in self._known:
            for layout in results:
                _check(layout, op)
            depends_on_more = flow is not None or choice_of(op.name) is not None
            self._known[alike] = None if depends_on_more else generic.by_layouts(local)
        lowering = self._known[alike] or self._lowering(local, flow)
        if lowering is LocalOp.keep:
            self._keep(op, results)
        elif lowering is not generic.unchanged:
            self._changes.append(partial(lowering, local))

    def _lowering(self, local: LocalOp, flow: DataFlowOp | None) -> Lowering:
        choice = choice_of(local.op.name)
        if choice is not None:
            return choice(local)
        if flow is not None:
            return control_flow.data_flow(flow, self._program.of)
        return generic.by_rule(local, LocalOp.keep)

    def _keep(self, op: ir.Operation, results: tuple[Layout, ...]) -> None:
        """As `LocalOp.keep`, which is what becomes of most ops."""
        for result, layout in zip(op.results, results, strict=True):
            if layout.local_type is not layout.type:
                self._changes.append(partial(result.set_type, layout.local_type))


_MAX_DEVICES = 2**24
"""A local program has tables with an entry for each device."""


def _check(layout: Layout, op: ir.Operation) -> None:
    if layout.mesh is not None and layout.sharded_dims and layout.mesh.size > _MAX_DEVICES:
        raise DiagnosticError(op, f"has a value on a mesh of {layout.mesh.size} devices, more than {_MAX_DEVICES}")
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
