"""HLO text: reading, printing, checking, making synchronous; beside XLA's own parser and printer.

The texts are those of the transformer before XLA's optimization, and one of asynchronous chains only, of about 1, 2 and
4 MB: time has to grow with the size.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.common import seconds
from sdy import hlo_text
from sdy.report.text_table import columns
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24")
MEGABYTES = (1, 2, 4)
_BUNDLE = "((f32[64,64]{1,0}, f32[64,64]{1,0}), f32[64,64]{1,0}, s32[])"


def main() -> None:
    texts = {name: lowered(name) for name in PROGRAMS}
    texts |= {f"chains, {size} MB": chains(size) for size in MEGABYTES}
    rows: list[tuple[str, ...]] = [
        ("seconds", "MB", "read", "print", "print generic", "check", "synchronous", "read by XLA", "printed by XLA")
    ]
    for name, text in texts.items():
        rows.append((name, *(f"{each:.3f}" for each in _measured(text))))
    print(columns(rows), flush=True)


def _measured(text: str) -> list[float]:
    module = hlo_text.parse(text)
    xla = import_module("jaxlib._hlo").hlo_module_from_text
    read: Any = xla(text)
    work: list[Callable[[], object]] = [
        lambda: hlo_text.parse(text),
        module.text,
        lambda: module.text(sugar=False),
        lambda: hlo_text.check(hlo_text.parse(text)),
        lambda: hlo_text.synchronous(module),
        lambda: xla(text),
        read.to_string,
    ]
    spent = [min(seconds(lambda one=one: one) for _ in range(3)) for one in work]
    spent[3] -= spent[0]  # a module remembers what has been asked of it
    return [len(text) / 1e6, *spent]


def lowered(name: str) -> str:
    """A program as HLO, before XLA has optimized it."""
    mlir = import_module("jaxlib._jax").mlir
    return mlir.mlir_module_to_xla_computation(program(name), use_tuple_args=False, return_tuple=False).as_hlo_text()


def chains(megabytes: float) -> str:
    """A module of asynchronous additions, each of the results of the two before it."""
    lines, size, number = [f"  %a{place} = f32[64,64]{{1,0}} parameter({place})" for place in (0, 1)], 0, 2
    while size < megabytes * 1e6:
        operands = f"%a{number - 2}, %a{number - 1}"
        lines.append(f'  %s.{number} = {_BUNDLE} add-start({operands}), metadata={{op_name="jit(f)/add.{number}"}}')
        lines.append(f"  %u.{number} = {_BUNDLE} add-update(%s.{number})")
        lines.append(f"  %a{number} = f32[64,64]{{1,0}} add-done(%u.{number})")
        size += sum(map(len, lines[-3:])) + 3
        number += 1
    return "HloModule chains, is_scheduled=true\n\nENTRY %e {\n" + "\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
