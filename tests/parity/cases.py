"""On which programs each pass is compared with the reference.

A pass that is not listed runs on random programs as they are. Most passes expect what earlier ones leave behind; for
those the reference itself runs the earlier ones first, so that an error in one of our passes shows in its test alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tests.generators.features import Features
from tests.generators.programs import ALL, REGISTERED


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


# What programs contain --------------------------------------------------------------------------

ANY = Features()
FREE = replace(ANY, maximal=True, maximal_arguments=True, unreduced=True)
"""Whatever the verifier accepts: for passes that do not look at what ops mean."""

INLINED = replace(FREE, inlined=True, undeclared=True, dynamic=True, mesh_groups=True)
MESSY_GROUPS = replace(FREE, messy_groups=True, focus=frozenset(["sharding_group"]))
CALLS = replace(ANY, focus=frozenset(["call"]), named=False)
"""The reference gives a user's named computations a second edge when it inlines calls, and refuses the module."""

FREE_CALLS = replace(FREE, focus=frozenset(["call"]))
ODD_CALLS = replace(FREE_CALLS, odd_functions=True, dynamic=True)
CONSTANTS = replace(FREE, focus=frozenset(["constant", "iota", "broadcast_in_dim", "add", "named_computation"]))
CONSTANT_CALLS = replace(ODD_CALLS, focus=frozenset(["call", "constant", "iota", "add", "sharding_group"]))
CONSTRAINTS = replace(FREE, focus=frozenset(["sharding_constraint", "sharding_group", "manual_computation", "while"]))
PLAIN_CONSTRAINTS = replace(CONSTRAINTS, manual=False, maximal=False)
"""The reference's debug options crash on constraints made for manual computations, and on values on single devices."""

EDGES = replace(
    ANY, focus=frozenset(["while", "case", "manual_computation", "named_computation", "optimization_barrier"])
)
COMPUTATIONS = replace(FREE, focus=frozenset(["named_computation", "manual_computation", "reshard"]))
TANGLED = replace(ANY, tangled=True)
"""A tenth of these programs comes out differently when ops are visited in another order, a third with other levels."""

RULES = replace(ANY, ops=ALL | REGISTERED, focus=REGISTERED, non_divisible=0.5)
"""Every op that has a rule."""

NO_NAMED = replace(ANY, named=False)
PIPELINE = replace(CALLS, inlined=True, maximal=True)

NO_LOCAL_FORM = frozenset(["map", "rng", "chlo", "chlo_top_k"])
"""What the reference's partitioner refuses where it is sharded: no rule says how operands and results fit together."""

EXPORTED = replace(
    ANY,
    named=False,
    groups=False,
    barriers=False,
    several_meshes=False,
    small_meshes=True,
    priorities=False,
    density=0.7,
)
"""Programs whose values have many different shardings, on one mesh."""

DENSE = replace(EXPORTED, annotated=0.7)
LOCAL = replace(DENSE, ops=ALL - NO_LOCAL_FORM, delicate=False)
SCATTERED = replace(LOCAL, several_meshes=True, inlined=True, unreduced=True)
"""On several meshes, some without a name, and with partial values."""

MOVES = replace(
    LOCAL,
    focus=frozenset(["slice", "pad", "concatenate", "reverse", "reshape", "dynamic_update_slice", "dynamic_slice"]),
)
RESHARDS = replace(
    DENSE,
    annotated=0.9,
    non_divisible=0.6,
    small_meshes=False,
    several_meshes=True,
    inlined=True,
    maximal=True,
    unreduced=True,
    dynamic=True,
    barriers=True,
    focus=frozenset(["reshard", "sharding_constraint"]),
)
"""Reshards between any two shardings, as no propagation leaves them."""

UNEVEN = replace(
    LOCAL, calls=False, control_flow=False, manual=False, focus=frozenset(["reduce", "dot_general", "slice"])
)

# What has run before ----------------------------------------------------------------------------

