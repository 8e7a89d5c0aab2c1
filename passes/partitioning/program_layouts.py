"""The layout of every value of a program, read before a pass changes types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sdy.dialect import attributes
from sdy.dialect.data_flow import DataFlowOp, interface
from sdy.dialect.functions import body, funcs, has_body, symbol_name
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, op_shardings, result_shardings
from sdy.dialect.values import inherent_sharding_name
from sdy.mlir import ir
from sdy.passes.partitioning.layout import Layout, Layouts

_TRANSPARENT = frozenset({"sdy.propagation_barrier", "sdy.data_flow_edge", "sdy.func_data_flow_edge"})
"""Ops that, unless they say otherwise, hand on their operand as it is."""


@dataclass(frozen=True)
class FunctionLayouts:
    """Layouts of a function's arguments and results."""

    func: ir.Operation
    arguments: tuple[Layout, ...]
    results: tuple[Layout, ...]


@dataclass(frozen=True)
class BlockArgument:
    """An argument of a block that is not a function's."""

    owner: ir.Operation
    argument: ir.Value
    layout: Layout


@dataclass(frozen=True)
class LaidOutOp:
    """An op with the layouts of its operands and results. `flow` are its data-flow edges, if it has any."""

    op: ir.Operation
    operands: tuple[Layout, ...]
    results: tuple[Layout, ...]
    flow: DataFlowOp | None


class ProgramLayouts:
    """Reads a module. Its types must not have changed while `walk` runs."""

    def __init__(self, module: ir.Operation) -> None:
        self.meshes = MeshTable(module)
        self.layouts = Layouts(self.meshes)
        self.of: dict[ir.Value, Layout] = {}
        self.functions = {symbol_name(func): self._function(func) for func in funcs(module)}

    def _function(self, func: ir.Operation) -> FunctionLayouts:
        function_type = func.attributes["function_type"].value
        arguments = tuple(map(self.layouts.of, function_type.inputs, arg_shardings(func)))
        results = tuple(map(self.layouts.of, function_type.results, result_shardings(func)))
        return FunctionLayouts(func, arguments, results)

    def walk(self) -> Iterator[LaidOutOp | BlockArgument]:
        """All ops in program order, but nested ones before the op around them; block arguments before their block."""
        for function in self.functions.values():
            if has_body(function.func):
                block = body(function.func)
                self.of.update(zip(block.arguments, function.arguments, strict=True))
                yield from self._block(block)

    def _block(self, block: ir.Block) -> Iterator[LaidOutOp | BlockArgument]:
        for view in block.operations:
            op = view.operation
            flow = interface(op)
            operands = tuple([self.of[operand] for operand in op.operands])
            results = self._results(op, flow)
            if op.name in _TRANSPARENT and results[0].sharding is None:
                results = operands
            self.of.update(zip(op.results, results, strict=True))
            if op.regions:
                yield from self._regions(op, flow)
            yield LaidOutOp(op, operands, results, flow)

    def _results(self, op: ir.Operation, flow: DataFlowOp | None) -> tuple[Layout, ...]:
        types = [result.type for result in op.results]
        if not types:
            return ()
        inherent = inherent_sharding_name(op.name)
        if inherent is not None:
            shardings: Sequence[TensorSharding | None] | None = [attributes.get(op, inherent)]
        else:
            shardings = op_shardings(op) if flow is None else flow.result_shardings()
        return tuple(map(self.layouts.of, types, shardings if shardings is not None else [None] * len(types)))

    def _regions(self, op: ir.Operation, flow: DataFlowOp | None) -> Iterator[LaidOutOp | BlockArgument]:
        """Block arguments are laid out as the op's edges say; where there is no edge, every device has all of them."""
        if flow is not None:
            owners = flow.block_arg_owners()
            stored = flow.block_arg_shardings() or [None] * len(owners)
            for owner, sharding in zip(owners, stored, strict=True):
                self.of[owner] = self.layouts.of(owner.type, sharding)
            for owner in (*flow.result_owners(), *owners):
                for target in flow.other_targets(owner):
                    self.of[target] = self.layouts.of(target.type, self.of[owner].sharding)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    layout = self.of.setdefault(argument, self.layouts.of(argument.type, None))
                    yield BlockArgument(op, argument, layout)
                yield from self._block(block)
