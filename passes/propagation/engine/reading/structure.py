"""The lists that a snapshot consists of, and how they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import chain

from sdy.mlir import address, ir
from sdy.mlir.per_context import PerContext


@dataclass(slots=True)
class Structure:
    """Lists of a snapshot (see there); `holders` has the op that each block argument belongs to."""

    names: list[str] = field(default_factory=list)
    attributes: list[ir.OpAttributeMap | None] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    operands: list[list[int]] = field(default_factory=list)
    results: list[range] = field(default_factory=list)
    regions: dict[int, list[list[int]]] = field(default_factory=dict)
    arguments: dict[int, list[int]] = field(default_factory=dict)
    types: list[TypeInfo] = field(default_factory=list)
    definers: list[int] = field(default_factory=list)
    num_uses: list[int] = field(default_factory=list)
    holders: list[int] = field(default_factory=list)


class StructureReader:
    """Reads ops, which are in pre-order; `leaves` are those into which is not looked.

    `blocks` has those of each op with regions, `numbers` those of the values by hash, and `branching` the regions with
    more than one block.
    """

    def __init__(
        self, module: ir.Operation, ops: Sequence[ir.Operation], leaves: Container[int], infos: dict[int, TypeInfo]
    ) -> None:
        self.structure = Structure()
        self.blocks: dict[int, list[ir.Block]] = {}
        # Values are told apart by their address.
        self._hashes: list[int] = []
        self.branching: list[ir.Region] = []
        self._ops, self._leaves, self._infos = ops, leaves, infos
        self._read_regions(module)
        self._find_parents()
        self._find_ends()
        # Whole lists are read at once, which is a good deal faster than op by op.
        self.structure.names = [op.name for op in ops]
        self.structure.attributes = [stored if len(stored := op.attributes) else None for op in ops]
        self._read_results()
        self._read_arguments()
        self.numbers: dict[int, int] = dict(zip(self._hashes, range(len(self._hashes)), strict=True))
        self._read_operands()

    def _read_regions(self, module: ir.Operation) -> None:
        """Finds which ops are directly in which region, from how many each block has."""
        # Few ops have regions. The next one is the last of the list.
        leaves = self._leaves
        ahead = [number for number, op in enumerate(self._ops) if len(op.regions) and number not in leaves][::-1]
        first = 0
        for block in module.regions[0].blocks:
            first = self._read_block(block, first, [], ahead)

    def _read_block(self, block: ir.Block, first: int, members: list[int], ahead: list[int]) -> int:
        """Adds the ops of a block, of which that number is the first, to `members`; returns the number behind it."""
        stop = first + len(block.operations)
        while ahead and ahead[-1] < stop:
            holder = ahead.pop()
            members += range(first, holder + 1)
            first = self._read_nested(holder, ahead)
            stop += first - holder - 1
        members += range(first, stop)
        return stop

    def _read_nested(self, op: int, ahead: list[int]) -> int:
        regions = self._ops[op].regions
        self.blocks[op], self.structure.regions[op] = found, members_of = [], [[] for _ in range(len(regions))]
        first = op + 1
        for place, members in enumerate(members_of):
            # An iterator takes longer.
            blocks = regions[place].blocks
            listed = [blocks[0]] if len(blocks) == 1 else list(blocks)
            found += listed
            if len(listed) > 1:
                self.branching.append(regions[place])
            for block in listed:
                first = self._read_block(block, first, members, ahead)
        return first

    def _find_parents(self) -> None:
        self.structure.parents = parents = [-1] * len(self._ops)
        for op, regions in self.structure.regions.items():
            for member in chain.from_iterable(regions):
                parents[member] = op

    def _find_ends(self) -> None:
        regions = self.structure.regions
        self.structure.ends = ends = list(range(1, len(self._ops) + 1))
        for op in reversed(regions):
            last = max((members[-1] for members in regions[op] if members), default=op)
            ends[op] = ends[last]

    def _read_results(self) -> None:
        structure, hashes, infos = self.structure, self._hashes, self._infos
        types, results = structure.types, structure.results
        start = 0
        for op in self._ops:
            found = op.results
            count = len(found)
            if count == 1:
                value = found[0]
                hashes.append(address(value))
                type_ = value.type
                types.append(infos.get(address(type_)) or info_of(type_, infos))
            elif count:
                hashes += map(address, found)
                types += [info_of(type_, infos) for type_ in found.types]
            results.append(range(start, start + count))
            start += count
        structure.definers += [number for number, values in enumerate(results) for _ in values]

    def _read_arguments(self) -> None:
        structure, hashes, infos = self.structure, self._hashes, self._infos
        types = structure.types
        for op, blocks in self.blocks.items():
            start = len(types)
            for block in blocks:
                arguments = block.arguments
                for place in range(len(arguments)):
                    value = arguments[place]
                    hashes.append(address(value))
                    type_ = value.type
                    types.append(infos.get(address(type_)) or info_of(type_, infos))
            structure.arguments[op] = added = list(range(start, len(types)))
            structure.holders += [op] * len(added)
        structure.definers += [-1] * len(structure.holders)

    def _read_operands(self) -> None:
        structure, numbers = self.structure, self.numbers
        structure.operands = [_numbers_of(op.operands, numbers) for op in self._ops]
        counts = Counter(chain.from_iterable(structure.operands))
        structure.num_uses = [counts[value] for value in range(len(structure.types))]


def _numbers_of(values: ir.OpOperandList, numbers: dict[int, int]) -> list[int]:
    count = len(values)
    # An iterator takes longer.
    return [numbers[address(values[0])]] if count == 1 else [numbers[address(values[place])] for place in range(count)]


@dataclass(frozen=True, slots=True, eq=False)
class TypeInfo:
    """One type. Equal only to itself, so that it can stand for the type in a key.

    `shape` is None for a type that is not shaped, and for one with a dimension or rank that is not known.
    """

    rank: int
    shape: tuple[int, ...] | None
    is_scalar: bool = False
    is_rejected: bool = False
    """Whether propagation refuses a module in which an op has a result of this type (spec: propagation, 1.2)."""

    @staticmethod
    def of(type_: ir.Type) -> TypeInfo:
        if isinstance(type_, ir.ShapedType):
            if not type_.has_rank:
                return TypeInfo(0, None, is_rejected=True)
            if not type_.has_static_shape:
                return TypeInfo(type_.rank, None, is_rejected=True)
            return TypeInfo(type_.rank, tuple(type_.shape), is_scalar=type_.rank == 0)
        return TypeInfo(0, None, is_rejected=isinstance(type_, ir.TupleType))


type_infos: PerContext[dict[int, TypeInfo]] = PerContext(dict)
"""What is known about the types of a context, by their address."""


def info_of(type_: ir.Type, infos: dict[int, TypeInfo]) -> TypeInfo:
    """What is known about a type, `infos` being those of its context."""
    info = infos.get(address(type_))
    if info is None:
        info = infos[address(type_)] = TypeInfo.of(type_)
    return info
