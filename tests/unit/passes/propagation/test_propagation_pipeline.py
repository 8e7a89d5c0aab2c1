"""The steps of the propagation pipeline, and the place for an auto-partitioner in it (spec: propagation, 14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sdy.passes.propagation import auto_partitioner
from sdy.passes.propagation.propagation_pipeline import Options, propagation_pipeline
from sdy.passes.registry import expand, step
from sdy.passes.steps import PipelineError, Step


@pytest.fixture(autouse=True)
def no_auto_partitioner() -> Iterator[None]:
    auto_partitioner.clear()
    yield
    auto_partitioner.clear()


def steps(**options: Any) -> list[Step]:
    return expand([*propagation_pipeline(Options(**options))])


def names(**options: Any) -> list[str]:
    """Names without the prefix, saving left out."""
    listed = [one.name.removeprefix("sdy-") for one in steps(**options)]
    return [name for name in listed if name != "save-module"]


IMPORT = """
    symbol-dce lift-inlined-meshes remove-size-one-axes propagate-sharding-from-func-to-call
    constant-or-scalar-splitter symbol-dce manual-axes-cleanup add-data-flow-edges
"""
INLINING_CALLS = """
    distinguish-named-computations
    flatten-call-graph symbol-dce add-func-data-flow-edges apply-sharding-constraints sink-func-data-flow-edges
    sharding-group-import import-func-calls symbol-dce pre-order-funcs sink-func-data-flow-edges
    user-priority-propagate
    export-named-computations propagate-to-func-results unflatten-call-graph symbol-dce insert-func-call-reshards
"""
KEEPING_CALLS = """
    apply-sharding-constraints sharding-group-import add-func-data-flow-edges pre-order-funcs
    user-priority-propagate
    propagate-to-func-results sink-func-data-flow-edges unflatten-call-graph symbol-dce insert-func-call-reshards
"""
EXPORT = """
    constant-or-scalar-merger sink-data-flow-edges remove-sharding-groups sharding-constraint-to-reshard
    update-non-divisible-input-output-shardings remove-sub-axes-in-input-output-shardings close-shardings
    verify-unreduced-axes insert-explicit-reshards canonicalize drop-sharding-rules
"""


def test_default_steps() -> None:
    assert names() == (IMPORT + INLINING_CALLS + EXPORT).split()


def test_steps_that_keep_calls() -> None:
    assert names(dedup_functions_fully=True) == (IMPORT + KEEPING_CALLS + EXPORT).split()


def test_options_reach_their_passes() -> None:
    by_name = {one.name: one for one in steps(conservative_propagation=True, debug_sharding_origins=True)}
    propagate = by_name["sdy-user-priority-propagate"].options
    assert propagate["keep-sharding-rules"] is True
    assert propagate["conservative-propagation"] is True
    assert propagate["debug-sharding-origins"] is True
    assert by_name["sdy-apply-sharding-constraints"].options["debug-sharding-origins"] is True
    assert by_name["sdy-sink-data-flow-edges"].options["sink-debug-sharding-origins"] is True
    assert "sdy-remove-propagation-debug-info" in by_name


def test_numbers_of_dumps() -> None:
    saved = [one.options for one in steps(dump_directory="dumps") if one.name == "sdy-save-module"]
    assert [(options["index"], options["file-name"]) for options in saved][:2] == [
        (1, "before_propagation"),
        (2, "after_propagation"),
    ]


def test_auto_partitioner_runs_behind_propagation() -> None:
    auto_partitioner.register(lambda listed: listed.append(step("canonicalize")))
    listed = names(enable_auto_partitioning=True)
    place = listed.index("insert-func-call-reshards")
    assert listed[place - 2 : place] == ["symbol-dce", "canonicalize"]


def test_auto_partitioner_has_to_be_there() -> None:
    with pytest.raises(PipelineError, match="no auto-partitioner"):
        steps(enable_auto_partitioning=True)


def test_only_one_auto_partitioner() -> None:
    auto_partitioner.register(list.clear)
    with pytest.raises(RuntimeError, match="registered already"):
        auto_partitioner.register(list.clear)
