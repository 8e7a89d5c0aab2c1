"""The ops of all dialects that are declared in Python, by what the assembly engine and IRDL need of them."""

from __future__ import annotations

from collections.abc import Mapping

from sdy.dialect import builders
from sdy.dialect.definition.dialect import Sdy
from sdy.dialect.hlo_async import declarations
from sdy.dialect.hlo_async.declarations import HloAsync
from sdy.mlir.declared_dialects import segment_names

DIALECTS = (Sdy, HloAsync)
"""The dialects, in the order in which they are loaded."""

OPS: Mapping[str, type] = {**builders.OPS, **declarations.OPS}
"""The op classes by full name."""

VARIADIC: Mapping[str, tuple[str, ...]] = {name: found for name, op in OPS.items() if (found := segment_names(op))}
"""The ops with any number of operands or results of any types: names of their segment attributes, by full name."""
