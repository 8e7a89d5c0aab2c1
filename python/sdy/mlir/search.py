"""Finding ops by name or attribute, at a fraction of the cost of a walk in Python.

The driver of rewrite patterns visits every op in C++, and calls back for the requested ones only. It skips unreachable
blocks of a function; functions with branches, which are rare, are walked in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from sdy.mlir import ir, rewrite
from sdy.mlir.pdl import NOTHING, PatternText, Signature, apply_pdl, calling, few_ops, is_kept
from sdy.mlir.walk import post_order


def ops_named(root: ir.Operation, *names: str) -> list[ir.Operation]:
    """Return the ops of these names below `root`, in textual order except that nested ops come before their parent.

    `root` itself is not looked at.
    """
    if has_branches(root):
        return [op for op in post_order(root) if op.name in names and op != root]
    found: list[ir.Operation] = []

    def collect(op: ir.Operation, _: rewrite.PatternRewriter) -> bool:
        found.append(op.operation)
        return True  # "no match": the driver goes on and changes nothing

    patterns = rewrite.RewritePatternSet(root.context)
    for name in names:
        patterns.add(name, collect)
    rewrite.walk_and_apply_patterns(root, patterns.freeze())
    return [op for op in found if op != root] if root.name in names else found


def has_branches(root: ir.Operation) -> bool:
    """Return whether a function, at or below `root`, has several blocks: see also `WithoutBranches`."""
    known = _without_branches.get()
    # Modules may be nested more deeply than Python's stack is.
    left = [root]
    while left:
        op = left.pop()
        blocks: Any = ()
        for region in op.regions:
            blocks = region.blocks
            if len(blocks) > 1:
                return True
        if op.name == "builtin.module" and (known is None or known.module is None or known.module != op):
            left += [inner.operation for block in blocks for inner in block.operations]
    return False


class WithoutBranches:
    """A module known to have only functions of one block, which need no further check."""

    def __init__(self, module: ir.Operation) -> None:
        self._looked_at = module
        self.module: ir.Operation | None = None
        self.look_again()

    def look_again(self) -> None:
        """Forget whether the module has branches, after code ran that may make some."""
        self.module = None
        self.module = None if has_branches(self._looked_at) else self._looked_at


_without_branches: ContextVar[WithoutBranches | None] = ContextVar("_without_branches", default=None)


@contextmanager
def branches_known(module: ir.Operation) -> Iterator[WithoutBranches]:
    """Find out once whether `module` has branches, until the end of the block or `look_again`."""
    found = WithoutBranches(module)
    token = _without_branches.set(found)
    try:
        yield found
    finally:
        _without_branches.reset(token)


_WITH = """
pdl.pattern : benefit(1) {{
  %attribute = pdl.attribute
  %operands = pdl.operands
  %types = pdl.types
  %op = pdl.operation (%operands : !pdl.range<value>) {{"{name}" = %attribute}} -> (%types : !pdl.range<type>)
  pdl.rewrite %op {{ pdl.apply_native_rewrite "collect"(%op : !pdl.operation) }}
}}"""


def ops_with(root: ir.Operation, *attributes: str) -> list[ir.Operation]:
    """Return the ops below `root` with one of these attributes, in the order of `ops_named`; never `root`."""
    text = "".join(_WITH.format(name=name) for name in attributes)
    few = ops_to_look_at(root, text)
    if few is None:
        return ops_matching(root, text)
    return [op for op in few if has_one(op.attributes, attributes)]


def ops_except(root: ir.Operation, names: Collection[str], *, unless_with: str) -> list[ir.Operation]:
    """Return the ops below `root`, except ops of these names without that attribute, in the order of `ops_named`.

    Common ops are skipped without a call to Python.
    """
    text = _but(tuple(names), unless_with)
    few = ops_to_look_at(root, text)
    if few is None:
        return ops_matching(root, text)
    return [op for op in few if op.name not in names or unless_with in op.attributes]


@lru_cache(maxsize=16)
def _but(names: Sequence[str], unless_with: str) -> str:
    text = PatternText()
    text.add(Signature(attributes=((unless_with, None),)), 3, calling("collect"))
    for name in names:
        text.add(Signature(name), 2, NOTHING)
    text.add(Signature(), 1, calling("collect"))
    return str(text)


def has_one(stored: ir.OpAttributeMap, names: Sequence[str]) -> bool:
    """Return whether there is an attribute of one of these names."""
    return any(map(stored.__contains__, names))


def for_each_with(root: ir.Operation, attribute: str, visit: Callable[[ir.Operation], object]) -> None:
    """Call `visit`, which may only change attributes, for the ops found by `ops_with`."""
    text = _WITH.format(name=attribute)
    few = ops_to_look_at(root, text)
    if few is None:
        apply_pdl(root, text, {"collect": lambda _rewriter, _results, ops: visit(ops[0])})
        return
    for op in few:
        if attribute in op.attributes:
            visit(op)


def ops_to_look_at(root: ir.Operation, patterns: str) -> list[ir.Operation] | None:
    """Return the ops below `root` to visit in Python; None where PDL patterns find the ops sought."""
    if has_branches(root):
        return [op for op in post_order(root) if op != root]
    return None if is_kept(root.context, patterns) else few_ops(root, patterns)


def ops_matching(root: ir.Operation, patterns: str, *, keep: bool = True) -> list[ir.Operation]:
    """The ops below `root` on which PDL `patterns` call the native rewrite "collect", in the order of `ops_named`.

    Those in unreachable blocks are left out. See `apply_pdl` for `keep`.
    """
    found: list[ir.Operation] = []

    def collect(_rewriter: rewrite.PatternRewriter, _results: rewrite.PDLResultList, ops: list[ir.Operation]) -> None:
        found.extend(ops)

    apply_pdl(root, patterns, {"collect": collect}, keep=keep)
    return found
