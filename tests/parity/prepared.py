"""What has run on a program before the pass that is compared, as the reference names it."""

from __future__ import annotations

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


def propagation_passes(
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
