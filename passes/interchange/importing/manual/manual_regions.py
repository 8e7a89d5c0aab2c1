"""Pieces of a block between conversions to one device and back (spec: interchange, 5.2).

Ops that have values of one device in common belong together. What is made of constants alone is put into each piece
that uses it: XLA shares such ops between pieces that follow one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.rewriting.uses import is_unused
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.custom_calls import FULL_TO_SHARD, SHARD_TO_FULL
from sdy.passes.interchange.importing.manual.block_flow import BlockFlow, is_token
from sdy.passes.interchange.importing.manual.levels import Level, levels_of
from sdy.passes.interchange.importing.manual.rounds import separate_rounds

_COLLECTIVES = frozenset(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)


@dataclass(slots=True)
class ManualRegion:
    """What is computed on one device: `ops` between the conversions `ins` and `outs`, all in the order of the block.

    `captured` are values that nothing converts, made of constants, `scalars` and `tokens`, which are computed again
    inside. `leaving` are tokens that others use.
    """

    ins: list[ir.Operation] = field(default_factory=list)
    ops: list[ir.Operation] = field(default_factory=list)
    outs: list[ir.Operation] = field(default_factory=list)
    captured: list[ir.Value] = field(default_factory=list)
    scalars: list[ir.Value] = field(default_factory=list)
    tokens: list[ir.Value] = field(default_factory=list)
    leaving: list[ir.Value] = field(default_factory=list)

    @property
    def conversions(self) -> list[ir.Operation]:
        return [*self.ins, *self.outs]


def regions_of(
    flow: BlockFlow,
    outer: Level,
    everything: Level,
    said: Callable[[int], Iterable[str] | None],
    is_pure: Callable[[ir.Operation], bool],
) -> tuple[list[ManualRegion], list[ir.Operation]]:
    """The pieces of a block, and the ops on one device that are in none, since each piece computes them again.

    Args:
      flow: the block; it looks again if ops that several pieces have in common were repeated.
      outer: the axes that are manual around it.
      everything: all axes of the mesh.
      said: the manual axes that the text of the op at a place says; None where it says none.
      is_pure: whether a `func.call` has no effects.

    Raises `DiagnosticError` at a conversion without its way back, and at what enters or leaves otherwise.
    """
    for place, op in enumerate(flow.ops):
        if flow.conversions[place] and (len(op.operands) != 1 or len(op.results) != 1):
            raise DiagnosticError(op, f"@{flow.conversions[place]} takes one value and returns it")
    while True:
        finder = _Finder(flow, levels_of(flow, outer, everything, said), outer, is_pure)
        pieces, left = finder.pieces()
        if not finder.separate_rounds(pieces):
            return finder.regions(pieces), left
        flow.look_again()


class _Finder:
    """Joins the ops of a block that have values of one device in common. Ops are named by their place in the block."""

    def __init__(
        self, flow: BlockFlow, levels: list[Level | None], outer: Level, is_pure: Callable[[ir.Operation], bool]
    ) -> None:
        self._flow, self._levels, self._outer, self._is_pure = flow, levels, outer, is_pure
        self._parent = list(range(len(flow.ops)))
        self._ins = {place for place in range(len(flow.ops)) if self._enters(place)}
        self._outs = {place for place in range(len(flow.ops)) if self._leaves(place)}
        self._inner = {place for place in range(len(flow.ops)) if self._is_inside(place)} - self._ins
        self._rooted = self._find_rooted()
        self._given: set[int] = set()  # conversions that a piece has

    def pieces(self) -> tuple[list[list[int]], list[ir.Operation]]:
        """The places of each piece, and the ops that no piece is to have."""
        self._check_ends()
        for place in sorted(self._inner | self._outs):
            for source in self._flow.sources[place]:
                if source in self._inner and (place in self._outs or self._is_alike(place, source)):
                    self._join(source, place)
            for token in self._flow.tokens[place]:
                source = self._flow.place_of(token)
                if source in self._inner:
                    self._join(source, place)
        left = self._join_rootless()
        members: dict[int, list[int]] = {}
        for place in sorted((self._inner | self._outs) - left):
            members.setdefault(self._root(place), []).append(place)
        return list(members.values()), [self._flow.ops[place] for place in sorted(left)]

    def separate_rounds(self, pieces: list[list[int]]) -> bool:
        """Gives what follows on results of the same piece ops of its own; whether there was any."""

        def may_be_done_again(place: int) -> bool:
            # All devices do what is in a piece, so that they meet in a collective once more.
            return self._flow.ops[place].name in _COLLECTIVES or self._is_repeatable(place)

        return separate_rounds(self._flow, pieces, self._outs, may_be_done_again)

    def regions(self, pieces: list[list[int]]) -> list[ManualRegion]:
        return [self._region(places) for places in pieces]

    # Where an op is computed ----------------------------------------------------------------------

    def _is_inside(self, place: int) -> bool:
        level = self._levels[place]
        return level is not None and level > self._outer

    def _enters(self, place: int) -> bool:
        is_conversion = self._flow.conversions[place] == FULL_TO_SHARD
        return is_conversion and not any(map(self._is_inside, self._flow.sources[place]))

    def _leaves(self, place: int) -> bool:
        return self._flow.conversions[place] == SHARD_TO_FULL and not self._is_inside(place)

    def _find_rooted(self) -> set[int]:
        """What is computed of values that are converted; the rest is made of constants."""
        found: set[int] = set()
        for place in sorted(self._inner):
            if any(source in self._ins or source in found for source in self._flow.sources[place]):
                found.add(place)
        return found

    def _check_ends(self) -> None:
        for place in self._inner:
            op = self._flow.ops[place]
            if op.name in ("func.return", "sdy.return", "stablehlo.return"):
                raise DiagnosticError(op, f"returns a value of one device: there is no @{SHARD_TO_FULL} for it")
        for place in self._outs:
            sources = self._flow.sources[place]
            if not sources or not (self._levels[sources[0]] is None or self._is_inside(sources[0])):
                raise DiagnosticError(self._flow.ops[place], f"there is no @{FULL_TO_SHARD} for its operand")

    # Which ops belong together --------------------------------------------------------------------

    def _is_alike(self, place: int, other: int) -> bool:
        return (place in self._rooted) == (other in self._rooted)

    def _join_rootless(self) -> set[int]:
        """Joins what is made of constants to the one piece that uses it; those ops that no piece is to have."""
        users: dict[int, set[int]] = {}
        leaving: set[int] = set()
        pieces: dict[int, list[int]] = {}
        for place in sorted(self._inner - self._rooted):
            root = self._root(place)
            pieces.setdefault(root, []).append(place)
            for user in self._flow.users[place]:
                if user in self._rooted:
                    users.setdefault(root, set()).add(self._root(user))
                elif user in self._outs:
                    leaving.add(root)
        left: set[int] = set()
        for root, places in pieces.items():
            using = users.get(root, set())
            if all(map(self._is_repeatable, places)):
                if root in leaving:
                    continue
                if len(using) != 1:
                    left |= set(places)
                    continue
            for user in using:
                self._join(root, user)
        return left

    def _is_repeatable(self, place: int) -> bool:
        """Whether the op may be computed again elsewhere."""
        op = self._flow.ops[place]
        if op.name == "func.call":
            return self._is_pure(op)
        return is_effect_free(op) and (not len(op.regions) or len(self._flow.taken[place]) == len(op.operands))

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = place = self._parent[self._parent[place]]
        return place

    def _join(self, first: int, second: int) -> None:
        first, second = sorted((self._root(first), self._root(second)))
        self._parent[second] = first

    # A piece --------------------------------------------------------------------------------------

    def _region(self, places: list[int]) -> ManualRegion:
        ops = [place for place in places if place in self._inner]
        own = self._own_level(places)
        ins = sorted({s for place in places for s in self._flow.sources[place] if s in self._ins})
        # What converts a constant further than the piece goes does so inside of it.
        deeper = {place for place in ins if self._takes_constant(place) and self._levels[place] != own}
        region = ManualRegion(
            [self._own_conversion(place, places) for place in ins if place not in deeper],
            [self._flow.ops[place] for place in ops],
            [self._flow.ops[place] for place in places if place in self._outs],
        )
        known = set(ops) | (set(ins) - deeper)
        self._capture(region, places, known)
        return region

    def _own_level(self, places: list[int]) -> Level | None:
        """The axes that are manual in all of a piece."""
        sources = [source for place in places for source in self._flow.sources[place] if source in self._ins]
        settled = [self._levels[s] for s in sources if not self._takes_constant(s)]
        found = [self._levels[place] for place in places if place in self._inner]
        return min([level for level in (*settled, *found) if level is not None], key=len, default=None)

    def _takes_constant(self, place: int) -> bool:
        return all(map(self._is_constant, self._flow.taken[place]))

    def _own_conversion(self, place: int, places: list[int]) -> ir.Operation:
        """The conversion at `place`, or a copy of it if another piece has it."""
        op = self._flow.ops[place]
        if place not in self._given:
            self._given.add(place)
            return op
        copy = op.clone(ip=ir.InsertionPoint.after(op)).operation
        for user in set(self._flow.users[place]) & set(places):
            for each in pre_order(self._flow.ops[user]):
                for index, operand in enumerate(each.operands):
                    if operand == op.results[0]:
                        each.operands[index] = copy.results[0]
        return copy

    def _capture(self, region: ManualRegion, places: list[int], known: set[int]) -> None:
        captured: dict[ir.Value, None] = {}
        scalars: dict[ir.Value, None] = {}
        for place in places:
            for value in self._flow.taken[place]:
                if value in captured or self._flow.place_of(value) in known:
                    continue
                if not self._is_made_of_scalars(value, scalars):
                    message = f"takes a value that no @{FULL_TO_SHARD} converts, beside others"
                    raise DiagnosticError(self._flow.ops[place], message)
                captured[value] = None
        region.captured, region.scalars = list(captured), list(scalars)
        self._add_tokens(region, places)

    def _add_tokens(self, region: ManualRegion, places: list[int]) -> None:
        made = [result for op in region.ops for result in op.results if is_token(result)]
        taken = dict.fromkeys(token for place in places for token in self._flow.tokens[place])
        region.tokens = [token for token in taken if token not in made]
        region.captured += region.tokens
        others = set(range(len(self._flow.ops))) - set(places)
        used = {token for place in others for token in self._flow.tokens[place]}
        region.leaving = [token for token in made if token in used]

    def _is_made_of_scalars(self, value: ir.Value, scalars: dict[ir.Value, None]) -> bool:
        """Adds the scalars that `value` is computed from, constants aside; whether it is computed of nothing else."""
        if self._is_constant(value):
            return True
        place = self._flow.place_of(value)
        is_inside = place is not None and self._is_inside(place)
        if isinstance(value.type, ir.RankedTensorType) and value.type.rank == 0 and not is_inside:
            scalars[value] = None
            return True
        if place is None or not self._may_be_captured(place) or not self._flow.taken[place]:
            return False
        return all(self._is_made_of_scalars(operand, scalars) for operand in self._flow.taken[place])

    def _is_constant(self, value: ir.Value) -> bool:
        """Whether `value` is computed from nothing, or from what is: the same wherever that is done."""
        place = self._flow.place_of(value)
        if place is None:
            return _is_constant_outside(value)
        return self._may_be_captured(place) and all(map(self._is_constant, self._flow.taken[place]))

    def _may_be_captured(self, place: int) -> bool:
        if place in self._outs or place in self._rooted or not self._is_repeatable(place):
            return False
        plain = self._flow.ops[place].name not in ("stablehlo.custom_call", "func.call")
        return plain or place in self._ins or self._levels[place] is None or self._is_inside(place)


def _is_constant_outside(value: ir.Value) -> bool:
    """The same of a value of a block around."""
    if not isinstance(value, ir.OpResult):
        return False
    op = value.owner.operation
    is_plain = op.name not in ("stablehlo.custom_call", "func.call") and not len(op.regions)
    return is_plain and all(map(_is_constant_outside, op.operands))


def erase_unused(ops: list[ir.Operation]) -> None:
    """Erases those of `ops`, in the order of their block, that no one uses any more."""
    for op in reversed(ops):
        if is_unused(op):
            op.erase()
