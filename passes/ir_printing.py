"""`--mlir-print-ir-...`: the module before and after passes."""

from __future__ import annotations

import re
import sys
from dataclasses import field
from pathlib import Path

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.walk import ops_around
from sdy.passes.steps import Step


@dataclass(frozen=True, slots=True)
class When:
    """The passes to print at: the named ones, or all."""

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    before_all: bool = False
    after_all: bool = False
    after_change: bool = False
    after_failure: bool = False

    @property
    def is_ever(self) -> bool:
        return bool(self.before or self.after or self.before_all or self.after_all or self.after_failure)

    def is_before(self, name: str) -> bool:
        return self.before_all or name in self.before

    def is_after(self, name: str) -> bool:
        return self.after_all or self.after_failure or name in self.after


@dataclass(slots=True)
class PrintIr:
    """Prints the op that a pass runs on to standard error, or into a tree of files.

    With `module_scope` the whole module is printed. The files of the tree are in a folder for each op, from the
    outermost one inwards; file names are numbered per op.
    """

    when: When
    options: PrintOptions
    module_scope: bool = False
    tree_dir: str = ""
    verifies: bool = True
    _text_before: str = ""
    _printed: dict[tuple[str, ...], int] = field(default_factory=dict)

    def before(self, step: Step, op: ir.Operation) -> None:
        if self.when.is_before(step.name):
            self._print("Before", "", step, op)
        if self.when.after_change and self.when.is_after(step.name):
            self._text_before = _fingerprint(op)

    def after(self, step: Step, op: ir.Operation) -> None:
        if not self.when.is_after(step.name) or self.when.after_failure:
            return
        if not self.when.after_change or _fingerprint(op) != self._text_before:
            self._print("After", "", step, op)

    def failed(self, step: Step, op: ir.Operation) -> None:
        if self.when.is_after(step.name):
            self._print("After", " Failed", step, op)

    def _print(self, when: str, how: str, step: Step, op: ir.Operation) -> None:
        whose = f" ({_described(op)})" if self.module_scope else ""
        shown = next(iter(list(ops_around(op))[::-1]), op) if self.module_scope else op
        title = f"// -----// IR Dump {when} {_title(step.name)}{how} ({step.name}){whose} //----- //"
        text = f"{title}\n{print_module(shown, self.options).rstrip()}\n\n"
        if not self.tree_dir:
            sys.stderr.write(text)
            return
        path = self._file(step, op)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")

    def _file(self, step: Step, op: ir.Operation) -> Path:
        parts = tuple(_folder(each) for each in [*list(ops_around(op))[::-1], op])
        self._printed[parts] = self._printed.get(parts, -1) + 1
        around = [self._printed.setdefault(parts[:length], 0) for length in range(1, len(parts))]
        numbers = "_".join(map(str, [*around, self._printed[parts]]))
        return Path(self.tree_dir, *parts, f"{numbers}_{step.name}.mlir")


def _title(name: str) -> str:
    """The name of a pass as upstream would call its class."""
    return "".join(part.capitalize() for part in name.removeprefix("sdy-").split("-"))


def _fingerprint(op: ir.Operation) -> str:
    return op.get_asm(assume_verified=True, print_generic_op_form=True, use_local_scope=True)


def _symbol(op: ir.Operation) -> str:
    if "sym_name" not in op.attributes:
        return ""
    return ir.StringAttr(op.attributes["sym_name"]).value


def _described(op: ir.Operation) -> str:
    symbol = _symbol(op)
    return f"'{op.name}' operation{f': @{symbol}' if symbol else ''}"


def _folder(op: ir.Operation) -> str:
    symbol = re.sub(r"[/\\]", "_", _symbol(op)) or "no-symbol-name"
    return f"{op.name.replace('.', '_')}_{symbol}"
