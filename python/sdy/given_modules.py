"""What users hand over as a program: text, or a module in a context of theirs."""

from __future__ import annotations

from typing import Any

import sdy
from sdy.exact_copy import exact_copy


def parsed(module: Any, filename: str = "-", context: Any = None) -> Any:
    """`module` itself, or what its text says, parsed into `context` or into a new one.

    Raises:
      DiagnosticError: the text is no valid module.
      TypeError: it is neither text nor a module.
      ValueError: it is a module in a context other than the given one, or one that does not know sdy.
    """
    if isinstance(module, str):
        return sdy.parse(module, filename, context)
    operation = getattr(module, "operation", None)
    if operation is None or operation.name != "builtin.module":
        raise TypeError(f"expected the text of a module or a module, not {type(module).__name__}")
    if context is not None and context is not operation.context:
        raise ValueError("the module is in another context than the given one")
    if not operation.context.is_dialect_loaded("sdy"):
        raise ValueError("the context of the module lacks the dialect sdy; make it with sdy.make_context()")
    return module


def own_copy(module: Any, filename: str = "-", context: Any = None) -> Any:
    """A module that may be changed: what `parsed` gives, or a copy in the context of the module.

    It propagates as the module itself does. Raises what `parsed` raises.
    """
    given = parsed(module, filename, context)
    return given if isinstance(module, str) else exact_copy(given)
