"""Types of StableHLO's ops in Python: time per op, and verification of a training step beside the registered dialect.

Inference is timed on ops as builders make them: values and attributes are there, types are asked for. An op is asked
about while nothing is known of the context (cold), and once its types were met before (again).
The second table verifies a whole module: ours does everything that the registered dialect does (`verify_module`
without `upstream`).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sdy
from benchmarks.common import Prepare, Prepared, paired, print_table
from benchmarks.peers import Ours, count_ops
from sdy.mlir import ir, load_chlo, stablehlo
from sdy.mlir.walk import pre_order
from sdy.stablehlo import InferenceError, infer_return_type_components, registry, verify_module
from sdy.stablehlo.types.value_types import kept_types
from tests.data.generate import program
from tests.generators.typed_ops import CASE_GENERATORS, random_case

PROGRAMS = ("transformer_2", "transformer_24", "cnn", "moe")
TIMES = 200
SOME = 5


def main() -> None:
    _inference()
    print_table("verify a module, Python beside C++", [_verification(name) for name in PROGRAMS])


def _verification(name: str) -> Any:
    text = program(name)
    module = Ours().parse(text).operation

    def ours() -> Prepared:
        kept_types.clear()
        return lambda: verify_module(module, upstream=False)

    theirs: Prepare = lambda: lambda: module.verify()  # noqa: E731
    return paired(f"{name}, {count_ops(text):,} ops", ours, theirs, clock=time.process_time)


def _inference() -> None:
    """Microseconds per op and kind of op: over some ops of all programs, then over drawn instances of the other ops."""
    found = _times_in_programs()
    _print_times("time per inferred op (medians)", found)
    _print_times("the same, ops that the programs lack", _times_of_drawn(set(CASE_GENERATORS) - set(found)))


Times = dict[str, list[tuple[float, ...]]]
"""By the name of the op: cold and again, for each instance."""


def _times_in_programs() -> Times:
    found: Times = {}
    modules = [sdy.parse(program(name)) for name in PROGRAMS if name != "transformer_24"]
    for module in modules:
        for op in pre_order(module.operation):
            name = op.name
            if name.startswith("stablehlo.") and len(found.get(name, ())) < SOME:
                taken = _times_of(op, name)
                if taken is not None:
                    found.setdefault(name, []).append(taken)
    return found


def _times_of_drawn(names: Iterable[str]) -> Times:
    found: Times = {}
    context = ir.Context()
    stablehlo.register_dialect(context)
    load_chlo(context)
    context.allow_unregistered_dialects = True
    for name in names:
        for number in range(SOME):
            case = random_case(number, name)
            with case.parts(context) as (operands, attributes, module):
                op = case.create(operands, attributes, module)
                # Where an operand comes from matters for constants only.
                known = [each if "constant" in each.owner.name else each.type for each in op.operands]
                taken = _times_of(op, name, known)
                if taken is not None:
                    found.setdefault(name, []).append(taken)
    return found


def _print_times(title: str, found: Times) -> None:
    print(f"{title:<44}{'cold':>10}{'again':>10}{'goal':>13}")
    medians = [(*(statistics.median(each) for each in zip(*times, strict=True)), name) for name, times in found.items()]
    for cold, again, name in sorted(medians, key=lambda row: row[1]):
        print(f"  {name:<42}{cold * 1e6:>10.1f}{again * 1e6:>10.1f}{_goal(name):>10} us")
    print(flush=True)


def _goal(name: str) -> int:
    """Microseconds: 10 for ops that compute every element by itself, 30 for the rest."""
    known = registry.find(name)
    is_elementwise = known is not None and known.infer is not None and known.infer.__module__.endswith("elementwise")
    return 10 if is_elementwise else 30


def _times_of(op: Any, name: str, known: Sequence[Any] | None = None) -> tuple[float, ...] | None:
    """Seconds to infer the components of its results: cold, and again; None if they do not follow.

    `known` is what is known of its operands, if not the values.
    """
    operands, regions = list(op.operands) if known is None else known, list(op.regions)
    attributes = {name: op.attributes[name] for name in op.attributes}
    ask: Callable[[], Any] = lambda: infer_return_type_components(name, operands, attributes, regions)  # noqa: E731
    try:
        ask()
    except InferenceError:
        return None
    before = (kept_types.clear, lambda: None)
    return tuple(min(_seconds(ask, prepare) for _ in range(TIMES)) for prepare in before)


def _seconds(ask: Callable[[], Any], prepare: Callable[[], None]) -> float:
    prepare()
    started = time.perf_counter()
    ask()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
