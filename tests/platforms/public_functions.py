"""The functions of jax.numpy, jax.lax, jax.nn, jax.numpy.linalg and jax.random, each with arguments found by trying."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from tests.platforms.written_calls import NOT_CALLED, WRITTEN

MODULES = (jnp, lax, jax.nn, jnp.linalg, jax.random)

Shaped = jax.ShapeDtypeStruct


@dataclass(frozen=True)
class PublicFunction:
    """A function, called with `arguments` and nothing else."""

    name: str
    call: Callable[..., Any]
    arguments: tuple[Shaped, ...]


def _all_of(dtype: Any, *shapes: tuple[int, ...]) -> list[Shaped]:
    return [Shaped(shape, dtype) for shape in shapes]


_REAL = _all_of(jnp.float32, (8, 8), (8,), (8, 8, 8), (8, 3))
_WHOLE = _all_of(jnp.int32, (8, 8), (8,))
_OTHERS = [*_all_of(jnp.bool_, (8, 8)), *_all_of(jnp.complex64, (8, 8)), *_all_of(jnp.uint8, (8, 8))]

SETTINGS: dict[str, Any] = {
    "axis": 0,
    "axes": (1, 0),
    "axis1": 0,
    "axis2": 1,
    "broadcast_dimensions": (0, 1),
    "d": 2,
    "deg": 1,
    "dfden": 2.0,
    "dfnum": 2.0,
    "dims": (8, 8),
    "dimension": 0,
    "dimensions": (0,),
    "dtype": jnp.float32,
    "exponent_bits": 5,
    "fft_lengths": (8,),
    "fft_type": "fft",
    "index": 3,
    "index_dtype": jnp.int32,
    "indices_or_sections": 2,
    "k": 3,
    "kth": 3,
    "limit_index": 6,
    "limit_indices": (6, 8),
    "mantissa_bits": 10,
    "maxval": 9,
    "minval": 1,
    "n": 3,
    "new_dtype": jnp.int32,
    "new_shape": (4, 16),
    "new_sizes": (4, 16),
    "num_classes": 8,
    "obj": 3,
    "pad_width": 1,
    "padding": "SAME",
    "padding_config": ((1, 1, 0), (0, 0, 0)),
    "padding_value": 0.0,
    "permutation": (1, 0),
    "rank": 3,
    "repeats": 2,
    "reps": (2, 1),
    "shape": (8, 8),
    "slice_size": 4,
    "slice_sizes": (4, 8),
    "sizes": (4, 4),
    "source": 0,
    "destination": 1,
    "start_dimension": 0,
    "start_index": 2,
    "start_indices": (2, 0),
    "strides": (2, 1),
    "window_dimensions": (2, 1),
    "window_strides": (1, 1),
    "y": 3,
}
"""What parameters of these names are given that say how, not what, a function computes."""


def names() -> list[str]:
    """The full names of all public functions but those that are `NOT_CALLED`."""
    found = [f"{module.__name__}.{name}" for module in MODULES for name in vars(module) if _is_function(module, name)]
    return sorted(name for name in found if name not in NOT_CALLED)


def public_function(name: str) -> PublicFunction | None:
    """The function of that full name with arguments that it takes; None where none are known."""
    module, _, last = name.rpartition(".")
    return _with_arguments(name, getattr(importlib.import_module(module), last))


def _is_function(module: ModuleType, name: str) -> bool:
    value = getattr(module, name)
    if name.startswith("_") or not callable(value) or isinstance(value, type):
        return False
    return not name.endswith("_p")


def _with_arguments(name: str, function: Callable[..., Any]) -> PublicFunction | None:
    if name in WRITTEN:
        call, given = WRITTEN[name]
        return PublicFunction(name, call, given)
    for call, arguments in _attempts(name, function):
        if _takes(call, arguments):
            return PublicFunction(name, call, arguments)
    return None


def _attempts(name: str, function: Callable[..., Any]) -> Iterator[tuple[Callable[..., Any], tuple[Shaped, ...]]]:
    """Ways to call a function: required parameters are arrays of one kind or another, unless their name says more."""
    keys = [jax.random.key(0)] if name.startswith("jax.random.") else []
    for required, settings in product(_required(function), (SETTINGS, {})):
        given = {each: settings[each] for each in required if each in settings}
        arrays = [each for each in required if each not in given]
        for kinds in _kinds(len(arrays)):
            yield _called(function, required, arrays, given), kinds
            if keys:
                key = Shaped((), keys[0].dtype)
                yield _called(function, required, arrays, given), (key, *kinds[1:])


_FEW = (["x"], ["x", "y"], ["x", "y", "z"])


def _required(function: Callable[..., Any]) -> Sequence[list[str]]:
    """The parameters to give: those without a default; where that is not known, or none, one after the other."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return _FEW
    fixed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = [each.name for each in parameters if each.kind in fixed and each.default is each.empty]
    return [found] if found else _FEW


def _kinds(count: int) -> Iterator[tuple[Shaped, ...]]:
    for kind in (*_REAL, *_WHOLE, *_OTHERS):
        yield (kind,) * count
    if 1 < count <= 3:
        yield from product((*_REAL[:2], *_WHOLE), repeat=count)


def _called(
    function: Callable[..., Any], required: Sequence[str], arrays: Sequence[str], given: dict[str, Any]
) -> Callable[..., Any]:
    if not given:
        return function

    def call(*values: Any) -> Any:
        return function(*[given[each] if each in given else values[arrays.index(each)] for each in required])

    return call


def _takes(call: Callable[..., Any], arguments: tuple[Shaped, ...]) -> bool:
    try:
        return bool(jax.tree.leaves(jax.eval_shape(partial(call), *arguments)))
    except Exception:  # noqa: BLE001 - whatever a function has against arguments, they are not for it
        return False
