"""A pipeline in named parts, for those who run some of them, or do something of their own in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sdy.passes.steps import Step


@dataclass(frozen=True, slots=True)
class Phase:
    """Steps that belong together."""

    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Phases:
    """The phases of a pipeline in the order in which they run; iterating gives the steps of all of them.

    Every phase of a pipeline is there whatever its options are, if need be without steps. A name that no phase has
    raises `KeyError`.
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
        """What runs until the phase of that name begins."""
        return Phases(self.phases[: self._position(name)])

    def since(self, name: str) -> Phases:
        """The phase of that name and what follows it."""
        return Phases(self.phases[self._position(name) :])

    def only(self, *names: str) -> Phases:
        """The phases of those names, in the order in which they run."""
        positions = {self._position(name) for name in names}
        return Phases(tuple(phase for number, phase in enumerate(self.phases) if number in positions))

    def without(self, *names: str) -> Phases:
        """All phases but those of these names."""
        positions = {self._position(name) for name in names}
        return Phases(tuple(phase for number, phase in enumerate(self.phases) if number not in positions))

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no phase '{name}'; there are {', '.join(self.names)}")
        return self.names.index(name)
