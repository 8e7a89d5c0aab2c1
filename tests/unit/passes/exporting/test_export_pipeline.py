"""The steps of the export pipeline, and which of them each option reaches (spec: export-passes, 2)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from sdy.passes.exporting.export_pipeline import Options, Stage
from sdy.passes.registry import expand
from sdy.passes.steps import PipelineError, Step, parse_pipeline


def steps(options: str = "") -> list[Step]:
    return expand(parse_pipeline(f"sdy-export-pipeline{{{options}}}"))


def names(options: str = "") -> list[str]:
    """Without the prefix; canonicalizations by their label, saved modules by their name."""
    return [
        str(one.options.get("enable-patterns") or one.options.get("file-name") or one.name.removeprefix("sdy-"))
        for one in steps(options)
    ]


def option(pass_name: str, name: str, options: str = "") -> Any:
    """What the one step of that name is given as option `name`."""
    (found,) = [one for one in steps(options) if one.name == pass_name]
    return found.options[name]


MERGED = ["constant-or-scalar-merger", "sink-data-flow-edges"]
TAKING_EFFECT = ["remove-sharding-groups", "sharding-constraint-to-reshard"]
DIVIDING = ["update-non-divisible-input-output-shardings", "remove-sub-axes-in-input-output-shardings"]
CLOSED = [*MERGED, *TAKING_EFFECT, *DIVIDING, "close-shardings"]
RESHARDED = [*CLOSED, "verify-unreduced-axes", "insert-explicit-reshards"]
STAGED = [*CLOSED, "convert-async", *RESHARDED[len(CLOSED) :]]
RESTORED = "convert-async"
CANONICAL = "sdy-collective"
"""The label of the canonicalization."""

END = ["drop-sharding-rules", "inline-meshes"]
BY_STAGE = {
    "resolve-permutation-factors": ["resolve-permutation-factors"],
    "reshard-to-collectives": ["reshard-to-collectives"],
    "optimize-collectives": ["optimize-collectives", CANONICAL],
    "pad-for-divisibility": ["pad-for-divisibility"],
    "resolve-single-device-sharding": ["resolve-single-device-sharding"],
    "convert-global-to-local": ["convert-global-to-local", "drop-sharding-and-mesh"],
}
PER_INSTRUCTION = "partitioner-stage=convert-global-to-local enable-per-instruction-partitioning"
COLLECTIVES = "enable-insert-explicit-collectives"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", [*RESHARDED, CANONICAL, *END]),
        ("partitioner-stage=unspecified", [*RESHARDED, CANONICAL, *END]),
        ("avoid-export-for-partitioning", [*MERGED, *DIVIDING, "close-shardings", END[0]]),
        ("keep-sharding-rules", [*RESHARDED, CANONICAL, "inline-meshes"]),
        ("inline-meshes=false", [*RESHARDED, CANONICAL, "drop-sharding-rules"]),
        (
            "update-non-divisible-input-output-shardings=false",
            [one for one in [*RESHARDED, CANONICAL, *END] if one not in DIVIDING],
        ),
        ("dump-sharding-origins", [*RESHARDED, CANONICAL, "remove-propagation-debug-info", *END]),
        ("dump-propagation-edges=true", [*RESHARDED, CANONICAL, "remove-propagation-debug-info", *END]),
        (COLLECTIVES, [*RESHARDED, "sdy-reshard", "reshard-to-collectives", "optimize-collectives", CANONICAL, *END]),
        ("remove-all-gather-reduce-scatter-for-cmv1", [*RESHARDED, CANONICAL, *END]),
        (PER_INSTRUCTION, [*STAGED, "per-instruction-partitioning", RESTORED, CANONICAL, *END]),
        (f"{PER_INSTRUCTION} {COLLECTIVES}", [*STAGED, "per-instruction-partitioning", RESTORED, CANONICAL, *END]),
        ("replica-count=2 partition-count=4 avoid-reshards-on-calls", [*RESHARDED, CANONICAL, *END]),
    ],
)
def test_steps(options: str, expected: list[str]) -> None:
    assert names(options) == expected


def test_what_follows_collectives_without_a_stage() -> None:
    wanted = f"{COLLECTIVES} remove-all-gather-reduce-scatter-for-cmv1"
    removal = "remove-all-gather-reduce-scatter-for-cmv1"
    assert names(wanted)[-4:] == [CANONICAL, removal, *END]
    assert removal not in names(f"{wanted} partitioner-stage=optimize-collectives")


@pytest.mark.parametrize("stage", BY_STAGE)
def test_a_stage_includes_those_before(stage: str) -> None:
    included = list(BY_STAGE)[: list(BY_STAGE).index(stage) + 1]
    partitioner = [name for one in included for name in BY_STAGE[one]]
    assert names(f"partitioner-stage={stage}") == [*STAGED, "sdy-reshard", *partitioner, RESTORED, CANONICAL, *END]
    assert names(f"partitioner-stage={stage} {COLLECTIVES}") == names(f"partitioner-stage={stage}")


def test_all_stages_are_known() -> None:
    assert [stage.value for stage in Stage] == ["unspecified", *BY_STAGE]


RESHARDS = "sdy-insert-explicit-reshards"
RESOLVE = "sdy-resolve-permutation-factors"
LOCAL = "sdy-convert-global-to-local"
ALL = "partitioner-stage=convert-global-to-local"


@pytest.mark.parametrize(
    ("pass_name", "name", "options", "expected"),
    [
        ("sdy-sink-data-flow-edges", "sink-debug-sharding-origins", "dump-sharding-origins", True),
        ("sdy-sink-data-flow-edges", "sink-debug-propagation-edge-sharding", "dump-sharding-origins", False),
        ("sdy-sink-data-flow-edges", "sink-debug-propagation-edge-sharding", "dump-propagation-edges", True),
        ("sdy-sink-data-flow-edges", "sink-debug-sharding-origins", "dump-propagation-edges", False),
        (RESHARDS, "enable-full-version", "", False),
        (RESHARDS, "enable-full-version", COLLECTIVES, True),
        (RESHARDS, "enable-full-version", "partitioner-stage=resolve-permutation-factors", True),
        (RESHARDS, "enable-full-version", PER_INSTRUCTION, True),
        (RESHARDS, "mark-partial-result-with-unreduced-axes", "", False),
        (RESHARDS, "mark-partial-result-with-unreduced-axes", COLLECTIVES, False),
        (RESHARDS, "mark-partial-result-with-unreduced-axes", "mark-partial-result-with-unreduced-axes", True),
        (RESHARDS, "mark-partial-result-with-unreduced-axes", "partitioner-stage=resolve-permutation-factors", True),
        (RESHARDS, "reshard-custom-rule-ops", "mark-partial-result-with-unreduced-axes", False),
        (RESHARDS, "reshard-custom-rule-ops", COLLECTIVES, True),
        (RESHARDS, "reshard-custom-rule-ops", "partitioner-stage=resolve-permutation-factors", True),
        (RESOLVE, "rng-bit-generator-unsafe", ALL, True),
        (RESOLVE, "rng-bit-generator-unsafe", f"{ALL} rng-bit-generator-unsafe=false", False),
        (RESOLVE, "partition-count", f"{ALL} partition-count=8", 8),
        (RESOLVE, "replica-count", f"{ALL} replica-count=2", 2),
        ("sdy-resolve-single-device-sharding", "partition-count", f"{ALL} partition-count=8", 8),
        ("sdy-resolve-single-device-sharding", "replica-count", f"{ALL} replica-count=2", 2),
        (LOCAL, "partition-count", f"{ALL} partition-count=8", 8),
        (LOCAL, "replica-count", f"{ALL} replica-count=2", 2),
        (LOCAL, "enable-rgv3", ALL, True),
        ("sdy-drop-sharding-and-mesh", "keep-module-sharding-metadata", ALL, True),
        ("sdy-per-instruction-partitioning", "partition-count", f"{PER_INSTRUCTION} partition-count=8", 8),
        ("sdy-per-instruction-partitioning", "replica-count", f"{PER_INSTRUCTION} replica-count=2", 2),
        (
            "sdy-per-instruction-partitioning",
            "filter",
            f"{PER_INSTRUCTION} per-instruction-partitioning-filter=dot",
            "dot",
        ),
        (
            "sdy-per-instruction-partitioning",
            "rng-bit-generator-unsafe",
            f"{PER_INSTRUCTION} rng-bit-generator-unsafe=0",
            False,
        ),
    ],
)
def test_options_reach_their_passes(pass_name: str, name: str, options: str, expected: Any) -> None:
    assert option(pass_name, name, options) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", ["after_propagation", "after_partitioner_passes"]),
        ("avoid-export-for-partitioning", ["after_propagation"]),
        (COLLECTIVES, ["after_propagation", "after_explicit_reshards", "after_partitioner_passes"]),
        (
            PER_INSTRUCTION,
            [
                "after_propagation",
                "before_per_instruction_partitioning",
                "after_per_instruction_partitioning",
                "after_partitioner_passes",
            ],
        ),
    ],
)
def test_dumps_are_numbered(options: str, expected: list[str]) -> None:
    for first in (0, 7):
        dumps = [
            one.options
            for one in steps(f"{options} dump-directory=dumps dump-index={first}")
            if one.name == "sdy-save-module"
        ]
        assert [(each["index"], each["file-name"]) for each in dumps] == list(enumerate(expected, first))
        assert {each["directory"] for each in dumps} == {"dumps"}
    assert not any(one.name == "sdy-save-module" for one in steps(options))


def test_every_option_and_default_of_the_reference() -> None:
    """Beside them there are the number of the first dump, and which functions get other inputs and outputs."""
    assert {each.name.replace("_", "-"): each.default for each in fields(Options)} == {
        "replica-count": 1,
        "partition-count": 1,
        "dump-directory": "",
        "dump-index": 0,
        "avoid-export-for-partitioning": False,
        "enable-insert-explicit-collectives": False,
        "partitioner-stage": Stage.UNSPECIFIED,
        "mark-partial-result-with-unreduced-axes": False,
        "rng-bit-generator-unsafe": True,
        "remove-all-gather-reduce-scatter-for-cmv1": False,
        "enable-per-instruction-partitioning": False,
        "per-instruction-partitioning-filter": "",
        "keep-sharding-rules": False,
        "dump-sharding-origins": False,
        "dump-propagation-edges": False,
        "update-non-divisible-input-output-shardings": True,
        "update-public-functions-only": False,
        "inline-meshes": True,
        "avoid-reshards-on-calls": False,
    }


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("enable-per-instruction-partitioning", "needs partitioner-stage=convert-global-to-local"),
        ("enable-per-instruction-partitioning partitioner-stage=pad-for-divisibility", "needs partitioner-stage"),
        ("partitioner-stage=bogus", "bogus"),
        ("partitioner-stage=", "partitioner-stage"),
        ("replica-count=two", "'two' is not a valid int for option 'replica-count'"),
        ("inline-meshes=perhaps", "'perhaps' is not a valid bool for option 'inline-meshes'"),
        ("inline-mesh", "inline-mesh"),
    ],
)
def test_options_that_make_no_sense(options: str, complaint: str) -> None:
    with pytest.raises(PipelineError, match=complaint):
        steps(options)
