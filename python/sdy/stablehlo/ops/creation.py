"""Makes one op: plain values become attributes, types are inferred, and all is checked before anything is inserted."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdy.mlir import ir
from sdy.stablehlo.declarations import Declaration, check_inputs, check_outcome, declaration_of
from sdy.stablehlo.elements import read_element
from sdy.stablehlo.inference import infer_checked, registration_of
from sdy.stablehlo.inference_error import InferenceError
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.ops.attribute_writers import OMITTED, WRITERS
from sdy.stablehlo.ops.type_writers import written_type
from sdy.stablehlo.registry import Registration
from sdy.stablehlo.value_types import Tensor, Unwritable, ValueType, read_type, write_type
from sdy.stablehlo.verification import verify_facts

_HERE = str(Path(__file__).parent)
_UNFIT = (TypeError, ValueError, OverflowError, AttributeError, RuntimeError, ir.MLIRError)
"""What Python and the bindings raise for values that are of another kind."""


@dataclass(frozen=True, slots=True)
class RegionPlan:
    """A region to be made.

    Attributes:
      arguments: types of the arguments of its only block.
      body: takes the arguments and returns what the region returns: a value, several, or None.
      wrap: what the body gets for an argument of the block.
    """

    arguments: Sequence[Any]
    body: Callable[..., Any]
    wrap: Callable[[Any], Any]


def create(
    name: str,
    operands: Sequence[Any],
    attributes: Mapping[str, Any] | None = None,
    *,
    types: Sequence[Any] | None = None,
    element: Any = None,
    regions: Sequence[RegionPlan] | Callable[[], Sequence[RegionPlan]] = (),
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Makes an op and inserts it.

    Args:
      name: full name.
      operands: values of the bindings.
      attributes: plain values by the names of the attributes; None where one is left out.
      types: types of the results, where they do not follow or are to be others that fit.
      element: element type of results where inference leaves it open; that of the first operand if missing.
      regions: what its regions hold, or a function that says so once the operands are known to be values.
      loc: location; the current one if missing, and the place in the caller's Python file if there is none.
      ip: insertion point; the current one if missing.

    Returns:
      The operation.

    Raises:
      InferenceError: at the location of the op, which then has not been made.
    """
    ip = _insertion_point(name, ip)
    location = _location(loc, ip)
    with location:
        try:
            return _create(_Request(name, operands, attributes or {}, types, element, regions, ip), location)
        except InferenceError as error:
            if error.location is None:
                error.location = location
            raise


@dataclass(frozen=True, slots=True)
class _Request:
    name: str
    operands: Sequence[Any]
    attributes: Mapping[str, Any]
    types: Sequence[Any] | None
    element: Any
    regions: Sequence[RegionPlan] | Callable[[], Sequence[RegionPlan]]
    ip: Any


def _create(request: _Request, location: Any) -> Any:
    values = _values(request)
    declaration = declaration_of(request.name)
    assert declaration is not None, request.name
    attributes = _attributes(request, declaration)
    plans = _plans(request)
    if not plans:
        return _insert(request, declaration, location, values, attributes, ())
    # Holds the regions until the types of the results are known.
    holder = ir.Operation.create(request.name, regions=len(plans), loc=location, ip=False)
    try:
        regions = list(holder.regions)
        _fill(request.name, plans, regions, location)
        return _insert(request, declaration, location, values, attributes, regions)
    finally:
        # Who keeps the error must not keep ops that use values of a program that may go away before them.
        holder.erase()


def _insert(
    request: _Request,
    declaration: Declaration,
    location: Any,
    values: Sequence[Any],
    attributes: Mapping[str, Any],
    regions: Sequence[Any],
) -> Any:
    types = [read_type(value.type) for value in values]
    facts = OpFacts(
        request.name, types, attributes, regions, values=values, context=location.context, op=_surroundings(request)
    )
    results = _results(facts, declaration, request)
    op = ir.Operation.create(
        request.name,
        results=results,
        operands=values,
        attributes=attributes,
        regions=len(regions),
        loc=location,
        ip=request.ip,
    )
    for source, target in zip(regions, op.regions, strict=True):
        for block in list(source.blocks):
            block.append_to(target)
    return op


# Where ---------------------------------------------------------------------------------------------------------------


def _insertion_point(name: str, ip: Any) -> Any:
    """Ops in no block are refused: the bindings destroy them while others still use their results."""
    try:
        return ip if isinstance(ip, ir.InsertionPoint) else ir.InsertionPoint.current
    except ValueError:
        short = name.partition(".")[2]
        raise InferenceError(name, f"{short}_insertion_point", "needs an insertion point") from None


def _location(loc: Any, ip: Any) -> Any:
    location = loc if loc is not None else ir.Location.current
    if location is not None:
        return location
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return ir.Location.file(frame.f_code.co_filename, frame.f_lineno, 0, ip.block.owner.context)


