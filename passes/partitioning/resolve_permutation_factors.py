"""sdy-resolve-permutation-factors: Exchange halos for ops that shift data along a sharded dimension.

    %0 = stablehlo.slice %a [1:15] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
         : (tensor<16xf32>) -> tensor<14xf32>
==> %0 = sdy.manual_computation(%a, %zero) ... manual_axes={"x"} (%part: tensor<4xf32>, ...) {
      %next = "stablehlo.collective_permute"(%part) ...
      ...
    }
    %1 = stablehlo.slice %0 [0:14] ...

Pads, slices, reversals and reshapes exchange the needed elements. All other ops with such a dimension (windows, updates
at dynamic indices ...) get it gathered. With `exact-halos`, windows, cumulative sums, concatenations, and slices at
dynamic indices exchange elements as well, if that sends fewer bytes than a gather by ring algorithms. Values that were
replicated before they were sliced for the op are then not sent.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sdy.dialect.ir_builders.communication import Communication, Devices, max_channel
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.replica_groups import ManualScopes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes import options as shared
from sdy.passes.costs.machine import machine_to_compare_for
from sdy.passes.options import option
from sdy.passes.partitioning.analysis.neighbours import keeps_shards, ops_needing_halo
from sdy.passes.partitioning.analysis.programs import ModuleMeshes, check_asynchronous
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
    ops = ops_needing_halo(module)
    if options.enable_halo_exchange and ops:
        layouts, known = Layouts(MeshTable(module)), dict[Hashable, bool]()
        ops = [op for op in ops if not keeps_shards(op, layouts, known)]
    if ops:
        _resolve(module, ops, options)
    check_asynchronous(module)


def _resolve(module: ir.Operation, ops: Sequence[ir.Operation], options: ResolvePermutationFactorsOptions) -> None:
    from sdy.passes.partitioning.exchange.factor_resolution import FactorResolution

    devices = Devices(by_replica=options.replica_count > 1)
    first_channel = max_channel(module) + 1
    communication = Communication(
        devices,
        mesh_axes_groups=False,
        next_channel=first_channel,
        scopes=ManualScopes(module),
        in_own_computations=True,
        axes_above=options.axes_above,
    )
    FactorResolution(
        ModuleMeshes(module),
        communication,
        halo_exchange=options.enable_halo_exchange,
        exact_halos=options.exact_halos,
        local_updates=options.local_updates,
        is_unsafe=options.rng_bit_generator_unsafe,
        machine=options.machine,
    ).resolve(module, ops)
