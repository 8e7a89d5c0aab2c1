"""Pieces of a block between conversions to one device and back (spec: interchange, 5.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.interchange.custom_calls import CUSTOM_CALL, FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL, target_of


@dataclass(slots=True)
class ManualRegion:
    """What is computed on one device: `ops` between the conversions `ins` and `outs`, all in the order of the block."""

    ins: list[ir.Operation] = field(default_factory=list)
    ops: list[ir.Operation] = field(default_factory=list)
    outs: list[ir.Operation] = field(default_factory=list)

    def captured(self) -> tuple[list[ir.Value], list[ir.Value]]:
        """What `ops` take that nothing converts but is made of constants and scalars, and these scalars.

        Raises `DiagnosticError` at an op that takes something else.
        """
        known = {result for op in (*self.ins, *self.ops) for result in op.results}
        found: dict[ir.Value, None] = {}
        scalars: dict[ir.Value, None] = {}
        for op in self.ops:
            for value in _operands(op):
                if value in known or value in found:
                    continue
                if not _add_scalars(value, scalars):
                    raise DiagnosticError(op, f"takes a value that no @{FULL_TO_SHARD} converts, beside others")
                found[value] = None
        return list(found), list(scalars)

    @property
    def conversions(self) -> list[ir.Operation]:
        return [*self.ins, *self.outs]


def regions_of(block: ir.Block) -> list[ManualRegion]:
    """The pieces of `block`; ops nested in regions of ops belong to the op of the block around them.

    Raises `DiagnosticError` at a conversion without its way back, and at what enters or leaves otherwise.
    """
    ops = [op.operation for op in block.operations]
    conversions = [op for op in ops if is_conversion(op)]
    for op in conversions:
        if len(op.operands) != 1 or len(op.results) != 1:
            raise DiagnosticError(op, f"@{target_of(op)} takes one value and returns it")
    if not conversions:
        return []
    found = _Finder(ops)
    return found.regions()


def is_conversion(op: ir.Operation) -> bool:
    return op.name == CUSTOM_CALL and target_of(op) in (FULL_TO_SHARD, SHARD_TO_FULL)


class _Finder:
    """Joins the ops of a block that have values of one device in common. Ops are named by their place in the block."""

    def __init__(self, ops: list[ir.Operation]) -> None:
        self._ops = ops
        self._place: dict[ir.Value, int] = {result: place for place, op in enumerate(ops) for result in op.results}
        self._parent = list(range(len(ops)))
        self._operands = [list(_operands(op)) for op in ops]
        self._kind = [target_of(op) if is_conversion(op) else "" for op in ops]
        self._local: set[int] = set()  # ops that compute on one device
        self._find_local()

    def regions(self) -> list[ManualRegion]:
        found: dict[int, ManualRegion] = {}
        for place, op in enumerate(self._ops):
            if place not in self._local and not self._kind[place]:
                continue
            region = found.setdefault(self._root(place), ManualRegion())
            listed = {FULL_TO_SHARD: region.ins, SHARD_TO_FULL: region.outs}.get(self._kind[place], region.ops)
            listed.append(op)
        return [region for region in found.values() if region.ops or region.outs]

    def _find_local(self) -> None:
        """Forward from what is converted to one device, then backward from what is converted back."""
        for place, operands in enumerate(self._operands):
            sources = [self._place[value] for value in operands if value in self._place]
            local = [source for source in sources if source in self._local or self._kind[source] == FULL_TO_SHARD]
            if self._kind[place] == FULL_TO_SHARD or not local:
                continue
            if not self._kind[place]:
                self._local.add(place)
                self._check_leaves(place)
            for source in local:
                self._join(source, place)
        for place, op in enumerate(self._ops):
            if self._kind[place] == SHARD_TO_FULL:
                source = self._place.get(op.operands[0])
                if source is None:
                    raise DiagnosticError(op, f"there is no @{FULL_TO_SHARD} for its operand")
                if not self._kind[source]:
                    self._local.add(source)
                self._join(source, place)
        for place in sorted(self._local):
            self._find_sources(place)

    def _find_sources(self, place: int) -> None:
        """Calls that the op takes results of and that take nothing themselves, as of a body without operands."""
        for value in self._operands[place]:
            source = self._place.get(value)
            if source is None:
                continue
            if source in self._local:
                self._join(source, place)
            elif self._is_body(self._ops[source]):
                self._local.add(source)
                self._join(source, place)
                self._find_sources(source)

    def _is_body(self, op: ir.Operation) -> bool:
        """Whether `op` calls with constants and scalars alone what gives values of one device."""
        if op.name != "func.call" or not all(_add_scalars(value, {}) for value in op.operands):
            return False
        users = [use.owner.operation for result in op.results for use in result.uses]
        return all(self._is_local(user) for user in users)

    def _is_local(self, op: ir.Operation) -> bool:
        places = [self._place[result] for result in op.results if result in self._place]
        return any(place in self._local or self._kind[place] == SHARD_TO_FULL for place in places)

    def _check_leaves(self, place: int) -> None:
        op = self._ops[place]
        if op.name in ("func.return", "sdy.return", "stablehlo.return"):
            raise DiagnosticError(op, f"returns a value of one device: there is no @{SHARD_TO_FULL} for it")

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = place = self._parent[self._parent[place]]
        return place

    def _join(self, first: int, second: int) -> None:
        first, second = sorted((self._root(first), self._root(second)))
        self._parent[second] = first


def _add_scalars(value: ir.Value, scalars: dict[ir.Value, None]) -> bool:
    """Adds the scalars that `value` is computed from, constants aside; whether it is computed from nothing else."""
    if _is_constant(value):
        return True
    if isinstance(value.type, ir.RankedTensorType) and value.type.rank == 0:
        scalars[value] = None
        return True
    op = value.owner.operation if isinstance(value, ir.OpResult) else None
    if op is None or not len(op.operands) or not _is_plain(op):
        return False
    return all(_add_scalars(operand, scalars) for operand in op.operands)


def _is_constant(value: ir.Value) -> bool:
    """Whether `value` is computed from nothing, or from what is: the same wherever that is done."""
    if not isinstance(value, ir.OpResult):
        return False
    op = value.owner.operation
    return _is_plain(op) and all(map(_is_constant, op.operands))


def _is_plain(op: ir.Operation) -> bool:
    return op.name not in (CUSTOM_CALL, "func.call") and not len(op.regions)


def _operands(op: ir.Operation) -> Iterable[ir.Value]:
    """What `op` and the ops in it take from outside of it."""
    yield from op.operands
    inside: set[ir.Value] = set()
    for region in op.regions:
        for block in region.blocks:
            inside |= set(block.arguments)
            for nested in block.operations:
                yield from (value for value in _operands(nested.operation) if value not in inside)
                inside |= set(nested.operation.results)


def constraint_before(op: ir.Operation) -> ir.Operation | None:
    """The `@Sharding` call whose result `op`, a conversion, takes."""
    value = op.operands[0]
    if not isinstance(value, ir.OpResult):
        return None
    source = value.owner.operation
    return source if source.name == CUSTOM_CALL and target_of(source) == SHARDING_CALL else None
