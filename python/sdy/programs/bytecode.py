"""MLIR bytecode of modules with sdy, as the C++ dialect encodes it, and as copies of modules pass through it.

The C++ dialect encodes each attribute in a special form; jaxlib's writer and reader handle it, exchanging text with us.
A dialect declared by IRDL has no encoding: its attributes are text in bytecode, readable only where the dialect is
loaded from IRDL.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.context import VARIADIC, declared_here, exclusively, groups_of, load_mpmd, make_context
from sdy.mlir import ir, load_chlo
from sdy.mlir.declared_dialects import detach, segments_attached
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors, Position, Severity
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.programs.isolated import Died, isolated

if TYPE_CHECKING:
    from jaxlib.mlir import ir as jaxlib_ir


Argument = TypeVar("Argument")
Result = TypeVar("Result")

_MAGIC = b"ML\xefR"

SDY_VERSIONS = ("0.0.0", "0.0.1", "0.0.2")
"""Versions of the encoding of sdy, the newest last."""

_ADDED = {
    "0.0.1": (r"\bunreduced=", "unreduced axes"),
    "0.0.2": (r"\bunreduced=\w|\breduction_op = [12] :", "reductions of unreduced axes other than sums"),
}
"""Features by the version that adds them: their generic form, and their name."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def is_bytecode(data: bytes) -> bool:
    """Return whether `data` starts like MLIR bytecode."""
    return data.startswith(_MAGIC)


# Writing -----------------------------------------------------------------------------------------


def write_bytecode(
    module: ir.Module | ir.Operation, *, version: int | None = None, sdy_version: str | None = None
) -> bytes:
    """Write a module as bytecode for jaxlib, and other readers with sdy in C++.

    A module with ops of a dialect that only this package or its extensions declare is written for readers that load the
    declarations; sdy has no versions there.

    Args:
      module: a module in a context of this package.
      version: the version of the format of bytecode; by default the newest that jaxlib writes.
      sdy_version: the version of the encoding of sdy, for older readers: "0.0.1" adds unreduced axes, "0.0.2"
        reductions of them other than sums; by default the newest.

    Returns:
      The bytes for a file.

    Raises:
      DiagnosticErrors: the module has features that this version of sdy lacks; jaxlib refuses it, or does not write
        that version
        of the format.
      ValueError: there is no such version of sdy.
    """
    if sdy_version not in (None, *SDY_VERSIONS):
        raise ValueError(f"there is no version '{sdy_version}' of sdy; there are {', '.join(SDY_VERSIONS)}")
    own = declared_here().intersection(op.name.partition(".")[0] for op in pre_order(module.operation))
    if own:
        if sdy_version is not None:
            raise DiagnosticErrors([_error(f"ops of '{min(own)}' are not written with a version of sdy")])
        return bytecode_for_copies(module, version)
    text = print_module(module, PrintOptions(generic=True, debug_info=True))
    without_strings = _STRING.sub('""', text)
    for added, (pattern, what) in _ADDED.items():
        if sdy_version is not None and added > sdy_version and re.search(pattern, without_strings):
            raise DiagnosticErrors([_error(f"the module has {what}, which version {sdy_version} of sdy lacks")])
    return _elsewhere(_write_by_jaxlib, (text, version), "jaxlib does not survive writing the module")


def _write_by_jaxlib(given: tuple[str, int | None]) -> bytes:
    from jaxlib.mlir import ir as other
    from jaxlib.version import __version__

    text, version = given
    buffer = io.BytesIO()
    with _context_of_jaxlib() as context:
        said: list[str] = []
        context.attach_diagnostic_handler(lambda found: said.append(found.message) or True)
        try:
            other.Module.parse(text).operation.write_bytecode(buffer, version)
        except (other.MLIRError, ValueError) as error:
            found = [each.message for each in getattr(error, "error_diagnostics", ())] or said or [str(error)]
            raise DiagnosticErrors([_error(f"jaxlib {__version__} does not write the module: {found[0]}")]) from None
    return buffer.getvalue()


