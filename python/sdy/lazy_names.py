"""Public names of a package, loaded at their first use.

The stub of the package, `__init__.pyi`, lists them for type checkers and for this module alike, in lines such as
`from sdy.report.explanation import explain as explain`. A name stands for a module if its module has no such attribute.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

_LISTED = re.compile(r"^from (\S+) import (\w+) as", re.MULTILINE)


def listed(file: str) -> dict[str, str]:
    """Return the module of each name in the stub of a package, whose own file is given."""
    return {name: module for module, name in _LISTED.findall(Path(file).with_suffix(".pyi").read_text("utf-8"))}


def loader(package: str, where: dict[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package that loads these names from their modules."""

    def load(name: str) -> object:
        if name not in where:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        module = where[name]
        found = None if module == package else getattr(import_module(module), name, None)
        if found is None:
            found = import_module(f"{module}.{name}")
        setattr(sys.modules[package], name, found)
        return found

    return load
