"""Modules of HLO and their text form."""

from __future__ import annotations

from collections.abc import Mapping

from sdy.hlo_text.model import Computation, Instruction, ModuleParts
from sdy.hlo_text.opcodes import MAIN_THREAD
from sdy.hlo_text.sugar import Sugar
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
