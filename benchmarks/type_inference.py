"""Types of StableHLO's ops in Python: time per op, and verification of a training step beside the registered dialect.

Inference is timed on ops as builders make them: values and attributes are there, types are asked for. Each op is one
of a program, asked again and again. The second table verifies a whole module: ours does everything that the registered
dialect does, on ops that it has verified (`verify_module` without `upstream`).
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
from sdy.stablehlo import InferenceError, infer_return_type_components, verify_module
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "cnn", "moe")
TIMES = 200


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
    """Microseconds per op and kind of op, over the ops of all programs that can be asked about."""
    found: dict[str, list[float]] = {}
    modules = [sdy.parse(program(name)) for name in PROGRAMS if name != "transformer_24"]
    for module in modules:
        for op in pre_order(module.operation):
            taken = _time_of(op) if op.name.startswith("stablehlo.") and len(found.get(op.name, ())) < 5 else None
            if taken is not None:
                found.setdefault(op.name, []).append(taken)
    print("time per inferred op (median of some of a program)")
    for name, times in sorted(found.items(), key=lambda item: statistics.median(item[1])):
        print(f"  {name:<42}{statistics.median(times) * 1e6:>10.1f} us")
    print(flush=True)


def _time_of(op: Any) -> float | None:
    """Seconds to infer the components of the op's results; None if they do not follow."""
    operands, regions = list(op.operands), list(op.regions)
    attributes = {name: op.attributes[name] for name in op.attributes}
    ask: Callable[[], Any] = lambda: infer_return_type_components(op.name, operands, attributes, regions)  # noqa: E731
    try:
        ask()
    except InferenceError:
        return None
    started = time.process_time()
    for _ in range(TIMES):
        ask()
    return (time.process_time() - started) / TIMES


if __name__ == "__main__":
    main()
