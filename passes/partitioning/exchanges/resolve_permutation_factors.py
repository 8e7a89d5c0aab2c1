"""sdy-resolve-permutation-factors: ops that shift data along a sharded dimension get it from the neighbouring devices.

    %0 = stablehlo.slice %a [1:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<16xf32>) -> tensor<14xf32>
==> %0 = sdy.manual_computation(%a, %zero) ... manual_axes={"x"} (%part: tensor<4xf32>, ...) {
      %next = "stablehlo.collective_permute"(%part) ...
      ...
    }
    %1 = stablehlo.slice %0 [0:14] ...

Pads, slices, reversals and reshapes exchange what they need. All other ops with such a dimension (windows, updates at
dynamic indices ...) get it gathered. With `exact-halos` also windows, cumulative sums, concatenations, and slices at
dynamic indices exchange what they need, if that sends fewer bytes than gathering by the ring algorithms. Of what every
device had as a whole before it took its part for the op nothing is sent then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.op_properties import is_elementwise, is_terminator
from sdy.dialect.rules import rule_of
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_but
from sdy.mlir.tensor_types import is_tensor
from sdy.passes import shared_options as shared
from sdy.passes.costs.machine_option import machine_to_compare_for
from sdy.passes.options import option
from sdy.passes.partitioning.emit.communication import Communication, max_channel
from sdy.passes.partitioning.emit.devices import Devices
from sdy.passes.partitioning.emit.operand_slots import use_instead, uses_of
from sdy.passes.partitioning.exchanges.factor_replication import replicate
from sdy.passes.partitioning.exchanges.halo_exchange import KnownPlans, exchange
from sdy.passes.partitioning.exchanges.halo_windows import exchange_windows, is_windowed
from sdy.passes.partitioning.exchanges.joined_pieces import exchange_joined, exchange_slices, sliced_dims
from sdy.passes.partitioning.exchanges.permutation_factors import factors_to_replicate, features_to_gather
from sdy.passes.partitioning.exchanges.prefix_exchange import exchange_prefixes
from sdy.passes.partitioning.exchanges.reshape_exchange import reshape
from sdy.passes.partitioning.exchanges.resharded_pads import pad_resharded
from sdy.passes.partitioning.exchanges.reverse_exchange import reverse
from sdy.passes.partitioning.exchanges.scatter_windows import exchange_scattered_windows
from sdy.passes.partitioning.exchanges.single_window_updates import update_in_place
from sdy.passes.partitioning.exchanges.summed_slices import sum_slices
from sdy.passes.partitioning.exchanges.unreduced_convolution import reduce_less, reshard_sum
from sdy.passes.partitioning.facts.asynchronous import check_asynchronous
from sdy.passes.partitioning.facts.layout import Layout, Layouts
from sdy.passes.partitioning.facts.module_meshes import ModuleMeshes
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class ResolvePermutationFactorsOptions:
    """Options of sdy-resolve-permutation-factors."""

    enable_halo_exchange: bool = option(True, "let neighbouring devices exchange data; false: gather the dimension")
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)
    rng_bit_generator_unsafe: bool = option(*shared.RNG_BIT_GENERATOR_UNSAFE)
    local_updates: bool = option(
        False, "let each device write its part of an update that may cross parts, instead of gathering"
    )
    exact_halos: bool = option(
        False,
        "let devices send only the elements that others need instead of whole parts; for windows, "
        "concatenations and dynamic slices too",
    )
    axes_above: int = option(
        0,
        "replica groups along axes of a mesh that stands in the op, in place of dense ones, on meshes of "
        "more devices than this; 0 for none",
    )
    machine: str = option(
        "",
        "of exact halos: the machine to exchange or gather for, such as 'flops=2e14 bandwidth=5e10'; by default one "
        "that does 1400 operations of a product while it sends a byte",
    )

    def __post_init__(self) -> None:
        machine_to_compare_for(self.machine)


@pass_("sdy-resolve-permutation-factors", options=ResolvePermutationFactorsOptions)
def resolve_permutation_factors(module: ir.Operation, options: ResolvePermutationFactorsOptions) -> None:
    if options.replica_count > 1 and options.partition_count > 1:
        raise DiagnosticError(module, "runs on replicas or on partitions; set one of the two counts to 1")
    devices = Devices(by_replica=options.replica_count > 1)
    first_channel = max_channel(module) + 1
    communication = Communication(
        devices, mesh_axes_groups=False, next_channel=first_channel, axes_above=options.axes_above
    )
    resolution = _FactorResolution(ModuleMeshes(module), communication, options)
    ops = _which_may_need_neighbours(module)
    if resolution.exact:
        for visit in (resolution.visit_with_surroundings, resolution.visit_slices):
            ops = _which_may_need_neighbours(module) if visit(ops) else ops
    for op in ops:
        resolution.visit(op)
    check_asynchronous(module)


_NEIGHBOURLESS = frozenset(
    f"stablehlo.{name}" for name in "broadcast_in_dim constant dot dot_general iota reduce transpose".split()
)
"""Frequent ops that, like elementwise ones, need nothing of neighbouring shards, unless a rule on the op says so."""

_FREQUENT = (
    *sorted(_NEIGHBOURLESS),
    *(
        f"stablehlo.{name}"
        for name in (
            "add and compare convert divide exponential log maximum minimum multiply negate or power rsqrt select sqrt "
            "subtract tanh"
        ).split()
    ),
)
"""Ops that are not looked at one by one."""


def _which_may_need_neighbours(module: ir.Operation) -> list[ir.Operation]:
    """The ops in question, nested ones first."""
    found: list[ir.Operation] = []
    by_name: dict[str, bool] = {}
    for op in ops_but(module, _FREQUENT, unless_with=SHARDING_RULE):
        name = op.name
        needs = by_name.get(name)
        if needs is None:
            needs = _may_need_neighbours(op, name)
            if name != _BITCAST:
                by_name[name] = needs
        if needs or (SHARDING_RULE in op.attributes and name.startswith("stablehlo.") and not is_terminator(op)):
            found.append(op)
    return found


_BITCAST = "stablehlo.bitcast_convert"
"""Elementwise or not, depending on the types."""


def _may_need_neighbours(op: ir.Operation, name: str) -> bool:
    """Whether an op without a rule on it may need anything of neighbouring shards."""
    if not name.startswith("stablehlo.") or name in _NEIGHBOURLESS:
        return False
    return not is_elementwise(op) and not is_terminator(op)


_WITH_SURROUNDINGS = frozenset(
    f"stablehlo.{name}" for name in "concatenate dynamic_slice pad scatter select_and_scatter".split()
)
"""Ops that are exchanged along with those around them."""


class _FactorResolution:
    """What the ops of one module have in common."""

    def __init__(
        self, meshes: ModuleMeshes, communication: Communication, options: ResolvePermutationFactorsOptions
    ) -> None:
        self.meshes = meshes
        self.comm = communication
        self.options = options
        self.layouts = Layouts(meshes.table)
        self.machine = machine_to_compare_for(options.machine)
        self._plans = KnownPlans(exact=options.exact_halos)

    @property
    def exact(self) -> bool:
        return self.options.enable_halo_exchange and self.options.exact_halos

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
                changed |= self.options.local_updates and update_in_place(op, self._layout, self.layouts)
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
            halo = self.options.enable_halo_exchange
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
        if self.options.enable_halo_exchange and rule.permutation:
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
            op, rule, self._layout, local_updates=self.options.local_updates, local_windows=self.exact
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
        return exchange(op, self._layout, self.comm, self._plans, exact=self.options.exact_halos)

    def _gather_random_numbers(self, op: ir.Operation) -> None:
        """Draws all numbers on every device where each drawing its own would not do."""
        state, output = op.results
        element = state.type.element_type
        is_wide = isinstance(element, ir.IntegerType) and element.width in (32, 64)
        shardings = op_shardings(op)
        if (self.options.rng_bit_generator_unsafe and is_wide) or shardings is None:
            return
        sharding = shardings[1]
        if sharding.is_fully_replicated:
            return
        slots = uses_of(output)
        set_op_shardings(op, (shardings[0], TensorSharding.closed(sharding.mesh_or_ref, sharding.rank)))
        behind = ir.InsertionPoint.after(op)
        use_instead(slots, sdy_ops.reshard(output, sharding, loc=op.location, ip=behind))
