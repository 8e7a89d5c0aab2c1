"""stablehlo-target-independent-optimization: Simplify StableHLO by identities, and compute with constants.

    %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
==> %arg0 stands for %1

A part of what the pass of that name does in StableHLO: neutral and absorbing operands, constants on the right of what
commutes, ops that change nothing, and arithmetic of constants.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sdy.dialect.op_properties import is_static_shaped
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.greedy import Rewriter, apply_greedily, gather_constants
from sdy.mlir.rewriting import before, defining_op
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.stablehlo.constants import splat_number

_CONSTANT = "stablehlo.constant"

Pattern = Callable[[ir.Operation, Rewriter], bool]


@dataclass(frozen=True)
class Options:
    """Options under upstream's names."""

    fold_op_element_limit: int = option(65536, "largest number of elements of folded constants that are not splats")


@pass_("stablehlo-target-independent-optimization", options=Options)
def target_independent_optimization(module: ir.Operation, options: Options) -> None:
    """Spec: mpmd, 6."""
    fold = _Folder(options.fold_op_element_limit)
    patterns: dict[str, list[Pattern]] = {}
    for name, pattern in _PATTERNS:
        patterns.setdefault(f"stablehlo.{name}", []).append(pattern)
    for name in (*_BINARY, *_UNARY):
        patterns.setdefault(f"stablehlo.{name}", []).append(fold.arithmetic)
    for name in ("broadcast_in_dim", "reshape", "transpose", "convert"):
        patterns.setdefault(f"stablehlo.{name}", []).append(fold.movement)
    apply_greedily(module, patterns)
    gather_constants(module)


# Identities --------------------------------------------------------------------------------------


def _is_constant(value: ir.Value) -> bool:
    op = defining_op(value)
    return op is not None and op.name == _CONSTANT


def _is_integer(value: ir.Value) -> bool:
    return isinstance(value.type, ir.ShapedType) and isinstance(value.type.element_type, ir.IntegerType)


def _constant_to_the_right(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Put the constant operand of an op that commutes last."""
    left, right = op.operands
    if not _is_constant(left) or _is_constant(right):
        return False
    op.operands[0], op.operands[1] = right, left
    rewriter.changed(op)
    return True


def _neutral(number: int, *, integers_only: bool = False) -> Pattern:
    """Replace an op whose second operand is neutral by the first."""

    def run(op: ir.Operation, rewriter: Rewriter) -> bool:
        left, right = op.operands
        if splat_number(right) != number or left.type != op.results[0].type:
            return False
        if integers_only and not _is_integer(left):
            return False
        rewriter.replace(op, [left])
        return True

    return run


def _absorbing(op: ir.Operation, rewriter: Rewriter) -> bool:
    """A product of integers with 0 is 0."""
    right = op.operands[1]
    if not _is_integer(right) or splat_number(right) != 0:
        return False
    rewriter.replace(op, [right])
    return True


def _difference_of_equal(op: ir.Operation, rewriter: Rewriter) -> bool:
    """The difference of an integer tensor and itself is 0."""
    left, right = op.operands
    if left != right or not _is_integer(left) or not is_static_shaped(left.type):
        return False
    zero = ir.DenseElementsAttr.get_splat(left.type, ir.IntegerAttr.get(left.type.element_type, 0))
    rewriter.replace(op, [_constant(op, zero, rewriter)])
    return True


def _nothing_changes(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace an op of one operand that gives it back by that."""
    if op.operands[0].type != op.results[0].type:
        return False
    if op.name == "stablehlo.broadcast_in_dim" and not _is_in_order(op, "broadcast_dimensions"):
        return False
    if op.name == "stablehlo.transpose" and not _is_in_order(op, "permutation"):
        return False
    rewriter.replace(op, [op.operands[0]])
    return True


def _is_in_order(op: ir.Operation, name: str) -> bool:
    dims = list(op.attributes[name])
    return dims == list(range(len(dims)))


def _reshape_of_reshape(op: ir.Operation, rewriter: Rewriter) -> bool:
    inner = defining_op(op.operands[0])
    if inner is None or inner.name != op.name:
        return False
    op.operands[0] = inner.operands[0]
    rewriter.changed(op)
    return True


def _broadcast_as_reshape(op: ir.Operation, rewriter: Rewriter) -> bool:
    """A broadcast that only adds dimensions of size 1 is a reshape."""
    source, target = op.operands[0].type, op.results[0].type
    if not (is_static_shaped(source) and is_static_shaped(target)) or not _is_increasing(op):
        return False
    if np.prod(source.shape, dtype=object) != np.prod(target.shape, dtype=object):
        return False
    new = ir.Operation.create(
        "stablehlo.reshape", results=[target], operands=[op.operands[0]], loc=op.location, ip=before(op)
    )
    rewriter.created(new)
    rewriter.replace(op, list(new.results))
    return True


def _is_increasing(op: ir.Operation) -> bool:
    dims = list(op.attributes["broadcast_dimensions"])
    return dims == sorted(dims)


_COMMUTE = ("add", "multiply", "maximum", "minimum", "and", "or", "xor")

_PATTERNS: Sequence[tuple[str, Pattern]] = (
    *((name, _constant_to_the_right) for name in _COMMUTE),
    ("add", _neutral(0)),
    ("multiply", _neutral(1)),
    ("multiply", _absorbing),
    ("subtract", _difference_of_equal),
    ("subtract", _neutral(0)),
    ("or", _neutral(0)),
    ("xor", _neutral(0)),
    ("broadcast_in_dim", _nothing_changes),
    ("broadcast_in_dim", _broadcast_as_reshape),
    ("reshape", _nothing_changes),
    ("reshape", _reshape_of_reshape),
    ("transpose", _nothing_changes),
    ("convert", _nothing_changes),
)


# Arithmetic --------------------------------------------------------------------------------------

_BINARY = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "maximum": np.maximum,
    "minimum": np.minimum,
}

