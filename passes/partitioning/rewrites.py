"""The pattern sets of the partitioner: which patterns run, in this order."""

from __future__ import annotations

from typing import ClassVar

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.partitioning.analysis.memory_budget import KeptBytesOptions, drop_limit
from sdy.passes.partitioning.collectives import local_patterns, merge_patterns, sum_patterns
from sdy.passes.partitioning.collectives.local_patterns import combine_all_reduces
from sdy.passes.partitioning.collectives.place_all_reduces import place_all_reduces
from sdy.passes.partitioning.collectives.sum_patterns import bitcast_all_reduce
from sdy.passes.partitioning.normalize import op_patterns
from sdy.passes.partitioning.resharding.reconsider_shardings import (
    ReshardOptions,
    mark_given_shardings,
    reconsider_shardings,
)
from sdy.passes.partitioning.resharding.reshard_patterns import (
    drop_idle_reshard,
    drop_sharding_group,
    fold_reshards,
    gather_before_slices,
    gather_expanded,
    gather_for_effects,
    pad_uneven_merge,
    pad_uneven_reshard,
    reshard_before_broadcast,
    reshard_for_barrier,
    reshard_for_constraint,
)
from sdy.passes.pattern_sets import Deferred, PatternOptions, apply_patterns
from sdy.passes.registry import pass_
from sdy.stablehlo import views


def _in(file: str, name: str, label: str, *roots: str | type[views.View]) -> Deferred:
    """A pattern of a file below this package."""
    names = tuple(root if isinstance(root, str) else root.OP_NAME for root in roots)
    return Deferred(label, names, f"{__package__}.{file}", name)


_LOOP, _BARRIER = "stablehlo.while", "stablehlo.optimization_barrier"


@dataclass(frozen=True)
class NormalizeOptions(PatternOptions):
    """Options of sdy-normalize-ops."""

    PATTERNS: ClassVar = (
        _in("resharding.top_k", "sort_for_top_k", "approximate-top-k", views.CustomCall),
        op_patterns.place_callbacks,
        op_patterns.foreign_constant,
        op_patterns.empty_values,
        op_patterns.select_of_equals,
        op_patterns.select_by_constant,
        op_patterns.reverse_of_one_element,
        op_patterns.concatenate_of_nothing,
        _in("normalize.known_windows", "gather_to_slice", "known-windows", views.Gather),
        _in("normalize.known_windows", "unit_windows_to_inserted", "inserted-windows", views.Scatter),
        _in("normalize.scan_patterns", "scan_to_windows", "scans-to-windows", views.ChloScan),
        op_patterns.broadcast_to_reshape,
        op_patterns.reshape_back,
        _in("normalize.merged_batch", "split_merged_batch", "merged-batch", views.DotGeneral),
        op_patterns.static_slice,
        _in("normalize.slices_of_pads", "slices_of_pads", "slices-of-pads", views.Pad),
        op_patterns.chlo_sharding_rules,
        mark_given_shardings,
    )


@pass_("sdy-normalize-ops", on="func.func", options=NormalizeOptions)
def normalize_ops(func: ir.Operation, options: NormalizeOptions) -> object:
    """sdy-normalize-ops: Rewrite ops so that shardings propagate through them.

        %1 = stablehlo.select %p, %0, %0 : tensor<8xi1>, tensor<8xf32>
        %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    ==> %2 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<8x1xf32>

    XLA rewrites them in the same way before it propagates. Nothing more is computed or moved.
    """
    return apply_patterns(func, options)


@dataclass(frozen=True)
class SplitOptions(PatternOptions):
    """Options of sdy-split-ops."""

    PATTERNS: ClassVar = (
        drop_sharding_group,
        reshard_for_constraint,
        reshard_for_barrier,
        drop_idle_reshard,
        op_patterns.erase_unused_loops,
        _in("resharding.top_k", "split_top_k", "split-top-k", views.ChloTopK),
        _in("normalize.known_windows", "iota_indices_to_batching_dims", "iota-indices", views.Gather, views.Scatter),
        _in("normalize.known_windows", "update_to_pad", "known-windows", views.DynamicUpdateSlice, views.Scatter),
        _in("normalize.known_windows", "pad_of_slice", "pads-of-slices", views.Pad),
        op_patterns.chlo_sharding_rules,
        gather_for_effects,
    )


@pass_("sdy-split-ops", on="func.func", options=SplitOptions)
def split_ops(func: ir.Operation, options: SplitOptions) -> object:
    """sdy-split-ops: Split ops with known shardings so that each device works on its part.

        %1, %2 = chlo.top_k(%0, k = 2) : tensor<4x64xf32> -> ...                  // %0: [{}, {"x"}]
    ==> two of each part, and then two of these

    Constraints become reshards first. Patterns run between propagation and `sdy-insert-explicit-reshards`.
    """
    return apply_patterns(func, options)


