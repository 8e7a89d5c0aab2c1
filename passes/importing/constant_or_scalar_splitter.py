"""sdy-constant-or-scalar-splitter: Clone constant computations and broadcast scalars for each use.

    %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<8xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<8xf32>
==> %0 = sdy.constant dense<1.0> : tensor<8xf32>
    %1 = sdy.constant dense<1.0> : tensor<8xf32>
    %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8xf32>

This keeps shardings from travelling between unrelated users of one constant.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from sdy.dialect.op_properties import is_elementwise, is_pure, is_scalar, is_scalar_expansion, is_terminator
from sdy.mlir import address, ir, rewrite
from sdy.mlir.functions import CallGraph, ModuleSymbols, clone_recursively, original_name, set_callee
from sdy.mlir.pdl import apply_pdl
from sdy.mlir.rewriting import clone_with
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity, in_textual_order, ops_around
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
            constants.split(owner, symbols)
            constants.erase_unused()


# Constants of StableHLO --------------------------------------------------------------------------

_CONVERSION = """
pdl.pattern : benefit(1) {{
  %type = pdl.type
  %value = pdl.attribute
  %old = pdl.operation "stablehlo.constant" {{"value" = %value}} -> (%type : !pdl.type)
  pdl.rewrite %old {{
    %new = pdl.operation "sdy.constant" {{"value" = %value}} -> (%type : !pdl.type)
    {copy_attributes}
    pdl.replace %old with %new
  }}
}}"""
"""In PDL, since a program has thousands of constants, and some have elements that the bindings cannot hand out."""

_COPY_ATTRIBUTES = 'pdl.apply_native_rewrite "copy_attributes"(%old, %new : !pdl.operation, !pdl.operation)'


def _convert_constants(module: ir.Operation) -> None:
    """Makes every `stablehlo.constant` an `sdy.constant`, which nothing folds.

    The reference uses upstream's conversion driver. As a side effect the driver folds ops that it has no pattern for,
    such as arithmetic of upstream dialects on constants; so it runs here as well, without patterns.
    """
    target = rewrite.ConversionTarget()
    rewrite.apply_partial_conversion(module, target, rewrite.RewritePatternSet().freeze())
    has_attributes = any(len(op.attributes) > 1 for op in ops_named(module, "stablehlo.constant"))
    if has_attributes:
        apply_pdl(module, _CONVERSION.format(copy_attributes=_COPY_ATTRIBUTES), {"copy_attributes": _copy_attributes})
    else:
        apply_pdl(module, _CONVERSION.format(copy_attributes=""))


def _copy_attributes(
    _rewriter: rewrite.PatternRewriter, _results: rewrite.PDLResultList, ops: list[ir.Operation]
) -> None:
    """Gives the second of two ops all attributes of the first."""
    old, new = ops
    stored = old.attributes
    if len(stored) > 1:
        for name in stored:
            if name != "value":
                new.attributes[name] = stored[name]


# Bodies ------------------------------------------------------------------------------------------


def _bodies(func: ir.Operation) -> list[tuple[ir.Operation, list[ir.Operation]]]:
    """Return the bodies to split separately: those of named computations, inner ones first, then the function's.

    Comes with the ops in each that constant expressions and scalar expansions start from, in textual order.
    """
    candidates = ops_named(func, *_SOURCES, _BROADCAST, _CALL, _COMPUTATION)
    computations = [op for op in candidates if op.name == _COMPUTATION]
    if not computations:
        return [(func, candidates)]
    bodies: dict[ir.Operation, list[ir.Operation]] = {owner: [] for owner in (*computations, func)}
    for op in candidates:
        bodies[next(each for each in ops_around(op) if each in bodies)].append(op)
    return list(bodies.items())


def _ops_of_body(owner: ir.Operation) -> Iterator[ir.Operation]:
    """The ops in a body, without those in the bodies of named computations."""
    path = [_ops_in(owner)]
    while path:
        op = next(path[-1], None)
        if op is None:
            path.pop()
            continue
        yield op
        if len(op.regions) and op.name != _COMPUTATION:
            path.append(_ops_in(op))


def _ops_in(op: ir.Operation) -> Iterator[ir.Operation]:
    return (nested.operation for region in op.regions for block in region.blocks for nested in block.operations)


class _Constness:
    """Functions and named computations, by name, that are not constant expressions."""

    def __init__(self, symbols: ModuleSymbols) -> None:
        self._symbols = symbols
        self._functions: set[str] = set()
        self._computations: set[str] = set()
        self._preserving_unary: dict[tuple[str, int, int], bool] = {}
        """By name and the addresses of types."""
        self._noted_before: set[Hashable] = set()
        """Computations in a body of their own name, in front of what makes that body more than constant."""

    def note_body(self, owner: ir.Operation, function: str) -> None:
        """Records the ops of the body of a function or computation for later queries."""
        for op in _ops_of_body(owner):
            if not self._may_be_in_constant(op):
                break
            if op.name == _COMPUTATION:
                self._noted_before.add(identity(op))
        else:
            return
        self._functions.add(function)
        if owner.name == _COMPUTATION:
            self._computations.add(_computation_name(owner))

    def is_preserving(self, op: ir.Operation) -> bool:
        """Return whether `op` makes constants of constants."""
        name = op.name
        if name == _CALL:
            return original_name(self._symbols.callee(op)) not in self._functions
        if name == _COMPUTATION:
            return _computation_name(op) not in self._computations or identity(op) in self._noted_before
        operands = op.operands
        if name == "stablehlo.bitcast_convert" or not (len(operands) == len(op.results) == 1):
            return _is_preserving(op)
        # Most ops that constants go into; what is true of one is true of all of them.
        key = (name, address(operands[0].type), address(op.results[0].type))
        preserving = self._preserving_unary.get(key)
        if preserving is None:
            preserving = self._preserving_unary[key] = _is_preserving(op)
        return preserving

    def _may_be_in_constant(self, op: ir.Operation) -> bool:
        name = op.name
        return name in _SOURCES or name == _GROUP or self.is_preserving(op) or is_terminator(op)


def _is_preserving(op: ir.Operation) -> bool:
    return (op.name in _PRESERVING or is_elementwise(op)) and is_pure(op)


def _computation_name(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["name"]).value


# Constants ---------------------------------------------------------------------------------------


class _Constants:
    """The constant expressions and scalar expansions of one body.

    They are recognized by their results: equal ops are equal keys, and a program has many equal constants. Values are
    identified by their address; none of them is erased before all copies exist.
    """

    def __init__(self, candidates: Iterable[ir.Operation], known: _Constness) -> None:
        self._known = known
        self._values: set[int] = set()
        self._copies: dict[int, ir.Operation] = {}
        """Values used once and computed only from such values, which are copies already, and their ops."""
        self._constants: list[ir.Operation] = []
        """The other constant expressions, each behind those whose results it uses."""
        self._expansions: list[ir.Operation] = []
        """The other scalar expansions, in textual order."""
        self._without_results: list[ir.Operation] = []
        self._shared: dict[int, ir.Value] = {}
        """The results of ops that are not copies already, without scalars."""
        self._groups: dict[ir.Value, list[ir.Operation]] = {}
        broadcasts: list[ir.Operation] = []
        for op in candidates:
            name = op.name
            if name == _BROADCAST:
                broadcasts.append(op)
            elif name in _SOURCES or (not len(op.operands) and known.is_preserving(op)):
                self._spread(op)
        for op in broadcasts:
            if address(op.result) not in self._values and is_scalar_expansion(op):
                self._add(op, (), self._expansions)

    def _spread(self, source: ir.Operation) -> None:
        """Adds a constant, and then all ops that depend on constants alone."""
        is_preserving = self._known.is_preserving
        pending: list[tuple[ir.Operation, Sequence[int]]] = [(source, ())]
        while pending:
            users = self._add(*pending.pop(), self._constants)
            # An op is ready once: with the last of the constants that it uses.
            ready: list[tuple[ir.Operation, Sequence[int]]] = []
            for user in users:
                operands = self._all_constant(user)
                if operands and is_preserving(user):
                    ready.append((user, operands))
            if len(ready) > 1:
                ready = list({identity(user): (user, operands) for user, operands in ready}.values())
            pending += ready

    def _all_constant(self, user: ir.Operation) -> Sequence[int]:
        """Return the operands of an op that uses a constant, if they all are constants; else none.

        Testing them one by one takes half the time of a list.
        """
        operands = user.operands
        found = []
        for index in range(len(operands)):
            operand = address(operands[index])
            if operand not in self._values:
                return ()
            found.append(operand)
        return found

    def _add(self, op: ir.Operation, operands: Sequence[int], others: list[ir.Operation]) -> list[ir.Operation]:
        """Add an op, to `others` if it is not a copy already; return its users, use by use.

        `operands` are those that may have been added already.
        """
        results = op.results
        if len(results) == 1:
            result = results[0]
            users = [use.owner.operation for use in result.uses]
            self._values.add(address(result))
            is_used_once = len(users) == 1 and users[0].name != _GROUP
            if is_used_once and op.name != _CALL and (not operands or self._shared.keys().isdisjoint(operands)):
                self._copies[address(result)] = op
                return users
        else:
            users = _users(results)
            self._values.update(map(address, results))
            if not len(results):
                self._without_results.append(op)
        others.append(op)
        self._shared.update((address(result), result) for result in results if not is_scalar(result))
        return users

    # Splitting -----------------------------------------------------------------------------------

    def split(self, owner: ir.Operation, symbols: ModuleSymbols) -> None:
        """Gives each operand of each user in the body of `owner` its own copy of the constant computation behind it."""
        users = {identity(user): user for user in _users(self._shared.values()) if self._is_outside(user)}
        for op in in_textual_order(list(users.values()), owner):
            for index, operand in enumerate(list(op.operands)):
                if address(operand) in self._shared:
                    op.operands[index] = self._copy(operand, symbols)

    def _is_outside(self, op: ir.Operation) -> bool:
        if op.name == _GROUP:
            return False
        results = op.results
        return address(results[0]) not in self._values if len(results) else op not in self._without_results

    def _copy(self, root: ir.Value, symbols: ModuleSymbols) -> ir.Value:
        """Return a copy of the ops that compute `root`, except scalars, which are shared."""
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
        """Copies the op of `value`, and the group memberships of `value`, in front of it."""
        op = value.owner.operation
        ip = ir.InsertionPoint(op)
        copy = clone_with(op, copies, ip)
        copies.update(zip(op.results, copy.results, strict=True))
        if op.name == _CALL:
            set_callee(copy, symbols.insert(clone_recursively(symbols.callee(op), symbols)))
        for group in self._groups_of(value):
            clone_with(group, copies, ip)

    def _groups_of(self, value: ir.Value) -> list[ir.Operation]:
        groups = self._groups.get(value)
        if groups is None:
            groups = self._groups[value] = [user for user in _users([value]) if user.name == _GROUP]
        return groups

    def erase_unused(self) -> None:
        """Erases copies that only sharding groups use, together with these groups.

        An expansion that another one uses stays, used or not.
        """
        for op in self._expansions:
            _erase_unused(op)
        pending = self._constants
        while pending:
            op = pending.pop()
            used = [self._copies[key] for key in map(address, op.operands) if key in self._copies]
            if _erase_unused(op):
                pending += used


def _erase_unused(op: ir.Operation) -> bool:
    """Erases `op` if only groups use it, together with these."""
    users = _users(op.results)
    if any(user.name != _GROUP for user in users):
        return False
    for each in (*users, op):
        each.erase()
    return True


def _users(values: Iterable[ir.Value]) -> list[ir.Operation]:
    """The owners of all uses, use by use."""
    return [use.owner.operation for value in values for use in value.uses]
