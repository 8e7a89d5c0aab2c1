"""What jaxlib's C++ makes of sharding text (see `tests.oracle`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.oracle import hlo_request

ABORTED = "aborted"
"""The answer for what ends the process of the reference."""

REFUSED = "refused"
"""The answer for what the reference reports as an error."""


def asked(what: str, texts: Sequence[str]) -> list[Any]:
    """What the reference makes of each text, or `ABORTED` or `REFUSED`; `what` is a key of the worker's table."""
    found = hlo_request(what, list(texts))
    return [ABORTED if "aborted" in one else REFUSED if "error" in one else one["value"] for one in found]
