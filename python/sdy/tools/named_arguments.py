"""Modules, machines and dialects that command lines name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sdy.dialect.context import registered_dialects
from sdy.dialect.irdl_loading import dialects_in, load_irdl
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.costs.machine import Machine
from sdy.programs.bytecode import is_bytecode, read_bytecode
from sdy.programs.sources import OF_TORCH, source
from sdy.tools.diagnostics_output import report_error
from sdy.tools.files import name_of, read_bytes
from sdy.tools.flags import UsageError


def read_module(path: str) -> str:
    """Return the text of a module in a file, which may be bytecode, or a program saved by torch.export.

    Raises:
      UsageError: nothing can be read there, or it is neither text nor bytecode.
      DiagnosticError: damaged bytecode, a program of PyTorch that cannot be lowered.
    """
    try:
        if path.endswith(OF_TORCH):
            return source(Path(path)).text
        data = read_bytes(path)
        return read_bytecode(data) if is_bytecode(data) else data.decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not text") from None


def on_module(path: str, work: Callable[[str, str], int]) -> int:
    """Runs `work` on the text of a file and its name in diagnostics; returns its exit code, or 1 after a diagnostic.

    Raises `UsageError` if there is no text to read.
    """
    filename, text = name_of(path), ""
    try:
        text = read_module(path)
        return work(text, filename)
    except DiagnosticError as error:
        report_error(error, filename, text)
        return 1


def machine_of(text: str, flag: str = "--machine") -> Machine:
    """Return the machine; raise `UsageError` with the flag for an invalid text."""
    try:
        return Machine.parse(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"{flag}: {error}") from None


__all__ = ["available_dialects", "dialects_in", "load_irdl"]


def available_dialects() -> list[str]:
    """The names of all dialects; CHLO is loaded for programs that use it."""
    return sorted({"chlo", "sdy", "stablehlo", *registered_dialects()})
