"""Steps of pipelines, and the text of pipelines."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.passes.options import format_options, parse_options

MODULE = "builtin.module"
FUNCTION = "func.func"
ANY = "any"


class PipelineError(ValueError):
    """A pipeline that names an unknown pass or gives it options it does not have."""


@dataclass(frozen=True, slots=True)
class Step:
    """A pass, pipeline or upstream pass to run.

    Attributes:
      name: of the pass.
      options: by their names on the command line, or the field names of the options class.
      on_func: runs on each function.
      only_with: ops, or attributes of the module, without which the pass changes nothing; none if that is not known.
      because: the reason for the step's position.
      needs: facts that hold before it (`sdy.passes.partitioning.partition_pipeline.FACTS`).
      gives: facts that hold after it.
    """

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    on_func: bool = False
    only_with: tuple[str, ...] = field(default=(), compare=False)
    because: str = field(default="", compare=False)
    needs: tuple[str, ...] = field(default=(), compare=False)
    gives: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        text = self.name + (f"{{{format_options(self.options)}}}" if self.options else "")
        return f"{FUNCTION}({text})" if self.on_func else text


@dataclass(slots=True)
class Run:
    """The steps of a run without observers; `passed` of them have begun, and left `facts` for later ones."""

    steps: Sequence[Step]
    passed: int = 0
    facts: dict[str, object] = field(default_factory=dict)


_run: ContextVar[Run | None] = ContextVar("_run", default=None)


@contextmanager
def run_of(steps: Sequence[Step]) -> Iterator[Run]:
    """Let the passes of a run query the following steps, until the end of the block."""
    run = Run(steps)
    token = _run.set(run)
    try:
        yield run
    finally:
        _run.reset(token)


def are_next(*steps: Step) -> bool:
    """Return whether these steps come next in this run, one behind the other, with no observer before them."""
    run = _run.get()
    return run is not None and tuple(run.steps[run.passed : run.passed + len(steps)]) == steps


def has_run(name: str) -> bool:
    """Return whether a pass of that name comes before the current one in this run, with no observer since."""
    run = _run.get()
    return run is not None and any(step.name == name for step in run.steps[: max(run.passed - 1, 0)])


def is_next(name: str, *, but_for: Container[str]) -> bool:
    """Return whether the pass of that name comes next in this run, except for `but_for`, with no observer before it.

    So IR that it removes need not be made, unless one of these passes, or the pass itself, uses it otherwise.
    """
    run = _run.get()
    coming = () if run is None else [step.name for step in run.steps[run.passed :]]
    return next((each for each in coming if each not in but_for or each == name), None) == name


LEFT_OPEN = "left-open"
"""The names of ops whose `sdy.sharding` may be open.

It is closed on all others but those with data flow and the owners of returned values.
"""


def hand_on(fact: str, value: object) -> None:
    """Leave a fact about the module for a later pass of this run."""
    run = _run.get()
    if run is not None:
        run.facts[fact] = value


def handed_on(fact: str) -> object | None:
    """Return the fact that a pass before has left in this run, and forget it; None if there is none."""
    run = _run.get()
    return None if run is None else run.facts.pop(fact, None)


@dataclass(frozen=True, slots=True)
class Phase:
    """Steps that belong together."""

    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Phases:
    """The phases of a pipeline in the order in which they run; iterating gives the steps of all of them.

    Every phase of a pipeline exists for all options, possibly without steps. An unknown phase name raises `KeyError`.
    """

    phases: tuple[Phase, ...]

    @staticmethod
    def of(**steps: Iterable[Step]) -> Phases:
        """Phases by their names, in the order given."""
        return Phases(tuple(Phase(name, tuple(each)) for name, each in steps.items()))

    def __iter__(self) -> Iterator[Step]:
        return (step for phase in self.phases for step in phase.steps)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(phase.name for phase in self.phases)

    def until(self, name: str) -> Phases:
        """Return the phases before the phase of that name."""
        return Phases(self.phases[: self._position(name)])

    def since(self, name: str) -> Phases:
        """Return the phase of that name and the phases after it."""
        return Phases(self.phases[self._position(name) :])

    def only(self, *names: str) -> Phases:
        """Return the phases with those names, in the order in which they run."""
        positions = {self._position(name) for name in names}
        return Phases(tuple(phase for number, phase in enumerate(self.phases) if number in positions))

    def without(self, *names: str) -> Phases:
        """Return the phases except those of these names."""
        positions = {self._position(name) for name in names}
        return Phases(tuple(phase for number, phase in enumerate(self.phases) if number not in positions))

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no phase '{name}'; there are {', '.join(self.names)}")
        return self.names.index(name)


def parse_pipeline(text: str) -> list[Step]:
    """The steps of a textual pipeline, with or without ``builtin.module(...)`` around it.

    Raises:
      PipelineError: the text is not a pipeline, or nests other ops than functions.
    """
    steps: list[Step] = []
    for part in _split(text):
        name, _, nested = _parts(part)
        # What is around the whole pipeline means the module itself.
        steps += _steps(nested if nested is not None and name in (MODULE, ANY) else part, on_func=False)
    return steps


def _steps(text: str, *, on_func: bool) -> list[Step]:
    steps: list[Step] = []
    for part in _split(text):
        name, options, nested = _parts(part)
        if nested is None:
            try:
                steps.append(Step(name, parse_options(options), on_func))
            except ValueError as error:
                raise PipelineError(f"in '{part}': {error}") from None
        elif name in (FUNCTION, ANY) and not on_func:
            steps += _steps(nested, on_func=True)
        else:
            where = FUNCTION if on_func else MODULE
            raise PipelineError(f"cannot nest '{name}' in '{where}': only '{FUNCTION}' in '{MODULE}' is supported")
    return steps


def _split(text: str) -> list[str]:
    """Return the parts between commas outside of brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for position, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
            if depth < 0:
                raise PipelineError(f"unbalanced '{char}' in pipeline '{text}'")
        elif char == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    if depth or quote:
        raise PipelineError(f"unbalanced brackets or quotes in pipeline '{text}'")
    parts.append(text[start:].strip())
    if parts == [""]:
        return []
    if "" in parts:
        raise PipelineError(f"empty pass name in pipeline '{text}'")
    return parts


def _parts(text: str) -> tuple[str, str, str | None]:
    """Name, options and nested pipeline (None without one) of one part."""
    first = min((text.find(char) for char in "({" if char in text), default=-1)
    if first < 0:
        return text, "", None
    name, rest = text[:first].strip(), text[first:]
    if rest[0] == "(":
        if not rest.endswith(")"):
            raise PipelineError(f"unexpected text behind ')' in '{text}'")
        return name, "", rest[1:-1]
    if not rest.endswith("}"):
        raise PipelineError(f"unexpected text behind '}}' in '{text}'")
    return name, rest[1:-1], None
