"""One process that asks XLA, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sdy.tools.hlo.verdicts import Verdicts


@pytest.fixture(scope="session")
def xla() -> Iterator[Verdicts]:
    with Verdicts() as verdicts:
        yield verdicts
