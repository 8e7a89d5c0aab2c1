"""Dialects that `sdy-opt` knows, and learns from files."""

from __future__ import annotations

import re

from sdy.dialect.context import make_context
from sdy.dialect.irdl_loading import load_irdl_file
from sdy.mlir import ir

__all__ = ["available_dialects", "load_irdl_file"]

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
