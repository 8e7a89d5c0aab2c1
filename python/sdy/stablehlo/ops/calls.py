"""Calls of what is defined elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
from sdy.stablehlo.ops.making.type_writers import TypeLike
from sdy.stablehlo.ops.values import Value, several

Alias = tuple[Sequence[int], int, Sequence[int]]
"""Indices into the result, the number of an operand, indices into that operand."""


def custom_call(
    inputs: Sequence[ir.Value],
    call_target_name: str,
    types: Sequence[TypeLike],
    *,
    has_side_effect: bool | None = None,
    backend_config: str | Mapping[str, object] | None = None,
    api_version: int | None = None,
    called_computations: Sequence[str] | None = None,
    operand_layouts: Sequence[Sequence[int]] | None = None,
    result_layouts: Sequence[Sequence[int]] | None = None,
    output_operand_aliases: Sequence[Alias] | None = None,
    result_tilings: Sequence[object] | None = None,
    **at: Unpack[At],
) -> tuple[Value, ...]:
    """Calls what the implementation knows by that name.

    Args:
      inputs: operands.
      call_target_name: the name.
      types: of the results.
      has_side_effect: whether it has to run even if no result is used.
      backend_config: text, or a dictionary with `api_version` 4.
      api_version: of the interface.
      called_computations: names of functions.
      operand_layouts, result_layouts: an order of dimensions, minor ones first, for each of them.
      output_operand_aliases: which results are in place of which operands.
      result_tilings: for the implementation.
    """
    attributes = {
        "call_target_name": call_target_name,
        "has_side_effect": has_side_effect,
        "backend_config": backend_config,
        "api_version": api_version,
        "called_computations": called_computations,
        "operand_layouts": operand_layouts,
        "result_layouts": result_layouts,
        "output_operand_aliases": output_operand_aliases,
        "result_tilings": result_tilings,
    }
    return several("stablehlo.custom_call", inputs, attributes, types=types, **at)


def composite(
    inputs: Sequence[ir.Value],
    name: str,
    decomposition: str,
    *,
    composite_attributes: Mapping[str, object] | None = None,
    version: int | None = None,
    **at: Unpack[At],
) -> tuple[Value, ...]:
    """An op of a higher level, which does what a function of the module around it does.

    Args:
      inputs: operands, of the types that the function takes.
      name: `namespace.op`.
      decomposition: the name of the function.
      composite_attributes: for those who know the op.
      version: of the op.
    """
    attributes = {
        "name": name,
        "decomposition": decomposition,
        "composite_attributes": composite_attributes,
        "version": version,
    }
    return several("stablehlo.composite", inputs, attributes, **at)
