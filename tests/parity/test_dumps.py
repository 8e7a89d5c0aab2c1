"""The modules that propagation writes between user priorities are the reference's, names included."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import oracle
from tests.depth import seeds
from tests.oracle import requires_reference
from tests.parity.case_features import ANY, EDGES
from tests.parity.cases import Case
from tests.parity.compare import original, ours, prepared
from tests.parity.prepared import LIVE

CASES = [
    Case("sdy-user-priority-propagate", LIVE, ANY),
    Case("sdy-user-priority-propagate", LIVE, EDGES),
]
DUMPING = "sdy-user-priority-propagate{{module-dump-directory={}}}"


def dumped(folder: Path) -> dict[str, str]:
    """The files in a folder."""
    return {file.name: file.read_text() for file in sorted(folder.iterdir())}


def is_valid(text: str) -> bool:
    """Whether it is what the reference calls a module; what it does not it prints in generic form."""
    return not text.startswith('"builtin.module"')


@requires_reference
@pytest.mark.parametrize("case", CASES, ids=["any", "edges"])
def test_dumps_equal_the_references(case: Case, tmp_path: Path) -> None:
    most = 0
    for seed in seeds(40, 1000):
        text = prepared(case, original(case, seed))
        if text is None or "}p" not in text:
            continue
        folders = [tmp_path / f"{seed}_{who}" for who in ("reference", "ours")]
        for folder in folders:
            folder.mkdir()
        try:
            oracle.reference(text, DUMPING.format(folders[0]))
        except oracle.ReferenceFailed:
            continue
        ours.run(text, DUMPING.format(folders[1]))
        expected, got = map(dumped, folders)
        assert list(got) == list(expected), f"seed {seed}"
        for name, text in expected.items():
            if is_valid(text):
                assert oracle.reference_print(got[name]) == text, f"seed {seed}, {name}"
        most = max(most, len(got))
    assert most > 1
