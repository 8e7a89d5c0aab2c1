"""Modules of HLO and their text form; chains printed as sugar that reads back the same (spec: async, 9.3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from sdy.hlo_text.model import Attributes, Computation, Instruction, ModuleParts
from sdy.hlo_text.opcodes import (
    ATTRIBUTES,
    COMMON,
    MAIN_THREAD,
    NATIVELY_ASYNC,
    REQUIRED,
    SHARED,
    START_ONLY,
    THREAD,
    UNWRAPPABLE,
    start_only,
)
from sdy.hlo_text.shape import Shape, TupleShape
from sdy.lazy_dataclass import dataclass


def print_module(module: ModuleParts, sugar: bool, operand_shapes: bool) -> str:
    """The text of a module; see `HloModule.text`."""
    written = Sugar(module) if sugar else None
    header = ", ".join([f"HloModule {module.name}", *(f"{key}={value}" for key, value in module.attributes)])
    parts = [f"{header}\n"]
    if module.tables:
        parts.append(module.tables.rstrip("\n") + "\n")
    for computation in module.computations:
        if written is None or computation.name not in written.hidden:
            parts.append(_computation(computation, module, written, operand_shapes))
    return "\n".join(parts)


def _computation(computation: Computation, module: ModuleParts, sugar: Sugar | None, operand_shapes: bool) -> str:
    entry = "ENTRY " if computation.name == module.entry else ""
    signature = f" {computation.signature}" if computation.signature else ""
    instructions = sugar.instructions(computation) if sugar else computation.instructions
    shapes = {each.name: each.shape.text for each in computation.instructions} if operand_shapes else None
    lines = [f"{entry}%{computation.name}{signature} {{", *(instruction_text(each, shapes) for each in instructions)]
    thread = [] if computation.thread == MAIN_THREAD else [("execution_thread", f'"{computation.thread}"')]
    attributes = "".join(f", {key}={value}" for key, value in (*thread, *computation.attributes))
    return "\n".join([*lines, f"}}{attributes}\n"])


def instruction_text(instruction: Instruction, shapes: Mapping[str, str] | None = None) -> str:
    """The line of an instruction.

    Args:
      instruction: the instruction to write.
      shapes: shapes to write before the names of operands, by name; None for none.
    """
    root = "ROOT " if instruction.is_root else ""
    if instruction.literal:
        inside = instruction.literal
    elif shapes is None:
        inside = ", ".join(["%" + name for name in instruction.operands])
    else:
        inside = ", ".join(
            [f"{shapes[name]} %{name}" if name in shapes else f"%{name}" for name in instruction.operands]
        )
    attributes = "".join([f", {key}={value}" for key, value in instruction.attributes])
    return f"  {root}%{instruction.name} = {instruction.shape.text} {instruction.opcode}({inside}){attributes}"


@dataclass(frozen=True)
class HloModule(ModuleParts):
    """An HLO module.

    `attributes` are those of its header, `entry` is the name of its entry computation. `tables` is the text of the file
    names and stack frames that metadata refer to by number; it is kept, and comparisons ignore it.
    """

    def text(self, sugar: bool = True, operand_shapes: bool = False) -> str:
        """HLO text.

        Args:
          sugar: write asynchronous operations as first-class opcodes, such as `negate-start`, where reading that gives
            the same module; the others, and all of them otherwise, name the computation that they wrap.
          operand_shapes: write the shape of each operand before its name.
        """
        return print_module(self, sugar, operand_shapes)

    def __str__(self) -> str:
        return self.text()


class Sugar:
    """Choice of sugar for the chains of a module; `hidden` are computations that sugar replaces."""

    def __init__(self, module: ModuleParts) -> None:
        self._module = module
        self._chains = {each.name: _links(each) for each in module.computations if _has_starts(each)}
        self._roots: dict[str, Instruction] = {}
        for name, callers in module.callers.items():
            computation = module.by_name.get(name)
            if computation and callers and self._is_sugar(computation, callers):
                self._roots[name] = computation.root
        self.hidden = frozenset(self._roots)

    def instructions(self, computation: Computation) -> Sequence[Instruction]:
        """Return the instructions of a computation, with sugar where it applies."""
        links = self._chains.get(computation.name)
        if not links:
            return computation.instructions
        written = {each.name: each for each in computation.instructions}
        for start, later in links.items():
            wrapped = written[start].called
            root = self._roots.get(wrapped[0]) if wrapped else None
            if root is not None:
                attributes = _merged(written[start], root)
                assert attributes is not None
                written[start] = dataclasses.replace(
                    written[start], opcode=f"{root.opcode}-start", attributes=attributes
                )
                for each in later:
                    step = each.opcode.removeprefix("async")
                    written[each.name] = dataclasses.replace(each, opcode=f"{root.opcode}{step}")
        return list(written.values())

    def _is_sugar(self, wrapped: Computation, callers: Sequence[tuple[Computation, Instruction]]) -> bool:
        if wrapped.name == self._module.entry or not _is_plain(wrapped):
            return False
        return all(
            start.opcode == "async-start"
            and _fits(wrapped, caller, start)
            and all(_is_plain_link(each) for each in self._chains[caller.name][start.name])
            for caller, start in callers
        )


def _has_starts(computation: Computation) -> bool:
    return any(each.opcode == "async-start" for each in computation.instructions)


def _links(computation: Computation) -> dict[str, list[Instruction]]:
    """The updates and dones that continue each start directly, in order."""
    start_of: dict[str, str] = {}
    found: dict[str, list[Instruction]] = {}
    for each in computation.instructions:
        if each.opcode == "async-start":
            start_of[each.name] = each.name
            found[each.name] = []
        elif each.opcode in ("async-update", "async-done") and each.operands and each.operands[0] in start_of:
            start = start_of[each.operands[0]]
            found[start].append(each)
            if each.opcode == "async-update":
                start_of[each.name] = start
    return found


def _is_plain(wrapped: Computation) -> bool:
    """Return whether sugar can replace the computation, independently of its starts."""
    *parameters, root = wrapped.instructions
    if wrapped.attributes or not root.is_root or any(each.literal != str(n) for n, each in enumerate(parameters)):
        return False
    if any(each.opcode != "parameter" or each.attributes or each.is_root for each in parameters):
        return False
    if root.operands != tuple(each.name for each in parameters):
        return False
    opcode = root.opcode
    if opcode in UNWRAPPABLE or opcode in NATIVELY_ASYNC or opcode.endswith(("-start", "-update", "-done")):
        return False
    names = [key for key, _ in root.attributes]
    known = ATTRIBUTES.get(opcode)
    allowed = all(key in COMMON or (key in known if known is not None else key != "calls") for key in names)
    return allowed and not START_ONLY.intersection(names) and REQUIRED.get(opcode, frozenset()).issubset(names)


def _fits(wrapped: Computation, caller: Computation, start: Instruction) -> bool:
    """Return whether a start agrees with its sugar: thread, shapes, and mergeable attributes."""
    if start.thread != wrapped.thread:
        return False
    *parameters, root = wrapped.instructions
    shapes = caller.shapes(start)
    if shapes != tuple(each.shape for each in parameters) or len(start.called) != 1:
        return False
    if not _is_nested(start.shape, shapes) or start.shape.at((1,)) != root.shape:
        return False
    return _merged(start, root) is not None


def _is_nested(shape: Shape, operands: Sequence[Shape | None]) -> bool:
    """Return whether element 0 is the tuple of the operands, not the bare operand."""
    first = shape.at((0,))
    return isinstance(first, TupleShape) and first.plain == TupleShape(tuple(each for each in operands if each)).plain


def _is_plain_link(link: Instruction) -> bool:
    return len(link.operands) == 1 and all(key in COMMON for key, _ in link.attributes)


def _merged(start: Instruction, root: Instruction) -> Attributes | None:
    """Return the attributes of start and root in one list, from which both can be read; None if that is impossible."""
    own = start.without("calls", THREAD)
    of_start = start_only(root.opcode)
    if any(key not in SHARED and key not in of_start for key, _ in own):
        return None
    if [each for each in own if each[0] in SHARED] != [each for each in root.attributes if each[0] in SHARED]:
        return None
    result = [(THREAD, f'"{start.thread}"')] if start.thread != MAIN_THREAD else []
    rest = list(own)
    for each in root.attributes:
        if each[0] in SHARED:
            while rest[0] != each:
                result.append(rest.pop(0))
            rest.pop(0)
        result.append(each)
    return (*result, *rest)
