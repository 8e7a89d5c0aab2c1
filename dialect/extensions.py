"""Extensions: rules, data-flow ops, local lowerings, passes, pipelines and dialects of other packages.

A package names modules to import or functions to call in the entry-point group `sdy.extensions`. They are loaded before
the first context is made, before the first pipeline is planned and before the first rule is looked up.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from threading import local

from sdy.mlir.interpreter import process_lock

ENTRY_POINTS = "sdy.extensions"
"""The entry-point group."""


class ExtensionError(ImportError):
    """An extension cannot be loaded; one line names it and the reason."""


class Extensions:
    """The extensions of the packages that are installed; in any number of threads each is called once."""

    def __init__(self) -> None:
        self._lock = process_lock()
        self._is_done = False
        self._own = local()

    def load(self) -> None:
        """Loads them, if that has not been done.

        Raises:
          ExtensionError: one of them fails; the others are not loaded either.
        """
        if self._is_done or getattr(self._own, "is_loading", False):
            return
        self._own.is_loading = True  # for what is imported or called and comes here
        try:
            # Not under the lock: an import may wait for one in another thread, which may come here.
            loaded = [(_loaded(each, _described(each)), _described(each)) for each in entry_points(group=ENTRY_POINTS)]
            with self._lock:
                if not self._is_done:
                    for each, described in loaded:
                        _call(each, described)
                    self._is_done = True
        finally:
            self._own.is_loading = False


def entry_points(group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group; where no package has any, those of others are not parsed."""
    if any(group in (package.read_text("entry_points.txt") or "") for package in metadata.distributions()):
        return metadata.entry_points(group=group)
    return ()


_extensions = Extensions()


def load_extensions() -> None:
    """Loads the declarations of other packages, once in a process.

    Raises `ExtensionError` if one of them fails.
    """
    _extensions.load()


def load_plugin(name: str) -> None:
    """Imports a module of extensions; for ``module:function`` the function is called as well.

    Args:
      name: the module as it is imported, or the file of one, which ends in ``.py``.

    Raises:
      ExtensionError: it cannot be imported, or fails.
    """
    described = f"the plugin '{name}'"
    if name.endswith(".py"):
        _import_file(Path(name), described)
    else:
        if not EntryPoint.pattern.match(name):
            raise ExtensionError(f"{described} is not a module name")
        _call(_loaded(EntryPoint(name, name, ENTRY_POINTS), described), described)


def _import_file(path: Path, described: str) -> None:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None, "the name ends as those of modules do"
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _failure(described, error) from error


def _loaded(entry_point: EntryPoint, described: str) -> object:
    try:
        return entry_point.load()
    except (Exception, SystemExit) as error:
        raise _failure(described, error) from error


def _call(loaded: object, described: str) -> None:
    if callable(loaded):
        try:
            loaded()
        except (Exception, SystemExit) as error:
            raise _failure(described, error) from error


def _described(entry_point: EntryPoint) -> str:
    package = getattr(entry_point, "dist", None)
    of = "" if package is None else f" of the package '{package.name}'"
    return f"the extension '{entry_point.name}' ({entry_point.value}){of}"


def _failure(described: str, error: BaseException) -> ExtensionError:
    reason = " ".join(str(error).split())
    return ExtensionError(f"{described} fails to load: {type(error).__name__}: {reason}".rstrip(": "))
