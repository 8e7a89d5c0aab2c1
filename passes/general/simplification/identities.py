"""Replacement of ops without effect and of ops with a simpler equivalent.

Neutral and absorbing operands, constants on the right of what commutes, ops that move no element, and compositions of
two ops that are one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sdy.dialect.op_properties import is_static_shaped
from sdy.mlir import ir
from sdy.mlir.greedy import Pattern, Rewriter
from sdy.mlir.rewriting import before, defining_op, has_one_use
from sdy.passes.general.simplification.folding import (
    constant_attribute,
    direction_of,
    elements_of,
    is_integer,
    is_signed,
    number,
)


def new_op(
    op: ir.Operation,
    name: str,
    operands: Sequence[ir.Value],
    rewriter: Rewriter,
    *,
    type_: ir.Type | None = None,
    **attributes: ir.Attribute,
) -> ir.Value:
    """Return the result of a new StableHLO op in front of `op`, of its type unless given."""
    new = ir.Operation.create(
        f"stablehlo.{name}",
        results=[op.results[0].type if type_ is None else type_],
        operands=list(operands),
        attributes=attributes,
        loc=op.location,
        ip=before(op),
    )
    rewriter.created(new)
    return new.results[0]


def become(
    op: ir.Operation, name: str, operands: Sequence[ir.Value], rewriter: Rewriter, **attributes: ir.Attribute
) -> bool:
    """Replace an op by a new StableHLO op of its type; return True."""
    return rewriter.replace(op, [new_op(op, name, operands, rewriter, type_=None, **attributes)])


def maker(value: ir.Value, name: str) -> ir.Operation | None:
    """Return the StableHLO op of that name that makes a value; None for any other."""
    op = defining_op(value)
    return op if op is not None and op.name == f"stablehlo.{name}" else None


def indices(op: ir.Operation, name: str) -> list[int]:
    """Return the numbers of an array attribute."""
    return list(op.attributes[name])


def index_array(numbers: Sequence[int], context: ir.Context) -> ir.Attribute:
    """Return an array attribute of numbers."""
    return ir.DenseI64ArrayAttr.get(list(numbers), context)


def _shape(value: ir.Value) -> list[int]:
    return list(ir.ShapedType(value.type).shape)


def _is_splat_of(value: ir.Value, wanted: float) -> bool:
    elements = elements_of(value)
    return elements is not None and elements.ndim == 0 and elements.item() == wanted


# Arithmetic --------------------------------------------------------------------------------------


def _constant_to_the_right(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Move the constant operand of a commutative op to the right."""
    left, right = op.operands
    if constant_attribute(left) is None or constant_attribute(right) is not None:
        return False
    op.operands[0], op.operands[1] = right, left
    rewriter.changed(op)
    return True


def _neutral(wanted: int) -> Pattern:
    """Replace an op whose second operand is neutral by the first."""

    def run(op: ir.Operation, rewriter: Rewriter) -> bool:
        left, right = op.operands
        if left.type != op.results[0].type or not _is_splat_of(right, wanted):
            return False
        return rewriter.replace(op, [left])

    return run


def _all_ones(value: ir.Value) -> bool:
    """Return whether all bits of all integers of a constant are set."""
    if not is_integer(value.type):
        return False
    element = ir.IntegerType(ir.ShapedType(value.type).element_type)
    return _is_splat_of(value, -1 if is_signed(element) else 2**element.width - 1)


def _neutral_ones(op: ir.Operation, rewriter: Rewriter) -> bool:
    if not _all_ones(op.operands[1]):
        return False
    return rewriter.replace(op, [op.operands[0]])


def _absorbing_ones(op: ir.Operation, rewriter: Rewriter) -> bool:
    if not _all_ones(op.operands[1]):
        return False
    return rewriter.replace(op, [op.operands[1]])


