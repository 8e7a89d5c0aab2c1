"""Export on training steps of transformers that have been propagated: the pipeline, and pass by pass."""

from __future__ import annotations

from benchmarks.pass_by_pass import print_passes, print_pipeline
from benchmarks.peers import Reference
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96")
BY_PASS = ("transformer_24", "transformer_96")
BEFORE = (
    "sdy-import-pipeline",
    "sdy-apply-sharding-constraints",
    "sdy-sharding-group-import",
    "sdy-import-func-calls{add-data-flow-edges-on-named-computations=true}",
    "sdy-user-priority-propagate{keep-sharding-rules=true}",
    "sdy-export-named-computations",
)
PASSES = (
    "sdy-constant-or-scalar-merger",
    "sdy-sink-data-flow-edges",
    "sdy-remove-sharding-groups",
    "sdy-sharding-constraint-to-reshard",
    "sdy-update-non-divisible-input-output-shardings",
    "sdy-remove-sub-axes-in-input-output-shardings",
    "sdy-close-shardings",
    "sdy-verify-unreduced-axes",
    "sdy-insert-explicit-reshards",
    "sdy-insert-explicit-reshards{enable-full-version=true}",
    "sdy-drop-sharding-rules",
    "sdy-inline-meshes",
)


def main() -> None:
    reference = Reference()
    texts = {name: reference.result(program(name), *BEFORE) for name in PROGRAMS}
    print_pipeline("sdy-export-pipeline", texts)
    print_passes(PASSES, {name: texts[name] for name in BY_PASS})


if __name__ == "__main__":
    main()
