"""Which collectives send anything."""

from __future__ import annotations

from sdy.dialect.builders import COLLECTIVES

FREE = frozenset({"sdy.all_slice", "sdy.replicated_to_unreduced", "sdy.sharded_to_unreduced"})
"""Collectives that only say that a device goes on with a part of what it has."""

SENDING = COLLECTIVES - FREE
