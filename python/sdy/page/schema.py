"""What the data of a page have to look like, for those who read them with programs of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Data = dict[str, Any]
"""What `sdy.page.data` returns, or a part of it."""

FILE = Path(__file__).with_name("schema.json")


def schema() -> Data:
    """The JSON Schema (draft 7) of what `sdy.page.data` returns and ``sdy-report --json`` writes."""
    return json.loads(FILE.read_text(encoding="utf-8"))
