"""On which programs each pass is compared with the reference.

A pass that is not listed runs on random programs as they are. Most passes expect what earlier ones leave behind; for
those the reference itself runs the earlier ones first, so that an error in one of our passes shows in its test alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tests.generators.features import Features
from tests.parity.case_features import (
    ANY,
    CALLS,
    COMPUTATIONS,
    CONSTANT_CALLS,
    CONSTANTS,
    CONSTRAINTS,
    DENSE,
    EDGES,
    FREE,
    FREE_CALLS,
    INLINED,
    LOCAL,
    MESSY_GROUPS,
    MOVES,
    NO_NAMED,
    ODD_CALLS,
    PIPELINE,
    PLAIN_CONSTRAINTS,
    RESHARDS,
    RULES,
    SCATTERED,
    TANGLED,
    UNEVEN,
    without,
)
from tests.parity.prepared import (
    CALLED,
    CLOSED,
    COLLECTIVES,
    DEBUG,
    FLATTENED,
    GROUPED,
    IMPORT,
    INLINED_CALLS,
    LIVE,
    OPTIMIZED,
    OUTLINED,
    PADDED,
    PROPAGATED,
    RESHARDED,
    TRACED,
    UNFLATTENED,
    propagation_passes,
)
from tests.parity.without_peer import WITHOUT_PEER


@dataclass(frozen=True)
class Case:
    """One comparison.

    Attributes:
      run: the pass with its options, ``sdy-name{option=value}``.
      prepare: what the reference runs on the random program before.
      features: what the random programs may contain.
      refuses: whether we must refuse what the reference refuses. Elsewhere doing better is welcome.
      peer: what the reference runs instead, where it has no text for the options.
      earlier: of a pipeline, the comparison of all but its last pass.
      last: its last pass. Where the results of the pipeline differ those of `earlier` are compared, and of this pass on
        what the reference then has: what is recorded for it shows in its own input only.
      compared: the least share of programs that the reference has a result for. It has none of the others because it
        refuses them or crashes, perhaps already where it prepares them.
    """

    run: str
    prepare: tuple[str, ...] = ()
    features: Features = field(default_factory=Features)
    refuses: bool = False
    peer: tuple[str, ...] = ()
    earlier: Case | None = None
    last: str = ""
    compared: float = 0.9

    @property
    def name(self) -> str:
        """The name of the pass alone."""
        return self.run.partition("{")[0]

    @property
    def reference(self) -> tuple[str, ...]:
        """What the reference runs."""
        return self.peer or (self.run,)

    @property
    def title(self) -> str:
        """Tells the cases of one pass apart, together with the features."""
        after = f"-after-{self.prepare[-1].removeprefix('sdy-')}" if self.prepare else ""
        return self.run + after


def _stage(name: str, options: str = "", features: Features = LOCAL) -> Case:
    """The export pipeline up to a stage of the partitioner."""
    earlier, last = _STAGES.get(name, (None, ""))
    before = f"{options} inline-meshes=false".replace(" inline-meshes=false" * 2, " inline-meshes=false")
    return Case(
        f"sdy-export-pipeline{{partitioner-stage={name}{options}}}",
        CALLED,
        features,
        earlier=_stage(earlier, before, features) if earlier else None,
        last=last,
    )


_STAGES = {
    "pad-for-divisibility": ("optimize-collectives", "sdy-pad-for-divisibility"),
    "resolve-single-device-sharding": ("pad-for-divisibility", "sdy-resolve-single-device-sharding"),
    "convert-global-to-local": ("resolve-single-device-sharding", "sdy-convert-global-to-local"),
}
"""The stage before, and the pass that follows it."""


# The comparisons --------------------------------------------------------------------------------

_CASES = [
    # Import.
    Case("sdy-lift-inlined-meshes", features=INLINED),
    Case("sdy-lift-inlined-meshes{use-single-device-mesh-names=true}", features=INLINED),
    Case("sdy-inline-meshes", features=INLINED),
    Case("sdy-remove-size-one-axes", features=INLINED),
    Case("sdy-propagate-sharding-from-func-to-call", features=ODD_CALLS),
    Case("sdy-constant-or-scalar-splitter", features=replace(CONSTANTS, dynamic=True)),
    Case("sdy-constant-or-scalar-splitter", features=CONSTANT_CALLS),
    Case("sdy-explicit-gather-scatter-batching", features=replace(ANY, focus=frozenset(["gather", "scatter"]))),
    Case("sdy-manual-axes-cleanup", features=replace(INLINED, focus=frozenset(["manual_computation"]))),
    Case("sdy-add-data-flow-edges", features=replace(FREE, focus=EDGES.focus, dynamic=True)),
    # Not with single devices: the reference gives a tensor with dimensions a sharding without them and crashes on it.
    Case(
        "sdy-apply-sharding-constraints",
        features=replace(CONSTRAINTS, maximal=False, odd_functions=True, dynamic=True),
    ),
    Case("sdy-apply-sharding-constraints", IMPORT, CONSTRAINTS),
    # With both options the reference crashes on some constraints that it makes itself, for manual computations.
    Case(f"sdy-apply-sharding-constraints{{{DEBUG}}}", IMPORT, replace(CONSTRAINTS, maximal=False), compared=0.7),
    Case("sdy-apply-sharding-constraints{debug-sharding-origins=true}", IMPORT, PLAIN_CONSTRAINTS),
    Case("sdy-apply-sharding-constraints{debug-propagation-edge-sharding=true}", IMPORT, PLAIN_CONSTRAINTS),
    Case("sdy-sharding-group-import", features=replace(MESSY_GROUPS, dynamic=True), refuses=True),
    Case("sdy-flatten-call-graph", features=ODD_CALLS),
    Case("sdy-add-func-data-flow-edges", features=ODD_CALLS),
    Case("sdy-add-func-data-flow-edges", (*IMPORT, "sdy-flatten-call-graph", "symbol-dce"), CALLS),
    # Not with shardings: the reference crashes where some arguments of a shared function have one.
    Case("sdy-import-func-calls", ("sdy-drop-sharding-and-mesh",), replace(CALLS, manual=False, dynamic=True)),
    Case("sdy-import-func-calls", FLATTENED, CALLS),
    Case("sdy-import-func-calls{add-data-flow-edges-on-named-computations=false}", FLATTENED, CALLS),
    Case("sdy-pre-order-funcs", features=ODD_CALLS),
    Case("sdy-import-pipeline", features=INLINED),
    Case("sdy-import-pipeline{dedup-functions-fully=true}", features=replace(INLINED, focus=frozenset(["call"]))),
    Case(
        f"sdy-import-pipeline{{dedup-functions-fully=true {DEBUG}}}",
        features=replace(INLINED, manual=False, maximal=False, focus=CONSTRAINTS.focus),
        peer=(*IMPORT, f"sdy-apply-sharding-constraints{{{DEBUG}}}", "sdy-sharding-group-import"),
    ),
    Case(
        "sdy-import-pipeline{enable-explicit-gather-scatter-batching=true}",
        features=replace(INLINED, focus=frozenset(["gather", "scatter"])),
        peer=(
            "symbol-dce",
            "sdy-lift-inlined-meshes",
            "sdy-remove-size-one-axes",
            "sdy-propagate-sharding-from-func-to-call",
            "sdy-constant-or-scalar-splitter",
            "sdy-explicit-gather-scatter-batching",
            "symbol-dce",
            "sdy-manual-axes-cleanup",
            "sdy-add-data-flow-edges",
        ),
    ),
    # Propagation.
    Case("sdy-populate-op-sharding-rules"),
    Case("sdy-populate-op-sharding-rules{conservative-propagation=true}"),
    Case("sdy-drop-sharding-rules", ("sdy-populate-op-sharding-rules",)),
    Case("sdy-basic-propagate"),
    Case("sdy-basic-propagate", features=TANGLED),
    Case("sdy-basic-propagate", features=RULES),
    Case("sdy-basic-propagate", INLINED_CALLS, CALLS),
    Case("sdy-basic-propagate{conservative-propagation=true}", GROUPED, EDGES),
    Case("sdy-basic-propagate{keep-sharding-rules=true}", GROUPED),
    Case(f"sdy-basic-propagate{{{DEBUG}}}", LIVE, EDGES),
    Case("sdy-aggressive-propagate"),
    Case("sdy-aggressive-propagate", features=TANGLED),
    Case("sdy-aggressive-propagate", features=RULES),
    Case("sdy-aggressive-propagate", GROUPED, EDGES),
    Case("sdy-aggressive-propagate{propagation-strategy=basic-then-aggressive}", GROUPED),
    Case("sdy-aggressive-propagate{propagation-strategy=basic conservative-propagation=true}", GROUPED),
    Case(f"sdy-aggressive-propagate{{keep-sharding-rules=true conservative-propagation=true {DEBUG}}}", LIVE, EDGES),
    Case("sdy-op-priority-propagate"),
    Case("sdy-op-priority-propagate", features=TANGLED),
    Case("sdy-op-priority-propagate", GROUPED, EDGES),
    Case("sdy-op-priority-propagate{run-op-priority-propagation=false}", GROUPED),
    Case("sdy-op-priority-propagate{propagation-strategy=basic keep-sharding-rules=true}", GROUPED),
    Case("sdy-op-priority-propagate{propagation-strategy=basic-then-aggressive}", IMPORT, TANGLED),
    Case(f"sdy-op-priority-propagate{{conservative-propagation=true {DEBUG}}}", LIVE, EDGES),
    Case("sdy-user-priority-propagate", ("trivial-dce",)),
    Case("sdy-user-priority-propagate", LIVE, EDGES),
    Case("sdy-user-priority-propagate", LIVE, RULES),
    Case("sdy-user-priority-propagate", LIVE, TANGLED),
    Case("sdy-user-priority-propagate", (*INLINED_CALLS, "trivial-dce"), CALLS),
    Case("sdy-user-priority-propagate{propagation-strategy=basic conservative-propagation=true}", LIVE, EDGES),
    Case("sdy-user-priority-propagate{propagation-strategy=basic-then-aggressive}", LIVE, EDGES),
    Case("sdy-user-priority-propagate{run-op-priority-propagation=false keep-sharding-rules=true}", LIVE, TANGLED),
    Case(f"sdy-user-priority-propagate{{{DEBUG}}}", LIVE),
    Case(f"sdy-user-priority-propagate{{{DEBUG}}}", (*INLINED_CALLS, "trivial-dce"), CALLS),
    Case(f"sdy-user-priority-propagate{{{DEBUG}}}", LIVE, TANGLED),
    Case("sdy-propagation-pipeline", features=replace(PIPELINE, priorities=False)),
    Case("sdy-propagation-pipeline", ("trivial-dce",), PIPELINE),
    Case(
        "sdy-propagation-pipeline{dedup-functions-fully=true}", features=replace(PIPELINE, priorities=False, named=True)
    ),
    Case(
        "sdy-propagation-pipeline{conservative-propagation=true keep-sharding-rules=true}",
        ("trivial-dce",),
        PIPELINE,
        peer=propagation_passes("conservative-propagation=true", export="keep-sharding-rules=true"),
    ),
    Case(
        f"sdy-propagation-pipeline{{{DEBUG} avoid-export-for-partitioning=true}}",
        ("trivial-dce",),
        PIPELINE,
        peer=propagation_passes(
            DEBUG,
            export="avoid-export-for-partitioning=true dump-sharding-origins=true dump-propagation-edges=true",
            constraints=f"{{{DEBUG}}}",
        ),
    ),
    Case(
        "sdy-propagation-pipeline{inline-meshes=true update-non-divisible-input-output-shardings=false}",
        ("trivial-dce",),
        PIPELINE,
        peer=propagation_passes(export="update-non-divisible-input-output-shardings=false", inlined=True),
    ),
    Case(
        "sdy-propagation-pipeline{enable-insert-explicit-collectives=true}",
        ("trivial-dce",),
        DENSE,
        peer=propagation_passes(export="enable-insert-explicit-collectives=true"),
    ),
    # Export.
    # The reference leaves priorities of dimensions without axes, which are invalid once they are closed.
    Case("sdy-close-shardings", features=FREE, compared=0.65),
    Case("sdy-constant-or-scalar-merger", features=CONSTANTS),
    Case("sdy-constant-or-scalar-merger", PROPAGATED, NO_NAMED),
    Case("sdy-drop-sharding-and-mesh", features=FREE),
    Case("sdy-drop-sharding-and-mesh{keep-module-sharding-metadata=true}", features=FREE),
    Case("sdy-sharding-constraint-to-reshard", features=FREE),
    Case("sdy-remove-sharding-groups", features=FREE),
    Case("sdy-remove-propagation-debug-info", TRACED),
    Case("sdy-sink-data-flow-edges", (*GROUPED, "trivial-dce", "sdy-user-priority-propagate"), EDGES),
    Case("sdy-sink-data-flow-edges{sink-debug-sharding-origins=true}", TRACED, EDGES),
    Case("sdy-sink-data-flow-edges{sink-debug-propagation-edge-sharding=true}", TRACED, EDGES),
    Case(
        "sdy-sink-data-flow-edges{sink-debug-sharding-origins=true sink-debug-propagation-edge-sharding=true}",
        TRACED,
        EDGES,
    ),
    Case("sdy-sink-func-data-flow-edges", (*IMPORT, "sdy-flatten-call-graph", "sdy-add-func-data-flow-edges"), CALLS),
    Case("sdy-update-non-divisible-input-output-shardings", features=FREE),
    Case("sdy-remove-sub-axes-in-input-output-shardings", features=FREE),
    Case("sdy-export-named-computations", PROPAGATED, CALLS),
    Case("sdy-export-named-computations", features=replace(ANY, focus=frozenset(["named_computation"]))),
    Case("sdy-propagate-to-func-results", OUTLINED, CALLS),
    Case("sdy-unflatten-call-graph", (*OUTLINED, "sdy-propagate-to-func-results"), CALLS),
    Case("sdy-unflatten-call-graph{dedup-functions-fully=true}", (*OUTLINED, "sdy-propagate-to-func-results"), CALLS),
    Case("sdy-insert-func-call-reshards", UNFLATTENED, CALLS),
    Case("sdy-insert-func-call-reshards", features=replace(CALLS, annotated=0.7)),
    # One in five programs is refused by the reference, as it should be.
    Case(
        "sdy-verify-unreduced-axes",
        features=replace(FREE, focus=frozenset(["reshard", "dot_general"])),
        refuses=True,
        compared=0.75,
    ),
    Case("sdy-export-pipeline", PROPAGATED, NO_NAMED),
    Case("sdy-export-pipeline{avoid-export-for-partitioning=true}", PROPAGATED, NO_NAMED),
    Case("sdy-export-pipeline{keep-sharding-rules=true avoid-reshards-on-calls=true}", PROPAGATED, NO_NAMED),
    Case("sdy-export-pipeline{inline-meshes=false}", PROPAGATED, NO_NAMED),
    Case("sdy-export-pipeline{update-non-divisible-input-output-shardings=false}", PROPAGATED, NO_NAMED),
    Case("sdy-export-pipeline{mark-partial-result-with-unreduced-axes=true}", PROPAGATED, NO_NAMED),
    Case("sdy-export-pipeline{dump-sharding-origins=true}", TRACED, EDGES),
    Case("sdy-export-pipeline{dump-propagation-edges=true}", TRACED, EDGES),
    Case("sdy-export-pipeline{enable-insert-explicit-collectives=true}", UNFLATTENED, DENSE),
    Case(
        "sdy-export-pipeline{enable-insert-explicit-collectives=true remove-all-gather-reduce-scatter-for-cmv1=true}",
        UNFLATTENED,
        replace(DENSE, focus=frozenset(["dot_general", "dot"])),
    ),
    _stage("resolve-permutation-factors"),
    _stage("reshard-to-collectives"),
    _stage("optimize-collectives"),
    _stage("pad-for-divisibility"),
    _stage("resolve-single-device-sharding"),
    _stage("convert-global-to-local"),
    _stage(
        "convert-global-to-local",
        " rng-bit-generator-unsafe=false replica-count=1 partition-count=8",
        replace(LOCAL, focus=frozenset(["rng_bit_generator"])),
    ),
    Case(
        "sdy-export-pipeline{partitioner-stage=convert-global-to-local enable-per-instruction-partitioning=true "
        "per-instruction-partitioning-filter=dot_general}",
        CALLED,
        LOCAL,
    ),
    # Reshards and collectives.
    Case("sdy-insert-explicit-reshards", CLOSED, DENSE),
    Case("sdy-insert-explicit-reshards", CLOSED, replace(DENSE, unreduced=True)),
    Case(
        "sdy-insert-explicit-reshards{mark-partial-result-with-unreduced-axes=true}",
        CLOSED,
        replace(DENSE, unreduced=True),
    ),
    Case("sdy-insert-explicit-reshards{enable-full-version=true}", CLOSED, DENSE),
    Case("sdy-insert-explicit-reshards{enable-full-version=true}", ("sdy-close-shardings",), DENSE),
    Case(
        "sdy-insert-explicit-reshards{enable-full-version=true mark-partial-result-with-unreduced-axes=true}",
        CLOSED,
        replace(DENSE, unreduced=True),
    ),
    Case("sdy-reshard-to-collectives", RESHARDED, DENSE),
    Case("sdy-reshard-to-collectives", RESHARDED, replace(DENSE, focus=frozenset(["reshard"]))),
    # Between meshes that differ in name alone the reference permutes, which its verifier refuses.
    Case("sdy-reshard-to-collectives", features=RESHARDS, compared=0.7),
    Case("sdy-reshard-to-collectives{keep-redundant-reshards=true}", features=RESHARDS, compared=0.7),
    Case("sdy-optimize-collectives", COLLECTIVES, DENSE),
    Case("sdy-optimize-collectives", ("sdy-reshard-to-collectives",), replace(RESHARDS, dynamic=False), compared=0.7),
    Case(
        "sdy-remove-all-gather-reduce-scatter-for-cmv1",
        (*COLLECTIVES, "canonicalize{enable-patterns=sdy-collective}"),
        replace(DENSE, focus=frozenset(["dot_general", "dot", "reshard"])),
    ),
    Case("canonicalize{enable-patterns=sdy-reshard}", RESHARDED[:-1], DENSE),
    Case("canonicalize{enable-patterns=sdy-collective}", COLLECTIVES, DENSE),
    Case("canonicalize{enable-patterns=sdy-collective}", COLLECTIVES, replace(DENSE, unreduced=True)),
    Case("canonicalize", features=COMPUTATIONS),
    Case("canonicalize{top-down=false region-simplify=aggressive}", features=COMPUTATIONS),
    Case("canonicalize{region-simplify=disabled disable-patterns=sdy-reshard,sdy-collective}", features=COMPUTATIONS),
    Case("canonicalize", PROPAGATED, NO_NAMED),
    Case("canonicalize", RESHARDED[:-1], replace(DENSE, focus=frozenset(["reshard", "reshape", "transpose"]))),
    Case("canonicalize", COLLECTIVES, replace(DENSE, unreduced=True)),
    # What upstream's passes know of the dialect.
    Case("cse", features=COMPUTATIONS),
    Case("cse", features=CONSTANTS),
    Case("cse", COLLECTIVES, replace(DENSE, unreduced=True)),
    Case("symbol-dce", features=FREE_CALLS),
    Case("symbol-dce", (*IMPORT, "sdy-flatten-call-graph"), CALLS),
    Case("inline", features=FREE_CALLS),
    Case("inline{default-pipeline=}", features=FREE_CALLS),
    Case("inline", OUTLINED, CALLS),
    # Partitioner.
    Case("sdy-resolve-permutation-factors", RESHARDED, replace(MOVES, delicate=True)),
    Case("sdy-resolve-permutation-factors", ("sdy-close-shardings", RESHARDED[-2]), replace(MOVES, max_ops=6)),
    Case(
        "sdy-resolve-permutation-factors{enable-halo-exchange=false partition-count=8}",
        RESHARDED,
        replace(MOVES, several_meshes=True, inlined=True, non_divisible=0.5),
    ),
    Case(
        "sdy-resolve-permutation-factors{rng-bit-generator-unsafe=false replica-count=8}",
        RESHARDED,
        replace(SCATTERED, focus=MOVES.focus | {"rng_bit_generator", "convolution", "reduce_window"}),
    ),
    Case("sdy-pad-for-divisibility", OPTIMIZED, UNEVEN),
    Case("sdy-pad-for-divisibility", OPTIMIZED, MOVES),
    Case("sdy-pad-for-divisibility", OPTIMIZED, replace(SCATTERED, non_divisible=0.6)),
    Case(
        "sdy-resolve-single-device-sharding",
        (*OPTIMIZED, "sdy-pad-for-divisibility"),
        replace(LOCAL, maximal=True, calls=False),
    ),
    Case("sdy-resolve-single-device-sharding{replica-count=4}", features=replace(ANY, maximal=True)),
    Case("sdy-resolve-single-device-sharding{partition-count=4}", features=replace(INLINED, maximal_arguments=False)),
    # One instruction does not see the init value of a reduction, nor what is padded with: we take nothing for granted.
    Case("sdy-per-instruction-partitioning", RESHARDED, without(LOCAL, "reduce", "pad")),
    Case(
        "sdy-per-instruction-partitioning{enable-halo-exchange=false filter=selectLow=2}",
        RESHARDED,
        without(MOVES, "reduce", "pad"),
    ),
    Case(
        "sdy-per-instruction-partitioning{replica-count=2 rng-bit-generator-unsafe=false}",
        RESHARDED,
        without(replace(LOCAL, inlined=True, focus=frozenset(["rng_bit_generator", "convolution"])), "reduce", "pad"),
    ),
    Case(
        "sdy-per-instruction-partitioning{partition-count=2 filter=add,dot,slice,selectHigh=5}",
        RESHARDED,
        without(replace(LOCAL, unreduced=True, non_divisible=0.5), "reduce", "pad"),
    ),
    Case("sdy-convert-global-to-local", PADDED, LOCAL),
    Case("sdy-convert-global-to-local", PADDED, replace(SCATTERED, several_meshes=False)),
    Case("sdy-convert-global-to-local{enable-rgv3=false partition-count=8}", PADDED, LOCAL),
    Case("sdy-convert-global-to-local{per-dim-all-gather=true}", PADDED, LOCAL),
    Case(
        "sdy-convert-global-to-local{combine-multi-dimension-reduce-scatter=true replica-count=8}",
        PADDED,
        replace(LOCAL, unreduced=True),
    ),
    Case(
        "sdy-drop-sharding-and-mesh{keep-module-sharding-metadata=true}",
        (*PADDED, "sdy-convert-global-to-local"),
        LOCAL,
    ),
]


UPSTREAM = ("cse",)
"""Passes of upstream that are run as they are, and compared for what they make of the dialect."""


def cases(names: Iterable[str]) -> list[Case]:
    """The comparisons for the passes of those names; passes on several meshes have recordings instead."""
    by_name: dict[str, list[Case]] = {}
    for case in _CASES:
        by_name.setdefault(case.name, []).append(case)
    compared = (name for name in names if name not in WITHOUT_PEER and not name.startswith("mpmd-"))
    return [case for name in compared for case in by_name.get(name, [Case(name)])]
