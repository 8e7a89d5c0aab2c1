"""select_and_scatter: the gradient of a reduction over windows."""

from __future__ import annotations

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.shared_rules.body_rules import check_reduction_body, returned_elements, returns_predicate
from sdy.stablehlo.shared_rules.window_rules import WindowDimension, WindowLabels, check_padding, read_windows
from sdy.stablehlo.types.elements import Element
from sdy.stablehlo.types.sizes import compatible_shapes
from sdy.stablehlo.types.value_types import Tensor

declare(
    "select_and_scatter",
    "operand:Any source:Any init_value:Any",
    "Any",
    "window_dimensions?:i64s window_strides?:i64s padding?:dense",
    regions=2,
)

_WINDOW = WindowLabels(padding="c8", size="c5", stride_length="c6", stride="c7")


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
    windows = _windows(op, operand)
    for label, other in (("c1", source), ("c3", init)):
        if operand.element != other.element:
            raise op.error(label, f"element types of {operand} and {other} differ")
    dims = [window.positions(size) for window, size in zip(windows, operand.dims, strict=True)]
    if not compatible_shapes(dims, source.dims):
        raise op.error("c2", f"{source} must have one element per window of {operand}")


def _windows(op: OpFacts, operand: Tensor) -> list[WindowDimension]:
    sizes, padding = op.optional_ints("window_dimensions") or (), op.optional_dense("padding")
    if len(sizes) != operand.rank:
        raise op.error("c4", f"window_dimensions {list(sizes)} do not fit {operand}")
    check_padding(op, padding, operand.rank, "c8")
    return read_windows(op, _WINDOW, sizes, padding)


def _check_select(op: OpFacts, element: Element) -> None:
    body = op.body(0)
    if body.is_empty or len(body.arguments) != 2:
        raise op.error("c9", "its select region must take two scalars")
    for argument in body.arguments:
        if not isinstance(argument, Tensor) or argument.dims or argument.element != element:
            raise op.error("c9", f"its select region takes {argument} instead of scalars of {element}")
    if not returns_predicate(body):
        raise op.error("c9", "its select region must return one boolean scalar")
