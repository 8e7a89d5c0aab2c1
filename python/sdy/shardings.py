"""Shardings of values and of results of functions, read and written one by one.

module = sdy.parse(text)
main = sdy.funcs(module)[0]
x = main.regions[0].blocks[0].arguments[0]
sdy.set_sharding(x, sdy.TensorSharding.from_axes("mesh", [["x"], []]))
sdy.set_result_sharding(main, 0, sdy.get_sharding(x))
"""

from __future__ import annotations

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.shardings import attribute_shardings, value_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import saying_once
from sdy.mlir.faults import faults_of
from sdy.passes.registry import PipelineError
from sdy.programs.given_modules import GivenProgram, compiled, import_foreign, own_copy
from sdy.programs.parsing import Module


def get_sharding(value: ir.Value) -> TensorSharding | None:
    """Returns the sharding of a value, None if it has none."""
    with value.context, exclusively(value.context):
        return value_shardings.get_sharding(value)


def set_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    """Set the sharding of a value; ignored for a value that cannot have one.

    An op keeps the shardings of all its results in one list. In a new list, the other results are open on the mesh of
    `sharding`.

    Args:
      value: an argument of a function or region, or a result of an op. Results of functions are no values: see
        `set_result_sharding`.
      sharding: the new sharding.
    """
    with value.context, exclusively(value.context):
        value_shardings.set_sharding(value, sharding)


def get_result_sharding(func: ir.Operation | ir.OpView, number: int) -> TensorSharding | None:
    """Returns the sharding of a result of a function, None if it has none.

    Args:
      func: a `func.func` (see `funcs`).
      number: which result, from 0.

    Raises:
      ValueError: `func` is not a function, or has no such result.
    """
    op = _with_result(func, number)
    with op.context, exclusively(op.context):
        return attribute_shardings.result_sharding(op, number)


def set_result_sharding(func: ir.Operation | ir.OpView, number: int, sharding: TensorSharding | None) -> None:
    """Set the sharding of a function result, or remove it.

    Args:
      func: a `func.func` (see `funcs`).
      number: which result, from 0.
      sharding: the new sharding; None removes the present one.

    Raises:
      ValueError: `func` is not a function, or has no such result.
    """
    op = _with_result(func, number)
    with op.context, exclusively(op.context):
        attribute_shardings.set_result_sharding(op, number, sharding)


def _with_result(func: ir.Operation | ir.OpView, number: int) -> ir.Operation:
    op = func.operation
    if op.name != "func.func":
        raise ValueError(f"'{op.name}' is not a function; results of other ops are values: use set_sharding")
    count = attribute_shardings.num_results(op)
    if not 0 <= number < count:
        raise ValueError(f"the function has {count} results, but no result {number}")
    return op


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
    """Return a copy of a program in StableHLO alone, with its shardings written for XLA.

    Args:
      module: input of `sdy.parse`, or an `ir.Module` (not changed); its shardings may be in any encoding.
      encoding: "strings" (`xla.sdy.sharding`), which keep everything; "named" (`mhlo.sharding` with axes), which new
        releases of XLA take; XLA propagates both with Shardy. Or "tiles" (`mhlo.sharding`), which any XLA takes.
      filename: named in diagnostics if `module` is text.
      context: the MLIR context to parse a text into.
      propagate: whether shardings are propagated first; by default they are for tiles and named text.
      keep_open_dims: whether tiles say which dimensions of constraints are open, as `unspecified_dims`; propagation
        closes all of them. Strings and named text say it anyhow.

    Raises:
      DiagnosticError: at an op that the encoding has no form for, or that cannot be propagated.
      TypeError, ValueError, OSError: an invalid module, or an unknown encoding.
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"unknown encoding {encoding!r}; expected one of {', '.join(map(repr, ENCODINGS))}")
    pipeline = _PIPELINES[encoding]
    if encoding == "tiles" and keep_open_dims:
        pipeline += "{keep-open-dims=true}"
    if propagate is None:
        propagate = encoding != "strings"
    own = compiled(module, filename=filename)
    with saying_once():
        return _exported(own_copy(own.program, filename, own.context or context), pipeline, propagate=propagate)


def _exported(copy: ir.Module, pipeline: str, *, propagate: bool) -> Module:
    """Return the module itself, which is changed in place."""
    with copy.context, ir.Location.unknown(), faults_of("exporting", copy.operation, (PipelineError,)):
        import_foreign(copy)
        if propagate:
            sdy.run(copy, "sdy-propagation-pipeline")
        sdy.run(copy, pipeline)
    return Module.of(copy)
