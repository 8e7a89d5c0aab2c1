"""Contexts with the dialects, the ops that are declared in Python, and who may work in a context."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from functools import cache
from threading import RLock
from typing import Any
from weakref import WeakKeyDictionary

from sdy.dialect import builders
from sdy.dialect.definition.dialect import Sdy
from sdy.dialect.extensions import load_extensions
from sdy.dialect.hlo_async import declarations as hlo_async
from sdy.dialect.hlo_async.declarations import HloAsync
from sdy.dialect.mpmd import declarations as mpmd
from sdy.dialect.mpmd.declarations import Mpmd
from sdy.lazy_dataclass import dataclass
from sdy.mlir import declared_dialects, ext, ir, stablehlo
from sdy.mlir.declared_dialects import segment_names
from sdy.mlir.interpreter import interrupts_deferred, process_lock, room_to_recurse
from sdy.mlir.per_context import PerContext, forget_excess, own_bound
from sdy.mlir.users_code import declarations, declared

LOADED = (Sdy, HloAsync)
"""The dialects that each context has, in the order in which they are loaded."""

DIALECTS = (*LOADED, Mpmd)
"""All dialects of the house; `load_mpmd` loads the last one."""

OPS: Mapping[str, type] = {**builders.OPS, **hlo_async.OPS, **mpmd.OPS}
"""The op classes by full name."""

VARIADIC: Mapping[str, tuple[str, ...]] = {name: found for name, op in OPS.items() if (found := segment_names(op))}
"""The ops with any number of operands or results of any types: names of their segment attributes, by full name."""


_groups: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

CHLO = "chlo"

_OF_PASSES = ("arith", "cf", "func", "irdl", "pdl", "pdl_interp", "quant", "shape", "tensor")
"""Upstream dialects that passes, or what they start from, have ops of."""

_loading = process_lock()
"""Held while the dialects are loaded: `ext` keeps the state of that on the class."""


@dataclass(slots=True)
class _Turn:
    """The right to work in a context; `is_taken` while some thread does."""

    lock: RLock = field(default_factory=RLock)
    is_taken: bool = False


_turns: PerContext[_Turn] = PerContext(_Turn, size=own_bound)


@contextmanager
def exclusively(context: ir.Context) -> Iterator[None]:
    """Makes other threads that work in the same context wait until the end of the block, and lets Python recurse.

    The caches of a context (see `PerContext`) are written by one thread at a time, and cleared between two turns when
    they grow too large. Threads with contexts of their own do not wait for one another. Blocks may be nested.
    Interrupts wait, too (see `sdy.mlir.interpreter`).
    """
    turn = _turns.of(context)
    with interrupts_deferred(), turn.lock:
        if turn.is_taken:
            yield
            return
        turn.is_taken = True
        try:
            forget_excess(context)
            with room_to_recurse():
                yield
        finally:
            turn.is_taken = False


def make_context(
    *,
    allow_unregistered_dialects: bool = False,
    groups: int = declared_dialects.DEFAULT_GROUPS,
    without: Collection[str] = (),
    is_lean: bool = False,
) -> ir.Context:
    """Return a context with sdy, hlo_async, StableHLO and upstream dialects; `sdy.mlir.load_chlo` adds CHLO.

    Dialects that were registered (`register_dialect`) are in it, too.

    Args:
      allow_unregistered_dialects: whether ops of unknown dialects are accepted.
      groups: how many runs of values of one type a named or manual computation can have (see
        `sdy.mlir.declared_dialects`); `sdy.parse` computes it for a program.
      without: names of upstream dialects to leave out, for dialects of those names from elsewhere.
      is_lean: whether upstream dialects, but for those that the passes of the package need, are loaded only if a text
        that is parsed names them. It takes half the time; where other code takes part (see
        `sdy.mlir.users_code`), which may need any of them, all are loaded.
    """
    load_extensions()
    if without:
        context = _upstream_context(without)
    elif is_lean and not declarations():
        context = ir.Context(load_on_create_dialects=[])
        for name in _OF_PASSES:
            context.get_dialect_descriptor(name)  # not by `dialects`, which imports a module for each
    else:
        context = ir.Context()
    context.allow_unregistered_dialects = allow_unregistered_dialects
    with context, ir.Location.unknown():
        stablehlo.register_dialect(context)
        with _loading:
            _load(groups)
            _groups[context] = groups
            for name, load in _registered_dialects.items():
                if name not in without:
                    load(context)
    return context


_registered_dialects: dict[str, Callable[[ir.Context], None]] = {}


def register_dialect(name: str, load: Callable[[ir.Context], None] | type[ext.Dialect]) -> None:
    """Registers a dialect with every context that is made from now on.

        sdy.register_dialect("mine", Mine)     # a class that is derived from sdy.ext.Dialect
        sdy.register_dialect("npu", lambda context: sdy.load_irdl_file(NPU, context))

    A package calls this in a module that it names as an entry point of `sdy.extensions`.

    Args:
      name: the dialect's, by which contexts are made `without` it.
      load: loads it into a context, which is the current one; or the class that declares it.

    Raises:
      TypeError: `load` is neither.
      ValueError: the package, or another dialect of that name, has it already.
    """
    if not callable(load):
        raise TypeError(f"a dialect is loaded by a class of sdy.ext.Dialect or a function, not {type(load).__name__}")
    if name in _registered_dialects or name in (dialect.DIALECT_NAMESPACE for dialect in DIALECTS):
        raise ValueError(f"there is a dialect '{name}' already")
    _registered_dialects[name] = _loader(load) if isinstance(load, type) else load
    declared("dialect", [name], load)


def declared_here() -> set[str]:
    """The names of the dialects, except sdy, that only this package and its extensions declare."""
    return {dialect.DIALECT_NAMESPACE for dialect in DIALECTS if dialect.DIALECT_NAMESPACE != "sdy"} | {
        *_registered_dialects
    }


def _loader(dialect: type[ext.Dialect]) -> Callable[[ir.Context], None]:
    def load(_: ir.Context) -> None:
        dialect.load()
        dialect._mlir_module = None

    return load


def _upstream_context(without: Collection[str]) -> ir.Context:
    """A context with the upstream dialects, except some."""
    context = ir.Context(load_on_create_dialects=[])
    for name in registered_dialects():
        if name not in without:
            with suppress(IndexError):  # one that the bindings list and do not have
                context.dialects[name]
    return context


_LIST = re.compile(r"Available dialects: (.*?)(?: \(\* corresponding.*)?;")


@cache
def registered_dialects() -> tuple[str, ...]:
    """Return the names of the dialects of the bindings; an error for an op of an unknown dialect lists them."""
    with ir.Context(load_on_create_dialects=[]), ir.Location.unknown():
        try:
            ir.Module.parse("not_a_dialect.op")
        except ir.MLIRError as error:
            found = _LIST.search(str(error))
            return tuple(name.removesuffix(" (*)") for name in found[1].split(", ")) if found else ()
    return ()


def loaded_dialects(context: ir.Context) -> frozenset[str]:
    """The names of the upstream dialects, and CHLO, that the context has loaded."""
    return frozenset(filter(context.is_dialect_loaded, (CHLO, *registered_dialects())))


def load_mpmd(context: ir.Context) -> None:
    """Loads the dialect mpmd into a context, unless it is there; parsing a text with its ops does so automatically."""
    if not context.is_dialect_loaded(Mpmd.DIALECT_NAMESPACE):
        with context, ir.Location.unknown(), _loading:
            _load(groups_of(context), (Mpmd,))


def _load(groups: int, dialects: Iterable[Any] = LOADED) -> None:
    """Loads dialects into the current context."""
    for dialect in dialects:
        dialect.groups = groups
        try:
            dialect.load()
        finally:
            dialect.groups = declared_dialects.DEFAULT_GROUPS
            # `ext` keeps the IRDL it loaded, and with it the context.
            dialect._mlir_module = None


def groups_of(context: ir.Context) -> int:
    """The `groups` that the context was made with."""
    return _groups.get(context, declared_dialects.DEFAULT_GROUPS)
