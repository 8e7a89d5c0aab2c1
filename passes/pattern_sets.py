"""Pattern sets: passes that apply labelled rewrites in a fixed order.

    @pattern("idle-selects", views.Select)
    def idle_select(select: views.Select, rewriter: Rewriter) -> bool:
        \"\"\"Use the value where both sides of a select are the same.

            %1 = stablehlo.select %p, %0, %0  ==>  %0
        \"\"\"
        if select.on_true != select.on_false:
            return rewriter.no_match(select.op, "sides differ")
        return rewriter.replace(select.op, select.on_true)

A pass lists its patterns in the order in which they run, each over the whole function; `enable-patterns=` and
`disable-patterns=` choose among them by label. `sdy-opt --debug-patterns` shows why a pattern did not match an op.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import mismatch
from sdy.mlir.rewriting import replace
from sdy.mlir.search import ops_named
from sdy.passes.options import did_you_mean, option
from sdy.passes.registry import UNCHANGED
from sdy.stablehlo.views import View

OptionsT = TypeVar("OptionsT", bound="PatternOptions")

Rewrite = Callable[[Any, "Rewriter[Any]"], bool]
"""Rewrites at an op, a view of one, or a function; returns whether it changed something."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A labelled rewrite.

    Attributes:
      label: selects it in `enable-patterns` and `disable-patterns`.
      roots: names of the ops at which it is tried; for a function pattern, ops of which the function must contain one.
      rewrite: the function that applies it.
      view: the view that `rewrite` takes; None if it takes ops.
      on_func: it takes the function.
    """

    label: str
    roots: tuple[str, ...]
    rewrite: Rewrite
    view: type[View] | None = None
    on_func: bool = False

    @property
    def doc(self) -> str:
        """Return its docstring: one line, before and after."""
        return self.rewrite.__doc__ or ""

    def load(self) -> Pattern:
        """Return the loaded pattern."""
        return self


@dataclass(frozen=True, slots=True)
class Deferred:
    """A pattern whose module is imported for the first function with one of its root ops.

    Attributes:
      label: that of the pattern.
      roots: the roots of the pattern, at least one.
      module: full name of the module.
      name: name of the pattern in it.
    """

    label: str
    roots: tuple[str, ...]
    module: str
    name: str

    def load(self) -> Pattern:
        """Return the pattern."""
        return getattr(import_module(self.module), self.name)


def pattern(label: str, *roots: str | type[View]) -> Callable[[Rewrite], Pattern]:
    """Make the decorated function a pattern on ops with these names or views."""
    names = tuple(root if isinstance(root, str) else root.OP_NAME for root in roots)
    view = roots[0] if len(roots) == 1 and not isinstance(roots[0], str) else None
    return lambda rewrite: Pattern(label, names, rewrite, view)


def function_pattern(label: str, *needed: str) -> Callable[[Rewrite], Pattern]:
    """Register a rewrite of functions that contain one of these ops; of all functions if none is given."""
    return lambda rewrite: Pattern(label, needed, rewrite, on_func=True)


@dataclass(frozen=True)
class PatternOptions:
    """Options of a pattern set; `PATTERNS` are its patterns in the order in which they run."""

    PATTERNS: ClassVar[Sequence[Pattern | Deferred]] = ()

    enable_patterns: tuple[str, ...] = option((), "labels of the patterns that run; none given: all")
    disable_patterns: tuple[str, ...] = option((), "labels of patterns that do not run")

    def __post_init__(self) -> None:
        known = list(dict.fromkeys(each.label for each in self.PATTERNS))
        for label in (*self.enable_patterns, *self.disable_patterns):
            if label not in known:
                raise ValueError(f"no pattern '{label}'{did_you_mean(label, known)}; there are {', '.join(known)}")

    @cached_property
    def chosen(self) -> tuple[Pattern | Deferred, ...]:
        """The patterns that run."""
        return tuple(
            each
            for each in self.PATTERNS
            if each.label not in self.disable_patterns
            and (not self.enable_patterns or each.label in self.enable_patterns)
        )


class Rewriter(Generic[OptionsT]):
    """The function that a set rewrites, and the options of the set."""

    def __init__(self, func: ir.Operation, options: OptionsT) -> None:
        self.func = func
        self.options = options
        self.label = ""

    @cached_property
    def layouts(self) -> Layouts:
        """Layouts of the values of the module."""
        return Layouts(of_module(MeshTable, self.func))

    def no_match(self, op: ir.Operation, reason: str) -> bool:
        """Return False; `--debug-patterns` shows the reason at the op."""
        mismatch(op, f"pattern '{self.label}' does not match: {reason}")
        return False

    def replace(self, op: ir.Operation, value: ir.Value) -> bool:
        """Replace the only result of an op by `value`, and erase the op; return True."""
        replace(op, [value])
        return True


def keep_sharding(op: ir.Operation, made: ir.Value) -> ir.Value:
    """Give the op that makes a value the sharding attribute of `op`, if there is one; return the value."""
    if SHARDING in op.attributes:
        made.owner.attributes[SHARDING] = op.attributes[SHARDING]
    return made


def apply_patterns(func: ir.Operation, options: PatternOptions) -> object:
    """Apply the chosen patterns one after the other; the ops of a function are listed again only after a change.

    Returns:
      `UNCHANGED` if no pattern has changed anything.
    """
    rewriter = Rewriter(func, options)
    roots = sorted({name for each in options.chosen for name in each.roots})
    found: list[tuple[str, ir.Operation]] = []
    has_changed, is_stale = False, bool(roots)
    for each in options.chosen:
        if is_stale:
            found, is_stale = [(op.name, op) for op in ops_named(func, *roots)], False
        ops = [op for name, op in found if name in each.roots]
        if each.roots and not ops:
            continue
        rewriter.label = each.label
        loaded = each.load()
        if loaded.on_func:
            is_stale = loaded.rewrite(func, rewriter)
        else:
            for op in ops:
                is_stale |= loaded.rewrite(op if loaded.view is None else loaded.view(op), rewriter)
        has_changed |= is_stale
    return None if has_changed else UNCHANGED
