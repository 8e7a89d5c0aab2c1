"""Dialects that `sdy-opt` knows."""

from __future__ import annotations

import re

from sdy.dialect.context import make_context
from sdy.mlir import ir

_LIST = re.compile(r"Available dialects: (.*?)(?: \(\* corresponding.*)?;")


def available_dialects() -> list[str]:
    """The names of all dialects. The bindings tell them only to someone who writes an op of another one."""
    with make_context(), ir.Location.unknown():
        try:
            ir.Module.parse("not_a_dialect.op")
        except ir.MLIRError as error:
            found = _LIST.search(str(error))
            names = found[1].split(", ") if found else []
            # CHLO is loaded for programs that use it.
            return sorted({"chlo", *(name.removesuffix(" (*)") for name in names)})
    return []
