"""Composites: the rule follows from the ops of the decomposition. The reference has none."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar

from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.op_properties import is_terminator, shape_of
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import OpSignature, RuleBuilder
from sdy.dialect.ops.rules import rule_of, warn_unknown
from sdy.dialect.values.rule import FactorType, ShardingRule, TensorMapping
from sdy.mlir import ir
from sdy.mlir.functions import body, has_body
from sdy.mlir.rewriting import terminator
from sdy.mlir.walk import ops_around

_Dim = tuple[ir.Value, int]


_SOURCES = frozenset({"stablehlo.constant", "stablehlo.iota", "sdy.constant"})
"""Ops without operands, whose results may be sharded in any way."""


_path: ContextVar[tuple[str, ...]] = ContextVar("path", default=())
"""The decompositions whose rules are being made, from the outside in."""


@op_model("stablehlo.composite")
class Composite(OpModel):
    """The decomposition has global types, so every device computes the op replicated."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        """Dimensions that pass through the decomposition as a whole from operands to results correspond.

        Dimensions that the decomposition reduces, splits, joins or permutes on the way have factors of their own. None
        if no dimensions correspond, or the decomposition cannot be read.
        """
        function = _decomposition(op.operation)
        if function is None:
            warn_unknown(op.operation)
            return None
        name = ir.StringAttr(function.attributes["sym_name"]).value
        if name in _path.get():
            raise ValueError(f"the decomposition '{name}' contains itself")
        outer = _path.set((*_path.get(), name))
        try:
            groups = _Groups(body(function), op.conservative)
        finally:
            _path.reset(outer)
        return _rule(op, body(function), groups)

    def check_parts(self, op: ShardedOp) -> str | None:
        del op
        return "its decomposition is about whole tensors"

    def localize(self, op: LocalOp) -> None:
        layouts = (*op.operand_layouts, *op.result_layouts)
        if any(layout.placement or layout.unreduced for layout in layouts):
            op.gather_compute_slice()


def _decomposition(op: ir.Operation) -> ir.Operation | None:
    """Return the decomposition function of a composite, if it has one body of one block in the module of `op`."""
    (*_, module) = op, *ops_around(op)
    symbol = ir.FlatSymbolRefAttr(op.attributes["decomposition"]).value
    for view in module.regions[0].blocks[0].operations:
        found = view.operation
        if found.name == "func.func" and ir.StringAttr(found.attributes["sym_name"]).value == symbol:
            return found if has_body(found) and len(found.regions[0].blocks) == 1 else None
    return None


def _rule(op: OpSignature, block: ir.Block, groups: _Groups) -> ShardingRule | None:
    """Build the rule: one factor per group of dimensions of both operands and results."""
    returned = terminator(block).operands
    rule = RuleBuilder(op)
    is_empty = True
    for members in groups.lists(dim for value in (*block.arguments, *returned) for dim in _dims(value)):
        operands = _places(block.arguments, members)
        results = _places(returned, members)
        if operands and results:
            is_empty = False
            value, dim = members[0]
            rule.factor(value.type.shape[dim], operands, results)
    if is_empty:
        warn_unknown(op.operation)
        return None
    return rule.build()


def _places(values: Iterable[ir.Value], members: list[_Dim]) -> dict[int, int]:
    """Return the dimension of the group in each value that has one, by number of the value."""
    return {number: dim for number, value in enumerate(values) for member, dim in members if member == value}


def _dims(value: ir.Value) -> list[_Dim]:
    return [(value, dim) for dim in range(len(shape_of(value) or ()))]


class _Groups:
    """Dimensions of the values of a block, grouped by the factors that they share in the rules of its ops."""

    def __init__(self, block: ir.Block, conservative: bool) -> None:
        self._parents: dict[_Dim, _Dim] = {}
        self._whole: set[_Dim] = set()
        """Members of groups that have to stay in one piece."""
        for view in block.operations:
            op = view.operation
            if not is_terminator(op) and op.name not in _SOURCES:
                self._read(op, rule_of(op, conservative))

    def lists(self, wanted: Iterable[_Dim]) -> list[list[_Dim]]:
        """Return the wanted dimensions group by group, in order of appearance.

        Replicated dimensions are left out, and so are groups with two dimensions of one value.
        """
        whole = {self._root(dim) for dim in self._whole}
        groups: dict[_Dim, list[_Dim]] = {}
        for dim in dict.fromkeys(wanted):
            groups.setdefault(self._root(dim), []).append(dim)
        clashing = self._clashing()
        return [members for root, members in groups.items() if root not in whole and root not in clashing]

    def _read(self, op: ir.Operation, rule: ShardingRule | None) -> None:
        tensors = [*op.operands, *op.results]
        if rule is None:
            self._whole.update(dim for value in tensors for dim in _dims(value))
            return
        first: dict[int, _Dim] = {}
        for value, mapping in zip(tensors, rule.tensors, strict=True):
            self._read_tensor(value, mapping, rule, first)

    def _read_tensor(self, value: ir.Value, mapping: TensorMapping, rule: ShardingRule, first: dict[int, _Dim]) -> None:
        for dim, factors in enumerate(mapping):
            place = (value, dim)
            for factor in factors:
                self._join(first.setdefault(factor, place), place)
                is_free = rule.factor_types[factor] is FactorType.PASS_THROUGH
                is_all = len(factors) == 1 and rule.factor_sizes[factor] == value.type.shape[dim]
                if not (is_free and is_all) or factor in rule.blocked_propagation:
                    self._whole.add(place)

    def _clashing(self) -> set[_Dim]:
        """The groups with two dimensions of one value."""
        seen: dict[tuple[_Dim, ir.Value], int] = {}
        clashing: set[_Dim] = set()
        for value, dim in self._parents:
            root = self._root((value, dim))
            if seen.setdefault((root, value), dim) != dim:
                clashing.add(root)
        return clashing

    def _join(self, first: _Dim, second: _Dim) -> None:
        self._parents[self._root(second)] = self._root(first)

    def _root(self, dim: _Dim) -> _Dim:
        while self._parents.setdefault(dim, dim) != dim:
            dim = self._parents[dim]
        return dim
