"""The layout of every value of a program, read before a pass changes types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sdy.dialect.data_flow import DataFlowOp, interface, is_data_flow_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import inherent_sharding_name
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, funcs, has_body, symbol_name
from sdy.mlir.search import ops_named

_TRANSPARENT = frozenset({"sdy.propagation_barrier", "sdy.data_flow_edge", "sdy.func_data_flow_edge"})
"""Ops that, unless they say otherwise, hand on their operand as it is."""


@dataclass(frozen=True)
class FunctionLayouts:
    """Layouts of a function's arguments and results."""

    func: ir.Operation
    arguments: tuple[Layout, ...]
    results: tuple[Layout, ...]


OpVisitor = Callable[
    [ir.Operation, str, Sequence[ir.Value], tuple[Layout, ...], tuple[Layout, ...], DataFlowOp | None], None
]
"""Takes an op with its name and results, the layouts of its operands, those of its results, and its data-flow edges.

An op without edges has None. To read a property of an op costs as much as most of what is done with it.
"""

ArgumentVisitor = Callable[[ir.Operation, ir.Value, Layout], None]
"""Takes an op, an argument of a block in it, and the layout of that."""


def _refuse_nested_functions(module: ir.Operation) -> None:
    for func in ops_named(module, "func.func"):
        if func.parent.operation != module:
            raise DiagnosticError(
                func, "is inside of another op; only functions of the outermost module are partitioned"
            )


class ProgramLayouts:
    """Reads a module. Its types must not change while `read` runs."""

    def __init__(self, module: ir.Operation) -> None:
        self.meshes = MeshTable(module)
        self.layouts = Layouts(self.meshes)
        self._layouts: dict[int, Layout] = {}
        """By the address of the value."""
        self._results_known: dict[tuple[int, int], tuple[Layout, ...]] = {}
        """By the hashes of the list of shardings and of the type of an only result, which are their addresses."""
        self._special: dict[str, bool] = {}
        _refuse_nested_functions(module)
        self.functions = {symbol_name(func): self._function(func) for func in funcs(module)}

    def _function(self, func: ir.Operation) -> FunctionLayouts:
        if len(func.regions[0].blocks) > 1:
            raise DiagnosticError(func, "has branches between blocks; loops and conditions have to be ops with regions")
        function_type = func.attributes["function_type"].value
        arguments = tuple(map(self.layouts.of, function_type.inputs, arg_shardings(func)))
        results = tuple(map(self.layouts.of, function_type.results, result_shardings(func)))
        return FunctionLayouts(func, arguments, results)

    def of(self, value: ir.Value) -> Layout:
        """Return the original layout of a value of the program; `read` must have run."""
        return self._layouts[address(value)]

    def _lay_out(self, values: Iterable[ir.Value], layouts: Iterable[Layout]) -> None:
        for value, layout in zip(values, layouts, strict=True):
            self._layouts[address(value)] = layout

    def read(self, on_op: OpVisitor, on_argument: ArgumentVisitor) -> None:
        """Calls `on_op` with all ops in program order, except that nested ops come before the op around them.

        `on_argument` gets the arguments of each block, but not those of functions, before the ops of the block.
        """
        for function in self.functions.values():
            if has_body(function.func):
                block = body(function.func)
                self._lay_out(block.arguments, function.arguments)
                self._block(block, on_op, on_argument)

    def own_layouts(self, op: ir.Operation) -> tuple[Layout, ...]:
        """The layouts written on `op`: of its results and of the block arguments that own its edges."""
        flow = interface(op)
        results = self._results(op, op.name, flow, op.results)
        if flow is None:
            return results
        types = [owner.type for owner in flow.block_arg_owners()]
        return (*results, *self._laid_out(op, types, flow.block_arg_shardings()))

    def _block(self, block: ir.Block, on_op: OpVisitor, on_argument: ArgumentVisitor) -> None:
        layouts = self._layouts
        for view in block.operations:
            op = view.operation
            name = op.name
            given, values, flow = op.operands, op.results, None
            # An iterator takes longer.
            operands = tuple([layouts[address(given[place])] for place in range(len(given))])
            count = len(values)
            if not count and not self._is_special(name):
                results = ()
            elif count == 1 and not self._is_special(name):
                value = values[0]
                results = self._only_result(op, value)
                layouts[address(value)] = results[0]
            else:
                flow = interface(op)
                results = self._results(op, name, flow, values)
                if name in _TRANSPARENT and results[0].sharding is None:
                    results = operands
                self._lay_out(values, results)
            if len(op.regions):
                self._regions(op, flow, on_op, on_argument)
            on_op(op, name, values, operands, results, flow)

    def _is_special(self, name: str) -> bool:
        """Return whether ops of that name say elsewhere than in `sdy.sharding` how their results are sharded."""
        special = self._special.get(name)
        if special is None:
            elsewhere = inherent_sharding_name(name) is not None or is_data_flow_op(name)
            special = self._special[name] = elsewhere or name in _TRANSPARENT
        return special

    def _only_result(self, op: ir.Operation, value: ir.Value) -> tuple[Layout, ...]:
        """The layout of the result of an op that is not special, as most are."""
        attr = op.attributes.get(SHARDING)
        key = (address(attr), address(value.type))
        found = self._results_known.get(key)
        if found is None:
            given = [None] if attr is None else attributes.value_of(attr).shardings
            found = self._results_known[key] = self._laid_out(op, [value.type], given)
        return found

    def _results(
        self, op: ir.Operation, name: str, flow: DataFlowOp | None, values: Sequence[ir.Value]
    ) -> tuple[Layout, ...]:
        if not len(values):
            return ()
        types = [value.type for value in values]
        if flow is not None:
            return self._laid_out(op, types, flow.result_shardings())
        value = attributes.get(op, inherent_sharding_name(name) or SHARDING)
        given = value.shardings if isinstance(value, ShardingPerValue) else [value] * len(types)
        return self._laid_out(op, types, given)

    def _laid_out(
        self, op: ir.Operation, types: Sequence[ir.Type], shardings: Sequence[TensorSharding | None] | None
    ) -> tuple[Layout, ...]:
        """The layouts of values of these types; without shardings all devices have the whole of each."""
        listed = [None] * len(types) if shardings is None else shardings
        with op.location:
            return tuple(map(self.layouts.of, types, listed))

    def _regions(
        self, op: ir.Operation, flow: DataFlowOp | None, on_op: OpVisitor, on_argument: ArgumentVisitor
    ) -> None:
        """Return the layouts of block arguments from the op's edges.

        An argument without an edge is whole on every device.
        """
        if flow is not None:
            owners = flow.block_arg_owners()
            stored = flow.block_arg_shardings() or [None] * len(owners)
            for owner, sharding in zip(owners, stored, strict=True):
                self._layouts[address(owner)] = self.layouts.of(owner.type, sharding)
            for owner in (*flow.result_owners(), *owners):
                for target in flow.other_targets(owner):
                    self._layouts[address(target)] = self.layouts.of(target.type, self.of(owner).sharding)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    layout = self._layouts.get(address(argument))
                    if layout is None:
                        layout = self._layouts[address(argument)] = self.layouts.of(argument.type, None)
                    on_argument(op, argument, layout)
                self._block(block, on_op, on_argument)
