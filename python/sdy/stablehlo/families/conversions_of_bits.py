"""bitcast_convert: the same bits as numbers of another type."""

from __future__ import annotations

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import verifies
from sdy.stablehlo.types.elements import Kind
from sdy.stablehlo.types.sizes import DYNAMIC, compatible_shapes
from sdy.stablehlo.types.value_types import Tensor

declare("bitcast_convert", "operand:Any+", "Any+")


@verifies("bitcast_convert")
def verify_bitcast_convert(op: OpFacts) -> None:
    """Narrower numbers need an innermost dimension more, wider ones have one less."""
    operand, result = op.tensor(0), op.result(0)
    source, target = operand.known_element, result.known_element
    if (source.kind is Kind.COMPLEX) != (target.kind is Kind.COMPLEX):
        raise op.error("c2", f"{operand} and {result} must be both complex or both not")
    if source.bits == target.bits:
        if not compatible_shapes(operand.dims, result.dims):
            raise op.error("c1", f"shapes of {operand} and {result} differ")
    elif source.bits > target.bits:
        _check_split(op, operand, result)
    else:
        _check_split(op, result, operand)


def _check_split(op: OpFacts, wide: Tensor, narrow: Tensor) -> None:
    if narrow.rank != wide.rank + 1:
        raise op.error("c1", f"{narrow} must have one dimension more than {wide}")
    innermost = narrow.dims[-1]
    if innermost != DYNAMIC and innermost * narrow.known_element.bits != wide.known_element.bits:
        raise op.error("c1", f"the innermost dimension of {narrow} does not make up {wide.element}")
    if not compatible_shapes(wide.dims, narrow.dims[:-1]):
        raise op.error("c1", f"shapes of {wide} and {narrow} differ")
