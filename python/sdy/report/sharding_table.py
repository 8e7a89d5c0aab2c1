"""Shardings of all values of a program, for people to read.

>>> sdy.run(module, "sdy-propagation-pipeline")
>>> print(table(value_shardings(module)))
"""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.surroundings import op_name
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.markup.fragments import Cell, fragment, sharding_drawings, sharding_label
from sdy.markup.fragments import table as markup_table
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.report.text_table import columns


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
