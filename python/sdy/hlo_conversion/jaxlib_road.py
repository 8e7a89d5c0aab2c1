"""The conversions that jaxlib has, of modules without asynchronous operations."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from sdy.hlo_text import HloRuleError
from sdy.programs.isolated import Died, isolated

_LINES = 3
"""How much is repeated of what jaxlib says; more of it is notes."""

_MHLO_OP = re.compile(r"(?:^|=)\s*mhlo\.\w", re.MULTILINE)


class ConversionError(HloRuleError):
    """What jaxlib says about a module that it does not convert; without a position."""


def stablehlo_to_hlo(text: str, *, isolate: bool) -> str:
    """A module of StableHLO with a function `main` as HLO text.

    With `isolate` that is done in a process of its own: there are ops that end the process of jaxlib.

    Raises:
      ConversionError: jaxlib refuses it.
      ImportError: there is no jaxlib.
    """
    return _converted(_to_hlo, text, isolate)


def hlo_to_stablehlo(text: str, *, isolate: bool) -> str:
    """HLO text as a module of StableHLO, with ops of MHLO where StableHLO has none.

    With `isolate` that is done in a process of its own, since nothing in the text has been verified.

    Raises:
      ConversionError: jaxlib refuses it.
      ImportError: there is no jaxlib.
    """
    return _converted(_to_stablehlo, text, isolate)


def _converted(convert: Callable[[str], str], text: str, isolate: bool) -> str:
    _bindings()
    try:
        return isolated(convert, text) if isolate else convert(text)
    except Died:
        raise ConversionError("jaxlib does not survive the conversion") from None
    except (RuntimeError, ValueError) as error:
        raise ConversionError(_message(error)) from None


def _to_hlo(text: str) -> str:
    made = _bindings().mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    return made.as_hlo_text(True)


def _to_stablehlo(text: str) -> str:
    from jax.extend.mlir import ir
    from jax.interpreters import mlir

    hlo: Any = import_module("jaxlib._hlo")
    proto = hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    with mlir.make_ir_context():
        try:
            module = ir.Module.parse(_bindings().hlo_to_stablehlo(proto))
        except ir.MLIRError as error:
            # That of the bindings says things of its context, and cannot be handed to another process.
            raise ValueError(str(error)) from None
        found = str(module)
        # Ops of a dialect that the reader does not know are read in generic form only.
        return str(module.operation.get_asm(print_generic_op_form=True)) if _MHLO_OP.search(found) else found


def _bindings() -> ModuleType:
    try:
        return import_module("jaxlib._jax").mlir
    except ImportError:
        raise ImportError("conversion from and to HLO needs jaxlib, as pip install jax brings it") from None


def _message(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:_LINES]) or type(error).__name__
