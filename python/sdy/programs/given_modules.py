"""What users hand over as a program: a source, or a module in a context of theirs."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias, TypeVar

import sdy
from sdy.mlir import ir
from sdy.partitioned_module import PartitionedModule
from sdy.passes.interchange.importing.foreign_shardings import Encoding, ForeignShardings
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.exact_copy import exact_copy
from sdy.programs.parsing import parsed_for_passes
from sdy.programs.sources import AnyProgram, is_module, source

GivenProgram: TypeAlias = "AnyProgram | PartitionedModule"
"""A program at any stage; of one that is partitioned, what it is of is known."""

Given = TypeVar("Given", bound=ir.Module | ir.Operation)


def parsed(module: GivenProgram, filename: str = "-", context: ir.Context | None = None) -> ir.Module | ir.Operation:
    """`module` itself, or what its text says (see `sdy.programs.sources.source`), parsed into `context` or a new one.

    Of a `PartitionedModule` it is the program that was partitioned.

    Raises:
      DiagnosticError: the text is no valid module.
      OSError: the file cannot be read.
      TypeError: it is no program.
      ValueError: it is a module in a context other than the given one.
    """
    if isinstance(module, PartitionedModule):
        return _whole(module, context)
    if not is_module(module):
        return sdy.parse(module, filename, context)
    if context is not None and context is not module.operation.context:
        raise ValueError("the module is in another context than the given one")
    return module


def text_of(module: GivenProgram, filename: str = "-") -> str:
    """What a program was parsed from, for the names in it; empty for a module."""
    given = module.source if isinstance(module, PartitionedModule) else module
    return "" if given is None or is_module(given) else source(given, filename).text


def options_for(module: GivenProgram) -> PartitionOptions:
    """The options with which a program is partitioned if nobody says others: as before if it was."""
    return PartitionOptions(embedded=isinstance(module, PartitionedModule) and module.is_embedded)


def own_copy(module: GivenProgram, filename: str = "-", context: ir.Context | None = None) -> ir.Module:
    """A module that may be changed: what `parsed` gives, or a copy in the context of the module.

    It propagates as the module itself does. Raises what `parsed` raises.
    """
    given = parsed(module, filename, context)
    is_kept = given is module or (isinstance(module, PartitionedModule) and given is module.source)
    return exact_copy(given) if is_kept or not isinstance(given, ir.Module) else given


def copy_for_passes(
    module: AnyProgram, filename: str = "-", context: ir.Context | None = None
) -> AbstractContextManager[ir.Module]:
    """As `own_copy`, for passes in the block alone, of which nothing but what they say is seen behind it.

    Raises what `parsed` raises.
    """
    if context is None and not is_module(module):
        return parsed_for_passes(module, filename)
    return nullcontext(own_copy(module, filename, context))


def _whole(partitioned: PartitionedModule, context: ir.Context | None) -> ir.Module | ir.Operation:
    given = partitioned.source
    if given is None:
        raise ValueError("the partitioned program was kept without the one that it is of; hand over that one")
    if is_module(given):
        return parsed(given, context=context)
    return sdy.parse(given, context=context or partitioned.context)


def import_foreign(module: ir.Module | ir.Operation) -> None:
    """Gives a module whose shardings are those of GSPMD or XLA's strings shardings of sdy, in place.

    Raises `DiagnosticError` at what cannot be imported.
    """
    sdy.run(module, "sdy-import-foreign-shardings")


def with_own_shardings(module: Given) -> Given | ir.Module:
    """`module` itself, or a copy in which its foreign shardings are imported."""
    if ForeignShardings(module.operation).encoding in (Encoding.NONE, Encoding.NATIVE):
        return module
    copy = exact_copy(module)
    import_foreign(copy)
    return copy
