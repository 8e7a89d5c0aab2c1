"""Keeps Python's cycle collector out of the way.

A pass makes hundreds of thousands of small objects and keeps most of them until it ends, so that every run of the
collector looks at more of them and finds nothing: it can cost as much as the pass. Reference counts free what there is
to free.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No cycles are collected in the block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
