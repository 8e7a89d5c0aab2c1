"""The program after each pass that changes it, for the differences between two passes.

Values are named by the number of the op that they come from, so that a line which no pass changes stays the same text.
"""

from __future__ import annotations

import re

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.mlir import ir
from sdy.page.data_types import PassesData
from sdy.page.program_data import Interned
from sdy.passes.steps import Step

_OPTIONS = PrintOptions(name_loc_as_prefix=True, elide_elements_larger_than=16)

_OF_OP = re.compile(r"%sdy23(\d+)")
"""The name that MLIR makes of the location ``sdy#12``, which numbers an op."""

_KEY = re.compile(r"5B(?:27)?(\w+?)(?:27)?5D")
"""Pattern of a key in the name of a value: MLIR writes ``params['w']`` as ``params5B27w275D``."""

_NAME = re.compile(r"%\w+")


class PassTexts:
    """An observer of passes that keeps the text of the module wherever it changes."""

    verifies = False

    def __init__(self) -> None:
        self._names: list[str] = []
        self._texts: list[list[int]] = []
        self._lines = Interned[str]()

    def before(self, step: Step, op: ir.Operation) -> None:
        """Keep the text of the program as it is given."""
        if not self._names:
            self._keep("as given", op)

    def after(self, step: Step, op: ir.Operation) -> None:
        """Keep the text if it differs from the previous one."""
        self._keep(step.name, op)

    def failed(self, step: Step, op: ir.Operation) -> None:
        """Keep nothing of a pass that failed."""

    def data(self) -> PassesData:
        """Return the texts as lists of the numbers of lines."""
        return {"name": self._names, "lines": self._lines.things, "text": self._texts}

    def _keep(self, name: str, op: ir.Operation) -> None:
        while op.parent is not None:
            op = op.parent.operation
        text = _OF_OP.sub(r"%\1", print_module(op, _OPTIONS))
        text = _NAME.sub(lambda found: _KEY.sub(r".\1", found[0]), text)
        numbers = [self._lines[line] for line in text.splitlines()]
        if not self._texts or self._texts[-1] != numbers:
            self._names.append(name)
            self._texts.append(numbers)
