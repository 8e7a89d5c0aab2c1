"""scan: a loop over slices of tensors along a dimension, each of which meets what the earlier ones have left (CHLO).

CHLO does not number its constraints. Here c1 says that something is scanned; c2 and c3 are about the dimension, c4 and
c5 about what the body takes and returns, c6 is about the results.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.stablehlo.attribute_readers import read_segments
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.types.compatibility import compatible_lists, compatible_types
from sdy.stablehlo.types.sizes import DYNAMIC, Dimension, SizeConflict, most_specific
from sdy.stablehlo.types.value_types import Tensor

declare(
    "chlo.scan",
    "operands*:Any+",
    "results*:Any+",
    "dimension:i64>=0=i3 is_reverse?:bool=i4 is_associative?:bool=i5 scan_dim_size?:i64>=0=i6 "
    "operandSegmentSizes:segments=i7 resultSegmentSizes?:segments=i8",
    regions=1,
)


@dataclass(frozen=True, slots=True)
class _Scan:
    """Types that a scan takes and returns: of slices and initial values, of outputs of a step and carried values."""

    inputs: list[Tensor]
    inits: list[Tensor]
    outputs: list[Tensor]
    carries: list[Tensor]


def _segments(op: OpFacts, name: str, count: int) -> int:
    """How many of `count` values are in the first of two groups."""
    sizes = op.attribute(name, read_segments, "an array of 32-bit integers")
    if len(sizes) != 2 or min(sizes) < 0 or sum(sizes) != count:
        raise op.error("segments", f"{name} {list(sizes)} must divide {count} values into two groups")
    return sizes[0]


def _read(op: OpFacts) -> _Scan:
    """The parts of a scan, whose region must not be empty."""
    tensors, body = op.tensors(), op.body()
    first = _segments(op, "operandSegmentSizes", len(tensors))
    inputs, inits = tensors[:first], tensors[first:]
    if body.is_empty:
        raise op.error("body", "needs a region")
    returned = [type_ for type_ in body.results if isinstance(type_, Tensor)]
    outputs = len(returned) - len(inits)
    if len(returned) != len(body.results) or outputs < 0:
        raise op.error("c5", f"its body must return {len(inits)} values that are carried on, and outputs before them")
    if not inputs and not outputs:
        raise op.error("c1", "needs an input or an output")
    return _Scan(inputs, inits, returned[:outputs], returned[outputs:])


@infers("chlo.scan", "c6")
def infer_scan(op: OpFacts) -> list[Tensor]:
    """What the body returns: outputs of all steps along the dimension, then what the last step carries on."""
    scan, dim = _read(op), op.integer("dimension")
    size = _size(op, scan.inputs, dim)
    _check_body(op, scan, dim)
    for output in scan.outputs:
        if dim > output.rank:
            raise op.error("c6", f"dimension {dim} cannot be put among those of {output}")
    return [_inserted(output, dim, size) for output in scan.outputs] + scan.carries


def _size(op: OpFacts, inputs: list[Tensor], dim: int) -> Dimension:
    """What the inputs and the attribute say about the number of steps."""
    size = op.optional_integer("scan_dim_size", DYNAMIC), DYNAMIC
    for input_ in inputs:
        if not 0 <= dim < input_.rank:
            raise op.error("c2", f"dimension {dim} is none of {input_}")
        try:
            size = most_specific(size, input_.dimension(dim))
        except SizeConflict as conflict:
            raise op.error("c3", f"dimension {dim} of {input_}: {conflict}") from None
    return size


def _inserted(output: Tensor, dim: int, size: Dimension) -> Tensor:
    if not output.bounds and size[1] == DYNAMIC:
        return Tensor((*output.dims[:dim], size[0], *output.dims[dim:]), output.element, (), output.encoding)
    dimensions = output.dimensions()
    dimensions.insert(dim, size)
    return output.with_dimensions(dimensions)


def _slice(input_: Tensor, dim: int) -> Tensor:
    if not input_.bounds:
        return Tensor(input_.dims[:dim] + input_.dims[dim + 1 :], input_.element, (), input_.encoding)
    dimensions = input_.dimensions()
    del dimensions[dim]
    return input_.with_dimensions(dimensions)


def _check_body(op: OpFacts, scan: _Scan, dim: int) -> None:
    """The body takes a slice of each input and the carried values, and returns values that can be carried on."""
    taken = [*(_slice(input_, dim) for input_ in scan.inputs), *scan.inits]
    if not compatible_lists(taken, op.body().arguments):
        raise op.error("c4", f"its body must take {', '.join(map(str, taken))}")
    for init, carry in zip(scan.inits, scan.carries, strict=True):
        if not compatible_types(init, carry):
            raise op.error("c5", f"its body takes {init}, but carries {carry} on")


@verifies("chlo.scan")
def verify_scan(op: OpFacts) -> None:
    """The results are divided into outputs and carried values as the body says."""
    if op.has("resultSegmentSizes") and _segments(op, "resultSegmentSizes", len(op.results)) != len(_read(op).outputs):
        raise op.error("c6", f"has {len(_read(op).outputs)} outputs, unlike resultSegmentSizes")
