"""Types of ops whose bodies combine or compare elements: reductions, map, sort, select_and_scatter."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.stablehlo.body_rules import (
    WindowDimension,
    WindowLabels,
    check_padding,
    check_reduction_body,
    check_scalar_body,
    read_windows,
    returned_elements,
    returns_predicate,
)
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import same_shapes, some_operands
from sdy.stablehlo.types.elements import Element
from sdy.stablehlo.types.sizes import DYNAMIC, are_dimensions, compatible_shapes, is_unique
from sdy.stablehlo.types.value_types import Tensor

declare("reduce", "inputs*:Any init_values*:Any", "results*:Any", "dimensions:i64s", regions=1)
declare(
    "reduce_window",
    "inputs*:Any init_values*:Any",
    "results*:Any",
    "window_dimensions:i64s window_strides?:i64s base_dilations?:i64s window_dilations?:i64s padding?:dense",
    regions=1,
)
declare("map", "inputs*:Any", "Any", "dimensions:i64s", regions=1, traits=[some_operands("c2"), same_shapes("c1")])


def _inputs(op: OpFacts, label: str) -> tuple[list[Tensor], list[Tensor]]:
    """Inputs and initial values, with the shapes of the inputs compared."""
    if not op.operands or len(op.operands) % 2:
        raise op.error("i1", "needs inputs and equally many initial values")
    inputs, inits = op.segments(2)
    for each in inputs[1:]:
        if not compatible_shapes(inputs[0].dims, each.dims):
            raise op.error(label, f"shapes of {inputs[0]} and {each} differ")
    return inputs, inits


def _elements(op: OpFacts, label: str, inputs: Sequence[Tensor]) -> list[Element]:
    """Return the element types that the region returns; those of the inputs while it is empty."""
    returned = returned_elements(op, label, op.body(), len(inputs))
    return returned if returned is not None else [input_.known_element for input_ in inputs]


def _check_inits(op: OpFacts, label: str, inputs: Sequence[Tensor], inits: Sequence[Tensor]) -> None:
    for input_, init in zip(inputs, inits, strict=True):
        if input_.element != init.element:
            raise op.error(label, f"element types of {input_} and its initial value {init} differ")


# reduce --------------------------------------------------------------------------------------------------------------


@infers("reduce", "c7", elements="c8")
def infer_reduce(op: OpFacts) -> list[Tensor]:
    """Shape and bounds of the first input without the reduced dimensions."""
    inputs, _ = _inputs(op, "c1")
    kept = _kept_dimensions(op, inputs[0])
    reduced = inputs[0].with_dimensions([inputs[0].dimension(dim) for dim in kept], keeps_bounds=bool(inputs[0].bounds))
    return [reduced.with_element(element) for element in _elements(op, "c8", inputs)]


def _kept_dimensions(op: OpFacts, input_: Tensor) -> list[int]:
    dims = op.ints("dimensions")
    if not are_dimensions(dims, input_.rank):
        raise op.error("c4", f"dimensions {list(dims)} are not among those of {input_}")
    if not is_unique(dims):
        raise op.error("c5", f"dimensions {list(dims)} are not all different")
    return [dim for dim in range(input_.rank) if dim not in dims]


@verifies("reduce")
def verify_reduce(op: OpFacts) -> None:
    inputs, inits = _inputs(op, "c1")
    kept = _kept_dimensions(op, inputs[0])
    sizes = [inputs[0].dims[dim] for dim in kept]
    check_reduction_body(op, "c6", op.body(), [each.known_element for each in inputs], inits, sizes)
    _check_inits(op, "c2", inputs, inits)


# reduce_window -------------------------------------------------------------------------------------------------------

_WINDOW = WindowLabels(
    padding="c12",
    size="c5",
    stride_length="c6",
    stride="c7",
    base_length="c8",
    base="c9",
    dilation_length="c10",
    dilation="c11",
)


@infers("reduce_window", "c14", elements="c16")
def infer_reduce_window(op: OpFacts) -> list[Tensor]:
    """The number of window positions in each dimension of each input, and in its bound."""
    inputs, _ = _inputs(op, "c2")
    windows = _windows(op, inputs)
    elements = _elements(op, "c16", inputs)
    return [_moved_over(input_, windows, element) for input_, element in zip(inputs, elements, strict=True)]


def _windows(op: OpFacts, inputs: Sequence[Tensor]) -> list[WindowDimension]:
    sizes, padding = op.ints("window_dimensions"), op.optional_dense("padding")
    check_padding(op, padding, len(sizes), "c12")
    # The inputs are of one rank.
    if inputs[0].rank != len(sizes):
        raise op.error("c4", f"window_dimensions {list(sizes)} do not fit {inputs[0]}")
    return read_windows(op, _WINDOW, sizes, padding, dilations=("base_dilations", "window_dilations"))


def _moved_over(input_: Tensor, windows: Sequence[WindowDimension], element: Element) -> Tensor:
    sizes = tuple([window.positions(size) for window, size in zip(windows, input_.dims, strict=True)])
    if not input_.bounds:
        return Tensor(sizes, element, (), input_.encoding)
    bounds = [
        window.positions(bound) if size == DYNAMIC else DYNAMIC
        for window, (size, bound) in zip(windows, input_.dimensions(), strict=True)
    ]
    return input_.with_dimensions(list(zip(sizes, bounds, strict=True))).with_element(element)


@verifies("reduce_window")
def verify_reduce_window(op: OpFacts) -> None:
    inputs, inits = _inputs(op, "c2")
    windows = _windows(op, inputs)
    sizes = [window.size for window in windows]
    check_reduction_body(op, "c13", op.body(), [each.known_element for each in inputs], inits, sizes)
    _check_inits(op, "c3", inputs, inits)


# map -----------------------------------------------------------------------------------------------------------------


@infers("map", "c4")
def infer_map(op: OpFacts) -> list[Tensor]:
    """The shape of the inputs, with the element type that the region returns: it must not be empty."""
    inputs, body = op.tensors(), op.body()
    if not inputs:
        raise op.error("c2", "needs an input")
    if body.is_empty:
        raise op.error("i3", "needs a region")
    _check_map_body(op, inputs)
    dims = op.ints("dimensions")
    if any(list(dims) != list(range(input_.rank)) for input_ in inputs):
        raise op.error("c3", f"dimensions {list(dims)} must be all dimensions in order")
    result = body.results[0]
    assert isinstance(result, Tensor)
    return [Tensor(inputs[-1].dims, result.element)]


def _check_map_body(op: OpFacts, inputs: Sequence[Tensor]) -> None:
    body = op.body()
    if len(body.arguments) != len(inputs):
        raise op.error("c4", f"its region must take {len(inputs)} scalars")
    for argument, input_ in zip(body.arguments, inputs, strict=True):
        if not isinstance(argument, Tensor) or argument.dims or argument.element != input_.element:
            raise op.error("c4", f"its region takes {argument} for {input_}")
    if len(body.results) != 1 or not isinstance(body.results[0], Tensor) or body.results[0].dims:
        raise op.error("c4", "its region must return one scalar")


declare(
    "sort",
    "inputs*:Any",
    "results*:Any",
    "dimension?:i64 is_stable?:bool",
    regions=1,
    traits=[some_operands("c1"), same_shapes("c3")],
)


@infers("sort", "c2")
def infer_sort(op: OpFacts) -> list[Tensor]:
    """The types of the inputs; the region is not looked at."""
    return op.tensors()


@verifies("sort")
def verify_sort(op: OpFacts) -> None:
    inputs = op.tensors()
    if not inputs:
        raise op.error("c1", "needs an input")
    dimension, rank = op.optional_integer("dimension", -1), inputs[0].rank
    if not -rank <= dimension < rank:
        raise op.error("c4", f"dimension {dimension} is not a dimension of {inputs[0]}")
    pairs = [input_.known_element for input_ in inputs for _ in range(2)]
    check_scalar_body(op, "c5", op.body(), pairs)


declare(
    "select_and_scatter",
    "operand:Any source:Any init_value:Any",
    "Any",
    "window_dimensions?:i64s window_strides?:i64s padding?:dense",
    regions=2,
)

_SELECT_WINDOW = WindowLabels(padding="c8", size="c5", stride_length="c6", stride="c7")


@infers("select_and_scatter", "c11", elements="c12")
def infer_select_and_scatter(op: OpFacts) -> list[Tensor]:
    """The operand's type, with the element type that the second region returns."""
    operand = op.tensor(0)
    elements = returned_elements(op, "c12", op.body(1), 1)
    return [operand if elements is None else operand.with_element(elements[0])]


