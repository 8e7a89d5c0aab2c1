"""Side effects of ops."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.mlir.per_context import PerContext

_EFFECTS_OF_REGIONS = frozenset(
    {"sdy.named_computation", "sdy.manual_computation", "chlo.scan"}
    | {"mpmd.named_computation", "mpmd.fragment", "mpmd.for"}
    | {
        f"stablehlo.{name}"
        for name in ("while case if map reduce reduce_window scatter select_and_scatter sort").split()
    }
)
"""Ops that do what the ops in their regions do, and nothing else."""

_TRANSFERS = frozenset(f"stablehlo.{name}" for name in ("infeed", "outfeed", "send", "recv"))

_VALUE_DIALECTS = frozenset(
    {"arith", "chlo", "complex", "func", "math", "mpmd", "quant", "sdy", "shape", "stablehlo", "tensor"}
)
"""Dialects on values alone: but for transfers, an op of theirs that says what its effects are has none."""


def is_effect_free(op: ir.Operation) -> bool:
    """Return whether `op` only computes results, so that it can be erased when they are unused."""
    name = op.name
    if name in _EFFECTS_OF_REGIONS:
        return regions_are_effect_free(op)
    if name == "stablehlo.custom_call":
        return "has_side_effect" not in op.attributes or not ir.BoolAttr(op.attributes["has_side_effect"]).value
    return name.partition(".")[0] in _VALUE_DIALECTS and name not in _TRANSFERS and _implements_effects(op)


def holds_its_regions_only(name: str) -> bool:
    """Return whether the only effects of an op with that name are those of the ops in its regions."""
    return name in _EFFECTS_OF_REGIONS


def regions_are_effect_free(op: ir.Operation) -> bool:
    """Return whether all ops in the regions of `op` are effect free."""
    return all(
        is_effect_free(nested.operation)
        for region in op.regions
        for block in region.blocks
        for nested in block.operations
    )


def _implements_effects(op: ir.Operation) -> bool:
    """Return whether ops of the name declare their effects; the bindings do not provide the effects."""
    known, name = _with_effects.of(op.context), op.name
    found = known.get(name)
    if found is None:
        found = known[name] = _can_be_asked(op)
    return found


def _can_be_asked(op: ir.Operation) -> bool:
    try:
        ir.MemoryEffectsOpInterface(op)
    except ValueError:
        return False
    return True


_with_effects: PerContext[dict[str, bool]] = PerContext(dict)
"""By name of op. An exception takes as long as a hundred look-ups."""


class RecursiveEffects:
    """A trait: the op has the memory effects of the ops in its region."""

    class _Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op: ir.Operation, effects: ir.MemoryEffectInstancesList) -> None:
            """Report an effect of an op with effects inside: upstream looks into nested ops of registered ops only."""
            if not regions_are_effect_free(op.operation):
                effects.append(ir.MemoryEffect.Write)

    @staticmethod
    def attach(op_name: str) -> None:
        RecursiveEffects._Effects.attach(op_name)


class RecursivelySpeculatable:
    """A trait: the op may be executed speculatively, if the ops in its region may."""

    class _Speculatability(ir.ConditionallySpeculatable):
        @staticmethod
        def get_speculatability(op: ir.Operation) -> ir.Speculatability:
            return ir.Speculatability.RecursivelySpeculatable

    @staticmethod
    def attach(op_name: str) -> None:
        RecursivelySpeculatable._Speculatability.attach(op_name)