IMPORT = ("sdy-import-pipeline",)
GROUPED = (*IMPORT, "sdy-apply-sharding-constraints", "sdy-sharding-group-import")
FLATTENED = (
    *IMPORT,
    "sdy-flatten-call-graph",
    "symbol-dce",
    "sdy-add-func-data-flow-edges",
    "sdy-apply-sharding-constraints",
    "sdy-sink-func-data-flow-edges",
    "sdy-sharding-group-import",
)
INLINED_CALLS = (
    *FLATTENED,
    "sdy-import-func-calls{add-data-flow-edges-on-named-computations=true}",
    "symbol-dce",
    "sdy-pre-order-funcs",
)
PROPAGATED = (*INLINED_CALLS, "trivial-dce", "sdy-user-priority-propagate{keep-sharding-rules=true}")
OUTLINED = (*PROPAGATED, "sdy-export-named-computations")
UNFLATTENED = (*OUTLINED, "sdy-propagate-to-func-results", "sdy-unflatten-call-graph", "symbol-dce")
CALLED = (*UNFLATTENED, "sdy-insert-func-call-reshards")
CLOSED = (
    *CALLED,
    "sdy-constant-or-scalar-merger",
    "sdy-sink-data-flow-edges",
    "sdy-remove-sharding-groups",
    "sdy-sharding-constraint-to-reshard",
    "sdy-update-non-divisible-input-output-shardings",
    "sdy-remove-sub-axes-in-input-output-shardings",
    "sdy-close-shardings",
)
RESHARDED = (
    *CLOSED,
    "sdy-insert-explicit-reshards{enable-full-version=true mark-partial-result-with-unreduced-axes=true}",
    "canonicalize{enable-patterns=sdy-reshard}",
)
PERMUTED = (*RESHARDED, "sdy-resolve-permutation-factors")
COLLECTIVES = (*PERMUTED, "sdy-reshard-to-collectives")
OPTIMIZED = (*COLLECTIVES, "sdy-optimize-collectives", "canonicalize{enable-patterns=sdy-collective}")
LIVE = (*GROUPED, "trivial-dce")
"""Without dead code: the reference crashes on some of it."""

PADDED = (*OPTIMIZED, "sdy-pad-for-divisibility", "sdy-resolve-single-device-sharding")
DEBUG = "debug-sharding-origins=true debug-propagation-edge-sharding=true"
TRACED = (*GROUPED, "trivial-dce", f"sdy-user-priority-propagate{{{DEBUG}}}")


def _propagation(
    options: str = "", *, export: str = "", constraints: str = "", inlined: bool = False
) -> tuple[str, ...]:
    """The passes of the propagation pipeline, whose options the reference takes from C++ code only.

    `options` are those of the propagate pass, `export` those of the export pipeline, `constraints` those of the pass
    that applies constraints.
    """
    steps = [one + constraints * (one == "sdy-apply-sharding-constraints") for one in INLINED_CALLS]
    return (
        *steps,
        f"sdy-user-priority-propagate{{keep-sharding-rules=true {options}}}",
        *UNFLATTENED[len(PROPAGATED) :],
        "sdy-insert-func-call-reshards",
        f"sdy-export-pipeline{{inline-meshes={str(inlined).lower()} {export}}}",
    )


