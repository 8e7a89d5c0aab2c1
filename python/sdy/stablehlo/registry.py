"""The shape function and the verifiers of each op, by its full name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypedDict, TypeVar, Unpack

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.users_code import declared
from sdy.stablehlo.families import load_all, load_family_of
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.value_types import ShapedTypeComponents, ValueType, read_type, read_types

ShapeFunction = Callable[[OpFacts], Sequence[ValueType | ir.Type | ShapedTypeComponents]]
"""Types of the results, as values (`Tensor`, `Plain`), types of the bindings or `ShapedTypeComponents`."""

Verifier = Callable[[OpFacts], None]
"""Raises an `InferenceError` if the op is not valid."""

Compatibility = Callable[[Sequence[ValueType], Sequence[ValueType]], bool]
"""Predicate that compares inferred with declared types, both as values."""


OwnShapeFunction = TypeVar("OwnShapeFunction", bound=ShapeFunction)


@dataclass(frozen=True, slots=True)
class Registration:
    """Shape function, verifiers and constraints of an op.

    Attributes:
      infer: types of the results; raises on operands that the op does not admit, whether or not it was verified.
      verify: checks that inference does not make because they need the declared results or the regions.
      verify_region: replaces the comparison of inferred and declared types.
      is_compatible: replaces H2 in that comparison; without it nothing is compared with partial types.
      result_constraint: the constraint on the results.
      element_constraint: the constraint on their element types, if it is a different one.
      is_partial: inference leaves the element type open.
      is_own: the functions are those of this package, which depend only on declared inputs.
    """

    name: str
    infer: ShapeFunction | None = None
    verify: Verifier | None = None
    verify_region: Verifier | None = None
    is_compatible: Compatibility | None = None
    result_constraint: str = "results"
    element_constraint: str = ""
    is_partial: bool = False
    is_own: bool = False


_registrations: dict[str, Registration] = {}


def find(name: str) -> Registration | None:
    """Return the registration of the op with that full name; None if there is none."""
    load_family_of(name)
    return _registrations.get(name)


def read_types_for(name: str, types: Sequence[ir.Type]) -> list[ValueType]:
    """Convert types of the bindings to values; functions from elsewhere may get the original types from it."""
    known = find(name)
    return read_types(types) if known is not None and known.is_own else list(map(read_type, types))


def registered_ops() -> tuple[str, ...]:
    """Return the full names of all supported ops, sorted."""
    load_all()
    return tuple(sorted(_registrations))


def register_op(
    name: str,
    *,
    infer: ShapeFunction | None = None,
    infer_components: ShapeFunction | None = None,
    verify: Verifier | None = None,
    verify_region: Verifier | None = None,
    is_compatible: Compatibility | None = None,
) -> None:
    """Register the shape function and verifiers of an op; replaces an earlier registration.

    All functions take an `OpFacts` and raise an `InferenceError`, made by its method `error`.

    Args:
      name: full name, with the dialect.
      infer: the types of the results, each as `Tensor`, as `ir.Type` or as `ShapedTypeComponents`. It must check the
        operands and attributes that it uses: builders call it before anything was verified, and with empty regions.
      infer_components: the same, perhaps with open element types, to which any declared one fits. It stands for
        `infer`, which then refuses to name types that are open.
      verify: checks that need the declared results or the regions.
      verify_region: the check after the regions; else the inferred types are compared with the declared ones.
      is_compatible: whether inferred types (a list of values) fit declared ones; else they have to be compatible (H2).
    """
    functions = (infer or infer_components, verify, verify_region, is_compatible)
    load_family_of(name)  # lest it come later, and replace this
    _registrations[name] = Registration(name, *functions)
    declared("types of an op", [name], *functions)


# For the families of this package ------------------------------------------------------------------------------------


def full_name(name: str) -> str:
    return name if "." in name else f"stablehlo.{name}"


class _Changes(TypedDict, total=False):
    """Fields of a `Registration` that decorators set."""

    infer: ShapeFunction
    verify: Verifier
    is_compatible: Compatibility
    result_constraint: str
    element_constraint: str
    is_partial: bool


def _update(names: str, **changes: Unpack[_Changes]) -> None:
    for name in map(full_name, names.split()):
        _registrations[name] = replace(_registrations.get(name, Registration(name)), is_own=True, **changes)


def infers(
    names: str, result: str, *, elements: str = "", partial: bool = False, compared: Compatibility | None = None
) -> Callable[[OwnShapeFunction], OwnShapeFunction]:
    """Declares the decorated function to be the shape function of these ops.

    Args:
      names: names of ops, without a dialect those of StableHLO.
      result: the constraint on the result, such as `c5`.
      elements: the constraint on its element type, if it is a different one.
      partial: the element types of the results stay open.
      compared: how declared results are compared with partly open ones, if they are.
    """

    def register(function: OwnShapeFunction) -> OwnShapeFunction:
        changes: _Changes = {
            "infer": function,
            "result_constraint": result,
            "element_constraint": elements,
            "is_partial": partial,
        }
        if compared is not None:
            changes["is_compatible"] = compared
        _update(names, **changes)
        return function

    return register


def verifies(names: str) -> Callable[[Verifier], Verifier]:
    """Declares the decorated function to be the verifier of these ops."""

    def register(function: Verifier) -> Verifier:
        _update(names, verify=function)
        return function

    return register


def without_functions(names: str) -> None:
    """Register ops that have neither a shape function nor a verifier."""
    _update(names)
