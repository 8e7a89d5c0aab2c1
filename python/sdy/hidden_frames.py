"""Hide frames of this package in errors and locations of JAX programs, as JAX hides its own.

A traceback ends and an op's location begins at the line of the user. `JAX_TRACEBACK_FILTERING=off` shows everything.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec, TypeVar

import sdy
from sdy.jax_internals import source_info_util, traceback_util

P = ParamSpec("P")
T = TypeVar("T")


@functools.cache
def hide() -> None:
    """Has JAX leave out frames of this package from now on."""
    path = os.path.dirname(str(sdy.__file__))
    source_info_util.register_exclusion(os.path.join(path, ""))
    traceback_util.register_exclusion(path)


_LIBRARY = (contextlib.__file__, functools.__file__)
"""Files of the frames that leave context managers written as generators, and that ask for cached properties."""


hidden = traceback_util.api_boundary
"""Decorator of a function that users call: what it raises shows none of our frames."""


def warn(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warns at the line of the user: the innermost that is neither ours, JAX's nor a decorator of the library."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and not (traceback_util.include_frame(frame) and frame.f_code.co_filename not in _LIBRARY):
        frame = frame.f_back
    if frame is not None:
        warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno)


def warning_at_user_line(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Call a function, and attribute its warnings to the user's line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*args, **named)
    for one in caught:
        warn(one.message, one.category)
    return result
