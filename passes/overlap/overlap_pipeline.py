"""sdy-overlap-pipeline: Overlap collectives of a local program with its computation.

Collectives of loops are sent one round ahead (`sdy-prefetch-in-loops`), products with gathered or scattered tensors are
cut into steps (`sdy-decompose-collective-dots`), all collectives become asynchronous (`sdy-async-collectives`) and are
started early and ended late (`sdy-place-collectives`). Without a machine every candidate is sent ahead or cut; with
one, those that its model predicts to be faster.

Example: sdy-opt local.mlir --sdy-overlap-pipeline='machine={flops=2e14 bandwidth=5e10} in-flight-bytes=1000000000'
"""

from __future__ import annotations

from typing import Any

from sdy.lazy_dataclass import dataclass
from sdy.passes.options import option
from sdy.passes.overlap.place_collectives import Mode, PlaceCollectivesOptions
from sdy.passes.registry import pipeline, step
from sdy.passes.steps import Step


@dataclass(frozen=True)
class OverlapOptions:
    """Options of sdy-overlap-pipeline."""

    machine: str = option("", "target machine, such as 'flops=2e14 bandwidth=5e10'")
    in_flight_bytes: int = option(0, "most bytes that collectives hold on a device at a time; 0: any number")
    decompose: bool = option(True, "cut products with gathered or scattered tensors")
    prefetch: bool = option(True, "send collectives of loops one round ahead")
    asynchronous: bool = option(True, "make collectives asynchronous and place them")
    mode: Mode = option(Mode.KEEP, "keep the order of all but starts and dones, or list all")

    def __post_init__(self) -> None:
        PlaceCollectivesOptions(self.machine, self.in_flight_bytes, self.mode)  # refuses what cannot be


@pipeline("sdy-overlap-pipeline", options=OverlapOptions)
def overlap_pipeline(options: OverlapOptions) -> list[Step]:
    machine: dict[str, Any] = {"machine": options.machine} if options.machine else {}
    common = dict(machine)
    limit: dict[str, Any] = {"in_flight_bytes": options.in_flight_bytes}
    apart: dict[str, Any] = {"asynchronous": options.asynchronous}
    flatten = step("sdy-optimize-local-program", on_func=True, enable_patterns=("flatten-all-reduces",))
    steps: list[Step] = [flatten] if options.asynchronous else []
    if options.machine and options.asynchronous:
        common["placed"] = options.mode.value
    if options.prefetch:
        steps.append(step("sdy-prefetch-in-loops", **common, **limit, **apart))
    if options.decompose:
        cut = {**common, **limit, **apart, "all_reduces": bool(options.machine)}
        steps.append(step("sdy-decompose-collective-dots", **cut))
    if options.asynchronous:
        steps += [
            step("sdy-async-collectives", on_func=True),
            step("sdy-place-collectives", on_func=True, **machine, **limit, mode=options.mode),
        ]
    return [*steps, step("canonicalize")]
