"""What a pipeline consists of: steps, each of which names a pass or another pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sdy.passes.options import format_options

MODULE = "builtin.module"
FUNCTION = "func.func"
ANY = "any"


@dataclass(frozen=True, slots=True)
class Step:
    """A pass, pipeline or upstream pass to run.

    `options` are given by their names on the command line (or the field names of the options class). Without one of the
    ops `needs`, if there are any, a pass changes nothing.
    """

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    on_func: bool = False
    needs: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        text = self.name + (f"{{{format_options(self.options)}}}" if self.options else "")
        return f"{FUNCTION}({text})" if self.on_func else text
