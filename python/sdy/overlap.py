"""Overlap of collectives with computation: the options of sdy-overlap-pipeline as a value.

>>> machine = sdy.Machine(flops=2e14, bandwidth=5e10)
>>> partitioned = sdy.partition(text, overlap=sdy.Overlap(machine))
"""

from __future__ import annotations

from typing import Any

from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import Machine
from sdy.passes.registry import step

_MODES = ("keep", "list")


@dataclass(frozen=True)
class Overlap:
    """Options of `sdy.partition` and `sdy.jax.jit` on overlap with computation (spec: async, 17).

    Attributes:
      machine: the target machine, or its text (see `Machine.parse`): products are cut, and collectives of loops sent
        ahead, where its model predicts a gain. None to do so wherever it can be done.
      in_flight_bytes: the most bytes that collectives hold on a device at a time; 0 for any number.
      decompose: cut products with gathered or scattered tensors into steps that send and compute at the same time.
      prefetch: send collectives of loops one round ahead.
      asynchronous: make collectives asynchronous, start them early and end them late. Otherwise all stay synchronous,
        and the backend may overlap them.
      mode: "keep" the order of everything else, or "list" all ops by their durations on the machine.

    Raises:
      TypeError, ValueError: an attribute that is none of these.
      OSError: the file of a machine cannot be read.
    """

    machine: Machine | str | None = None
    in_flight_bytes: int = 0
    decompose: bool = True
    prefetch: bool = True
    asynchronous: bool = True
    mode: str = "keep"

    def __post_init__(self) -> None:
        if isinstance(self.machine, str):
            object.__setattr__(self, "machine", Machine.parse(self.machine))
        if not isinstance(self.machine, Machine | None):
            raise TypeError(f"machine must be a sdy.Machine or its text, not {type(self.machine).__name__}")
        for name in ("decompose", "prefetch", "asynchronous"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if isinstance(self.in_flight_bytes, bool) or not isinstance(self.in_flight_bytes, int):
            raise TypeError(f"in_flight_bytes must be a number of bytes, not {self.in_flight_bytes!r}")
        if self.in_flight_bytes < 0:
            raise ValueError(f"in_flight_bytes is at least 0, not {self.in_flight_bytes}")
        if self.mode not in _MODES:
            raise ValueError(f"mode is one of {', '.join(_MODES)}, not {self.mode!r}")
        if self.mode == "list" and self.machine is None:
            raise ValueError("mode='list' needs a machine")

    @property
    def pipeline(self) -> str:
        """Return the passes, which run on the program of one device."""
        given: dict[str, Any] = {} if self.machine is None else {"machine": str(self.machine)}
        for name in ("in_flight_bytes", "decompose", "prefetch", "asynchronous", "mode"):
            if getattr(self, name) != getattr(Overlap, name):
                given[name] = getattr(self, name)
        return str(step("sdy-overlap-pipeline", **given))
