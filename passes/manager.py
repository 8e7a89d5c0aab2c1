"""Runs pipelines: our passes and upstream's in one order, with verification and observers in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from sdy.dialect.assembly import parse_module, print_module
from sdy.dialect.context import groups_of, make_context
from sdy.dialect.diagnostics import (
    Diagnostic,
    DiagnosticError,
    DiagnosticErrors,
    Position,
    Severity,
    collecting,
    position_of,
)
from sdy.dialect.ops import VARIADIC
from sdy.dialect.variadic import TooManyTypes, segments_attached
from sdy.dialect.verification import verify_module
from sdy.mlir import PassManager, ir
from sdy.passes import garbage_collection
from sdy.passes.options import format_options
from sdy.passes.pipeline_text import parse_pipeline
from sdy.passes.registry import FUNCTION, MODULE, Pass, PipelineError, Step, expand, find, options_of, run_pass


class Observer(Protocol):
    """Is told of each pass as it runs on an op: for printing, timing, dumping."""

    def before(self, step: Step, op: Any) -> None: ...

    def after(self, step: Step, op: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Planned:
    """A step that is known to be runnable: `run` takes the module."""

    step: Step
    on_func: bool
    run: Callable[[Any], None]


def run_pipeline(
    module: Any, steps: str | Sequence[Step], *, verify: bool = True, observers: Sequence[Observer] = ()
) -> None:
    """Runs a pipeline on a module in place.

    Args:
      module: an `ir.Module`, or its operation.
      steps: textual pipeline, or steps.
      verify: whether the module has to be valid after each pass (see `run_planned`).
      observers: are told of each pass.

    Raises:
      PipelineError: unknown passes or options; nothing has run then.
      DiagnosticError, DiagnosticErrors: a pass failed, or left a module that does not verify.
    """
    run_planned(module, plan(steps), verify=verify, observers=observers)


def plan(steps: str | Sequence[Step]) -> list[Planned]:
    """The passes of a pipeline, ready to run.

    Raises:
      PipelineError: unknown passes or options.
    """
    return [_plan(one) for one in expand(parse_pipeline(steps) if isinstance(steps, str) else list(steps))]


def run_planned(
    module: Any, planned: Sequence[Planned], *, verify: bool = True, observers: Sequence[Observer] = ()
) -> None:
    """Runs planned passes on a module in place (see `run_pipeline`).

    What a pass leaves has to be valid. Since verification takes as long as many a pass, several passes are run without
    and the result is verified; if it is not valid, or a pass fails, the same passes run on a copy of what there was at
    first with verification after each, to report the error where it arose. An error that a later pass of the same run
    mends is not found.
    """
    op = module.operation
    with op.context, op.location, garbage_collection.paused():
        if not verify or len(planned) == 1:
            _run_all(op, planned, observers, verify)
            return
        copy = op.clone()
        try:
            _run_all(op, planned, observers, verify=False)
            check(op)
        except Exception:
            _report_first_error(copy, planned)
            raise


def _run_all(module: Any, planned: Sequence[Planned], observers: Sequence[Observer], verify: bool) -> None:
    for each in planned:
        _run(each, module, observers)
        if verify:
            check(module)


def _report_first_error(module: Any, planned: Sequence[Planned]) -> None:
    """Runs the passes with verification after each; warnings and remarks have been reported before."""
    with collecting(lambda diagnostic: None):
        _run_all(module, planned, (), verify=True)


def _run(planned: Planned, module: Any, observers: Sequence[Observer]) -> None:
    targets = _functions(module) if planned.on_func else [module]
    for target in targets:
        for observer in observers:
            observer.before(planned.step, target)
        planned.run(target)
        for observer in observers:
            observer.after(planned.step, target)


def _functions(module: Any) -> list[Any]:
    block = module.regions[0].blocks[0]
    return [op.operation for op in block.operations if op.operation.name == FUNCTION]


def _plan(one: Step) -> Planned:
    found = find(one.name)
    if isinstance(found, Pass):
        if found.anchor == MODULE and one.on_func:
            raise PipelineError(f"pass '{one.name}' runs on '{MODULE}', not on '{FUNCTION}'")
        options = options_of(one, found)
        on_func = found.anchor == FUNCTION or one.on_func
        return Planned(one, on_func, lambda op: run_pass(found, op, options))
    return Planned(one, False, _upstream(one))


def _upstream(one: Step) -> Callable[[Any], None]:
    """An upstream pass, run on the module even if it is nested, since upstream nests by itself."""
    text = one.name + (f"{{{format_options(one.options)}}}" if one.options else "")
    for pipeline in (f"{MODULE}({text})", f"{MODULE}({FUNCTION}({text}))"):
        if one.on_func and FUNCTION not in pipeline:
            continue
        if _is_upstream(pipeline):
            return lambda op: run_upstream(pipeline, op)
    if _is_upstream(f"{MODULE}({one.name})") or _is_upstream(f"{MODULE}({FUNCTION}({one.name}))"):
        raise PipelineError(f"pass '{one.name}' does not take the options '{format_options(one.options)}'")
    raise PipelineError(f"unknown pass '{one.name}'")


@cache
def _is_upstream(pipeline: str) -> bool:
    """Whether upstream knows the pipeline, which takes a context of its own to find out."""
    with ir.Context():
        try:
            PassManager.parse(pipeline)
        except (ValueError, ir.MLIRError):
            return False
    return True


def run_upstream(pipeline: str, module: Any) -> None:
    """Runs an upstream pipeline, ``builtin.module(...)``, on the module.

    Raises:
      DiagnosticErrors: it failed.
    """
    manager = PassManager.parse(pipeline, module.context)
    manager.enable_verifier(False)
    try:
        manager.run(module)
    except ir.MLIRError as error:
        raise mlir_errors(error) from None


def check(module: Any) -> None:
    """Verifies the module: upstream's conditions, then those of the dialect.

    Raises:
      DiagnosticError, DiagnosticErrors: it does not hold.
    """
    try:
        with segments_attached(module, VARIADIC, groups_of(module.context)):
            module.verify()
    except ir.MLIRError as error:
        raise mlir_errors(error) from None
    except TooManyTypes as error:
        # The context cannot be changed; one that is made for such ops verifies a copy.
        parse_module(print_module(module), make_context(groups=error.needed))
    verify_module(module)


def mlir_errors(error: Any, place: Callable[[Any], Position] = position_of) -> DiagnosticErrors | DiagnosticError:
    """The diagnostics that an upstream error carries."""

    def convert(info: Any, severity: Severity) -> Diagnostic:
        notes = tuple(convert(note, Severity.NOTE) for note in info.notes)
        return Diagnostic(severity, place(info.location), info.message, notes)

    found = [convert(info, Severity.ERROR) for info in error.error_diagnostics]
    if not found:
        found = [Diagnostic(Severity.ERROR, Position("unknown"), str(error).splitlines()[0])]
    return DiagnosticErrors(found)
