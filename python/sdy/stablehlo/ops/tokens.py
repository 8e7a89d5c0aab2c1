"""Tokens that order effects, tuples, and data to and from elsewhere."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
from sdy.stablehlo.ops.making.type_writers import TypeLike
from sdy.stablehlo.ops.values import Value, listed, one, several

Channel = int | tuple[int, int]
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
