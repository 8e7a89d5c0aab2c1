"""mpmd-export-pipeline: Make fragments calls of functions, each the program of one mesh.

    %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%a: T) { ... mpmd.return %b : T } : (!m1) -> !m1
==> %1 = mpmd.fragment_call<mesh="m1", origin=["f"]> @p0_f.main(%0) : (!m1) -> !m1
    func.func @p0_f.main(%a: T {jax.buffer_donor = true}) -> T attributes {reserved_hbm_bytes = 0 : i64, ...}

The functions have marks for reusable buffers and for the bytes that other values hold.
"""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass
from sdy.passes.options import option
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class Options:
    """Options; except for those with `fail`, the reference takes them from code only."""

    copy_constants: bool = option(False, "copy constants to the fragments that get them from other meshes")
    merge_transfers: bool = option(False, "transfer scalars of one producer and consumer together")
    fail_on_reshard_only_fragments: bool = option(False, "refuse fragments that only change shardings")
    fail_on_backward_deps: bool = option(False, "refuse values that go to earlier meshes")
    fail_on_inferred_fragments: bool = option(True, "refuse inferred fragments, which contain no named computation")
    fail_on_param_transfers: bool = option(False, "refuse transfers of parameters")
    param_transfer_pattern: str = option("params['transformer", "text in the names of parameters")
    verbose_logging: bool = option(False, "report how many fragments share each function")
    keep_call_counters: bool = option(False, "record microbatch, stage and pass on each call of a fragment")


@pipeline("mpmd-export-pipeline", options=Options)
def mpmd_export_pipeline(options: Options) -> list[Step]:
    """Spec: mpmd, 7."""
    copying = [step("mpmd-copy-constants", on_func=True)] if options.copy_constants else []
    merging = [step("mpmd-merge-transfers", on_func=True), step("mpmd-fragment-dedup", on_func=True), step("cse")]
    return [
        step("cse"),
        *copying,
        step("canonicalize", region_simplify="disabled"),
        step("mpmd-fragment-dedup", on_func=True),
        *(merging if options.merge_transfers else []),
        step("mpmd-fragment-dce", on_func=True),
        step("mpmd-uniquify-function-inputs-outputs", on_func=True),
        step("mpmd-merge-inferred-fragments", on_func=True),
        step("mpmd-mark-offloaded-input-output", on_func=True),
        step("mpmd-mark-input-output-with-layouts", on_func=True),
        step("mpmd-delay-inferred-fragments", on_func=True),
        step("mpmd-delay-transfers-from-cpu", on_func=True),
        step("mpmd-sink-create-token-into-fragments", on_func=True),
        step("mpmd-mark-aliasing-and-donation", on_func=True),
        step("mpmd-mark-fragment-reserved-memory", on_func=True),
        step(
            "mpmd-validate-no-param-transfers",
            on_func=True,
            fail_on_param_transfers=options.fail_on_param_transfers,
            param_pattern=options.param_transfer_pattern,
        ),
        step(
            "mpmd-validate-no-inferred-fragments",
            on_func=True,
            fail_on_inferred_fragments=options.fail_on_inferred_fragments,
        ),
        step(
            "mpmd-lower-to-fragment-calls",
            verbose_logging=options.verbose_logging,
            keep_call_counters=options.keep_call_counters,
        ),
        step(
            "mpmd-validate-no-reshards",
            on_func=True,
            fail_on_reshard_only_fragments=options.fail_on_reshard_only_fragments,
        ),
        step("mpmd-validate-no-backward-deps", on_func=True, fail_on_backward_deps=options.fail_on_backward_deps),
    ]
