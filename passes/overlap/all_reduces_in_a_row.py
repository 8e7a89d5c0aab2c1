"""sdy-all-reduces-in-a-row: an all_reduce of several small tensors becomes one of all their numbers in a row.

    %0:2 = "stablehlo.all_reduce"(%a, %b) <{...}> ({ ... })
         : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
==> %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<8xf32>, tensor<4xf32>) -> tensor<12xf32>
    %2 = "stablehlo.all_reduce"(%1) <{...}> ({ ... }) : (tensor<12xf32>) -> tensor<12xf32>
    %3 = stablehlo.slice %2 [0:8] : (tensor<12xf32>) -> tensor<8xf32>
    %4 = stablehlo.slice %2 [8:12] : (tensor<12xf32>) -> tensor<4xf32>

Only one of a single tensor can be asynchronous. Works on local programs. Cost model: a copy of 32 KiB takes no longer
than starting a collective does, so that the tensors have at most as many bytes each.
"""

from __future__ import annotations

import math

from sdy.dialect.definition.attributes import without_sharding
from sdy.dialect.op_properties import is_static_shaped
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_bytes import byte_size
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder

_SMALL = 32 * 1024
"""Bytes of a tensor that is copied."""


@pass_("sdy-all-reduces-in-a-row", on="func.func")
def all_reduces_in_a_row(func: ir.Operation) -> str | None:
    found = [op for op in ops_named(func, "stablehlo.all_reduce") if _may(op)]
    for op in found:
        _join(op)
    return None if found else UNCHANGED


def _may(op: ir.Operation) -> bool:
    """Whether there are several tensors, of one element type and known size, all of them small."""
    types = [operand.type for operand in op.operands]
    if len(types) < 2 or len({type_.element_type for type_ in types}) > 1:
        return False
    is_started = op.parent.operation.name == "stablehlo.async_start"
    return not is_started and all(is_static_shaped(type_) and byte_size(type_) <= _SMALL for type_ in types)


def _join(op: ir.Operation) -> None:
    b = Builder.before(op)
    counts = [math.prod(operand.type.shape) for operand in op.operands]
    parts = [b.reshape(operand, [count]) for operand, count in zip(op.operands, counts, strict=True)]
    row = b.concatenate(parts, 0)
    attributes = without_sharding(op)
    joined = b.create(op.name, (row,), (row.type,), attributes, regions=1)
    op.regions[0].blocks[0].append_to(joined.regions[0])
    start = 0
    for result, count in zip(op.results, counts, strict=True):
        part = b.slice(joined.results[0], [start], [start + count])
        result.replace_all_uses_with(b.reshape(part, result.type.shape))
        start += count
    op.erase()
