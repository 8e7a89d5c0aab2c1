"""Types of an op's results from its operands, attributes and regions (spec: type-inference, 4.1).

    infer_return_types("stablehlo.slice", [x], {"start_indices": ..., "limit_indices": ..., "strides": ...})

The result is always a list of types or an `InferenceError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from sdy.mlir import ir
from sdy.stablehlo import registry
from sdy.stablehlo.declarations import check_inputs, declaration_of
from sdy.stablehlo.op_facts import Attributes, Body, InferenceError, OpFacts, refusal
from sdy.stablehlo.registry import (
    Registration,
)
from sdy.stablehlo.types.elements import read_element, write_element
from sdy.stablehlo.types.sizes import SizeConflict
from sdy.stablehlo.types.value_types import (
    Plain,
    ShapedTypeComponents,
    Tensor,
    Unwritable,
    ValueType,
    check_sizes,
    compatible_lists,
    has_fitting_sizes,
    read_type,
    write_encoding,
    write_type,
)

T = TypeVar("T")

Given = ir.Value | ir.Type | ValueType
"""Operand, or only its type."""

Regions = Sequence[ir.Region | Body]
"""Regions of an op, or their bodies."""


def infer_return_types(
    name: str,
    operands: Sequence[Given],
    attributes: Attributes | None = None,
    regions: Sequence[ir.Region | Body] = (),
    *,
    location: ir.Location | None = None,
) -> list[ir.Type]:
    """The types of the results of an op.

    Args:
      name: full name of the op, as in `stablehlo.add`.
      operands: values (whose constants may be looked at) or types.
      attributes: attributes of the bindings by name; others than those of the op are ignored.
      regions: regions of the bindings, or `Body` objects; missing ones are empty.
      location: where errors are to be reported.

    Returns:
      One `ir.Type` per result.

    Raises:
      InferenceError: the operands, attributes or regions are not admitted, or the types do not follow from them.
    """
    return _inferred(name, operands, attributes, regions, location, _written)


def infer_return_type_components(
    name: str,
    operands: Sequence[Given],
    attributes: Attributes | None = None,
    regions: Sequence[ir.Region | Body] = (),
    *,
    location: ir.Location | None = None,
) -> list[ShapedTypeComponents]:
    """Return shape, element type and encoding of each result; also of ops whose element types stay open.

    Arguments and errors are those of `infer_return_types`; results other than tensors are an error.
    """
    return _inferred(name, operands, attributes, regions, location, _components)


def _inferred(
    name: str,
    operands: Sequence[Given],
    attributes: Attributes | None,
    regions: Regions,
    location: ir.Location | None,
    written: Callable[[OpFacts, ValueType], T],
) -> list[T]:
    """Infer the results, converted by `written`."""
    try:
        op = _facts(name, operands, attributes, regions)
        return [written(op, type_) for type_ in infer_values(op)]
    except InferenceError as error:
        error.location = location
        raise


def is_compatible_return_types(inferred: Sequence[ir.Type], actual: Sequence[ir.Type], name: str | None = None) -> bool:
    """Return whether declared result types are compatible with inferred ones (H2); they need not be equal.

    Args:
      inferred: inferred types of the bindings.
      actual: declared types of the bindings.
      name: an op that may have its own relation, as `stablehlo.constant` has.
    """
    found = registry.find(name) if name is not None else None
    lists = [read_type(type_) for type_ in inferred], [read_type(type_) for type_ in actual]
    return ((found and found.is_compatible) or compatible_lists)(*lists)


def infer_values(op: OpFacts) -> list[ValueType]:
    """Return the types of the results as values, after a check of the op's inputs."""
    registration, declaration = registry.find(op.name) or registration_of(op), declaration_of(op.name)
    if declaration is not None:
        check_inputs(op, declaration)
    return infer_checked(op, registration)


def registration_of(op: OpFacts) -> Registration:
    """Return the registration of the op.

    Raises:
      InferenceError: nothing is registered for it.
    """
    registration = registry.find(op.name)
    if registration is None:
        raise op.error("unknown", "is not an op whose types can be inferred")
    return registration


def infer_checked(op: OpFacts, registration: Registration) -> list[ValueType]:
    """Return the types of the results as values, for valid operands and attributes."""
    if registration.infer is None:
        raise op.error("infeasible", "has results that do not follow from its operands")
    try:
        # Functions of this package give values.
        results: Sequence[Any] = registration.infer(op)
        return list(results) if registration.is_own else [_value(op, type_) for type_ in results]
    except SizeConflict as conflict:
        raise op.error(registration.result_constraint, str(conflict)) from None


