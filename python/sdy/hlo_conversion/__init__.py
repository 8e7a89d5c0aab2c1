"""HLO modules from and to StableHLO, with their asynchronous operations (spec: async, 11).

    text = sdy.hlo_conversion.to_hlo(module)
    module = sdy.hlo_conversion.from_hlo(text)

jaxlib converts everything synchronous. An asynchronous operation is converted as a synchronous op with a marker, and
becomes asynchronous again on the other side. That preserves operations of any kind, updates, threads and contexts,
which jaxlib alone does not.
"""

from __future__ import annotations

from sdy.hlo_conversion.incoming import from_hlo
from sdy.hlo_conversion.outgoing import to_hlo

__all__ = ["from_hlo", "to_hlo"]
