"""Pieces of a block between conversions to one device and back (spec: interchange, 5.2).

Ops that share values of one device belong together. Values that depend on constants alone are copied into each piece
that uses them: XLA shares such ops between successive pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.rewriting import is_unused, use_instead
from sdy.passes.interchange.importing.manual.block_flow import BlockFlow, Level, is_token, levels_of, separate_rounds
from sdy.passes.interchange.sites import FULL_TO_SHARD, SHARD_TO_FULL

_COLLECTIVES = frozenset(
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter".split()
)


@dataclass(slots=True)
class ManualRegion:
    """Region of one device: `ops` between the conversions `ins` and `outs`, in the order of the block.

    `captured` are unconverted values made of constants, `scalars` and `tokens`, which are computed again inside.
    `leaving` are tokens with outside users.
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
    """Return the pieces of a block, and the ops on one device that are in none, since each piece recomputes them.

    Args:
      flow: the block; it looks again if ops that several pieces have in common were repeated.
      outer: the axes that are manual around it.
      everything: all axes of the mesh.
      said: the manual axes in the text of the op at a position; None without any.
      is_pure: whether a `func.call` has no effects.

    Raises `DiagnosticError` at a conversion without its inverse, and at other values that enter or leave.
    """
    for place, op in enumerate(flow.ops):
        if flow.conversions[place] and (len(op.operands) != 1 or len(op.results) != 1):
            raise DiagnosticError(op, f"@{flow.conversions[place]} takes one value and returns it")
    while True:
        sides = _Sides(flow, levels_of(flow, outer, everything, said), outer, is_pure)
        sides.check_ends()
        pieces, left = _Cut(sides).pieces()
        if not separate_rounds(flow, pieces, sides.outs, sides.may_be_done_again):
            regions = _Regions(sides)
            return [regions.region(places) for places in pieces], left
        flow.look_again()


# Where ops are computed ------------------------------------------------------------------------------


class _Sides:
    """The device side of each op of a block, by position in the block.

    Attributes:
      ins, outs: conversions to one device, and back.
      inner: other ops that are computed on one device.
      rooted: those of `inner` that are computed of converted values; the rest is made of constants.
    """

    def __init__(
        self, flow: BlockFlow, levels: list[Level | None], outer: Level, is_pure: Callable[[ir.Operation], bool]
    ) -> None:
        self.flow, self.levels, self._outer, self._is_pure = flow, levels, outer, is_pure
        places = range(len(flow.ops))
        self.ins = {place for place in places if self._enters(place)}
        self.outs = {place for place in places if self._leaves(place)}
        self.inner = {place for place in places if self.is_inside(place)} - self.ins
        self.rooted: set[int] = set()
        for place in sorted(self.inner):
            if any(source in self.ins or source in self.rooted for source in flow.sources[place]):
                self.rooted.add(place)

    def is_inside(self, place: int) -> bool:
        level = self.levels[place]
        return level is not None and level > self._outer

    def is_repeatable(self, place: int) -> bool:
        """Return whether the op may be computed again elsewhere."""
        op = self.flow.ops[place]
        if op.name == "func.call":
            return self._is_pure(op)
        return is_effect_free(op) and (not len(op.regions) or len(self.flow.taken[place]) == len(op.operands))

    def may_be_done_again(self, place: int) -> bool:
        """Return whether an op of a piece may be computed again; all devices then repeat its collectives."""
        return self.flow.ops[place].name in _COLLECTIVES or self.is_repeatable(place)

    def check_ends(self) -> None:
        """Raises `DiagnosticError` at a value that is not converted on its way in or out."""
        for place in self.inner:
            op = self.flow.ops[place]
            if op.name in ("func.return", "sdy.return", "stablehlo.return"):
                raise DiagnosticError(op, f"returns a value of one device: there is no @{SHARD_TO_FULL} for it")
        for place in self.outs:
            sources = self.flow.sources[place]
            if not sources or not (self.levels[sources[0]] is None or self.is_inside(sources[0])):
                raise DiagnosticError(self.flow.ops[place], f"there is no @{FULL_TO_SHARD} for its operand")

    def _enters(self, place: int) -> bool:
        is_conversion = self.flow.conversions[place] == FULL_TO_SHARD
        return is_conversion and not any(map(self.is_inside, self.flow.sources[place]))

    def _leaves(self, place: int) -> bool:
        return self.flow.conversions[place] == SHARD_TO_FULL and not self.is_inside(place)


