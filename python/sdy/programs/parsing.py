"""Programs of any origin, as modules for sdy's passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from sdy.dialect import assembly
from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.context import CHLO, groups_of, loaded_dialects, make_context
from sdy.dialect.verification import check_device_ids, verify_module
from sdy.lazy_dataclass import dataclass, lazy_pattern
from sdy.mlir import ir, load_chlo
from sdy.mlir.diagnostics import saying_once
from sdy.mlir.users_code import declarations
from sdy.programs.sources import AnyProgram, AnySource, is_module, source

_CHARACTERS = 1 << 20
"""Maximum total length of the programs of one context, which keeps their types and attributes."""

_PROGRAMS = 64
"""Maximum number of programs of one context, since passes may make much of a short one."""

_IDLE = 2
"""Maximum number of idle contexts that are kept."""


@dataclass(slots=True, eq=False)
class _Lean:
    """A context, its first dialects (see `loaded_dialects`), and the programs that used it."""

    context: ir.Context
    dialects: frozenset[str]
    characters: int = 0
    programs: int = 0


_idle: list[_Lean] = []
"""In the order of release. They never have threads, which a child process would lack."""


class PooledContext:
    """The lean context (see `make_context`) of one program, given as text.

    Programs are isolated: a context is not used again where users have declared anything, since their code may keep its
    objects; nor if it has got further dialects, or accepts ops of unknown ones. A context that is not released, after a
    failure, is dropped.
    """

    def __init__(self, text: str, *, allow_unregistered_dialects: bool = False) -> None:
        self._characters, self._has_chlo = len(text), "chlo." in text
        self._allows_unregistered = allow_unregistered_dialects
        self._taken: _Lean | None = None

    def context(self, groups: int) -> ir.Context:
        """Return a context with this number of `groups`; earlier ones are not released."""
        self._taken = None
        if self._allows_unregistered or self._characters > _CHARACTERS or declarations():
            return make_context(groups=groups, is_lean=True, allow_unregistered_dialects=self._allows_unregistered)
        taken = _take(groups, has_chlo=self._has_chlo)
        if taken is None:
            context = make_context(groups=groups, is_lean=True)
            if self._has_chlo:
                load_chlo(context)
            context.enable_multithreading(False)
            taken = _Lean(context, loaded_dialects(context))
        taken.characters += self._characters
        taken.programs += 1
        self._taken = taken
        return taken.context

    def release(self) -> None:
        """Return the context to the pool; the module must be gone."""
        taken, self._taken = self._taken, None
        if taken is None or taken.characters >= _CHARACTERS or taken.programs >= _PROGRAMS or declarations():
            return
        if loaded_dialects(taken.context) == taken.dialects:
            _idle.append(taken)
            del _idle[:-_IDLE]


def _take(groups: int, *, has_chlo: bool) -> _Lean | None:
    """Return the idle context with this number of groups, with CHLO or not, that was released last."""
    for each in reversed(_idle):
        if groups_of(each.context) == groups and (CHLO in each.dialects) == has_chlo:
            with suppress(ValueError):  # another thread has taken it
                _idle.remove(each)
                return each
    return None


def forget_idle() -> None:
    """Drop all idle contexts."""
    _idle.clear()


_IN_NOTEBOOKS = PrintOptions(elide_elements_larger_than=16, elide_resources_larger_than=64)


class Module(ir.Module):
    """An `ir.Module` that is printed in the syntax of its dialects, sdy included, so that its text parses again."""

    __slots__ = ()

    @staticmethod
    def of(module: ir.Module) -> Module:
        """Return `module` converted to this class."""
        made: Any = module
        made.__class__ = Module
        return made

    def __str__(self) -> str:
        return print_module(self)

    def _repr_html_(self) -> str:
        """The text without long constants, for notebooks."""
        from sdy.markup.templating import shown

        return shown(print_module(self, _IN_NOTEBOOKS))


_MHLO_OP = lazy_pattern(r'(?:^|=)\s*(?:"mhlo\.\w|mhlo\.copy\b)', re.MULTILINE)


def parse(
    text: AnyProgram,
    filename: str = "-",
    context: ir.Context | None = None,
    *,
    strict_documents: bool = False,
) -> Module:
    """Parses and verifies a module.

    Args:
      text: the module; or a file (a path, or the name of one), bytes (text or bytecode), or a stage of a JAX function:
        a `jax.stages.Traced` or `Lowered`, a `jax.export.Exported`, a module of jaxlib; or a module of the
        bindings in a context without sdy, such as a frontend's.
      filename: name in locations and diagnostics of a source without a name.
      context: the MLIR context to put it into; a new one by default, which takes ops of MHLO in generic form, and its
        copies, as in dumps of XLA. It may know dialects of your own (see `load_irdl_file`).
      strict_documents: refuse modules that the dialect's documents forbid and the C++ dialect accepts (see
        `verify_module`),
        also device ids of a mesh that are in order.

    Returns:
      An `ir.Module` whose `str` is the text of `print_module`.

    Raises:
      OSError: the file cannot be read.
      TypeError: `text` is something else.
      ValueError: the context lacks the dialect sdy, or has no room for an op (see `make_context`).
      DiagnosticError: the text is not a valid module.
    """
    if context is not None and not context.is_dialect_loaded("sdy"):
        raise ValueError("the context lacks the dialect sdy; make it with sdy.make_context()")
    if is_module(text):
        raise TypeError("parse() takes the text of a module; this is one already")
    with saying_once():
        given = source(text, filename)
        has_mhlo = context is None and _has_mhlo(given.text)
        module = assembly.parse(*given, context, allow_unregistered_dialects=has_mhlo)
        # Upstream verifies what it parses.
        verify_module(module, strict_documents=strict_documents)
        if strict_documents:
            check_device_ids(*given)
    return Module.of(module)


@contextmanager
def parsed_for_passes(text: AnySource, filename: str = "-") -> Iterator[ir.Module]:
    """Parse like `parse`, into a context with the package's passes alone; the module ends with the block.

    The context serves other programs before and afterwards (see `sdy.programs.parsing`).
    """
    with saying_once():
        given = source(text, filename)
        pooled = PooledContext(given.text, allow_unregistered_dialects=_has_mhlo(given.text))
        module = assembly.parse_in_lean(*given, pooled.context)
        verify_module(module)
    yield module
    del module
    pooled.release()


def parse_in_lean(text: AnySource, filename: str = "-") -> ir.Module:
    """Parse like `parse`, into a lean context (see `make_context`) of its own: for modules that users do not get."""
    with saying_once():
        given = source(text, filename)
        make = partial(make_context, is_lean=True, allow_unregistered_dialects=_has_mhlo(given.text))
        module = assembly.parse_in_lean(*given, lambda groups: make(groups=groups))
        verify_module(module)
    return module


def _has_mhlo(text: str) -> bool:
    # Attributes of mhlo, which most texts have, are told apart in no time.
    return ('"mhlo.' in text or "mhlo.copy" in text) and _MHLO_OP.search(text) is not None
