"""Replica groups along axes, as matrices of devices for a jaxlib that does not know them."""

from __future__ import annotations

import math
import re

import numpy as np
from jaxlib.mlir.dialects import stablehlo

_TAKES_AXES = hasattr(stablehlo, "ReplicaGroupMeshAxesAttr")

_GROUPS = re.compile(
    r"#stablehlo\.replica_group_mesh_axes<mesh = #stablehlo\.mesh<axes=\[([^]]*)\]>, axes = \[([^]]*)\]>"
)
_SIZE = re.compile(r'<name = "([^"]*)", size = (\d+)>')
_NAME = re.compile(r'#stablehlo\.axis_ref<name = "([^"]*)">')


def readable(text: str) -> str:
    """A program for each device as the jaxlib in use reads it."""
    return text if _TAKES_AXES or "replica_group_mesh_axes" not in text else with_dense_groups(text)


def with_dense_groups(text: str) -> str:
    """The same program with a row of devices for each group, whose meshes have whole axes and devices in order."""
    return _GROUPS.sub(lambda found: _dense(found[1], found[2]), text)


def _dense(mesh: str, axes: str) -> str:
    sizes = {name: int(size) for name, size in _SIZE.findall(mesh)}
    names, along = list(sizes), _NAME.findall(axes)
    order = [*(name for name in names if name not in along), *along]
    count = math.prod(sizes[name] for name in along)
    grid = np.arange(math.prod(sizes.values())).reshape(list(sizes.values()))
    rows = grid.transpose([names.index(name) for name in order]).reshape(-1, count)
    return f"dense<{rows.tolist()}> : tensor<{rows.shape[0]}x{count}xi64>"