# Which ops belong together ---------------------------------------------------------------------------


class _Cut:
    """Cuts a block into pieces: joins the ops that share values of one device."""

    def __init__(self, sides: _Sides) -> None:
        self._sides, self._flow = sides, sides.flow
        self._parent = list(range(len(sides.flow.ops)))

    def pieces(self) -> tuple[list[list[int]], list[ir.Operation]]:
        """Return the positions of each piece, and the ops to leave out of all pieces."""
        sides, flow = self._sides, self._flow
        own = sides.inner | sides.outs
        for place in sorted(own):
            for source in flow.sources[place]:
                is_alike = (place in sides.rooted) == (source in sides.rooted)
                if source in sides.inner and (place in sides.outs or is_alike):
                    self._join(source, place)
            for token in flow.tokens[place]:
                source = flow.place_of(token)
                if source in sides.inner:
                    self._join(source, place)
        left = self._join_rootless()
        members: dict[int, list[int]] = {}
        for place in sorted(own - left):
            members.setdefault(self._root(place), []).append(place)
        return list(members.values()), [flow.ops[place] for place in sorted(left)]

    def _join_rootless(self) -> set[int]:
        """Join constant computations to the only piece that uses them; returns ops that belong to no piece."""
        rooted, users, leaving = self._sides.rooted, dict[int, set[int]](), set[int]()
        pieces: dict[int, list[int]] = {}
        for place in sorted(self._sides.inner - rooted):
            root = self._root(place)
            pieces.setdefault(root, []).append(place)
            used_by = self._flow.users[place]
            users.setdefault(root, set()).update(self._root(user) for user in used_by if user in rooted)
            if not self._sides.outs.isdisjoint(used_by):
                leaving.add(root)
        left: set[int] = set()
        for root, places in pieces.items():
            if all(map(self._sides.is_repeatable, places)):
                if root in leaving:
                    continue
                if len(users[root]) != 1:
                    left |= set(places)
                    continue
            for user in users[root]:
                self._join(root, user)
        return left

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = place = self._parent[self._parent[place]]
        return place

    def _join(self, first: int, second: int) -> None:
        first, second = sorted((self._root(first), self._root(second)))
        self._parent[second] = first


# What a piece takes and gives ------------------------------------------------------------------------


class _Captured:
    """Values that a piece may take without a conversion, since it can recompute them."""

    def __init__(self, sides: _Sides) -> None:
        self._sides, self._flow = sides, sides.flow

    def of(self, places: list[int], known: set[int]) -> tuple[list[ir.Value], list[ir.Value]]:
        """Return the values that a piece captures, except results of ops at `known` and scalars."""
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
        return list(captured), list(scalars)

    def is_constant(self, value: ir.Value) -> bool:
        """Return whether `value` depends on constants alone, so that it is replicated."""
        place = self._flow.place_of(value)
        if place is None:
            return _is_constant_outside(value)
        return self._is_repeatable(place) and all(map(self.is_constant, self._flow.taken[place]))

    def _is_made_of_scalars(self, value: ir.Value, scalars: dict[ir.Value, None]) -> bool:
        """Add the scalars that `value` is computed from, without constants.

        Returns whether it depends on nothing else.
        """
        if self.is_constant(value):
            return True
        place = self._flow.place_of(value)
        is_inside = place is not None and self._sides.is_inside(place)
        if isinstance(value.type, ir.RankedTensorType) and value.type.rank == 0 and not is_inside:
            scalars[value] = None
            return True
        if place is None or not self._is_repeatable(place) or not self._flow.taken[place]:
            return False
        return all(self._is_made_of_scalars(operand, scalars) for operand in self._flow.taken[place])

    def _is_repeatable(self, place: int) -> bool:
        sides = self._sides
        if place in sides.outs or place in sides.rooted or not sides.is_repeatable(place):
            return False
        plain = self._flow.ops[place].name not in ("stablehlo.custom_call", "func.call")
        return plain or place in sides.ins or sides.levels[place] is None or sides.is_inside(place)


