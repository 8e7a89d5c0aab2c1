"""The IRDL of dialects that are declared in Python, as text that is made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sdy.mlir import PassManager, ir


@cache
def canonical_text(emit: Callable[[int], ir.Module], groups: int) -> str:
    """The IRDL that `emit` makes of a dialect, with ops of any number of values in `groups` groups (see `variadic`).

    What is equal in it is written once. Reading this takes a fraction of the time that the declarations take.
    """
    with ir.Context(load_on_create_dialects=["irdl"]), ir.Location.unknown():
        module = emit(groups)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        return str(module)
