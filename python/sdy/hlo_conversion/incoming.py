"""`from_hlo`: HLO text as a module."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import sdy
from sdy.dialect.hlo_async.chains import Chain, wrap
from sdy.hlo_conversion import frontend_attributes
from sdy.hlo_conversion.jaxlib_road import ConversionError, hlo_to_stablehlo, remove_dead_functions, with_listed_groups
from sdy.hlo_conversion.markers import ASYNC, FRONTEND, POSITION, of_op, put_on_instruction, take_from_op
from sdy.hlo_conversion.ordering import reorder
from sdy.hlo_conversion.shape_types import type_text
from sdy.hlo_text import (
    XLA,
    AsyncChain,
    Computation,
    HloModule,
    HloRuleError,
    Instruction,
    Shape,
    TupleShape,
    chains,
    check,
    parse,
    synchronous,
)
from sdy.hlo_text.errors import Position
from sdy.hlo_text.opcodes import THREAD
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import funcs, symbol_name
from sdy.mlir.search import ops_with
from sdy.mlir.tensor_types import i32_attr
from sdy.mlir.walk import identity
from sdy.programs.parsing import Module

_COUNTS = {"num_partitions": "mhlo.num_partitions", "replica_count": "mhlo.num_replicas"}
_MAY_SHARD = "allow_spmd_sharding_propagation_to_output"
_TEXT = "mhlo.sharding"
_NAMED = "mesh["
_SAYING = ('"Sharding"', '"SPMDShardToFullShape"')
"""Calls that say which dimensions of what they return are open."""


def put_settings(module: ir.Operation, source: HloModule) -> None:
    """Copy the settings of `source` to `module`, its converted form.

    jaxlib reads the sharding of a computation's root as that of its result. Tiles of the entry are not binding where
    XLA may choose the sharding, or where the root has open dimensions; named text lists these itself.
    """
    given = dict(source.attributes)
    for key, name in _COUNTS.items():
        if key in given and given[key].isdecimal():
            module.attributes[name] = i32_attr(int(given[key]))
    main = next((func for func in funcs(module) if symbol_name(func) == "main"), None)
    if main is None or "res_attrs" not in main.attributes:
        return
    count = len(main.attributes["res_attrs"])
    free = _flags(given.get(_MAY_SHARD, ""), count)
    if count == 1 and _leaves_dimensions_open(source.entry_computation.root):
        free = [True]
    entries = main.attributes["res_attrs"]
    main.attributes["res_attrs"] = ir.ArrayAttr.get(
        [_without_tiles(entry) if is_free else entry for entry, is_free in zip(entries, free, strict=True)]
    )


def _flags(text: str, count: int) -> list[bool]:
    """Return one flag per result; a single flag holds for all."""
    found = [word == "true" for word in re.findall(r"true|false", text)]
    if len(found) == 1:
        return found * count
    return found if len(found) == count else [False] * count


def _leaves_dimensions_open(root: Instruction) -> bool:
    if root.opcode != "custom-call" or root.attribute("custom_call_target") not in _SAYING:
        return False
    return re.search(r"unspecified_dims=\[\s*\d", root.attribute("backend_config") or "") is not None


def _without_tiles(entry: ir.DictAttr) -> ir.DictAttr:
    return ir.DictAttr.get({one.name: one.attr for one in entry if one.name != _TEXT or _NAMED in one.attr.value})


_HELPERS = ("stablehlo.tuple", "stablehlo.get_tuple_element")
_MADE_UP = "async_wrapped"
"""Prefix of generated names of wrapped computations."""

_KEPT = ("calls", THREAD, "metadata", "frontend_attributes", "backend_config", "origin", "statistics")
"""Attributes of a start that it shares with its operation, or that a start of MLIR has too."""


@dataclass(frozen=True, slots=True)
class _ImportRequest:
    """Request to restore an asynchronous op; `computation` and `done` name its HLO instructions."""

    computation: str
    done: str
    opcode: str
    updates: int
    thread: str
    contexts: tuple[str, ...]
    name: str | None
    arrangement: tuple[int, ...] | None
    links: tuple[str, ...]
    places: tuple[int, ...]
    """Places of the links in the order of the computation."""
    frontend: tuple[frontend_attributes.Entries, ...]
    """Frontend attributes of the links, besides those of the operation."""
    position: Position | None


def from_hlo(
    text: str | HloModule, *, keep_order: bool = False, isolate: bool = True, context: ir.Context | None = None
) -> Module:
    """Convert HLO text to a module of StableHLO, with its asynchronous operations in the dialect hlo_async.

    Ops without a StableHLO form become MHLO, whose contents are not read.

    Args:
      text: the module; asynchronous operations native, sugared or generic. Or a module of `sdy.hlo_text`.
      keep_order: of a scheduled module, keep the order of instructions, as far as each is one op.
      isolate: read it in a process of its own, so that a module which crashes jaxlib is an error.
      context: an MLIR context of `sdy.make_context`, which allows unregistered dialects if there is to be MHLO; a new
        one by default.

    Raises:
      HloSyntaxError: it is no HLO.
      HloRuleError: it breaks a rule of asynchronous instructions, or has some that MLIR cannot say.
      ConversionError: jaxlib does not convert it; an `HloRuleError`.
      ImportError: jaxlib is not installed.
    """
    module = text if isinstance(text, HloModule) else parse(text)
    problems = check(module, XLA)
    if problems:
        found = "; ".join(f"%{each.instruction}: {each.message} [{each.rule}]" for each in problems)
        raise HloRuleError(found, problems[0].position)
    requests = [_request(module, home, chain) for home in module.computations for chain in chains(home)]
    requests = [each for each in requests if each is not None]
    marked = _marked(module, requests, keep_order=keep_order and module.is_scheduled)
    made = _parsed(hlo_to_stablehlo(marked.text(sugar=False), isolate=isolate), context)
    with made.context, ir.Location.unknown():
        remove_dead_functions(made.operation)
        put_settings(made.operation, module)
        _start(made.operation, requests, keep_order=keep_order and module.is_scheduled)
        sdy.verify_module(made)
    return made


def _parsed(text: str, context: ir.Context | None) -> Module:
    known = context or sdy.make_context(allow_unregistered_dialects='"mhlo.' in text)
    try:
        return sdy.parse(text, context=known)
    except DiagnosticError as error:
        raise ConversionError(f"jaxlib's translation of it is not valid here: {error}") from None


# In HLO ------------------------------------------------------------------------------------------------------


def _request(module: HloModule, home: Computation, chain: AsyncChain) -> _ImportRequest | None:
    """Return the request for a chain; None for a chain that jaxlib converts.

    Raises:
      HloRuleError: it is more than a start, updates and a done behind each other, each with all it needs.
    """
    start = chain.start
    if start.opcode in ("send", "recv"):
        return None
    _check_is_plain(home, chain)
    root = None if chain.computation is None else module.by_name[chain.computation].root
    contexts = _contexts(start.shape, start.opcode)
    try:
        types = tuple(map(type_text, contexts))
    except ValueError as error:
        raise HloRuleError(f"%{start.name} has a context that MLIR has not: {error}", start.position) from None
    if root is not None:
        _check_is_whole(module, chain)
    name = chain.computation
    # A native start is the operation.
    links = chain.links if root is not None else (dataclasses.replace(start, attributes=()), *chain.links[1:])
    return _ImportRequest(
        home.name,
        chain.links[-1].name,
        start.opcode.removesuffix("-start") if root is None else root.opcode,
        len(chain.updates),
        chain.thread,
        types,
        None if name is None or name.startswith(_MADE_UP) else name,
        None if name is None else _arrangement(module.by_name[name]),
        tuple(each.name for each in chain.links),
        tuple(home.instructions.index(each) for each in chain.links),
        tuple(frontend_attributes.of_hlo(each.attribute(frontend_attributes.IN_HLO)) for each in links),
        start.position,
    )


def _check_is_plain(home: Computation, chain: AsyncChain) -> None:
    """Check that a bundle has one user and stays in its block, and that a start has no more attributes than its op."""
    start = chain.start
    lost = [] if chain.is_native else [key for key, _ in start.without(*_KEPT)]
    if lost:
        message = f"%{start.name} has {lost[0]}, which a start in MLIR lacks"
        raise HloRuleError(message, start.position)
    if chain.done is None:
        message = f"%{start.name} is not done in its computation, and a bundle of MLIR stays there"
        raise HloRuleError(message, start.position)
    for link, following in zip(chain.links, chain.links[1:], strict=False):
        users = home.users[link.name]
        if [each.name for each in users] != [following.name]:
            what = next((each for each in users if each.name != following.name), following)
            message = f"%{link.name} is used by %{what.name}, but a bundle in MLIR only by an update or a done"
            raise HloRuleError(message, what.position)
    for update in chain.updates:
        if len(update.operands) > 1 or update.shape.plain != start.shape.plain:
            message = f"%{update.name} changes the bundle, which stays the same in MLIR"
            raise HloRuleError(message, update.position)


def _check_is_whole(module: HloModule, chain: AsyncChain) -> None:
    """A bundle of MLIR has all operands and all results."""
    start, wrapped = chain.start, module.by_name[chain.computation or ""]
    if len(start.operands) != len(wrapped.parameters):
        raise HloRuleError(f"%{start.name} lacks operands of %{wrapped.name}", start.position)
    result = start.shape.at((1,))
    if result is None or result.plain != wrapped.root.shape.plain:
        raise HloRuleError(f"%{start.name} has only a part of the result of %{wrapped.name}", start.position)
    unused = [each.name for each in wrapped.parameters if each.name not in wrapped.root.operands]
    if unused:
        message = (
            f"%{wrapped.root.name} does not use %{unused[0]}, but a start in MLIR takes only operands that it uses"
        )
        raise HloRuleError(message, start.position)


def _arrangement(wrapped: Computation) -> tuple[int, ...] | None:
    """Return the parameter number of each operand of the root; None if operand i is parameter i."""
    numbers = {each.name: number for number, each in enumerate(wrapped.parameters)}
    found = tuple(numbers[name] for name in wrapped.root.operands)
    return None if found == tuple(range(len(numbers))) else found


def _contexts(shape: Shape, opcode: str) -> Sequence[Shape]:
    if opcode in ("all-reduce-start", "copy-start") or not isinstance(shape, TupleShape):
        return ()
    return shape.elements[2:]


def _marked(module: HloModule, requests: Sequence[_ImportRequest], *, keep_order: bool) -> HloModule:
    """Return the synchronous module with markers and without its mark as scheduled."""
    made = with_listed_groups(synchronous(module))
    numbers = {(each.computation, each.done): number for number, each in enumerate(requests)}
    starts = {(each.computation, each.done): each.links[0] for each in requests}
    computations = {}
    for computation in made.computations:
        before = module.by_name[computation.name].instructions if keep_order else ()
        order = {each.name: place for place, each in enumerate(before)}
        instructions = []
        for each in computation.instructions:
            key = computation.name, each.name
            if key in numbers:
                each = put_on_instruction(each, ASYNC, numbers[key])
            place = order.get(starts.get(key, each.name))
            if place is not None and each.opcode not in ("parameter", "constant"):
                each = put_on_instruction(each, POSITION, place)
            instructions.append(each)
        computations[computation.name] = dataclasses.replace(computation, instructions=tuple(instructions))
    attributes = tuple(each for each in made.attributes if each[0] != "is_scheduled")
    return dataclasses.replace(made.with_computations(computations), attributes=attributes)


# In MLIR -----------------------------------------------------------------------------------------------------


def _start(module: ir.Operation, requests: Sequence[_ImportRequest], *, keep_order: bool) -> None:
    found: dict[int, list[ir.Operation]] = {}
    ops = ops_with(module, FRONTEND)
    for op in ops:
        number = of_op(op, ASYNC)
        if number is not None and op.name not in _HELPERS:
            found.setdefault(number, []).append(op)
    places = {identity(op): place for op in ops if (place := of_op(op, POSITION)) is not None}
    for op in ops:
        take_from_op(op)
    for number, request in enumerate(requests):
        for op in _ops_of(request, found.get(number, ())):
            chain = _wrapped(op, request)
            links = (chain.start, *chain.updates, chain.done)
            for link, entries in zip(links, request.frontend, strict=True):
                frontend_attributes.put_on_op(link, entries)
            places |= {identity(link): place for link, place in zip(links, request.places, strict=True)}
    if keep_order:
        reorder(module, places)


def _ops_of(request: _ImportRequest, found: Sequence[ir.Operation]) -> Sequence[ir.Operation]:
    """Return the ops made from an instruction, one in each copy of its computation."""
    if not found:
        message = f"the '{request.opcode}' of %{request.done} becomes no op of MLIR that could be asynchronous"
        raise HloRuleError(message, request.position)
    if any(one.block == other.block for index, one in enumerate(found) for other in found[:index]):
        names = ", ".join(f"'{op.name}'" for op in found)
        raise HloRuleError(f"the '{request.opcode}' of %{request.done} becomes several ops, {names}", request.position)
    return found


def _wrapped(op: ir.Operation, request: _ImportRequest) -> Chain:
    try:
        return wrap(
            op,
            thread=request.thread,
            computation=request.name,
            updates=request.updates,
            contexts=[ir.Type.parse(each) for each in request.contexts],
            arrangement=request.arrangement,
        )
    except ValueError as error:
        raise HloRuleError(f"the '{request.opcode}' of %{request.done} cannot be started: {error}") from None
