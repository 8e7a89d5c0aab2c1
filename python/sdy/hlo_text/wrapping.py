"""`wrap`: turns one instruction into an asynchronous chain (spec: async, 9.5)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sdy.hlo_text.errors import HloRuleError
from sdy.hlo_text.model import Computation, Instruction, Names
from sdy.hlo_text.opcodes import ASYNC, CONTROL, MAIN_THREAD, NATIVE_DONES, NATIVE_STARTS, SHARED, THREAD
from sdy.hlo_text.printer import HloModule, instruction_text
from sdy.hlo_text.reading.scanning import parse_shape
from sdy.hlo_text.shape import TupleShape


def wrap(
    module: HloModule,
    instruction: str,
    updates: int = 0,
    thread: str = MAIN_THREAD,
    context: Sequence[str] = ("s32[]",),
    computation: str | None = None,
) -> HloModule:
    """Replace an instruction by an adjacent chain of start, updates and done.

    The done has the name of the instruction, so its users are as before; `synchronous` is the inverse.

    Args:
      module: where the instruction is.
      instruction: its name.
      updates: how many updates there are between start and done.
      thread: the thread that executes it.
      context: shapes of what start, updates and done share besides operands and result, as HLO text.
      computation: where the instruction is, if its name is found in several computations.

    Returns:
      A new module.

    Raises:
      HloRuleError: there is no such instruction, or it cannot be wrapped.
      HloSyntaxError: a context is no shape.
    """
    home = _find(module, instruction, computation)
    inner = home.by_name[instruction]
    if inner.opcode in {*ASYNC, *NATIVE_STARTS, *NATIVE_DONES, "parameter", "constant"}:
        raise HloRuleError(f"'{inner.opcode}' cannot be executed asynchronously", inner.position)
    names = Names(each.name for one in module.computations for each in one.instructions)
    wrapped = _wrapped(module, home, inner, names, thread)
    chain = _chain(home, inner, names, wrapped.name, thread, updates, context)
    found = []
    for each in module.computations:
        if each is home:
            found.append(wrapped)
            position = home.instructions.index(inner)
            before, behind = home.instructions[:position], home.instructions[position + 1 :]
            each = dataclasses.replace(home, instructions=(*before, *chain, *behind))
        found.append(each)
    return dataclasses.replace(module, computations=tuple(found))


def _find(module: HloModule, name: str, computation: str | None) -> Computation:
    if computation is not None and computation not in module.by_name:
        raise HloRuleError(f"there is no computation %{computation}")
    homes = module.computations if computation is None else (module.by_name[computation],)
    found = [each for each in homes if name in each.by_name]
    if not found:
        raise HloRuleError(f"there is no instruction %{name}")
    if len(found) > 1:
        where = ", ".join(f"%{each.name}" for each in found)
        raise HloRuleError(f"there are several instructions %{name}, in {where}; say which computation is meant")
    return found[0]


def _wrapped(module: HloModule, home: Computation, inner: Instruction, names: Names, thread: str) -> Computation:
    """Return a computation around the instruction; a repeated operand becomes two parameters."""
    position = inner.position
    shapes = [each for each in home.shapes(inner) if each is not None]
    parameters = tuple(
        Instruction(names.new("async_param"), shape, "parameter", literal=str(number), position=position)
        for number, shape in enumerate(shapes)
    )
    root = dataclasses.replace(
        inner,
        name=names.new(inner.opcode),
        operands=tuple(each.name for each in parameters),
        attributes=inner.without(CONTROL),
        is_root=True,
    )
    name = Names(module.by_name).new("async_wrapped")
    return Computation(name, (*parameters, root), thread, position=position)


def _chain(
    home: Computation, inner: Instruction, names: Names, wrapped: str, thread: str, updates: int, context: Sequence[str]
) -> list[Instruction]:
    operands = TupleShape(tuple(each for each in home.shapes(inner) if each is not None))
    bundle = TupleShape((operands, inner.shape, *map(parse_shape, context)))
    own = tuple(each for each in inner.attributes if each[0] in SHARED or each[0] == CONTROL)
    attributes = (*(((THREAD, f'"{thread}"'),) if thread != MAIN_THREAD else ()), ("calls", f"%{wrapped}"), *own)
    start = Instruction(
        names.new(f"{inner.name}-start"), bundle, "async-start", inner.operands, attributes, position=inner.position
    )
    chain = [start]
    for _ in range(updates):
        name = names.new(f"{inner.name}-update")
        chain.append(Instruction(name, bundle, "async-update", (chain[-1].name,), position=inner.position))
    done = Instruction(
        inner.name, inner.shape, "async-done", (chain[-1].name,), is_root=inner.is_root, position=inner.position
    )
    return [*chain, done]


def equivalent(one: HloModule, other: HloModule) -> bool:
    """Return whether two modules are equal apart from details that reading sugar does not preserve.

    These concern computations that only asynchronous starts call: their names, their positions, the names in them, and
    whether several starts share one.
    """
    return _inlined(one) == _inlined(other)


def _inlined(module: HloModule) -> HloModule:
    """Return a comparable form of the module: contents of wrapped computations replace their names."""
    wrapped = {
        name
        for name, callers in module.callers.items()
        if callers and name != module.entry and all(each.opcode == "async-start" for _, each in callers)
    }
    contents: dict[str, str] = {}
    kept = []
    for each in module.computations:
        if wrapped.intersection(name for one in each.instructions for name in one.called):
            each = dataclasses.replace(each, instructions=tuple(_named(one, contents) for one in each.instructions))
        if each.name in wrapped:
            contents[each.name] = _content(each)
        else:
            kept.append(each)
    return dataclasses.replace(module, computations=tuple(kept))


def _named(start: Instruction, contents: dict[str, str]) -> Instruction:
    if start.opcode != "async-start":
        return start
    attributes = tuple(
        (key, ", ".join(contents.get(name, name) for name in start.called) if key == "calls" else value)
        for key, value in start.attributes
    )
    return dataclasses.replace(start, attributes=attributes)


def _content(computation: Computation) -> str:
    numbers = {each.name: str(number) for number, each in enumerate(computation.instructions)}
    lines = [
        instruction_text(
            dataclasses.replace(
                each, name=numbers[each.name], operands=tuple(numbers.get(name, name) for name in each.operands)
            )
        )
        for each in computation.instructions
    ]
    return "\n".join([computation.thread, *(f"{key}={value}" for key, value in computation.attributes), *lines])
