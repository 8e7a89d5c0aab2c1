"""Partitioning of a program as one value, which provides the passes for compilation and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import sdy
from sdy.lazy_dataclass import dataclass
from sdy.passes.partitioning.partition_options import PIPELINE, PartitionOptions
from sdy.passes.partitioning.partition_pipeline import partition_pipeline
from sdy.passes.registry import Pipeline, find, options_of
from sdy.passes.steps import Phase, Phases, Step, parse_pipeline

_AROUND = ("importing", "devices", "executable")
"""The phases that also run around a pipeline that stands instead of PIPELINE."""

_USUAL = PartitionOptions()


@dataclass(frozen=True)
class Partitioning:
    """The passes that partition a program.

    Attributes:
      options: of PIPELINE.
      leading: the text of the passes that run before PIPELINE.
      trailing: that of the passes that run behind it.
      instead: that of the passes that run instead of it; empty if PIPELINE runs.
      overlap: how collectives overlap with computation, after all of these.
    """

    options: PartitionOptions = _USUAL
    leading: str = ""
    trailing: str = ""
    instead: str = ""
    overlap: sdy.Overlap | None = None

    @staticmethod
    def of(pipeline: str, options: PartitionOptions, overlap: sdy.Overlap | None = None) -> Partitioning:
        """Read the text of a pipeline; fields of `options` that differ from the default take precedence.

        Raises:
          PipelineError: a pass or an option that does not exist.
        """
        if pipeline == PIPELINE:
            return Partitioning(options, overlap=overlap)
        steps = parse_pipeline(pipeline)
        place = next((place for place, one in enumerate(steps) if one.name == PIPELINE), None)
        if place is None:
            return Partitioning(options, instead=pipeline, overlap=overlap)
        usual = asdict(PartitionOptions())
        given = {name: value for name, value in asdict(options).items() if value != usual[name]}
        merged = {**{name.replace("-", "_"): value for name, value in steps[place].options.items()}, **given}
        target = find(PIPELINE)
        assert isinstance(target, Pipeline), "it is registered by this package"
        own = options_of(replace(steps[place], options=merged), target)
        assert isinstance(own, PartitionOptions), "these are the options it is registered with"
        return Partitioning(own, _text(steps[:place]), _text(steps[place + 1 :]), overlap=overlap)

    @property
    def overlaps(self) -> bool:
        """Return whether collectives overlap with computation."""
        return self.overlap is not None or self.options.overlap

    def without_leading(self) -> Partitioning:
        """Return the partitioning of a program on which the leading passes have run."""
        return replace(self, leading="")

    def without_overlap(self) -> Partitioning:
        """Return the same partitioning with synchronous collectives."""
        return replace(self.changed(overlap=False), overlap=None)

    def changed(self, **options: bool) -> Partitioning:
        """Return the partitioning with other options of PIPELINE."""
        return replace(self, options=replace(self.options, **options))

    def phases(self) -> Phases:
        """Return the phases of PIPELINE, with `leading`, `instead`, `trailing` and `overlapping` among them.

        Raises:
          PipelineError: a pass or an option that does not exist.
        """
        phases = partition_pipeline(self.options)
        if self.instead:
            phases = Phases(tuple(each if each.name in _AROUND else Phase(each.name, ()) for each in phases.phases))
        overlap = "" if self.overlap is None else self.overlap.pipeline
        return Phases(
            (
                *phases.only("importing", "devices").phases,
                _phase("leading", self.leading),
                _phase("instead", self.instead),
                *phases.without("importing", "devices", "executable").phases,
                _phase("trailing", self.trailing),
                _phase("overlapping", overlap),
                *phases.only("executable").phases,
            )
        )


def _phase(name: str, text: str) -> Phase:
    return Phase(name, tuple(parse_pipeline(text)) if text else ())


def _text(steps: Sequence[Step]) -> str:
    return ",".join(map(str, steps))
