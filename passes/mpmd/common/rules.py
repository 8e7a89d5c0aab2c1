"""Mesh, stage and memory that users set for named ops; rules by which they order and merge fragments; texts of both."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sdy.dialect.mpmd.values import Topology
from sdy.lazy_dataclass import dataclass
from sdy.passes.mpmd.common.fragments import FragmentInfo, FragmentOrigin, SplitFragmentType


@dataclass(frozen=True, slots=True)
class FragmentScheduleRule:
    """Fragments of one mesh in execution order."""

    ordered_fragments: tuple[FragmentInfo, ...]

    def __str__(self) -> str:
        return f"FragmentScheduleRule(ordered_fragments=[{'->'.join(map(str, self.ordered_fragments))}])"


@dataclass(frozen=True, slots=True)
class FragmentMergeRule:
    """Fragments of one mesh to merge, and the identity of the merged one."""

    sources: tuple[FragmentInfo, ...]
    target: FragmentInfo

    def __str__(self) -> str:
        return f"FragmentMergeRule(sources=[{','.join(map(str, self.sources))}],target={self.target})"


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
            split = next((case for case in SplitFragmentType if case.value == found["split"]), None)
            if split is None:
                raise ValueError(f"no split type '{found['split']}'")
        return FragmentInfo(
            _origins(found["origins"]), _number(found["stage"]), _number(found["counter"]), split, found["mesh"]
        )


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _origins(text: str) -> tuple[FragmentOrigin, ...]:
    reader, found = _Reader(text), list[FragmentOrigin]()
    while not reader.is_done:
        origin = reader.read(_ORIGIN)
        found.append(FragmentOrigin(origin["name"], int(origin["count"] or 0)))
    return tuple(found)


def read_schedule_rules(text: str) -> tuple[FragmentScheduleRule, ...]:
    """The fragments in rules like ``FragmentScheduleRule(ordered_fragments=[A->B->C])``, with commas in between.

    Raises:
      ValueError: the text is something else.
    """
    reader, rules = _Reader(text), list[FragmentScheduleRule]()
    while not reader.is_done:
        reader.read(_BEGIN_SCHEDULE)
        rules.append(FragmentScheduleRule(tuple(reader.infos("->"))))
        reader.read(_CLOSE_LIST)
    return tuple(rules)


def read_merge_rules(text: str) -> tuple[FragmentMergeRule, ...]:
    """The rules written as ``FragmentMergeRule(sources=[A,B],target=T)``, with commas in between.

    Raises:
      ValueError: the text is something else.
    """
    reader, rules = _Reader(text), list[FragmentMergeRule]()
    while not reader.is_done:
        reader.read(_BEGIN_MERGE)
        sources = tuple(reader.infos(","))
        reader.read(_TARGET)
        rules.append(FragmentMergeRule(sources, reader.info()))
        reader.read(_CLOSE)
    return tuple(rules)


ASSIGNMENT = "name@mesh or name@mesh/stage of each name"


@dataclass(frozen=True, slots=True)
class Placement:
    """Place of a named op, an input or an output.

    Attributes:
      mesh_name: a mesh of the topology.
      stage: the stage of the pipeline, None if there is none.
      memory_kind: "device" or "pinned_host", None for the default one.
    """

    mesh_name: str
    stage: int | None = None
    memory_kind: str | None = None


def parse_assignment(entries: Sequence[str]) -> dict[str, Placement]:
    """The placements of names, from ``name@mesh``, ``name@mesh/stage`` or ``name@mesh#memory_kind``.

    Raises:
      ValueError: an entry has another form.
    """
    return dict(map(_entry, entries))


def parse_indices(entries: Sequence[str]) -> dict[int, Placement]:
    """The placements of inputs or outputs, from ``index@mesh`` or ``index@mesh#memory_kind``, by ascending index.

    Raises:
      ValueError: an entry has another form.
    """
    found: dict[int, Placement] = {}
    for entry in entries:
        name, placement = _entry(entry)
        if not name.isdecimal():
            raise ValueError(f"'{entry}' does not begin with the index of an input or output")
        found[int(name)] = placement
    return dict(sorted(found.items()))


def _entry(text: str) -> tuple[str, Placement]:
    name, at, rest = text.rpartition("@")
    if not (name and at and rest):
        raise ValueError(f"'{text}' is not of the form name@mesh")
    rest, _, memory_kind = rest.partition("#")
    mesh_name, slash, stage = rest.rpartition("/")
    if not (slash and stage.isdecimal()):
        return name, Placement(rest, None, memory_kind or None)
    return name, Placement(mesh_name, int(stage), memory_kind or None)


def mesh_problem(placement: Placement, topology: Topology | None) -> str | None:
    """Return the error of a placement on an unknown mesh; None if the topology has it."""
    known = [each.name for each in topology.meshes] if topology is not None else []
    if placement.mesh_name in known:
        return None
    return f"mesh '{placement.mesh_name}' is not in the topology, which has {named(known)}"


def named(names: Iterable[str]) -> str:
    """Names in quotes."""
    return ", ".join(f"'{name}'" for name in names) or "none"


def nearest(name: str, assignment: Mapping[str, Placement]) -> str:
    """Return the assigned names, with the nearest one first if one is similar."""
    close = difflib.get_close_matches(name, list(assignment), 1, 0.7)
    hint = f", did you mean '{close[0]}'?" if close else ""
    return f"{hint} assigned are {named(assignment)}" if close else f"; assigned are {named(assignment)}"
