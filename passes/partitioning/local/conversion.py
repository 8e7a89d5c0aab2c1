"""The main part of the local conversion: the order in which ops are converted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from sdy.dialect.data_flow import DataFlowOp
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.lowering import generic_lowering
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp, Lowering, LoweringContext
from sdy.dialect.lowering.program_layouts import FunctionLayouts, ProgramLayouts
from sdy.dialect.lowering.sharded_op import local_type
from sdy.dialect.ops.model import model_with
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, has_body
from sdy.mlir.per_context import PerContext
from sdy.passes.partitioning.local.choices import Always, choice_of
from sdy.passes.partitioning.local.data_flow import lower_data_flow


class Conversion:
    """Makes a module local.

    Two sweeps. The first reads: it records the layout of every value and chooses a lowering for every op, while all
    types are still global. The second converts one op after the other, nested ops before the op that holds them.
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
        self._setting = LoweringContext(
            self._program.layouts,
            communication,
            self._program.functions,
            {},
            per_dim_all_gather,
            combine_multi_dimension_reduce_scatter,
        )
        self._of_layouts: dict[tuple[str, tuple[Layout, ...], tuple[Layout, ...]], _Action | None] = {}
        """Action for ops by name and layouts; None if it depends on more."""
        self._kept: dict[tuple[Layout, ...], _NewTypes] = {}
        self._by_numbers = _by_numbers.of(module.context)
        self._changes: list[tuple[Callable[[Any], object], Any]] = []
        """Functions and what they are called with."""

    def run(self) -> None:
        for function in self._program.functions.values():
            for layout in (*function.arguments, *function.results):
                _local_type(layout, function.func)
        self._program.read(self._read, self._read_argument)
        for function in self._program.functions.values():
            _change_signature(function)
        for change, argument in self._changes:
            change(argument)

    def _read_argument(self, owner: ir.Operation, argument: ir.Value, layout: Layout) -> None:
        type_ = _local_type(layout, owner)
        if type_ is not layout.type:
            self._changes.append((argument.set_type, type_))

    def _read(
        self,
        op: ir.Operation,
        name: str,
        values: Sequence[ir.Value],
        operands: tuple[Layout, ...],
        results: tuple[Layout, ...],
        flow: DataFlowOp | None,
    ) -> None:
        """Record the change of an op, to be made after all ops were read."""
        key = (name, operands, results)
        if key not in self._of_layouts:
            self._of_layouts[key] = self._by_layouts(LocalOp(op, operands, results, self._setting), name, flow)
        action = self._of_layouts[key]
        if action is None:
            local = LocalOp(op, operands, results, self._setting)
            action = self._shortened(self._by_op(local, name, flow), local, name)
        if isinstance(action, _NewTypes):
            self._changes += [(values[index].set_type, type_) for index, type_ in action.types]
        else:
            self._changes.append((action, LocalOp(op, operands, results, self._setting)))

    def _by_layouts(self, local: LocalOp, name: str, flow: DataFlowOp | None) -> _Action | None:
        """Return the rewrite of all ops with that name and such layouts; None if it depends on more."""
        choice = choice_of(name)
        takes_more = flow is not None or choice is not None or _has_other_attributes(name)
        key = (name, takes_more, local.layout_numbers)
        if key not in self._by_numbers:
            for layout in local.result_layouts:
                _local_type(layout, local.op)
            self._by_numbers[key] = None if takes_more else generic_lowering.by_layouts(local)
        lowering = choice.lowering if isinstance(choice, Always) else self._by_numbers[key]
        return None if lowering is None else self._shortened(lowering, local, name)

    def _by_op(self, local: LocalOp, name: str, flow: DataFlowOp | None) -> Lowering:
        choice = choice_of(name)
        if choice is not None:
            return choice(local)
        if flow is not None:
            return lower_data_flow(flow, self._program.of)
        return generic_lowering.by_own_rule(local)

    def _shortened(self, lowering: Lowering, op: LocalOp, name: str) -> _Action:
        """Return `lowering`, or the new types of the results if it only sets them."""
        if lowering is generic_lowering.unchanged:
            return _NewTypes(())
        if lowering is not LocalOp.keep or _has_other_attributes(name):
            return lowering
        if op.result_layouts not in self._kept:
            self._kept[op.result_layouts] = _NewTypes(tuple(op.new_types()))
        return self._kept[op.result_layouts]


_by_numbers: PerContext[dict[Hashable, Lowering | None]] = PerContext(dict)
"""The lowerings of ops of a name in all modules of a context, by the numbers of the layouts; None if it takes more."""


@dataclass(frozen=True)
class _NewTypes:
    """New types of the results of an op, by number."""

    types: tuple[tuple[int, ir.Type], ...]


_Action = Lowering | _NewTypes


def _has_other_attributes(name: str) -> bool:
    """Return whether ops of that name may have other attributes on one device's part."""
    return model_with("local_attributes", name) is not None


_MAX_DEVICES = 2**20
"""A local program has tables with an entry for each device."""


def _local_type(layout: Layout, op: ir.Operation) -> ir.Type:
    """The type of a value of `op` on each device."""
    if layout.mesh is not None and layout.sharded_dims and layout.mesh.size > _MAX_DEVICES:
        raise DiagnosticError(op, f"has a value on a mesh of {layout.mesh.size} devices, more than {_MAX_DEVICES}")
    return local_type(layout, op)


def _change_signature(function: FunctionLayouts) -> None:
    inputs = [local_type(layout, function.func) for layout in function.arguments]
    outputs = [local_type(layout, function.func) for layout in function.results]
    if has_body(function.func):
        for argument, type_ in zip(body(function.func).arguments, inputs, strict=True):
            argument.set_type(type_)
    function.func.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
