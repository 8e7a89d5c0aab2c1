"""Value numbering: values with one number are equal, since equal ops compute them from equal values.

Shardings are ignored: an op that only moves a tensor between devices keeps its number.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from sdy.dialect.builders import COLLECTIVES
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ir_builders.with_sharding import may_be_erased
from sdy.dialect.op_properties import is_constant, is_elementwise
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, is_visible
from sdy.stablehlo.idioms.loops import COMMUTATIVE
from sdy.stablehlo.op_table import Effects, ops_of

_BARRIER = "stablehlo.optimization_barrier"
_ADDING = frozenset({"sdy.all_reduce", "sdy.reduce_scatter"})
_SAME = frozenset({_BARRIER, "sdy.propagation_barrier", "sdy.reshard", *COLLECTIVES}) - _ADDING
"""Ops that give the whole tensor that they take; its parts may be on other devices."""

_FUNCTIONS = ops_of(effects=Effects.PURE) | ops_of(effects=Effects.FUNCTION) | _ADDING

_SHARDINGS = frozenset({SHARDING, "out_sharding"})


def has_no_effects(op: ir.Operation) -> bool:
    """Return whether an op only computes its results."""
    return may_be_erased(op) or (_is_function(op) and None not in map(_region_key, op.regions))


def op_key(
    op: ir.Operation, ignoring: Collection[str] = (), operands: Sequence[Hashable] | None = None
) -> Hashable | None:
    """Return a key that is equal for equal computations; None for an op whose regions are not compared.

    Args:
      op: any op.
      ignoring: names of attributes that do not count.
      operands: keys of the operands; by default the values themselves.
    """
    regions = tuple(_region_key(region, ignoring) for region in op.regions)
    if None in regions:
        return None
    told, types = _attributes(op, ignoring), tuple(result.type for result in op.results)
    return op.name, tuple(op.operands) if operands is None else tuple(operands), told, types, regions


def merge_equal(
    ops: Iterable[ir.Operation], ignoring: Collection[str] = ()
) -> tuple[list[ir.Operation], list[ir.Value]]:
    """Replace ops that compute the same value as an earlier one in the same block or around it.

    Returns:
      The remaining ops, and those of their results with new users.
    """
    known: dict[Hashable, list[ir.Operation]] = {}
    kept: list[ir.Operation] = []
    shared: list[ir.Value] = []
    for op in ops:
        key = op_key(op, ignoring)
        equal = [] if key is None else known.setdefault(key, [])
        earlier = next((other for other in equal if is_visible(other, op)), None)
        if earlier is None:
            equal.append(op)
            kept.append(op)
            continue
        for result, same in zip(op.results, earlier.results, strict=True):
            result.replace_all_uses_with(same)
            shared.append(same)
        op.erase()
    return kept, shared


class ValueNumbers:
    """Numbers of values; a value without a known equal has a number of its own.

    Args:
      known: numbers that are given.
      around: numbers of the values outside of the block `scope`; those of one `around` can be compared.
      equal: pairs of values that are taken to be equal.
      ignoring: names of attributes that do not count.
    """

    def __init__(
        self,
        known: Mapping[ir.Value, int] | None = None,
        around: ValueNumbers | None = None,
        scope: ir.Block | None = None,
        *,
        equal: Iterable[tuple[ir.Value, ir.Value]] = (),
        ignoring: Collection[str] = _SHARDINGS,
    ) -> None:
        self._numbers: dict[ir.Value, int] = dict(known or {})
        self._around = around
        self._scope = scope
        self._ignoring = ignoring
        self._interned: dict[Hashable, int] = {} if around is None else around._interned
        for first, second in equal:
            self._numbers[first] = self._numbers[second] = self._intern(("value", first))

    def of(self, value: ir.Value) -> int:
        """Return the number of `value`."""
        pending = [value]
        while pending:
            current = pending[-1]
            if current in self._numbers:
                pending.pop()
                continue
            needed = [each for each in self._needed(current) if each not in self._numbers]
            if needed:
                pending += needed
            else:
                self._numbers[pending.pop()] = self._number(current)
        return self._numbers[value]

    def _intern(self, key: Hashable) -> int:
        return self._interned.setdefault(key, len(self._interned))

    def _is_outside(self, value: ir.Value) -> bool:
        block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
        return self._around is not None and block != self._scope

    def _needed(self, value: ir.Value) -> list[ir.Value]:
        """Return the values whose numbers determine that of `value`."""
        op = None if self._is_outside(value) else defining_op(value)
        if op is None:
            return []
        if op.name in _SAME:
            return [op.operands[ir.OpResult(value).result_number if op.name == _BARRIER else 0]]
        return list(op.operands) if _is_function(op) else []

    def _number(self, value: ir.Value) -> int:
        if self._around is not None and self._is_outside(value):
            return self._around.of(value)
        op = defining_op(value)
        needed = [self._numbers[each] for each in self._needed(value)]
        if op is not None and op.name in _SAME:
            return needed[0]
        if op is None or not _is_function(op):
            return self._intern(("value", value))
        key = op_key(op, self._ignoring, needed)
        return self._intern(("value", value) if key is None else (key, ir.OpResult(value).result_number))


def _is_function(op: ir.Operation) -> bool:
    """Return whether the results follow from operands, attributes and regions."""
    return op.name in _FUNCTIONS or is_constant(op) or is_elementwise(op)


def _attributes(op: ir.Operation, ignoring: Collection[str]) -> tuple:
    attributes = op.attributes
    return tuple((name, attributes[name]) for name in sorted(attributes) if name not in ignoring)


def _region_key(region: ir.Region, ignoring: Collection[str] = ()) -> Hashable:
    """Equal for regions of ops on elements that do the same; None for others."""
    if len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    keys: dict[ir.Value, Hashable] = {argument: argument.arg_number for argument in block.arguments}
    *inside, end = [view.operation for view in block.operations]
    for op in inside:
        operands = [keys.get(operand) for operand in op.operands]
        if None in operands or len(op.results) != 1 or not (is_constant(op) or is_elementwise(op)):
            return None
        told = frozenset(operands) if op.name in COMMUTATIVE else tuple(operands)
        keys[op.results[0]] = (op.name, op.results[0].type, _attributes(op, ignoring), told)
    returned = tuple(keys.get(operand) for operand in end.operands)
    return None if None in returned else returned
