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

_AFTER_PROPAGATION = {"tiles": "enable-hlo-sharding-v3=false", "named": "enable-hlo-sharding-v3=true"}
"""What the pipeline of sharding text is told for each encoding of it."""

ENCODINGS = ("strings", *_AFTER_PROPAGATION)


def export_shardings(
    module: Any,
    encoding: str = "strings",
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    propagate: bool | None = None,
    keep_open_dims: bool = False,
) -> Module:
    """A copy of a program in StableHLO alone, with its shardings written for XLA.

    Args:
      module: what `sdy.parse` takes, or an `ir.Module` (which is not changed); its shardings may be in any encoding.
      encoding: "strings" (`xla.sdy.sharding`), which keep everything and which XLA propagates with Shardy; "tiles"
        (`mhlo.sharding`), which any XLA takes; or "named" (`mhlo.sharding` with axes), which new ones take.
      filename: named in diagnostics if `module` is text.
      context: the MLIR context to parse a text into.
      propagate: whether shardings are propagated first; by default they are for tiles and named text.
      keep_open_dims: whether tiles and named text say which dimensions of constraints are open, as `unspecified_dims`;
        propagation closes all of them. Strings say it anyhow.

    Raises:
      DiagnosticError: at an op that the encoding has no form for, or that cannot be propagated.
      TypeError, ValueError, OSError: `module` is none of these, or there is no such encoding.
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"there is no encoding {encoding!r}; it is one of {', '.join(map(repr, ENCODINGS))}")
    if propagate is None:
        propagate = encoding in _AFTER_PROPAGATION
    with saying_once():
        return _exported(own_copy(module, filename, context), _pipeline(encoding, keep_open_dims), propagate=propagate)


def _pipeline(encoding: str, keep_open_dims: bool) -> str:
    if encoding not in _AFTER_PROPAGATION:
        return "xla-sdy-round-trip-export-pipeline"
    flag = str(keep_open_dims).lower()
    return f"xla-sdy-stablehlo-export-pipeline{{{_AFTER_PROPAGATION[encoding]} keep-open-dims={flag}}}"


def _exported(copy: Module, pipeline: str, *, propagate: bool) -> Module:
    """The module itself, changed."""
    with copy.context, ir.Location.unknown(), faults_of("exporting", copy.operation, (PipelineError,)):
        import_foreign(copy)
        if propagate:
            sdy.run(copy, "sdy-propagation-pipeline")
        sdy.run(copy, pipeline)
    return copy
