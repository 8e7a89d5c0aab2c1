"""Names of values as people read them."""

from __future__ import annotations

import re

_INDEX = re.compile(r"\[\d+\]")


def folded(name: str) -> str:
    """``layers[3]['up']`` as ``layers[*]['up']``."""
    return _INDEX.sub("[*]", name)
