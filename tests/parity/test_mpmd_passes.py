"""Passes on programs of several meshes leave what the reference leaves: recorded, and on random programs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import sdy
from sdy.dialect.assembly import print_module
from sdy.mlir.functions import main_function
from sdy.passes.mpmd.common.fragments import ops_in
from sdy.passes.registry import passes
from tests import oracle
from tests.depth import seeds
from tests.generators.mpmd_graphs import generate
from tests.parity.mpmd_recordings import FOLDER, REFUSED, difference, ours, record, recordings
from tests.parity.without_peer import WITHOUT_PEER

FILES = sorted(FOLDER.glob("*.mlir"))
RECORDED_ROOMS = ("sdy.passes.mpmd.importing.", "sdy.passes.mpmd.inference.")

INFERENCE = (
    "mpmd-infer-mesh-pipeline",
    "mpmd-infer-mesh-pipeline{infer-transfers=true}",
    "mpmd-infer-mesh-pipeline{infer-cross-mesh-reductions=true}",
    "mpmd-infer-mesh-pipeline{infer-transfers=true infer-cross-mesh-reductions=true}",
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_results(path: Path) -> None:
    listed = list(recordings(path))
    assert listed
    for one in listed:
        got = difference(one)
        if got is not None:
            pytest.fail(f"{one}{'-' * 20} got\n{got}", pytrace=False)


def test_passes_with_a_peer_have_recordings() -> None:
    named = {name for name, one in passes().items() if one.run.__module__.startswith(RECORDED_ROOMS)}
    assert sorted(named - set(WITHOUT_PEER) - {path.stem for path in FILES}) == []


@cache
def _is_possible() -> bool:
    """Return whether the reference runs single passes here."""
    return oracle.available and record(("mpmd-copy-topology-from-main",), "module {}") is not None


def _lines(text: str) -> list[str]:
    """The lines of a module without names of values, sorted."""
    return sorted(re.sub(r"%\w+(?:[#:]\d+)?", "%", line) for line in text.splitlines())


def _part(program: str, run: str) -> tuple[str | None, str]:
    """What the reference makes of a program, None if it has no result; and how we part from it, or nothing.

    The order of partial results comes of hash tables in the reference (docs/spec/mpmd.md, 9).
    """
    one = record((run,), program)
    got = None if one is None else difference(one)
    if one is None or got is None:
        return (None if one is None or one.result == REFUSED else one.result), ""
    is_reordered = "infer_mesh_convert_reduce_ops" in got and one.result != REFUSED
    if is_reordered and _lines(got) == _lines(print_module(sdy.parse(one.result))):
        return one.result, ""
    return one.result, f"{one}{'-' * 20} got\n{got}"


@pytest.mark.parametrize("seed", seeds(6, 3_000))
def test_random_programs(seed: int) -> None:
    """Each pass of import runs on what the reference leaves for it."""
    if not _is_possible():
        pytest.skip("no symbols in jaxlib's library")
    graph = generate(seed)
    text: str | None = oracle.reference_print(graph.text)
    for run in (*graph.passes, INFERENCE[seed % 4]):
        if text is None:
            return
        text, parted = _part(text, run)
        if parted:
            pytest.fail(parted, pytrace=False)


def test_import_pipeline_refuses_or_places_everything() -> None:
    """Nothing but fragments, transfers and the return is left in the function."""
    placed = 0
    for seed in range(8):
        graph = generate(seed)
        options = [f"name-to-mesh-assignment={graph.assignment}", "infer-transfers=true"]
        options += [f"input-assignment={graph.inputs}"] if graph.inputs else []
        options += [f"output-assignment={graph.outputs}"] if graph.outputs else []
        got = ours((f"mpmd-import-pipeline{{{' '.join(options)}}}",), graph.text)
        if not got.startswith(REFUSED):
            placed += 1
            module = sdy.parse(got)
            names = {op.name for op in ops_in(main_function(module.operation))}
            assert names <= {"mpmd.fragment", "mpmd.transfer", "func.return"}
    assert placed > 5
