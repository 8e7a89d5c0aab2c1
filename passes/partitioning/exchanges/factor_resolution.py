"""What becomes of each op that needs what neighbouring devices have (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.operand_slots import use_instead, uses_of
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.rules import rule_of
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import is_tensor
from sdy.passes.costs.machine import machine_to_compare_for
from sdy.passes.partitioning.exchanges.concatenate_exchange import exchange_joined, exchange_slices, sliced_dims
from sdy.passes.partitioning.exchanges.gathering import factors_to_replicate, reduce_less, replicate, reshard_sum
from sdy.passes.partitioning.exchanges.pads_and_slices import exchange
from sdy.passes.partitioning.exchanges.prefix_exchange import exchange_prefixes
from sdy.passes.partitioning.exchanges.reshape_exchange import reshape
from sdy.passes.partitioning.exchanges.resharded_operands import pad_resharded, sum_slices, update_in_place
from sdy.passes.partitioning.exchanges.reverse_exchange import reverse
from sdy.passes.partitioning.exchanges.scatter_windows import exchange_scattered_windows
from sdy.passes.partitioning.exchanges.window_costs import features_to_gather
from sdy.passes.partitioning.exchanges.windows import exchange_windows, is_windowed
from sdy.passes.partitioning.facts.module_meshes import ModuleMeshes
from sdy.passes.partitioning.facts.neighbours import which_may_need_neighbours

_WITH_SURROUNDINGS = frozenset(
    f"stablehlo.{name}" for name in "concatenate dynamic_slice pad scatter select_and_scatter".split()
)
"""Ops that are exchanged along with those around them."""


class FactorResolution:
    """What the ops of one module have in common.

    `is_unsafe` says that each device may draw its own random numbers; the other arguments are what the options of the
    pass say.
    """

    def __init__(
        self,
        meshes: ModuleMeshes,
        communication: Communication,
        *,
        halo_exchange: bool,
        exact_halos: bool,
        local_updates: bool,
        is_unsafe: bool,
        machine: str,
    ) -> None:
        self.meshes = meshes
        self.comm = communication
        self.halo_exchange = halo_exchange
        self.exact = halo_exchange and exact_halos
        self.local_updates = local_updates
        self.is_unsafe = is_unsafe
        self.layouts = Layouts(meshes.table)
        self.machine = machine_to_compare_for(machine)

    def resolve(self, module: ir.Operation, ops: Sequence[ir.Operation]) -> None:
        """Rewrites those of `ops`, which are the ones of the module that may need neighbours, that do."""
        if self.exact:
            for visit in (self.visit_with_surroundings, self.visit_slices):
                ops = which_may_need_neighbours(module) if visit(ops) else ops
        for op in ops:
            self.visit(op)

    def visit_with_surroundings(self, ops: Sequence[ir.Operation]) -> bool:
        """Rewrites ops that are exchanged along with those around them, before these are; whether there were any."""
        changed = False
        for op in [op for op in ops if op.name in _WITH_SURROUNDINGS]:
            if op.name == "stablehlo.concatenate":
                changed |= exchange_joined(op, self._layout, self.layouts, self.comm)
            elif op.name == "stablehlo.dynamic_slice":
                changed |= sum_slices(op, self._layout, self.layouts, self.comm)
            elif op.name == "stablehlo.pad":
                changed |= pad_resharded(op, self._layout, self.layouts)
            elif op.name == "stablehlo.scatter":
                changed |= self.local_updates and update_in_place(op, self._layout, self.layouts)
            else:
                changed |= exchange_scattered_windows(op, self._layout, self.layouts, self.comm)
        return changed

    def visit_slices(self, ops: Sequence[ir.Operation]) -> bool:
        """Rewrites slices of the same tensors together; whether there were any."""
        groups: dict[tuple[ir.Value, ir.Block, int], list[ir.Operation]] = {}
        for op in ops:
            if op.name == "stablehlo.slice" and self._is_sharded(op.operands[0]):
                dims = sliced_dims(op)
                if dims is not None and len(dims) == 1:
                    groups.setdefault((op.operands[0], op.block, dims[0]), []).append(op)
        changed = False
        for (_, _, dim), group in groups.items():
            changed |= exchange_slices(group, dim, self._layout, self.comm)
        return changed

    def visit(self, op: ir.Operation) -> None:
        if op.name == "stablehlo.reshape":
            source, target = self._layout(op.operands[0]), self._layout(op.results[0])
            halo = self.halo_exchange
            reshape(op, source, target, self.comm, enable_halo=halo, exact=self.exact)
        elif op.name == "stablehlo.rng_bit_generator":
            self._gather_random_numbers(op)
        else:
            self._visit_by_rule(op)

    def _layout(self, value: ir.Value) -> Layout:
        return self.layouts.of_value(value)

    def _visit_by_rule(self, op: ir.Operation) -> None:
        if not any(self._is_sharded(value) for value in (*op.operands, *op.results)):
            return
        rule = rule_of(op)
        if rule is None or rule.is_custom:
            return
        if self.halo_exchange and rule.permutation:
            if op.name in ("stablehlo.pad", "stablehlo.slice") and self._exchanged(op):
                return
            if op.name == "stablehlo.reverse":
                layout, result = self._layout(op.operands[0]), self._layout(op.results[0])
                reverse(op, layout, result, self.comm, self.meshes)
                return
        if (
            self.exact
            and op.name == "stablehlo.reduce_window"
            and exchange_prefixes(op, self._layout, self.comm, self.machine)
        ):
            return
        if self.exact and is_windowed(op) and exchange_windows(op, rule, self._layout, self.comm, self.machine):
            return
        factors = factors_to_replicate(
            op, rule, self._layout, local_updates=self.local_updates, local_windows=self.exact
        )
        is_convolution = op.name == "stablehlo.convolution"
        if self.exact and is_convolution:
            factors |= features_to_gather(op, rule, self._layout, self.machine)
        if factors:
            all_reduce = reduce_less(op, rule, factors, self.meshes.table) if is_convolution else None
            replicate(op, rule, factors, self.meshes.table, from_resharded=self.exact)
            if all_reduce is not None:
                reshard_sum(op, all_reduce)

    def _is_sharded(self, value: ir.Value) -> bool:
        if not is_tensor(value.type):
            return False
        sharding = get_sharding(value)
        return sharding is not None and not sharding.is_fully_replicated

    def _exchanged(self, op: ir.Operation) -> bool:
        """Whether nothing is left to do after an attempt to exchange along the dimensions of a pad or slice."""
        layout, result = self._layout(op.operands[0]), self._layout(op.results[0])
        if layout.mesh is None or not layout.sharded_dims or layout.mesh.is_maximal:
            return True
        if layout.dim_axes != result.dim_axes or layout.mesh != result.mesh:
            return False
        return exchange(op, self._layout, self.comm, exact=self.exact)

    def _gather_random_numbers(self, op: ir.Operation) -> None:
        """Draws all numbers on every device where each drawing its own would not do."""
        state, output = op.results
        element = state.type.element_type
        is_wide = isinstance(element, ir.IntegerType) and element.width in (32, 64)
        shardings = op_shardings(op)
        if (self.is_unsafe and is_wide) or shardings is None:
            return
        sharding = shardings[1]
        if sharding.is_fully_replicated:
            return
        slots = uses_of(output)
        set_op_shardings(op, (shardings[0], TensorSharding.closed(sharding.mesh_or_ref, sharding.rank)))
        behind = ir.InsertionPoint.after(op)
        use_instead(slots, sdy_ops.reshard(output, sharding, loc=op.location, ip=behind))
