"""Constants of any element type, including attributes that the bindings do not support (complex numbers)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sdy.lazy_dataclass import lazy_pattern
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.stablehlo import views
from sdy.stablehlo.constants import CONSTANTS, constant_number, repeated_attribute
from sdy.stablehlo.idioms.loops import WHILE, before_loops, combining_ops, loop_body, unchanged_variables
from sdy.stablehlo.ops import Builder

_MOST_ELEMENTS = 1 << 12
_MOST_VALUES = 64

_COMPARE = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}

_ELEMENTWISE: dict[str, Callable[..., np.ndarray]] = {
    "stablehlo.add": np.add,
    "stablehlo.subtract": np.subtract,
    "stablehlo.multiply": np.multiply,
    "stablehlo.minimum": np.minimum,
    "stablehlo.maximum": np.maximum,
    "stablehlo.and": np.bitwise_and,
    "stablehlo.or": np.bitwise_or,
    "stablehlo.convert": np.asarray,
    "stablehlo.select": np.where,
    "stablehlo.clamp": lambda least, value, most: np.minimum(np.maximum(least, value), most),
}


def known_integers(value: ir.Value) -> np.ndarray | None:
    """Evaluate a small tensor of integers or booleans that depends on constants alone; None if it does not.

    Looks through loop variables that the body leaves unchanged.

    Returns:
      An array of the tensor's shape and element type.
    """
    return _evaluate(value, {})


def _evaluate(value: ir.Value, known: dict[ir.Value, np.ndarray | None]) -> np.ndarray | None:
    """Evaluate `value`; `known` caches at most `_MOST_VALUES` values."""
    value = _before_loops(value)
    if value in known:
        return known[value]
    known[value] = None
    op, dtype = defining_op(value), _dtype(value.type)
    if op is None or dtype is None or len(known) > _MOST_VALUES:
        return None
    if op.name in CONSTANTS:
        made = _constant(op, value.type.shape)
    else:
        operands: list[np.ndarray] = []
        for operand in op.operands:
            found = _evaluate(operand, known)
            if found is None:
                return None
            operands.append(found)
        with np.errstate(over="ignore"):
            made = _computed(op, operands, value.type.shape)
    known[value] = None if made is None else made.astype(dtype)
    return known[value]


def _before_loops(value: ir.Value) -> ir.Value:
    """Return the value before all loops around it that leave it unchanged."""
    while isinstance(value, ir.BlockArgument):
        block = value.owner
        loop = block.owner.operation
        before = unchanged_variables(loop).get(value) if loop.name == WHILE and block == loop_body(loop) else None
        if before is None:
            return value
        value = before
    before = before_loops(value)
    return value if before == value else _before_loops(before)


def _dtype(type_: ir.Type) -> np.dtype | None:
    """Return the element type in numpy; None except for small tensors of integers."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return None
    element = type_.element_type
    if not isinstance(element, ir.IntegerType) or math.prod(type_.shape) > _MOST_ELEMENTS:
        return None
    if element.width == 1:
        return np.dtype(bool)
    kind = "u" if element.is_unsigned else "i"
    return np.dtype(f"{kind}{element.width // 8}") if element.width in (8, 16, 32, 64) else None


def _constant(op: ir.Operation, shape: Sequence[int]) -> np.ndarray | None:
    attribute = op.attributes["value"]
    repeated: Any = repeated_attribute(op)
    if repeated is not None:
        return np.broadcast_to(np.array(repeated.value), shape)
    return np.array(attribute).reshape(shape) if isinstance(attribute, ir.DenseElementsAttr) else None


def _computed(op: ir.Operation, operands: Sequence[np.ndarray], shape: Sequence[int]) -> np.ndarray | None:
    """Return the result of `op`; None unless it is an op of index computations."""
    if op.name in _ELEMENTWISE:
        return _ELEMENTWISE[op.name](*operands)
    if (compare := views.Compare.match(op)) is not None:
        return _COMPARE[compare.comparison_direction](*operands)
    if (iota := views.Iota.match(op)) is not None:
        return _repeated(np.arange(shape[iota.iota_dimension]), [iota.iota_dimension], shape)
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        return _repeated(operands[0], broadcast.broadcast_dimensions, shape)
    if (concatenate := views.Concatenate.match(op)) is not None:
        return np.concatenate(operands, concatenate.dimension)
    if (cut := views.Slice.match(op)) is not None:
        return operands[0][tuple(map(slice, cut.start_indices, cut.limit_indices, cut.strides))]
    if (reduce := views.Reduce.match(op)) is not None:
        return _reduced(reduce, operands)
    return operands[0].reshape(shape) if op.name == "stablehlo.reshape" else None


