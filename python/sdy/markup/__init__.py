"""Shardings and reports as HTML, SVG and JSON, for pages and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A value of JSON; tuples are written as lists."""

JsonObject: TypeAlias = Mapping[str, Json]
