"""stablehlo-target-independent-optimization: Simplify StableHLO by identities, and compute with constants.

%0 = stablehlo.constant dense<0.0> : tensor<4xf32> %1 = stablehlo.add %0, %arg0 : tensor<4xf32> ==> %arg0 replaces %1

As the pass of that name of StableHLO does, which the bindings lack. They have its first half, the simplification:
neutral and absorbing operands, ops that change nothing, what loops, reductions and sorts carry in vain. The other half,
arithmetic with constants by the interpreter of StableHLO, and a few newer patterns are ours.
"""

from __future__ import annotations

from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, register_stablehlo_passes
from sdy.mlir.greedy import MAX_SWEEPS, Pattern, Rewriter, apply_greedily
from sdy.mlir.rewriting import before, defining_op, move_out, terminator
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.general.constant_folding import CONSTANT, folds, new_constant
from sdy.passes.manager import run_upstream
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import repeated_attribute, splat_integer, splat_number


@dataclass(frozen=True)
class Options:
    """Options under upstream's names."""

    fold_op_element_limit: int = option(65536, "largest number of elements of constants that are selected or converted")


@pass_("stablehlo-target-independent-optimization", options=Options)
def target_independent_optimization(module: ir.Operation, options: Options) -> None:
    """Spec: mpmd, 6."""
    register_stablehlo_passes()
    patterns: dict[str, list[Pattern]] = {}
    for name, pattern in (*_PATTERNS, *folds(options.fold_op_element_limit)):
        patterns.setdefault(f"stablehlo.{name}", []).append(pattern)
    for _ in range(MAX_SWEEPS):
        _simplify(module, options.fold_op_element_limit)
        if not apply_greedily(module, patterns, fold=True):
            break


def _simplify(module: ir.Operation, limit: int) -> None:
    """Apply the patterns of the bindings.

    Calls keep their configuration where JAX writes it, which XLA needs of some targets. Ops that lose results lose
    their shardings, too.
    """
    _rename(module, _CONFIG, _KEPT_CONFIG)
    simplification = f"stablehlo-aggressive-simplification{{fold-op-element-limit={limit}}}"
    run_upstream(f"builtin.module(func.func({simplification}))", module)
    _rename(module, _KEPT_CONFIG, _CONFIG)
    for op in ops_named(module, "stablehlo.while", "stablehlo.reduce", "stablehlo.sort"):
        shardings = op_shardings(op)
        if shardings is not None and len(shardings) != len(op.results):
            set_op_shardings(op, None)


_CONFIG, _KEPT_CONFIG = "mhlo.backend_config", "sdy.backend_config"


def _rename(module: ir.Operation, old: str, new: str) -> None:
    """Rename an attribute of all ops."""
    for op in ops_with(module, old):
        op.attributes[new] = op.attributes[old]
        del op.attributes[old]


def _known_branch(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Inline the branch of a constant index; the last one for an index out of range."""
    chosen, last = splat_integer(op.operands[0]), len(op.regions) - 1
    if chosen is None:
        return False
    block = op.regions[chosen if 0 <= chosen <= last else last].blocks[0]
    ops = [view.operation for view in block.operations][:-1]
    results = move_out(block, [], op)
    for each in ops:
        rewriter.cloned(each)
    return rewriter.replace(op, results)


def _loop_that_never_runs(op: ir.Operation, rewriter: Rewriter) -> bool:
    if splat_integer(terminator(op.regions[0].blocks[0]).operands[0]) != 0:
        return False
    return rewriter.replace(op, list(op.operands))


def _reduction_of_one_truth(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace the `all` or `any` of one repeated boolean by it, if the initial value allows."""
    if len(op.operands) != 2:
        return False
    truths = [splat_number(operand) for operand in op.operands]
    ops = [view.operation.name for view in op.regions[0].blocks[0].operations]
    combine = {"stablehlo.and": all, "stablehlo.or": any}.get(ops[0]) if len(ops) == 2 else None
    if combine is None or not all(isinstance(truth, bool) for truth in truths):
        return False
    type_ = op.results[0].type
    value = ir.DenseElementsAttr.get_splat(type_, ir.BoolAttr.get(combine(truths)))
    return rewriter.replace(op, [new_constant(op, value, type_, rewriter)])


def _equal_neighbours(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Join adjacent constants of a concatenation that repeat one number."""
    dim = int(ir.IntegerAttr(op.attributes["dimension"]))
    merged: list[ir.Value] = []
    for operand in op.operands:
        number, before_it = _repeated(operand), _repeated(merged[-1]) if merged else None
        if number is None or before_it is None or number != before_it:
            merged.append(operand)
            continue
        type_ = ir.ShapedType(operand.type)
        shape = list(type_.shape)
        shape[dim] += ir.ShapedType(merged[-1].type).shape[dim]
        joined = ir.RankedTensorType.get(shape, type_.element_type)
        merged[-1] = new_constant(op, ir.DenseElementsAttr.get_splat(joined, number), joined, rewriter)
    if len(merged) == len(op.operands):
        return False
    attributes = {"dimension": op.attributes["dimension"]}
    new = ir.Operation.create(op.name, [op.results[0].type], merged, attributes, loc=op.location, ip=before(op))
    return rewriter.replace(op, list(rewriter.created(new).results))


def _repeated(value: ir.Value) -> ir.Attribute | None:
    op = defining_op(value)
    return None if op is None or op.name != CONSTANT else repeated_attribute(op)


_PATTERNS = (
    ("case", _known_branch),
    ("while", _loop_that_never_runs),
    ("reduce", _reduction_of_one_truth),
    ("concatenate", _equal_neighbours),
)
"""By the name of the op, without its dialect."""
