"""Functions of users whose behaviour follows from their code: a digest that is the same in another process.

A known function uses its arguments, plain constants, a few builtins, a few functions of this package, and other known
functions; nothing else. What reads a module, an environment, a file, an attribute of a function, or calls an object is
not known: whether it does the same later cannot be told, so nothing that depends on it is cached.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import sys
import types
from collections.abc import Iterator

import sdy


class UnknownCode(Exception):
    """Names what may change without a trace in the digest."""


_BUILTINS = frozenset(
    "IndexError NotImplementedError TypeError ValueError abs all any bool dict divmod enumerate filter float int "
    "isinstance len list map max min pow range reversed round slice sorted str sum tuple zip".split()
)
"""Builtins whose results follow from their arguments."""

_OF_PACKAGE = frozenset({"einsum_rule", "keep_and_combine", "replace_and_combine"})
"""Public functions of this package whose results follow from their arguments; the key has the package's version."""

_PLAIN = (bool, float, complex, str, bytes, types.NoneType, types.EllipsisType)

_READS_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_LEAVES_TRACES = frozenset({"STORE_DEREF", "DELETE_DEREF"})
_COUNTS = ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags")
_NAMES = ("co_names", "co_varnames", "co_freevars", "co_cellvars")


def digest_of(*things: object) -> str:
    """Return a digest of known functions and plain values. Raises `UnknownCode` if one is neither."""
    reader = _Reader()
    text = "\0".join(map(reader.read, things))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Reader:
    """Describes values as text; a function that occurs again is named by its number, so recursion ends."""

    def __init__(self) -> None:
        self._numbers: dict[types.FunctionType, int] = {}

    def read(self, thing: object) -> str:
        if type(thing) is int:
            return f"int {thing:x}"  # in decimal long ones are refused
        if type(thing) in _PLAIN:
            return f"{type(thing).__name__} {thing!r}"
        if type(thing) is tuple:
            return f"({', '.join(map(self.read, thing))})"
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        raise UnknownCode(_name(thing))

    def _function(self, function: types.FunctionType) -> str:
        if function in self._numbers:
            return f"function {self._numbers[function]}"
        self._numbers[function] = len(self._numbers)
        if vars(function):
            raise UnknownCode(f"attributes of {_name(function)}")
        defaults = sorted((function.__kwdefaults__ or {}).items())
        parts = [self.read((function.__defaults__, tuple(defaults)))]
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:
                raise UnknownCode(f"the variable '{name}', which has no value yet") from None
            parts.append(self._named(name, value))
        return f"{{{'; '.join((*parts, *self._code(function.__code__, function)))}}}"

    def _code(self, code: types.CodeType, function: types.FunctionType) -> Iterator[str]:
        """Describe code independently of its place; nested functions have the globals of `function`."""
        yield repr([getattr(code, name) for name in (*_COUNTS, *_NAMES, "co_code", "co_exceptiontable")])
        instructions = list(dis.get_instructions(code))
        for one, following in zip(instructions, [*instructions[1:], None], strict=True):
            if one.opname == "LOAD_GLOBAL":
                yield self._global(one.argval, function, following)
            elif one.opname in _LEAVES_TRACES and one.argval in code.co_freevars:
                raise UnknownCode(f"the variable '{one.argval}', which {_name(function)} sets")
            elif one.opname == "LOAD_BUILD_CLASS":
                raise UnknownCode(f"a class inside of {_name(function)}")
            elif one.opcode in dis.hasname and (one.opname not in _READS_ATTRIBUTE or one.argval.startswith("_")):
                raise UnknownCode(f"'{one.argval}' ({one.opname.lower()} in {_name(function)})")
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield from self._code(constant, function)
            elif isinstance(constant, frozenset):
                yield repr(sorted(map(self.read, constant)))
            else:
                yield self.read(constant)

    def _global(self, name: str, function: types.FunctionType, following: dis.Instruction | None) -> str:
        scope = function.__globals__
        if name not in scope:
            found = getattr(builtins, name, None)
            if name in _BUILTINS and function.__builtins__.get(name) is found:
                return f"builtin {name}"
            raise UnknownCode(f"'{name}'")
        value = scope[name]
        if value is sdy and following is not None and following.opname in _READS_ATTRIBUTE:
            return self._named(f"{name}.{following.argval}", getattr(sdy, following.argval, sdy))
        return self._named(name, value)

    def _named(self, name: str, value: object) -> str:
        if isinstance(value, types.FunctionType) and value in map(_of_package, _OF_PACKAGE):
            return f"sdy.{value.__name__}"
        try:
            return f"{name} = {self.read(value)}"
        except UnknownCode as error:
            raise UnknownCode(f"'{name}'" if str(error) == _name(value) else str(error)) from None


def _name(thing: object) -> str:
    if isinstance(thing, types.FunctionType):
        return f"{thing.__module__}.{thing.__qualname__}"
    return f"a {type(thing).__module__}.{type(thing).__qualname__}"


def _of_package(name: str) -> object:
    """The function of this package that `sdy` has under a name, if it is loaded."""
    return getattr(sys.modules.get(sdy._WHERE[name]), name, None)
