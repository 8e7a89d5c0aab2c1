"""Pictures of shardings, and tables of them, for the terminal and for notebooks: the device of each part of a value.

>>> print(sdy.visualize_sharding(lowered, "params['w']"))
>>> sdy.visualize_sharding(lowered, "jit(step)/*/dot_general")      # in a notebook
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from sdy.dialect.context import exclusively
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.surroundings import op_name
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.markup.fragments import Cell, fragment, sharding_drawings, sharding_label
from sdy.markup.fragments import table as markup_table
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.walk import pre_order
from sdy.programs.given_modules import GivenProgram, compiled, parsed, with_own_shardings
from sdy.report.explanation import explain
from sdy.report.text_table import columns

_MOST_CELLS = 16
"""Parts along a dimension that are drawn."""

_MOST_NAMED = 6
"""Devices of a part that are listed."""


@dataclass(frozen=True, slots=True)
class ShardingPicture:
    """A value on its mesh; `name` is its name in the program, `type` its type in MLIR syntax."""

    name: str
    type: str
    sharding: TensorSharding
    mesh: Mesh

    def __str__(self) -> str:
        """The parts along the first two sharded dimensions, with the devices that hold each."""
        sizes = self.mesh.axis_sizes
        counts = [math.prod(axis.size(sizes) for axis in axes) for axes in self.sharding.dim_axes]
        split = [dim for dim, count in enumerate(counts) if count > 1]
        dims = f"[{', '.join(map(str, self.sharding.dims))}]"
        lines = [f"{self.name} : {self.type} {dims} on {self.mesh}"]
        if not split:
            return "\n".join([*lines, f"the whole on each of {self.mesh.size} devices"])
        down, *across = split[:2]
        rows, columns = counts[down], counts[across[0]] if across else 1
        if max(rows, columns) > _MOST_CELLS:
            return "\n".join([*lines, f"{' x '.join(str(counts[dim]) for dim in split)} parts, which are not drawn"])
        held = self._devices(down, across[0] if across else None)
        cells = [[_listed(held.get((row, column), [])) for column in range(columns)] for row in range(rows)]
        lines += [f"down: dimension {down}{f', across: dimension {across[0]}' if across else ''}", *_grid(cells)]
        lines += [f"one of {counts[dim]} slices along dimension {dim}" for dim in split[2:]]
        return "\n".join(lines)

    def _devices(self, down: int, across: int | None) -> dict[tuple[int, int], list[int]]:
        """Return devices by their part; of further sharded dimensions only the first slice."""
        found: dict[tuple[int, int], list[int]] = {}
        for number, device in enumerate(self.mesh.devices):
            place = [self.mesh.shard_index(axes, number) for axes in self.sharding.dim_axes]
            if any(place[dim] for dim in range(len(place)) if dim not in (down, across)):
                continue
            found.setdefault((place[down], 0 if across is None else place[across]), []).append(device)
        return found

    def html_parts(self) -> Iterator[str]:
        """Return label and drawings for notebooks."""
        label = Cell(html=sharding_label(self.type, self.sharding, self.mesh))
        yield markup_table((self.name,), [[label]])
        yield sharding_drawings(self.type, self.sharding, self.mesh)


@dataclass(frozen=True, slots=True)
class ShardingPictures:
    """The requested values, in program order."""

    values: tuple[ShardingPicture, ...]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.values))

    def _repr_html_(self) -> str:
        """Labels and drawings, for notebooks."""
        return fragment(str(self), *(part for each in self.values for part in each.html_parts()))


def visualize_sharding(program: GivenProgram, selector: str, *, filename: str = "-") -> ShardingPictures:
    """Draw how values of a program lie on the mesh, arguments, results and all values in between.

    Args:
      program: input of `sdy.explain`, such as a lowered stage.
      selector: as for `sdy.explain`: ``params['w']``, ``result:0``, ``%3``, ``step.py:12``, ``jit(step)/*/tanh``.
      filename: name in locations of a module from a text without a name.

    Returns:
      `ShardingPictures` for the terminal and for notebooks.

    Raises:
      the errors of `sdy.explain`.
    """
    explained = explain(program, selector, filename=filename)
    own = compiled(program, filename=filename)
    original = parsed(own.program, filename, own.context)
    with original.context, exclusively(original.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        meshes = MeshTable(with_own_shardings(original, own.partitioning.options).operation)
        pairs = [(each, None if each.sharding is None else meshes.of(each.sharding)) for each in explained]
    return ShardingPictures(
        tuple(
            ShardingPicture(f"{each.name} = {each.what}", each.type, each.sharding, mesh)
            for each, mesh in pairs
            if each.sharding is not None and mesh is not None
        )
    )


def _listed(devices: Sequence[int]) -> str:
    shown = ", ".join(map(str, devices[:_MOST_NAMED]))
    return f"{shown} … {len(devices)}" if len(devices) > _MOST_NAMED else shown


def _grid(cells: Sequence[Sequence[str]]) -> list[str]:
    """Cells in boxes."""
    width = max(len(cell) for row in cells for cell in row) + 2
    bars = ["─" * width] * len(cells[0])
    lines = [f"┌{'┬'.join(bars)}┐"]
    for number, row in enumerate(cells):
        lines += [f"├{'┼'.join(bars)}┤"] if number else []
        lines.append(f"│{'│'.join(cell.center(width) for cell in row)}│")
    return [*lines, f"└{'┴'.join(bars)}┘"]


@dataclass(frozen=True, slots=True)
class ValueSharding:
    """A result of an op.

    `name` is the frontend's name of the op (see `op_name`), `type` the global type in MLIR syntax.
    """

    name: str
    op: str
    type: str
    sharding: TensorSharding

    def _repr_html_(self) -> str:
        """The label of the value, for notebooks; with its mesh in the sharding also the drawings."""
        mesh = self.sharding.mesh_or_ref if isinstance(self.sharding.mesh_or_ref, Mesh) else None
        shown = sharding_label(self.type, self.sharding, mesh)
        return fragment(
            f"{self.name}: {self.type} {self.dims_text}",
            markup_table((self.name, self.op), [[Cell(html=shown), Cell()]]),
            sharding_drawings(self.type, self.sharding, mesh),
        )

    @property
    def dims_text(self) -> str:
        """The axes of each dimension, as the dialect writes them."""
        return "[" + ", ".join(map(str, self.sharding.dims)) + "]"


def value_shardings(module: ir.Module | ir.Operation) -> list[ValueSharding]:
    """The shardings that the results of the ops of a module carry, in program order."""
    found: list[ValueSharding] = []
    for op in pre_order(module.operation):
        for result, sharding in zip(op.results, op_shardings(op) or (), strict=False):
            found.append(ValueSharding(op_name(op.location), op.name, str(result.type), sharding))
    return found


def table(values: Iterable[ValueSharding]) -> str:
    """One line per value."""
    rows = [("value", "type", "sharding")]
    return columns(rows + [(one.name, one.type, one.dims_text) for one in values])
