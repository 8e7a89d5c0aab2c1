"""The modules that `sdy.parse` returns."""

from __future__ import annotations

from typing import Any

from sdy.dialect.assembly import print_module
from sdy.mlir import ir


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
