"""Settings of an HLO module that jaxlib drops: device counts, and results that XLA may shard freely."""

from __future__ import annotations

import re

from sdy.hlo_text import HloModule, Instruction
from sdy.mlir import ir
from sdy.mlir.functions import funcs, symbol_name

_COUNTS = {"num_partitions": "mhlo.num_partitions", "replica_count": "mhlo.num_replicas"}
_MAY_SHARD = "allow_spmd_sharding_propagation_to_output"
_TEXT = "mhlo.sharding"
_NAMED = "mesh["
_SAYING = ('"Sharding"', '"SPMDShardToFullShape"')
"""Calls that say which dimensions of what they return are open."""


def put_settings(module: ir.Operation, source: HloModule) -> None:
    """Copy the settings of `source` to `module`, its converted form.

    jaxlib reads the sharding of a computation's root as that of its result. Tiles of the entry are not binding where
    XLA may choose the sharding, or where the root has open dimensions; named text lists these itself.
    """
    given = dict(source.attributes)
    for key, name in _COUNTS.items():
        if key in given and given[key].isdecimal():
            module.attributes[name] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), int(given[key]))
    main = next((func for func in funcs(module) if symbol_name(func) == "main"), None)
    if main is None or "res_attrs" not in main.attributes:
        return
    count = len(main.attributes["res_attrs"])
    free = _flags(given.get(_MAY_SHARD, ""), count)
    if count == 1 and _leaves_dimensions_open(source.entry_computation.root):
        free = [True]
    entries = main.attributes["res_attrs"]
    main.attributes["res_attrs"] = ir.ArrayAttr.get(
        [_without_tiles(entry) if is_free else entry for entry, is_free in zip(entries, free, strict=True)]
    )


def _flags(text: str, count: int) -> list[bool]:
    """Return one flag per result; a single flag holds for all."""
    found = [word == "true" for word in re.findall(r"true|false", text)]
    if len(found) == 1:
        return found * count
    return found if len(found) == count else [False] * count


def _leaves_dimensions_open(root: Instruction) -> bool:
    if root.opcode != "custom-call" or root.attribute("custom_call_target") not in _SAYING:
        return False
    return re.search(r"unspecified_dims=\[\s*\d", root.attribute("backend_config") or "") is not None


def _without_tiles(entry: ir.DictAttr) -> ir.DictAttr:
    return ir.DictAttr.get({one.name: one.attr for one in entry if one.name != _TEXT or _NAMED in one.attr.value})