def _absorbing_zero(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace an integer product, or a bitwise and, with 0 by 0."""
    right = op.operands[1]
    if not is_integer(right.type) or not _is_splat_of(right, 0):
        return False
    return rewriter.replace(op, [right])


def _difference_of_equal(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace the difference, or the exclusive or, of equal integers by 0."""
    left, right = op.operands
    if left != right or not is_integer(left.type) or not is_static_shaped(op.results[0].type):
        return False
    return number(op, 0, rewriter)


_TURNED = {"EQ": "EQ", "NE": "NE", "LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}


def _canonical_comparison(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Fold comparisons of equal integers, and move constants to the right."""
    kind = str(op.attributes["compare_type"]) if "compare_type" in op.attributes else ""
    if "SIGNED" not in kind:
        return False
    direction = direction_of(op)
    left, right = op.operands
    if left == right and is_static_shaped(op.results[0].type):
        return number(op, int(direction in ("EQ", "GE", "LE")), rewriter)
    if constant_attribute(left) is None or constant_attribute(right) is not None:
        return False
    op.operands[0], op.operands[1] = right, left
    text = f"#stablehlo<comparison_direction {_TURNED[direction]}>"
    op.attributes["comparison_direction"] = ir.Attribute.parse(text, op.context)
    rewriter.changed(op)
    return True


def _comparison_of_truth(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace a comparison of a boolean with true, or with not false, by the boolean."""
    left, right = op.operands
    neutral = {"EQ": 1, "NE": 0}.get(direction_of(op))
    if left.type != op.results[0].type or neutral is None or not _is_splat_of(right, neutral):
        return False
    return rewriter.replace(op, [left])


def _known_selection(op: ir.Operation, rewriter: Rewriter) -> bool:
    predicate, yes, no = op.operands
    elements = elements_of(predicate)
    if yes == no:
        return rewriter.replace(op, [yes])
    if elements is None or elements.ndim > 0:
        return False
    return rewriter.replace(op, [yes if elements.item() else no])


def _selection_by_inverse(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Select by the negated operand of a predicate; looks through a broadcast without other users."""
    predicate, yes, no = op.operands
    broadcast = maker(predicate, "broadcast_in_dim")
    inverse = maker(predicate if broadcast is None else broadcast.operands[0], "not")
    if inverse is None or (broadcast is not None and not has_one_use(predicate)):
        return False
    chosen = inverse.operands[0]
    if broadcast is not None:
        dims = broadcast.attributes["broadcast_dimensions"]
        chosen = new_op(op, "broadcast_in_dim", [chosen], rewriter, type_=predicate.type, broadcast_dimensions=dims)
    return become(op, "select", [chosen, no, yes], rewriter)


def _part_of_complex(position: int) -> Pattern:
    def run(op: ir.Operation, rewriter: Rewriter) -> bool:
        source = maker(op.operands[0], "complex")
        if source is None:
            return False
        return rewriter.replace(op, [source.operands[position]])

    return run


def _parts_of_one(op: ir.Operation, rewriter: Rewriter) -> bool:
    real, imaginary = maker(op.operands[0], "real"), maker(op.operands[1], "imag")
    if real is None or imaginary is None or real.operands[0] != imaginary.operands[0]:
        return False
    return rewriter.replace(op, [real.operands[0]])


# Movements ---------------------------------------------------------------------------------------


def _in_order(name: str) -> Callable[[ir.Operation], bool]:
    return lambda op: indices(op, name) == sorted(indices(op, name))


def _nothing_changes(when: Callable[[ir.Operation], bool] = lambda op: True) -> Pattern:
    """Replace an op by its first operand if that is of its type and the condition holds."""

    def run(op: ir.Operation, rewriter: Rewriter) -> bool:
        if op.operands[0].type != op.results[0].type or not when(op):
            return False
        return rewriter.replace(op, [op.operands[0]])

    return run


def _reshape_of_reshape(op: ir.Operation, rewriter: Rewriter) -> bool:
    inner = maker(op.operands[0], "reshape")
    return inner is not None and become(op, "reshape", [inner.operands[0]], rewriter)


def _broadcast_of_broadcast(op: ir.Operation, rewriter: Rewriter) -> bool:
    inner = maker(op.operands[0], "broadcast_in_dim")
    if inner is None:
        return False
    outer = indices(op, "broadcast_dimensions")
    dims = index_array([outer[dim] for dim in indices(inner, "broadcast_dimensions")], op.context)
    return become(op, "broadcast_in_dim", [inner.operands[0]], rewriter, broadcast_dimensions=dims)


def _broadcast_without_copies(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace a broadcast without copies by a reshape if dimensions stay in order, else by a transpose."""
    source, result = op.operands[0], op.results[0]
    if not (is_static_shaped(source.type) and is_static_shaped(result.type)):
        return False
    dims = indices(op, "broadcast_dimensions")
    if dims == sorted(dims):
        if math.prod(_shape(source)) != math.prod(_shape(result)):
            return False
        return become(op, "reshape", [source], rewriter)
    if len(dims) != len(_shape(result)) or [_shape(result)[dim] for dim in dims] != _shape(source):
        return False
    order = index_array([dims.index(position) for position in range(len(dims))], op.context)
    return become(op, "transpose", [source], rewriter, permutation=order)


def _transpose_of_transpose(op: ir.Operation, rewriter: Rewriter) -> bool:
    inner = maker(op.operands[0], "transpose")
    if inner is None:
        return False
    first = indices(inner, "permutation")
    order = index_array([first[dim] for dim in indices(op, "permutation")], op.context)
    return become(op, "transpose", [inner.operands[0]], rewriter, permutation=order)


def _transpose_as_reshape(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace a transpose that keeps the order of dimensions larger than 1 by a reshape."""
    source = op.operands[0]
    if not is_static_shaped(source.type) or 0 in _shape(source):
        return False
    moved = [dim for dim in indices(op, "permutation") if _shape(source)[dim] != 1]
    if moved != sorted(moved):
        return False
    return become(op, "reshape", [source], rewriter)


def _reversal_of_nothing(op: ir.Operation, rewriter: Rewriter) -> bool:
    source = op.operands[0]
    elements = elements_of(source)
    is_splat = elements is not None and elements.ndim == 0
    if not is_splat and any(_shape(source)[dim] != 1 for dim in indices(op, "dimensions")):
        return False
    return rewriter.replace(op, [source])


def _flat_iota(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Replace an iota along one element by 0; broadcast a multi-dimensional iota from its own dimension."""
    result = op.results[0]
    if not is_static_shaped(result.type):
        return False
    shape, dim = _shape(result), int(ir.IntegerAttr(op.attributes["iota_dimension"]))
    if shape[dim] == 1 and isinstance(ir.ShapedType(result.type).element_type, (ir.IntegerType, ir.FloatType)):
        return number(op, 0, rewriter)
    if len(shape) < 2:
        return False
    row = ir.RankedTensorType.get([shape[dim]], ir.ShapedType(result.type).element_type)
    start = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, op.context), 0)
    counted = new_op(op, "iota", [], rewriter, type_=row, iota_dimension=start)
    dims = index_array([dim], op.context)
    return become(op, "broadcast_in_dim", [counted], rewriter, broadcast_dimensions=dims)


def _no_padding(op: ir.Operation, rewriter: Rewriter) -> bool:
    source = op.operands[0]
    sizes = [number for name in ("low", "high", "interior") for number in indices(op, f"{_PADDING[name]}")]
    if any(sizes) or source.type != op.results[0].type:
        return False
    return rewriter.replace(op, [source])


_PADDING = {"low": "edge_padding_low", "high": "edge_padding_high", "interior": "interior_padding"}


def _size_of_dimension(op: ir.Operation, rewriter: Rewriter) -> bool:
    size = _shape(op.operands[0])[int(ir.IntegerAttr(op.attributes["dimension"]))]
    if size < 0:
        return False
    return number(op, size, rewriter)


_COMMUTE = ("add", "and", "maximum", "minimum", "multiply", "or", "xor")


def patterns() -> Sequence[tuple[str, Pattern]]:
    """Return the patterns by the name of their root op, without its dialect."""
    return (
        *((name, _constant_to_the_right) for name in _COMMUTE),
        *((name, _neutral(0)) for name in ("add", "subtract", "or", "xor")),
        *((name, _absorbing_zero) for name in ("and", "multiply")),
        *((name, _difference_of_equal) for name in ("subtract", "xor")),
        ("and", _neutral_ones),
        ("or", _absorbing_ones),
        ("multiply", _neutral(1)),
        ("compare", _canonical_comparison),
        ("compare", _comparison_of_truth),
        ("select", _known_selection),
        ("select", _selection_by_inverse),
        ("real", _part_of_complex(0)),
        ("imag", _part_of_complex(1)),
        ("complex", _parts_of_one),
        ("convert", _nothing_changes()),
        ("reshape", _nothing_changes()),
        ("reshape", _reshape_of_reshape),
        ("broadcast_in_dim", _nothing_changes(_in_order("broadcast_dimensions"))),
        ("broadcast_in_dim", _broadcast_without_copies),
        ("broadcast_in_dim", _broadcast_of_broadcast),
        ("transpose", _nothing_changes(_in_order("permutation"))),
        ("transpose", _transpose_of_transpose),
        ("transpose", _transpose_as_reshape),
        ("reverse", _reversal_of_nothing),
        ("iota", _flat_iota),
        ("pad", _no_padding),
        ("get_dimension_size", _size_of_dimension),
    )
