"""What other packages declare: rules, data-flow ops, local lowerings, passes.

A package names the modules that do so, or functions that are called, in the entry-point group `sdy.extensions`. They
are loaded before the first pipeline is planned and before the first rule is looked for.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from sdy.mlir.process_lock import process_lock

ENTRY_POINTS = "sdy.extensions"
"""The entry-point group."""


class Extensions:
    """The extensions of the packages that are installed; in any number of threads each is called once."""

    def __init__(self) -> None:
        self._lock = process_lock()
        self._is_begun = self._is_done = False

    def load(self) -> None:
        """Loads them, if that has not been done."""
        if self._is_done:
            return
        # Not under the lock: an import may wait for one in another thread, which may come here.
        loaded = [entry_point.load() for entry_point in entry_points(group=ENTRY_POINTS)]
        with self._lock:
            if not self._is_begun:
                self._is_begun = True  # for what is called and comes here
                for each in filter(callable, loaded):
                    each()
                self._is_done = True


_extensions = Extensions()


def load_extensions() -> None:
    """Loads what other packages declare, once in a process."""
    _extensions.load()
