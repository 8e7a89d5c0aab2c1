"""Modules for tools that do not know the dialect: their shardings in one of XLA's encodings.

>>> sdy.export_shardings(module, "tiles")      # propagated, with sharding text of GSPMD
"""

from __future__ import annotations

from typing import Any

import sdy
from sdy.mlir import ir
from sdy.mlir.faults import faults_of
from sdy.mlir.warn_once import saying_once
from sdy.passes.registry import PipelineError
from sdy.programs.given_modules import import_foreign, own_copy
from sdy.programs.module import Module

_AFTER_PROPAGATION = {
    "tiles": "xla-sdy-stablehlo-export-pipeline",
    "named": "xla-sdy-stablehlo-export-pipeline{enable-hlo-sharding-v3=true}",
}
_STRINGS = "xla-sdy-round-trip-export-pipeline"

ENCODINGS = ("strings", *_AFTER_PROPAGATION)


def export_shardings(
    module: Any,
    encoding: str = "strings",
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    propagate: bool | None = None,
) -> Module:
    """A copy of a program in StableHLO alone, with its shardings written for XLA.

    Args:
      module: what `sdy.parse` takes, or an `ir.Module` (which is not changed); its shardings may be in any encoding.
      encoding: "strings" (`xla.sdy.sharding`), which keep everything and which XLA propagates with Shardy; "tiles"
        (`mhlo.sharding`), which any XLA takes; or "named" (`mhlo.sharding` with axes), which new ones take.
      filename: named in diagnostics if `module` is text.
      context: the MLIR context to parse a text into.
      propagate: whether shardings are propagated first; by default they are for tiles and named text.

    Raises:
      DiagnosticError: at an op that the encoding has no form for, or that cannot be propagated.
      TypeError, ValueError, OSError: `module` is none of these, or there is no such encoding.
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"there is no encoding {encoding!r}; it is one of {', '.join(map(repr, ENCODINGS))}")
    with saying_once():
        return _exported(own_copy(module, filename, context), encoding, propagate=propagate)


def _exported(copy: Module, encoding: str, *, propagate: bool | None) -> Module:
    """The module itself, changed."""
    with copy.context, ir.Location.unknown(), faults_of("exporting", copy.operation, (PipelineError,)):
        import_foreign(copy)
        if propagate or (propagate is None and encoding in _AFTER_PROPAGATION):
            sdy.run(copy, "sdy-propagation-pipeline")
        sdy.run(copy, _AFTER_PROPAGATION.get(encoding, _STRINGS))
    return copy
