"""Writing axes of one mesh as axes of another one over the same devices.

`translate` assumes that both meshes number their devices in row-major order, so an axis is a range of strides: of
``<["x"=4, "y"=2]>`` the axis y covers strides 1 to 2 and x covers 2 to 8; of ``<["d"=8]>`` the axis d covers both, and
is written ``"x", "y"``.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.values.axes import AxisList, AxisRef, merged
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class _Range:
    """Strides from `low` to `high`: the axis has `high / low` shards, neighbours are `low` devices apart."""

    low: int
    high: int


def translate(axis_list: Sequence[AxisRef], source: Mesh, target: Mesh) -> AxisList | None:
    """Return the axes of `target` that split devices as `axis_list` of `source` does; None if there are none."""
    if source.size != target.size:
        return None
    found: list[AxisRef] = []
    for axis in axis_list:
        parts = _parts(_range(axis, source), target)
        if parts is None:
            return None
        found += parts
    return merged(found, target.axis_sizes)


def on_mesh(sharding: TensorSharding, source: Mesh, target: Mesh) -> TensorSharding | None:
    """The sharding on `source` written with the axes of `target`; None if that is not possible.

    Its mesh reference stays. Between meshes with different device ids only replicated dimensions can be translated.
    """
    if source.device_ids != target.device_ids and any((*sharding.dim_axes, sharding.unreduced)):
        return None
    dims = [translate(axes, source, target) for axes in sharding.dim_axes]
    unreduced = translate(sharding.unreduced, source, target)
    if unreduced is None or any(axes is None for axes in dims):
        return None
    return sharding.with_dim_axes(axes or () for axes in dims).with_unreduced(unreduced)


def _range(axis: AxisRef, mesh: Mesh) -> _Range:
    sizes = [each.size for each in mesh.axes]
    low = 1
    for size in sizes[mesh.axis_positions[axis.name] + 1 :]:
        low *= size
    low *= mesh.axis_sizes[axis.name] // axis.next_pre_size(mesh.axis_sizes)
    return _Range(low, low * axis.size(mesh.axis_sizes))


def _parts(wanted: _Range, mesh: Mesh) -> list[AxisRef] | None:
    """Return the axes of `mesh`, or parts of them, that cover a range of strides, major first."""
    parts: list[AxisRef] = []
    for axis in mesh.axes:
        whole = _range(AxisRef(axis.name), mesh)
        low, high = max(whole.low, wanted.low), min(whole.high, wanted.high)
        if low >= high:
            continue
        if low % whole.low or high % low or whole.high % high:
            return None
        if (low, high) == (whole.low, whole.high):
            parts.append(AxisRef(axis.name))
        else:
            parts.append(AxisRef.sub(axis.name, whole.high // high, high // low))
    return parts
