"""Collectives become asynchronous, and synchronous again."""

from __future__ import annotations

from sdy.dialect.ir_builders.communication import max_channel
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.shardings.meshes import enclosing_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.mlir.search import ops_named
from sdy.passes.costs.program_collectives import collective, local_mesh
from sdy.passes.options import option
from sdy.passes.overlap.pairs import (
    along_parts,
    checked_starts,
    dimensions,
    has_elements,
    make_asynchronous,
)
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.idioms.loops import CONTROL_FLOW, Execution
from sdy.stablehlo.ops import Builder

KINDS = ("all_gather", "all_reduce", "reduce_scatter", "collective_permute", "all_to_all")
"""The collectives that can be asynchronous."""

_BLOCKS_OF_PROGRAMS = ("func.func", *CONTROL_FLOW)


@dataclass(frozen=True)
class AsyncCollectivesOptions:
    """Options of sdy-async-collectives."""

    kinds: tuple[str, ...] = option(KINDS, "the collectives to make asynchronous")
    min_bytes: int = option(0, "leave those that send fewer bytes from each device")
    split_variadic: bool = option(False, "make an all_reduce of several tensors one for each of them first")
    rewrite_all_to_all: bool = option(
        True, "split and concatenate along one dimension, with reshapes and a transpose, instead of two"
    )

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise ValueError(f"'{kind}' is not a kind for option 'kinds'; there are {', '.join(KINDS)}")
        if self.min_bytes < 0:
            raise ValueError(f"option 'min-bytes' is at least 0, not {self.min_bytes}")


@pass_("sdy-async-collectives", on="func.func", options=AsyncCollectivesOptions)
def async_collectives(func: ir.Operation, options: AsyncCollectivesOptions) -> str | None:
    """sdy-async-collectives: Replace each collective by an asynchronous start and done.

        %0 = "stablehlo.all_gather"(%a) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
    ==> %f = "stablehlo.async_start"(%a) ({
        ^bb0(%x: tensor<8xf32>):
          %y = "stablehlo.all_gather"(%x) <{...}> : (tensor<8xf32>) -> tensor<16xf32>
          stablehlo.return %y : tensor<16xf32>
        }) : (tensor<8xf32>) -> !stablehlo.future<tensor<16xf32>>
        %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<16xf32>>) -> tensor<16xf32>

    Works on local programs. Collectives with several operands or results, dynamic sizes, or no elements stay
    synchronous. So does an all_to_all that cuts one dimension and joins another, unless it may be rewritten along one
    dimension, and a collective_broadcast, which no tested backend runs asynchronously. `sdy-convert-async` undoes it;
    `sdy-place-collectives` moves the starts up and the dones down.
    """
    found = ops_named(func, *(f"stablehlo.{kind}" for kind in options.kinds))
    checked_starts(func)
    made = [make_asynchronous(one) for op in found if _may(op, options) for one in _parts(op, options)]
    return None if made else UNCHANGED


def _may(op: ir.Operation, options: AsyncCollectivesOptions) -> bool:
    """Return whether a collective is run by a program, on static shapes, sends enough, and can be asynchronous."""
    if op.parent.operation.name not in _BLOCKS_OF_PROGRAMS:
        return False
    if not all(is_static_shaped(value.type) for value in (*op.operands, *op.results)) or not has_elements(op):
        return False
    if len(op.operands) != 1 and not (options.split_variadic and op.name == "stablehlo.all_reduce"):
        return False
    return _cuts_and_joins_one_dimension(op, options) and _is_large(op, options)


def _cuts_and_joins_one_dimension(op: ir.Operation, options: AsyncCollectivesOptions) -> bool:
    if op.name != "stablehlo.all_to_all":
        return True
    split, concat = dimensions(op)
    return split == concat or options.rewrite_all_to_all


def _is_large(op: ir.Operation, options: AsyncCollectivesOptions) -> bool:
    if not options.min_bytes:
        return True
    return collective(Execution(op), local_mesh(enclosing_module(op))).moved_bytes >= options.min_bytes


def _parts(op: ir.Operation, options: AsyncCollectivesOptions) -> list[ir.Operation]:
    """Return the op, or the ops that replace it in asynchronous form."""
    if len(op.operands) != 1:
        return _split(op)
    if op.name == "stablehlo.all_to_all" and len(set(dimensions(op))) == 2:
        return [along_parts(op)]
    return [op]


def _split(op: ir.Operation) -> list[ir.Operation]:
    """An all_reduce for each operand, the first on the channel of the op, the others on new ones."""
    b, found = Builder.before(op), []
    channel = max_channel(enclosing_module(op))
    for number, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        attributes = {name: op.attributes[name] for name in op.attributes}
        if number and "channel_handle" in attributes:
            kind = stablehlo.ChannelHandle(attributes["channel_handle"]).channel_type
            attributes["channel_handle"] = stablehlo.ChannelHandle.get(channel + number, kind)
        one = b.create(op.name, (operand,), (result.type,), attributes, regions=1)
        op.clone(ip=False).operation.regions[0].blocks[0].append_to(one.regions[0])
        result.replace_all_uses_with(one.results[0])
        found.append(one)
    op.erase()
    return found
