"""Liveness: memory of a local program on a device, and its contents at the peak.

Arguments live for the whole program, donated or not. The result of an op lives from the op to its last use, unless it
is fused or an alias. A result that takes the buffer of a donated argument costs nothing. A loop keeps its variables
once, and a second time those whose initial value has other users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from sdy.dialect.op_properties import is_constant
from sdy.dialect.surroundings import op_name
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import callee_name
from sdy.mlir.rewriting import terminator
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.op_cost import RENAMING, Fusion, renames, source
from sdy.passes.costs.program_collectives import kind_of
from sdy.stablehlo.idioms.loops import CONTROL_FLOW
from sdy.stablehlo.op_table import Memory, ops_in_memory

_IN_PLACE = ops_in_memory(Memory.IN_PLACE)

_NAMES: Names = dict.fromkeys(RENAMING, lambda op: ((op.results[0], op.operands[0]),) if renames(op) else ())
"""Ops whose results alias their operands and take no memory."""


@dataclass(frozen=True, slots=True)
class Held:
    """A tensor in memory: its bytes on one device, its description, and the name of the op that made it.

    `kind` is "argument", "collective" for the result of a collective, or "value".
    """

    bytes: int
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class LiveMemory:
    """The most that a device holds: `peak` bytes, of which `arguments` live for the whole program.

    `where` names the op at the peak; `held` are the tensors at that time, the largest first.
    """

    peak: int
    arguments: int
    where: str
    held: tuple[Held, ...]

    @property
    def by_kind(self) -> dict[str, int]:
        """Return the bytes at the peak by kind of tensor."""
        found = {"argument": 0, "value": 0, "collective": 0}
        for one in self.held:
            found[one.kind] += one.bytes
        return found


@dataclass(frozen=True, slots=True)
class _Peak:
    """The most memory that a block adds to that around it."""

    bytes: int = 0
    where: str = ""
    held: tuple[Held, ...] = ()


def live_memory(
    function: ir.Operation, module: ir.Operation, name_of: Callable[[ir.Location], str] = op_name
) -> LiveMemory:
    """Return the peak memory of one run of `function`, in a local module. `name_of` names a location."""
    block = _main_block(function, module, name_of)
    arguments = [_argument(value, name_of) for value in block.arguments]
    total, peak = sum(one.bytes for one in arguments), block.peak()
    held = sorted([*arguments, *peak.held], key=lambda one: -one.bytes)
    return LiveMemory(total + peak.bytes, total, peak.where, tuple(held))


def live_bytes(function: ir.Operation, module: ir.Operation) -> Iterator[tuple[ir.Operation, int]]:
    """Yield the ops of a function of a local module, in order, each with the bytes that a device holds during it."""
    block = _main_block(function, module, op_name)
    arguments = sum(byte_size(value.type) for value in block.arguments)
    yield from zip(block.ops, (arguments + int(size) for size in block.totals), strict=True)


@dataclass(frozen=True, slots=True)
class Stay:
    """Live range of a tensor: from the number of the op that makes it, to the number behind its last use.

    `op` is None for arguments, which live for the whole program.
    """

    held: Held
    op: ir.Operation | None
    first: int
    last: int


def stays(function: ir.Operation, module: ir.Operation) -> Iterator[Stay]:
    """Yield all tensors that a function of a local module holds, by the numbers of its ops; not inside of regions."""
    block = _main_block(function, module, op_name)
    for argument in block.arguments:
        yield Stay(_argument(argument, op_name), None, 0, len(block.ops))
    for value in block.values.values():
        if value.bytes:
            yield Stay(block.held(value), value.op, value.first, value.last)


def _main_block(function: ir.Operation, module: ir.Operation, name_of: Callable[[ir.Location], str]) -> _Block:
    block = function.regions[0].blocks[0]
    return _Block(block, Fusion.of(module), name_of, LastUses(block, _NAMES), _in_arguments(function, block))


@dataclass(frozen=True, slots=True)
class _Value:
    """Memory of a result from its op to its last use, by number."""

    bytes: int
    first: int
    last: int
    op: ir.Operation


class _Block:
    """The ops of a block in order; `totals` is the memory that the block adds while each of them runs.

    `free` are the addresses of values that take no memory of their own.
    """

    def __init__(
        self,
        block: ir.Block,
        fusion: Fusion,
        name_of: Callable[[ir.Location], str],
        uses: LastUses,
        free: frozenset[int] = frozenset(),
    ) -> None:
        self._block, self._fusion, self._name_of, self._uses, self._free = block, fusion, name_of, uses, free
        self.arguments = list(block.arguments)
        self.ops = uses.ops[block]
        self.values = {
            address(result): self._value(result, number, op)
            for number, op in enumerate(self.ops)
            for result in op.results
        }
        self._dying: dict[int, set[int]] = {}
        for key, value in self.values.items():
            self._dying.setdefault(value.last, set()).add(key)
        self._inner = self._peaks_inside()
        self.totals = held_at(len(self.ops), ((one.first, one.last, one.bytes) for one in self.values.values()))
        for number, inner in self._inner.items():
            self.totals[number] += inner.bytes
        for number, op in enumerate(self.ops):
            if op.name in _IN_PLACE:
                self.totals[number] -= self._bytes(self._counted_once(number))

    def peak(self) -> _Peak:
        """Return the most memory that the block adds, and the tensors in it."""
        if not self.ops:
            return _Peak()
        at = int(self.totals.argmax())
        inner = self._inner.get(at, _Peak())
        where = inner.where or self._name_of(self.ops[at].location)
        once = self._counted_once(at) if self.ops[at].name in _IN_PLACE else ()
        live = ((key, value) for key, value in self.values.items() if value.bytes and value.first <= at <= value.last)
        held = [self.held(value) for key, value in live if key not in once]
        return _Peak(int(self.totals[at]), where, (*held, *inner.held))

    def held(self, value: _Value) -> Held:
        """Return the description of a value in memory."""
        kind = "collective" if kind_of(value.op) is not None else "value"
        return Held(value.bytes, kind, self._name_of(value.op.location))

    def _value(self, result: ir.Value, number: int, op: ir.Operation) -> _Value:
        fused = is_constant(op) or not self._fusion.is_in_memory(result)
        has_no_room = fused or address(result) in self._free or self._uses.is_name(result)
        last = self._uses.last(result, self._block)
        return _Value(0 if has_no_room else byte_size(result.type), number, number if last is None else last, op)

    def _bytes(self, keys: Iterable[int]) -> int:
        return sum(self.values[key].bytes for key in keys)

    def _counted_once(self, number: int) -> set[int]:
        """Return the values that share buffers: results or dying operands of an op, whichever are smaller."""
        op = self.ops[number]
        results = set(map(address, op.results))
        first = {self._uses.source(operand) for operand in list(op.operands)[: len(op.results)]}
        dead = self._dying.get(number, set()) & first
        return results if self._bytes(dead) >= self._bytes(results) else dead

    def _peaks_inside(self) -> dict[int, _Peak]:
        """Return the temporary memory of ops by number."""
        found: dict[int, _Peak] = {}
        for number, op in enumerate(self.ops):
            inside: list[tuple[ir.Block, LastUses]] = []
            if op.name == "func.call":
                callee = self._fusion.functions.get(callee_name(op))
                blocks = callee.regions[0].blocks if callee is not None else ()
                inside = [(block, LastUses(block, _NAMES)) for block in blocks]
            elif op.name in CONTROL_FLOW:
                inside = [(block, self._uses) for block in self._uses.inside[self._block][number]]
            if inside:
                peaks = [
                    _Block(block, self._fusion, self._name_of, uses, _returned_arguments(block)).peak()
                    for block, uses in inside
                ]
                found[number] = max(peaks, key=lambda one: one.bytes)
        return found


def _returned_arguments(block: ir.Block) -> frozenset[int]:
    """Return the arguments that a body returns unchanged."""
    return frozenset(address(value) for value in terminator(block).operands if not isinstance(value, ir.OpResult))


# Donated arguments -----------------------------------------------------------------------------------


def aliases(function: ir.Operation) -> dict[int, int]:
    """Return the results that take the buffers of arguments, by number.

    A donated argument without a given result is taken by the first free result of its type.
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


def held_at(ops: int, spans: Iterable[tuple[int, int, float]]) -> np.ndarray:
    """Return the bytes that are held at each of so many ops.

    Args:
      ops: number of ops.
      spans: first and last op, both included, and bytes.
    """
    change = np.zeros(ops + 1)
    for first, last, size in spans:
        change[first] += size
        change[last + 1] -= size
    return change.cumsum()[:ops]


class LastUses:
    """The last uses of values in a block and in the blocks inside of it, found in one walk over all operands.

    An op uses the values that ops inside of it use. The use of an alias is a use of its value. Values are identified by
    their addresses, ops by their numbers in their block.

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
        """Return the value that `value` is an alias of."""
        key = address(value)
        return self._named.get(key, key)

    def is_name(self, value: ir.Value) -> bool:
        """Return whether `value` is only another name."""
        return address(value) in self._named

    def last(self, value: ir.Value, block: ir.Block) -> int | None:
        """Return the last op of `block` that uses a value, aliases apart; None if no op does."""
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
