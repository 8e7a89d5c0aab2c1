"""Making one op: attributes are converted, types inferred, and all is checked before the op is inserted."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.mlir.tensor_types import with_element_type
from sdy.stablehlo import registry
from sdy.stablehlo.declarations import Declaration, check_inputs, check_outcome, declaration_of
from sdy.stablehlo.inference import infer_checked, registration_of
from sdy.stablehlo.op_facts import InferenceError, OpFacts, refusal
from sdy.stablehlo.ops.attribute_writers import WRITERS
from sdy.stablehlo.ops.constants import ResultType, TypeLike, written_type
from sdy.stablehlo.registry import Registration
from sdy.stablehlo.types.elements import read_element
from sdy.stablehlo.types.value_types import Tensor, Unwritable, ValueType, write_type
from sdy.stablehlo.verification import verify_facts

_OPS = str(Path(__file__).parents[1])
_UNFIT = (TypeError, ValueError, OverflowError, AttributeError, RuntimeError, ir.MLIRError)
"""Exceptions of Python and the bindings for values of the wrong kind."""


Returned = ir.Value | Sequence[ir.Value] | None
"""Values that a region returns."""


class RegionPlan(NamedTuple):
    """A region to be made.

    Attributes:
      arguments: types of the arguments of its only block.
      body: takes the arguments and returns the region's values: one, several, or None.
      wrap: converts an argument of the block for the body.
      end: location of its last op, if not that of the op.
    """

    arguments: Sequence[ir.Type]
    body: Callable[..., Returned]
    wrap: Callable[[ir.BlockArgument], ir.Value]
    end: ir.Location | None = None


Regions = Sequence[RegionPlan] | Callable[[], Sequence[RegionPlan]]
"""Plans of the regions, or a function that returns them once the operands are values."""


class Options(At, total=False):
    """The named arguments of `create`."""

    types: Sequence[ResultType] | None
    element: TypeLike | None
    regions: Regions


def create(
    name: str,
    operands: Sequence[ir.Value],
    attributes: Mapping[str, object] | None = None,
    *,
    types: Sequence[ResultType] | None = None,
    element: TypeLike | None = None,
    regions: Regions = (),
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Operation:
    """Makes an op and inserts it.

    Args:
      name: full name.
      operands: values of the bindings.
      attributes: plain values by the names of the attributes; None where one is left out.
      types: types of the results, where they do not follow or are to be others that fit.
      element: element type of results where inference leaves it open; that of the first operand if missing.
      regions: plans of its regions, or a function that makes them once the operands are known to be values.
      loc: location; the current one if missing, and the place in the caller's Python file if there is none.
      ip: insertion point; the current one if missing.

    Returns:
      The operation.

    Raises:
      InferenceError: at the location of the op, which then has not been made.
    """
    if not isinstance(ip, ir.InsertionPoint):
        ip = _insertion_point(name)
    location = loc if loc is not None else _location(ip)
    with location:
        try:
            return _create(_Request(name, operands, attributes, types, element, regions, ip, location))
        except InferenceError as error:
            if error.location is None:
                error.location = location
            raise


class _Request(NamedTuple):
    name: str
    operands: Sequence[ir.Value]
    attributes: Mapping[str, object] | None
    types: Sequence[ResultType] | None
    element: TypeLike | None
    regions: Regions
    ip: ir.InsertionPoint
    location: ir.Location


def _create(request: _Request) -> ir.Operation:
    values = _values(request)
    declaration = declaration_of(request.name)
    assert declaration is not None, request.name
    attributes = _attributes(request, declaration) if request.attributes else {}
    if request.regions:
        return _create_with_regions(request, declaration, values, attributes)
    known = registry.find(request.name)
    is_like = request.name in _LIKE_REGISTERED and known is not None and known.is_own and _are_plain(values)
    if is_like and _is_whole(declaration, values, attributes):
        op = _create_registered(request, values, attributes)
        if op is not None:
            return op
    types = _results(request, declaration, values, attributes)
    return ir.Operation.create(request.name, types, values, attributes, None, 0, request.location, request.ip)


_LIKE_REGISTERED = frozenset(
    f"stablehlo.{name}"
    for name in (
        "abs add and broadcast_in_dim cbrt ceil clamp concatenate constant convert cosine divide dynamic_slice "
        "dynamic_update_slice exponential floor iota is_finite log logistic maximum minimum multiply negate not "
        "optimization_barrier or pad partition_id power real remainder replica_id reshape reverse rsqrt select "
        "shift_left shift_right_arithmetic shift_right_logical sign sine slice sqrt subtract tanh transpose xor"
    ).split()
)
"""Ops that the registered dialect infers and verifies as we do, of tensors that are not quantized."""


def _are_plain(values: Sequence[ir.Value]) -> bool:
    """Return whether all values are tensors, and the last one, whose elements the others have, is not quantized."""
    if not all(isinstance(value.type, ir.RankedTensorType) for value in values):
        return False
    return not values or isinstance(values[-1].type.element_type, (ir.FloatType, ir.IntegerType, ir.ComplexType))


def _is_whole(declaration: Declaration, values: Sequence[ir.Value], attributes: Mapping[str, ir.Attribute]) -> bool:
    """Return whether operands and the attributes required are there: without them the registered dialect crashes."""
    if not values and declaration.operands:
        return False
    return all(each.is_optional or each.name in attributes for each in declaration.attributes)


def _create_registered(
    request: _Request, values: list[ir.Value], attributes: dict[str, ir.Attribute]
) -> ir.Operation | None:
    """Make an op as the registered dialect does; None if that refuses it, as our checks will, with their reasons."""
    types = None if request.types is None else _given(request)
    element = None if request.element is None else written_type(request.name, request.element)
    try:
        if element is not None:
            types = [with_element_type(value.type, element) for value in values[:1]]
        op = ir.Operation.create(
            request.name, types, values, attributes, None, 0, request.location, request.ip, types is None
        )
    except (ir.MLIRError, ValueError):
        return None
    try:
        op.verify()
    except ir.MLIRError:
        op.erase()
        return None
    return op


def _create_with_regions(
    request: _Request, declaration: Declaration, values: list[ir.Value], attributes: dict[str, ir.Attribute]
) -> ir.Operation:
    plans, location = _plans(request), request.location
    # Holds the regions until the types of the results are known.
    holder = ir.Operation.create(request.name, regions=len(plans), loc=location, ip=False)
    try:
        regions = list(holder.regions)
        for plan, region in zip(plans, regions, strict=True):
            _fill(request, plan, region)
        types = _results(request, declaration, values, attributes, regions)
        op = ir.Operation.create(request.name, types, values, attributes, None, len(regions), location, request.ip)
        for region, target in zip(regions, op.regions, strict=True):
            region.blocks[0].append_to(target)
        return op
    finally:
        # Who keeps the error must not keep ops that use values of a program that may go away before them.
        holder.erase()


# Where ---------------------------------------------------------------------------------------------------------------


def _insertion_point(name: str) -> ir.InsertionPoint:
    """Refuse ops without a block: the bindings destroy them while others still use their results."""
    try:
        return ir.InsertionPoint.current
    except ValueError:
        raise refusal(name, "insertion_point", "needs an insertion point") from None


def _location(ip: ir.InsertionPoint) -> ir.Location:
    location = ir.Location.current
    if location is not None:
        return location
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OPS):
        frame = frame.f_back
    return ir.Location.file(frame.f_code.co_filename, frame.f_lineno, 0, ip.block.owner.context)


def _surroundings(request: _Request) -> ir.Operation | None:
    """Return the op around the new one, for symbol lookups."""
    return request.ip.block.owner.operation if request.name == "stablehlo.composite" else None


# Inputs --------------------------------------------------------------------------------------------------------------


def _values(request: _Request) -> list[ir.Value]:
    operands = request.operands
    values: list[Any] = list(operands) if isinstance(operands, (list, tuple)) else [operands]
    for number, operand in enumerate(values, 1):
        if not isinstance(operand, ir.Value):
            message = f"operand {number - 1} must be a value, not {operand!r}"
            raise refusal(request.name, f"i{number}", message)
    return values


def _attributes(request: _Request, declaration: Declaration) -> dict[str, ir.Attribute]:
    """Attributes of the bindings from plain values."""
    written: dict[str, ir.Attribute] = {}
    for name, value in (request.attributes or {}).items():
        if value is None:
            continue
        if isinstance(value, ir.Attribute):
            written[name] = value
            continue
        each = declaration.attribute_named.get(name)
        if each is None:
            raise refusal(request.name, "attributes", f"has no attribute '{name}'")
        try:
            attribute = WRITERS[each.kind](value)
        except _UNFIT as problem:
            message = f"attribute '{name}' must be {each.kind}, not {value!r}: {problem}"
            raise refusal(request.name, each.label, message) from None
        if attribute is not None:
            written[name] = attribute
    return written


# Regions -------------------------------------------------------------------------------------------------------------


def _plans(request: _Request) -> Sequence[RegionPlan]:
    if not callable(request.regions):
        return request.regions
    try:
        return request.regions()
    except _UNFIT as problem:
        raise refusal(request.name, "body", f"its body cannot take such arguments: {problem}") from None


def _fill(request: _Request, plan: RegionPlan, region: ir.Region) -> None:
    """Make the block of an empty region."""
    name, location = request.name, request.location
    _check_body(name, plan)
    block = region.blocks.append(*plan.arguments, arg_locs=[location] * len(plan.arguments))
    with ir.InsertionPoint(block) as end:
        returned = _returned(name, plan.body(*map(plan.wrap, block.arguments)))
        ir.Operation.create("stablehlo.return", None, returned, None, None, 0, plan.end or location, end)


def _check_body(name: str, plan: RegionPlan) -> None:
    if _takes(plan.body, len(plan.arguments)):
        return
    if not callable(plan.body):
        raise refusal(name, "body", f"a body must be a function, not {plan.body!r}")
    try:
        inspect.signature(plan.body).bind(*plan.arguments)
    except TypeError:
        message = f"a body must take {len(plan.arguments)} arguments, which {plan.body!r} does not"
        raise refusal(name, "body", message) from None
    except ValueError:
        # A function that is not written in Python does not say what it takes.
        return


def _takes(body: Callable[..., Returned], count: int) -> bool:
    """Return whether the code object shows that a body takes `count` arguments."""
    if not isinstance(body, FunctionType) or hasattr(body, "__wrapped__"):
        return False
    code = body.__code__
    if code.co_kwonlyargcount != len(body.__kwdefaults__ or ()):
        return False
    if code.co_flags & inspect.CO_VARARGS:
        return code.co_argcount <= count
    return code.co_argcount - len(body.__defaults__ or ()) <= count <= code.co_argcount


def _returned(name: str, returned: Returned) -> list[ir.Value]:
    if returned is None:
        return []
    if isinstance(returned, ir.Value):
        return [returned]
    if not isinstance(returned, (list, tuple)) or not all(isinstance(value, ir.Value) for value in returned):
        raise refusal(name, "body", f"a body must return values, not {returned!r}")
    return list(returned)


# Results -------------------------------------------------------------------------------------------------------------


def _results(
    request: _Request,
    declaration: Declaration,
    values: Sequence[ir.Value],
    attributes: Mapping[str, ir.Attribute],
    regions: Sequence[ir.Region] = (),
) -> list[ir.Type]:
    """Check everything and return the result types, given or inferred."""
    types = None if request.types is None else _given(request)
    element = None if request.element is None else written_type(request.name, request.element)
    taken = [value.type for value in values]
    facts = OpFacts(
        request.name,
        registry.read_types_for(request.name, taken),
        attributes,
        regions,
        values=values,
        types=taken,
        context=request.location.context,
        op=_surroundings(request),
    )
    known = registration_of(facts)
    check_inputs(facts, declaration)
    facts.results = _inferred(facts, known, element) if types is None else registry.read_types_for(request.name, types)
    check_outcome(facts, declaration)
    verify_facts(facts, known, are_inferred=types is None)
    return [_written(facts, known, type_) for type_ in facts.results] if types is None else types


def _given(request: _Request) -> list[ir.Type]:
    if not isinstance(request.types, (list, tuple)):
        raise refusal(request.name, "results", f"types must be a list of types, not {request.types!r}")
    return [written_type(request.name, each) for each in request.types]


def _inferred(facts: OpFacts, known: Registration, given: ir.Type | None) -> list[ValueType]:
    """Infer the result types; `given` is the element type if inference leaves it open."""
    inferred = infer_checked(facts, known)
    if given is None and not known.is_partial:
        return inferred
    first = facts.operands[0]
    element = first.element if isinstance(first, Tensor) else None
    if given is not None:
        element = read_element(given)
    return [
        type_.with_element(element) if isinstance(type_, Tensor) and type_.element is None else type_
        for type_ in inferred
    ]


def _written(facts: OpFacts, known: Registration, type_: ValueType) -> ir.Type:
    assert facts.context is not None
    try:
        return write_type(type_, facts.context)
    except Unwritable as problem:
        raise facts.error(known.result_constraint, str(problem)) from None
