"""sdy-drop-kept-bytes-limit: forgets how many bytes a device may hold so that less is sent.

    func.func @main(...) attributes {sdy.kept_bytes_limit = 1048576 : i64} { ... }
==> func.func @main(...) { ... }

The first pass that could keep something has left the limit on the function, so that all those passes share one budget:
what the function needs anyway, which is estimated from when its values are made and used last, and `kept-bytes` more.
Cost model: none, nothing is sent or computed differently.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.partitioning.partition_options import KEPT_BYTES_LIMIT
from sdy.passes.registry import pass_


@pass_("sdy-drop-kept-bytes-limit", on="func.func")
def drop_kept_bytes_limit(func: ir.Operation) -> None:
    if KEPT_BYTES_LIMIT in func.attributes:
        del func.attributes[KEPT_BYTES_LIMIT]
