"""Runs pipelines: our passes and upstream's in one order, with verification and observers in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache, partial
from typing import Protocol

from sdy.dialect.assembly import parse_module, print_module
from sdy.dialect.context import VARIADIC, exclusively, groups_of, make_context
from sdy.dialect.extensions import load_extensions
from sdy.dialect.shardings.meshes import Kept
from sdy.dialect.verification import verify_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import PassManager, interpreter, ir
from sdy.mlir.declared_dialects import TooManyTypes, segments_attached
from sdy.mlir.diagnostics import (
    UNKNOWN,
    Diagnostic,
    DiagnosticError,
    DiagnosticErrors,
    Position,
    Severity,
    collecting,
    position_of,
    saying_once,
)
from sdy.mlir.faults import faults_of
from sdy.mlir.interpreter import collector_paused
from sdy.mlir.search import branches_known, has_one, ops_named
from sdy.passes.options import did_you_mean, format_options
from sdy.passes.registry import (
    UNCHANGED,
    Pass,
    expand,
    find,
    is_loaded,
    options_of,
    passes,
    pipelines,
    registrations,
    run_pass,
)
from sdy.passes.steps import FUNCTION, MODULE, PipelineError, Step, parse_pipeline, run_of


class Observer(Protocol):
    """Receives each pass that runs on an op: for printing, timing, dumping.

    Either `after` or `failed` is called. `verifies` asks for verification right after each pass, so that a pass with an
    invalid result counts as failed.
    """

    @property
    def verifies(self) -> bool: ...

    def before(self, step: Step, op: ir.Operation) -> None: ...

    def after(self, step: Step, op: ir.Operation) -> None: ...

    def failed(self, step: Step, op: ir.Operation) -> None: ...


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A runnable step: `run` takes the module, and may return `UNCHANGED`.

    `is_trusted` tells that its result need not be verified before the next step, `is_own` that it belongs to this
    package.
    """

    step: Step
    on_func: bool
    run: Callable[[ir.Operation], object]
    is_trusted: bool = True
    is_own: bool = True


class Verify(Enum):
    """After which passes a module is verified."""

    NONE = 0
    UNTRUSTED = 1
    ALL = 2

    def after(self, planned: PlannedStep) -> bool:
        return self is Verify.ALL or (self is Verify.UNTRUSTED and not planned.is_trusted)


def run_pipeline(
    module: ir.Module | ir.Operation,
    steps: str | Sequence[Step],
    *,
    verify: bool = True,
    observers: Sequence[Observer] = (),
) -> None:
    """Runs a pipeline on a module in place.

    Args:
      module: an `ir.Module`, or its operation.
      steps: textual pipeline, or steps.
      verify: whether the module has to be valid after each pass (see `run_planned`).
      observers: notified of each pass.

    Raises:
      PipelineError: unknown passes or options; nothing has run then.
      DiagnosticError: a pass failed, or left a module that does not verify.
      InternalError: a pass of the package failed for a reason that lies in the package.
    """
    run_planned(module, plan(steps), verify=verify, observers=observers)


def run(module: ir.Module | ir.Operation, *pipelines: str, verify: bool = True) -> None:
    """Run textual pipelines (``"sdy-propagation-pipeline"``, ``"sdy-a,func.func(sdy-b{opt=val})"``) in place.

    Raises:
      TypeError, ValueError: `module` does not belong to this package, or its context lacks sdy; `parse` makes one.
      PipelineError: an unknown pass or option.
      DiagnosticError: a pass failed or left an invalid module.
      InternalError: a pass failed for a reason that lies in this package.
    """
    if not isinstance(getattr(module, "operation", None), ir.Operation):
        raise TypeError(f"run() needs a module to change in place, not {type(module).__name__}; see sdy.parse")
    if not module.operation.context.is_dialect_loaded("sdy"):
        raise ValueError(
            "the context of the module lacks the dialect sdy; make it with sdy.make_context(), or sdy.parse"
        )
    run_pipeline(module, ",".join(pipelines), verify=verify)


def run_nested(module: ir.Module | ir.Operation, steps: str | Sequence[Step]) -> None:
    """Runs a pipeline inside a pass; the caller of that pass decides what is verified and explained."""
    op = module.operation
    with op.context, op.location, exclusively(op.context), collector_paused():
        _run_all(op, plan(steps), (), Verify.NONE)


def plan(steps: str | Sequence[Step]) -> tuple[PlannedStep, ...]:
    """The passes of a pipeline, ready to run.

    Raises:
      PipelineError: unknown passes or options.
    """
    load_extensions()
    if isinstance(steps, str):
        return _planned_text(steps, registrations())
    keys = tuple(_key(one) for one in steps)
    try:
        hash(keys)
    except TypeError:  # a value of an option of a pass that is not of this package
        return _plan_all(list(steps))
    return _planned_steps(keys, registrations())


