"""Types of StableHLO's ops in Python: time per op, and verification of a training step beside the registered dialect.

Inference is timed on ops as builders make them: values and attributes are there, types are asked for. An op is asked
about for the first time, and again: alike ops have the same answer, and programs consist of alike ops.
The second table verifies a whole module: ours does everything that the registered dialect does (`verify_module`
without `upstream`).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import sdy
from benchmarks.common import Prepare, paired, print_table
from benchmarks.peers import Ours, count_ops
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.stablehlo import InferenceError, infer_return_type_components, verify_module
from sdy.stablehlo.answers import forget
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "cnn", "moe")
TIMES = 200
SOME = 5


def main() -> None:
    _inference()
    rows = [_verification(name) for name in PROGRAMS]
    print_table("verify a module, Python beside C++", rows)


def _verification(name: str) -> Any:
    text = program(name)
    module = Ours().parse(text).operation
    ours: Prepare = lambda: lambda: verify_module(module, upstream=False)  # noqa: E731
    theirs: Prepare = lambda: lambda: module.verify()  # noqa: E731
    return paired(f"{name}, {count_ops(text):,} ops", ours, theirs, clock=time.process_time)


def _inference() -> None:
    """Microseconds per op and kind of op, over some ops of all programs that can be asked about."""
    found: dict[str, list[tuple[float, float]]] = {}
    modules = [sdy.parse(program(name)) for name in PROGRAMS if name != "transformer_24"]
    for module in modules:
        for op in pre_order(module.operation):
            name = op.name
            if name.startswith("stablehlo.") and len(found.get(name, ())) < SOME:
                taken = _times_of(op, name)
                if taken is not None:
                    found.setdefault(name, []).append(taken)
    print(f"{'time per inferred op (medians)':<44}{'first':>10}{'again':>13}")
    medians = [(*(statistics.median(each) for each in zip(*times, strict=True)), name) for name, times in found.items()]
    for first, again, name in sorted(medians):
        print(f"  {name:<42}{first * 1e6:>10.1f}{again * 1e6:>10.1f} us")
    print(flush=True)


def _times_of(op: Any, name: str) -> tuple[float, float] | None:
    """Seconds to infer shape and element type of the op's results: at first, and again; None if they do not follow."""
    operands, regions = list(op.operands), list(op.regions)
    attributes = {name: op.attributes[name] for name in op.attributes}
    ask: Callable[[], Any] = lambda: infer_return_type_components(name, operands, attributes, regions)  # noqa: E731
    try:
        ask()
    except InferenceError:
        return None
    return min(_first(ask, op.context) for _ in range(TIMES)), min(_seconds(ask) for _ in range(TIMES))


def _first(ask: Callable[[], Any], context: Any) -> float:
    """Nothing of the kind was asked before, but something was: what is kept for a context is there."""
    forget()
    infer_return_type_components("stablehlo.floor", [ir.Type.parse("tensor<f32>", context)])
    return _seconds(ask)


def _seconds(ask: Callable[[], Any]) -> float:
    started = time.perf_counter()
    ask()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
