"""Until when values are needed: how long each takes room, whatever is said of how much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sdy.mlir import address, ir

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
