"""`synchronous`: replaces each asynchronous chain by its operation (spec: async, 9.5)."""

from __future__ import annotations

import dataclasses

from sdy.hlo_text.chains import done_shape, is_native_start
from sdy.hlo_text.errors import HloRuleError
from sdy.hlo_text.flow import Flow, Journey, Place, tuple_index
from sdy.hlo_text.model import Attributes, Computation, Instruction, Names
from sdy.hlo_text.opcodes import CONTROL, MAIN_THREAD, NATIVE_STARTS
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.shape import Shape, TupleShape

_TAKEN_OVER = (CONTROL, "frontend_attributes", "metadata", "origin")


def synchronous(module: HloModule) -> HloModule:
    """Replace each chain by one instruction at the position of its start, with the name of its done.

    If an update adds operands, the instruction stands at the last such update. Native pairs are replaced as well, but
    send and recv stay. Carriers of a bundle (a tuple, a loop) carry the result instead; readers of operands or result
    take them directly. Wrapped computations without remaining calls are removed; one of several instructions, which XLA
    allows in other threads, is called.

    Returns:
      A new module.

    Raises:
      HloRuleError: a chain has no done, or does not name its computation.
    """
    journeys = [each for each in Flow(module).journeys() if _opcode(module, each) not in ("send", "recv")]
    if not journeys:
        return module
    work = _Work(module)
    for journey in journeys:
        work.replace(journey)
    return work.result()


def _opcode(module: HloModule, journey: Journey) -> str:
    return module.by_name[journey.start.computation].by_name[journey.start.instruction].opcode


class _Work:
    """Instructions of a module while chains are replaced by synchronous operations."""

    def __init__(self, module: HloModule) -> None:
        self._module = module
        self._names = Names(each.name for one in module.computations for each in one.instructions)
        self._current = {each.name: dict(each.by_name) for each in module.computations}
        self._aliases: dict[str, dict[str, str]] = {each.name: {} for each in module.computations}
        self._placed: dict[tuple[str, str], list[Instruction]] = {}

    def replace(self, journey: Journey) -> None:
        """Replace a chain by its operation."""
        home = journey.start.computation
        start = self._module.by_name[home].by_name[journey.start.instruction]
        if not journey.dones or journey.strays:
            what = "has no done" if not journey.dones else f"goes to '{journey.strays[0].user.opcode}'"
            raise HloRuleError(f"what %{start.name} starts {what}", start.position)
        at, operands = self._bound(journey, start)
        name = self._result_name(journey)
        aliases = self._aliases[home]
        operation = self._operation(journey, start, operands, name)
        self._placed.setdefault((home, at), []).append(operation)
        for place in journey.places:
            self._carry(place, operation.shape)
        steps = {start.name, *(use.user.name for use in journey.updates if use.place.computation == home)}
        for step in steps:
            self._remove(home, step)
            aliases[step] = name
        for use in journey.dones:
            self._end(use.place, use.user, name)
        for use in journey.reads:
            self._read(use.place, use.user, home, operands)

    def _result_name(self, journey: Journey) -> str:
        """Return the name of the only done if it is direct, so that its users stay; else a new name."""
        home = journey.start.computation
        if len(journey.dones) == 1 and journey.is_direct:
            return journey.dones[0].user.name
        start = self._module.by_name[home].by_name[journey.start.instruction]
        return self._names.new(start.name.removesuffix("-start"))

    def _bound(self, journey: Journey, start: Instruction) -> tuple[str, tuple[str, ...]]:
        """Return the last start or update that adds operands, and all operands."""
        at, operands = start.name, start.operands
        binding = [use for use in journey.updates if len(use.user.operands) > 1]
        if len(binding) > 1:
            home = self._module.by_name[journey.start.computation]
            order = {each.name: position for position, each in enumerate(home.instructions)}
            binding.sort(key=lambda use: order.get(use.user.name, 0))
        for use in binding:
            if not journey.is_direct:
                raise HloRuleError(f"%{use.user.name} adds operands to a bundle that was moved", use.user.position)
            at, operands = use.user.name, (*operands, *use.user.operands[1:])
        return at, operands

    def _operation(self, journey: Journey, start: Instruction, operands: tuple[str, ...], name: str) -> Instruction:
        is_root = any(use.user.is_root for use in journey.dones) and journey.is_direct
        if start.opcode in NATIVE_STARTS:
            shape = _native_result(self._module.by_name[journey.start.computation], start)
            opcode = start.opcode.removesuffix("-start")
            attributes = start.without("cross_program_prefetch_index")
            return Instruction(name, shape, opcode, operands, attributes, is_root, position=start.position)
        wrapped = self._module.by_name[start.called[0]]
        root, inputs = wrapped.root, wrapped.parameters
        if len(inputs) != len(operands):
            message = f"%{start.name} gives {len(operands)} of {len(inputs)} operands of %{wrapped.name}"
            raise HloRuleError(message, start.position)
        if len(wrapped.instructions) != len(inputs) + 1 or root in inputs:
            attributes = (("to_apply", f"%{wrapped.name}"),)
            return Instruction(
                name,
                root.shape,
                "call",
                operands,
                _with_start_attributes(attributes, start),
                is_root,
                position=start.position,
            )
        given = {each.name: operand for each, operand in zip(inputs, operands, strict=True)}
        return dataclasses.replace(
            root,
            name=name,
            operands=tuple(given[each] for each in root.operands),
            attributes=_with_start_attributes(root.attributes, start),
            is_root=is_root,
            position=start.position,
        )

    def _carry(self, place: Place, shape: Shape) -> None:
        """Set the shape at a place of the bundle to the shape of the result."""
        instructions = self._current[place.computation]
        holder = instructions.get(place.instruction)
        if holder is not None:
            instructions[holder.name] = dataclasses.replace(holder, shape=holder.shape.replaced(place.path, shape))

    def _end(self, place: Place, done: Instruction, name: str) -> None:
        self._remove(place.computation, done.name)
        if done.name != name:
            self._aliases[place.computation][done.name] = place.instruction

    def _read(self, place: Place, reader: Instruction, home: str, operands: tuple[str, ...]) -> None:
        index = tuple_index(reader)
        computation = place.computation
        if index == 1:
            self._remove(computation, reader.name)
            self._aliases[computation][reader.name] = place.instruction
        elif index == 0 and computation == home:
            inner = TupleShape(tuple(self._shape(computation, each) for each in operands))
            self._current[computation][reader.name] = dataclasses.replace(
                reader, opcode="tuple", shape=inner, operands=operands, attributes=reader.without("index")
            )
        else:
            what = "the operands in another computation" if index == 0 else "the context"
            raise HloRuleError(f"%{reader.name} reads {what} of an asynchronous operation", reader.position)

    def _shape(self, computation: str, name: str) -> Shape:
        return self._module.by_name[computation].by_name[name].shape

    def _remove(self, computation: str, name: str) -> None:
        self._current[computation].pop(name, None)

    # The result ----------------------------------------------------------------------------------

    def result(self) -> HloModule:
        found = []
        for each in self._module.computations:
            found.append(self._computation(each))
        module = dataclasses.replace(self._module, computations=tuple(found))
        return _on_main_thread(_without_unused(module, self._module), self._module)

    def _computation(self, computation: Computation) -> Computation:
        name = computation.name
        aliases, current = self._aliases[name], self._current[name]
        instructions: list[Instruction] = []
        for each in computation.instructions:
            kept = current.get(each.name)
            instructions += [kept] if kept is not None else []
            instructions += self._placed.get((name, each.name), [])
        if tuple(instructions) == computation.instructions:
            return computation
        root = _resolved(computation.root.name, aliases)
        return dataclasses.replace(
            computation, instructions=tuple(_renamed(each, aliases, each.name == root) for each in instructions)
        )


