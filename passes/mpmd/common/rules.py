"""Rules by which users order and merge fragments, and their text form (spec: mpmd, 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sdy.dialect.mpmd.values import UserOrigin
from sdy.passes.mpmd.common.fragments import FragmentInfo, SplitType


class MergeRule(NamedTuple):
    """Fragments of one mesh to merge, and the identity of the merged one."""

    sources: tuple[FragmentInfo, ...]
    target: FragmentInfo


_INFO = re.compile(
    r"\s*FragmentInfo\(\s*origins=\[(?P<origins>[^\]]*)\]"
    r"(?:\s*,\s*stage=(?P<stage>\d+))?"
    r"(?:\s*,\s*call_counter=(?P<counter>\d+))?"
    r"(?:\s*,\s*split_type=(?P<split>\w+))?"
    r'\s*,\s*mesh_name="(?P<mesh>[^"]*)"\s*\)'
)
_ORIGIN = re.compile(r'\s*"(?P<name>[^"]*)"(?:\((?P<count>\d+)\))?\s*(?:,|$)')
_BEGIN_SCHEDULE = re.compile(r"[\s,]*FragmentScheduleRule\(\s*ordered_fragments=\[")
_BEGIN_MERGE = re.compile(r"[\s,]*FragmentMergeRule\(\s*sources=\[")
_TARGET = re.compile(r"\s*\]\s*,\s*target=")
_CLOSE_LIST = re.compile(r"\s*\]\s*\)")
_CLOSE = re.compile(r"\s*\)")


class _Reader:
    """A text that is read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 0

    @property
    def is_done(self) -> bool:
        return not self.text[self._at :].strip(" ,")

    def read(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Read the match of a pattern. Raises `ValueError` if there is none here."""
        found = pattern.match(self.text, self._at)
        if found is None:
            raise ValueError(f"rules go wrong at '{self.text[self._at : self._at + 40]}'")
        self._at = found.end()
        return found

    def infos(self, separator: str) -> Iterator[FragmentInfo]:
        yield self.info()
        while self.text[self._at :].lstrip().startswith(separator):
            self.read(re.compile(rf"\s*{re.escape(separator)}"))
            yield self.info()

    def info(self) -> FragmentInfo:
        found = self.read(_INFO)
        split = None
        if found["split"] is not None:
            split = next((case for case in SplitType if case.value == found["split"]), None)
            if split is None:
                raise ValueError(f"no split type '{found['split']}'")
        return FragmentInfo(
            _origins(found["origins"]), _number(found["stage"]), _number(found["counter"]), split, found["mesh"]
        )


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _origins(text: str) -> tuple[UserOrigin, ...]:
    reader, found = _Reader(text), list[UserOrigin]()
    while not reader.is_done:
        origin = reader.read(_ORIGIN)
        found.append(UserOrigin(origin["name"], int(origin["count"] or 0)))
    return tuple(found)


def read_schedule_rules(text: str) -> tuple[tuple[FragmentInfo, ...], ...]:
    """The fragments in rules like ``FragmentScheduleRule(ordered_fragments=[A->B->C])``, with commas in between.

    Raises:
      ValueError: the text is something else.
    """
    reader, rules = _Reader(text), list[tuple[FragmentInfo, ...]]()
    while not reader.is_done:
        reader.read(_BEGIN_SCHEDULE)
        rules.append(tuple(reader.infos("->")))
        reader.read(_CLOSE_LIST)
    return tuple(rules)


def read_merge_rules(text: str) -> tuple[MergeRule, ...]:
    """The rules written as ``FragmentMergeRule(sources=[A,B],target=T)``, with commas in between.

    Raises:
      ValueError: the text is something else.
    """
    reader, rules = _Reader(text), list[MergeRule]()
    while not reader.is_done:
        reader.read(_BEGIN_MERGE)
        sources = tuple(reader.infos(","))
        reader.read(_TARGET)
        rules.append(MergeRule(sources, reader.info()))
        reader.read(_CLOSE)
    return tuple(rules)
