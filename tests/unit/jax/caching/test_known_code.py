"""Which functions of users are known by their code, and that everything they depend on tells them apart."""

from __future__ import annotations

import collections
import functools
import os
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import pytest

import sdy
from sdy import einsum_rule
from sdy.jax.caching import keys as this
from sdy.jax.caching.keys import UnknownCode, digest_of

FACTOR = 3
TABLE = {"i": 3}
SIZES = (1, (2.0, "x"))


def _helper(x: int) -> int:
    return FACTOR * x


def _even(n: int) -> bool:
    return n == 0 or _odd(n - 1)


def _odd(n: int) -> bool:
    return n > 0 and _even(n - 1)


def _known(op: Any, scale: int = 2, *, names: tuple[str, ...] = ("i", "j")) -> Any:
    shapes = [each.shape for each in op.operands if len(each.shape) > 1]
    if any(size == -1 for shape in shapes for size in shape):
        raise ValueError("dynamic")
    try:
        return einsum_rule(op, " ".join(names)), sdy.einsum_rule(op, f"{_helper(scale)}"), SIZES, _even(len(shapes))
    except IndexError:
        return op.b.multiply(op.operands[0], op.operands[1])


@pytest.mark.parametrize(
    ("name", "value"),
    [("FACTOR", 4), ("FACTOR", 3.0), ("FACTOR", True), ("SIZES", (1, (2.0, "y"))), ("_odd", lambda n: True)],
)
def test_everything_that_a_function_depends_on_counts(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    before = digest_of(_known)
    assert digest_of(_known) == before
    monkeypatch.setitem(globals(), name, value)
    assert digest_of(_known) != before


def test_defaults_closures_and_code_count() -> None:
    def closed(over: object) -> Callable[[Any], object]:
        return lambda op: over

    def defaulted(default: object) -> Callable[..., object]:
        return lambda op, x=default, *, y=default: (x, y)

    for make in (closed, defaulted):
        assert digest_of(make(2)) == digest_of(make(2)) != digest_of(make(3))
    assert digest_of(lambda op: "i -> i") == digest_of(lambda op: "i -> i") != digest_of(lambda op: "i -> j")
    assert digest_of(lambda op: op.operands) != digest_of(lambda op: op.results)
    assert digest_of(10**5000) != digest_of(10**5000 + 1)
    assert len({digest_of(*each) for each in [("a", "b"), ("a, b",), (("a", "b"),), (b"a", "b"), (None, False)]}) == 5


class Count(typing.NamedTuple):
    base: int

    def scaled(self) -> int:
        return 3 * self.base


@dataclass
class Scale:
    by: int

    def __call__(self, op: Any) -> int:
        return self.by


def _with_attribute(op: Any) -> Any:
    return _with_attribute.scale  # type: ignore[attr-defined]


_with_attribute.scale = 3  # type: ignore[attr-defined]


@functools.wraps(einsum_rule)
def _wrapper(*given: Any) -> int:
    return 3


COUNT = Count(1)
DEFAULTS: collections.defaultdict[str, int] = collections.defaultdict(lambda: 3)


def _imports(op: Any) -> Any:
    from os import sep

    return sep


def _sets(op: Any) -> Any:
    global FACTOR
    FACTOR = 3


def _counts() -> Callable[[Any], int]:
    number = 0

    def count(op: Any) -> int:
        nonlocal number
        number += 1
        return number

    return count


def _has_class(op: Any) -> Any:
    class Inner:
        value = FACTOR

    return Inner.value


UNKNOWN: list[tuple[Any, str]] = [
    (_imports, r"'os' \(import_name in .*_imports\)"),
    (_wrapper, "attributes of sdy.dialect.ops.notation.einsum_rule"),
    (lambda op: _wrapper(op), "attributes of sdy.dialect.ops.notation.einsum_rule"),
    (lambda op: COUNT.scaled(), "'COUNT'"),
    (lambda op: DEFAULTS["x"], "'DEFAULTS'"),
    (_with_attribute, "attributes of .*_with_attribute"),
    (lambda op: getattr(this, "FACTOR", 3), "'getattr'"),
    (lambda op: os.environ["HOME"], "'os'"),
    (lambda op: jax.config.jax_enable_x64, "'jax'"),
    (lambda op: TABLE["i"], "'TABLE'"),
    (lambda op: sdy.Machine.parse("machine.json"), "'sdy.Machine'"),
    (lambda op: [sdy, einsum_rule], "'sdy'"),
    (lambda op: globals()["FACTOR"], "'globals'"),
    (lambda op: op._state, "'_state' .*"),
    (_sets, "'FACTOR' .*store_global.*"),
    (_counts(), "the variable 'number', which .*count sets"),
    (_has_class, "a class inside of .*_has_class"),
    (Scale(3), "a .*Scale"),
    (Scale, "a builtins.type"),
    (functools.partial(_helper, 3), "a functools.partial"),
    (COUNT.scaled, "a builtins.method"),
    ([1], "a builtins.list"),
    (Count(3), "a .*Count"),
]


@pytest.mark.parametrize(("thing", "what"), UNKNOWN)
def test_what_may_change_unnoticed_is_not_known(thing: Any, what: str) -> None:
    with pytest.raises(UnknownCode, match=f"^{what}$"):
        digest_of(thing)
