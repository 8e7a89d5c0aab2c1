"""`to_hlo`: a module as HLO text."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping, Sequence

from sdy.dialect.assembly import print_module
from sdy.dialect.hlo_async.async_builders import bundle_of
from sdy.dialect.hlo_async.chains import Chain, chains, unwrap
from sdy.dialect.hlo_async.declarations import DONE, START, UPDATE
from sdy.hlo_conversion import frontend_attributes
from sdy.hlo_conversion.chain_forms import NATIVE, is_native, with_native_pair, with_wrapper
from sdy.hlo_conversion.jaxlib_road import ConversionError, remove_dead_functions, stablehlo_to_hlo
from sdy.hlo_conversion.markers import ASYNC, POSITION, of_instruction, outlined, put_on_op, without_markers
from sdy.hlo_conversion.ordering import in_order, spread
from sdy.hlo_conversion.shape_types import shape_text
from sdy.hlo_text import HloModule, parse
from sdy.hlo_text.opcodes import NATIVE_STARTS
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import identity, pre_order
from sdy.passes.manager import check, run_pipeline
from sdy.programs.bytecode import exact_copy

_HELPERS = ("tuple", "get-tuple-element")
"""Instructions around an op of several results, which have its frontend attributes."""


@dataclass(frozen=True, slots=True)
class _ExportRequest:
    """Request to restore an asynchronous instruction. `at` locates the start, `name` is the op that it starts."""

    at: ir.Location
    name: str
    updates: int
    thread: str
    contexts: tuple[str, ...]
    computation: str | None
    arrangement: tuple[int, ...] | None
    places: tuple[int, ...]
    """Places of start, updates and done in the order of the program."""
    frontend: tuple[frontend_attributes.Entries, ...]
    """The frontend attributes of start, updates and done."""

    def refuse(self, reason: str) -> DiagnosticError:
        return DiagnosticError(self.at, f"'{self.name}' cannot be asynchronous in HLO: {reason}")


def to_hlo(
    module: ir.Module,
    *,
    scheduled: bool = False,
    allow_wrapped_native: bool = False,
    sugar: bool = True,
    isolate: bool = True,
) -> str:
    """Convert a module to HLO text.

    Asynchronous operations of StableHLO and of hlo_async become native pairs (all-reduce-start) if these express
    everything, and wrapped ones otherwise. The frontend attributes of a start apply to the operation of a native one.

    Args:
      module: StableHLO with a function `main`; it is not changed.
      scheduled: keep the order of ops, and say that it is the order of execution (`is_scheduled=true`). Otherwise every
        start is behind its operands and every done before its first user.
      allow_wrapped_native: wrap also operations that have native forms, which XLA admits in generic form only, where
        those forms have no place for updates, a thread or a context.
      sugar: write first-class opcodes such as `negate-start` where they say the same.
      isolate: convert in a process of its own, so that a module which crashes jaxlib is an error.

    Raises:
      DiagnosticError: at an asynchronous operation that HLO cannot express, or at an op outside of StableHLO.
      ImportError: jaxlib is not installed.
    """
    check(module.operation)
    copy = exact_copy(module)
    with copy.context, ir.Location.unknown():
        run_pipeline(copy, "sdy-convert-async{to=hlo-async}")
        remove_dead_functions(copy.operation)
        requests = _take_apart(copy.operation, scheduled)
        try:
            text = stablehlo_to_hlo(print_module(copy), isolate=isolate)
        except ConversionError as error:
            raise DiagnosticError(module.operation, f"is not converted to HLO: {error}") from None
    made = _put_together(parse(text), requests, allow_wrapped_native, scheduled)
    return made.text(sugar=sugar)


# In MLIR -----------------------------------------------------------------------------------------------------


def _take_apart(module: ir.Operation, scheduled: bool) -> list[_ExportRequest]:
    """Make all chains synchronous, with markers; return requests to restore them."""
    ops = pre_order(module) if scheduled else []
    order = {identity(op): place for place, op in enumerate(ops)}
    found = chains(module)
    requests = [_request(chain, order) for chain in found]
    for place, op in enumerate(ops):
        if len(op.results) and op.name not in _UNPLACED:
            put_on_op(op, POSITION, place)
    for number, chain in enumerate(found):
        op = outlined(unwrap(chain))
        put_on_op(op, ASYNC, number)
    return requests


_UNPLACED = frozenset({START, UPDATE, DONE})


def _request(chain: Chain, order: Mapping[Hashable, int]) -> _ExportRequest:
    op, start = chain.wrapped, chain.start
    try:
        contexts = tuple(shape_text(each) for each in bundle_of(start.results[0].type).contexts)
    except ValueError as error:
        raise DiagnosticError(start, f"has a context that HLO has not: {error}") from None
    links = (start, *chain.updates, chain.done)
    places = tuple(order[identity(each)] for each in links) if order else ()
    return _ExportRequest(
        start.location,
        op.name,
        len(chain.updates),
        chain.thread,
        contexts,
        chain.computation,
        _arrangement(chain),
        places,
        tuple(map(_frontend, links)),
    )


def _frontend(link: ir.Operation) -> frontend_attributes.Entries:
    try:
        return frontend_attributes.of_op(link)
    except ValueError as error:
        raise DiagnosticError(link, str(error)) from None


def _arrangement(chain: Chain) -> tuple[int, ...] | None:
    """Return the body argument number of each operand of the op; None if operand i is argument i.

    If regions of the op use arguments too, the HLO operands differ, in an order that jaxlib chooses.
    """
    op, arguments = chain.wrapped, chain.start.regions[0].blocks[0].arguments
    operands = [each.arg_number for each in op.operands if isinstance(each, ir.BlockArgument)]
    direct = sum(1 for argument in arguments for use in argument.uses if use.owner.operation == op)
    if direct < sum(1 for argument in arguments for _ in argument.uses):
        return None
    if set(operands) != set(range(len(arguments))):
        raise DiagnosticError(chain.start, f"has an operand that '{op.name}' does not use, which HLO cannot express")
    return None if operands == list(range(len(arguments))) else tuple(operands)


# In HLO ------------------------------------------------------------------------------------------------------


def _put_together(
    module: HloModule, requests: Sequence[_ExportRequest], allow_native: bool, scheduled: bool
) -> HloModule:
    places = {
        (computation.name, each.name): place
        for computation in module.computations
        for each in computation.instructions
        if (place := of_instruction(each, POSITION)) is not None
    }
    found = _marked(module)
    for computation in module.computations:
        clean = tuple(map(without_markers, computation.instructions))
        module = module.with_computations({computation.name: dataclasses.replace(computation, instructions=clean)})
    for number, request in enumerate(requests):
        for home, name in _instructions_of(request, found.get(number, ())):
            module = _started(module, home, name, request, allow_native)
            links = _links(module, home, name)
            module = _with_frontend(module, home, links, request)
            if scheduled:
                places |= {(home, link): place for link, place in zip(links, request.places, strict=True)}
            else:
                module = spread(module, home, links)
    return in_order(module, places) if scheduled else module


def _marked(module: HloModule) -> dict[int, list[tuple[str, str]]]:
    """Computation and name of the instructions with markers, by number."""
    found: dict[int, list[tuple[str, str]]] = {}
    for computation in module.computations:
        for each in computation.instructions:
            number = of_instruction(each, ASYNC)
            if number is not None and each.opcode not in _HELPERS:
                found.setdefault(number, []).append((computation.name, each.name))
    return found


def _instructions_of(request: _ExportRequest, found: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Return the instructions made from the op, one in each copy of its function."""
    if not found:
        raise request.refuse("no instruction is left of it, since nothing uses all of its results or it was simplified")
    homes = [home for home, _ in found]
    if len(set(homes)) < len(homes):
        raise request.refuse(f"it becomes several instructions, {', '.join('%' + name for _, name in found)}")
    return found


