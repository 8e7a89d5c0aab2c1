"""Asynchronous operations of a program that goes to XLA, which knows those of StableHLO only."""

from __future__ import annotations

from typing import Any

import sdy
from sdy.dialect.diagnostics import remark
from sdy.dialect.hlo_async.chains import chains, unwrap


def say_in_stablehlo(module: Any) -> None:
    """Writes what hlo_async does with ops of StableHLO: collectives start there too, all else is made synchronous.

    A remark tells where that is.
    """
    found = chains(module.operation)
    if not found:
        return
    for chain in found:
        if chain.wrapped.name in _NEVER:
            _make_synchronous(chain)
    sdy.run(module, "func.func(sdy-hlo-async-to-stablehlo{keep-others=true})")
    for chain in chains(module.operation):
        _make_synchronous(chain)


_NEVER = frozenset({"stablehlo.slice", "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"})
"""What StableHLO can start, and no compiler takes."""


def _make_synchronous(chain: Any) -> None:
    remark(chain.start, f"'{chain.wrapped.name}' is made synchronous: XLA does not start it from StableHLO")
    unwrap(chain)
