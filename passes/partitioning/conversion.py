"""The frame of the local conversion: which value is laid out how, and in which order ops are made local."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sdy.dialect import attributes
from sdy.dialect.data_flow import DataFlowOp, interface
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import body, funcs, has_body, symbol_name
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, op_shardings, result_shardings
from sdy.dialect.values import inherent_sharding_name
from sdy.mlir import ir
from sdy.passes.partitioning.communication import Communication
from sdy.passes.partitioning.layout import Layout, Layouts
from sdy.passes.partitioning.lowering import control_flow, generic
from sdy.passes.partitioning.lowering.local_op import FunctionLayouts, LocalOp, Lowering, Setting
from sdy.passes.partitioning.lowering.registry import choice_of


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
        self.module = module
        self.layouts = Layouts(MeshTable(module))
        self.functions = funcs(module)
        self._of: dict[ir.Value, Layout] = {}
        self._plan: list[Callable[[], None]] = []
        self._setting = Setting(
            self.layouts,
            communication,
            {symbol_name(func): self._function_layouts(func) for func in self.functions},
            {},
            per_dim_all_gather,
            combine_multi_dimension_reduce_scatter,
        )

    def run(self) -> None:
        for func in self.functions:
            if has_body(func):
                self._read_function(func)
        for func in self.functions:
            self._change_signature(func)
        for change in self._plan:
            change()

    # Reading -------------------------------------------------------------------------------------

    def _function_layouts(self, func: ir.Operation) -> FunctionLayouts:
        function_type = func.attributes["function_type"].value

        def of(types: Sequence[ir.Type], shardings: Sequence[TensorSharding | None]) -> tuple[Layout, ...]:
            layouts = tuple(map(self.layouts.of, types, shardings))
            for layout in layouts:
                self._check(layout, func)
            return layouts

        return FunctionLayouts(
            of(function_type.inputs, arg_shardings(func)), of(function_type.results, result_shardings(func))
        )

    def _read_function(self, func: ir.Operation) -> None:
        block = body(func)
        self._of.update(zip(block.arguments, self._setting.functions[symbol_name(func)].arguments, strict=True))
        self._read_block(block)

    def _read_block(self, block: ir.Block) -> None:
        for view in block.operations:
            self._read_op(view.operation)

    def _read_op(self, op: ir.Operation) -> None:
        flow = interface(op)
        results = self._result_layouts(op, flow)
        of = self._of
        of.update(zip(op.results, results, strict=True))
        operands = tuple([of[operand] for operand in op.operands])
        if op.regions:
            self._read_regions(op, flow)
        local = LocalOp(op, operands, results, self._setting)
        self._plan.append(partial(self._lowering(local, flow), local))

    def _result_layouts(self, op: ir.Operation, flow: DataFlowOp | None) -> tuple[Layout, ...]:
        types = [result.type for result in op.results]
        if not types:
            return ()
        inherent = inherent_sharding_name(op.name)
        if inherent is not None:
            shardings: Sequence[TensorSharding | None] | None = [attributes.get(op, inherent)]
        else:
            shardings = op_shardings(op) if flow is None else flow.result_shardings()
        if shardings is None:
            shardings = [None] * len(types)
        layouts = tuple(map(self.layouts.of, types, shardings))
        for layout in layouts:
            self._check(layout, op)
        return layouts

    def _read_regions(self, op: ir.Operation, flow: DataFlowOp | None) -> None:
        """Notes the layouts of block arguments: as the op's edges say, else every device has all of them."""
        if flow is not None:
            owners = flow.block_arg_owners()
            stored = flow.block_arg_shardings() or [None] * len(owners)
            for owner, sharding in zip(owners, stored, strict=True):
                self._of[owner] = self.layouts.of(owner.type, sharding)
            for owner in (*flow.result_owners(), *owners):
                for target in flow.other_targets(owner):
                    self._of[target] = self.layouts.of(target.type, self._of[owner].sharding)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    layout = self._of.setdefault(argument, self.layouts.of(argument.type, None))
                    if layout.sharded_dims:
                        self._check(layout, op)
                        self._plan.append(partial(argument.set_type, layout.local_type))
                self._read_block(block)

    def _lowering(self, op: LocalOp, flow: DataFlowOp | None) -> Lowering:
        choice = choice_of(op.op.name)
        if choice is not None:
            return choice(op)
        if flow is not None:
            return control_flow.data_flow(flow, self._of)
        return generic.choose(op)

    def _check(self, layout: Layout, op: ir.Operation) -> None:
        if layout.sharded_dims and not layout.divides:
            raise DiagnosticError(
                op, f"has a value of type {layout.type} that its sharding {layout.sharding} does not divide evenly"
            )

    # Changing ------------------------------------------------------------------------------------

    def _change_signature(self, func: ir.Operation) -> None:
        layouts = self._setting.functions[symbol_name(func)]
        if has_body(func):
            for argument, layout in zip(body(func).arguments, layouts.arguments, strict=True):
                argument.set_type(layout.local_type)
        inputs = [layout.local_type for layout in layouts.arguments]
        outputs = [layout.local_type for layout in layouts.results]
        func.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
