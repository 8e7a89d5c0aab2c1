"""Ops that make tensors without operands, or of random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.stablehlo.attribute_readers import read_elements, read_rng_algorithm, read_rng_distribution
from sdy.stablehlo.constants import given_shape
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.traits import same_elements
from sdy.stablehlo.types.elements import Quantized, is_float
from sdy.stablehlo.types.sizes import compatible_shapes, is_static
from sdy.stablehlo.types.value_types import Plain, Tensor, ValueType, read_type

declare("constant", "", "static/Any+", "value:elements")
declare("iota", "", "static/I|F|C|QT", "iota_dimension:i64>=0")
declare(
    "rng",
    "a:0D/Pred|I|F b:0D/Pred|I|F shape:static/1D/Dim",
    "Pred|I|F",
    "rng_distribution:distribution",
    traits=[same_elements("c1", 0, 1)],
)
declare("rng_bit_generator", "initial_state:I|F", "output_state:I|F output:static/I|F", "rng_algorithm:rng_algorithm")


def is_compatible_constant(inferred: Sequence[ValueType], declared: Sequence[ValueType]) -> bool:
    """Return whether the types are equal; a quantized constant has the storage type."""
    if len(inferred) != 1 or len(declared) != 1:
        return False
    value, result = inferred[0], declared[0]
    if not isinstance(value, Tensor) or not isinstance(result, Tensor):
        return False
    if not isinstance(result.element, Quantized):
        return value == result
    return value.dims == result.dims and _is_storage(value, result.element)


def _is_storage(value: Tensor, element: Quantized) -> bool:
    return value.known_element.name == element.storage.type


@infers("constant", "c1", compared=is_compatible_constant)
def infer_constant(op: OpFacts) -> list[ValueType]:
    """The type of the value."""
    value = op.attribute("value", read_elements, "a dense tensor")
    type_ = read_type(value.type)
    if isinstance(type_, Plain):
        raise op.error("i1", f"value must be a tensor, not {value}")
    return [type_]


@verifies("iota")
def verify_iota(op: OpFacts) -> None:
    result, dim = op.result(0), op.integer("iota_dimension")
    if not 0 <= dim < result.rank:
        raise op.error("c1", f"iota_dimension {dim} is not a dimension of {result}")


@infers("rng", "c3")
def infer_rng(op: OpFacts) -> list[Tensor]:
    """Return the given shape, or as many unknown sizes as it has entries."""
    a = op.tensor(0)
    kind = op.attribute("rng_distribution", read_rng_distribution, "a distribution")
    if kind == "NORMAL" and not is_float(a.known_element):
        raise op.error("c2", f"normally distributed numbers must be floats, not {a.element}")
    return [Tensor(given_shape(op, 2, "c3"), a.element)]


@verifies("rng_bit_generator")
def verify_rng_bit_generator(op: OpFacts) -> None:
    before, after = op.tensor(0), op.result(0)
    if not compatible_shapes(before.dims, after.dims) or before.element != after.element:
        raise op.error("c1", f"types of {before} and {after} differ")
    algorithm = op.attribute("rng_algorithm", read_rng_algorithm, "an algorithm")
    sizes = _STATE_SIZES.get(algorithm)
    if sizes is not None and is_static(before.dims) and math.prod(before.dims) not in sizes:
        raise op.error("c2", f"{algorithm} has a state of {' or '.join(map(str, sizes))} numbers, not {before}")


_STATE_SIZES = {"THREE_FRY": (2,), "PHILOX": (2, 3)}
