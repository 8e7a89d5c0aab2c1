"""What the data of a page have to look like, for those who read them with programs of their own."""

from __future__ import annotations

import json
from pathlib import Path

from sdy.markup.json_data import Json

FILE = Path(__file__).with_name("schema.json")


def schema() -> dict[str, Json]:
    """The JSON Schema (draft 7) of what `sdy.page.data` returns and ``sdy-report --json`` writes."""
    return json.loads(FILE.read_text(encoding="utf-8"))
