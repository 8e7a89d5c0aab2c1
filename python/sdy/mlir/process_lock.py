"""Locks of the whole process that survive a fork."""

from __future__ import annotations

import os
from threading import RLock


def process_lock() -> RLock:
    """A reentrant lock that nobody holds in a child process, whatever thread forks and whoever holds it then.

    Who holds one may take those that were made before it, but none that was made after it: forking takes them in that
    order.
    """
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
