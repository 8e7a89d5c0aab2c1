"""Options of sdy-partition-pipeline, shared by passes that run it on copies of a program."""

from __future__ import annotations

from enum import Enum

from sdy.lazy_dataclass import dataclass
from sdy.passes import options as shared
from sdy.passes.options import KEPT_BYTES, KEPT_BYTES_HELP, option

PIPELINE = "sdy-partition-pipeline"
"""The passes that partition a program; after them @main has local types and the module says how it is sharded.

Of a program that is to be executed all phases run, as with its option `executable`."""


class Exported(Enum):
    """Encodings of shardings for tools that do not know the dialect."""

    NONE = "none"
    STRINGS = "strings"
    NAMED = "named"
    TILES = "tiles"


@dataclass(frozen=True)
class PartitionOptions:
    """Options of sdy-partition-pipeline."""

    import_shardings: str = option(
        "auto",
        "foreign shardings to import first: strings, named, tiles; auto: whichever there are; off: none",
    )
    sharding_calls: tuple[str, ...] = option(
        (), "targets of custom calls, besides @Sharding, that are foreign sharding constraints"
    )
    export_shardings: Exported = option(
        Exported.NONE,
        "partition nothing, and write the shardings for a tool that does not know the dialect: strings, "
        "before propagation; named or tiles, behind it",
    )
    propagate: bool = option(True, "propagate shardings first; false if all shardings are closed already")
    conservative_propagation: bool = option(*shared.CONSERVATIVE_PROPAGATION)
    dense_replica_groups: bool = option(
        True, "replica groups as matrices of device ids; else in mesh-axes form, for which meshes are kept"
    )
    per_dim_all_gather: bool = option(*shared.PER_DIM_ALL_GATHER)
    combine_multi_dimension_reduce_scatter: bool = option(
        True, "one reduce_scatter between transposes for several dimensions instead of all_reduce and slice"
    )
    rng_bit_generator_unsafe: bool = option(False, shared.RNG_BIT_GENERATOR_UNSAFE[1])
    enable_halo_exchange: bool = option(
        True, "let devices exchange elements along shifted, padded and windowed dimensions instead of gathering them"
    )
    save_communication: bool = option(True, "run the passes that save communication, which the reference lacks")
    kept_bytes: int = option(KEPT_BYTES, KEPT_BYTES_HELP)
    overlap: bool = option(False, "overlap collectives with computation: sdy-overlap-pipeline")
    machine: str = option("", "target machine of choices and overlap, such as 'flops=2e14 bandwidth=5e10'")
    in_flight_bytes: int = option(0, "most bytes that overlapping collectives hold on a device; 0: any number")
    executable: bool = option(
        False,
        "make an executable program with logical device numbers, as sdy.partition does; false: any local program",
    )
    keep_records: bool = option(
        False, "record the distribution of arguments and results in attributes of the module; false: remove all of sdy"
    )
    num_devices: int = option(0, "devices of an executable program; 0: as many as the mesh has")
    embedded: bool = option(
        False,
        "with an executable program: XLA compiles it inside a program that JAX lowered, and reshards arguments and "
        "results whose shardings do not fit the program's mesh",
    )
