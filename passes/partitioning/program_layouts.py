"""The layout of every value of a program, read before a pass changes types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING
from sdy.dialect.data_flow import DataFlowOp, interface
from sdy.dialect.functions import body, funcs, has_body, symbol_name
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, result_shardings
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


class BlockArgument(NamedTuple):
    """An argument of a block that is not a function's."""

    owner: ir.Operation
    argument: ir.Value
    layout: Layout


class LaidOutOp(NamedTuple):
    """An op with the layouts of its operands and results. `flow` are its data-flow edges, if it has any."""

    op: ir.Operation
    operands: tuple[Layout, ...]
    results: tuple[Layout, ...]
    flow: DataFlowOp | None


_Found = LaidOutOp | BlockArgument | Iterator[Any]


class ProgramLayouts:
    """Reads a module. Its types must not have changed while `walk` runs."""

    def __init__(self, module: ir.Operation) -> None:
        self.meshes = MeshTable(module)
        self.layouts = Layouts(self.meshes)
        self._layouts: dict[int, Layout] = {}
        """By the hash of the value, which is its address."""
        self._results_known: dict[tuple[int, ...], tuple[Layout, ...]] = {}
        """By the hashes of the list of shardings and of the types, which are their addresses."""
        self.functions = {symbol_name(func): self._function(func) for func in funcs(module)}

    def _function(self, func: ir.Operation) -> FunctionLayouts:
        function_type = func.attributes["function_type"].value
        arguments = tuple(map(self.layouts.of, function_type.inputs, arg_shardings(func)))
        results = tuple(map(self.layouts.of, function_type.results, result_shardings(func)))
        return FunctionLayouts(func, arguments, results)

    def of(self, value: ir.Value) -> Layout:
        """The layout that a value of the program had before anything changed. `walk` must have been there."""
        return self._layouts[hash(value)]

    def _lay_out(self, values: Iterable[ir.Value], layouts: Iterable[Layout]) -> None:
        for value, layout in zip(values, layouts, strict=True):
            self._layouts[hash(value)] = layout

    def walk(self) -> Iterator[LaidOutOp | BlockArgument]:
        """All ops in program order, but nested ones before the op around them; block arguments before their block."""
        for function in self.functions.values():
            if has_body(function.func):
                block = body(function.func)
                self._lay_out(block.arguments, function.arguments)
                # Generators in each other would pass every op through as many of them as it is nested deep.
                pending = [self._block(block)]
                while pending:
                    found = next(pending[-1], None)
                    if found is None:
                        pending.pop()
                    elif isinstance(found, (LaidOutOp, BlockArgument)):
                        yield found
                    else:
                        pending.append(found)

    def own_layouts(self, op: ir.Operation) -> tuple[Layout, ...]:
        """The layouts that `op` says itself: of its results, and of the block arguments that own edges of it."""
        flow = interface(op)
        results = self._results(op, op.name, flow)
        if flow is None:
            return results
        types = [owner.type for owner in flow.block_arg_owners()]
        return (*results, *self._laid_out(types, flow.block_arg_shardings()))

    def _block(self, block: ir.Block) -> Iterator[_Found]:
        """What is in a block; for the regions of an op, their iterator."""
        layouts = self._layouts
        for op in [view.operation for view in block.operations]:
            name, flow = op.name, interface(op)
            operands = tuple([layouts[hash(operand)] for operand in op.operands])
            results = self._results(op, name, flow)
            if name in _TRANSPARENT and results[0].sharding is None:
                results = operands
            if results:
                self._lay_out(op.results, results)
            if len(op.regions):
                yield self._regions(op, flow)
            yield LaidOutOp(op, operands, results, flow)

    def _results(self, op: ir.Operation, name: str, flow: DataFlowOp | None) -> tuple[Layout, ...]:
        types = op.results.types
        if not types:
            return ()
        if flow is not None:
            return self._laid_out(types, flow.result_shardings())
        stored, inherent = op.attributes, inherent_sharding_name(name)
        attr = stored.get(inherent or SHARDING)
        key = (hash(attr), *map(hash, types))
        found = self._results_known.get(key)
        if found is None:
            value = None if attr is None else attributes.value_of(attr)
            given = value.shardings if isinstance(value, ShardingPerValue) else [value] * len(types)
            found = self._laid_out(types, given)
            self._results_known[key] = found
        return found

    def _laid_out(
        self, types: Sequence[ir.Type], shardings: Sequence[TensorSharding | None] | None
    ) -> tuple[Layout, ...]:
        """The layouts of values of these types; without shardings all devices have the whole of each."""
        listed = [None] * len(types) if shardings is None else shardings
        return tuple(map(self.layouts.of, types, listed))

    def _regions(self, op: ir.Operation, flow: DataFlowOp | None) -> Iterator[_Found]:
        """Block arguments are laid out as the op's edges say; where there is no edge, every device has all of them."""
        if flow is not None:
            owners = flow.block_arg_owners()
            stored = flow.block_arg_shardings() or [None] * len(owners)
            for owner, sharding in zip(owners, stored, strict=True):
                self._layouts[hash(owner)] = self.layouts.of(owner.type, sharding)
            for owner in (*flow.result_owners(), *owners):
                for target in flow.other_targets(owner):
                    self._layouts[hash(target)] = self.layouts.of(target.type, self.of(owner).sharding)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    layout = self._layouts.get(hash(argument))
                    if layout is None:
                        layout = self._layouts[hash(argument)] = self.layouts.of(argument.type, None)
                    yield BlockArgument(op, argument, layout)
                yield self._block(block)
