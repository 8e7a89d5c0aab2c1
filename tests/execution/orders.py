"""The same programs alone, in order, in reversed order and from four threads: what is said of each has to be the same.

python -m tests.execution.orders --all    # with every module of the lit tests and every JAX program

Each way is gone in a process of its own, which comes from one that has loaded everything and seen no program but one
without ops.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import sdy
from sdy.mlir import ir, per_context
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, collecting
from sdy.passes.registry import passes
from sdy.programs import parsing
from tests.data.generate import names, program

LIT = Path(__file__).parents[2] / "lit_tests"

SAYING = (
    "overlap/place_hlo_async.mlir",
    "passes/executable/expand_custom_partitioning.mlir",
    "passes/exporting/insert_explicit_reshards_errors.mlir",
    "passes/interchange/import_sdy_custom_calls.mlir",
    "passes/partitioning/asynchronous_moves.mlir",
    "passes/propagation/composite.mlir",
    "passes/propagation/sharding_groups_conflict.mlir",
)
"""Lit tests with modules that are warned about, remarked upon or refused, alone or by several passes."""

JAX = ("mlp_fsdp", "while_cond")

Told = tuple[str, ...]
"""The text that became of a program, and everything that was said about it."""
Programs = Mapping[str, str]
Way = Callable[[Programs], dict[str, set[Told]]]


def programs(*, every: bool) -> Programs:
    files = [LIT.rglob("*.mlir")] if every else [LIT.glob(each) for each in SAYING]
    found = dict(_modules(chain.from_iterable(map(sorted, files))))
    return found | {name: program(name) for name in (names() if every else JAX)}


def _modules(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for path in files:
        for number, text in enumerate(path.read_text(encoding="utf-8").split("// -----")):
            if "func" in text:
                yield f"{path.relative_to(LIT)} {number}", text


def told(text: str, context: ir.Context | None = None) -> Told:
    """What `sdy.partition` and the propagation pipeline make of a program, and what they say."""
    return (*_told(lambda: _partitioned(text, context)), *_told(lambda: _propagated(text, context)))


def _told(work: Callable[[], Told]) -> Told:
    try:
        return work()
    except (DiagnosticError, ValueError) as error:
        return (type(error).__name__, str(error))


def _partitioned(text: str, context: ir.Context | None) -> Told:
    found = sdy.partition(text, context=context)
    return (found.text, *map(_line, (*found.warnings, *found.remarks)))


def _propagated(text: str, context: ir.Context | None) -> Told:
    said: list[str] = []
    with collecting(lambda each: said.append(_line(each))):
        module = sdy.parse(text, context=context)
        sdy.run(module, "sdy-propagation-pipeline")
    return (sdy.print_module(module), *said)


def _line(said: Diagnostic) -> str:
    return f"{said.severity.value}: {said}"


# Ways ------------------------------------------------------------------------------------------------


def in_order(found: Programs) -> dict[str, set[Told]]:
    return {name: {told(text)} for name, text in found.items()}


def reversed_order(found: Programs) -> dict[str, set[Told]]:
    return in_order(dict([*found.items()][::-1]))


def _shared_context() -> ir.Context:
    """Return a context that takes what a program without a context may hold."""
    return sdy.make_context(allow_unregistered_dialects=True)


def in_one_context(found: Programs) -> dict[str, set[Told]]:
    context = _shared_context()
    return {name: {told(text, context)} for name, text in found.items()}


def reversed_in_one_context(found: Programs) -> dict[str, set[Told]]:
    return in_one_context(dict([*found.items()][::-1]))


def in_threads(found: Programs) -> dict[str, set[Told]]:
    """Two threads go through the programs from the front, two from behind, one of either in a shared context."""
    outcomes: dict[str, set[Told]] = {name: set() for name in found}
    failures: list[BaseException] = []
    context, start = _shared_context(), threading.Barrier(4)

    def work(order: Sequence[str], context: ir.Context | None) -> None:
        start.wait()
        try:
            for name in order:
                outcomes[name].add(told(found[name], context))
        except BaseException as error:  # noqa: BLE001 - raised again by the main thread
            failures.append(error)

    orders = ([*found], [*found][::-1])
    threads = [threading.Thread(target=work, args=(order, each)) for order in orders for each in (None, context)]
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(switching)
    for error in failures:
        raise error
    return outcomes


WAYS: tuple[Way, ...] = (in_order, reversed_in_one_context, in_one_context, reversed_order, in_threads)


def in_a_process(way: Way, found: Programs) -> dict[str, set[Told]]:
    """What comes of a way in a copy of this process, and what it keeps for contexts that are gone."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)

    def work() -> None:
        sender.send(way(found))
        parsing.forget_idle()
        gc.collect()
        sender.send(per_context.count())

    child = fork.Process(target=work)
    child.start()
    sender.close()
    try:
        outcomes, kept = receiver.recv(), receiver.recv()
    except EOFError:
        child.join()
        raise RuntimeError(f"{way.__name__} of {[*found][:3]} ... ended with {child.exitcode}") from None
    child.join()
    if kept:
        raise RuntimeError(f"{way.__name__}: {kept} objects are kept for contexts that are gone")
    return outcomes


# ------------------------------------------------------------------------------------------------------


def differences(found: Programs, ways: Sequence[Way]) -> Iterator[str]:
    alone = {name: in_a_process(in_order, {name: text})[name] for name, text in found.items()}
    lines = [line for each in alone.values() for one in each for line in one]
    counts = [sum(line.startswith(kind) for line in lines) for kind in ("warning:", "remark:", "Diagnostic")]
    print(f"{len(found)} programs alone: {counts[0]} warnings, {counts[1]} remarks, {counts[2]} refused")
    if min(counts) < 10:
        yield f"too little is said to find anything: {counts}"
    for way in ways:
        outcomes = in_a_process(way, found)
        for name, text in alone.items():
            if outcomes[name] != text:
                yield "\n".join([f"{way.__name__}: {name}", *chain.from_iterable(outcomes[name] ^ text)])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every module of the lit tests, every JAX program")
    options = parser.parse_args(arguments)
    passes()
    told("func.func @main() { return }")
    gc.collect()
    gc.freeze()
    found = [*differences(programs(every=options.all), WAYS if options.all else WAYS[2:])]
    print(*found, sep="\n\n")
    print(f"{len(found)} differences")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
