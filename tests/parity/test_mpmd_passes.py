"""Passes on programs of several meshes leave what was recorded of the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdy.passes.registry import passes
from tests.parity.mpmd_recordings import FOLDER, difference, recordings
from tests.parity.without_peer import WITHOUT_PEER

FILES = sorted(FOLDER.glob("*.mlir"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_results(path: Path) -> None:
    listed = list(recordings(path))
    assert listed
    for one in listed:
        got = difference(one)
        if got is not None:
            pytest.fail(f"{one}{'-' * 20} got\n{got}", pytrace=False)


def test_passes_with_a_peer_have_recordings() -> None:
    named = {name for name in passes() if name.startswith("mpmd-")} - set(WITHOUT_PEER)
    assert sorted(named - {path.stem for path in FILES}) == []
