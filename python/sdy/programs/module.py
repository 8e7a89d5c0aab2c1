"""The modules that `sdy.parse` returns."""

from __future__ import annotations

from typing import Any

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.markup.shown_text import shown
from sdy.mlir import ir

_IN_NOTEBOOKS = PrintOptions(elide_elements_larger_than=16, elide_resources_larger_than=64)


class Module(ir.Module):
    """An `ir.Module` that is printed in the syntax of its dialects, sdy included, so that its text parses again."""

    __slots__ = ()

    @staticmethod
    def of(module: ir.Module) -> Module:
        """`module` itself, as one of these."""
        made: Any = module
        made.__class__ = Module
        return made

    def __str__(self) -> str:
        return print_module(self)

    def _repr_html_(self) -> str:
        """The text without long constants, for notebooks."""
        return shown(print_module(self, _IN_NOTEBOOKS))
