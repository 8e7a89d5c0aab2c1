"""Making an instruction of HLO asynchronous: as a native pair, or wrapped (spec: async, 3, 10.2)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sdy.hlo_text import Computation, HloModule, Instruction, Shape, TupleShape, parse_shape, wrap
from sdy.hlo_text.model import Names

NATIVE = frozenset({"all-gather", "all-reduce", "collective-permute", "copy"})
"""Opcodes with asynchronous forms of their own."""

_CONTEXT_OF_PERMUTE = "u32[]"


def is_native(opcode: str, updates: int, thread: str, contexts: Sequence[str]) -> bool:
    """Return whether a native pair can express the operation."""
    if opcode not in NATIVE or updates or thread != "main":
        return False
    return not contexts or (opcode == "collective-permute" and set(contexts) == {_CONTEXT_OF_PERMUTE})


def with_native_pair(module: HloModule, home: Computation, name: str, contexts: Sequence[str]) -> HloModule:
    """Replace an instruction by a native start and done; the done takes its name."""
    inner = home.by_name[name]
    names = Names(each.name for one in module.computations for each in one.instructions)
    shape = _native_shape(home, inner, [parse_shape(each) for each in contexts])
    opcode = f"{inner.opcode}-start"
    start = Instruction(names.new(f"{name}-start"), shape, opcode, inner.operands, inner.attributes)
    done = Instruction(name, inner.shape, f"{inner.opcode}-done", (start.name,), is_root=inner.is_root)
    at = home.instructions.index(inner)
    instructions = (*home.instructions[:at], start, done, *home.instructions[at + 1 :])
    return module.with_computations({home.name: dataclasses.replace(home, instructions=instructions)})


def _native_shape(home: Computation, inner: Instruction, contexts: Sequence[Shape]) -> Shape:
    operands = [each for each in home.shapes(inner) if each is not None]
    given = operands[0] if len(operands) == 1 else TupleShape(tuple(operands))
    if inner.opcode == "all-reduce":
        return inner.shape
    if inner.opcode == "copy":
        return TupleShape((inner.shape, given, parse_shape(_CONTEXT_OF_PERMUTE)))
    return TupleShape((given, inner.shape, *contexts))


def with_wrapper(
    module: HloModule,
    home: str,
    name: str,
    *,
    updates: int,
    thread: str,
    contexts: Sequence[str],
    computation: str | None,
    arrangement: Sequence[int] | None,
) -> HloModule:
    """Replace an instruction by an asynchronous wrapper; the done takes its name.

    Args:
      module: where the instruction is.
      home: the computation that holds it.
      name: its name.
      updates: how many updates there are.
      thread: the thread of execution.
      contexts: the shapes of the context.
      computation: name of the wrapped computation; None for the default.
      arrangement: which parameter of the wrapped computation each operand is; None if each is its own, in order.
    """
    made = wrap(module, name, updates, thread, tuple(contexts), home)
    start = _start_of(made.by_name[home], name)
    if arrangement is not None and len(arrangement) == len(start.operands):
        made = _rearranged(made, home, start, arrangement)
    return made if computation is None else _renamed(made, home, _start_of(made.by_name[home], name), computation)


def _start_of(home: Computation, done: str) -> Instruction:
    each = home.by_name[done]
    while each.opcode != "async-start":
        each = home.by_name[each.operands[0]]
    return each


def _rearranged(module: HloModule, home: str, start: Instruction, arrangement: Sequence[int]) -> HloModule:
    """Reorder the operands of the start and the parameters into the root's `arrangement`."""
    wrapped = module.by_name[start.called[0]]
    firsts = [arrangement.index(number) for number in range(max(arrangement) + 1)]
    parameters = tuple(
        dataclasses.replace(wrapped.parameters[first], literal=str(number)) for number, first in enumerate(firsts)
    )
    root = dataclasses.replace(wrapped.root, operands=tuple(parameters[number].name for number in arrangement))
    inner = dataclasses.replace(wrapped, instructions=(*parameters, root))
    shapes = TupleShape(tuple(each.shape for each in parameters))
    operands = tuple(start.operands[first] for first in firsts)
    instructions = []
    bundle = start.shape
    for each in module.by_name[home].instructions:
        if each.shape == bundle and _begins(module.by_name[home], each, start):
            each = dataclasses.replace(each, shape=bundle.replaced((0,), shapes))
        if each.name == start.name:
            each = dataclasses.replace(each, operands=operands)
        instructions.append(each)
    outer = dataclasses.replace(module.by_name[home], instructions=tuple(instructions))
    return module.with_computations({home: outer, inner.name: inner})


def _begins(home: Computation, each: Instruction, start: Instruction) -> bool:
    """Return whether an instruction is a start or one of its updates."""
    while each.opcode == "async-update":
        each = home.by_name[each.operands[0]]
    return each.name == start.name


def _renamed(module: HloModule, home: str, start: Instruction, name: str) -> HloModule:
    """Rename the wrapped computation to `name`, or to a similar name if that is taken."""
    old = start.called[0]
    new = Names(each.name for each in module.computations if each.name != old).new(name)
    calls = tuple((key, f"%{new}" if key == "calls" else value) for key, value in start.attributes)
    computations = []
    for each in module.computations:
        if each.name == old:
            each = dataclasses.replace(each, name=new)
        if each.name == home:
            changed = (
                dataclasses.replace(one, attributes=calls) if one.name == start.name else one
                for one in each.instructions
            )
            each = dataclasses.replace(each, instructions=tuple(changed))
        computations.append(each)
    return dataclasses.replace(module, computations=tuple(computations))
