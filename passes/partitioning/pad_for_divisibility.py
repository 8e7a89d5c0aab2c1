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
from typing import TypeVar

from sdy.dialect import builders as sdy_ops
from sdy.dialect.data_flow import DataFlowOp, data_flow_names, is_data_flow_op
from sdy.dialect.definition import attributes
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import FunctionLayouts, Layout, Layouts, ProgramLayouts
from sdy.dialect.lowering.local_op import unshardable_factors
from sdy.dialect.lowering.sharded_op import Padding, PadOp, Progress
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import any_model, model_with, target_of
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.rule import FactorType, ShardingPerValue, ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, remark
from sdy.mlir.functions import set_boundary_types
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import MOST_ELEMENTS, is_tensor, with_shape
from sdy.passes.partitioning.analysis.programs import all_results, check_asynchronous
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


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
    told_otherwise = ops_named(module, *INHERENT_SHARDINGS, *data_flow_names())
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
    inputs, outputs = (list(map(_padded_type, layouts)) for layouts in (function.arguments, function.results))
    set_boundary_types(function.func, inputs, outputs)


def choose(op: PadOp) -> Padding:
    """Choose the padding of an op with a padded operand or result; all types are still unpadded.

    An op whose rule is an extension, and which does not carry it, may have dimensions that are padded differently.
    """
    name, target = op.op.name, target_of(op.op)
    model = model_with("pad", name, target)
    if model is not None and (model_with("extension_rule", name, target) is None or rule_of(op.op) is not None):
        return model.pad
    if is_data_flow_op(name) or any_model(op.op, "grows").grows(op) or any_model(op.op, "grows_alike").grows_alike:
        return PadOp.grow
    if is_elementwise(op.op) or any_model(op.op, "is_elementwise").is_elementwise:
        return PadOp.grow if op.is_padded_alike else PadOp.compute_unpadded
    layouts = (*op.operand_layouts, *op.result_layouts)
    rule = rule_of(op.op)
    if rule is not None and _padding_passes_through(op.op, rule, layouts):
        return PadOp.grow
    return PadOp.compute_unpadded


def _padding_passes_through(op: ir.Operation, rule: ShardingRule, tensors: tuple[Layout, ...]) -> bool:
    """Return whether the op neither mixes nor repeats elements along every padded dimension.

    All tensors have to be padded to one size along it.
    """
    whole = unshardable_factors(op, rule)
    in_results = {factor for mapping in rule.results for factors in mapping for factor in factors}
    sizes: dict[tuple[int, ...], int] = {}
    for layout, mapping in zip(tensors, rule.tensors, strict=True):
        for dim, factors in enumerate(mapping):
            size = layout.padded_shape[dim]
            passes = all(
                rule.factor_types[factor] is FactorType.PASS_THROUGH and factor not in whole and factor in in_results
                for factor in factors
            )
            if size != layout.shape[dim] and not (factors and passes):
                return False
            if factors and passes and sizes.setdefault(factors, size) != size:
                return False
    return True


_Value = TypeVar("_Value", bound=ir.Value)


def split_uneven_parts(module: ir.Operation, layouts: Layouts) -> None:
    """Lets no dimension of a manual computation be sharded along manual and, unevenly, along free axes."""
    for op in ops_named(module, "sdy.manual_computation"):
        _Border(op, layouts).split()


class _Border:
    """The border of one manual computation."""

    def __init__(self, op: ir.Operation, layouts: Layouts) -> None:
        self.op = op
        self.layouts = layouts
        self.manual: tuple[str, ...] = attributes.get(op, "manual_axes").names
        self.is_moved = False

    def split(self) -> None:
        block = self.op.regions[0].blocks[0]
        end = terminator(block)
        ins = [self._operand(i, x, sharding) for i, (x, sharding) in enumerate(self._pairs(block.arguments, "in"))]
        outs = [self._result(i, x, sharding, end) for i, (x, sharding) in enumerate(self._pairs(end.operands, "out"))]
        if self.is_moved:
            attributes.put(self.op, "in_shardings", ShardingPerValue(tuple(ins)))
            attributes.put(self.op, "out_shardings", ShardingPerValue(tuple(outs)))
            remark(self.op, "has parts that free axes do not divide: they are gathered")

    def _pairs(self, values: Sequence[_Value], side: str) -> list[tuple[_Value, TensorSharding]]:
        return list(zip(values, attributes.get(self.op, f"{side}_shardings"), strict=True))

    def _operand(self, index: int, argument: ir.BlockArgument, sharding: TensorSharding) -> TensorSharding:
        dims = self._uneven_dims(argument, sharding)
        if not dims:
            return sharding
        crossing = self._without_free(sharding, dims)
        self.op.operands[index] = _moved(Builder.before(self.op), self.op.operands[index], sharding, crossing, dims)
        slots = uses_of(argument)
        block = argument.owner
        inside = Builder(ir.InsertionPoint.at_block_begin(block), self.op.location)
        use_instead(slots, _moved(inside, argument, self._inside(crossing), self._inside(sharding), dims))
        return crossing

    def _result(self, index: int, value: ir.Value, sharding: TensorSharding, end: ir.Operation) -> TensorSharding:
        dims = self._uneven_dims(value, sharding)
        if not dims:
            return sharding
        crossing = self._without_free(sharding, dims)
        inside = Builder.before(end)
        end.operands[index] = _moved(inside, value, self._inside(sharding), self._inside(crossing), dims)
        result = self.op.results[index]
        slots = uses_of(result)
        use_instead(slots, _moved(Builder.after(self.op), result, crossing, sharding, dims))
        return crossing

    def _uneven_dims(self, value: ir.Value, outer: TensorSharding) -> list[int]:
        """Return the dimensions whose parts free axes shard unevenly."""
        if not is_tensor(value.type):
            return []
        part = self.layouts.of(value.type, self._inside(outer))
        found = [
            dim
            for dim in range(part.rank)
            if part.shape[dim] % part.shards[dim] and any(axis.name in self.manual for axis in outer.dims[dim].axes)
        ]
        self.is_moved |= bool(found)
        return found

    def _inside(self, outer: TensorSharding) -> TensorSharding:
        return outer.erase_manual_axes(self.manual)

    def _without_free(self, sharding: TensorSharding, dims: Sequence[int]) -> TensorSharding:
        return sharding.with_dim_axes(
            tuple(axis for axis in axes if axis.name in self.manual) if dim in dims else axes
            for dim, axes in enumerate(sharding.dim_axes)
        )


def _moved(b: Builder, x: ir.Value, have: TensorSharding, want: TensorSharding, dims: Sequence[int]) -> ir.Value:
    """Return `x` with layout `want` instead of `have`, gathered and sliced along `dims`."""

    def only(sharding: TensorSharding) -> list[AxisList]:
        return [axes if dim in dims else () for dim, axes in enumerate(sharding.dim_axes)]

    whole = have.replicated_along(dims)
    if any(only(have)):
        x = sdy_ops.all_gather(x, only(have), whole, loc=b.location, ip=b.ip)
    if any(only(want)):
        x = sdy_ops.all_slice(x, only(want), want, loc=b.location, ip=b.ip)
    return x
