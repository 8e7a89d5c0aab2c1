"""Runs the passes of jaxlib's C++ Shardy. The child process of `tests.oracle`; also a command line:

python -m tests.oracle_worker FILE|- [PASS ...]      # PASS is NAME or NAME{OPTION=VALUE ...}

Without arguments it answers requests on standard input, one JSON object a line. The answers go to standard output.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.passmanager import PassManager


def run(text: str, passes: Iterable[str], allow_unregistered: bool, generic: bool = False) -> str:
    """The module after the passes. Raises ir.MLIRError with the diagnostics, ValueError for an unknown pass."""
    context = jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = allow_unregistered
    with context:
        module = ir.Module.parse(text)
        for name in passes:
            pass_manager(name).run(module.operation)
        return str(module.operation.get_asm(print_generic_op_form=True)) if generic else str(module)


def pass_manager(name: str) -> PassManager:
    """A pass on the module, or on each function where the pass runs on functions."""
    try:
        return PassManager.parse(f"builtin.module({name})")
    except ValueError:
        if re.match(r"sdy-[\w-]*pipeline", name):  # the reference aborts on a pipeline inside func.func
            raise
        return PassManager.parse(f"builtin.module(func.func({name}))")


def answer(request: dict) -> dict:
    try:
        return {"text": run(request["text"], request["passes"], request["allow_unregistered"], request["generic"])}
    except (ir.MLIRError, ValueError) as error:
        return {"text": None, "diagnostics": str(error)}


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what C++ prints must not come between the answers
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


def main(arguments: list[str]) -> int:
    if not arguments:
        serve()
        return 0
    text = sys.stdin.read() if arguments[0] == "-" else Path(arguments[0]).read_text()
    try:
        print(run(text, arguments[1:], allow_unregistered=True), end="")
    except (ir.MLIRError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