_UNARY = {"negate": operator.neg, "abs": abs, "sqrt": np.sqrt, "tanh": np.tanh}


def _constant(op: ir.Operation, value: ir.Attribute, rewriter: Rewriter) -> ir.Value:
    """Make a constant in front of `op`."""
    new = ir.Operation.create(
        _CONSTANT, results=[op.results[0].type], attributes={"value": value}, loc=op.location, ip=before(op)
    )
    rewriter.created(new)
    return new.results[0]


def _array(value: ir.Value) -> NDArray | None:
    """The elements of a constant of 32 or 64 bits, a single one for a splat; None for any other value."""
    op = defining_op(value)
    attr = None if op is None or op.name != _CONSTANT else op.attributes["value"]
    if not isinstance(attr, ir.DenseElementsAttr):
        return None
    element = attr.type.element_type
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}.get(str(element))
    if kind is None:
        return None
    elements = np.asarray(attr)
    return (elements.flat[0] if attr.is_splat and elements.size else elements).astype(kind)


def _attribute(elements: NDArray, type_: ir.Type) -> ir.Attribute:
    if elements.ndim == 0:
        element = ir.ShapedType(type_).element_type
        kind = ir.IntegerAttr if isinstance(element, ir.IntegerType) else ir.FloatAttr
        return ir.DenseElementsAttr.get_splat(type_, kind.get(element, elements.item()))
    return ir.DenseElementsAttr.get(np.ascontiguousarray(elements), type=ir.ShapedType(type_).element_type)


class _Folder:
    """Computes with constants."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def arithmetic(self, op: ir.Operation, rewriter: Rewriter) -> bool:
        """Replace arithmetic of constants by its result."""
        operands = [_array(operand) for operand in op.operands]
        known = [each for each in operands if each is not None]
        if len(known) < len(operands) or not is_static_shaped(op.results[0].type):
            return False
        if any(each.ndim for each in known) and not self._is_small(op):
            return False
        name = op.name.removeprefix("stablehlo.")
        with np.errstate(all="ignore"):
            result = np.asarray((_BINARY.get(name) or _UNARY[name])(*known))
        rewriter.replace(op, [_constant(op, _attribute(result, op.results[0].type), rewriter)])
        return True

    def _is_small(self, op: ir.Operation) -> bool:
        return int(np.prod(ir.ShapedType(op.results[0].type).shape)) <= self._limit

    def movement(self, op: ir.Operation, rewriter: Rewriter) -> bool:
        """Replace an op that moves or converts the elements of a constant splat by a constant."""
        source = _array(op.operands[0])
        type_ = op.results[0].type
        if source is None or source.ndim or not is_static_shaped(type_) or not _is_known_element(type_):
            return False
        kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}[str(type_.element_type)]
        rewriter.replace(op, [_constant(op, _attribute(source.astype(kind), type_), rewriter)])
        return True


def _is_known_element(type_: ir.ShapedType) -> bool:
    return str(type_.element_type) in ("f32", "f64", "i32", "i64")
