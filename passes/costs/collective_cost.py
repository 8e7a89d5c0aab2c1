"""What a collective costs: bytes that each device sends, by the ring algorithms (spec: jax-execution, 7)."""

from __future__ import annotations

KINDS = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "collective_permute",
    "collective_broadcast",
    "ragged_all_to_all",
)
"""Kinds of collectives, named as in StableHLO; HLO writes `-` for `_`."""


def moved_bytes(kind: str, group_size: int, operand_bytes: float) -> float:
    """Bytes that each device of a group of `group_size` sends.

    `operand_bytes` is the size of all operands on one device: of an all_gather that is the shard, of a reduce_scatter
    the whole. In another unit, such as rows, the result has that unit. It is exact if it is a whole number.
    """
    if group_size <= 1:
        return 0.0
    if kind == "all_reduce":
        return 2 * (group_size - 1) * operand_bytes / group_size
    if kind == "all_gather":
        return float((group_size - 1) * operand_bytes)
    if kind in ("reduce_scatter", "all_to_all", "ragged_all_to_all"):
        return (group_size - 1) * operand_bytes / group_size
    return float(operand_bytes)
