"""Rules of bodies that combine elements, and of windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdy.lazy_dataclass import dataclass
from sdy.stablehlo.attribute_readers import DenseInts, of_length
from sdy.stablehlo.op_facts import Body, OpFacts
from sdy.stablehlo.types.elements import Element, is_promotable
from sdy.stablehlo.types.sizes import DYNAMIC, compatible_shapes, compatible_sizes, is_unknown, largest
from sdy.stablehlo.types.value_types import Tensor, ValueType


def check_reduction_body(
    op: OpFacts, label: str, body: Body, inputs: Sequence[Element], inits: Sequence[Tensor], allowed: Sequence[int] = ()
) -> None:
    """Check H9: the body combines two values of each input to one; inputs and initial values are promotable to it.

    Args:
      op: the op, for errors.
      label: the constraint.
      body: the region.
      inputs: element types of the inputs.
      inits: types of the initial values.
      allowed: sizes that the second arguments can have, in this order; none for scalars.
    """
    count = len(inputs)
    if body.is_empty or len(body.arguments) != 2 * count:
        raise op.error(label, f"its body must take {2 * count} arguments, not {len(body.arguments)}")
    if not body.results or len(body.results) != count:
        raise op.error(label, f"its body must return {count} values, not {len(body.results)}")
    for index, (input_, init) in enumerate(zip(inputs, inits, strict=True)):
        result = _tensor(op, label, body.results[index])
        first = _tensor(op, label, body.arguments[index])
        second = _tensor(op, label, body.arguments[count + index])
        _check_types(op, label, result, first, second)
        _check_promotion(op, label, result, second, input_, init)
        if not _is_subsequence(second.dims, allowed):
            raise op.error(label, f"argument {count + index} of its body has dimensions that are not reduced to")


def _tensor(op: OpFacts, label: str, type_: ValueType) -> Tensor:
    if not isinstance(type_, Tensor):
        raise op.error(label, f"its body takes or returns {type_}")
    return type_


def _check_types(op: OpFacts, label: str, result: Tensor, first: Tensor, second: Tensor) -> None:
    if not compatible_shapes(first.dims, result.dims) or first.element != result.element:
        raise op.error(label, f"its body takes {first} but returns {result}")
    if not compatible_shapes(second.dims, result.dims):
        raise op.error(label, f"its body takes {second} but returns {result}")
    if second.element != result.element:
        raise op.error(label, f"its body takes numbers of type {second.element} but returns {result.element}")


def _check_promotion(op: OpFacts, label: str, result: Tensor, second: Tensor, input_: Element, init: Tensor) -> None:
    if not compatible_shapes(result.dims, init.dims):
        raise op.error(label, f"its body returns {result}, but the initial value is {init}")
    if not is_promotable(init.known_element, result.known_element):
        raise op.error(label, f"{init.element} is not promotable to {result.element}")
    if not is_promotable(input_, second.known_element):
        raise op.error(label, f"{input_} is not promotable to {second.element}")


def _is_subsequence(dims: Sequence[int], allowed: Sequence[int]) -> bool:
    rest = iter(allowed)
    return all(any(compatible_sizes(size, other) for other in rest) for size in dims)


def returned_elements(op: OpFacts, label: str, body: Body, count: int) -> list[Element] | None:
    """Return the element types that a body returns, one for each of `count` results; None for an empty region."""
    if body.is_empty:
        return None
    if len(body.results) < count:
        raise op.error(label, f"its body returns {len(body.results)} values, but {count} are needed")
    return [_tensor(op, label, type_).known_element for type_ in body.results[:count]]


def check_scalar_body(op: OpFacts, label: str, body: Body, arguments: Sequence[Element]) -> None:
    """Check that the body takes scalars of exactly these element types and returns one boolean scalar."""
    taken = [type_ for type_ in body.arguments if isinstance(type_, Tensor) and not type_.dims]
    if len(body.arguments) != len(arguments) or [type_.element for type_ in taken] != list(arguments):
        raise op.error(label, f"its body must take scalars of {', '.join(map(str, arguments))}")
    if not returns_predicate(body):
        raise op.error(label, "its body must return one boolean scalar")


def returns_predicate(body: Body) -> bool:
    """Return whether the body returns a single `tensor<i1>`."""
    if len(body.results) != 1:
        return False
    result = body.results[0]
    return isinstance(result, Tensor) and not result.dims and result.known_element.name == "i1"


class WindowDimension(NamedTuple):
    """Dimension of a window."""

    size: int
    stride: int = 1
    base_dilation: int = 1
    window_dilation: int = 1
    low: int = 0
    high: int = 0

    def positions(self, extent: int) -> int:
        """H7: number of positions in a dimension of size `extent`; unknown if either size is."""
        size, stride, base, dilation, low, high = self
        if is_unknown(extent) or is_unknown(size):
            return DYNAMIC
        padded = low + (extent if base == 1 else _dilated(extent, base)) + high
        span = size if dilation == 1 else _dilated(size, dilation)
        return 0 if padded <= 0 else largest(padded - span + stride, 0) // stride


def _dilated(size: int, dilation: int) -> int:
    return largest((size - 1) * dilation + 1, 0)


@dataclass(frozen=True, slots=True)
class WindowLabels:
    """Constraints of an op on its window attributes: on their lengths (`..._length`) and on their values."""

    padding: str
    stride_length: str
    stride: str
    size: str = ""
    base_length: str = ""
    base: str = ""
    dilation_length: str = ""
    dilation: str = ""


def check_padding(op: OpFacts, padding: DenseInts | None, rank: int, label: str) -> None:
    """An optional padding is of shape rank x 2."""
    if padding is not None and padding.shape != (rank, 2):
        raise op.error(label, f"padding must be of shape {rank}x2, not {padding.shape}")


def read_windows(
    op: OpFacts,
    labels: WindowLabels,
    sizes: Sequence[int],
    padding: DenseInts | None,
    *,
    dilations: tuple[str, str] | None = None,
) -> list[WindowDimension]:
    """The dimensions of a window, with all its attributes checked.

    `dilations` are the names of the attributes with the dilations of base and window.
    """
    rank, strides = len(sizes), op.optional_ints("window_strides")
    base, window = map(op.optional_ints, dilations) if dilations else (None, None)
    listed = (
        (strides, labels.stride_length, "strides"),
        (base, labels.base_length, "base dilations"),
        (window, labels.dilation_length, "window dilations"),
    )
    for values, label, what in listed:
        if not of_length(values, rank):
            raise op.error(label, f"needs {rank} {what}")
    ones, paddings = [1] * rank, padding.values if padding is not None else (0, 0) * rank
    positive = sizes, strides or ones, base or ones, window or ones
    dims = list(map(WindowDimension, *positive, paddings[::2], paddings[1::2]))
    if rank and min(map(min, positive)) <= 0:
        for number, dim in enumerate(dims):
            _check_positive(op, dim, labels, number)
    return dims


def _check_positive(op: OpFacts, dim: WindowDimension, labels: WindowLabels, number: int) -> None:
    listed = (
        (dim.size, labels.size, "window size"),
        (dim.stride, labels.stride, "stride"),
        (dim.base_dilation, labels.base, "base dilation"),
        (dim.window_dilation, labels.dilation, "window dilation"),
    )
    for value, label, what in listed:
        if label and value != DYNAMIC and value <= 0:
            raise op.error(label, f"{what} {value} of dimension {number} must be positive")
