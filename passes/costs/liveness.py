"""How much memory of a device a local program takes, and what is in it where that is most.

Arguments are there all the time, donated or not. What an op returns is there from the op to its last use, unless it is
fused, or another name for what is there. A result that takes the buffer of a donated argument costs nothing. A loop
keeps what it carries once, and a second time what somebody needs as it was before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sdy.dialect.op_names import op_name
from sdy.dialect.op_properties import is_constant
from sdy.mlir import address, ir
from sdy.mlir.functions import callee_name
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.tensor_bytes import byte_size
from sdy.passes.costs.fusion import RENAMING, Fusion, renames, source
from sdy.passes.costs.program_collectives import kind_of

_IN_PLACE = frozenset(f"stablehlo.{name}" for name in "dynamic_update_slice optimization_barrier scatter while".split())
"""Ops whose results take the buffers of their first operands, as many as there are, that nobody needs any more."""

_NAMES: Names = dict.fromkeys(RENAMING, lambda op: ((op.results[0], op.operands[0]),) if renames(op) else ())
"""What takes no room of its own, being another name for what is there."""


@dataclass(frozen=True, slots=True)
class Held:
    """A tensor in memory: how many bytes of one device it takes, what it is, and the name of the op that made it.

    `kind` is "argument", "collective" for what a collective returned, or "value".
    """

    bytes: int
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class LiveMemory:
    """The most that a device holds: `peak` bytes, of which `arguments` are there all the time.

    `where` names the op at which it is most; `held` is what is there then, the largest first.
    """

    peak: int
    arguments: int
    where: str
    held: tuple[Held, ...]

    @property
    def by_kind(self) -> dict[str, int]:
        """Bytes at the peak by kind of what is held."""
        found = {"argument": 0, "value": 0, "collective": 0}
        for one in self.held:
            found[one.kind] += one.bytes
        return found


@dataclass(slots=True)
class _Peak:
    """The most that a block adds to what is around it."""

    bytes: int = 0
    where: str = ""
    held: tuple[Held, ...] = ()


def live_memory(
    function: ir.Operation, module: ir.Operation, name_of: Callable[[ir.Location], str] = op_name
) -> LiveMemory:
    """Of a run of `function`, one of the local module. `name_of` says what a location is called."""
    block = function.regions[0].blocks[0]
    arguments = [_argument(value, name_of) for value in block.arguments]
    total = sum(one.bytes for one in arguments)
    fusion = Fusion.of(module)
    peak = _Block(block, fusion, name_of, LastUses(block, _NAMES), _in_arguments(function, block)).peak()
    held = sorted([*arguments, *peak.held], key=lambda one: -one.bytes)
    return LiveMemory(total + peak.bytes, total, peak.where, tuple(held))


def live_bytes(function: ir.Operation, module: ir.Operation) -> Iterator[tuple[ir.Operation, int]]:
    """The ops of a function of a local module, in order, each with the bytes that a device holds while it runs."""
    block = function.regions[0].blocks[0]
    arguments = sum(byte_size(value.type) for value in block.arguments)
    uses = LastUses(block, _NAMES)
    ops = uses.ops[block]
    found = _Block(block, Fusion.of(module), op_name, uses, _in_arguments(function, block)).totals(ops)
    yield from zip(ops, (arguments + size for size in found), strict=True)


@dataclass(frozen=True, slots=True)
class Stay:
    """How long a tensor is in memory: from the op that makes it, by number, to behind that of its last use.

    `op` is None for arguments, which are there all the time.
    """

    held: Held
    op: ir.Operation | None
    first: int
    last: int


def stays(function: ir.Operation, module: ir.Operation) -> Iterator[Stay]:
    """Of all tensors that a function of a local module holds, by the numbers of its ops; not inside of regions."""
    block = function.regions[0].blocks[0]
    uses = LastUses(block, _NAMES)
    ops = uses.ops[block]
    for argument in block.arguments:
        yield Stay(_argument(argument, op_name), None, 0, len(ops))
    found = _Block(block, Fusion.of(module), op_name, uses, _in_arguments(function, block))
    found.totals(ops)
    order = {id(op): number for number, op in enumerate(ops)}
    for value in found.values.values():
        if value.bytes:
            yield Stay(found.held(value), value.holder, order[id(value.holder)], value.last_use)


@dataclass(slots=True)
class _Value:
    """What one op of a block adds to memory, and until which op it is needed."""

    bytes: int
    last_use: int
    holder: ir.Operation


@dataclass(slots=True)
class _Block:
    """The ops of a block in order. `free` are the addresses of values that take no room of their own."""

    block: ir.Block
    fusion: Fusion
    name_of: Callable[[ir.Location], str]
    uses: LastUses
    free: frozenset[int] = frozenset()
    values: dict[int, _Value] = field(default_factory=dict)
    dying: dict[int, list[int]] = field(default_factory=dict)
    inner: dict[int, _Peak] = field(default_factory=dict)

    def peak(self) -> _Peak:
        ops = self.uses.ops[self.block]
        totals = self.totals(ops)
        if not totals:
            return _Peak()
        most = max(range(len(totals)), key=totals.__getitem__)
        inner = self.inner.get(most, _Peak())
        where = inner.where or self.name_of(ops[most].location)
        return _Peak(totals[most], where, (*self._held(most, ops), *inner.held))

    def totals(self, ops: list[ir.Operation]) -> list[int]:
        """What the block adds to memory while each of its ops runs."""
        self._find_values(ops)
        totals, now = [], 0
        for number, op in enumerate(ops):
            made = sum(self._bytes(result) for result in op.results)
            during = now + self._during(number, op)
            ends = sum(self.values[key].bytes for key in self.dying.get(number, ()))
            in_place = min(made, self._reused(number, op)) if op.name in _IN_PLACE else 0
            totals.append(during + made - in_place)
            now += made - ends
        return totals

    # Values --------------------------------------------------------------------------------------

    def _find_values(self, ops: list[ir.Operation]) -> None:
        for number, op in enumerate(ops):
            for result in op.results:
                fused = is_constant(op) or not self.fusion.is_in_memory(result)
                has_no_room = fused or address(result) in self.free or self.uses.is_name(result)
                last = self.uses.last(result, self.block)
                size = 0 if has_no_room else byte_size(result.type)
                self.values[address(result)] = _Value(size, number if last is None else last, op)
        for key, value in self.values.items():
            self.dying.setdefault(value.last_use, []).append(key)

    def _bytes(self, result: ir.Value) -> int:
        return self.values[address(result)].bytes

    def _dead(self, number: int, op: ir.Operation) -> set[int]:
        """The operands that die at an op, of those that its results may take the place of."""
        first = list(op.operands)[: len(op.results)]
        return set(self.dying.get(number, ())) & {self.uses.source(operand) for operand in first}

    def _reused(self, number: int, op: ir.Operation) -> int:
        return sum(self.values[key].bytes for key in self._dead(number, op))

    def _counted_once(self, number: int, op: ir.Operation) -> set[int]:
        """Of an op whose results take buffers of its operands, those that are the smaller part."""
        results = {address(result) for result in op.results}
        made = sum(self.values[key].bytes for key in results)
        return results if self._reused(number, op) >= made else self._dead(number, op)

    def _held(self, at: int, ops: list[ir.Operation]) -> Iterator[Held]:
        order = {id(op): number for number, op in enumerate(ops)}
        once = self._counted_once(at, ops[at]) if ops[at].name in _IN_PLACE else set()
        for key, value in self.values.items():
            if value.bytes and key not in once and order[id(value.holder)] <= at <= value.last_use:
                yield self.held(value)

    def held(self, value: _Value) -> Held:
        kind = "collective" if kind_of(value.holder) is not None else "value"
        return Held(value.bytes, kind, self.name_of(value.holder.location))

    # Regions -------------------------------------------------------------------------------------

    def _during(self, number: int, op: ir.Operation) -> int:
        """What an op needs while it runs, besides its operands and results."""
        inside: list[tuple[Any, LastUses]] = []
        if op.name == "func.call":
            callee = self.fusion.functions.get(callee_name(op))
            blocks = callee.regions[0].blocks if callee is not None else ()
            inside = [(block, LastUses(block, _NAMES)) for block in blocks]
        elif op.name in ("stablehlo.while", "stablehlo.case", "stablehlo.if"):
            inside = [(block, self.uses) for block in self.uses.inside[self.block][number]]
        peaks = [
            _Block(block, self.fusion, self.name_of, uses, _returned_arguments(block)).peak() for block, uses in inside
        ]
        if not peaks:
            return 0
        self.inner[number] = max(peaks, key=lambda one: one.bytes)
        return self.inner[number].bytes


def _returned_arguments(block: ir.Block) -> frozenset[int]:
    """What a body hands on as it got it."""
    return frozenset(address(value) for value in terminator(block).operands if not isinstance(value, ir.OpResult))


# Donated arguments -----------------------------------------------------------------------------------


def aliases(function: ir.Operation) -> dict[int, int]:
    """Which result takes the buffer of which argument, by numbers.

    An argument that is donated without saying for what is taken by the first result of its type that is left.
    """
    block = function.regions[0].blocks[0]
    entries = function.attributes.get("arg_attrs", ())
    found: dict[int, int] = {}
    donors = []
    for number, entry in enumerate(entries):
        if "tf.aliasing_output" in entry:
            found[ir.IntegerAttr(entry["tf.aliasing_output"]).value] = number
        elif "jax.buffer_donor" in entry and ir.BoolAttr(entry["jax.buffer_donor"]).value:
            donors.append(number)
    results = list(function.attributes["function_type"].value.results)
    for donor in donors:
        type_ = block.arguments[donor].type
        place = next((n for n, result in enumerate(results) if n not in found and result == type_), None)
        if place is not None:
            found[place] = donor
    return found


def _in_arguments(function: ir.Operation, block: ir.Block) -> frozenset[int]:
    """The values that are returned in the buffer of an argument."""
    returned = list(terminator(block).operands)
    return frozenset(address(source(returned[result])) for result in aliases(function))


def _argument(argument: ir.BlockArgument, name_of: Callable[[ir.Location], str]) -> Held:
    name = name_of(argument.location)
    return Held(byte_size(argument.type), "argument", name if name != "unknown" else f"argument {argument.arg_number}")


Names = Mapping[str, Callable[[ir.Operation], Iterable[tuple[ir.Value, ir.Value]]]]
"""By the names of ops: which of their results are only other names for values, and for which."""


class LastUses:
    """The last uses of values in a block and in the blocks inside of it, found in one walk over all operands.

    An op uses what ops inside of it use. A value is used where another name for it is. Values are told apart by their
    addresses, ops by their numbers in their block.

    Attributes:
      ops: those of each block, in order.
      inside: for each block the blocks inside of its ops, by the numbers of these.
    """

    def __init__(self, block: ir.Block, names: Names) -> None:
        self.ops: dict[ir.Block, list[ir.Operation]] = {}
        self.inside: dict[ir.Block, dict[int, list[ir.Block]]] = {}
        self._names = names
        self._named: dict[int, int] = {}
        self._last: dict[ir.Block, dict[int, int]] = {}
        self._read(block)

    def source(self, value: ir.Value) -> int:
        """The value of which `value` is another name."""
        key = address(value)
        return self._named.get(key, key)

    def is_name(self, value: ir.Value) -> bool:
        """Whether `value` is only another name."""
        return address(value) in self._named

    def last(self, value: ir.Value, block: ir.Block) -> int | None:
        """The last op of `block` that uses a value, which is no other name; None if none does."""
        return self._last[block].get(address(value))

    def _read(self, block: ir.Block) -> dict[int, int]:
        names, named = self._names, self._named
        last = self._last[block] = {}
        inside = self.inside[block] = {}
        ops = self.ops[block] = [view.operation for view in block.operations]
        for number, op in enumerate(ops):
            for value in op.operands:
                key = address(value)
                last[named.get(key, key)] = number
            if len(op.regions):
                inside[number] = [child for region in op.regions for child in region.blocks]
                for child in inside[number]:
                    last.update(dict.fromkeys(self._read(child), number))
            if op.name in names:
                for name, value in names[op.name](op):
                    named[address(name)] = self.source(value)
        return last
