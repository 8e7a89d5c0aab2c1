"""Which ops disappear when nobody uses their results (spec: propagation, 9.4)."""

from __future__ import annotations

from sdy.dialect.op_properties import is_terminator
from sdy.mlir import ir
from sdy.passes.propagation.snapshot import Snapshot

_EFFECTFUL_STABLEHLO = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather all_reduce all_to_all async_done async_start collective_broadcast collective_permute "
        "collective_reduce composite infeed outfeed recv reduce_scatter rng send"
    ).split()
)

_STABLEHLO_WITH_REGIONS = frozenset(
    f"stablehlo.{name}" for name in "while case if reduce reduce_window scatter select_and_scatter sort map".split()
)

_EFFECT_FREE_SDY = frozenset({"sdy.reshard", "sdy.constant", "sdy.propagation_barrier", "sdy.return"})

_SDY_WITH_REGIONS = frozenset({"sdy.named_computation", "sdy.manual_computation"})

_EFFECT_FREE_DIALECTS = ("arith.", "math.", "chlo.", "complex.", "tensor.", "shape.")


def is_removable(snapshot: Snapshot, op: int) -> bool:
    """Whether `op` may be erased once no result of it has a use."""
    return not is_terminator(snapshot.ops[op]) and _is_effect_free(snapshot, op)


def _is_effect_free(snapshot: Snapshot, op: int) -> bool:
    """Whether neither `op` nor anything nested in it has a side effect."""
    name = snapshot.names[op]
    if name in _STABLEHLO_WITH_REGIONS or name in _SDY_WITH_REGIONS:
        return all(_is_effect_free(snapshot, nested) for region in snapshot.regions[op] for nested in region)
    if name == "stablehlo.custom_call":
        stored = snapshot.ops[op].attributes
        return "has_side_effect" not in stored or not ir.BoolAttr(stored["has_side_effect"]).value
    if name.startswith("stablehlo."):
        return name not in _EFFECTFUL_STABLEHLO
    return name in _EFFECT_FREE_SDY or name.startswith(_EFFECT_FREE_DIALECTS)
