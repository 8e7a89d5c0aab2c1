"""Many small programs in one compilation: each is a function of the arrays of the setting, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax

from tests.execution.surface.setting import At

Program = Callable[[Any], Any]
"""A function of the arguments, which are attributes: ``lambda a: a.x @ a.w``."""

FAST = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""What is compiled runs once."""

FAMILIES: dict[str, dict[str, Program]] = {}


def family(module: str, **programs: Program) -> None:
    """Registers programs of one family."""
    FAMILIES.setdefault(module.rpartition(".")[2], {}).update(
        (name.rstrip("_"), program) for name, program in programs.items()
    )


@jax.tree_util.register_pytree_node_class
class Arguments:
    """What programs are given."""

    NAMES = ("x", "rows", "columns", "whole", "v", "w", "i", "host")

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self.NAMES, values, strict=True):
            setattr(self, name, value)

    @staticmethod
    def of(at: At) -> Arguments:
        return Arguments(*(getattr(at, name) for name in Arguments.NAMES))

    def tree_flatten(self) -> tuple[list[Any], None]:
        return [getattr(self, name) for name in self.NAMES], None

    @classmethod
    def tree_unflatten(cls, _: None, values: Any) -> Arguments:
        return cls(*values)


def run(jit: Callable[..., Any], programs: Mapping[str, Program], at: At) -> dict[str, Any]:
    """The results of all programs, compiled as one."""

    def together(arguments: Arguments) -> dict[str, Any]:
        return {name: program(arguments) for name, program in programs.items()}

    return jit(together, compiler_options=FAST)(Arguments.of(at))
