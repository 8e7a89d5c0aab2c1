"""sdy-verify-unreduced-axes: Check that ops make axes unreduced, or reduce them, only where they can.

Partial results may come only from ops that can compute them. Only `sdy.reshard` and reducing collectives complete them.

    %0 = stablehlo.negate %arg0 : tensor<8xf32>
==> error: 'stablehlo.negate' op reduces axes, which it cannot: {"x"}

where `%arg0` is unreduced on "x". The program is not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_walk import occurs
from sdy.dialect.shardings.value_shardings import bypass_barriers
from sdy.dialect.values.axes import AxisRef, difference
from sdy.dialect.values.sharding import Reduction, TensorSharding, axis_set
from sdy.dialect.verification.sharding_checks import ANY, NEVER, Change, check_unreduced, only
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, has_body
from sdy.mlir.search import ops_named
from sdy.mlir.walk import post_order
from sdy.passes.exporting.explicit_reshards.sharding_matcher import KnownShardings, Shardings, reduction_kind
from sdy.passes.registry import UNCHANGED, pass_

_MOVES = ("sdy.reshard", "sdy.sharding_constraint")

_REDUCING = ("sdy.all_reduce", "sdy.reduce_scatter")


@pass_("sdy-verify-unreduced-axes", on="func.func")
def verify_unreduced_axes(func: ir.Operation) -> object:
    """Raises at the first op, nested ones first, whose unreduced axes do not fit (spec: export-passes, 7)."""
    if has_body(func) and of_module(_may_be_wrong, func) and _has_to_be_checked(func):
        check = _Check(func)
        for op in post_order(func):
            check.visit(op)
    return UNCHANGED


def _may_be_wrong(module: ir.Operation) -> bool:
    """Return whether there is anything to check in the module; most programs have no unreduced axes."""
    return _has_unreduced(module) or bool(ops_named(module, *_REDUCING))


def _has_to_be_checked(func: ir.Operation) -> bool:
    return _has_unreduced(func) or _calls_unreduced(func) or bool(ops_named(func, *_REDUCING))


def _has_unreduced(root: ir.Operation) -> bool:
    """Return whether anything in a function or module has unreduced axes."""
    return occurs(root, lambda sharding: sharding.unreduced)


def _calls_unreduced(func: ir.Operation) -> bool:
    calls = ops_named(func, "func.call")
    if not calls:
        return False
    symbols = of_module(ModuleSymbols, func)
    callees = dict.fromkeys(map(symbols.callee, calls))
    listed = [sharding for callee in callees for sharding in (*arg_shardings(callee), *result_shardings(callee))]
    return any(sharding is not None and sharding.unreduced for sharding in listed)


class _Check:
    """The checks of one function."""

    def __init__(self, func: ir.Operation) -> None:
        self.func = func
        self.meshes = of_module(MeshTable, func)
        self.symbols = of_module(ModuleSymbols, func)
        self.known = KnownShardings(func)

    def visit(self, op: ir.Operation) -> None:
        by_name = _BY_NAME.get(op.name)
        if by_name is not None:
            by_name(self, op)
        elif not is_terminator(op):
            self.other(op)

    # Questions -----------------------------------------------------------------------------------

    def operand(self, value: ir.Value) -> TensorSharding | None:
        """Return the sharding of an operand; None behind an op that exists to change it."""
        return None if self.is_moved(value) else self.known.bypassing_barriers([value])[0]

    def is_moved(self, value: ir.Value) -> bool:
        source = bypass_barriers(value)
        return isinstance(source, ir.OpResult) and source.owner.operation.name in _MOVES

    def results(self, op: ir.Operation) -> Shardings:
        return self.known.bypassing_barriers(op.results)

    def transition(
        self,
        op: ir.Operation,
        operands: Sequence[TensorSharding | None],
        results: Sequence[TensorSharding | None],
        introduce: Change,
        remove: Change = NEVER,
    ) -> None:
        before = [sharding for sharding in operands if sharding is not None]
        after = [sharding for sharding in results if sharding is not None]
        meshes = [mesh for sharding in (*before, *after) if (mesh := self.meshes.of(sharding)) is not None]
        problem = check_unreduced(before, after, meshes, introduce, remove) if meshes else None
        if problem is not None:
            raise DiagnosticError(op, problem)

    def expect_same(
        self, op: ir.Operation, value: TensorSharding | None, wanted: TensorSharding | None, what: str
    ) -> None:
        have, want = (() if sharding is None else sharding.unreduced for sharding in (value, wanted))
        if have != want:
            raise DiagnosticError(
                op, f"has {what} with unreduced axes {axis_set(have)}, expected {axis_set(want)}; use sdy.reshard"
            )

    # Ops -----------------------------------------------------------------------------------------

    def other(self, op: ir.Operation) -> None:
        """Any op may compute partial results, of one kind, but none may ignore that its operands are partial."""
        operands = [self.operand(value) for value in op.operands]
        results = self.results(op)
        self.transition(op, operands, results, ANY)
        before = [axis for sharding in operands if sharding is not None for axis in sharding.unreduced]
        partial = [sharding for sharding in results if sharding is not None and sharding.unreduced]
        kinds = {sharding.reduction for sharding in partial if self._introduces(sharding, before)}
        if len(kinds) > 1:
            raise DiagnosticError(op, "has results that become unreduced by different reductions")

    def _introduces(self, result: TensorSharding, before: Sequence[AxisRef]) -> bool:
        mesh = self.meshes.of(result)
        if mesh is None:
            return False
        # An operand may be on another mesh.
        known = [axis for axis in before if axis.name in mesh.axis_sizes]
        return bool(difference(result.unreduced, known, mesh.axis_sizes))

    def moved(self, op: ir.Operation) -> None:
        """Reshards and constraints may do anything that their own verification lets pass."""

    def reducing_collective(self, op: ir.Operation) -> None:
        if self.known.of(op.operands[0]) is None:
            raise DiagnosticError(op, "expects an operand with a sharding")

    def dot(self, op: ir.Operation) -> None:
        self.transition(op, [self.operand(v) for v in op.operands], self.results(op), only(Reduction.SUM))

    def reduce(self, op: ir.Operation) -> None:
        kind = reduction_kind(op)
        inputs = list(op.operands)[: len(op.results)]
        introduce = NEVER if kind is None else only(kind)
        self.transition(op, [self.operand(value) for value in inputs], self.results(op), introduce)

    def stablehlo_collective(self, op: ir.Operation) -> None:
        kind = reduction_kind(op)
        operand = self.known.bypassing_barriers([op.operands[0]])
        remove = NEVER if kind is None else only(kind)
        self.transition(op, operand, self.results(op)[:1], NEVER, remove)

    def call(self, op: ir.Operation) -> None:
        callee = self.symbols.callee(op)
        for index, (value, wanted) in enumerate(zip(op.operands, arg_shardings(callee), strict=True)):
            if not self.is_moved(value):
                self.expect_same(op, self.operand(value), wanted, f"operand {index}")
        for index, (own, returned) in enumerate(zip(self.results(op), result_shardings(callee), strict=True)):
            self.expect_same(op, own, returned, f"result {index}")

    def func_return(self, op: ir.Operation) -> None:
        self._returned(op, result_shardings(self.func))

    def sdy_return(self, op: ir.Operation) -> None:
        flow_op = op.parent.operation
        shardings = [self.known.of(value) for value in flow_op.results]
        if flow_op.name == "sdy.manual_computation":
            manual = attributes.get(flow_op, "manual_axes").names
            shardings = [None if s is None else s.erase_manual_axes(manual) for s in shardings]
        self._returned(op, shardings)

    def _returned(self, op: ir.Operation, wanted: Sequence[TensorSharding | None]) -> None:
        for index, (value, sharding) in enumerate(zip(op.operands, wanted, strict=True)):
            if sharding is not None and not self.is_moved(value):
                self.expect_same(op, self.operand(value), sharding, f"operand {index}")


_BY_NAME: dict[str, Callable[[_Check, ir.Operation], None]] = {
    **dict.fromkeys(_MOVES, _Check.moved),
    **dict.fromkeys(_REDUCING, _Check.reducing_collective),
    **dict.fromkeys(("stablehlo.dot", "stablehlo.dot_general"), _Check.dot),
    **dict.fromkeys(("stablehlo.all_reduce", "stablehlo.reduce_scatter"), _Check.stablehlo_collective),
    "stablehlo.reduce": _Check.reduce,
    "func.call": _Check.call,
    "func.return": _Check.func_return,
    "sdy.return": _Check.sdy_return,
}
