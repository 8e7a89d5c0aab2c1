"""The options of automatic partitioning as texts: meshes, machines, bytes."""

from __future__ import annotations

import math
import re

from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import Machine, read_machine
from sdy.passes.options import option

EFFORTS = ("fast", "default")
AMOUNTS = ("arguments", "values", "full", "minimal")
"""Amounts of a plan to write: arguments and results; results of ops, too; and operands that differ.

"minimal" writes only values without which the device program would take longer.
"""

ANNOTATE = ("best", *AMOUNTS)

SOFT = "soft"
"""The limit of memory that is one only where a plan fits."""

USED = 0.9
"""The part of the memory of a machine that a plan may fill if no limit is given."""

_UNITS = {"": 1, "B": 1, **{f"{p}B": 1000**n for n, p in enumerate("kMGT", 1)}}
_UNITS |= {"KB": 1000, **{f"{p}iB": 1024**n for n, p in enumerate("KMGT", 1)}}
_BYTES = re.compile(r"([0-9.]+(?:e[+-]?[0-9]+)?)\s*([A-Za-z]*)")


@dataclass(frozen=True)
class AutoPartitionOptions:
    """Options of sdy-auto-partition."""

    mesh: str = option("", "the mesh: sizes by name, such as data:4,model:2; by default that of the program")
    machine: str = option("generic", "what to plan for: a name such as h100, a file, or flops=2e14 bandwidth=5e10")
    memory_limit: str = option(
        "", "bytes such as 60GiB; by default 0.9 of the machine's; soft: that limit only if a plan fits"
    )
    time_limit: float = option(math.inf, "seconds after which the search returns its best plan so far")
    axes: str = option("", "the mesh axes that may be used, such as data,model; by default all")
    annotate: str = option(
        "best", "shardings to write: arguments, minimal, values, full; best: the better of values and full"
    )
    effort: str = option("default", "how much is tried: fast or default")
    verify: int = option(1, "number of best plans to partition and estimate")
    overlap: float = option(
        0.0, "the part of gathers of weights and sums of gradients that hides behind computation, from 0 to 1"
    )

    def __post_init__(self) -> None:
        """Raises `ValueError` for a value that cannot be parsed."""
        read_mesh(self.mesh) if self.mesh else None
        self.read_machine()
        self.limit()
        check_search(self.annotate, self.effort, self.verify, self.time_limit, self.overlap)

    def read_machine(self) -> Machine:
        """See the function."""
        return read_machine(self.machine)

    @property
    def is_soft(self) -> bool:
        """Return whether the plan of least memory is used where none fits."""
        return self.memory_limit == SOFT

    def limit(self) -> float:
        """Bytes that a device may hold."""
        if self.memory_limit and not self.is_soft:
            return read_bytes(self.memory_limit)
        return USED * self.read_machine().memory


def read_mesh(text: str) -> Mesh:
    """``data:4,model:2``; or ``4x2``, whose axes are called x, y, z, w. Raises `ValueError`."""
    if re.fullmatch(r"[0-9]+(x[0-9]+)*", text):
        sizes = list(map(int, text.split("x")))
        names = list("xyzw"[: len(sizes)]) if len(sizes) <= 4 else [f"x{number}" for number in range(len(sizes))]
        pairs = list(zip(names, sizes, strict=True))
    else:
        pairs = [_axis(part) for part in text.split(",")]
    return Mesh(tuple(MeshAxis(name, size) for name, size in pairs))


def _axis(text: str) -> tuple[str, int]:
    name, _, size = text.strip().rpartition(":")
    if not name or not size.isdecimal():
        raise ValueError(f"a mesh is written as data:4,model:2 or 4x2, not with {text!r}")
    return name, int(size)


def read_bytes(text: str) -> float:
    """``60GiB``, ``80GB``, ``6.4e10``, ``inf``. Raises `ValueError`."""
    if text == "inf":
        return math.inf
    match = _BYTES.fullmatch(text.strip())
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"bytes are a number and a unit such as 60GiB or 80GB, not {text!r}")
    try:
        found = float(match[1]) * _UNITS[match[2]]
    except ValueError:
        raise ValueError(f"bytes are a number and a unit such as 60GiB or 80GB, not {text!r}") from None
    if not found > 0:
        raise ValueError(f"a limit of memory is a positive number of bytes, not {text!r}")
    return found


def check_search(annotate: str, effort: str, verify: object, time_limit: float, overlap: float) -> None:
    """Raises `ValueError` unless a search can be asked for these."""
    for name, given, known in (("annotate", annotate, ANNOTATE), ("effort", effort, EFFORTS)):
        if given not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, not {given!r}")
    if isinstance(verify, bool) or not isinstance(verify, int) or verify < 0:
        raise ValueError(f"verify is a number of plans, not {verify!r}")
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float) or not time_limit >= 0:
        raise ValueError(f"a time limit is a number of seconds, not {time_limit!r}")
    check_overlap(overlap)


def check_overlap(part: float) -> None:
    """Raises `ValueError` unless the value is between 0 and 1."""
    if isinstance(part, bool) or not isinstance(part, int | float) or not 0 <= part <= 1:
        raise ValueError(f"overlap is a number from 0 to 1, not {part!r}")


def bytes_limit(given: float | str | None, memory: float) -> float:
    """Return the bytes that a device with this `memory` may hold; None and "soft" are nine tenths.

    Raises `ValueError`.
    """
    if given is None or given == SOFT:
        return USED * memory
    try:
        limit = read_bytes(given) if isinstance(given, str) else given
    except ValueError:
        limit = math.nan
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0:
        raise ValueError(f"memory_limit is a positive number of bytes, a text such as 60GiB, or 'soft', not {given!r}")
    return limit