def _surroundings(request: _Request) -> Any:
    """The op around the new one, in which symbols are looked up."""
    return request.ip.block.owner.operation if request.name == "stablehlo.composite" else None


# Inputs --------------------------------------------------------------------------------------------------------------


def _values(request: _Request) -> list[Any]:
    values: list[Any] = []
    operands = request.operands
    for number, operand in enumerate(operands if isinstance(operands, (list, tuple)) else [operands], 1):
        if not isinstance(operand, ir.Value):
            short = request.name.partition(".")[2]
            message = f"operand {number - 1} must be a value, not {operand!r}"
            raise InferenceError(request.name, f"{short}_i{number}", message)
        values.append(operand)
    return values


def _attributes(request: _Request, declaration: Declaration) -> dict[str, Any]:
    """Attributes of the bindings from plain values."""
    kinds = {each.name: each for each in declaration.attributes}
    written: dict[str, Any] = {}
    for name, value in request.attributes.items():
        if value is None:
            continue
        if isinstance(value, ir.Attribute):
            written[name] = value
            continue
        each = kinds[name]
        try:
            attribute = WRITERS[each.kind](value)
        except _UNFIT as problem:
            short = request.name.partition(".")[2]
            message = f"attribute '{name}' must be {each.kind}, not {value!r}: {problem}"
            raise InferenceError(request.name, f"{short}_{each.label}", message) from None
        if attribute is not OMITTED:
            written[name] = attribute
    return written


# Regions -------------------------------------------------------------------------------------------------------------


def _plans(request: _Request) -> Sequence[RegionPlan]:
    if not callable(request.regions):
        return request.regions
    try:
        return request.regions()
    except _UNFIT as problem:
        short = request.name.partition(".")[2]
        raise InferenceError(request.name, f"{short}_body", f"its body cannot take such arguments: {problem}") from None


def _fill(name: str, plans: Sequence[RegionPlan], regions: Sequence[Any], location: Any) -> None:
    """Makes the blocks of empty regions."""
    for plan, region in zip(plans, regions, strict=True):
        _check_body(name, plan)
        block = region.blocks.append(*plan.arguments, arg_locs=[location] * len(plan.arguments))
        with ir.InsertionPoint(block):
            returned = plan.body(*map(plan.wrap, block.arguments))
            ir.Operation.create("stablehlo.return", operands=_returned(name, returned), loc=location)


def _check_body(name: str, plan: RegionPlan) -> None:
    short = name.partition(".")[2]
    if not callable(plan.body):
        raise InferenceError(name, f"{short}_body", f"a body must be a function, not {plan.body!r}")
    try:
        inspect.signature(plan.body).bind(*plan.arguments)
    except TypeError:
        message = f"a body must take {len(plan.arguments)} arguments, which {plan.body!r} does not"
        raise InferenceError(name, f"{short}_body", message) from None
    except ValueError:
        # A function that is not written in Python does not say what it takes.
        return


def _returned(name: str, returned: Any) -> list[Any]:
    if returned is None:
        return []
    values = [returned] if isinstance(returned, ir.Value) else returned
    if not isinstance(values, (list, tuple)) or not all(isinstance(value, ir.Value) for value in values):
        short = name.partition(".")[2]
        raise InferenceError(name, f"{short}_body", f"a body must return values, not {returned!r}")
    return list(values)


# Results -------------------------------------------------------------------------------------------------------------


def _results(facts: OpFacts, declaration: Declaration, request: _Request) -> list[Any]:
    """The types of the results, for which the op is then valid."""
    known = registration_of(facts)
    check_inputs(facts, declaration)
    if request.types is not None:
        if not isinstance(request.types, (list, tuple)):
            raise facts.error("results", f"types must be a list of types, not {request.types!r}")
        written = [written_type(facts, type_) for type_ in request.types]
        facts.results = [read_type(type_) for type_ in written]
        check_outcome(facts, declaration)
        verify_facts(facts, known, are_inferred=False)
        if known.infer is not None and known.verify is None:
            # Shape functions that leave something open hold the checks of the operands all the same.
            infer_checked(facts, known)
        return written
    facts.results = _inferred(facts, known, request)
    check_outcome(facts, declaration)
    verify_facts(facts, known, are_inferred=True)
    return [_written(facts, known, type_) for type_ in facts.results]


def _inferred(facts: OpFacts, known: Registration, request: _Request) -> list[ValueType]:
    inferred = infer_checked(facts, known)
    if request.element is None and not known.is_partial:
        return inferred
    first = facts.operands[0]
    element = first.element if isinstance(first, Tensor) else None
    if request.element is not None:
        element = read_element(written_type(facts, request.element))
    return [
        type_.with_element(element) if isinstance(type_, Tensor) and type_.element is None else type_
        for type_ in inferred
    ]


def _written(facts: OpFacts, known: Registration, type_: ValueType) -> Any:
    try:
        return write_type(type_, facts.context)
    except Unwritable as problem:
        raise facts.error(known.result_constraint, str(problem)) from None
