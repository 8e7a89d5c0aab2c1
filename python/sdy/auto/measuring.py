"""`sdy.auto.measure`: the figures of a machine, measured on the available devices.

>>> machine = sdy.auto.measure({"data": 4, "model": 2})
>>> Path("ours.json").write_text(machine.to_json())          # a name of a machine for tools: --machine ours.json
>>> sdy.auto.partition(text, {"data": 4, "model": 2}, machine)

All devices compute, and send, at the same time, as they do in a step. Each measurement runs in loops of two lengths;
the difference excludes the start of a program. A loop round itself takes time where the host checks for another one, as
for GPUs. So small products are timed alone and in a row: the difference gives the start of an op, and the rest is the
time of a round, which is subtracted everywhere.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from functools import cached_property

try:
    import jax
except ModuleNotFoundError as error:
    raise ImportError("sdy.auto.measure needs JAX: pip install 'sdy[jax]'") from error

import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.machine_fit import LEAST, Starts, TimedCollectives, fitted_link, fitted_rate, starts
from sdy.programs.meshes import AnyMesh, is_number_of_devices, mesh_from
from sdy.report.profiles import Profile

ELEMENT_TYPES = {"f32": jnp.float32, "bf16": jnp.bfloat16, "f16": jnp.float16, "f64": jnp.float64}

_WIDTHS = {"cpu": (192, 384)}
_BYTES = {"cpu": (1 << 18, 1 << 22)}
_OTHER_WIDTHS = (2048, 8192)
_OTHER_BYTES = (1 << 21, 1 << 27)
"""Sides of the matrices, and sizes of the tensors that a device has, by platform: a small and a large one."""

_SMALL = 8
"""The side of a matrix whose product is over at once, and what it takes is to start it."""

_IN_A_ROW = 64
"""So many of these are timed in one round."""

_RUNS = 3
_MOST_ROUNDS = 1 << 12

_FLAT = ("devices",)


def measure(
    mesh: AnyMesh | Profile | None = None, *, element_types: Sequence[str] = ("f32", "bf16"), seconds: float = 0.05
) -> Machine:
    """Measure the machine of JAX's devices: products, memory, starts of ops, and links along each mesh axis.

    It takes about 5 seconds for each mesh axis, mostly for compilation; the devices should be idle. Unmeasured axes get
    the bandwidth and latency of the slowest axis; a single device has links that take no time. Memory is that reported
    by a device, or its share of the host's.

    Args:
      mesh: input of `sdy.auto.partition`; a number of devices is one axis, None all devices on one. Devices are those
        of a mesh of JAX, or the first ones. Of a profile that `sdy.profile` returned nothing is run: figures are
        fitted to its events (see `Profile.machine`).
      element_types: of products: "f32", "bf16", "f16" or "f64"; `flops` is that of the first one.
      seconds: about how long each op is run for; more is more exact.

    Raises:
      ValueError: fewer devices than the mesh has, or an element type that is none of these.
      TypeError: no mesh.
    """
    if isinstance(mesh, Profile):
        return mesh.machine
    unknown = [name for name in element_types if name not in ELEMENT_TYPES]
    if unknown or not element_types:
        raise ValueError(
            f"element types of products are {', '.join(ELEMENT_TYPES)}, not {', '.join(unknown) or 'none'}"
        )
    if not (isinstance(seconds, int | float) and 0 < seconds < math.inf):
        raise ValueError(f"seconds is a positive number, not {seconds!r}")
    on = _jax_mesh(mesh)
    with jax.enable_x64(jax.config.jax_enable_x64 or "f64" in element_types):
        return _Measuring(on, seconds).machine(element_types)


@dataclass(frozen=True)
class _Measuring:
    """Times ops on the devices of a mesh, each for about `seconds`."""

    mesh: jax.sharding.Mesh
    seconds: float

    def machine(self, element_types: Sequence[str]) -> Machine:
        overhead = self._starts.op
        flops = {name: self._flops(ELEMENT_TYPES[name]) for name in element_types}
        links = {name: self._link(name) for name, size in self.mesh.shape.items() if size > 1}
        first = flops.pop(element_types[0])
        return Machine(
            flops=first,
            element_flops=flops,
            bandwidth=min((bandwidth for bandwidth, _ in links.values()), default=math.inf),
            latency=max((latency for _, latency in links.values()), default=0.0),
            memory_bandwidth=self._memory_bandwidth(),
            overhead=overhead,
            directions=1,
            channels="one" if self._platform == "cpu" else "axes",
            axis_bandwidth={name: bandwidth for name, (bandwidth, _) in links.items()},
            axis_latency={name: latency for name, (_, latency) in links.items()},
            memory=_memory(self.mesh),
        )

    @property
    def _platform(self) -> str:
        return self.mesh.devices.flat[0].platform

    # Ops that compute ----------------------------------------------------------------------------

    def _flops(self, element_type: jax.typing.DTypeLike) -> float:
        """Return the rate of the larger product, whose start matters least."""
        width = _WIDTHS.get(self._platform, _OTHER_WIDTHS)[1]
        taken = self._timed(lambda x: x @ x, (width, width), element_type)
        return 2 * width**3 / max(taken - self._starts.op, LEAST)

    @cached_property
    def _starts(self) -> Starts:
        def in_a_row(x: jax.Array) -> jax.Array:
            for _ in range(_IN_A_ROW):
                x = x @ x
            return x

        one, row = (self._round(products, (_SMALL, _SMALL), jnp.float32) for products in (lambda x: x @ x, in_a_row))
        return starts(one, row, _IN_A_ROW)

    def _memory_bandwidth(self) -> float:
        """Return the bandwidth of an op that reads and writes a large tensor: small ones stay in caches."""
        largest = _BYTES.get(self._platform, _OTHER_BYTES)[1]
        sizes = (largest // 2, largest)
        timed = [(2.0 * size, self._timed(lambda x: x + 1, (size // 4,), jnp.float32)) for size in sizes]
        rate, _ = fitted_rate(timed)
        return rate if rate < math.inf else timed[-1][0] / timed[-1][1]

    # Collectives ---------------------------------------------------------------------------------

    def _link(self, axis: str) -> tuple[float, float]:
        """Bandwidth and latency along a mesh axis."""
        count = self.mesh.shape[axis]
        ring = [(place, (place + 1) % count) for place in range(count)]

        def gathered_and_scattered(x: jax.Array) -> jax.Array:
            return jax.lax.psum_scatter(jax.lax.all_gather(x, axis, tiled=True), axis, tiled=True)

        timed = []
        for size in _BYTES.get(self._platform, _OTHER_BYTES):
            rows = max(size // 4 // (128 * count), 1)
            whole = 4.0 * rows * count * 128
            programs: list[tuple[Callable[[jax.Array], jax.Array], tuple[tuple[str, float], ...], int]] = [
                (lambda x: jax.lax.psum(x, axis), (("all_reduce", whole),), rows * count),
                (gathered_and_scattered, (("all_gather", whole / count), ("reduce_scatter", whole)), rows),
                (lambda x: jax.lax.all_to_all(x, axis, 0, 0, tiled=True), (("all_to_all", whole),), rows * count),
                (lambda x: jax.lax.ppermute(x, axis, ring), (("collective_permute", whole),), rows * count),
            ]
            for program, collectives, height in programs:
                found = self._timed(program, (height, 128), jnp.float32)
                timed.append(TimedCollectives(collectives, count, found))
        bandwidth, latency = fitted_link(timed)
        if bandwidth == math.inf:
            largest = max(timed, key=lambda one: one.moved)
            bandwidth = largest.moved / largest.seconds
        return bandwidth, latency

    # Times ---------------------------------------------------------------------------------------

    def _timed(
        self, op: Callable[[jax.Array], jax.Array], shape: tuple[int, ...], element_type: jax.typing.DTypeLike
    ) -> float:
        """Return the seconds of `op` on a tensor of this shape, and zeros, on each device."""
        return max(self._round(op, shape, element_type) - self._starts.round, LEAST)

    def _round(
        self, op: Callable[[jax.Array], jax.Array], shape: tuple[int, ...], element_type: jax.typing.DTypeLike
    ) -> float:
        """Return the seconds of an empty loop round."""
        names = tuple(self.mesh.axis_names)
        over = PartitionSpec(names, *(None,) * (len(shape) - 1))

        def repeated(x: jax.Array, rounds: jax.Array) -> jax.Array:
            return jax.lax.fori_loop(0, rounds, lambda _, y: op(y), x)

        specs = {"in_specs": (over, PartitionSpec()), "out_specs": over}
        run = jax.jit(jax.shard_map(repeated, mesh=self.mesh, **specs, check_vma=False))
        x = jax.jit(
            lambda: jnp.zeros((shape[0] * self.mesh.size, *shape[1:]), element_type),
            out_shardings=NamedSharding(self.mesh, over),
        )()

        def seconds_of(rounds: int) -> float:
            """The shortest of a few runs."""
            taken = []
            for _ in range(_RUNS):
                started = time.perf_counter()
                run(x, np.int32(rounds)).block_until_ready()
                taken.append(time.perf_counter() - started)
            return min(taken)

        seconds_of(1)
        rounds = 4
        while (taken := seconds_of(rounds)) < self.seconds / 2 and rounds < _MOST_ROUNDS:
            rounds *= 4
        return max((taken - seconds_of(rounds // 4)) / (rounds - rounds // 4), LEAST)


def _jax_mesh(given: AnyMesh | None) -> jax.sharding.Mesh:
    if isinstance(given, jax.sharding.Mesh):
        types = (AxisType.Auto,) * len(given.axis_names)
        return jax.sharding.Mesh(given.devices, given.axis_names, axis_types=types)
    if given is None or is_number_of_devices(given):
        sizes, names = (len(jax.devices()) if given is None else given,), _FLAT
    else:
        found = mesh_from(given)
        sizes, names = tuple(axis.size for axis in found.axes), tuple(axis.name for axis in found.axes)
    there = len(jax.devices())
    if not 0 < math.prod(sizes) <= there:
        raise ValueError(f"a mesh of {math.prod(sizes)} devices cannot be measured: there are {there}")
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * len(names))


def _memory(mesh: jax.sharding.Mesh) -> float:
    """Return the memory of a device; devices of a host that do not report it share that of the host."""
    device = mesh.devices.flat[0]
    said = (device.memory_stats() or {}).get("bytes_limit") if device.platform != "cpu" else None
    if said:
        return float(said)
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // mesh.size)
    except (ValueError, OSError, AttributeError):
        return math.inf
