"""Applying patterns that are written in PDL, and hence matched without a call to Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import local
from typing import Any

from sdy.mlir import ir, rewrite
from sdy.mlir.per_context import PerContext

Function = Callable[[rewrite.PatternRewriter, rewrite.PDLResultList, list[Any]], Any]


def apply_pdl(
    root: ir.Operation, text: str, functions: Mapping[str, Function] | None = None, *, keep: bool = True
) -> None:
    """Applies PDL patterns to each op below `root`, in the order of `search.ops_named`.

    `functions` are the native rewrites that the patterns apply, by name. The compiled patterns are cached, except those
    that are made for one program.
    """
    kept, functions = _patterns.of(root.context), functions or {}
    patterns = kept.get(text) or Patterns(root.context, text, functions)
    patterns.apply(root, functions)
    if keep:
        kept[text] = patterns


def is_kept(context: ir.Context, text: str) -> bool:
    """Return whether compiled patterns are kept."""
    return text in _patterns.of(context)


class Patterns:
    """Compiled patterns: to compile them takes as long as to walk over a thousand ops.

    They may be cached per context, since they do not keep it alive.
    """

    def __init__(self, context: ir.Context, text: str, names: Iterable[str]) -> None:
        """Compile the patterns; `names` are the names of their native rewrites."""
        self._running = local()
        """Its `functions` are what the native rewrites do this time; another thread may have them do something else."""
        compiled = rewrite.PDLModule(source := ir.Module.parse(text, context))
        for name in names:
            compiled.register_rewrite_function(name, _forward(name, self._running))
        self._frozen = compiled.freeze()
        del source  # had to outlive `compiled`

    def apply(self, root: ir.Operation, functions: Mapping[str, Function]) -> None:
        """Applies the patterns to each op below `root`; `functions` are the native rewrites, by name."""
        self._running.functions = functions
        try:
            rewrite.walk_and_apply_patterns(root, self._frozen)
        finally:
            del self._running.functions


def _forward(name: str, running: local) -> Function:
    return lambda rewriter, results, values: running.functions[name](rewriter, results, values)


_MOST = 256
"""Number of compiled patterns that a context keeps."""

_patterns: PerContext[dict[str, Patterns]] = PerContext(dict, most=_MOST)
