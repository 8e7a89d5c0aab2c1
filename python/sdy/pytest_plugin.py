"""Plugin of pytest: the fixture `communication_snapshot`, and the option that writes its files.

Pytest finds it by its entry point; the rest of the package, and JAX, load only when a test uses the fixture. `-p
no:sdy` switches it off.

    def test_step(communication_snapshot):
        communication_snapshot(step.lower(state, batch))

The text is in `communication/FILE/TEST.txt` beside the file of the test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sdy.testing.snapshot import Snapshots


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes snapshots."""
    group = parser.getgroup("sdy", "communication of programs")
    group.addoption(
        "--update-communication",
        action="store_true",
        default=False,
        help="rewrite the files of communication_snapshot instead of comparing with them",
    )


@pytest.fixture
def communication_snapshot(request: pytest.FixtureRequest) -> Snapshots:
    """Compare a program's communication with a text file in the repository: ``communication_snapshot(lowered)``."""
    from sdy.testing.snapshot import Snapshots

    return Snapshots(request.path, request.node.name, update=bool(request.config.getoption("--update-communication")))
