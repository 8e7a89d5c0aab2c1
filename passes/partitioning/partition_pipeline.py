"""sdy-partition-pipeline: Partition a program with shardings into the program of one device.

Propagates shardings (a propagated program keeps its own), turns reshards into collectives, and lowers the program to
StableHLO on local tensors without the dialect. `keep-records` leaves the module attributes `sdy.parameters_shardings`
and `sdy.output_shardings`, the distribution of the arguments and results of @main; reports of a local program take its
mesh from them.

Example: sdy-opt program.mlir --sdy-partition-pipeline

`export-shardings` partitions nothing: shardings are imported, propagated unless they are strings, and written for a
tool without the dialect.

`executable` is the program for `sdy.partition`: devices get logical numbers, @main is checked to be callable on equal
parts of arrays, and XLA can compile the result. With `keep-records` the attribute `sdy.devices` maps numbers to
devices, and `sdy.main_type` is the global type of @main.

The phases are importing, devices, preparing, propagating, partitioner_calls (users' functions that partition a call,
inspections of shardings), reshards, collectives, local, overlap, dropping, executable, exporting.
"""

from __future__ import annotations

from typing import Any

from sdy.dialect.replica_groups import FEW_DEVICES
from sdy.passes.partitioning.partition_options import Exported, PartitionOptions
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Phases, Step

FACTS = {
    "closed-shardings": "No dimension of a sharding is open.",
    "even-shards": "The shards of every dimension have one size.",
    "explicit-reshards": "No op needs a reshard that is not there.",
    "local-types": "Ops have the types of one device.",
    "no-constraints": "Constraints, barriers, groups and edges have become shardings and reshards.",
    "no-dialect": "Only attributes of the module are of sdy.",
    "no-marks": "No op waits to be started asynchronously again.",
    "no-reshards": "Collectives move all data but that of single devices.",
    "no-shared-budget": "No function holds a limit of kept bytes.",
    "no-started-ops": "hlo_async starts nothing.",
}
"""Facts about a module that steps need and give. Tests check them around each step; pipelines do not."""


@pipeline("sdy-partition-pipeline", options=PartitionOptions)
def partition_pipeline(options: PartitionOptions) -> Phases:
    phases = Phases.of(
        importing=_importing(options),
        devices=_devices(options),
        preparing=_preparing(options),
        propagating=_propagating(options),
        partitioner_calls=_partitioner_calls(),
        reshards=_reshards(options),
        collectives=_collectives(options),
        local=_local(options),
        overlap=_overlap(options),
        dropping=_dropping(),
        executable=_executable(options),
        exporting=(),
    )
    return phases if options.export_shardings is Exported.NONE else _for_others(options, phases)


def _for_others(options: PartitionOptions, phases: Phases) -> Phases:
    """Return the phases that only propagate and export, for a tool that lacks the dialect."""
    as_strings, as_tiles = (options.export_shardings is each for each in (Exported.STRINGS, Exported.TILES))
    propagated = [] if as_strings or not options.propagate else [step("sdy-propagation-pipeline")]
    export = [
        step("sdy-capture-loop-invariants", on_func=True),
        step("xla-sdy-stablehlo-export-pipeline")
        if as_tiles
        else step("xla-sdy-round-trip-export-pipeline", enable_hlo_sharding_v3=not as_strings),
    ]
    kept = {"importing": _importing(options), "propagating": propagated, "exporting": export}
    return Phases.of(**{name: kept.get(name, ()) for name in phases.names})


def _normalize(options: PartitionOptions) -> list[Step]:
    """Ops are written as propagation handles them best."""
    if not options.save_communication:
        labels = ("callbacks", "constants", *(("empty-values",) if options.embedded else ()))
        return [step("sdy-normalize-ops", on_func=True, enable_patterns=labels)]
    because = "shardings travel through the ops that are written so"
    if not options.embedded:
        return [step("sdy-normalize-ops", on_func=True, disable_patterns=("empty-values",), because=because)]
    return [
        step("sdy-normalize-ops", on_func=True, because=because),
        step("sdy-capture-loop-invariants", on_func=True, before_propagation=True),
    ]