class _Regions:
    """Makes the regions of pieces; a conversion that several pieces need is copied for all but the first."""

    def __init__(self, sides: _Sides) -> None:
        self._sides, self._flow, self._captured = sides, sides.flow, _Captured(sides)
        self._given: set[int] = set()  # conversions that a piece has

    def region(self, places: list[int]) -> ManualRegion:
        """The region of the piece at `places`."""
        sides, flow = self._sides, self._flow
        own = self._own_level(places)
        inner = [place for place in places if place in sides.inner]
        ins = sorted({source for place in places for source in flow.sources[place] if source in sides.ins})
        # What converts a constant further than the piece goes does so inside of it.
        deeper = {place for place in ins if self._takes_constant(place) and sides.levels[place] != own}
        region = ManualRegion(
            [self._own_conversion(place, places) for place in ins if place not in deeper],
            [flow.ops[place] for place in inner],
            [flow.ops[place] for place in places if place in sides.outs],
        )
        region.captured, region.scalars = self._captured.of(places, set(inner) | (set(ins) - deeper))
        _add_tokens(region, flow, places)
        return region

    def _own_level(self, places: list[int]) -> Level | None:
        """The axes that are manual in all of a piece."""
        sides = self._sides
        sources = [source for place in places for source in self._flow.sources[place] if source in sides.ins]
        settled = [sides.levels[source] for source in sources if not self._takes_constant(source)]
        found = [sides.levels[place] for place in places if place in sides.inner]
        return min([level for level in (*settled, *found) if level is not None], key=len, default=None)

    def _takes_constant(self, place: int) -> bool:
        return all(map(self._captured.is_constant, self._flow.taken[place]))

    def _own_conversion(self, place: int, places: list[int]) -> ir.Operation:
        """Return the conversion at `place`, or a copy if another piece has it."""
        op = self._flow.ops[place]
        if place not in self._given:
            self._given.add(place)
            return op
        copy = op.clone(ip=ir.InsertionPoint.after(op)).operation
        for user in set(self._flow.users[place]) & set(places):
            use_instead(self._flow.ops[user], {op.results[0]: copy.results[0]})
        return copy


def _add_tokens(region: ManualRegion, flow: BlockFlow, places: list[int]) -> None:
    """Capture tokens from outside, and return those used outside: tokens are not on any device."""
    made = [result for op in region.ops for result in op.results if is_token(result)]
    taken = dict.fromkeys(token for place in places for token in flow.tokens[place])
    region.tokens = [token for token in taken if token not in made]
    region.captured += region.tokens
    others = set(range(len(flow.ops))) - set(places)
    used = {token for place in others for token in flow.tokens[place]}
    region.leaving = [token for token in made if token in used]


def _is_constant_outside(value: ir.Value) -> bool:
    """Return whether a value of a surrounding block is a constant."""
    if not isinstance(value, ir.OpResult):
        return False
    op = value.owner.operation
    is_plain = op.name not in ("stablehlo.custom_call", "func.call") and not len(op.regions)
    return is_plain and all(map(_is_constant_outside, op.operands))


def erase_unused(ops: list[ir.Operation]) -> None:
    """Erase the unused ones of `ops`, which are in block order."""
    for op in reversed(ops):
        if is_unused(op):
            op.erase()
