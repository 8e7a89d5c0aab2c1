"""sdy-per-instruction-partitioning: Partition single ops of a function, for debugging the partitioner.

    %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
==> %0 = sdy.manual_computation(%a, %b) in_shardings=[...] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
           (%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) {
      %1 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    } : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>

Outer types stay global, so that single ops can be selected with the filter: parts of op names (any of which may match),
`selectLow=N` and `selectHigh=N` (numbers of the candidate ops, counted from 0, both included) and `func=NAME`,
separated by commas. Expects explicit reshards with partial results marked as unreduced.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.with_sharding import pad_high, slice_high
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.op_properties import is_terminator, rank
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, funcs, has_body, symbol_name
from sdy.mlir.tensor_types import is_tensor
from sdy.mlir.walk import post_order
from sdy.passes import options as shared
from sdy.passes.manager import run_nested
from sdy.passes.options import option
from sdy.passes.partitioning.analysis.programs import ModuleMeshes
from sdy.passes.partitioning.debugging.instruction_module import InstructionFilter, InstructionModule, Live
from sdy.passes.registry import pass_, step
from sdy.passes.steps import Step
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class PerInstructionPartitioningOptions:
    """Options of sdy-per-instruction-partitioning."""

    filter: str = option("", "ops to partition; empty for all")
    enable_halo_exchange: bool = option(True, "let neighbouring devices exchange data")
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)
    rng_bit_generator_unsafe: bool = option(*shared.RNG_BIT_GENERATOR_UNSAFE)

    def steps(self) -> list[Step]:
        """The passes that partition one op."""
        counts: dict[str, Any] = {"replica_count": self.replica_count, "partition_count": self.partition_count}
        return [
            step(
                "sdy-resolve-permutation-factors",
                enable_halo_exchange=self.enable_halo_exchange,
                rng_bit_generator_unsafe=self.rng_bit_generator_unsafe,
                **counts,
            ),
            step("sdy-reshard-to-collectives", on_func=True),
            step("sdy-optimize-collectives", on_func=True),
            step("canonicalize", enable_patterns="sdy-collective", top_down=False, region_simplify="aggressive"),
            step("sdy-pad-for-divisibility"),
            step("sdy-convert-global-to-local", **counts),
            step("sdy-drop-sharding-and-mesh"),
        ]


@pass_("sdy-per-instruction-partitioning", options=PerInstructionPartitioningOptions)
def per_instruction_partitioning(module: ir.Operation, options: PerInstructionPartitioningOptions) -> None:
    chosen = InstructionFilter.parse(options.filter)
    func = _function(module, chosen.func)
    partitioner = _Partitioner(module, options)
    candidates = [one.operation for one in body(func).operations if partitioner.is_candidate(one.operation)]
    for number, op in enumerate(candidates):
        if chosen.accepts(op.name, number):
            partitioner.partition(op)


def _function(module: ir.Operation, name: str | None) -> ir.Operation:
    """The function of that name, else the only one, else main, else the first public one with a body."""
    found = [func for func in funcs(module) if has_body(func)]
    if name is not None:
        named = [func for func in found if symbol_name(func) == name]
        if not named:
            raise DiagnosticError(module, f"has no function '{name}' to partition the instructions of")
        return named[0]
    if len(found) == 1:
        return found[0]
    main = [func for func in found if symbol_name(func) == "main"]
    public = [func for func in found if "sym_visibility" not in func.attributes]
    if not main and not public:
        raise DiagnosticError(module, "has no function to partition the instructions of")
    return (main or public)[0]


_NEVER = frozenset(
    """
    sdy.data_flow_edge sdy.manual_computation sdy.mesh sdy.propagation_barrier sdy.replicated_to_unreduced
    sdy.sharded_to_unreduced sdy.sharding_constraint sdy.sharding_group mhlo.copy
    """.split()
)
_SHARDING_CALLS = ("Sharding", "mhlo.sharding")


class _Partitioner:
    """Partitions ops of one module."""

    def __init__(self, module: ir.Operation, options: PerInstructionPartitioningOptions) -> None:
        self.module = module
        self.options = options
        self.meshes = ModuleMeshes(module)

    # Candidates ----------------------------------------------------------------------------------

    def is_candidate(self, op: ir.Operation) -> bool:
        if op.name in _NEVER or is_terminator(op):
            return False
        if (call := views.CustomCall.match(op)) is not None and call.call_target_name in _SHARDING_CALLS:
            return False
        if op.name == "sdy.all_reduce" and _convolution_before(op) is not None:
            return False
        values = (*op.operands, *op.results)
        return any(sharding is not None and not sharding.is_fully_replicated for sharding in map(get_sharding, values))

    # One op --------------------------------------------------------------------------------------

    def partition(self, op: ir.Operation) -> None:
        last = _all_reduce_behind(op) or op
        live_ins = _live_ins(op)
        ref, mesh = self._mesh(op, [*live_ins, *last.results])
        layouts = Layouts(self.meshes.table)
        ins = [self._live(op, value, ref, layouts) for value in live_ins]
        outs = [self._live(op, value, ref, layouts) for value in last.results]
        if op.name == "sdy.reshard":
            (ins[0], outs[0]) = _to_common_multiples(ins[0], outs[0], mesh)
        built = InstructionModule(self.module, op, last, ins, outs)
        run_nested(built.module, self.options.steps())
        self._put_in_place(op, last, ins, outs, mesh, built)

    def _mesh(self, op: ir.Operation, values: list[ir.Value]) -> tuple[str, Mesh]:
        """The mesh of all values, by name."""
        ref = self.meshes.table.common([get_sharding(value) for value in values])
        mesh = None if ref is None else self.meshes.table.resolve(ref)
        if ref is None or mesh is None:
            raise DiagnosticError(op, "has operands and results without a common mesh")
        return (ref if isinstance(ref, str) else self.meshes.name_of(mesh, "mesh")), mesh

    def _live(self, op: ir.Operation, value: ir.Value, ref: str, layouts: Layouts) -> Live:
        sharding = get_sharding(value)
        if sharding is not None and sharding.rank and not is_tensor(value.type):
            raise DiagnosticError(op, f"has a sharded value of type '{value.type}', but only tensors are partitioned")
        named = TensorSharding.closed(ref, rank(value.type)) if sharding is None else sharding.with_mesh(ref)
        layout = layouts.of(value.type, named)
        return Live(value, named, layout.padded_shape)

    def _put_in_place(
        self,
        op: ir.Operation,
        last: ir.Operation,
        ins: list[Live],
        outs: list[Live],
        mesh: Mesh,
        built: InstructionModule,
    ) -> None:
        b = Builder.before(op)
        computation = sdy_ops.manual_computation(
            [_padded(b, live) for live in ins],
            [live.padded_type for live in outs],
            [live.sharding for live in ins],
            [live.sharding for live in outs],
            [axis.name for axis in mesh.axes],
            built.local_argument_types(),
            loc=op.location,
            ip=b.ip,
        )
        built.move_body(computation.regions[0].blocks[0], self.module)
        for live, result in zip(outs, computation.results, strict=True):
            value = slice_high(b, result, live.value.type.shape, live.sharding) if live.is_padded else result
            live.value.replace_all_uses_with(value)
        if last != op:
            last.erase()
        op.erase()


def _live_ins(op: ir.Operation) -> list[ir.Value]:
    """The operands, then each value from outside that the regions use; inner regions come first."""
    captured: list[ir.Value] = []
    nested = [each for each in post_order(op) if each != op]
    inside: set[ir.Value] = {result for each in nested for result in each.results}
    for each in (op, *nested):
        inside.update(argument for region in each.regions for block in region.blocks for argument in block.arguments)
    for each in nested:
        for operand in each.operands:
            if operand not in inside and operand not in captured:
                captured.append(operand)
    return [*op.operands, *captured]


def _all_reduce_behind(op: ir.Operation) -> ir.Operation | None:
    """Return the `sdy.all_reduce` that is the only use of a convolution with a partial result."""
    if op.name != "stablehlo.convolution":
        return None
    sharding = get_sharding(op.results[0])
    uses = list(op.results[0].uses)
    if sharding is None or not sharding.unreduced or len(uses) != 1:
        return None
    user = uses[0].owner.operation
    return user if user.name == "sdy.all_reduce" else None


def _convolution_before(op: ir.Operation) -> ir.Operation | None:
    value = op.operands[0]
    if isinstance(value.owner, ir.Block):
        return None
    before = value.owner.operation
    behind = _all_reduce_behind(before)
    return before if behind is not None and behind == op else None


def _to_common_multiples(source: Live, target: Live, mesh: Mesh) -> tuple[Live, Live]:
    """Pad both sides of a reshard to common multiples of their shard counts."""
    sizes = mesh.axis_sizes
    counts = [
        math.lcm(before.shards(sizes), after.shards(sizes))
        for before, after in zip(source.sharding.dims, target.sharding.dims, strict=True)
    ]
    shape = tuple(-(-size // count) * count for size, count in zip(source.value.type.shape, counts, strict=True))
    return replace(source, padded_shape=shape), replace(target, padded_shape=shape)


def _padded(b: Builder, live: Live) -> ir.Value:
    """Return the value in its padded type; the source of a slice, if that has this type."""
    if not live.is_padded:
        return live.value
    owner = live.value.owner
    if not isinstance(owner, ir.Block) and _is_high_slice(owner.operation):
        whole = owner.operation.operands[0]
        if whole.type == live.padded_type:
            return whole
    return pad_high(b, live.value, live.padded_shape, live.sharding)


def _is_high_slice(op: ir.Operation) -> bool:
    cut = views.Slice.match(op)
    return cut is not None and not any(cut.start_indices) and all(stride == 1 for stride in cut.strides)
