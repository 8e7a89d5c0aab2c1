"""Canonicalization of manual computations (spec: dialect, 11)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect.canonicalization.patterns import canonicalization
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_facts import of_module
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir, rewrite
from sdy.mlir.rewriting.inlining import move_out


@canonicalization("sdy.manual_computation")
def drop_unused_arguments(op: ir.Operation, _: rewrite.PatternRewriter) -> bool:
    """Operands that the body does not use are no operands.

    The driver is not told, as if the op had been changed in place: so it is visited again no sooner than in the next
    sweep, which the order of constants depends on.
    """
    block = op.regions[0].blocks[0]
    used = [next(iter(argument.uses), None) is not None for argument in block.arguments]
    if all(used):
        return False
    for index in reversed(range(len(used))):
        if not used[index]:
            block.erase_argument(index)
    in_shardings = attributes.get(op, "in_shardings").shardings
    kept = ShardingPerValue(_selected(in_shardings, used))
    new = ir.Operation.create(
        op.name,
        results=[result.type for result in op.results],
        operands=_selected(list(op.operands), used),
        attributes={**_attributes(op), "in_shardings": attributes.attr_of(kept)},
        regions=1,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    block.append_to(new.regions[0])
    for old_result, new_result in zip(op.results, new.results, strict=True):
        old_result.replace_all_uses_with(new_result)
    op.erase()
    return True


@canonicalization("sdy.manual_computation")
def erase_empty(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """Without operands, results and body there is nothing to compute."""
    if any(_shardings(op)) or op.regions[0].blocks[0].operations[0].operation.name != "sdy.return":
        return False
    rewriter.erase_op(op)
    return True


@canonicalization("sdy.manual_computation")
def inline_single_device(op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
    """On manual axes of total size 1 local tensors are the global ones, so the body can stand in place of the op.

    It is a copy that does: the driver visits its ops no sooner than in the next sweep, which the order of constants
    depends on.
    """
    in_shardings, out_shardings = _shardings(op)
    if (in_shardings or out_shardings) and not _is_single_device(op, [*in_shardings, *out_shardings]):
        return False
    copy = op.clone(ip=ir.InsertionPoint(op)).operation
    values = move_out(copy.regions[0].blocks[0], list(op.operands), op)
    copy.erase()
    rewriter.replace_op(op, values)
    return True


def _is_single_device(op: ir.Operation, shardings: Sequence[TensorSharding]) -> bool:
    meshes = of_module(MeshTable, op)
    common = meshes.common(shardings)
    mesh = None if common is None else meshes.resolve(common)
    if mesh is None:
        return False
    return math.prod(mesh.axis_sizes[name] for name in attributes.get(op, "manual_axes")) == 1


def _shardings(op: ir.Operation) -> tuple[tuple[TensorSharding, ...], tuple[TensorSharding, ...]]:
    return attributes.get(op, "in_shardings").shardings, attributes.get(op, "out_shardings").shardings


def _attributes(op: ir.Operation) -> dict[str, ir.Attribute]:
    return {name: op.attributes[name] for name in op.attributes}


def _selected(values: Sequence, chosen: Sequence[bool]) -> tuple:
    return tuple(value for value, keep in zip(values, chosen, strict=True) if keep)
