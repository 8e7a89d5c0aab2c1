"""Collectives in HLO text: what XLA made of a program, counted (spec: jax-execution, 7).

Reads the text of `jax.stages.Compiled.as_text()`, of XLA's dumps and of `as_hlo_text()`, of jaxlib 0.10 and 0.12.
"""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdy.passes.partitioning.ring import KINDS, moved_bytes

_BITS = {"pred": 8, "token": 0, "bf16": 16, "c64": 64, "c128": 128}
_ARRAY = re.compile(r"\b([a-z][a-z0-9]*)\[([0-9,<=]*)\]")
_NUMBERED = re.compile(r"[suf](\d+)")
_COMPUTATION = re.compile(r"^(ENTRY )?%?([^\s(]+) (\(.*-> .*)?\{\s*$")
_INSTRUCTION = re.compile(r"^\s+(?:ROOT )?%?([\w.\-]+) = (.*)$")
_CALLED = re.compile(r"(?:to_apply|calls|(?:true|false)_computation)=%?([\w.\-]+)")
_BRANCHES = re.compile(r"branch_computations=\{([^}]*)\}")
_TRIP_COUNT = re.compile(r'known_trip_count":\{"n":"(\d+)"')


@dataclass(frozen=True, slots=True)
class HloCollective:
    """A collective instruction.

    `operand_bytes` are those of one device, `moved_bytes` what it sends (see `sdy.passes.partitioning.ring`); both of
    one execution.
    `times` is how often it runs: the product of the trip counts of the loops around it.
    """

    kind: str
    name: str
    group_size: int
    tensors: int
    operand_bytes: int
    times: int

    @property
    def moved_bytes(self) -> float:
        return moved_bytes(self.kind, self.group_size, self.operand_bytes)


def collectives(text: str, num_devices: int, default_trip_count: int = 1) -> list[HloCollective]:
    """The collectives that the entry computation of an HLO module runs, in program order.

    A collective_permute is reported with groups of 2. `default_trip_count` stands in for a loop whose trip count the
    text does not say (only the final HLO does).
    """
    computations, entry = _parse(text)
    return list(_walk(computations, entry, 1, num_devices, default_trip_count))


def summary(found: Iterable[HloCollective]) -> dict[tuple[str, int], tuple[int, int, int, float]]:
    """By kind and group size: number of ops, of tensors, operand bytes, moved bytes; loops multiplied out."""
    table: dict[tuple[str, int], tuple[int, int, int, float]] = {}
    for one in found:
        ops, tensors, operand, moved = table.get((one.kind, one.group_size), (0, 0, 0, 0.0))
        table[one.kind, one.group_size] = (
            ops + one.times,
            tensors + one.tensors * one.times,
            operand + one.operand_bytes * one.times,
            moved + one.moved_bytes * one.times,
        )
    return table


def after_partitioning(lowered: Any, **compiler_options: Any) -> tuple[str | None, str]:
    """HLO text right after XLA's SPMD partitioner (None if that changed nothing) and at the end of the compilation.

    `lowered` is a `jax.stages.Lowered` or whatever has its `compile`.
    """
    with tempfile.TemporaryDirectory() as folder:
        dump = {"xla_dump_to": folder, "xla_dump_hlo_pass_re": "spmd-partitioning"}
        compiled = lowered.compile(compiler_options={**dump, **compiler_options})
        dumps = sorted(Path(folder).glob("*after_spmd-partitioning*.txt"))
        return (dumps[-1].read_text() if dumps else None), compiled.as_text()


# Parsing ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Instruction:
    name: str
    type: str
    opcode: str
    operands: tuple[str, ...]
    attributes: str


def _parse(text: str) -> tuple[dict[str, list[_Instruction]], str]:
    """Instructions by computation, and the name of the entry computation."""
    computations: dict[str, list[_Instruction]] = {}
    current: list[_Instruction] = []
    entry = ""
    for line in re.sub(r"/\*.*?\*/", "", text).splitlines():
        header = _COMPUTATION.match(line)
        if header and header[2] != "HloModule":
            current = computations.setdefault(header[2], [])
            entry = header[2] if header[1] else entry
        elif instruction := _INSTRUCTION.match(line):
            current.append(_instruction(instruction[1], instruction[2]))
    return computations, entry