def _importing(options: PartitionOptions) -> list[Step]:
    """Import: afterwards every sharding is an attribute of the dialect."""
    if not options.propagate:
        return []
    given = {"import_shardings": options.import_shardings, "sharding_calls": options.sharding_calls}
    return [step("sdy-import-foreign-shardings", **given, because="all later steps read shardings of the dialect")]


def _devices(options: PartitionOptions) -> list[Step]:
    """Number devices as the executable does, and make @main callable."""
    if not options.executable:
        return []
    return [
        step("sdy-lift-inlined-meshes", if_inlined=True, because="devices are numbered along meshes that have names"),
        step("sdy-prepare-executable", num_devices=options.num_devices, embedded=options.embedded),
    ]


def _preparing(options: PartitionOptions) -> list[Step]:
    """Prepare calls, callbacks and ops for propagation."""
    if not options.propagate:
        because = "equal constants with other shardings stay apart"
        return [
            step("sdy-normalize-ops", on_func=True, enable_patterns=("callbacks", "constants")),
            step("xla-sdy-import-constants", on_func=True, because=because),
        ]
    calls = "plain" if options.embedded else "plain-cheap" if options.save_communication else "unreduced"
    because = "shardings and partial values cross no border of a function"
    return [step("sdy-inline-calls", calls=calls, because=because), *_normalize(options)]


def _propagating(options: PartitionOptions) -> list[Step]:
    """Propagate: afterwards every value has a sharding."""
    if not options.propagate:
        return [
            step("sdy-export-named-computations"),
            step("sdy-insert-func-call-reshards"),
            step("sdy-close-shardings", gives=("closed-shardings",)),
        ]
    conservative = options.conservative_propagation
    return [
        step(
            "sdy-propagation-pipeline",
            conservative_propagation=conservative,
            avoid_export_for_partitioning=True,
            update_public_functions_only=options.save_communication,
            gives=("closed-shardings",),
        )
    ]


def _partitioner_calls() -> list[Step]:
    """Answer queries of the partitioner."""
    return [step("sdy-resolve-partitioner-calls", because="calls are answered with the propagated shardings")]


def _reshards(options: PartitionOptions) -> list[Step]:
    """Insert reshards: afterwards every op is sharded consistently."""
    return [
        step(
            "sdy-convert-async",
            to="marked",
            gives=("no-started-ops",),
            because="a started op can hold no reshard; it is started again when it is local",
        ),
        step(
            "sdy-record-main-shardings",
            embedded=options.embedded,
            because="a reversed dimension may bring in a mesh of other device order",
        ),
        step("sdy-verify-unreduced-axes", on_func=True),
        step(
            "sdy-split-ops",
            on_func=True,
            **_all_or(options, "sharding-groups", "constraints-to-reshards", "gather-for-effects"),
            needs=("closed-shardings",),
            gives=("no-constraints",),
            because="shardings are known, and no reshard is there yet that ops in parts would not need",
        ),
        step(
            "sdy-insert-explicit-reshards",
            on_func=True,
            enable_full_version=True,
            mark_partial_result_with_unreduced_axes=True,
            reshard_custom_rule_ops=True,
            needs=("closed-shardings", "no-constraints", "no-started-ops"),
            gives=("explicit-reshards",),
        ),
        step(
            "sdy-place-reshards",
            on_func=True,
            kept_bytes=options.kept_bytes,
            machine=options.machine,
            **_all_or(options, "fold-reshards"),
            because="a reshard moves as one op; behind this it is several collectives",
        ),
        step(
            "sdy-resolve-permutation-factors",
            needs=("explicit-reshards", "no-started-ops"),
            because="exchanges take operands as they are sharded, reshards of them included",
            enable_halo_exchange=options.enable_halo_exchange,
            rng_bit_generator_unsafe=options.rng_bit_generator_unsafe,
            local_updates=True,
            exact_halos=True,
            axes_above=_axes_above(options),
            machine=options.machine,
        ),
    ]


