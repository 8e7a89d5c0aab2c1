"""Ops of mhlo that StableHLO has as custom calls, with what belongs to them in one attribute (spec: interchange, 5.3).

%0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {mhlo.sharding = "{devices=[2]<=[2]}"}, ...}
"""

from __future__ import annotations

from collections.abc import Iterable

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, target_of
from sdy.passes.interchange.sites import TEXT

WRAPPED = "mhlo.attributes"


def unwrap_texts(module: ir.Operation) -> bool:
    """Puts sharding text among the attributes of the calls themselves, as all others have it; whether there was any."""
    changed = False
    for op, entries in _wrapped(ops_named(module, CUSTOM_CALL)):
        if TEXT in entries:
            text = entries.pop(TEXT)
            op.attributes[WRAPPED] = ir.DictAttr.get(entries)
            if TEXT not in op.attributes:
                op.attributes[TEXT] = text
            changed = True
    return changed


def wrap_texts(ops: Iterable[ir.Operation]) -> None:
    """The way back, for those of `ops` that are such calls: XLA takes only what is in that attribute along."""
    for op, entries in _wrapped(ops):
        if TEXT in op.attributes:
            op.attributes[WRAPPED] = ir.DictAttr.get({**entries, TEXT: op.attributes[TEXT]})
            del op.attributes[TEXT]


def _wrapped(ops: Iterable[ir.Operation]) -> list[tuple[ir.Operation, dict[str, ir.Attribute]]]:
    return [
        (op, {entry.name: entry.attr for entry in stored})
        for op in ops
        if WRAPPED in op.attributes
        and op.name == CUSTOM_CALL
        and target_of(op).startswith("mhlo.")
        and isinstance(stored := op.attributes[WRAPPED], ir.DictAttr)
    ]
