"""mpmd-infer-mesh-convert-reduce-ops: Make reductions of values on several meshes ops of the dialect.

    %0 = stablehlo.add %arg0, %arg1 {mpmd.reduce = #mpmd.reduction<add>} : tensor<4xf32>
    %1 = mpmd.reduce<none> %0 : (tensor<4xf32>) -> tensor<4xf32>
==> %0 = mpmd.reduce<add> %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = mpmd.reduce<none> %0 : (tensor<4xf32>) -> tensor<4xf32>

Without `infer-cross-mesh-reductions` only inputs of a user's reduction are rewritten.
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import ReductionKind
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import has_body
from sdy.mlir.rewriting import before, defining_op, has_no_use, replace
from sdy.passes.mpmd.inference.mesh_sets import (
    CONCATENATE,
    CONVERTIBLE,
    KINDS,
    REDUCE,
    REDUCE_OP,
    SOURCE_SET,
    concatenate_of,
    get_set,
    ops_of,
    put_set,
    reduction_kind,
    value_set,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.stablehlo import ops as stablehlo_ops


@dataclass(frozen=True)
class ConvertReduceOptions:
    """Options of the pass."""

    infer_cross_mesh_reductions: bool = option(False, "also where no `mpmd.reduce` asks for it")


@pass_("mpmd-infer-mesh-convert-reduce-ops", on="func.func", options=ConvertReduceOptions)
def convert_reduce_ops(func: ir.Operation, options: ConvertReduceOptions) -> None:
    """Spec: mpmd, 9."""
    if not has_body(func):
        return
    for op in ops_of(func):
        if op.name == REDUCE_OP and attributes.get(op, "reduction").kind is ReductionKind.NONE:
            _mark_source(op.operands[0])
    for op in list(ops_of(func)):
        is_chosen = options.infer_cross_mesh_reductions or CONVERTIBLE in op.attributes
        if REDUCE in op.attributes and is_chosen and reduction_kind(op) is not None and op.name != CONCATENATE:
            _convert(op)
    for op in ops_of(func):
        if CONVERTIBLE in op.attributes:
            del op.attributes[CONVERTIBLE]


def _mark_source(value: ir.Value) -> None:
    source = defining_op(value)
    while source is not None and len(source.operands) == 1 and len(source.results) == 1:
        source = defining_op(source.operands[0])
    if source is None:
        return
    kind = KINDS.get(source.name)
    if kind is None:
        if concatenate_of(source) is not None:
            source.attributes[CONVERTIBLE] = ir.UnitAttr.get()
        return
    pending = [source]
    while pending:
        op = pending.pop()
        op.attributes[CONVERTIBLE] = ir.UnitAttr.get()
        sources = map(defining_op, op.operands)
        pending += [each for each in sources if each is not None and KINDS.get(each.name) is kind]


def _convert(op: ir.Operation) -> None:
    kind = attributes.get(op, REDUCE).kind
    concatenate = concatenate_of(op)
    where = {"loc": op.location, "ip": before(op)}
    given: list[ir.Value] = []
    spliced: list[ir.Operation] = []
    if concatenate is not None:
        type_ = op.results[0].type
        for operand in concatenate.operands:
            given.append(stablehlo_ops.reshape(operand, type_, **where))
            put_set(given[-1].owner.operation, SOURCE_SET, value_set(operand, SOURCE_SET))
    else:
        for operand in op.operands:
            source = defining_op(operand)
            if source is not None and source.name == REDUCE_OP and attributes.get(source, "reduction").kind is kind:
                given += source.operands
                spliced.append(source)
            else:
                given.append(operand)
    new = mpmd_builders.reduce(given, kind, **where)
    put_set(new.owner.operation, SOURCE_SET, get_set(op, SOURCE_SET))
    replace(op, [new])
    for source in [concatenate] if concatenate is not None else dict.fromkeys(spliced):
        if has_no_use(source.results[0]):
            source.erase()