def _collectives(options: PartitionOptions) -> list[Step]:
    """Turn reshards into collectives."""
    return [
        step(
            "sdy-reshard-to-collectives",
            on_func=True,
            cross_meshes=True,
            fewest_bytes=options.save_communication,
            gives=("no-reshards",),
        ),
        *_less_communication(options),
    ]


def _less_communication(options: PartitionOptions) -> list[Step]:
    """Fold collectives, and reduce the bytes that they send."""
    if not options.save_communication:
        labels = ("spare-permutes", "fold-collectives", "bitcast-all-reduces")
        return [step("sdy-reduce-communication", on_func=True, enable_patterns=labels, gives=("no-shared-budget",))]
    return [
        step("sdy-inline-calls", because="what a loop adds up shows only if its body is there"),
        step(
            "sdy-reduce-communication",
            on_func=True,
            kept_bytes=options.kept_bytes,
            needs=("no-reshards",),
            gives=("no-shared-budget",),
            because="collectives have global types, so that they move past ops",
        ),
    ]


def _axes_above(options: PartitionOptions) -> int:
    """Return the number of devices above which lists per device are avoided."""
    return FEW_DEVICES if options.executable else 0


def _overlap(options: PartitionOptions) -> list[Step]:
    """Overlap collectives with computation."""
    if not options.overlap:
        return []
    because = "collective matmuls are known by the sum right behind the product"
    transpose = step("sdy-optimize-local-program", on_func=True, enable_patterns=(_TRANSPOSE,), because=because)
    machine: dict[str, Any] = {"machine": options.machine} if options.machine else {}
    return [
        step(
            "sdy-overlap-pipeline",
            **machine,
            in_flight_bytes=options.in_flight_bytes,
            needs=("local-types", "no-marks"),
        ),
        *([transpose] if options.save_communication else []),
    ]


def _all_or(options: PartitionOptions, *needed: str) -> dict[str, tuple[str, ...]]:
    """Return a pattern set's options: all patterns to reduce communication, else only the required ones."""
    return {} if options.save_communication else {"enable_patterns": needed}


def _local(options: PartitionOptions) -> list[Step]:
    """Localize: afterwards every tensor is one device's part."""
    return [
        step("sdy-pad-for-divisibility", needs=("no-reshards", "no-started-ops"), gives=("even-shards",)),
        step("sdy-resolve-single-device-sharding", on_func=True, signed_zeros=True, effects=True),
        step(
            "sdy-convert-global-to-local",
            enable_rgv3=not options.dense_replica_groups,
            axes_above=_axes_above(options),
            per_dim_all_gather=options.per_dim_all_gather,
            combine_multi_dimension_reduce_scatter=options.combine_multi_dimension_reduce_scatter,
            signed_zeros=True,
            needs=("even-shards", "no-reshards", "no-started-ops"),
            gives=("local-types",),
        ),
        step("sdy-convert-async", to="restored", needs=("local-types",), gives=("no-marks",)),
        *_optimize_local(options),
    ]


_TRANSPOSE = "transpose-before-all-reduces"


def _optimize_local(options: PartitionOptions) -> list[Step]:
    """Optimize the collectives of each device, except for patterns that the overlap runs."""
    if not options.save_communication:
        return []
    later = ("flatten-all-reduces", *([_TRANSPOSE] if options.overlap else []))
    return [step("sdy-optimize-local-program", on_func=True, disable_patterns=later, needs=("local-types",))]


def _dropping() -> list[Step]:
    """Remove everything of sdy except the boundary shardings of @main."""
    return [step("sdy-drop-sharding-and-mesh", keep_module_sharding_metadata=True, sharding_rules=True)]


def _executable(options: PartitionOptions) -> list[Step]:
    """Steps to the program that XLA compiles; records of the module are removed last."""
    lowered = ("local-types", "no-marks", "no-shared-budget")
    strip = step("sdy-strip-dialect", keep_records=options.keep_records, needs=lowered, gives=("no-dialect",))
    if not options.executable:
        return [] if options.keep_records else [strip]
    return [
        step("sdy-convert-async", to="xla", gives=("no-started-ops",)),
        step("sdy-legalize-for-xla", on_func=True),
        strip,
    ]
