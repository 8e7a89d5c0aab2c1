"""Exchanges for ops that need data of neighbouring devices (spec: partitioner, 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY

from sdy.dialect import builders as sdy_ops
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.ops.model import has_users_access, is_contraction, model_with
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.tensor_types import is_tensor
from sdy.passes.costs.machine import machine_to_compare_for
from sdy.passes.partitioning.analysis.neighbours import ops_needing_halo, sliced_dims
from sdy.passes.partitioning.analysis.programs import ModuleMeshes
from sdy.passes.partitioning.exchange.gathering import factors_to_replicate, reduce_less, replicate, reshard_sum
from sdy.passes.partitioning.exchange.pads_and_slices import exchange_rows, slice_one_by_one

_Exchange = Callable[[ir.Operation, ShardingRule], bool]
"""Rewrites an op along its sharded dimensions; returns whether nothing is left to gather."""


@dataclass
class FactorResolution:
    """Resolution of the ops of one module.

    `is_unsafe` tells that each device may draw its own random numbers; `halo_exchange` to `machine` are the options of
    the pass.
    """

    meshes: ModuleMeshes
    comm: Communication
    _: KW_ONLY
    halo_exchange: bool
    exact_halos: bool
    local_updates: bool
    is_unsafe: bool
    machine: str

    def __post_init__(self) -> None:
        self.exact = self.halo_exchange and self.exact_halos
        self.layouts = Layouts(self.meshes.table)
        self.compared_for = machine_to_compare_for(self.machine)

    def resolve(self, module: ir.Operation, ops: Sequence[ir.Operation]) -> None:
        """Rewrite those of `ops` that need elements of neighbours."""
        if self.exact:
            for visit in (self.visit_with_surroundings, self.visit_gathered, self.visit_slices):
                ops = ops_needing_halo(module) if visit(ops) else ops
        for op in ops:
            self.visit(op)

    def visit_with_surroundings(self, ops: Sequence[ir.Operation]) -> bool:
        """Rewrite exchanged ops together with neighbouring ops, before the others; return whether there were any."""
        changed = False
        for op in ops:
            changed |= self._exchange_with_surroundings(op)
        return changed

    def _exchange_with_surroundings(self, op: ir.Operation) -> bool:
        layout_of, layouts, comm = self._layout, self.layouts, self.comm
        if op.name == "stablehlo.concatenate":
            from sdy.passes.partitioning.exchange.concatenate_exchange import exchange_concatenate

            return exchange_concatenate(op, layout_of, layouts, comm)
        if op.name == "stablehlo.select_and_scatter":
            from sdy.passes.partitioning.exchange.scatter_windows import exchange_scattered_windows

            return exchange_scattered_windows(op, layout_of, layouts, comm)
        from sdy.passes.partitioning.exchange import resharded_operands

        if op.name == "stablehlo.dynamic_slice":
            return resharded_operands.slice_by_all_reduce(op, layout_of, layouts, comm)
        if op.name == "stablehlo.scatter":
            return self.local_updates and resharded_operands.update_in_place(op, layout_of, layouts)
        return False

    def visit_gathered(self, ops: Sequence[ir.Operation]) -> bool:
        """Rewrite ops that cannot exchange, of which others take into account what is gathered; return whether any."""
        gathered = [op for op in ops if not self._may_exchange(op)]
        for op in gathered:
            self.visit(op)
        return bool(gathered)

    def _may_exchange(self, op: ir.Operation) -> bool:
        rule = rule_of(op)
        return op.name == "stablehlo.reshape" or rule is None or bool(self._exchanges_of(op, rule))

    def visit_slices(self, ops: Sequence[ir.Operation]) -> bool:
        """Rewrite slices by sums, or those of the same tensors together; return whether there were any."""
        slices = [op for op in ops if op.name == "stablehlo.slice" and self._is_sharded(op.operands[0])]
        if not slices:
            return False
        from sdy.passes.partitioning.exchange.concatenate_exchange import exchange_slices
        from sdy.passes.partitioning.exchange.resharded_operands import slice_by_all_reduce

        left = [op for op in slices if not slice_by_all_reduce(op, self._layout, self.layouts, self.comm)]
        single = [each for op in left for each in self._one_by_one(op)]
        groups: dict[tuple[ir.Value, ir.Block, int], list[ir.Operation]] = {}
        for op in single:
            dims = sliced_dims(op)
            if dims is not None and len(dims) == 1:
                groups.setdefault((op.operands[0], op.block, dims[0]), []).append(op)
        changed = len(left) < len(slices) or len(single) > len(left)
        for (_, _, dim), group in groups.items():
            changed |= exchange_slices(group, dim, self._layout, self.comm)
        return changed

    def _one_by_one(self, op: ir.Operation) -> list[ir.Operation]:
        """Return the slices of one sharded dimension each that a slice becomes, if nothing is gathered for it."""
        layout, result = self._layout(op.operands[0]), self._layout(op.results[0])
        is_alike = layout.mesh == result.mesh and layout.dim_axes == result.dim_axes
        return slice_one_by_one(op, layout) if is_alike and min(layout.shape, default=0) > 0 else [op]

    def visit(self, op: ir.Operation) -> None:
        if op.name == "stablehlo.reshape":
            from sdy.passes.partitioning.exchange.reshape_exchange import reshape

            source, target = self._layout(op.operands[0]), self._layout(op.results[0])
            reshape(op, source, target, self.comm, enable_halo=self.halo_exchange, exact=self.exact)
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
        if rule is None:
            return
        if not any(exchange(op, rule) for exchange in self._exchanges_of(op, rule)) and not rule.is_custom:
            self._gather(op, rule)

    def _exchanges_of(self, op: ir.Operation, rule: ShardingRule) -> Sequence[_Exchange]:
        """Return the exchanges to try in turn before dimensions are gathered."""
        if has_users_access(op):
            return (self._exchange_windows,) if self.exact else ()
        if rule.is_custom or not self.halo_exchange:
            return ()
        if op.name == "stablehlo.reverse":
            return (self._reverse,)
        if model_with("set_windows", op.name) is not None:
            return (self._exchange_prefixes, self._exchange_windows) if self.exact else ()
        return (self._exchange_rows,) if model_with("access", op.name) is not None else ()

    def _gather(self, op: ir.Operation, rule: ShardingRule) -> None:
        """Gather the factors that cannot stay sharded; a contraction sums along fewer axes then."""
        factors = factors_to_replicate(
            op, rule, self._layout, local_updates=self.local_updates, local_windows=self.exact
        )
        if self.exact:
            from sdy.passes.partitioning.exchange.window_costs import features_to_gather

            factors |= features_to_gather(op, rule, self._layout, self.compared_for)
        if not factors:
            return
        all_reduce = reduce_less(op, rule, factors, self.meshes.table) if is_contraction(op) else None
        replicate(op, rule, factors, self.meshes.table, from_resharded=self.exact)
        if all_reduce is not None:
            reshard_sum(op, all_reduce)

    def _is_sharded(self, value: ir.Value) -> bool:
        if not is_tensor(value.type):
            return False
        sharding = get_sharding(value)
        return sharding is not None and not sharding.is_fully_replicated

    # Exchanges -----------------------------------------------------------------------------------

    def _exchange_rows(self, op: ir.Operation, rule: ShardingRule) -> bool:
        """Exchanges along the dimensions of a pad or slice."""
        if not rule.permutation:
            return False
        layout, result = self._layout(op.operands[0]), self._layout(op.results[0])
        if layout.mesh is None or not layout.sharded_dims or layout.mesh.is_maximal:
            return True
        if layout.dim_axes != result.dim_axes or layout.mesh != result.mesh:
            return False
        return exchange_rows(op, self._layout, self.comm, exact=self.exact)

    def _reverse(self, op: ir.Operation, rule: ShardingRule) -> bool:
        from sdy.passes.partitioning.exchange.reverse_exchange import reverse

        if rule.permutation:
            have, want = self._layout(op.operands[0]), self._layout(op.results[0])
            reverse(op, have, want, self.comm, self.meshes, exact=self.exact)
        return bool(rule.permutation)

    def _exchange_prefixes(self, op: ir.Operation, rule: ShardingRule) -> bool:
        from sdy.passes.partitioning.exchange.prefix_exchange import exchange_prefixes

        del rule
        return len(op.regions) > 0 and exchange_prefixes(op, self._layout, self.comm, self.compared_for)

    def _exchange_windows(self, op: ir.Operation, rule: ShardingRule) -> bool:
        from sdy.passes.partitioning.exchange.windows import exchange_windows

        return exchange_windows(op, rule, self._layout, self.comm, self.compared_for)

    def _gather_random_numbers(self, op: ir.Operation) -> None:
        """Draw all numbers on every device, if the devices cannot draw their parts."""
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
