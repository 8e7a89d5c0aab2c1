"""Modules of HLO, which write themselves."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.hlo_text.model import ModuleParts
from sdy.hlo_text.printer import print_module


@dataclass(frozen=True)
class HloModule(ModuleParts):
    """An HLO module.

    `attributes` are those of its header, `entry` is the name of its entry computation. `tables` is the text of the
    file names and stack frames that metadata refer to by number; it is kept, and does not count in comparisons.
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