def _reduced(reduce: views.Reduce, operands: Sequence[np.ndarray]) -> np.ndarray | None:
    """Return whether all, or any, of the booleans are true, as in JAX's index checks; None for other reductions."""
    names, values = combining_ops(reduce.op.regions[0]), operands[0]
    if names not in (["stablehlo.and"], ["stablehlo.or"]) or values.dtype != bool:
        return None
    axes = tuple(reduce.dimensions)
    return operands[1] & values.all(axes) if names == ["stablehlo.and"] else operands[1] | values.any(axes)


def _repeated(values: np.ndarray, dims: Sequence[int], shape: Sequence[int]) -> np.ndarray:
    """Return `values`, whose dimensions become `dims` of `shape`."""
    order = sorted(range(len(dims)), key=dims.__getitem__)
    sizes = dict(zip(dims, values.shape, strict=True))
    along = [sizes.get(dim, 1) for dim in range(len(shape))]
    return np.broadcast_to(values.transpose(order).reshape(along), shape)


_ALWAYS = {"LT": False, "GE": True}
"""Results of comparing a number >= 0 with a number <= 0, by direction."""


def counted_dim(value: ir.Value) -> int | None:
    """Return the dimension along which an integer tensor counts from 0; None if unknown.

    Iotas and constants do, also through JAX's index computations: added dimensions, conversions, selects by the sign of
    a number, and clamps without effect.
    """
    op = defining_op(value)
    if op is None or not value.type.has_static_shape or not isinstance(value.type.element_type, ir.IntegerType):
        return None
    if op.name in CONSTANTS:
        return _of_constant(op)
    if (iota := views.Iota.match(op)) is not None:
        return iota.iota_dimension if _counts_fit(value.type, iota.iota_dimension) else None
    if (convert := views.Convert.match(op)) is not None:
        dim = counted_dim(convert.operand)
        return dim if dim is not None and _counts_fit(value.type, dim) else None
    if (broadcast := views.BroadcastInDim.match(op)) is not None:
        dim = counted_dim(broadcast.operand)
        return None if dim is None else broadcast.broadcast_dimensions[dim]
    if (reshape := views.Reshape.match(op)) is not None:
        return _of_reshape(reshape)
    if (select := views.Select.match(op)) is not None:
        chosen = _chosen(select)
        return None if chosen is None else counted_dim(chosen)
    return _of_limited(op)


def _counts_fit(type_: ir.RankedTensorType, dim: int) -> bool:
    """Return whether the element type can hold all indices along a dimension of more than one element."""
    element = ir.IntegerType(type_.element_type)
    return 1 < type_.shape[dim] <= 1 << (element.width if element.is_unsigned else element.width - 1)


def _of_constant(constant: ir.Operation) -> int | None:
    attribute, shape = constant.attributes["value"], list(constant.results[0].type.shape)
    if not isinstance(attribute, ir.DenseIntElementsAttr) or attribute.is_splat:
        return None
    values = np.array(attribute).reshape(shape)
    for dim, size in enumerate(shape):
        along = [size if each == dim else 1 for each in range(len(shape))]
        if size > 1 and (values == np.arange(size).reshape(along)).all():
            return dim
    return None


def _of_reshape(reshape: views.Reshape) -> int | None:
    """Return the counted dimension of a reshape that only adds or removes dimensions of size 1."""
    dim = counted_dim(reshape.operand)
    before, after = (
        {each: size for each, size in enumerate(value.type.shape) if size != 1}
        for value in (reshape.operand, reshape.result)
    )
    is_same = list(before.values()) == list(after.values())
    return None if dim is None or not is_same else list(after)[list(before).index(dim)]


def _chosen(select: views.Select) -> ir.Value | None:
    """Return the value that `select` takes everywhere: it compares an iota with a non-positive number."""
    compare = views.Compare.defining(select.pred)
    if compare is None or counted_dim(compare.lhs) is None or compare.comparison_direction not in _ALWAYS:
        return None
    limit = constant_number(compare.rhs)
    if limit is None or limit > 0:
        return None
    return select.on_true if _ALWAYS[compare.comparison_direction] else select.on_false


