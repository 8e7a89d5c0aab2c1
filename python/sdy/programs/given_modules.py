"""Programs given by users, and the compiled form of each.

Everything that reports on a program takes the module and the partitioning from `compiled`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

import sdy
from sdy.dialect.context import exclusively
from sdy.dialect.shardings.sharding_walk import distinct_shardings
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.partitioned_module import PartitionedModule
from sdy.passes.manager import run_nested, run_pipeline
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.passes.registry import step
from sdy.programs.parsing import parse_in_lean, parsed_for_passes
from sdy.programs.partitioning import Partitioning
from sdy.programs.sources import AnyProgram, is_module, is_of_jax, source

GivenProgram: TypeAlias = "AnyProgram | PartitionedModule"
"""A program at any stage; a partitioned one knows its original program."""

_DEFAULT = PartitionOptions()
_USUAL = Partitioning()

Given = TypeVar("Given", bound=ir.Module | ir.Operation)


@dataclass(frozen=True)
class CompiledProgram:
    """A compiled program: the module before partitioning, and its passes.

    Attributes:
      program: the module, or its source.
      partitioning: the passes and their options.
      context: the MLIR context to parse a text into; None for a new one.
      mesh: that of a local program which does not say on which mesh it runs.
    """

    program: AnyProgram
    partitioning: Partitioning = _USUAL
    context: ir.Context | None = None
    mesh: Mesh | None = None


@runtime_checkable
class IsCompiled(Protocol):
    """A stage that knows the compiled program, such as a `sdy.jax.Lowered`."""

    def compiled_program(self) -> CompiledProgram:
        """Return the program that is compiled."""
        ...


def compiled(
    given: GivenProgram, options: PartitionOptions | None = None, *, filename: str = "-", is_local: bool = False
) -> CompiledProgram:
    """Return the program that is compiled from a user's object.

    Args:
      given: a program at any stage.
      options: options of partitioning; None for those of the compiled program. Programs of JAX stay embedded in JAX's
        program with any options.
      filename: name in locations of a program without a name.
      is_local: whether a cached local program suffices.

    Returns:
      The program, with files already read, since a FIFO can be read only once.

    Raises:
      ValueError: only a cached local program exists, and `is_local` is false.
      DiagnosticError: a program of JAX cannot be prepared.
    """
    found = _compiled(given, is_local=is_local)
    if not is_module(found.program):
        found = replace(found, program=source(found.program, filename))
    if options is None:
        return found
    embedded = options.embedded or found.partitioning.options.embedded
    return replace(found, partitioning=Partitioning(replace(options, embedded=embedded)))


def _compiled(given: GivenProgram, *, is_local: bool) -> CompiledProgram:
    if isinstance(given, PartitionedModule):
        if is_local:
            return CompiledProgram(given.text, context=given.context, mesh=Mesh(given.mesh.axes))
        if given.source is None or given.partitioning is None:
            raise ValueError("the partitioned program was stored without its original; pass the original program")
        return after_leading_passes(given.source, given.partitioning, given.context)
    if isinstance(given, IsCompiled):
        return given.compiled_program()
    return CompiledProgram(given, Partitioning(PartitionOptions(embedded=is_of_jax(given))))


def after_leading_passes(
    program: AnyProgram, partitioning: Partitioning, context: ir.Context | None = None
) -> CompiledProgram:
    """Return the program after the passes in front of `sdy-partition-pipeline`, such as those that choose shardings.

    They run once for all reports, however many changes are evaluated on the program.
    """
    if not partitioning.leading:
        return CompiledProgram(program, partitioning, context)
    module = own_copy(program, context=context)
    with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda warning: None):
        run_nested(module.operation, [*partitioning.phases().only("importing", "leading")])
    return CompiledProgram(module, partitioning.without_leading())


def parsed(module: AnyProgram, filename: str = "-", context: ir.Context | None = None) -> ir.Module | ir.Operation:
    """Return `module`, or its text (see `sdy.programs.sources.source`) parsed into `context` or a new one.

    Raises:
      DiagnosticError: the text is not a valid module.
      OSError: the file cannot be read.
      TypeError: it is not a program.
      ValueError: it is a module in a context other than the given one.
    """
    if not is_module(module):
        return sdy.parse(module, filename, context)
    if context is not None and context is not module.operation.context:
        raise ValueError("the module is in another context than the given one")
    return module


def text_of(module: AnyProgram, filename: str = "-") -> str:
    """Return the text that a program was parsed from, for the names in it; empty for a module."""
    return "" if is_module(module) else source(module, filename).text


def own_copy(
    module: AnyProgram, filename: str = "-", context: ir.Context | None = None, *, is_lean: bool = False
) -> ir.Module:
    """Return a module that may be changed: the result of `parsed`, or a copy in the context of the module.

    It propagates like the original module. With `is_lean`, a new context has few dialects (see `make_context`): for
    modules that users do not get. Raises the errors of `parsed`.
    """
    from sdy.programs.bytecode import exact_copy

    if is_lean and context is None and not is_module(module):
        return parse_in_lean(module, filename)
    given = parsed(module, filename, context)
    return exact_copy(given) if given is module or not isinstance(given, ir.Module) else given


def copy_for_passes(
    module: AnyProgram, filename: str = "-", context: ir.Context | None = None
) -> AbstractContextManager[ir.Module]:
    """Copy like `own_copy`, for passes in the block, of which only diagnostics remain.

    Raises what `parsed` raises.
    """
    if context is None and not is_module(module):
        return parsed_for_passes(module, filename)
    return nullcontext(own_copy(module, filename, context))


def import_foreign(module: ir.Module | ir.Operation, options: PartitionOptions = _DEFAULT) -> None:
    """Convert the shardings of GSPMD, or XLA's strings, to shardings of sdy, in place.

    Raises `DiagnosticError` at what cannot be imported.
    """
    given = {"import_shardings": options.import_shardings, "sharding_calls": options.sharding_calls}
    with module.context, ir.Location.unknown():
        run_pipeline(module.operation, [step("sdy-import-foreign-shardings", **given)])


def with_own_shardings(module: Given, options: PartitionOptions = _DEFAULT) -> Given | ir.Module:
    """Return `module`, or a copy with foreign shardings imported and inlined meshes named."""
    from sdy.passes.interchange.importing.foreign_shardings import Encoding, ForeignShardings
    from sdy.programs.bytecode import exact_copy

    is_own = ForeignShardings(module.operation).encoding in (Encoding.NONE, Encoding.NATIVE)
    if options.import_shardings == "off" or (is_own and not options.sharding_calls):
        if not any(isinstance(each.mesh_or_ref, Mesh) for each in distinct_shardings(module.operation)):
            return module
        # What is changed to answer questions is sharded on meshes by their names.
        copy = exact_copy(module)
        run_pipeline(copy.operation, [step("sdy-lift-inlined-meshes")])
        return copy
    copy = exact_copy(module)
    import_foreign(copy, options)
    return copy