def bytecode_for_copies(module: ir.Module | ir.Operation, version: int | None = None) -> bytes:
    """Write a module as bytecode for contexts of this package alone, without text or another process.

    Raises `DiagnosticErrors` if there is no such version of the format.
    """
    buffer = io.BytesIO()
    operation = module.operation
    said: list[str] = []
    handler = module.context.attach_diagnostic_handler(lambda found: said.append(found.message) or True)
    # Readers verify what they read, so the segments have to be there (see `sdy.mlir.declared_dialects`).
    with exclusively(module.context), segments_attached(operation, VARIADIC, groups_of(module.context)):
        try:
            operation.write_bytecode(buffer, version)
        except ValueError as error:
            raise DiagnosticErrors([_error("; ".join(said) or str(error))]) from None
        finally:
            handler.detach()
    return buffer.getvalue()


# Reading -----------------------------------------------------------------------------------------


def read_bytecode(data: bytes) -> str:
    """Reads a module as text with locations: from `write_bytecode`, from jaxlib, from `jax.export`, or for copies.

    Raises:
      DiagnosticErrors: it is not readable bytecode.
    """
    return _elsewhere(_read, data, "the bytecode is damaged")


def _elsewhere(function: Callable[[Argument], Result], argument: Argument, problem: str) -> Result:
    """Call in another process, which may crash: nothing in bytecode has been verified. Raises `DiagnosticErrors`."""
    try:
        return isolated(function, argument)
    except ModuleNotFoundError as error:
        message = f"bytecode of this program needs {error.name}: pip install 'sdy[jax]'"
        raise DiagnosticErrors([_error(message)]) from None
    except (Died, RuntimeError, TypeError, ValueError, LookupError):
        # As for strings that are no text, and names of dialects with a letter changed.
        raise DiagnosticErrors([_error(problem)]) from None


def _read(data: bytes) -> str:
    if _PORTABLE.match(data):
        return _read_by_jaxlib(data, is_portable=True)
    # Whether unknown dialects are welcome is for the reader of the text to say.
    context = make_context(allow_unregistered_dialects=True)
    load_chlo(context)
    if b"mpmd" in data:
        load_mpmd(context)
    with context, ir.Location.unknown():
        try:
            module = ir.Module.parse(data)
        except ir.MLIRError as error:
            # Dialects that are declared here are encoded in C++, or in generic form, where others write them.
            with suppress(DiagnosticErrors):
                return _read_by_jaxlib(data, is_portable=False)
            raise DiagnosticErrors([_converted(error)]) from None
    detach(op for op in pre_order(module.operation) if op.name in VARIADIC)
    return print_module(module, PrintOptions(debug_info=True))


_PORTABLE = re.compile(re.escape(_MAGIC) + rb"[^S]{1,9}StableHLO_v")
"""First bytes of StableHLO's portable artifacts: magic, version of the format, producer."""


def _read_by_jaxlib(data: bytes, *, is_portable: bool) -> str:
    from jaxlib.mlir import ir as other
    from jaxlib.mlir.dialects import stablehlo

    with _context_of_jaxlib() as context:
        try:
            module = stablehlo.deserialize_portable_artifact(context, data) if is_portable else other.Module.parse(data)
        except other.MLIRError as error:
            raise DiagnosticErrors([_converted(error)]) from None
        return str(module.operation.get_asm(enable_debug_info=True))


# Both --------------------------------------------------------------------------------------------


def _context_of_jaxlib() -> jaxlib_ir.Context:
    """Return a context with the dialects of JAX, where ops in generic form may be unknown."""
    from jaxlib.mlir import ir as other
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo

    context = other.Context()
    registry = other.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (sdy, chlo, stablehlo):
        dialect.register_dialect(context)
    mhlo.register_mhlo_dialect(context)
    context.allow_unregistered_dialects = True
    return context


def _error(message: str, *notes: str) -> Diagnostic:
    place = Position.start("-")
    return Diagnostic(Severity.ERROR, place, message, tuple(Diagnostic(Severity.NOTE, place, each) for each in notes))


def _converted(error: Exception) -> Diagnostic:
    """Return the error, and the version of the bytecode's writer."""
    for found in getattr(error, "error_diagnostics", ()):
        return _error(found.message, *(note.message for note in found.notes))
    return _error(str(error).splitlines()[0])


def exact_copy(module: ir.Module | ir.Operation) -> ir.Module:
    """Return a copy of the module, in its context, in which every value has its users in the same order."""
    copy = ir.Module.parse(bytecode_for_copies(module), module.context)
    detach(ops_named(copy.operation, *VARIADIC))
    return copy
