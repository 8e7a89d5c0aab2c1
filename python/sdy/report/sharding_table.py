"""Which sharding each value of a program has, for people to read.

>>> sdy.run(module, "sdy-propagation-pipeline")
>>> print(table(value_shardings(module)))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sdy.dialect.op_names import op_name
from sdy.dialect.shardings.value_shardings import op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir.walk import pre_order
from sdy.report.text_table import columns


@dataclass(frozen=True, slots=True)
class ValueSharding:
    """A result of an op.

    `name` is what the frontend called the op (see `op_name`), `type` the global type in MLIR syntax.
    """

    name: str
    op: str
    type: str
    sharding: TensorSharding

    @property
    def dims_text(self) -> str:
        """The axes of each dimension, as the dialect writes them."""
        return "[" + ", ".join(map(str, self.sharding.dims)) + "]"


def value_shardings(module: Any) -> list[ValueSharding]:
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
