"""Classes, patterns and public names that are made at their first use.

`dataclass` is that of the standard library, with methods compiled at their first call.

The standard library compiles up to six methods of each class, called or not, which takes 0.5 to 1.2 ms of CPU a class:
half of what a first program spends on imports (benchmarks/README.md, "Faster paths"). Here a class takes 0.05 ms, and a
method 0.1 ms when it is first called. Instances of frozen classes with slots are made in a third of the time.

Methods, hashes and errors are those of the standard library. `field`, `KW_ONLY`, `fields`, `replace` and `asdict` are
taken from there. There is no `order`.

Public names of a package are loaded at their first use. The stub of the package, `__init__.pyi`, lists them for type
checkers and for this module alike, in lines such as `from sdy.report.explanation import explain as explain`. A name
stands for a module if its module has no such attribute.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import _FIELD, KW_ONLY, MISSING, Field, FrozenInstanceError, field  # type: ignore[attr-defined]
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from reprlib import recursive_repr
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any, NamedTuple, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")

_FIELDS = "__dataclass_fields__"
"""Attribute in which the standard library keeps the fields of a class."""


class _Options(NamedTuple):
    frozen: bool
    eq: bool
    init: bool
    slots: bool
    kw_only: bool


@overload
def dataclass(cls: type[T], /) -> type[T]: ...


@overload
def dataclass(
    *, frozen: bool = False, eq: bool = True, init: bool = True, slots: bool = False, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(field, Field))
def dataclass(
    cls: type[Any] | None = None,
    /,
    *,
    frozen: bool = False,
    eq: bool = True,
    init: bool = True,
    slots: bool = False,
    kw_only: bool = False,
) -> Any:
    """Add the methods of a dataclass to a class.

    Args:
      cls: the class, which has annotated fields.
      frozen: assigning to a field raises `FrozenInstanceError`.
      eq: add `__eq__`, and `__hash__` if frozen.
      init: add `__init__`.
      slots: return a new class with `__slots__`.
      kw_only: `__init__` takes the fields by name only.

    Returns:
      the class; without `cls`, a decorator.
    """

    def decorate(cls: type) -> type:
        return _process(cls, _Options(frozen, eq, init, slots, kw_only))

    return decorate if cls is None else decorate(cls)


def _process(cls: type, options: _Options) -> type:
    inherited: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited |= base.__dict__.get(_FIELDS, {})
    own = dict(_own_fields(cls, options.kw_only))
    for name, each in own.items():
        if each.default is not MISSING:
            setattr(cls, name, each.default)
        elif name in cls.__dict__:
            delattr(cls, name)
    if options.slots:
        cls = _with_slots(cls, tuple(own))
    for name, value in _methods(cls, inherited | own, options):
        setattr(cls, name, value)
    return cls


def _own_fields(cls: type, kw_only: bool) -> Iterator[tuple[str, Field[Any]]]:
    """Return the fields that a class declares itself; annotations are texts."""
    for name, annotation in cls.__annotations__.items():
        if annotation in ("KW_ONLY", "dataclasses.KW_ONLY") or annotation is KW_ONLY:
            kw_only = True
        elif not str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            default = cls.__dict__.get(name, MISSING)
            each: Field[Any] = default if isinstance(default, Field) else field(default=default)
            each.name, each.type, each._field_type = name, annotation, _FIELD  # type: ignore[attr-defined]
            each.kw_only = kw_only if each.kw_only is MISSING else each.kw_only
            yield name, each


def _with_slots(cls: type, names: tuple[str, ...]) -> type:
    """Return the class with slots: they have to be known when a class is made."""
    inherited = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    members = {name: each for name, each in cls.__dict__.items() if name not in (*names, "__dict__", "__weakref__")}
    members["__slots__"] = tuple(name for name in names if name not in inherited)
    made = type(cls)(cls.__name__, cls.__bases__, members)
    made.__qualname__ = cls.__qualname__
    return made


def _methods(cls: type, fields: dict[str, Field[Any]], options: _Options) -> Iterator[tuple[str, object]]:
    """Return the methods to add to a class by name, without those it defines."""
    own = cls.__dict__
    compared = [each.name for each in fields.values() if each.compare]
    yield _FIELDS, fields
    yield "__dataclass_params__", options  # a subclass by the standard library asks for `frozen`
    yield "__match_args__", tuple(each.name for each in fields.values() if each.init and not each.kw_only)
    if options.init:
        yield "__init__", _Lazy(cls, "__init__", lambda: _init(cls, [*fields.values()], options))
    if "__repr__" not in own:
        yield "__repr__", _repr([each.name for each in fields.values() if each.repr])
    if options.eq:
        if "__eq__" not in own:
            yield "__eq__", _Lazy(cls, "__eq__", lambda: _eq(compared))
        if not options.frozen:
            yield "__hash__", own.get("__hash__")
        elif own.get("__hash__") is None:
            hashed = [each.name for each in fields.values() if (each.compare if each.hash is None else each.hash)]
            yield "__hash__", _Lazy(cls, "__hash__", lambda: _hash(hashed))
    if options.frozen:
        yield from _frozen(cls, frozenset(fields))
        if options.slots and "__getstate__" not in own:
            # Without these, what is unpickled is assigned to.
            yield from (("__getstate__", _getstate), ("__setstate__", _setstate))


def _frozen(cls: type, names: frozenset[str]) -> Iterator[tuple[str, object]]:
    def assign(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return iter((("__setattr__", assign), ("__delattr__", delete)))


class _Lazy:
    """A method that is made at its first lookup, and replaces this object."""

    def __init__(self, cls: type, name: str, make: Callable[[], FunctionType]) -> None:
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        function = self._make()
        function.__qualname__ = f"{self._cls.__qualname__}.{self._name}"
        function.__module__ = self._cls.__module__
        setattr(self._cls, self._name, function)
        return function.__get__(instance, owner)


def _init(cls: type, fields: list[Field[Any]], options: _Options) -> FunctionType:
    """Make the `__init__` of a class.

    Classes with equally many fields, set in the same ways, share one text, which is compiled once with the fields `x0`,
    `x1` and so on. The code of a class has the real names in their place.
    """
    named = {f"x{number}": each for number, each in enumerate(fields)}
    given = {name: each for name, each in named.items() if each.init}
    positional = [name for name, each in given.items() if not each.kw_only]
    by_name = [name for name, each in given.items() if each.kw_only]
    used: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    lines = [line for name, each in named.items() for line in _assign(cls, name, each, options, used)]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    head = ", ".join(["self", *positional, *(["*", *by_name] if by_name else [])])
    shared = _code("\n ".join([f"def __init__({head}):", *(lines or ["pass"])]), "__init__")

    def renamed(names: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(named[name].name if name in named else name for name in names)

    code = shared.replace(
        co_varnames=renamed(shared.co_varnames), co_names=renamed(shared.co_names), co_consts=renamed(shared.co_consts)
    )
    defaults = {name: _default(each) for name, each in given.items() if _default(each) is not _REQUIRED}
    function = FunctionType(code, used, "__init__", tuple(defaults[name] for name in positional if name in defaults))
    function.__kwdefaults__ = {named[name].name: defaults[name] for name in by_name if name in defaults}
    function.__annotations__ = {each.name: each.type for each in given.values()} | {"return": "None"}
    return function


_REQUIRED = object()


def _default(each: Field[Any]) -> object:
    """Return the default of a parameter; `MISSING` if each call makes it, `_REQUIRED` without one."""
    if each.default_factory is not MISSING:
        return MISSING
    return _REQUIRED if each.default is MISSING else each.default


def _assign(cls: type, name: str, each: Field[Any], options: _Options, used: dict[str, Any]) -> Iterator[str]:
    """Return the line that sets the field `name`, if there is one; `used` collects the values it needs."""
    value = name
    if each.default_factory is not MISSING:
        used[f"_make_{name}"] = each.default_factory
        value = f"_make_{name}() if {name} is _MISSING else {name}" if each.init else f"_make_{name}()"
    elif not each.init:
        if each.default is MISSING or not options.slots:
            return
        value = f"_default_{name}"
        used[value] = each.default
    if not options.frozen:
        yield f"self.{name} = {value}"
    elif isinstance(slot := getattr(cls, each.name, None), MemberDescriptorType):
        used[f"_set_{name}"] = slot.__set__
        yield f"_set_{name}(self, {value})"
    else:
        yield f"_set(self, {name!r}, {value})"


def _compiled(text: str, name: str) -> FunctionType:
    """Compile a function of that name with access to built-in names alone."""
    exec(text, names := dict[str, Any]())
    return names[name]


@lru_cache(maxsize=256)
def _code(text: str, name: str) -> CodeType:
    """Return the code of a function, compiled once per text."""
    return _compiled(text, name).__code__


def _eq(names: list[str]) -> FunctionType:
    same = " and ".join(f"self.{name} == other.{name}" for name in names) or "True"
    text = (
        "def __eq__(self, other):\n"
        " if self is other: return True\n"
        f" if other.__class__ is self.__class__: return {same}\n"
        " return NotImplemented"
    )
    return _compiled(text, "__eq__")


def _hash(names: list[str]) -> FunctionType:
    text = f"def __hash__(self): return hash(({''.join(f'self.{name}, ' for name in names)}))"
    return _compiled(text, "__hash__")


def _repr(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def shown(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return shown


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _setstate(self: Any, state: list[Any]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=True):
        object.__setattr__(self, name, value)


class _LazyPattern:
    """A regular expression that is compiled when a method of it is first looked up."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = getattr(re.compile(self.pattern, self.flags), name)
        return found


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled at its first use: a first program uses a third of those that it loads."""
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))


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
