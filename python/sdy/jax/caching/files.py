"""The files of programs in the folder of JAX's compilation cache.

They are named as JAX names its own, so that its limit is one of both kinds together and the one that was used least
goes first, whoever needs the room.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

from jax._src.lru_cache import LRUCache

_NEW = "-new"
_ABANDONED_SECONDS = 3600.0
"""A file that is older and still not in place was being written by a process that is gone."""


class ProgramFiles(LRUCache):
    """As JAX's, but a file is there as a whole or not at all, and one that is there is replaced."""

    def put(self, key: str, value: bytes) -> None:
        """Writes a file, after those that were used least have made room; one that no room is enough for is not."""
        if self.eviction_enabled and len(value) > self.max_size:
            return
        with self._alone():
            self._remove_abandoned()
            self._evict_if_needed(additional_size=len(value))
            if self.eviction_enabled:
                self._write(f"{key}-atime", time.time_ns().to_bytes(8, "little"))
            self._write(f"{key}-cache", value)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Where there is a limit, only one process at a time sees to it."""
        if not self.eviction_enabled:
            yield
            return
        self.lock.acquire(timeout=self.lock_timeout_secs)
        try:
            yield
        finally:
            self.lock.release()

    def _write(self, name: str, value: bytes) -> None:
        new = self.path / f".{uuid4().hex}{_NEW}"
        try:
            new.write_bytes(value)
            new.replace(self.path / name)
        except BaseException:
            new.unlink(missing_ok=True)
            raise

    def _remove_abandoned(self) -> None:
        """Removes what processes that were killed had begun to write."""
        for path in self.path.glob(f".*{_NEW}"):
            with suppress(OSError):  # another process was faster, or the folder is not of this file system
                if time.time() - os.stat(path).st_mtime > _ABANDONED_SECONDS:
                    os.unlink(path)
