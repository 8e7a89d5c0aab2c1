"""Classes of `sdy.lazy_dataclass` beside those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable, Hashable
from dataclasses import KW_ONLY, FrozenInstanceError, field, fields
from itertools import product
from typing import Any, ClassVar

import pytest

import sdy
from sdy import lazy_dataclass

Decorator = Callable[..., Any]
OURS: Decorator = lazy_dataclass.dataclass
BOTH: tuple[Decorator, Decorator] = (OURS, dataclasses.dataclass)
FLAGS = ("frozen", "slots", "eq")
OPTIONS = [dict(zip(FLAGS, each, strict=True)) for each in product((False, True), repeat=3)]


def _point(dataclass: Decorator, **options: bool) -> Any:
    @dataclass(**options)
    class Point:
        count: ClassVar[int] = 0

        x: int
        y: int = 2
        names: list[str] = field(default_factory=list, compare=False)
        hidden: str = field(default="h", repr=False)
        _: KW_ONLY
        by_name: int = 5

        @property
        def total(self) -> int:
            return self.x + self.y

    return Point


def _outcome(call: Callable[[], object]) -> object:
    """What a call gives; the text of an error without what differs between versions of Python."""
    try:
        return call()
    except (AttributeError, TypeError) as error:
        return type(error), str(error).rpartition(".")[2]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_methods_are_those_of_the_standard_library(options: dict[str, bool]) -> None:
    rows = []
    for point in (_point(dataclass, **options) for dataclass in BOTH):
        first, second, third = point(1), point(1, names=["a"]), point(3, 4, ["b"], "c", by_name=6)
        rows.append(
            [
                repr(first),
                repr(third),
                first == second,
                first == third,
                first == 1,
                third.total,
                isinstance(first, Hashable),
                _outcome(lambda one=first: hash(one)) if options["eq"] else None,
                hasattr(first, "__dict__"),
                _outcome(lambda one=first: setattr(one, "x", 7)),
                _outcome(lambda one=first: setattr(one, "other", 7)) is None,
                first.x,
                _outcome(point),
                _outcome(lambda point=point: point(1, 2, [], "", 5)),
                point.__match_args__,
                point.count,
                dataclasses.asdict(third),
                dataclasses.replace(third, x=8) == point(8, 4, ["b"], "c", by_name=6),
                [(each.name, each.type, each.init, each.kw_only) for each in fields(point)],
                [*inspect.signature(point).parameters],
                dataclasses.is_dataclass(first),
            ]
        )
    assert rows[0] == rows[1]


def test_what_is_written_in_the_class_stays() -> None:
    for dataclass in BOTH:

        @dataclass(frozen=True)
        class Named:
            name: str

            def __repr__(self) -> str:
                return self.name

            def __eq__(self, other: object) -> bool:
                return True

            def __hash__(self) -> int:
                return 7

        assert (repr(Named("a")), Named("a") == Named("b"), hash(Named("a"))) == ("a", True, 7)


@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("base", BOTH)
def test_fields_are_inherited(base: Decorator, slots: bool) -> None:
    @base(frozen=True, slots=slots)
    class Base:
        a: int
        b: int = 1

    @OURS(frozen=True, slots=slots)
    class Derived(Base):
        b: int = 3
        c: int = 4

    assert repr(Derived(1)).endswith("Derived(a=1, b=3, c=4)")
    assert Derived(1) != Base(1)
    assert [each.name for each in fields(Derived)] == ["a", "b", "c"]
    with pytest.raises(FrozenInstanceError):
        Derived(1).a = 2  # type: ignore[misc]


@pytest.mark.parametrize("slots", [False, True])
def test_hook_behind_init_and_fields_without_parameters(slots: bool) -> None:
    @OURS(slots=slots)
    class Row:
        a: int
        made: list[int] = field(default_factory=list, init=False)
        late: int = field(init=False)
        usual: int = field(default=3, init=False)

        def __post_init__(self) -> None:
            self.late = self.a + 1

    row = Row(1)
    assert (row.late, row.made, row.usual) == (2, [], 3)
    assert row.made is not Row(1).made


@OURS(frozen=True, slots=True)
class Kept:
    """A class that pickles find."""

    a: int
    b: tuple[int, ...] = ()


def test_copies_are_equal() -> None:
    one = Kept(1, (2,))
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == copy.copy(one) == one


def test_methods_are_compiled_once_they_are_called() -> None:
    @OURS(frozen=True)
    class Lazy:
        a: int

    assert not inspect.isfunction(Lazy.__dict__["__init__"])
    assert hash(Lazy(1)) == hash((1,))
    assert [inspect.isfunction(Lazy.__dict__[name]) for name in ("__init__", "__hash__", "__eq__")] == [
        True,
        True,
        False,
    ]


def test_does_without_fields() -> None:
    @OURS
    class Empty:
        pass

    assert Empty() == Empty()
    assert repr(Empty()).endswith("Empty()")


def test_the_standard_library_extends_a_class() -> None:
    """As users do with options of their own."""

    @dataclasses.dataclass(frozen=True)
    class Extended(sdy.PatternOptions):
        count: int = 1

    assert Extended(enable_patterns=(), count=2).count == 2
    with pytest.raises(TypeError, match="frozen"):
        dataclasses.make_dataclass("Open", [("count", int, 1)], bases=(sdy.PatternOptions,))


def test_classes_of_one_shape_keep_their_names() -> None:
    @OURS(frozen=True)
    class First:
        left: int
        right: int = 2

    @OURS(frozen=True)
    class Second:
        top: str
        bottom: str = "b"

    assert (repr(First(left=1)), repr(Second(top="t", bottom="u"))) == (
        f"{First.__qualname__}(left=1, right=2)",
        f"{Second.__qualname__}(top='t', bottom='u')",
    )
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'top'"):
        Second()  # type: ignore[call-arg]
    assert First.__init__.__annotations__ == {"left": "int", "right": "int", "return": "None"}
