"""What ops are called in tables for people."""

from __future__ import annotations

import re
from typing import Any

_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"(?!:\d)')
_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')


def op_name(location: Any) -> str:
    """What a location says for people: the name that the frontend gave the op, else ``file:line:col``."""
    text = str(location)
    if named := _NAME.search(text):
        return named[1]
    if position := _FILE.search(text):
        return ":".join(position.groups())
    return "unknown"
