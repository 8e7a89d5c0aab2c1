"""canonicalize: rewrites ops to their canonical form, those of the dialect together with upstream's.

    %1 = sdy.reshard %0 <@mesh, [{"a"}]> : tensor<8xf32>
    %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<8xf32>
==> %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from sdy.dialect.canonicalization import canonicalize
from sdy.passes.registry import ANY, pass_


class RegionSimplification(Enum):
    """How far regions are simplified; the values are upstream's."""

    DISABLED = "disabled"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True, slots=True)
class Options:
    """Those of upstream's pass that are supported."""

    enable_patterns: tuple[str, ...] = field(
        default=(), metadata={"help": "only patterns with one of these labels: sdy-reshard, sdy-collective"}
    )
    top_down: bool = field(default=True, metadata={"help": "visit ops in textual order first"})
    region_simplify: RegionSimplification = field(
        default=RegionSimplification.NORMAL, metadata={"help": "how far regions are simplified"}
    )


@pass_("canonicalize", on=ANY, options=Options)
def run(op: Any, options: Options) -> None:
    canonicalize(op, options.enable_patterns, top_down=options.top_down, region_simplify=options.region_simplify.value)
