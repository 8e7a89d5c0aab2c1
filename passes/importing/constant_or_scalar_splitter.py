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
from dataclasses import dataclass, field

from sdy.dialect.functions import CallGraph, ModuleSymbols, clone_recursively, original_name, set_callee
from sdy.dialect.op_properties import is_elementwise, is_pure, is_scalar, is_scalar_expansion, is_terminator
from sdy.dialect.walk import post_order
from sdy.mlir import ir
from sdy.passes.registry import pass_

_GROUP = "sdy.sharding_group"
_COMPUTATION = "sdy.named_computation"
_CALL = "func.call"
_SOURCES = frozenset({"sdy.constant", "stablehlo.iota"})
_PRESERVING = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.slice"})


@pass_("sdy-constant-or-scalar-splitter", on="builtin.module", aliases=("sdy-constant-splitter",))
def constant_or_scalar_splitter(module: ir.Operation) -> None:
    """Spec: import-passes, 4.4."""
    for op in post_order(module, "stablehlo.constant"):
        _to_sdy_constant(op)
    splitter = _Splitter(ModuleSymbols(module))
    for func in CallGraph(module).callee_first:
        computations = post_order(func, _COMPUTATION)
        name = original_name(func)
        for op in (*computations, func):
            splitter.scan(op.regions[0], name)


def _to_sdy_constant(op: ir.Operation) -> None:
    stored = op.attributes
    new = ir.Operation.create(
        "sdy.constant",
        results=[op.results[0].type],
        attributes={name: stored[name] for name in stored},
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])
    op.erase()


def _ops_outside_computations(region: ir.Region) -> Iterator[ir.Operation]:
    """The ops of a region and of what it nests, parents first, without the bodies of named computations.

    Lists each block when it is reached, so ops that are inserted before the current one are not visited.
    """
    stack: list[Iterator[ir.Operation]] = [_ops_of(region)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
            continue
        yield op
        if len(op.regions) and op.name != _COMPUTATION:
            stack.extend(_ops_of(nested) for nested in reversed(list(op.regions)))


def _ops_of(region: ir.Region) -> Iterator[ir.Operation]:
    return iter([op.operation for block in region.blocks for op in block.operations])


@dataclass(slots=True)
class _Found:
    """What the scan of one region has found: ops in order, and the op of each of their results."""

    constants: dict[ir.Operation, None] = field(default_factory=dict)
    expansions: dict[ir.Operation, None] = field(default_factory=dict)
    defining: dict[ir.Value, ir.Operation] = field(default_factory=dict)


class _Splitter:
    """Knows which functions and named computations, by name, are more than constant expressions."""

    def __init__(self, symbols: ModuleSymbols) -> None:
        self._symbols = symbols
        self._non_constant_functions: set[str] = set()
        self._non_constant_computations: set[str] = set()

    def scan(self, region: ir.Region, func_name: str) -> None:
        """Splits the constants of one region; bodies of named computations in it are scanned on their own."""
        found = _Found()
        enclosing = _enclosing_computation(region)
        for op in _ops_outside_computations(region):
            if op.name == _GROUP:
                continue
            preserving = self._is_constant_preserving(op)
            if self._is_constant(op, preserving, found):
                found.constants[op] = None
                found.defining.update((result, op) for result in op.results)
                continue
            if not preserving and not is_terminator(op):
                self._non_constant_functions.add(func_name)
                if enclosing is not None:
                    self._non_constant_computations.add(enclosing)
            if is_scalar_expansion(op):
                found.expansions[op] = None
                found.defining[op.results[0]] = op
            else:
                self._split_operands(op, found)
        _erase_unused((*found.expansions, *reversed(found.constants)))

    def _is_constant_preserving(self, op: ir.Operation) -> bool:
        name = op.name
        if name == _CALL:
            return original_name(self._symbols.callee(op)) not in self._non_constant_functions
        if name == _COMPUTATION:
            return _computation_name(op) not in self._non_constant_computations
        return (name in _PRESERVING or is_elementwise(op)) and is_pure(op)

    @staticmethod
    def _is_constant(op: ir.Operation, preserving: bool, found: _Found) -> bool:
        if op.name in _SOURCES:
            return True
        return preserving and all(found.defining.get(operand) in found.constants for operand in op.operands)

    def _split_operands(self, op: ir.Operation, found: _Found) -> None:
        for index, operand in enumerate(list(op.operands)):
            if operand in found.defining:
                new = self._clone(operand)
                if new != operand:
                    op.operands[index] = new

    def _clone(self, root: ir.Value) -> ir.Value:
        """A copy of what `root` is computed from, down to scalars, which are shared."""
        copies: dict[ir.Value, ir.Value] = {}
        pending: list[tuple[ir.Value, Iterator[ir.Value]]] = []

        def enter(value: ir.Value) -> None:
            if value not in copies and isinstance(value, ir.OpResult) and not is_scalar(value):
                pending.append((value, iter(list(value.owner.operation.operands))))

        enter(root)
        while pending:
            value, operands = pending[-1]
            operand = next(operands, None)
            if operand is not None:
                enter(operand)
                continue
            pending.pop()
            self._clone_op(value, copies)
        return copies.get(root, root)

    def _clone_op(self, value: ir.Value, copies: dict[ir.Value, ir.Value]) -> None:
        """Copies the op of `value`, and the groups that `value` belongs to, in front of it."""
        op = value.owner.operation
        ip = ir.InsertionPoint(op)
        copy = _clone_onto(op, copies, ip)
        copies.update(zip(op.results, copy.results, strict=True))
        if op.name == _CALL:
            callee = self._symbols.callee(op)
            set_callee(copy, self._symbols.insert(clone_recursively(callee, self._symbols)))
        for group in [use.owner.operation for use in value.uses if use.owner.operation.name == _GROUP]:
            _clone_onto(group, copies, ip)


def _clone_onto(op: ir.Operation, copies: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Operation:
    """A copy of `op` whose operands are copies where there are any."""
    copy = op.clone(ip=ip).operation
    for index, operand in enumerate(op.operands):
        if operand in copies:
            copy.operands[index] = copies[operand]
    return copy


def _enclosing_computation(region: ir.Region) -> str | None:
    """The name of the named computation whose body `region` is."""
    op = region.owner.operation
    return _computation_name(op) if op.name == _COMPUTATION else None


def _computation_name(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["name"]).value


def _erase_unused(candidates: Iterable[ir.Operation]) -> None:
    """Erases, in order, each op that nothing but sharding groups use, together with these."""
    for op in candidates:
        users = [use.owner.operation for result in op.results for use in result.uses]
        if all(user.name == _GROUP for user in users):
            for user in users:
                user.erase()
            op.erase()
