"""sdy-scans-to-windows: a cumulative sum that is written as a scan becomes windows that grow, as on other platforms.

    %1:2 = chlo.scan(%0) inits (%zeros) dimension=0 {is_associative = true, is_reverse = false} {
      ^bb0(%x: tensor<6xf32>, %sum: tensor<6xf32>):
        %2 = stablehlo.add %x, %sum : tensor<6xf32>
        stablehlo.return %2, %2 : ...
    } : (tensor<8x6xf32>, tensor<6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>)
==> %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = [8, 1], padding = [[7, 0], [0, 0]]}> ({add})
         {sdy.scanned = 0} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>

So propagation, exchange and padding are those of cumulative sums. `sdy-windows-to-scans` makes scans again of what is
left of them on each device.
"""

from __future__ import annotations

from sdy.dialect.ir_builders.identities import identity_of_op
from sdy.dialect.ir_builders.init_values import repeated
from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import i64
from sdy.passes.partitioning.facts.cumulative_windows import SCANNED
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.idioms.reduction_bodies import COMMUTATIVE
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.values import one


@pass_("sdy-scans-to-windows", on="func.func")
def scans_to_windows(func: ir.Operation) -> None:
    for op in ops_named(func, "chlo.scan"):
        name = _accumulates(op)
        if name is not None:
            _rewrite(op, name)


def _accumulates(op: ir.Operation) -> str | None:
    """The op that combines a slice and what is carried, which begins with its neutral element; None for other scans."""
    flag = op.attributes.get("is_associative")
    if flag is None or not flag.value or len(op.operands) != 2 or len(op.results) != 2:
        return None
    x, init = op.operands
    if not all(value.type.has_static_shape for value in (x, *op.results)) or 0 in x.type.shape:
        return None
    name = _combining_op(op.regions[0].blocks[0])
    number = splat_number(repeated(init))
    is_neutral = name is not None and number is not None and number == identity_of_op(name, x.type.element_type)
    return name if is_neutral and op.results[0].type == x.type else None


def _combining_op(block: ir.Block) -> str | None:
    arguments, returned = list(block.arguments), list(terminator(block).operands)
    if len(arguments) != 2 or len(returned) != 2 or returned[0] != returned[1]:
        return None
    if isinstance(returned[0].owner, ir.Block):
        return None
    made = returned[0].owner.operation
    is_pair = list(made.operands) in (arguments, arguments[::-1])
    return made.name if made.name in COMMUTATIVE and is_pair else None


def _rewrite(op: ir.Operation, name: str) -> None:
    b, x = Builder.before(op), op.operands[0]
    shape, dim = list(x.type.shape), op.attributes["dimension"].value
    is_reverse = "is_reverse" in op.attributes and op.attributes["is_reverse"].value
    element = x.type.element_type
    rest = shape[dim] - 1
    grown = (0, rest) if is_reverse else (rest, 0)
    neutral = identity_of_op(name, element)
    assert neutral is not None, name
    windows = b.reduce_window(
        x,
        b.constant(neutral, element),
        [size if each == dim else 1 for each, size in enumerate(shape)],
        lambda left, right: one(name, (left, right)),
        padding=[grown if each == dim else (0, 0) for each in range(len(shape))],
    )
    windows.owner.operation.attributes[SCANNED] = ir.IntegerAttr.get(i64(), dim)
    op.results[0].replace_all_uses_with(windows)
    if any(True for _ in op.results[1].uses):
        last = 0 if is_reverse else rest
        starts = [last if each == dim else 0 for each in range(len(shape))]
        limits = [last + 1 if each == dim else size for each, size in enumerate(shape)]
        op.results[1].replace_all_uses_with(b.reshape(b.slice(windows, starts, limits), op.results[1].type))
    op.erase()
