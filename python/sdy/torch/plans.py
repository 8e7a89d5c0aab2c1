"""Plans by patterns of names: axes, placements of DTensor, styles of tensor parallelism; placements of a sharding."""

# pyright: reportMissingImports=false

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeAlias

from torch.distributed.tensor import Partial, Replicate, Shard
from torch.distributed.tensor.parallel import ColwiseParallel, ParallelStyle, RowwiseParallel
from torch.distributed.tensor.placement_types import Placement, _StridedShard

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.programs.meshes import AnyMesh, mesh_from

if TYPE_CHECKING:
    from torch.distributed.device_mesh import DeviceMesh

TorchMesh: TypeAlias = "AnyMesh | DeviceMesh"
"""A mesh of `sdy.auto.partition`, or a `torch.distributed.DeviceMesh`, which is read by its names."""

NamedPlan: TypeAlias = "Mapping[str, Any]"
"""Patterns of names of parameters and inputs to the axes of each dimension, as ``("data", None)``, or to placements of
DTensor, as ``(Replicate(), Shard(0))``; patterns of modules to "colwise", "rowwise", or a `ParallelStyle`. The first
that fits counts. A pattern fits the end of a path: ``layers.*.q_proj`` fits ``model.layers.0.q_proj``."""

MESH = "mesh"
"""Name of the mesh in programs."""

_OUTPUT_DIMS = {"Embedding": 1, "Conv1D": 1}
"""Dimension of output features in the weights of classes that do not keep them transposed, as `Linear` does."""

_STYLES = "colwise", "rowwise", "replicated"


def torch_mesh(given: TorchMesh) -> Mesh:
    """Return the mesh of a `torch.distributed.DeviceMesh`, or any mesh that `sdy.auto.partition` takes.

    Raises:
      ValueError: the dimensions of the DeviceMesh have no names.
      TypeError: it is not a mesh.
    """
    names: Any = getattr(given, "mesh_dim_names", ())
    if names is None:
        raise ValueError("the DeviceMesh has no names: give it mesh_dim_names")
    if not names:
        return mesh_from(given)  # pyright: ignore[reportArgumentType]
    return Mesh.of(**dict(zip(names, map(int, given.shape), strict=True)))  # pyright: ignore[reportAttributeAccessIssue]


