"""Greedy application of patterns in upstream's order, for patterns that create ops.

Upstream's driver does not hear of ops that Python creates, so results that depend on the order of visits would differ.
This one visits ops as upstream's does: a worklist that is a stack, dead ops erased on the way, users
of replaced values and new ops visited again, regions simplified between sweeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sdy.mlir import address, ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.rewriting import defining_op, is_unused, replace, users
from sdy.mlir.walk import post_order, pre_order

MAX_SWEEPS = 10

_TERMINATORS = frozenset({"return", "yield"})


def is_dead(op: ir.Operation) -> bool:
    """Return whether an op can be erased: its results have no use, and it has no effects."""
    return is_unused(op) and _may_be_dead(op)


def _may_be_dead(op: ir.Operation) -> bool:
    """Return whether an op can be erased once its results are unused."""
    is_terminator = op.name.rpartition(".")[2] in _TERMINATORS or len(op.successors) > 0
    return not is_terminator and "sym_name" not in op.attributes and is_effect_free(op)


def erase_dead_ops(region: ir.Region, erase: Callable[[ir.Operation], None] = ir.Operation.erase) -> bool:
    """Erase the ops of a region, nested ones included, whose results are unused; return whether there were any.

    As in upstream's dead code elimination, values returned by the region of a dead op count as used. Patterns pass the
    `erase` of their rewriter.
    """
    needed: set[int] = set()
    _find_needed(region, needed)
    return _erase_others(region, needed, erase)


def _ops_backwards(region: ir.Region) -> list[ir.Operation]:
    return [view.operation for block in region.blocks for view in block.operations][::-1]


def _find_needed(region: ir.Region, needed: set[int]) -> None:
    """Add the addresses of the values that ops of the region need, users before operands."""
    for op in _ops_backwards(region):
        for inner in op.regions:
            _find_needed(inner, needed)
        if any(address(result) in needed for result in op.results) or not _may_be_dead(op):
            needed.update(map(address, op.operands))


def _erase_others(region: ir.Region, needed: set[int], erase: Callable[[ir.Operation], None]) -> bool:
    changed = False
    for op in _ops_backwards(region):
        if not any(address(result) in needed for result in op.results) and _may_be_dead(op):
            erase(op)
            changed = True
        else:
            for inner in op.regions:
                changed |= _erase_others(inner, needed, erase)
    return changed


def _key(op: ir.Operation) -> int | None:
    """Return a stable key of an op; None for one without results and regions, which is not visited."""
    if len(op.results):
        return address(op.results[0])
    if not len(op.regions) or not len(op.regions[0].blocks):
        return None
    return address(op.regions[0].blocks[0])


def _other_users(value: ir.Value, op: ir.Operation) -> int:
    """The number of users of a value besides `op`."""
    found: list[ir.Operation] = []
    for user in users(value):
        if user != op and user not in found:
            found.append(user)
            if len(found) == 2:
                break
    return len(found)


class Rewriter:
    """Changes of a program by patterns, which the driver observes."""

    def __init__(self, root: ir.Operation) -> None:
        self._root = root
        self._stack: list[ir.Operation | None] = []
        self._places: dict[int | None, int] = {}

    def created(self, op: ir.Operation) -> ir.Operation:
        """Visit a new or moved op, and its parent; return it."""
        self._push_with_holders(op)
        return op

    def cloned(self, op: ir.Operation) -> ir.Operation:
        """Visit a new op and those in its regions; return it."""
        for each in pre_order(op):
            self._push_with_holders(each)
        return op

    changed = created
    """Visit an op again that was changed in place."""

    def replace_uses(self, old: ir.Value, new: ir.Value, where: Callable[[ir.OpOperand], bool] | None = None) -> None:
        """Replace `old` by `new`, in all uses or the given ones, first use first; visit the users."""
        for use in list(old.uses):
            if where is None or where(use):
                user = use.owner.operation
                user.operands[use.operand_number] = new
                self._push_with_holders(user)

    def replace(self, op: ir.Operation, values: Sequence[ir.Value]) -> bool:
        """Replace the results of an op by `values`, and erase it; return True, as patterns do."""
        for result, value in zip(op.results, values, strict=True):
            self.replace_uses(result, value)
        self.erase(op)
        return True

    def erase(self, op: ir.Operation) -> None:
        """Erase an op without uses; visit the makers of its operands if these have few other users."""
        for each in post_order(op):
            for operand in each.operands:
                source = defining_op(operand)
                if source is not None and _other_users(operand, each) < 2:
                    self._push_with_holders(source)
        for each in post_order(op):
            place = self._places.pop(_key(each), None)
            if place is not None:
                self._stack[place] = None
        op.erase()

    def erase_emptied(self, op: ir.Operation) -> None:
        """Erase an op without uses whose blocks have been moved into another one."""
        key = address(op.results[0]) if len(op.results) else None
        place = self._places.pop(key, None)
        if place is not None:
            self._stack[place] = None
        op.erase()

    def _push_with_holders(self, op: ir.Operation) -> None:
        listed = [op]
        while listed[-1] != self._root:
            parent = listed[-1].parent
            if parent is None:
                return
            listed.append(parent.operation)
        for each in listed[:-1]:
            self.push(each)

    def push(self, op: ir.Operation) -> None:
        """Visit an op unless it is on the worklist."""
        key = _key(op)
        if key is not None and key not in self._places:
            self._places[key] = len(self._stack)
            self._stack.append(op)

    def fill(self, ops: Sequence[ir.Operation]) -> None:
        """Start over with these ops; the last one is visited first."""
        self._stack, self._places = [], {}
        for op in ops:
            self.push(op)

    def pop(self) -> ir.Operation | None:
        """Return the op to visit next; None if there is none left."""
        while self._stack:
            op = self._stack.pop()
            if op is not None:
                del self._places[_key(op)]
                return op
        return None


Pattern = Callable[[ir.Operation, Rewriter], bool]
"""Changes the program at an op by the rewriter, or returns False and leaves it as it is."""


def apply_greedily(
    root: ir.Operation,
    patterns: Mapping[str, Sequence[Pattern]],
    *,
    fold: bool = False,
) -> bool:
    """Apply patterns to the ops below `root` until none applies, at most in `MAX_SWEEPS` sweeps.

    Dead ops are erased, also between sweeps.

    Args:
      root: an op whose regions are rewritten.
      patterns: by the name of the ops that they are for, in the order in which they are tried.
      fold: gather constants in front of each sweep.

    Returns:
      Whether something has changed.
    """
    rewriter = Rewriter(root)
    has_changed = False
    for _ in range(MAX_SWEEPS):
        if fold:
            gather_constants(root)
        rewriter.fill(post_order(root)[:-1])
        changed = _sweep(rewriter, patterns)
        for region in root.regions:
            changed |= erase_dead_ops(region)
        if not changed:
            break
        has_changed = True
    return has_changed


_CONSTANTS = frozenset(("stablehlo.constant", "arith.constant"))


def gather_constants(root: ir.Operation) -> None:
    """Merge equal constants, and move them to the start of what holds them, as upstream's driver does.

    They move out of regions that see the values around them. One that is at the start already, or behind one that was
    gathered, stays where it is.
    """
    for region in root.regions:
        for block in region.blocks:
            _gather(block, block, {})


def _gather(block: ir.Block, target: ir.Block, found: dict[tuple[int, int], ir.Operation]) -> None:
    """Gather the constants below a block at the start of `target`; `found` has its own by attribute and type."""
    stays = block == target
    for op in [view.operation for view in block.operations]:
        if op.name not in _CONSTANTS:
            stays = False
            is_isolated = len(op.regions) > 0 and op.has_trait(ir.IsIsolatedFromAboveTrait)
            for inner in (inner for region in op.regions for inner in region.blocks):
                _gather(inner, inner if is_isolated else target, {} if is_isolated else found)
            continue
        key = address(op.attributes["value"]), address(op.results[0].type)
        if key in found:
            replace(op, [found[key].results[0]])
            continue
        found[key] = op
        if not stays:
            op.move_before(target.operations[0].operation)


def _sweep(rewriter: Rewriter, patterns: Mapping[str, Sequence[Pattern]]) -> bool:
    changed = False
    while (op := rewriter.pop()) is not None:
        if is_dead(op):
            rewriter.erase(op)
            changed = True
            continue
        changed |= any(pattern(op, rewriter) for pattern in patterns.get(op.name, ()))
    return changed
