"""sdy-convert-global-to-local: Convert the global program to the program of one device.

    func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
      %0 = sdy.all_gather [{"x"}] %a out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
      %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, ...}> : (tensor<4xf32>) -> tensor<8xf32>

Every value gets the type of one device's part, every sdy op becomes StableHLO. Shards must be even; see
sdy-pad-for-divisibility. If the shardings of an op do not allow each device to compute its own part, every device
computes it replicated.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.communication import Communication, max_channel
from sdy.dialect.ir_builders.devices import Devices
from sdy.dialect.replica_groups import ManualScopes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import RECORDED, store_main_shardings
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.partitioning.analysis.modules import check_asynchronous
from sdy.passes.partitioning.local.conversion import Conversion
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class ConvertGlobalToLocalOptions:
    """Options of sdy-convert-global-to-local."""

    enable_rgv3: bool = option(True, "replica groups in mesh-axes form instead of dense matrices")
    per_dim_all_gather: bool = option(*shared.PER_DIM_ALL_GATHER)
    combine_multi_dimension_reduce_scatter: bool = option(
        False, "one reduce_scatter between transposes for several dimensions instead of all_reduce and slice"
    )
    signed_zeros: bool = option(False, "use -0.0 as the neutral element of sums, so that -0.0 stays -0.0")
    axes_above: int = option(
        0,
        "replica groups along axes of a mesh that stands in the op, in place of dense ones, and positions "
        "of devices computed, in place of tables, on meshes of more devices than this; 0 for none",
    )
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)


@pass_("sdy-convert-global-to-local", options=ConvertGlobalToLocalOptions)
def convert_global_to_local(module: ir.Operation, options: ConvertGlobalToLocalOptions) -> None:
    if options.replica_count > 1 and options.partition_count > 1:
        raise DiagnosticError(
            module,
            "is converted for replicas or for partitions, but both counts are greater than 1; set one of them to 1",
        )
    store_main_shardings(module)
    if RECORDED in module.attributes:
        del module.attributes[RECORDED]
    devices = Devices(by_replica=options.replica_count > 1, computed_above=options.axes_above)
    world = MeshTable(module).global_mesh()
    first_channel = max_channel(module) + 1
    communication = Communication(
        devices,
        options.enable_rgv3,
        first_channel,
        world,
        scopes=ManualScopes(module),
        signed_zeros=options.signed_zeros,
        axes_above=options.axes_above,
    )
    Conversion(
        module,
        communication,
        per_dim_all_gather=options.per_dim_all_gather,
        combine_multi_dimension_reduce_scatter=options.combine_multi_dimension_reduce_scatter,
    ).run()
    check_asynchronous(module)
