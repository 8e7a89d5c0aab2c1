"""What users hand over as a program: a source, or a module in a context of theirs."""

from __future__ import annotations

from typing import Any

import sdy
from sdy.passes.interchange.importing.foreign_shardings import Encoding, ForeignShardings
from sdy.programs.exact_copy import exact_copy
from sdy.programs.sources import is_module


def parsed(module: Any, filename: str = "-", context: Any = None) -> Any:
    """`module` itself, or what its text says (see `sdy.programs.sources.source`), parsed into `context` or a new one.

    Raises:
      DiagnosticError: the text is no valid module.
      OSError: the file cannot be read.
      TypeError: it is no program.
      ValueError: it is a module in a context other than the given one, or one that does not know sdy.
    """
    if not is_module(module):
        return sdy.parse(module, filename, context)
    if context is not None and context is not module.operation.context:
        raise ValueError("the module is in another context than the given one")
    if not module.operation.context.is_dialect_loaded("sdy"):
        raise ValueError("the context of the module lacks the dialect sdy; make it with sdy.make_context()")
    return module


def own_copy(module: Any, filename: str = "-", context: Any = None) -> Any:
    """A module that may be changed: what `parsed` gives, or a copy in the context of the module.

    It propagates as the module itself does. Raises what `parsed` raises.
    """
    given = parsed(module, filename, context)
    return exact_copy(given) if given is module else given


def import_foreign(module: Any) -> None:
    """Gives a module whose shardings are those of GSPMD or XLA's strings shardings of sdy, in place.

    Raises `DiagnosticError` at what cannot be imported.
    """
    sdy.run(module, "sdy-import-foreign-shardings")


def with_own_shardings(module: Any) -> Any:
    """`module` itself, or a copy in which its foreign shardings are imported."""
    if ForeignShardings(module.operation).encoding in (Encoding.NONE, Encoding.NATIVE):
        return module
    copy = exact_copy(module)
    import_foreign(copy)
    return copy