def _instruction(name: str, rest: str) -> _Instruction:
    """Reads ``TYPE OPCODE(OPERANDS), ATTRIBUTES``."""
    split = _closing(rest) + 1 if rest.startswith("(") else rest.index(" ")
    tail = rest[split:].lstrip()
    opcode = tail.split("(")[0]
    end = _closing(tail)
    return _Instruction(name, rest[:split], opcode, _operand_names(tail[len(opcode) + 1 : end]), tail[end:])


def _closing(text: str) -> int:
    """Position of the parenthesis that closes the first one."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == ")" and depth == 0:
            return position
    raise ValueError(f"unbalanced parentheses in HLO text: {text[:80]}")


def _operand_names(text: str) -> tuple[str, ...]:
    """Names in ``f32[2,3]{1,0} %a, %b, c``."""
    names: list[str] = []
    depth, current = 0, ""
    for character in text + ",":
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            if current.strip():
                names.append(current.split()[-1].lstrip("%"))
            current = ""
        else:
            current += character
    return tuple(names)


def _bytes(type_: str) -> int:
    """Size of all arrays in a (tuple) type, layouts ignored."""
    total = 0
    for element, dims in _ARRAY.findall(type_):
        count = math.prod(int(dim.lstrip("<=")) for dim in dims.split(",") if dim)
        total += math.ceil(count * _bits(element) / 8)
    return total


def _bits(element: str) -> int:
    if element in _BITS:
        return _BITS[element]
    number = _NUMBERED.match(element)
    return int(number[1]) if number else 0


def _group_size(attributes: str, num_devices: int) -> int:
    _, found, groups = attributes.partition("replica_groups=")
    if not found:
        return num_devices
    if iota := re.match(r"\[(\d+),(\d+)\]<=", groups):  # [groups,size]<=[dims]T(permutation)
        return int(iota[2])
    if axes := re.match(r"mesh\[([^\]]*)\][^{]*\{([^}]*)\}", groups):  # mesh['a'=4,'b'=2] {'a':(1)2,'b'}
        sizes = {name: int(size) for name, size in re.findall(r"'?([\w.]+)'?=(\d+)", axes[1])}
        listed = re.findall(r"'?([\w.]+)'?(?::\(\d+\)(\d+))?", axes[2])
        return math.prod(int(part) if part else sizes[name] for name, part in listed)
    dense = re.match(r"\{(\{[\d,]+\}(?:,\{[\d,]+\})*)\}", groups)  # {{0,1},{2,3}}, or {} for all devices
    return max(group.count(",") + 1 for group in dense[1].split("},{")) if dense else num_devices


def _walk(
    computations: dict[str, list[_Instruction]], name: str, times: int, num_devices: int, default_trip_count: int
) -> Iterator[HloCollective]:
    """The collectives of a computation that runs `times` times, those of the computations it calls included."""
    body = computations.get(name, [])
    types = {instruction.name: instruction.type for instruction in body}
    for instruction in body:
        kind = instruction.opcode.removesuffix("-start").replace("-", "_")
        if kind in KINDS:
            group = 2 if kind == "collective_permute" else _group_size(instruction.attributes, num_devices)
            size = sum(_bytes(types.get(operand, "")) for operand in instruction.operands)
            yield HloCollective(kind, instruction.name, group, len(instruction.operands), size, times)
        for callee, count in _called(instruction, default_trip_count):
            yield from _walk(computations, callee, times * count, num_devices, default_trip_count)


def _called(instruction: _Instruction, default_trip_count: int) -> list[tuple[str, int]]:
    """Computations whose collectives the instruction runs, and how often."""
    attributes = instruction.attributes
    if instruction.opcode == "while":
        known = _TRIP_COUNT.search(attributes)
        body = re.search(r"body=%?([\w.\-]+)", attributes)
        return [(body[1], int(known[1]) if known else default_trip_count)] if body else []
    if instruction.opcode not in ("call", "async-start", "conditional"):
        return []
    names = _CALLED.findall(attributes)
    for branches in _BRANCHES.findall(attributes):
        names += [branch.strip().lstrip("%") for branch in branches.split(",")]
    return [(name, 1) for name in names]