@verifies("select_and_scatter")
def verify_select_and_scatter(op: OpFacts) -> None:
    operand, source, init = op.tensor(0), op.tensor(1), op.tensor(2)
    _check_select(op, operand.known_element)
    check_reduction_body(op, "c10", op.body(1), [source.known_element], [init])
    windows = _select_windows(op, operand)
    for label, other in (("c1", source), ("c3", init)):
        if operand.element != other.element:
            raise op.error(label, f"element types of {operand} and {other} differ")
    dims = [window.positions(size) for window, size in zip(windows, operand.dims, strict=True)]
    if not compatible_shapes(dims, source.dims):
        raise op.error("c2", f"{source} must have one element per window of {operand}")


def _select_windows(op: OpFacts, operand: Tensor) -> list[WindowDimension]:
    sizes, padding = op.optional_ints("window_dimensions") or (), op.optional_dense("padding")
    if len(sizes) != operand.rank:
        raise op.error("c4", f"window_dimensions {list(sizes)} do not fit {operand}")
    check_padding(op, padding, operand.rank, "c8")
    return read_windows(op, _SELECT_WINDOW, sizes, padding)


def _check_select(op: OpFacts, element: Element) -> None:
    body = op.body(0)
    if body.is_empty or len(body.arguments) != 2:
        raise op.error("c9", "its select region must take two scalars")
    for argument in body.arguments:
        if not isinstance(argument, Tensor) or argument.dims or argument.element != element:
            raise op.error("c9", f"its select region takes {argument} instead of scalars of {element}")
    if not returns_predicate(body):
        raise op.error("c9", "its select region must return one boolean scalar")
