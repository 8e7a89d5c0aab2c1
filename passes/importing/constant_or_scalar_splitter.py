"""sdy-constant-or-scalar-splitter: a copy of its own for each use of a constant computation or broadcast scalar.

    %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<8xf32>
==> %0 = sdy.constant dense<1.0> : tensor<8xf32>
    %1 = sdy.constant dense<1.0> : tensor<8xf32>
    %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8xf32>

Otherwise shardings would travel between unrelated users of the same constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sdy.dialect import ops
from sdy.dialect.functions import CallGraph, ModuleSymbols, clone_recursively, original_name, set_callee
from sdy.dialect.op_properties import is_elementwise, is_pure, is_scalar, is_scalar_expansion, is_terminator
from sdy.dialect.search import ops_named
from sdy.dialect.walk import pre_order
from sdy.mlir import ir, rewrite
from sdy.passes.registry import pass_

_GROUP = "sdy.sharding_group"
_COMPUTATION = "sdy.named_computation"
_CALL = "func.call"
_BROADCAST = "stablehlo.broadcast_in_dim"
_SOURCES = frozenset({"sdy.constant", "stablehlo.iota"})
_PRESERVING = frozenset({_BROADCAST, "stablehlo.reshape", "stablehlo.slice"})


@pass_("sdy-constant-or-scalar-splitter", on="builtin.module", aliases=("sdy-constant-splitter",))
def constant_or_scalar_splitter(module: ir.Operation) -> None:
    """Spec: import-passes, 4.4."""
    _convert_constants(module)
    symbols = ModuleSymbols(module)
    known = _Constness(symbols)
    for func in CallGraph(module).callee_first:
        for owner, candidates in _bodies(func):
            known.note_body(owner, original_name(func))
            constants = _Constants(candidates, known)
            constants.split(_in_textual_order(constants.users, owner), symbols)
            constants.erase_unused()


# Constants of StableHLO --------------------------------------------------------------------------


def _convert_constants(module: ir.Operation) -> None:
    """Makes every `stablehlo.constant` an `sdy.constant`, which nothing folds.

    As in the reference it is upstream's conversion driver that does so; in passing it folds what it has no opinion of,
    such as arithmetic of upstream dialects on constants that are about to go.
    """
    same = rewrite.TypeConverter()
    same.add_conversion(lambda type_: type_)
    target = rewrite.ConversionTarget()
    target.add_illegal_op("stablehlo.constant")
    patterns = rewrite.RewritePatternSet()
    patterns.add_conversion("stablehlo.constant", _convert_constant, same)
    rewrite.apply_partial_conversion(module, target, patterns.freeze())


def _convert_constant(op: Any, _adaptor: Any, _converter: Any, rewriter: rewrite.ConversionPatternRewriter) -> None:
    op, ip = op.operation, rewriter.ip
    stored = op.attributes
    try:
        value = stored["value"]
    except TypeError:
        new = _reparsed(op, ip)
    else:
        new = ops.constant(value, loc=op.location, ip=ip).owner.operation
    for name in stored:
        if name != "value":
            new.attributes[name] = stored[name]
    rewriter.replace_op(op, new)


def _reparsed(op: ir.Operation, ip: ir.InsertionPoint) -> ir.Operation:
    """An `sdy.constant` made through text: the bindings cannot hand out elements of some types, such as complex."""
    text = op.get_asm(print_generic_op_form=True)
    start = text.index("<{value = ") + len("<{")
    value = text[start : text.index("}>", start)]
    new = ir.Operation.parse(f'"sdy.constant"() {{{value}}} : () -> {op.results[0].type}').operation
    ip.insert(new)
    new.location = op.location
    return new


# Bodies ------------------------------------------------------------------------------------------


def _bodies(func: ir.Operation) -> list[tuple[ir.Operation, list[ir.Operation]]]:
    """The bodies that are split each on its own: those of named computations, nested ones first, then the function's.

    Comes with the ops in each that constant expressions and scalar expansions start from, in textual order.
    """
    computations = ops_named(func, _COMPUTATION)
    bodies: dict[ir.Operation, list[ir.Operation]] = {owner: [] for owner in (*computations, func)}
    for op in ops_named(func, *_SOURCES, _BROADCAST, _CALL, _COMPUTATION):
        bodies[_enclosing(op, bodies) if computations else func].append(op)
    return list(bodies.items())


def _enclosing(op: ir.Operation, bodies: Iterable[ir.Operation]) -> ir.Operation:
    """The innermost of the ops that hold `bodies` around `op`."""
    parent = op.parent.operation
    while parent not in bodies:
        parent = parent.parent.operation
    return parent


def _in_textual_order(ops: dict[ir.Operation, None], root: ir.Operation) -> list[ir.Operation]:
    """`ops`, which lie below `root`, parents before what they nest."""
    return [op for op in pre_order(root) if op in ops] if len(ops) > 1 else list(ops)


def _ops_of_body(owner: ir.Operation) -> Iterator[ir.Operation]:
    """The ops in a body, without those in the bodies of named computations."""
    regions = list(owner.regions)
    for region in regions:
        for block in region.blocks:
            for view in block.operations:
                op = view.operation
                yield op
                if len(op.regions) and op.name != _COMPUTATION:
                    yield from _ops_of_body(op)


class _Constness:
    """Which functions and named computations, by name, are more than constant expressions of their operands."""

    def __init__(self, symbols: ModuleSymbols) -> None:
        self._symbols = symbols
        self._functions: set[str] = set()
        self._computations: set[str] = set()

    def note_body(self, owner: ir.Operation, function: str) -> None:
        """Takes note of what the body of a function, or of a computation in it, is: callers ask later."""
        if all(map(self._may_be_in_constant, _ops_of_body(owner))):
            return
        self._functions.add(function)
        if owner.name == _COMPUTATION:
            self._computations.add(_computation_name(owner))

    def is_preserving(self, op: ir.Operation) -> bool:
        """Whether `op` makes constants of constants."""
        name = op.name
        if name == _CALL:
            return original_name(self._symbols.callee(op)) not in self._functions
        if name == _COMPUTATION:
            return _computation_name(op) not in self._computations
        return (name in _PRESERVING or is_elementwise(op)) and is_pure(op)

    def _may_be_in_constant(self, op: ir.Operation) -> bool:
        name = op.name
        return name in _SOURCES or name == _GROUP or self.is_preserving(op) or is_terminator(op)


def _computation_name(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["name"]).value


# Constants ---------------------------------------------------------------------------------------


class _Constants:
    """The constant expressions and scalar expansions of one body."""

    def __init__(self, candidates: Iterable[ir.Operation], known: _Constness) -> None:
        self._known = known
        self._constants: dict[ir.Operation, None] = {}
        self._expansions: dict[ir.Operation, None] = {}
        self._users: dict[ir.Operation, None] = {}
        self._values: set[ir.Value] = set()
        self._groups: dict[ir.Value, list[ir.Operation]] = {}
        for op in candidates:
            if op.name == _BROADCAST:
                if is_scalar_expansion(op):
                    self._expansions[op] = None
            elif op.name in _SOURCES or (not len(op.operands) and known.is_preserving(op)):
                self._spread(op)
        for op in [op for op in self._expansions if op in self._constants]:
            del self._expansions[op]
        for op in self._expansions:
            self._note_results(op)

    @property
    def users(self) -> dict[ir.Operation, None]:
        """Other ops that use their results."""
        inside = (self._constants, self._expansions)
        return {op: None for op in self._users if not any(op in ops for ops in inside) and op.name != _GROUP}

    def _spread(self, source: ir.Operation) -> None:
        """Adds a constant, and then all ops that make constants of nothing but constants."""
        pending = [source]
        while pending:
            op = pending.pop()
            if op in self._constants:
                continue
            self._constants[op] = None
            pending += [user for user in self._note_results(op) if self._is_constant(user)]

    def _note_results(self, op: ir.Operation) -> list[ir.Operation]:
        """Takes note of the results of `op` and their users; returns the latter."""
        results = list(op.results)
        self._values.update(results)
        users = dict.fromkeys(use.owner.operation for result in results for use in result.uses)
        self._users |= users
        return list(users)

    def _is_constant(self, op: ir.Operation) -> bool:
        return all(operand in self._values for operand in op.operands) and self._known.is_preserving(op)

    # Splitting -----------------------------------------------------------------------------------

    def split(self, users: Iterable[ir.Operation], symbols: ModuleSymbols) -> None:
        """Gives each operand of each user a copy of its own of what it is computed from."""
        for op in users:
            for index, operand in enumerate(list(op.operands)):
                if operand in self._values and not is_scalar(operand):
                    op.operands[index] = self._copy(operand, symbols)

    def _copy(self, root: ir.Value, symbols: ModuleSymbols) -> ir.Value:
        """A copy of what `root` is computed from, down to scalars, which are shared."""
        copies: dict[ir.Value, ir.Value] = {}
        pending = [(root, iter(list(root.owner.operation.operands)))]
        while pending:
            value, operands = pending[-1]
            operand = next(operands, None)
            if operand is None:
                pending.pop()
                self._copy_op(value, copies, symbols)
            elif operand not in copies and isinstance(operand, ir.OpResult) and not is_scalar(operand):
                pending.append((operand, iter(list(operand.owner.operation.operands))))
        return copies[root]

    def _copy_op(self, value: ir.Value, copies: dict[ir.Value, ir.Value], symbols: ModuleSymbols) -> None:
        """Copies the op of `value`, and the groups that `value` belongs to, in front of it."""
        op = value.owner.operation
        ip = ir.InsertionPoint(op)
        copy = _clone(op, copies, ip)
        copies.update(zip(op.results, copy.results, strict=True))
        if op.name == _CALL:
            set_callee(copy, symbols.insert(clone_recursively(symbols.callee(op), symbols)))
        for group in self._groups_of(value):
            _clone(group, copies, ip)

    def _groups_of(self, value: ir.Value) -> list[ir.Operation]:
        groups = self._groups.get(value)
        if groups is None:
            users = (use.owner.operation for use in value.uses)
            groups = self._groups[value] = [user for user in users if user.name == _GROUP]
        return groups

    def erase_unused(self) -> None:
        """Erases what nothing but groups uses any more, together with these."""
        for op in (*self._expansions, *reversed(self._constants)):
            users = [use.owner.operation for result in op.results for use in result.uses]
            if all(user.name == _GROUP for user in users):
                for user in users:
                    user.erase()
                op.erase()


def _clone(op: ir.Operation, copies: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Operation:
    """A copy of `op` whose operands are copies where there are any."""
    copy = op.clone(ip=ip).operation
    for index, operand in enumerate(op.operands):
        if operand in copies:
            copy.operands[index] = copies[operand]
    return copy
