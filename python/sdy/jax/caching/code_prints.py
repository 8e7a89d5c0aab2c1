"""What functions of users do, told without calling them: a digest that is the same in another process.

A function is told by its code, its defaults, what it closes over, and by all that it names: functions, classes, values,
down to what comes with Python or one of the libraries whose versions are known. An object that has more to it than its
attributes cannot be told.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import logging
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

import numpy as np

TOLD_BY_VERSION = frozenset({"sdy", "jax", "jaxlib", "numpy", "ml_dtypes", "mlir", "torch_mlir"})
"""Libraries whose functions are told by name; whoever asks sees to their versions."""


class UnknownCode(Exception):
    """It cannot be told whether another process has the same; says of what."""


def print_of(*things: object) -> str:
    """The digest of functions, classes and values. Raises `UnknownCode`."""
    return _CodeReader().read(things)


class _CodeReader:
    """Reads things one after the other; what was met before is told by its number, so that circles come to an end."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._met: list[object] = []  # alive, so that no other object gets the address of one

    def read(self, thing: object) -> str:
        if isinstance(thing, _PLAIN):
            return f"{type(thing).__name__} {thing!r}"
        number = self._numbers.get(id(thing))
        if number is not None:
            return f"met {number}"
        self._numbers[id(thing)] = len(self._met)
        self._met.append(thing)
        parts = [type(thing).__name__, *self._parts(thing)]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def _parts(self, thing: object) -> Iterator[str]:
        name = _library_name(thing)
        if name is not None:
            return iter([name])
        for kinds, parts in _KINDS:
            if isinstance(thing, kinds):
                return map(self.read, parts(thing))
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        if isinstance(thing, (set, frozenset)):
            return iter(sorted(_CodeReader().read(each) for each in thing))
        if isinstance(thing, np.ndarray):
            return iter([str(thing.dtype), str(thing.shape), hashlib.sha256(thing.tobytes()).hexdigest()])
        return map(self.read, (type(thing), _state(thing)))

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        yield from map(self.read, (function.__code__, function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            try:
                yield self.read(cell.cell_contents)
            except ValueError:
                yield "a cell that is empty yet"
        yield from self._named(frozenset(_names(function.__code__)), function.__globals__, frozenset())

    def _named(self, names: frozenset[str], scope: Mapping[str, object], around: frozenset[int]) -> Iterator[str]:
        """What of `scope` goes by the names that some code uses; of a module of users, what of that does, too."""
        for name in sorted(names & scope.keys()):
            thing = scope[name]
            yield name
            if not isinstance(thing, types.ModuleType) or _library_name(thing) is not None:
                yield self.read(thing)
            elif id(thing) not in around:
                yield from self._named(names, vars(thing), around | {id(thing)})


_PLAIN = (bool, int, float, complex, str, bytes, types.NoneType, types.EllipsisType, types.NotImplementedType)


def _library_name(thing: object) -> str | None:
    """The full name of what comes from a library that is told by its version."""
    if isinstance(thing, types.ModuleType):
        module, name = thing.__name__, ""
    elif isinstance(thing, (type, types.FunctionType, types.BuiltinFunctionType, np.ufunc)):
        module = getattr(thing, "__module__", None) or ("numpy" if isinstance(thing, np.ufunc) else "builtins")
        name = getattr(thing, "__qualname__", thing.__name__)
    else:
        return None
    top = module.partition(".")[0]
    is_known = top in TOLD_BY_VERSION or (top in sys.stdlib_module_names and top != "__main__")
    return f"{module}.{name}" if is_known and "<locals>" not in name else None


def _names(code: types.CodeType) -> Iterator[str]:
    """The globals and attributes that code uses, that of functions inside of it too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _code(code: types.CodeType) -> tuple[object, ...]:
    """What code does, wherever it is written."""
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, code.co_exceptiontable, counts, names, code.co_consts)


_OF_NO_CONSEQUENCE = frozenset(
    "__dict__ __weakref__ __module__ __doc__ __firstlineno__ __static_attributes__ __annotations__ __annotate__ "
    "__annotate_func__ __annotations_cache__ __abstractmethods__ _abc_impl __dataclass_fields__ "
    "__dataclass_params__".split()
)


def _class(kind: type) -> tuple[object, ...]:
    slots = (types.GetSetDescriptorType, types.MemberDescriptorType)
    said = {
        name: value
        for name, value in vars(kind).items()
        if name not in _OF_NO_CONSEQUENCE and not isinstance(value, slots)
    }
    return (kind.__qualname__, kind.__bases__, said)


def _state(thing: object) -> Mapping[str, object]:
    """The attributes of an object that is made of nothing else. Raises `UnknownCode`."""
    if dataclasses.is_dataclass(thing):
        return {each.name: getattr(thing, each.name) for each in dataclasses.fields(thing)}
    written = [sys.modules.get(each.__module__) for each in type(thing).__mro__[:-1]]
    is_python = all(str(getattr(module, "__file__", None)).endswith(".py") for module in written)
    if (
        not is_python
        or not hasattr(thing, "__dict__")
        or any("__slots__" in vars(each) for each in type(thing).__mro__)
    ):
        raise UnknownCode(f"an object of {type(thing).__module__}.{type(thing).__qualname__}")
    return vars(thing)


_KINDS: tuple[tuple[Any, Callable[[Any], tuple[Any, ...]]], ...] = (
    ((tuple, list), tuple),
    ((dict, types.MappingProxyType), lambda thing: tuple(each for item in thing.items() for each in item)),
    (types.CodeType, _code),
    (types.MethodType, lambda thing: (thing.__func__, thing.__self__)),
    (functools.partial, lambda thing: (thing.func, thing.args, thing.keywords)),
    ((staticmethod, classmethod), lambda thing: (thing.__func__,)),
    (property, lambda thing: (thing.fget, thing.fset, thing.fdel)),
    (enum.Enum, lambda thing: (type(thing), thing.name)),
    (type, _class),
    (re.Pattern, lambda thing: (thing.pattern, thing.flags)),
    (PurePath, lambda thing: (str(thing),)),
    (logging.Logger, lambda thing: (thing.name,)),
)
"""How what is made of other things is taken apart."""