def _without(features: Features, *ops: str) -> Features:
    return replace(features, ops=(features.ops or ALL) - set(ops), focus=features.focus - set(ops))


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
        peer=_propagation("conservative-propagation=true", export="keep-sharding-rules=true"),
    ),
    Case(
        f"sdy-propagation-pipeline{{{DEBUG} avoid-export-for-partitioning=true}}",
        ("trivial-dce",),
        PIPELINE,
        peer=_propagation(
            DEBUG,
            export="avoid-export-for-partitioning=true dump-sharding-origins=true dump-propagation-edges=true",
            constraints=f"{{{DEBUG}}}",
        ),
    ),
    Case(
        "sdy-propagation-pipeline{inline-meshes=true update-non-divisible-input-output-shardings=false}",
        ("trivial-dce",),
        PIPELINE,
        peer=_propagation(export="update-non-divisible-input-output-shardings=false", inlined=True),
    ),
    Case(
        "sdy-propagation-pipeline{enable-insert-explicit-collectives=true}",
        ("trivial-dce",),
        DENSE,
        peer=_propagation(export="enable-insert-explicit-collectives=true"),
    ),
    # Export.
    # The reference leaves priorities of dimensions without axes, which are invalid once they are closed.
    Case("sdy-close-shardings", features=FREE, compared=0.7),
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
    Case("sdy-per-instruction-partitioning", RESHARDED, _without(LOCAL, "reduce", "pad")),
    Case(
        "sdy-per-instruction-partitioning{enable-halo-exchange=false filter=selectLow=2}",
        RESHARDED,
        _without(MOVES, "reduce", "pad"),
    ),
    Case(
        "sdy-per-instruction-partitioning{replica-count=2 rng-bit-generator-unsafe=false}",
        RESHARDED,
        _without(replace(LOCAL, inlined=True, focus=frozenset(["rng_bit_generator", "convolution"])), "reduce", "pad"),
    ),
    Case(
        "sdy-per-instruction-partitioning{partition-count=2 filter=add,dot,slice,selectHigh=5}",
        RESHARDED,
        _without(replace(LOCAL, unreduced=True, non_divisible=0.5), "reduce", "pad"),
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

WITHOUT_PEER = {
    "xla-sdy-export-ops": "has no name in the reference",
    "xla-sdy-stablehlo-export-pipeline": "has no name in the reference",
    "xla-sdy-stablehlo-export-manual-reduction-collectives": "has no name in the reference",
    "xla-sdy-stablehlo-round-trip-export-callback-custom-calls": "has no name in the reference",
    "xla-sdy-stablehlo-export-shardings": "has no name in the reference",
    "xla-sdy-stablehlo-round-trip-shard-map-export": "has no name in the reference",
    "xla-sdy-round-trip-export-ops": "has no name in the reference",
    "xla-sdy-round-trip-export-pipeline": "compared in test_interchange.py",
    "xla-sdy-round-trip-export-shardy-attrs": "has no name in the reference",
    "xla-sdy-round-trip-shard-map-export": "has no name in the reference",
    "sdy-import-foreign-shardings": "our own",
    "xla-sdy-import-constants": "has no name in the reference",
    "xla-sdy-open-while-free-vars-sharding": "has no name in the reference",
    "xla-sdy-round-trip-dedup-meshes": "has no name in the reference",
    "xla-sdy-round-trip-import-pipeline": "has no name in the reference",
    "xla-sdy-round-trip-import-shardy-attrs": "compared in test_interchange.py, with modules that XLA writes",
    "xla-sdy-round-trip-shard-map-import": "has no name in the reference",
    "xla-sdy-stablehlo-import-pipeline": "has no name in the reference",
    "xla-sdy-import-sdy-custom-calls": "has no name in the reference",
    "xla-sdy-import-shardings": "has no name in the reference",
    "xla-sdy-stablehlo-round-trip-shard-map-import": "has no name in the reference",
    "hlo-test-infer": "our own",
    "sdy-expand-custom-partitioning": "our own",
    "sdy-expand-high-products": "our own",
    "sdy-fix-fourier-layouts": "our own",
    "sdy-make-synchronous": "our own",
    "sdy-number-devices": "our own",
    "sdy-record-main-type": "our own",
    "sdy-replicate-empty-results": "our own",
    "sdy-strip-dialect": "our own",
    "sdy-verify-devices": "our own",
    "sdy-take-inspections": "our own",
    "sdy-translate-foreign-boundaries": "our own",
    "sdy-use-common-mesh": "our own",
    "sdy-add-up-bits": "our own",
    "sdy-async-collectives": "our own",
    "sdy-broadcasts-to-reshapes": "our own",
    "sdy-combine-all-reduces": "our own",
    "sdy-convert-einsum-operands": "our own",
    "sdy-drop-kept-bytes-limit": "our own",
    "sdy-empty-constants": "our own",
    "sdy-explicit-scatter-indices": "our own",
    "sdy-decompose-collective-dots": "our own",
    "sdy-distinguish-named-computations": "our own",
    "sdy-forward-propagate": "our own",
    "sdy-gather-before-loops": "our own",
    "sdy-gather-for-effects": "our own",
    "sdy-hlo-async-to-stablehlo": "our own",
    "sdy-hoist-collectives": "our own",
    "sdy-inline-calls": "our own",
    "sdy-inline-plain-calls": "our own",
    "sdy-inline-unreduced-calls": "our own",
    "sdy-refuse-foreign-shardings": "our own",
    "sdy-keep-across-barriers": "our own",
    "sdy-keep-across-loops": "our own",
    "sdy-mark-asynchronous": "our own",
    "sdy-merge-equal-collectives": "our own",
    "sdy-merge-reduce-scatters": "our own",
    "sdy-narrow-all-reduces": "our own",
    "sdy-overlap-pipeline": "our own",
    "sdy-partition-pipeline": "our own",
    "sdy-place-all-gathers": "our own",
    "sdy-place-all-reduces": "our own",
    "sdy-place-callbacks": "our own",
    "sdy-place-collectives": "our own",
    "sdy-populate-chlo-sharding-rules": "our own",
    "sdy-prefetch-in-loops": "our own",
    "sdy-reconsider-shardings": "our own",
    "sdy-record-main-shardings": "our own",
    "sdy-remove-idle-collectives": "our own",
    "sdy-restore-asynchronous": "our own",
    "sdy-save-module": "writes files, changes nothing",
    "sdy-scatter-major-dimensions": "our own",
    "sdy-slices-of-pads": "our own",
    "sdy-static-slices": "our own",
    "sdy-stablehlo-to-hlo-async": "our own",
    "sdy-spread-windows": "our own",
    "sdy-whole-windows": "our own",
    "sdy-sync-collectives": "our own",
}
"""Passes that cannot be compared, and why; they have tests of their own."""


def cases(names: Iterable[str]) -> list[Case]:
    """The comparisons for the passes of those names."""
    by_name: dict[str, list[Case]] = {}
    for case in _CASES:
        by_name.setdefault(case.name, []).append(case)
    return [case for name in names if name not in WITHOUT_PEER for case in by_name.get(name, [Case(name)])]
