"""Names of the functions that fragments become (spec: mpmd, 7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sdy.dialect.mpmd.values import UserOrigin
from sdy.mlir import ir
from sdy.mlir.functions import symbol_name
from sdy.passes.mpmd.common.fragments import call_counter, origins_of, stage_of

_LONGEST = 200
_CUT = "<...>"


def function_name(index: int, sites: Sequence[ir.Operation], *, is_forward: bool, module_name: str) -> str:
    """The name of the function for a group of fragments.

    Args:
      index: number of the group.
      sites: the fragments of the group, in program order.
      is_forward: no fragment of the module is of a backward pass.
      module_name: name of the module without `jit_`.
    """
    bases = [_base(site, is_forward=is_forward) for site in sites]
    suffix = _calls([call_counter(site) for site in sites]) if len(set(bases)) == 1 else ""
    name = f"p{index}_{bases[0]}{suffix}"
    if len(name) > _LONGEST:
        name = name[: _LONGEST - len(_CUT)] + _CUT
    return f"{name}.{module_name}"


def module_name_of(module: ir.Operation) -> str:
    """The name of a module without `jit_`; `main` if it has none."""
    return symbol_name(module).removeprefix("jit_") if "sym_name" in module.attributes else "main"


def _base(fragment: ir.Operation, *, is_forward: bool) -> str:
    origins = origins_of(fragment)
    if not origins:
        return "inferred"
    stage = stage_of(fragment)
    name = _origin_name(origins) if stage is None else f"stage{stage}"
    if is_forward:
        return name
    counts = sorted({origin.transpose_count for origin in origins})
    return name + "".join(map(_direction, counts))


def _direction(transpose_count: int) -> str:
    return {0: "_fwd", 1: "_bwd"}.get(transpose_count, f"_transpose{transpose_count}")


def _origin_name(origins: Sequence[UserOrigin]) -> str:
    """The most frequent name among those without numbers, with the range of its numbers."""
    split = [_split(origin.name) for origin in origins]
    counts = Counter(name for name, _ in split)
    most = min(counts, key=lambda name: (-counts[name], name))
    numbers = [number for name, number in split if name == most and number is not None]
    others = "..." if len(counts) > 1 else ""
    if not numbers:
        return most + others
    low, high = min(numbers), max(numbers)
    if low == high:
        return f"{most}_{low}{others}"
    is_backward = all(origin.transpose_count == 1 for origin in origins)
    return f"{most}_{high}:{low}{others}" if is_backward else f"{most}_{low}:{high}{others}"


def _split(name: str) -> tuple[str, int | None]:
    found = re.fullmatch(r"(.*)_(\d+)", name, re.DOTALL)
    return (name, None) if found is None else (found[1], int(found[2]))


def _calls(counters: Sequence[int | None]) -> str:
    """The range of microbatches if they ascend or descend without gaps."""
    numbers = [number for number in counters if number is not None]
    if not numbers or len(numbers) < len(counters):
        return ""
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return f"_call{first}"
    if numbers == list(range(first, last + 1)):
        return f"_calls{first}to{last}"
    return f"_calls{first}from{last}" if numbers == list(range(first, last - 1, -1)) else ""