@dataclass(frozen=True)
class Plans:
    """A plan for the values of one program.

    Attributes:
      plan: the patterns.
      mesh: axes that it names.
      axis: that of tensor parallelism.
      kinds: class of each module, by its path.
      aliases: further names of values: those of tied parameters.
    """

    plan: NamedPlan
    mesh: Mesh
    axis: str
    kinds: Mapping[str, str]
    aliases: Mapping[str, Sequence[str]]

    def shardings(self, ranks: Mapping[str, int]) -> dict[str, TensorSharding]:
        """Return the shardings of values by name; values without a matching pattern are left out.

        Args:
          ranks: number of dimensions of each value.

        Raises:
          ValueError: a pattern that fits nothing, an unknown axis or style, more dimensions than a value has.
        """
        fitting = {pattern: self._fitting(pattern, wanted, ranks) for pattern, wanted in self.plan.items()}
        for pattern, fits in fitting.items():
            if not fits:
                near = difflib.get_close_matches(pattern, {*ranks, *self.kinds}, 1, 0.3)
                hint = f"; the nearest is '{near[0]}'" if near else ""
                raise ValueError(f"'{pattern}' of the plan fits no parameter and no input{hint}")
        found: dict[str, TensorSharding] = {}
        for pattern, fits in fitting.items():
            for name, axes in fits.items():
                if name not in found:
                    found[name] = self._sharding(pattern, name, ranks[name], axes)
        return found

    def _fitting(self, pattern: str, wanted: Any, names: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
        """Return the axes of the dimensions of each value whose name matches a pattern."""
        style = _style(pattern, wanted)
        found = {}
        for name in names:
            for alias in (name, *self.aliases.get(name, ())):
                if _fits(alias.rpartition(".")[0] if style else alias, pattern):
                    found[name] = self._styled(alias, style) if style else self._axes(pattern, wanted)
                    break
        return found

    def _sharding(self, pattern: str, name: str, rank: int, axes: Sequence[Sequence[str]]) -> TensorSharding:
        if any(axes[rank:]):
            raise ValueError(f"'{pattern}' of the plan shards {len(axes)} dimensions, '{name}' has {rank}")
        unknown = [axis for dim in axes for axis in dim if axis not in self.mesh.axis_sizes]
        if unknown:
            known = ", ".join(self.mesh.axis_sizes)
            raise ValueError(f"'{pattern}' of the plan names the axis '{unknown[0]}', the mesh has {known}")
        dims = [*axes[:rank], *[()] * (rank - len(axes))]
        return TensorSharding.from_axes(MESH, [map(AxisRef, dim) for dim in dims])

    def _styled(self, name: str, style: str) -> list[tuple[str, ...]]:
        module, _, leaf = name.rpartition(".")
        output = _OUTPUT_DIMS.get(self.kinds.get(module, "").rpartition(".")[2], 0)
        dims = {"weight": {"colwise": output, "rowwise": 1 - output}, "bias": {"colwise": 0}}
        dim = dims.get(leaf, {}).get(style)
        return [] if dim is None else [(self.axis,) if each == dim else () for each in range(dim + 1)]

    def _axes(self, pattern: str, wanted: Any) -> list[tuple[str, ...]]:
        """Return the axes of each dimension: as they are written, or by a placement for each axis of the mesh."""
        given: tuple[Any, ...] = (wanted,) if isinstance(wanted, Placement) else tuple(wanted)
        if not any(isinstance(one, Placement) for one in given):
            return [(one,) if isinstance(one, str) else tuple(one or ()) for one in given]
        if len(given) != len(self.mesh.axes):
            raise ValueError(
                f"'{pattern}' of the plan has {len(given)} placements, the mesh {len(self.mesh.axes)} axes"
            )
        dims: dict[int, tuple[str, ...]] = {}
        for axis, placement in zip(self.mesh.axes, given, strict=True):
            if type(placement) is Shard and placement.dim >= 0:
                dims[placement.dim] = (*dims.get(placement.dim, ()), axis.name)
            elif not isinstance(placement, Replicate):
                raise ValueError(
                    f"'{pattern}' of the plan has the placement {placement}: give Shard(dim) or Replicate()"
                )
        return [dims.get(number, ()) for number in range(max(dims, default=-1) + 1)]


def _fits(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"*.{pattern}")


def _style(pattern: str, wanted: Any) -> str:
    """Return the style of modules that a plan names; empty for one of axes or placements."""
    if isinstance(wanted, str):
        style = next((each for each in _STYLES if wanted.startswith(each)), "")
    elif isinstance(wanted, ParallelStyle):
        kinds = {"colwise": ColwiseParallel, "rowwise": RowwiseParallel}
        style = next((each for each, kind in kinds.items() if isinstance(wanted, kind)), "")
    else:
        return ""
    if not style:
        name = wanted if isinstance(wanted, str) else type(wanted).__name__
        raise ValueError(
            f"'{pattern}' of the plan has the style '{name}': give colwise, rowwise, or axes of dimensions"
        )
    return style


def placements(sharding: TensorSharding | None, mesh: Mesh) -> tuple[Placement, ...]:
    """Return the placements of DTensor for a sharding, one for each axis of the mesh.

    A dimension along axes in another order than the mesh has them in is a strided shard, as with FSDP2 on top of tensor
    parallelism.

    Raises `ValueError` for parts of axes, which DTensor has no placement for.
    """
    order = [axis.name for axis in mesh.axes]
    if sharding is None:
        return (Replicate(),) * len(order)
    if any(ref.sub_axis for ref in sharding.axis_refs()):
        raise ValueError(f"DTensor has no placement for {sharding}: it shards along whole axes")
    found: dict[str, Placement] = {ref.name: Partial() for ref in sharding.unreduced}
    for dim, axes in enumerate(sharding.dim_axes):
        names = [ref.name for ref in axes]
        for number, name in enumerate(names):
            later = [other for other in names[:number] if order.index(other) > order.index(name)]
            pieces = math.prod(mesh.axis_sizes[other] for other in later)
            found[name] = Shard(dim) if pieces == 1 else _StridedShard(dim, split_factor=pieces)
    return tuple(found.get(name, Replicate()) for name in order)