def _value(op: OpFacts, type_: ValueType | ir.Type | ShapedTypeComponents) -> ValueType:
    if isinstance(type_, (Tensor, Plain)):
        return type_
    if isinstance(type_, ShapedTypeComponents):
        element = None if type_.element_type is None else read_element(type_.element_type)
        return Tensor(tuple(type_.dims), element, (), type_.attribute)
    if isinstance(type_, ir.Type):
        return read_type(type_)
    raise op.error("results", f"its shape function gives {type_!r}, which is not a type")


# Into the bindings ---------------------------------------------------------------------------------------------------


def _written(op: OpFacts, type_: ValueType) -> ir.Type:
    if type_.type is not None:
        return type_.type
    for operand, written in zip(op.operands, op.types, strict=False):
        if operand is type_ and written is not None:
            return written
    try:
        return write_type(type_, _context(op))
    except Unwritable as problem:
        raise op.error(registration_of(op).result_constraint, str(problem)) from None


def _components(op: OpFacts, type_: ValueType) -> ShapedTypeComponents:
    if not isinstance(type_, Tensor):
        raise op.error("results", f"gives {type_}, which has no components")
    element = type_.element
    if element is None:
        return _open_components(op, type_)
    if element.is_plain and not type_.bounds and type_.encoding is None and has_fitting_sizes(type_):
        return ShapedTypeComponents(type_.dims, write_element(element, op.context or _context(op)))
    written: Any = _written(op, type_)  # a tensor type
    return ShapedTypeComponents(type_.dims, written.element_type, written.encoding)


def _open_components(op: OpFacts, type_: Tensor) -> ShapedTypeComponents:
    try:
        check_sizes(type_)
        return ShapedTypeComponents(type_.dims, None, write_encoding(type_, _context(op)))
    except Unwritable as problem:
        raise op.error(registration_of(op).result_constraint, str(problem)) from None


def _context(op: OpFacts) -> ir.Context:
    context = op.context or ir.Context.current
    if context is None:
        raise op.error("context", "has no operands and there is no current context")
    return context


# From the bindings ---------------------------------------------------------------------------------------------------


def _facts(name: str, operands: Sequence[Given], attributes: Attributes | None, regions: Regions) -> OpFacts:
    """Raises an InferenceError for an object that is neither value, type, attribute nor region."""
    if not isinstance(name, str):
        raise InferenceError(str(name), "unknown", "must be the name of an op")
    values = [each if isinstance(each, ir.Value) else None for each in _listed(name, operands, "operands")]
    given = [each.type if isinstance(each, ir.Value) else each for each in operands]
    read = _read_each(name, given)
    _check_attribute_map(name, attributes)
    bodies = _listed(name, regions, "regions")
    if not all(isinstance(body, (ir.Region, Body)) for body in bodies):
        raise refusal(name, "regions", "regions must be regions")
    types = [each if isinstance(each, ir.Type) else None for each in given]
    context = next((each.context for each in types if each is not None), None)
    return OpFacts(name, read, attributes or {}, bodies, values=values, types=types, context=context)


def _read_each(name: str, types: Sequence[ir.Type | ValueType]) -> list[ValueType]:
    """Types of the bindings as values; some may be values already."""
    if _are_types(types):
        return registry.read_types_for(name, types)
    for number, each in enumerate(types):
        if not isinstance(each, (ir.Type, Tensor, Plain)):
            raise refusal(name, f"i{number + 1}", f"operand {number} is neither a value nor a type")
    return [read_type(each) if isinstance(each, ir.Type) else each for each in types]


def _are_types(types: Sequence[ir.Type | ValueType]) -> TypeGuard[Sequence[ir.Type]]:
    return all(isinstance(each, ir.Type) for each in types)


def _listed(name: str, values: Iterable[T], what: str) -> Sequence[T]:
    try:
        return list(values)
    except TypeError:
        raise InferenceError(name, what, f"{what} must be a list, not {values!r}") from None


def _check_attribute_map(name: str, attributes: Attributes | None) -> None:
    if type(attributes) is not dict and (attributes is None or isinstance(attributes, ir.OpAttributeMap)):
        return
    if type(attributes) is not dict and not isinstance(attributes, Mapping):
        raise InferenceError(name, "attributes", f"attributes must be a mapping, not {attributes!r}")
    for key, attribute in attributes.items():
        if not isinstance(attribute, ir.Attribute):
            raise refusal(name, key, f"attribute '{key}' is not an attribute of the bindings")
