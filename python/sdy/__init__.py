"""Shardy in Python: the sdy dialect, sharding propagation, the partitioner, and execution on XLA.

All names listed here are public and stable; everything else may change without notice. Nothing is loaded before its
first use, including MLIR.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from sdy.lazy_dataclass import listed, loader

_WHERE = listed(__file__)
_load = loader(__name__, _WHERE)


class _Package(ModuleType):
    """Keeps the public name where a module of the package has the same: `sdy.partition` is the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and value.__name__ == _WHERE.get(name):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name != "__version__":
        return _load(name)
    found = globals()[name] = _installed_version()
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__name__", "__path__"])


def _installed_version() -> str:
    try:
        return version("sdy")
    except PackageNotFoundError:
        return "unknown"


__all__ = sorted([*_WHERE, "__version__"])  # pyright: ignore[reportUnsupportedDunderAll]