def _started(module: HloModule, home: str, name: str, request: _ExportRequest, allow_native: bool) -> HloModule:
    opcode = module.by_name[home].by_name[name].opcode
    if is_native(opcode, request.updates, request.thread, request.contexts):
        return with_native_pair(module, module.by_name[home], name, request.contexts)
    if opcode in NATIVE and not allow_native:
        raise request.refuse(
            f"'{opcode}' has asynchronous forms of its own, which have no updates, threads or contexts; "
            "allow_wrapped_native wraps it"
        )
    return with_wrapper(
        module,
        home,
        name,
        updates=request.updates,
        thread=request.thread,
        contexts=request.contexts,
        computation=request.computation,
        arrangement=request.arrangement,
    )


def _links(module: HloModule, home: str, done: str) -> list[str]:
    """The names of start, updates and done."""
    instructions = module.by_name[home].by_name
    found = [instructions[done]]
    while not found[0].opcode.endswith("-start"):
        found.insert(0, instructions[found[0].operands[0]])
    return [each.name for each in found]


def _with_frontend(module: HloModule, home: str, links: Sequence[str], request: _ExportRequest) -> HloModule:
    """Add the frontend attributes of the links; a native start also keeps those of its operation."""
    given = dict(zip(links, request.frontend, strict=True))
    instructions = []
    for each in module.by_name[home].instructions:
        if entries := given.get(each.name):
            said = each.attribute(frontend_attributes.IN_HLO) if each.opcode in NATIVE_STARTS else None
            text = frontend_attributes.in_hlo(entries | frontend_attributes.of_hlo(said))
            attributes = (*each.without(frontend_attributes.IN_HLO), (frontend_attributes.IN_HLO, text))
            each = dataclasses.replace(each, attributes=attributes)
        instructions.append(each)
    changed = dataclasses.replace(module.by_name[home], instructions=tuple(instructions))
    return module.with_computations({home: changed})