@lru_cache(maxsize=64)
def _planned_text(text: str, _registrations: int) -> tuple[PlannedStep, ...]:
    """Return the passes of a textual pipeline, cached until something new is registered."""
    return _plan_all(parse_pipeline(text))


_Key = tuple[str, tuple[tuple[str, type, object], ...], bool, tuple[str, ...]]


def _key(one: Step) -> _Key:
    """Return the key of a step, with the types of its options: 1 is not True."""
    options = tuple((name, type(value), value) for name, value in one.options.items())
    return one.name, options, one.on_func, one.only_with


@lru_cache(maxsize=64)
def _planned_steps(keys: tuple[_Key, ...], _registrations: int) -> tuple[PlannedStep, ...]:
    """Return the passes of steps, cached until something new is registered."""
    return _plan_all([Step(name, {key: value for key, _, value in given}, on, ops) for name, given, on, ops in keys])


def _plan_all(steps: list[Step]) -> tuple[PlannedStep, ...]:
    return tuple([_plan(one) for one in expand(steps)])


def run_planned(
    module: ir.Module | ir.Operation,
    planned: Sequence[PlannedStep],
    *,
    verify: bool = True,
    observers: Sequence[Observer] = (),
) -> None:
    """Runs planned passes on a module in place (see `run_pipeline`).

    The result of each pass has to be valid. This is verified after each pass that is neither of this package nor
    upstream's, unless the pass reports no change. Verification takes as long as many a pass, so for the others it runs
    only once, at the end. If the module is invalid then, or a pass fails, the same passes run on a copy of the original
    with verification after each, to report the error where it arose. Without verification nothing is copied; if a pass
    raises, what is left of the module is verified: the cause is usually something that verification would have refused.
    """
    op = module.operation
    with (
        op.context,
        op.location,
        exclusively(op.context),
        saying_once(),
        collector_paused(),
    ):
        if verify and (len(planned) == 1 or any(observer.verifies for observer in observers)):
            _run_all(op, planned, observers, Verify.ALL)
            return
        copy = op.clone() if verify else op
        try:
            _run_all(op, planned, observers, Verify.UNTRUSTED if verify else Verify.NONE)
            if verify and (not planned or planned[-1].is_trusted):
                check(op)
        except DiagnosticError:
            if verify:
                _report_first_error(copy, planned)
            raise
        except Exception:
            check(copy)
            if verify:
                _report_first_error(copy, planned)
            raise


def _run_all(
    module: ir.Operation, planned: Sequence[PlannedStep], observers: Sequence[Observer], verify: Verify
) -> None:
    # Where somebody looks at what each pass leaves, none leaves less because of those that follow.
    steps = [] if observers or verify is Verify.ALL else [each.step for each in planned]
    with run_of(steps) as run, branches_known(module) as branches:
        for each in planned:
            interpreter.check_interrupts()
            run.passed += 1
            _run(each, module, observers, verify.after(each))
            if not each.is_own:
                branches.look_again()


def _report_first_error(module: ir.Operation, planned: Sequence[PlannedStep]) -> None:
    """Runs the passes with verification after each; warnings and remarks have been reported before."""
    with collecting(lambda diagnostic: None):
        _run_all(module, planned, (), Verify.ALL)


def _run(planned: PlannedStep, module: ir.Operation, observers: Sequence[Observer], verify: bool) -> None:
    if planned.on_func:
        # What a pass finds out about the module on one function serves all of them.
        with Kept():
            _run_on(_functions(module), planned, module, observers, verify)
    else:
        _run_on([module], planned, module, observers, verify)


def _run_on(
    targets: Sequence[ir.Operation],
    planned: PlannedStep,
    module: ir.Operation,
    observers: Sequence[Observer],
    verify: bool,
) -> None:
    changed, found = False, list[Diagnostic]()
    for target in targets:
        for observer in observers:
            observer.before(planned.step, target)
        try:
            with faults_of(f"pass '{planned.step.name}'", target, _own_errors(planned)):
                changed |= planned.run(target) is not UNCHANGED
            if verify and changed and target is targets[-1] and not found:
                check(module)
        except Exception as error:
            for observer in observers:
                observer.failed(planned.step, target)
            if not isinstance(error, DiagnosticError) or len(targets) == 1:
                raise
            # A pass on functions tells of all that it fails on.
            found += error.diagnostics
            continue
        for observer in observers:
            observer.after(planned.step, target)
    if found:
        raise DiagnosticErrors(list(dict.fromkeys(found)))
    if verify and not targets:
        check(module)