def _resolved(name: str, aliases: dict[str, str]) -> str:
    while name in aliases:
        name = aliases[name]
    return name


def _renamed(instruction: Instruction, aliases: dict[str, str], is_root: bool) -> Instruction:
    operands = tuple(_resolved(name, aliases) for name in instruction.operands)
    attributes = instruction.attributes
    control = instruction.attribute(CONTROL)
    if control is not None:
        names = [_resolved(part.strip(" %"), aliases) for part in control.strip("{}").split(",")]
        names = [name for name in dict.fromkeys(names) if name != instruction.name]
        text = f"{{{', '.join('%' + name for name in names)}}}"
        attributes = tuple((key, text if key == CONTROL else value) for key, value in attributes)
        attributes = attributes if names else instruction.without(CONTROL)
    return dataclasses.replace(instruction, operands=operands, attributes=attributes, is_root=is_root)


def _native_result(home: Computation, start: Instruction) -> Shape:
    operands = [each for each in home.shapes(start) if each is not None]
    shape = done_shape(start.opcode, start.shape)
    if shape is None or not is_native_start(start.opcode, operands, start.shape):
        raise HloRuleError(f"{start.opcode} cannot have the shape {start.shape}", start.position)
    return shape


def _with_start_attributes(attributes: Attributes, start: Instruction) -> Attributes:
    """Return the attributes of the wrapped instruction, plus control, frontend and metadata ones of the start."""
    present = {key for key, _ in attributes}
    added = [each for each in start.attributes if each[0] in _TAKEN_OVER and each[0] not in present]
    return (*attributes, *added)


def _on_main_thread(module: HloModule, before: HloModule) -> HloModule:
    """Move computations that are now called, not started, to the main thread."""
    changed = {}
    for name, callers in module.callers.items():
        was_started = any(each.opcode == "async-start" for _, each in before.callers.get(name, ()))
        if was_started and not any(each.opcode == "async-start" for _, each in callers):
            changed[name] = dataclasses.replace(module.by_name[name], thread=MAIN_THREAD)
    return module.with_computations(changed) if changed else module


def _without_unused(module: HloModule, before: HloModule) -> HloModule:
    """Remove computations that were called and no longer are."""
    while True:
        unused = {name for name, callers in module.callers.items() if not callers and before.callers.get(name)}
        if not unused:
            return module
        kept = tuple(each for each in module.computations if each.name not in unused)
        module = dataclasses.replace(module, computations=kept)
