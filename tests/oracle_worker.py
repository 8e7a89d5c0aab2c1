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
from jaxlib.mlir._mlir_libs import _mosaic_gpu_ext, _sdyMpmd
from jaxlib.mlir.passmanager import PassManager

from tests import hlo_oracle_worker, mpmd_oracle_worker

REQUESTS_PER_CONTEXT = 50
"""To make a context takes longer than most requests; one that is used forever would keep all their attributes."""


def new_context() -> ir.Context:
    """A context in which ops may be inlined into functions and calls replaced, as in the C++ tool.

    It has one thread: more of them verify functions, and report what is wrong with them, in any order.
    """
    context = jax_mlir.make_ir_context()
    context.enable_multithreading(False)
    _mosaic_gpu_ext.register_inliner_extensions(context)
    _sdyMpmd.register_dialect(context)
    return context


class Contexts:
    """MLIR contexts with the dialects, each used for a while."""

    def __init__(self) -> None:
        self._context = new_context()
        self._uses = 0

    def next(self) -> ir.Context:
        if self._uses == REQUESTS_PER_CONTEXT:
            self._context, self._uses = new_context(), 0
        self._uses += 1
        return self._context


def run(
    context: ir.Context, text: str, passes: Iterable[str], allow_unregistered: bool, printing: dict[str, bool]
) -> str:
    """The module after the passes, printed with these options of `get_asm`.

    Raises ir.MLIRError with the diagnostics, ValueError for an unknown pass.
    """
    context.allow_unregistered_dialects = allow_unregistered
    with context:
        module = ir.Module.parse(text)
        for name in passes:
            pass_manager(name).run(module.operation)
        return str(module.operation.get_asm(**printing)) if printing else str(module)


def pass_manager(name: str) -> PassManager:
    """A pass on the module, or on each function where the pass runs on functions."""
    if mpmd_oracle_worker.is_mpmd(name):
        return mpmd_oracle_worker.pass_manager(name)
    try:
        return PassManager.parse(f"builtin.module({name})")
    except ValueError:
        if re.match(r"sdy-[\w-]*pipeline", name):  # the reference aborts on a pipeline inside func.func
            raise
        return PassManager.parse(f"builtin.module(func.func({name}))")


def answer(context: ir.Context, request: dict) -> dict:
    if "hlo" in request:
        return {"answers": hlo_oracle_worker.answers(request["hlo"], request["texts"])}
    try:
        return {"text": run(context, **request)}
    except (ir.MLIRError, ValueError) as error:
        return {"text": None, "diagnostics": str(error)}


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what C++ prints must not come between the answers
    contexts = Contexts()
    for line in sys.stdin:
        print(json.dumps(answer(contexts.next(), json.loads(line))), file=answers, flush=True)


def main(arguments: list[str]) -> int:
    if not arguments:
        serve()
        return 0
    text = sys.stdin.read() if arguments[0] == "-" else Path(arguments[0]).read_text()
    try:
        print(run(Contexts().next(), text, arguments[1:], True, {}), end="")
    except (ir.MLIRError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
