"""Programs in the forms that users have: text, files, bytes, and stages of JAX functions."""

from __future__ import annotations

import os
import stat
import sys
import threading
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, DiagnosticErrors, Position

if TYPE_CHECKING:
    import jax.export
    from jaxlib.mlir import ir as jaxlib_ir
    from typing_extensions import TypeIs


ACCEPTED = (
    "the text of a module, a file (a path, or its name), bytecode, a module, or what JAX traces, lowers or exports"
)

OF_TORCH = ".pt2"
"""Suffix of files that torch.export writes. They are read by their name alone: PyTorch may run code of such a file."""

_SUFFIXES = (".mlir", ".mlirbc", OF_TORCH)


class Source(NamedTuple):
    """The text of a module, with locations unless the user wrote it, and its name in diagnostics."""

    text: str
    filename: str


OfJax: TypeAlias = "jax.stages.Traced | jax.stages.Lowered | jax.export.Exported | jaxlib_ir.Module"
"""Results of lowering or exporting a function in JAX."""

AnySource: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | Source | OfJax"
"""Inputs that `source` reads."""

AnyProgram: TypeAlias = "AnySource | ir.Module | ir.Operation"
"""Inputs that `source` reads, or a module in the caller's context."""


def is_module(given: object) -> TypeIs[ir.Module | ir.Operation]:
    """Return whether `given` is a module of this package's bindings in a context that has the dialect.

    A module of another context, such as a frontend's with the same bindings, is read as text.
    """
    operation: Any = getattr(given, "operation", None)
    is_own = isinstance(operation, ir.Operation) and operation.name == "builtin.module"
    return is_own and operation.context.is_dialect_loaded("sdy")


def is_of_jax(given: object) -> bool:
    """Return whether `given` is a stage of a JAX function, or its lowered module."""
    stages, modules = sys.modules.get("jax.stages"), sys.modules.get("jaxlib.mlir.ir")
    is_stage = stages is not None and isinstance(given, (stages.Traced, stages.Lowered))
    return is_stage or (modules is not None and isinstance(given, (modules.Module, modules.Operation)))


def source(given: AnySource, filename: str = "-") -> Source:
    """Return the text of a program given in another form than a module of ours.

    A string is the text itself, or the name of a file if it is one line that names or looks like one.

    Args:
      given: text; `os.PathLike`, a ``.pt2`` file of torch.export included; bytes (text or bytecode); a
        `jax.stages.Traced` or `Lowered`, a `jax.export.Exported`, a module of jaxlib; or a source itself.
      filename: name in diagnostics of a source without a name.

    Raises:
      OSError: the file cannot be read.
      DiagnosticErrors: it is not readable bytecode, or not UTF-8.
      TypeError: it is something else.
    """
    if isinstance(given, Source):
        return given
    if isinstance(given, str):
        return _file(given, filename) if _names_file(given) else Source(given, filename)
    if isinstance(given, os.PathLike):
        return _file(os.fspath(given), filename)
    if isinstance(given, (bytes, bytearray, memoryview)):
        return Source(_decoded(bytes(given), filename), filename)
    found = _of_jax(given, filename)
    if found is None:
        raise TypeError(f"expected {ACCEPTED}, not {type(given).__name__}{_hint(given)}")
    return found


def _names_file(text: str) -> bool:
    if "\n" in text or "\0" in text or not text:
        return False
    return text.endswith(_SUFFIXES) or (len(text) < 4096 and os.path.isfile(text))


def _file(path: str | bytes, filename: str) -> Source:
    name = os.fsdecode(path)
    called = name if filename == "-" else filename
    if name.endswith(OF_TORCH):
        return Source(_of_torch(name, called), called)
    return Source(_decoded(Path(name).read_bytes(), called), called)