@dataclass(frozen=True)
class PlaceReshardsOptions(ReshardOptions):
    """Options of sdy-place-reshards."""

    PATTERNS: ClassVar = (
        fold_reshards,
        reconsider_shardings,
        gather_expanded,
        reshard_before_broadcast,
        gather_before_slices,
        pad_uneven_reshard,
        pad_uneven_merge,
    )


@pass_("sdy-place-reshards", on="func.func", options=PlaceReshardsOptions)
def place_reshards(func: ir.Operation, options: PlaceReshardsOptions) -> object:
    """sdy-place-reshards: Choose layouts of ops, and place reshards, so that devices send fewer bytes.

    Reshards move before broadcasts and slices; uneven ones are padded:

        %1 = stablehlo.broadcast_in_dim %0, dims = [1] {... [{}, {"y"}]} : (tensor<8xf32>) -> tensor<64x8xf32>
        %2 = sdy.reshard %1 <@mesh, [{}, {"x"}]> : tensor<64x8xf32>
    ==> %1 = sdy.reshard %0 <@mesh, [{"x"}]> : tensor<8xf32>
        %2 = stablehlo.broadcast_in_dim %1, dims = [1] {... [{}, {"x"}]} : (tensor<8xf32>) -> tensor<64x8xf32>
    """
    return apply_patterns(func, options)


@dataclass(frozen=True)
class CommunicationOptions(KeptBytesOptions):
    """Options of sdy-reduce-communication."""

    PATTERNS: ClassVar = (
        merge_patterns.merge_equal_collectives,  # a spared permute is ops on shapes, which branches do not share
        _in("resharding.optimize_collectives", "spare_permutes", "spare-permutes", "sdy.collective_permute"),
        merge_patterns.fold_collectives,
        _in("collectives.place_all_gathers", "place_all_gathers", "place-all-gathers", "sdy.all_gather"),
        merge_patterns.merge_equal_collectives,
        merge_patterns.merge_equal_ops,
        merge_patterns.merge_equal_collectives,
        _in("collectives.gather_before_loops", "gather_before_loops", "gather-before-loops", _LOOP),
        _in("collectives.hoist_collectives", "hoist_collectives", "hoist-collectives", _LOOP),
        _in("collectives.hoist_collectives", "keep_across_barriers", "keep-across-barriers", _BARRIER),
        place_all_reduces,
        sum_patterns.narrow_all_reduce,
        merge_patterns.fold_collectives,
        merge_patterns.merge_equal_collectives,
        _in("collectives.place_all_gathers", "chain_all_gathers", "chain-all-gathers", "sdy.all_gather"),
        sum_patterns.merge_reduce_scatters,
        sum_patterns.scatter_into_parts,
        bitcast_all_reduce,
    )


@pass_("sdy-reduce-communication", on="func.func", options=CommunicationOptions)
def reduce_communication(func: ir.Operation, options: CommunicationOptions) -> object:
    """sdy-reduce-communication: Move, merge and hoist collectives so that devices send fewer bytes.

        %1 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]> : tensor<8xf32>
        %2 = sdy.all_reduce {"x"} %b out_sharding=<@mesh, [{}]> : tensor<8xf32>
        %3 = stablehlo.add %1, %2 : tensor<8xf32>
    ==> %1 = stablehlo.add %a, %b {... unreduced={"x"}} : tensor<8xf32>
        %2 = sdy.all_reduce {"x"} %1 out_sharding=<@mesh, [{}]> : tensor<8xf32>

    Works on global programs with collectives of the dialect. Patterns that keep results for longer share one budget of
    memory, `kept-bytes`, with those of `sdy-place-reshards`.
    """
    changed = apply_patterns(func, options)
    return None if drop_limit(func) else changed


@dataclass(frozen=True)
class LocalOptions(PatternOptions):
    """Options of sdy-optimize-local-program."""

    PATTERNS: ClassVar = (
        _in("normalize.scan_patterns", "windows_to_scan", "windows-to-scans", views.ReduceWindow),
        local_patterns.join_successive_permutes,
        local_patterns.remove_idle_collective,
        merge_patterns.merge_equal_ops,
        merge_patterns.merge_equal_local_collectives,
        local_patterns.scatter_major_dimension,
        local_patterns.gather_major_dimension,
        local_patterns.exchange_major_dimension,
        combine_all_reduces,
        local_patterns.flatten_all_reduce,
        local_patterns.transpose_before_all_reduce,
        local_patterns.read_costly_operand,
    )


@pass_("sdy-optimize-local-program", on="func.func", options=LocalOptions)
def optimize_local_program(func: ir.Operation, options: LocalOptions) -> object:
    """sdy-optimize-local-program: Remove, merge and reorder collectives in the program of one device.

        %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]>}> : ...
        %2 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]>}> : ...
    ==> %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 0]]>}> : ...

    As many bytes are sent as before, or fewer.
    """
    return apply_patterns(func, options)
