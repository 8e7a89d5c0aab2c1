"""Builders of calls, tokens, transfers and tuples."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import TypeLike
from sdy.stablehlo.ops.values import Value, listed, one, several

__all__ = ["after_all", "composite", "create_token", "custom_call", "get_tuple_element", "infeed", "outfeed", "recv"]
__all__ += ["send", "tuple"]

Alias = builtins.tuple[Sequence[int], int, Sequence[int]]
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
) -> builtins.tuple[Value, ...]:
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
) -> builtins.tuple[Value, ...]:
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


Channel = int | builtins.tuple[int, int]
"""An id, for a channel between devices, or an id with a type: 1 between devices, 2 to the host, 3 from it."""


def create_token(**at: Unpack[At]) -> Value:
    """A token that waits for nothing."""
    return one("stablehlo.create_token", (), **at)


def after_all(inputs: Sequence[ir.Value] = (), **at: Unpack[At]) -> Value:
    """A token that waits for all of `inputs`."""
    return one("stablehlo.after_all", inputs, **at)


def tuple(values: Sequence[ir.Value], **at: Unpack[At]) -> Value:
    """Several values as one."""
    return one("stablehlo.tuple", values, **at)


def get_tuple_element(operand: ir.Value, index: int, **at: Unpack[At]) -> Value:
    """One value of a tuple."""
    return one("stablehlo.get_tuple_element", (operand,), {"index": index}, **at)


def infeed(
    token: ir.Value,
    types: Sequence[TypeLike],
    infeed_config: str | None = None,
    layout: Sequence[Sequence[int]] | None = None,
    **at: Unpack[At],
) -> builtins.tuple[Value, ...]:
    """Data from the host.

    Args:
      token: what to wait for.
      types: static tensor types of the data.
      infeed_config: for the implementation.
      layout: an order of dimensions for each of the types.

    Returns:
      The data, and a token.
    """
    attributes = {"infeed_config": infeed_config, "layout": layout}
    results = [*listed(types), "!stablehlo.token"]
    return several("stablehlo.infeed", (token,), attributes, types=results, **at)


def outfeed(inputs: Sequence[ir.Value], token: ir.Value, outfeed_config: str | None = None, **at: Unpack[At]) -> Value:
    """Sends data to the host after a token; gives a token."""
    return one("stablehlo.outfeed", (*listed(inputs), token), {"outfeed_config": outfeed_config}, **at)


def send(
    inputs: Sequence[ir.Value],
    token: ir.Value,
    channel: Channel,
    *,
    is_host_transfer: bool | None = None,
    source_target_pairs: Sequence[builtins.tuple[int, int]] | None = None,
    **at: Unpack[At],
) -> Value:
    """Sends data over a channel, whose type is 2 to the host, after a token; gives a token."""
    attributes = {
        "channel_handle": channel,
        "is_host_transfer": is_host_transfer,
        "source_target_pairs": source_target_pairs,
    }
    return one("stablehlo.send", (*listed(inputs), token), attributes, **at)


def recv(
    token: ir.Value,
    channel: Channel,
    types: Sequence[TypeLike],
    *,
    is_host_transfer: bool | None = None,
    source_target_pairs: Sequence[builtins.tuple[int, int]] | None = None,
    **at: Unpack[At],
) -> builtins.tuple[Value, ...]:
    """Data of these static tensor types from a channel, whose type is 3 from the host, and a token."""
    attributes = {
        "channel_handle": channel,
        "is_host_transfer": is_host_transfer,
        "source_target_pairs": source_target_pairs,
    }
    results = [*listed(types), "!stablehlo.token"]
    return several("stablehlo.recv", (token,), attributes, types=results, **at)