def _decoded(data: bytes, filename: str) -> str:
    from sdy.programs.bytecode import is_bytecode, read_bytecode

    if is_bytecode(data):
        try:
            return read_bytecode(data)
        except DiagnosticErrors as errors:
            raise DiagnosticErrors([_named(error, filename) for error in errors.diagnostics]) from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise DiagnosticError(Position.start(filename), f"is neither text nor bytecode: {error.reason}") from None


def _of_torch(path: str, filename: str) -> str:
    """The text of a program that torch.export has written."""
    if find_spec("torch") is None:
        needs = "is a program of PyTorch, which is needed to read it: pip install 'sdy[torch]'"
        raise DiagnosticError(Position.start(filename), needs)
    return import_module("sdy.torch").trace(path).text


def _named(error: Diagnostic, filename: str) -> Diagnostic:
    """An error of the reader of bytecode, with the name of the file."""
    place = Position.start(filename)
    return replace(error, position=place, notes=tuple(replace(note, position=place) for note in error.notes))


def _of_jax(of: object, filename: str) -> Source | None:
    """Return the source of an object of JAX, if JAX is imported; None for anything else."""
    given: Any = of
    stages, export = sys.modules.get("jax.stages"), sys.modules.get("jax.export")
    if stages is not None and isinstance(given, stages.Traced):
        given = given.lower()
    if stages is not None and isinstance(given, stages.Lowered):
        given = given.compiler_ir("stablehlo")
    if export is not None and isinstance(given, export.Exported):
        return Source(given.mlir_module(), given.fun_name if filename == "-" else filename)
    operation: Any = getattr(given, "operation", None)
    if getattr(operation, "name", None) != "builtin.module" or not hasattr(operation, "get_asm"):
        return None
    name = str(operation.attributes["sym_name"]).strip('"') if "sym_name" in operation.attributes else filename
    return Source(operation.get_asm(enable_debug_info=True), name if filename == "-" else filename)


def _hint(given: object) -> str:
    """Suggest what to pass in place of a similar object."""
    stages = sys.modules.get("jax.stages")
    if type(given).__name__ == "PartitionedModule":
        return ": it is partitioned already"
    if stages is not None and isinstance(given, stages.Compiled):
        return ": pass what JAX lowered, f.lower(*arguments)"
    if stages is not None and isinstance(given, stages.Wrapped):
        return ": lower it for its arguments, f.lower(*arguments)"
    return ""


_LARGEST_SOURCE = 64 << 20
"""Bytes of a file that is read for single lines of it."""


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; an existing regular file is replaced in one step, and unchanged if that fails.

    Links are followed, devices and FIFOs are written into, and an existing file keeps its mode.

    Raises:
      OSError: the file cannot be written; the error names `path`.
    """
    target = Path(path)
    try:
        if not _is_replaceable(target) or not _replace(target, data):
            target.write_bytes(data)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_replaceable(target: Path) -> bool:
    """Return whether replacing the file loses no link, owner or permission."""
    try:
        found = target.lstat()
    except FileNotFoundError:
        return True
    is_own = found.st_nlink == 1 and found.st_uid == os.geteuid()
    return stat.S_ISREG(found.st_mode) and is_own and os.access(target, os.W_OK)


def _replace(target: Path, data: bytes) -> bool:
    """Write a file beside `target` and rename it; return False if the folder accepts no new file."""
    unfinished = target.with_name(f".sdy-{os.getpid()}-{threading.get_ident()}")
    try:
        file = unfinished.open("xb")
    except PermissionError:
        return False
    try:
        with file:
            if target.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            file.write(data)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def remove_file(path: str | os.PathLike[str]) -> None:
    """Remove a regular file; do nothing for other kinds of paths.

    Raises `OSError` if it cannot be removed.
    """
    if Path(path).is_file():
        Path(path).unlink()


def source_lines(path: str) -> list[str]:
    """Return the lines of a regular text file; none of other files, and none of a file of more than 64 MiB."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST_SOURCE:
            return []
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