def _of_limited(op: ir.Operation) -> int | None:
    """Return the counted dimension of a clamp, maximum or minimum whose limits change nothing."""
    if (clamp := views.Clamp.match(op)) is not None:
        value, limits = clamp.operand, [(clamp.min, False), (clamp.max, True)]
    elif op.name in ("stablehlo.maximum", "stablehlo.minimum"):
        value, limit = op.operands if constant_number(op.operands[0]) is None else reversed(list(op.operands))
        limits = [(limit, op.name == "stablehlo.minimum")]
    else:
        return None
    dim = counted_dim(value)
    if dim is None:
        return None
    for limit, is_upper in limits:
        number = constant_number(limit)
        if number is None or (number < value.type.shape[dim] - 1 if is_upper else number > 0):
            return None
    return dim


_SPLAT = lazy_pattern(r"dense<(\([^()]*\)|[^\[\]\"(){}<>]+)>")
_HEX = lazy_pattern(r'dense<"0x([0-9A-Fa-f]*)">')
_ELEMENT = lazy_pattern(r"\([^()]*\)|[^\[\],\s]+")


def constant_of(b: Builder, op: ir.Operation) -> ir.Value:
    """A `stablehlo.constant` with the value of a constant op."""
    if _is_complex(op):
        return b.constant(ir.Attribute.parse(f"{_value_text(op)} : {op.results[0].type}"))
    return b.constant(op.attributes["value"])


def resized_splat(b: Builder, op: ir.Operation, type_: ir.Type) -> ir.Value | None:
    """Make a `stablehlo.constant` of `type_` with the splat of the constant `op`; None if it is not a splat."""
    value = local_splat(op, type_)
    return None if value is None else b.constant(value)


def local_splat(op: ir.Operation, type_: ir.Type) -> ir.Attribute | None:
    """Return an attribute of `type_` with the splat of the constant `op`; None if it is not a splat."""
    if _is_complex(op):
        found = _SPLAT.fullmatch(_value_text(op))
        return None if found is None else ir.Attribute.parse(f"dense<{found[1]}> : {type_}", type_.context)
    number = repeated_attribute(op)
    return None if number is None else ir.DenseElementsAttr.get_splat(type_, number)


def is_splat(op: ir.Operation) -> bool:
    """Return whether the constant `op` is a splat."""
    if _is_complex(op):
        return _SPLAT.fullmatch(_value_text(op)) is not None
    return repeated_attribute(op) is not None


def resized_text(op: ir.Operation, type_: ir.RankedTensorType) -> str:
    """Return the value of the constant `op` for the larger `type_`: a splat, or extended with zeros.

    ``dense<...> : tensor<...>``
    """
    text = _value_text(op)
    old_shape, shape = list(op.results[0].type.shape), list(type_.shape)
    if _SPLAT.fullmatch(text) or 0 in old_shape:
        return f"{text} : {type_}"
    room = tuple(slice(0, size) for size in old_shape)
    hexadecimal = _HEX.fullmatch(text)
    if hexadecimal:
        data = bytes.fromhex(hexadecimal[1])
        kind = np.dtype((np.void, len(data) // int(np.prod(old_shape))))
        whole = np.zeros(shape, dtype=kind)
        whole[room] = np.frombuffer(data, dtype=kind).reshape(old_shape)
        return f'dense<"0x{whole.tobytes().hex().upper()}"> : {type_}'
    elements = np.array(_ELEMENT.findall(text[len("dense<") : -1]), dtype=object).reshape(old_shape)
    filled = np.full(shape, _zero_text(type_.element_type), dtype=object)
    filled[room] = elements
    return f"dense<{_nested(filled.tolist())}> : {type_}"


def _is_complex(op: ir.Operation) -> bool:
    return isinstance(op.results[0].type.element_type, ir.ComplexType)


def _zero_text(element_type: ir.Type) -> str:
    if isinstance(element_type, ir.ComplexType):
        return f"({_zero_text(element_type.element_type)}, {_zero_text(element_type.element_type)})"
    if isinstance(element_type, ir.FloatType):
        return "0.0"
    return "false" if isinstance(element_type, ir.IntegerType) and element_type.width == 1 else "0"


Nested = str | Sequence["Nested"]


def _nested(elements: Nested) -> str:
    return elements if isinstance(elements, str) else f"[{', '.join(map(_nested, elements))}]"


def _value_text(op: ir.Operation) -> str:
    """The value of a constant op as text without its type, ``dense<...>``."""
    text = op.get_asm(print_generic_op_form=True, assume_verified=True)
    start = text.index("dense<")
    return text[start : text.index(f" : {op.results[0].type}", start)]
