"""The shape function and the verifiers of each op, by its full name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import NamedTuple, TypedDict, TypeVar, Unpack

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.users_code import declared
from sdy.stablehlo.declarations import declared_so_far
from sdy.stablehlo.families import load_all, load_family_of
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.value_types import ShapedTypeComponents, ValueType, read_type, read_types


class Ground(Enum):
    """What the guideline admits.

    Attributes:
      NOT_INFERABLE: the types of the results do not follow from operands and attributes, as those of `reshape` and
        `broadcast_in_dim`: a verifier holds the checks, in the presence of a shape function those that it cannot make.
      GIVEN_RESULT: the types follow, but there are constraints on the declared ones, which a shape function does not
        see, as those of `add`.
    """

    NOT_INFERABLE = "the types of the results do not follow from operands and attributes"
    GIVEN_RESULT = "there are constraints on declared results beyond what follows"


class VerifierException(NamedTuple):
    """Why an op without regions has a verifier.

    Attributes:
      ground: that of the guideline.
      constraints: those that the verifier checks.
      reason: what it is in this op that a shape function cannot know.
    """

    ground: Ground
    constraints: frozenset[str]
    reason: str


def _because(ground: Ground, constraints: str, reason: str) -> VerifierException:
    return VerifierException(ground, frozenset(constraints.split()), reason)


_OPEN, _GIVEN = Ground.NOT_INFERABLE, Ground.GIVEN_RESULT

EXCEPTIONS: Mapping[str, VerifierException] = {
    f"stablehlo.{name}": exception
    for name, exception in {
        # Named by the guideline.
        "reshape": _because(_OPEN, "c1 c2 c3", "the declared shape says what the op does"),
        "broadcast_in_dim": _because(_OPEN, "c1 c2 c3 c4 c5 c6", "the declared shape says what the op does"),
        "add": _because(_GIVEN, "c1 c2 c3 c4 c5 c6 c7", "quantized types of operands and result may differ"),
        # Without a shape function.
        "bitcast_convert": _because(_OPEN, "c1 c2", "the declared element type says what the op does"),
        "custom_call": _because(_OPEN, "aliases buffers i4 layouts", "its target says what it gives"),
        "infeed": _because(_OPEN, "c1 c2 c3 layout", "it gives what is sent from elsewhere"),
        "iota": _because(_OPEN, "c1", "the declared type says what the op does"),
        "recv": _because(_OPEN, "c1 c2 c3 c4 c5 c6 c7 c8", "it gives what is sent from elsewhere"),
        "rng_bit_generator": _because(_OPEN, "c1 c2", "the declared type says how many numbers there are"),
        # The shape function leaves something open.
        "all_gather": _because(_OPEN, "c6", "how large groups of all processes are is not known"),
        "convolution": _because(_OPEN, "c28 c30 c32 c33 c34", "the element type is free"),
        "dot_general": _because(_OPEN, "c14 c18 c19 c20", "the element type is free"),
        "dynamic_broadcast_in_dim": _because(_OPEN, "c1 c5 c6 c7", "sizes are known when the program runs"),
        "dynamic_conv": _because(_OPEN, "c28 c30 c32 c33 c34", "the element type is free"),
        "dynamic_reshape": _because(_OPEN, "c1 c2 c3", "sizes are known when the program runs"),
        "real_dynamic_slice": _because(_OPEN, "c3", "sizes are known when the program runs, and nobody compares them"),
        "uniform_quantize": _because(_OPEN, "c2", "the declared element type says what the op does"),
        # The types follow, up to what the comparison of types does not see.
        "transpose": _because(_GIVEN, "c1 c4", "scales, zero points and axis of the declared type"),
    }.items()
}
"""By full name."""


ShapeFunction = Callable[[OpFacts], Sequence[ValueType | ir.Type | ShapedTypeComponents]]
"""Types of the results, as values (`Tensor`, `Plain`), types of the bindings or `ShapedTypeComponents`."""

Verifier = Callable[[OpFacts], None]
"""Raises an `InferenceError` if the op is not valid."""

Compatibility = Callable[[Sequence[ValueType], Sequence[ValueType]], bool]
"""Whether inferred types fit declared ones, both as values."""


OwnShapeFunction = TypeVar("OwnShapeFunction", bound=ShapeFunction)


@dataclass(frozen=True, slots=True)
class Registration:
    """What is known of an op.

    Attributes:
      infer: types of the results; raises on operands that the op does not admit, whether or not it was verified.
      verify: checks that inference does not make because they need the declared results or the regions.
      verify_region: replaces the comparison of inferred and declared types.
      is_compatible: replaces H2 in that comparison; without it nothing is compared with partial types.
      result_constraint: constraint that says what the results are.
      element_constraint: the one that says what their element types are, where it is another.
      is_partial: inference leaves the element type open.
      is_own: the functions are those of this package, which depend on what declarations name and on nothing else.
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
    """What is known of the op with that full name."""
    load_family_of(name)
    return _registrations.get(name)


def read_types_for(name: str, types: Sequence[ir.Type]) -> list[ValueType]:
    """The values of types of the bindings; functions from elsewhere may ask for the types that they were read from."""
    known = find(name)
    return read_types(types) if known is not None and known.is_own else list(map(read_type, types))


def registered_ops() -> tuple[str, ...]:
    """Full names of all ops that can be asked about, sorted."""
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
    """Tells how the types of an op's results follow, and when it is valid; replaces what was known of it.

    All functions take an `OpFacts` and raise an `InferenceError`, made by its method `error`.

    Args:
      name: full name, with the dialect.
      infer: the types of the results, each as `Tensor`, as `ir.Type` or as `ShapedTypeComponents`. It must check the
        operands and attributes that it uses: builders call it before anything was verified, and with empty regions.
      infer_components: the same, perhaps with open element types, to which any declared one fits. It stands for
        `infer`, which then refuses to name types that are open.
      verify: checks that need the declared results or the regions.
      verify_region: what is checked after the regions; else the inferred types are compared with the declared ones.
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
    """The fields of a `Registration` that decorators say."""

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
      result: the constraint that says what the result is, as in `c5`.
      elements: the one that says what its element type is, where it is another.
      partial: the element types of the results stay open.
      compared: how declared results are compared with those of which something is open, if they are.
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
    """Declares the decorated function to be the verifier of these ops.

    Raises:
      ValueError: an op without regions has all its checks in its shape function, unless it is a known exception (P3).
    """
    for name in map(full_name, names.split()):
        declaration = declared_so_far(name)
        if (declaration is None or declaration.regions == (0, 0)) and name not in EXCEPTIONS:
            raise ValueError(
                f"'{name}' has no regions: its shape function holds its checks, or EXCEPTIONS says why not"
            )

    def register(function: Verifier) -> Verifier:
        _update(names, verify=function)
        return function

    return register


def compares(names: str) -> Callable[[Compatibility], Compatibility]:
    """Declares the decorated function to compare inferred and declared types of these ops."""

    def register(function: Compatibility) -> Compatibility:
        _update(names, is_compatible=function)
        return function

    return register


def without_functions(names: str) -> None:
    """Makes ops known that have neither a shape function nor a verifier."""
    _update(names)
