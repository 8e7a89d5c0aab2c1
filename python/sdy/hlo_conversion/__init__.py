"""HLO modules from and to StableHLO, with their asynchronous operations (spec: async, 11).

    text = sdy.hlo_conversion.to_hlo(module)
    module = sdy.hlo_conversion.from_hlo(text)

jaxlib converts all that is synchronous. What is asynchronous goes around it: as a synchronous op with a marker, which
is made asynchronous again on the other side. That keeps operations of any kind, updates, threads and contexts, none
of which jaxlib's own way does.
"""

from __future__ import annotations

from sdy.hlo_conversion.incoming import from_hlo
from sdy.hlo_conversion.outgoing import to_hlo

__all__ = ["from_hlo", "to_hlo"]
