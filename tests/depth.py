"""How much to test: the ordinary amount, or with the environment variable SDY_TESTS=all (`make check-all`) far more."""

import os

import pytest

ALL = os.environ.get("SDY_TESTS") == "all"


deep = pytest.mark.skipif(not ALL, reason="takes long; SDY_TESTS=all (`make check-all`) runs it")
"""A test of something that quicker tests see, too, on fewer programs."""


def seeds(normal: int, everything: int) -> range:
    """Seeds of random programs, the same in every run. SDY_SEED=N selects that one."""
    one = os.environ.get("SDY_SEED")
    return range(int(one), int(one) + 1) if one else range(everything if ALL else normal)