def _own_errors(planned: PlannedStep) -> tuple[type[Exception], ...]:
    """Turns any exception of a foreign pass into an error of that pass."""
    return () if planned.is_trusted else (Exception,)


def _functions(module: ir.Operation) -> list[ir.Operation]:
    block = module.regions[0].blocks[0]
    return [op.operation for op in block.operations if op.operation.name == FUNCTION]


def _plan(one: Step) -> PlannedStep:
    return _plan_waiting(one) if one.only_with and not is_loaded(one.name) else _plan_found(one)


def _plan_waiting(one: Step) -> PlannedStep:
    """A pass that is loaded for the first module with something that it applies to."""
    load = lru_cache(maxsize=1)(partial(_plan_found, one))

    def run(op: ir.Operation) -> object:
        return load().run(op) if is_loaded(one.name) or has_one_of(op, one.only_with) else UNCHANGED

    return PlannedStep(one, one.on_func, run)


def has_one_of(op: ir.Operation, names: Sequence[str]) -> bool:
    """Return whether a module or function has an attribute, or ops, of one of these names."""
    return has_one(op.attributes, names) or bool(ops_named(op, *names))


def _plan_found(one: Step) -> PlannedStep:
    found = find(one.name)
    if isinstance(found, Pass):
        if found.anchor == MODULE and one.on_func:
            raise PipelineError(f"pass '{one.name}' runs on '{MODULE}', not on '{FUNCTION}'")
        options = options_of(one, found)
        on_func = found.anchor == FUNCTION or one.on_func
        is_own = found.is_built_in
        return PlannedStep(one, on_func, lambda op: run_pass(found, op, options), is_own, is_own)
    return _upstream(one)


def _upstream(one: Step) -> PlannedStep:
    """Return an upstream pass; one for functions is nested automatically."""
    text = one.name + (f"{{{format_options(one.options)}}}" if one.options else "")
    for anchor in (FUNCTION,) if one.on_func else (MODULE, FUNCTION):
        pipeline = f"{anchor}({text})"
        if _is_upstream(pipeline):
            return PlannedStep(one, anchor == FUNCTION, partial(run_upstream, pipeline), is_own=False)
    if is_pass(one.name):
        raise PipelineError(f"pass '{one.name}' does not take the options '{format_options(one.options)}'")
    known = [*passes(), *pipelines()]
    raise PipelineError(f"unknown pass '{one.name}'{did_you_mean(one.name, known)}")


def is_pass(name: str) -> bool:
    """Return whether a pass or pipeline of that name exists, here or upstream."""
    if find(name) is not None:
        return True
    return re.fullmatch(r"[\w-]+", name) is not None and any(_is_upstream(f"{on}({name})") for on in (MODULE, FUNCTION))


@lru_cache(maxsize=256)
def _is_upstream(pipeline: str) -> bool:
    """Return whether upstream knows the pipeline; this takes a context of its own."""
    with ir.Context(load_on_create_dialects=[]):
        try:
            PassManager.parse(pipeline)
        except (ValueError, ir.MLIRError):
            return False
    return True


def run_upstream(pipeline: str, module: ir.Operation) -> None:
    """Run an upstream pipeline, ``builtin.module(...)`` or ``func.func(...)``, on an op of that kind.

    Raises:
      DiagnosticErrors: it failed.
    """
    manager = PassManager.parse(pipeline, module.context)
    manager.enable_verifier(False)
    try:
        manager.run(module)
    except ir.MLIRError as error:
        raise mlir_errors(error) from None


def check(module: ir.Operation) -> None:
    """Verifies the module: upstream's conditions, then those of the dialect.

    Raises:
      DiagnosticError: it does not hold.
    """
    try:
        with segments_attached(module, VARIADIC, groups_of(module.context)):
            module.verify()
    except ir.MLIRError as error:
        raise mlir_errors(error) from None
    except TooManyTypes as error:
        # The context cannot be changed; one that is made for such ops verifies a copy.
        context = make_context(allow_unregistered_dialects=True, groups=error.needed)
        parse_module(print_module(module), context)
    verify_module(module)


def mlir_errors(
    error: ir.MLIRError, place: Callable[[ir.Location], Position] = position_of
) -> DiagnosticErrors | DiagnosticError:
    """The diagnostics that an upstream error carries."""

    def convert(info: ir.DiagnosticInfo, severity: Severity) -> Diagnostic:
        notes = tuple(convert(note, Severity.NOTE) for note in info.notes)
        return Diagnostic(severity, place(info.location), info.message, notes)

    found = [convert(info, Severity.ERROR) for info in error.error_diagnostics]
    if not found:
        found = [Diagnostic(Severity.ERROR, UNKNOWN, str(error).splitlines()[0])]
    return DiagnosticErrors(found)
