"""Modules for tools that do not know the dialect: their shardings in one of XLA's encodings.

>>> sdy.export_shardings(module, "tiles")      # propagated, with sharding text of GSPMD
"""

from __future__ import annotations

import sdy
from sdy.mlir import ir
from sdy.mlir.diagnostics import saying_once
from sdy.mlir.faults import faults_of
from sdy.passes.steps import PipelineError
from sdy.programs.given_modules import GivenProgram, compiled, import_foreign, own_copy
from sdy.programs.module import Module

_PIPELINES = {
    "strings": "func.func(sdy-capture-loop-invariants),xla-sdy-round-trip-export-pipeline",
    "named": "func.func(sdy-capture-loop-invariants),xla-sdy-round-trip-export-pipeline{enable-hlo-sharding-v3=true}",
    "tiles": "xla-sdy-stablehlo-export-pipeline",
}

ENCODINGS = tuple(_PIPELINES)


def export_shardings(
    module: GivenProgram,
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
      encoding: "strings" (`xla.sdy.sharding`), which keep everything; "named" (`mhlo.sharding` with axes), which new
        releases of XLA take; XLA propagates both with Shardy. Or "tiles" (`mhlo.sharding`), which any XLA takes.
      filename: named in diagnostics if `module` is text.
      context: the MLIR context to parse a text into.
      propagate: whether shardings are propagated first; by default they are for tiles and named text.
      keep_open_dims: whether tiles say which dimensions of constraints are open, as `unspecified_dims`; propagation
        closes all of them. Strings and named text say it anyhow.

    Raises:
      DiagnosticError: at an op that the encoding has no form for, or that cannot be propagated.
      TypeError, ValueError, OSError: `module` is none of these, or there is no such encoding.
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"there is no encoding {encoding!r}; it is one of {', '.join(map(repr, ENCODINGS))}")
    pipeline = _PIPELINES[encoding]
    if encoding == "tiles" and keep_open_dims:
        pipeline += "{keep-open-dims=true}"
    if propagate is None:
        propagate = encoding != "strings"
    own = compiled(module, filename=filename)
    with saying_once():
        return _exported(own_copy(own.program, filename, own.context or context), pipeline, propagate=propagate)


def _exported(copy: ir.Module, pipeline: str, *, propagate: bool) -> Module:
    """The module itself, changed."""
    with copy.context, ir.Location.unknown(), faults_of("exporting", copy.operation, (PipelineError,)):
        import_foreign(copy)
        if propagate:
            sdy.run(copy, "sdy-propagation-pipeline")
        sdy.run(copy, pipeline)
    return Module.of(copy)
