"""A model of the machine that a program runs on: how fast a device computes, and sends (spec: async, 13).

>>> machine = Machine.parse("flops=2e14 bandwidth=5e10 latency=1e-6 overhead=2e-6")
>>> machine.collective_seconds("all_gather", group_size=4, operand_bytes=1 << 20)
3.4457e-05
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import lru_cache

import numpy as np

from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine_texts import Fields, json_fields, json_text, pairs_text, parse_fields

KINDS = (
    "all_reduce",
    "all_gather",
    "reduce_scatter",
    "all_to_all",
    "collective_permute",
    "collective_broadcast",
    "ragged_all_to_all",
)
"""Kinds of collectives, named as in StableHLO; HLO writes `-` for `_`."""


def moved_bytes(kind: str, group_size: int, operand_bytes: float) -> float:
    """Bytes that each device of a group of `group_size` sends.

    `operand_bytes` is the size of all operands on one device: for an all_gather the shard, for a reduce_scatter all of
    the data. In another unit, such as rows, the result has that unit. It is exact if it is a whole number.
    """
    if group_size <= 1:
        return 0.0
    if kind == "all_reduce":
        return 2 * (group_size - 1) * operand_bytes / group_size
    if kind == "all_gather":
        return float((group_size - 1) * operand_bytes)
    if kind in ("reduce_scatter", "all_to_all", "ragged_all_to_all"):
        return (group_size - 1) * operand_bytes / group_size
    return float(operand_bytes)


Rates = Mapping[str, float] | tuple[tuple[str, float], ...]
"""Numbers by name. A machine keeps them as pairs, sorted by name."""

CHANNELS = ("axes", "one")

_BLOCKS = ("block_bandwidth", "block_latency")
_RATES = ("element_flops", "axis_bandwidth", "axis_latency", *_BLOCKS)
_POSITIVE = ("flops", "bandwidth", "memory_bandwidth", "memory")
_NOT_NEGATIVE = ("latency", "overhead")
_COUNTS = ("directions", "tile")

_POINT_TO_POINT = ("collective_permute",)


@dataclass(frozen=True, slots=True)
class Machine:
    """Parameters of the cost model, in SI units, for one device.

    Attributes:
      flops: operations per second of contractions.
      bandwidth: bytes per second that a link carries in one direction.
      latency: seconds from a device to its neighbour.
      memory_bandwidth: bytes per second between a device and its memory.
      overhead: seconds that it takes to start an op which computes.
      directions: how many directions of a link a collective uses; a permute uses one.
      tile: the rows of a product are rounded up to a multiple of this.
      channels: "axes": collectives over different sets of mesh axes do not hinder one another; "one": all share one
        channel.
      element_flops: `flops` of products whose operands have these element types, such as ``{"f32": 1e14}``.
      axis_bandwidth, axis_latency: `bandwidth` and `latency` along these mesh axes; a collective over several axes goes
        at the pace of the slowest.
      memory: bytes that a device has room for.
      efficiency: the part of `flops` that contractions reach.
      block_bandwidth, block_latency: `bandwidth` and `latency` within blocks of so many devices with ids in a row, such
        as ``{"8": 4.5e11}`` for hosts of eight; the smallest block counts that a group fits into (see `on`).

    Raises:
      ValueError: a number that is out of range.
    """

    flops: float
    bandwidth: float
    latency: float = 1e-6
    memory_bandwidth: float = math.inf
    overhead: float = 0.0
    directions: int = 2
    tile: int = 1
    channels: str = "axes"
    element_flops: Rates = ()
    axis_bandwidth: Rates = ()
    axis_latency: Rates = ()
    memory: float = math.inf
    efficiency: float = 1.0
    block_bandwidth: Rates = ()
    block_latency: Rates = ()

    def __post_init__(self) -> None:
        for name in _RATES:
            rates = dict(getattr(self, name))
            for key in rates:
                if not isinstance(key, str) or not key or re.search(r"[\s,=]", key):
                    raise ValueError(f"a machine's {name} has a name that cannot be written: {key!r}")
            object.__setattr__(self, name, tuple(sorted(rates.items())))
        for name in _POSITIVE:
            _check(name, getattr(self, name), "a positive number", lambda number: number > 0)
        for name in _NOT_NEGATIVE:
            _check(name, getattr(self, name), "a number of at least 0", lambda number: 0 <= number < math.inf)
        for name in _COUNTS:
            _check(name, getattr(self, name), "a whole number of at least 1", _is_count)
        _check("efficiency", self.efficiency, "a number above 0 and up to 1", lambda number: 0 < number <= 1)
        for name in ("element_flops", "axis_bandwidth", "block_bandwidth"):
            for key, value in getattr(self, name):
                _check(f"{name}[{key!r}]", value, "a positive number", lambda number: number > 0)
        for name in ("axis_latency", "block_latency"):
            for key, value in getattr(self, name):
                _check(f"{name}[{key!r}]", value, "a number of at least 0", lambda number: 0 <= number < math.inf)
        for name in _BLOCKS:
            for key, _ in getattr(self, name):
                if not (key.isascii() and key.isdecimal() and int(key) > 1):
                    raise ValueError(f"a machine's {name} is given for blocks of 2 devices or more, not of {key!r}")
        if self.channels not in CHANNELS:
            raise ValueError(f"a machine's channels are one of {', '.join(CHANNELS)}, not {self.channels!r}")

    # Durations -----------------------------------------------------------------------------------

    def product_seconds(self, operations: float, bytes_touched: float, element_type: str = "") -> float:
        """Seconds of a contraction: additions and multiplications, bytes of operands and results."""
        flops = dict(self.element_flops).get(element_type, self.flops)
        return max(operations / (flops * self.efficiency), bytes_touched / self.memory_bandwidth) + self.overhead

    def memory_seconds(self, bytes_touched: float) -> float:
        """Return the seconds of any other computing op, which reads its operands and writes its results."""
        return bytes_touched / self.memory_bandwidth + self.overhead

    def collective_seconds(self, kind: str, group_size: int, operand_bytes: float, axes: Iterable[str] = ()) -> float:
        """A collective by the ring algorithms: `moved_bytes` at the pace of the link, and a latency for each hop.

        `kind` is one of `sdy.passes.costs.machine.KINDS`, `operand_bytes` is what one device contributes, `axes` are
        the names of the mesh axes that the devices of a group differ along.
        """
        if group_size <= 1:
            return 0.0
        bandwidth, latency = self.link(axes)
        lanes = 1 if kind in _POINT_TO_POINT else self.directions
        return moved_bytes(kind, group_size, operand_bytes) / (bandwidth * lanes) + hops(kind, group_size) * latency

    def link(self, axes: Iterable[str] = ()) -> tuple[float, float]:
        """Bandwidth of one direction and latency of the slowest of the links along these mesh axes."""
        names = list(axes)
        if not names or not (self.axis_bandwidth or self.axis_latency):
            return self.bandwidth, self.latency
        bandwidths, latencies = dict(self.axis_bandwidth), dict(self.axis_latency)
        return (
            min(bandwidths.get(name, self.bandwidth) for name in names),
            max(latencies.get(name, self.latency) for name in names),
        )

    def on(self, mesh: Mesh) -> Machine:
        """This machine with the links along each axis of a mesh, by the blocks that devices along the axis are in.

        Values of `axis_bandwidth` and `axis_latency` take precedence.
        """
        return _on(self, mesh) if self.block_bandwidth or self.block_latency else self

    # Texts ---------------------------------------------------------------------------------------

    @staticmethod
    def parse(text: str) -> Machine:
        """The machine that a command line or the option of a pass names.

        ``"flops=2e14 bandwidth=5e10 flops.f32=1e14 bandwidth.data=1e10 latency.data=1e-5"``; the name of an accelerator
        or of an example (`sdy.passes.costs.machine_texts`), or a path of a JSON file, optionally followed by changes:
        ``"h100 memory=9.4e10"``.

        Raises:
          ValueError: an unknown name or key, a missing or malformed number.
          OSError: the file cannot be read.
        """
        return _made(parse_fields(text, _NAMES))

    @staticmethod
    def given(machine: Machine | str, function: str) -> Machine:
        """Return the machine of a public function's argument: a machine, or its text.

        Raises:
          TypeError: anything else.
          ValueError, OSError: see `parse`.
        """
        machine = Machine.parse(machine) if isinstance(machine, str) else machine
        if not isinstance(machine, Machine):
            raise TypeError(f"{function}() takes a Machine, not {type(machine).__name__}")
        return machine

    @staticmethod
    def from_json(text: str) -> Machine:
        """Read the object that `to_json` writes; missing fields get the defaults of the constructor.

        Raises `ValueError`.
        """
        return _made(json_fields(text, _NAMES))

    def to_json(self, indent: int | None = 2) -> str:
        """A JSON object of the attributes; without a limit is ``"inf"``."""
        return json_text({name: getattr(self, name) for name in _NAMES}, indent)

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        defaults = {each.name: each.default for each in fields(self)}
        values = {name: getattr(self, name) for name in _NAMES}
        return pairs_text({name: value for name, value in values.items() if value != defaults[name]})


_NAMES = tuple(each.name for each in fields(Machine))


@lru_cache
def _on(machine: Machine, mesh: Mesh) -> Machine:
    rates = {name: {int(key): value for key, value in getattr(machine, name)} for name in _BLOCKS}
    along: dict[str, dict[str, float]] = {name: {} for name in _BLOCKS}
    for dim, axis in enumerate(mesh.axes):
        for size in sorted({*rates["block_bandwidth"], *rates["block_latency"]}):
            if _stays_in_block(mesh, dim, size):
                for name in _BLOCKS:
                    if size in rates[name]:
                        along[name].setdefault(axis.name, rates[name][size])
    bandwidth = {**along["block_bandwidth"], **dict(machine.axis_bandwidth)}
    latency = {**along["block_latency"], **dict(machine.axis_latency)}
    return replace(machine, axis_bandwidth=bandwidth, axis_latency=latency, block_bandwidth=(), block_latency=())


def _stays_in_block(mesh: Mesh, dim: int, size: int) -> bool:
    """Returns whether devices along an axis of the mesh always lie in one block of `size` devices."""
    sizes = [axis.size for axis in mesh.axes]
    if mesh.device_ids:
        block = np.array(mesh.device_ids).reshape(sizes) // size
        return bool((block == block.take([0], dim)).all())
    # In order of their ids, devices that differ along this and later axes are this many in a row.
    row = math.prod(sizes[dim:])
    return sizes[dim] == 1 or mesh.size <= size or size % row == 0


def hops(kind: str, group_size: int) -> int:
    """Return the number of links that the last byte of a collective passes."""
    if kind in _POINT_TO_POINT:
        return 1
    return (2 if kind == "all_reduce" else 1) * (group_size - 1)


def _made(given: Fields) -> Machine:
    for name in ("flops", "bandwidth"):
        if name not in given:
            raise ValueError(f"a machine needs '{name}'")
    return Machine(**given)


def _check(name: str, value: object, wanted: str, holds: Callable[[float], bool]) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_in_range(value) or not holds(value):
        raise ValueError(f"a machine's {name} is {wanted}, not {value!r}")


def _is_in_range(value: float) -> bool:
    """Return whether a number can be computed with: integers may exceed any float."""
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_count(value: float) -> bool:
    return isinstance(value, int) and value >= 1


# Options of passes ----------------------------------------------------------------------------------


BALANCED = Machine(flops=1.4e14, bandwidth=1e11, memory_bandwidth=2e12, latency=0.0, directions=1)
"""Default machine for comparing ways of partitioning: today's accelerators, in round figures.

While it sends a byte, a device writes 20 to its memory, or does 1400 operations of a matrix product. Nothing takes time
only to start, so that the choice does not depend on how small a program is; a byte counts alike in all collectives.
"""


def read_machine(text: str) -> Machine:
    """See `Machine.parse`. Raises `ValueError`, also for a file that cannot be read."""
    try:
        return Machine.parse(text)
    except OSError as error:
        raise ValueError(f"option 'machine': {error}") from None


def machine_to_compare_for(text: str) -> Machine:
    """Return the machine that an option names; `BALANCED` if none. Raises `ValueError` like `read_machine`."""
    return read_machine(text) if text else BALANCED
