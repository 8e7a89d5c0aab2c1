"""sdy-whole-windows: a window over a whole dimension is a reduction of that dimension.

    %1 = stablehlo.reduce_window %0, %init, add, window_dimensions = [1, 8] : tensor<4x8xf32> -> tensor<4x1xf32>
==> %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [1] : ... -> tensor<4xf32>
    %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<4x1xf32>

As in global pooling. Where the dimension is sharded, each device reduces its part and the results are combined; windows
would need the elements of the others. Other dimensions of such an op may have windows, too: they slide over what is
left. Cost model: none, a reduction reads no more elements than windows do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.init_values import fillers
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import Window, windows_of
from sdy.dialect.shardings.value_shardings import get_sharding, op_shardings, set_op_shardings
from sdy.dialect.values.sharding import CLOSED, Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_shape
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.making.attribute_writers import dense_integers, i64_array

_REPEATED = (*CONSTANTS, "stablehlo.broadcast_in_dim")


@pass_("sdy-whole-windows", on="func.func")
def whole_windows(func: ir.Operation) -> None:
    for op in ops_named(func, "stablehlo.reduce_window"):
        if not _is_plain(op):
            continue
        windows = windows_of(op)
        whole = [window.index for window in windows if _is_whole(window, op.operands[0].type.shape[window.index])]
        if whole:
            _rewrite(op, whole, is_all=all(window.is_trivial or window.index in whole for window in windows))


def _is_plain(op: ir.Operation) -> bool:
    """Whether all types are static, results are of the element types of operands, and nobody has a say in sharding."""
    values = [*op.operands, *op.results]
    if SHARDING_RULE in op.attributes or not all(value.type.has_static_shape for value in values):
        return False
    return all(
        value.type.element_type == result.type.element_type
        for value, result in zip(op.operands, op.results, strict=False)
    )


def _is_whole(window: Window, size: int) -> bool:
    covers = window.size == size > 1 and window.low == 0
    return covers and (window.made, window.source_dilation, window.window_dilation) == (1, 1, 1)


def _rewrite(op: ir.Operation, whole: Sequence[int], *, is_all: bool) -> None:
    """Reduces the dimensions `whole` first; unless that is all, the windows of the others follow."""
    builder, windows = Builder.before(op), views.ReduceWindow(op)
    operands, inits = windows.inputs, windows.init_values
    first = inits if is_all else fillers(builder, op.regions[0], inits)
    if first is None:
        return
    kept = [size for dim, size in enumerate(operands[0].type.shape) if dim not in whole]
    reduced = builder.create(
        "stablehlo.reduce",
        [*operands, *first],
        [with_shape(value.type, kept) for value in operands],
        {"dimensions": i64_array(whole)},
        regions=1,
    )
    body = op.clone(ip=False).operation
    body.regions[0].blocks[0].append_to(reduced.regions[0])
    shape = [1 if dim in whole else size for dim, size in enumerate(operands[0].type.shape)]
    made = [builder.reshape(value, shape) for value in reduced.results]
    _shard(reduced, made, [get_sharding(value) for value in operands], whole)
    if is_all:
        _take_place(op, made, whole)
    else:
        _slide_over(op, made, inits, whole)


def _shard(
    reduced: ir.Operation,
    made: Sequence[ir.Value],
    shardings: Sequence[TensorSharding | None],
    whole: Sequence[int],
) -> None:
    """Keeps of the shardings of the operands what is said of other dimensions."""
    known = [sharding.with_unreduced((), Reduction.SUM) for sharding in shardings if sharding is not None]
    if len(known) < len(shardings):
        return
    kept = [[dim for number, dim in enumerate(sharding.dims) if number not in whole] for sharding in known]
    set_op_shardings(reduced, [sharding.with_dims(dims) for sharding, dims in zip(known, kept, strict=True)])
    for value, sharding in zip(made, known, strict=True):
        _set_sharding(value.owner.operation, sharding, whole)


def _take_place(op: ir.Operation, made: Sequence[ir.Value], whole: Sequence[int]) -> None:
    for old, new in zip(op.results, made, strict=True):
        old.replace_all_uses_with(new)
        _leave_whole(new, whole)
    op.erase()


def _leave_whole(value: ir.Value, dims: Sequence[int]) -> None:
    """Has what is computed of `value`, element by element, be on all devices along dimensions of which one is left.

    Propagation has sharded them, which would put the only element on one device.
    """
    pending = [value]
    while pending:
        for use in list(pending.pop().uses):
            user = use.owner.operation
            if len(user.results) != 1 or not is_elementwise(user) or not _leave(user, dims):
                continue
            pending.append(user.results[0])
            for operand in user.operands:
                made_by = defining_op(operand)
                if made_by is not None and made_by.name in _REPEATED:
                    _leave(made_by, dims)


def _leave(op: ir.Operation, dims: Sequence[int]) -> bool:
    """Leaves dimensions of the only result of `op` whole; returns whether they were not."""
    shardings = op_shardings(op)
    if not shardings or not any(shardings[0].dims[dim].axes for dim in dims):
        return False
    _set_sharding(op, shardings[0], dims)
    return True


def _set_sharding(op: ir.Operation, sharding: TensorSharding, whole: Sequence[int]) -> None:
    dims = [CLOSED if number in whole else dim for number, dim in enumerate(sharding.dims)]
    set_op_shardings(op, [sharding.with_dims(dims)])


def _slide_over(op: ir.Operation, made: Sequence[ir.Value], inits: Sequence[ir.Value], whole: Sequence[int]) -> None:
    """Has `op` slide over `made`, of which the dimensions `whole` have size 1."""
    windows = views.ReduceWindow(op)
    for place, value in enumerate([*made, *inits]):
        op.operands[place] = value
    for name, numbers in (("window_dimensions", windows.window_dimensions), ("window_strides", windows.window_strides)):
        if name in op.attributes:
            op.attributes[name] = i64_array([1 if dim in whole else number for dim, number in enumerate(numbers)])
    if "padding" in op.attributes:
        padding = [(0, 0) if dim in whole else ends for dim, ends in enumerate(windows.padding)]
        op.attributes["padding"] = dense_integers(np.array(padding, dtype=np.int64))
    if len(made) == 1 and _leave(op, whole):
        _leave_whole(op.results[0], whole)
