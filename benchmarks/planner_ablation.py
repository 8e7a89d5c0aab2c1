"""Each mechanism of the planner left out in turn: the step, the bytes and the time of planning without it.

    python -m benchmarks.planner_ablation                       # all programs: two hours
    python -m benchmarks.planner_ablation mlp moe --without "orders of axes" "two forms"
    python -m benchmarks.planner_ablation --save figures.json
    python -m benchmarks.planner_ablation --load figures.json   # the table of saved figures

Programs are those of `auto_partitioning`, and those of tests/data and `benchmarks.programs` without their shardings.
Each is planned on 4x2 devices with equal links without a limit of memory, for the least of some parts of the memory
that this takes, and on 2x4 with a slow outer axis. A mechanism that a plan does not reach is not left out of it. A row
says for how many programs the measured step is at least 1 % longer without it (the worst ratio), for how many shorter
(the best ratio), for how many no plan is found, and how much of the planning time is left.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jax

import sdy
from benchmarks.auto_partitioning.measured import MESHES
from benchmarks.auto_partitioning.programs import PROGRAMS
from benchmarks.programs.registry import TOO_LARGE, load
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.passes.auto import carrying_out, planner
from sdy.passes.auto.search import limited_search, op_profiles, problem, reshard_prices
from sdy.passes.auto.search.graph_reader import _Reader
from sdy.passes.auto.search.memory_model import MemoryModel
from sdy.passes.auto.search.problem import Problem
from sdy.passes.auto.search.problem_tables import Deliveries
from sdy.passes.partitioning.reshard_planning import reshard_plan
from sdy.report.text_table import columns
from tests.data.generate import names as data_names
from tests.data.generate import program as data_program

PARTS = (0.6, 0.7, 0.8, 0.9, 0.95)
"""Parts of a plan's memory that may be its limit."""

WORTH = 1.01
"""Ratio from which a step counts as longer."""


def _nothing(*given: object, **options: object) -> None:
    return None


def _none(*given: object, **options: object) -> tuple[()]:
    return ()


def _one(*given: object, **options: object) -> bool:
    return False


def _in_turns(self: Problem, domains: Any, incumbent: Any) -> Any:
    return self._solve_in_turns(domains, incumbent)


def _incumbent(self: Problem, states: Any, axis: str) -> Any:
    return states


Place = tuple[Any, str, Any]

MECHANISMS: dict[str, Sequence[Place]] = {
    "orders of axes": [(limited_search, "ORDERS", 1)],
    "mixes of plans": [(limited_search, "_mix", _nothing)],
    "exploring with priced memory": [(limited_search, "explore", _nothing)],
    "plans split at an op": [(limited_search.LimitedSearch, "_split", _nothing)],
    "plans cut at an op": [(limited_search.LimitedSearch, "_cut", _nothing)],
    "least price that fits": [(limited_search, "_RATIO", math.inf)],
    "followers in wide programs": [(Problem, "_solve_wide", _in_turns)],
    "start like another axis": [(Problem, "_like_another", _incumbent)],
    "turns in wide programs": [(problem, "_TURNS", 1)],
    "latency-bound programs": [(planner, "is_latency_bound", _one)],
    "plans for several limits": [(limited_search.LimitedSearch, "descend_limits", _nothing)],
    "measured where none is predicted to fit": [(planner, "fitting_of_all", _nothing)],
    "plans besides": [(planner._Planner, "_besides", _none)],
    "full form of the best": [(carrying_out.CarryingOut, "in_full", _nothing)],
    "program as given": [(planner, "mesh_of_program", _nothing)],
    "lowered limits": [(planner, "_ATTEMPTS", 1)],
    "lenient limit": [(planner, "_LENIENT", 1)],
    "two forms": [(carrying_out, "_BEST", ("values",))],
    "equal ops merged": [(planner, "equal_subgraphs", lambda snapshot: {})],
    "layout before a constraint": [(carrying_out, "_is_there", _one)],
    "shared copies": [(_Reader, "_share_copies", _nothing)],
    "exchanges": [(op_profiles, "exchanged_factors", _none)],
    "what is stored": [(reshard_prices.ReshardPrices, "stored_seconds", lambda *given: 0.0)],
    "sums in place of reshards": [(Deliveries, "_sum", _nothing)],
    "memory of a copy for all": [(MemoryModel, "_copies_for_all", lambda self: {})],
    "spared permutes": [(reshard_plan, "reordered_dim", _nothing)],
}


def programs() -> dict[str, Callable[[], str]]:
    """Return what makes the text of each program."""
    found: dict[str, Callable[[], str]] = {name: lambda make=make: make().text() for name, make in PROGRAMS.items()}
    for name in data_names():
        if not name.endswith(TOO_LARGE) and name != "custom_partitioning":
            found[f"data {name}"] = lambda name=name: _free(data_program(name))
    for name, lower in load().items():
        if name not in data_names():
            found[f"programs {name}"] = lambda lower=lower: _free(lower().as_text())
    return found


def _free(text: str) -> str:
    """Return a program that says nothing of its arguments and results."""
    text = re.sub(r"sdy\.sharding = #sdy\.sharding<[^>]*>, ", "", text)
    return re.sub(r"(, )?sdy\.sharding = #sdy\.sharding<[^>]*>", "", text)


@contextmanager
def _without(places: Sequence[Place]) -> Iterator[None]:
    with ExitStack() as stack:
        for owner, name, value in places:
            stack.enter_context(patch.object(owner, name, value))
        yield


@contextmanager
def _watched(mechanisms: dict[str, Sequence[Place]]) -> Iterator[set[str]]:
    """Yield the mechanisms that are reached; those that are no functions count as reached."""
    reached: set[str] = set()
    with ExitStack() as stack:
        for title, places in mechanisms.items():
            for owner, name, _ in places:
                original = getattr(owner, name)
                if isinstance(original, type) or not callable(original):
                    reached.add(title)
                    continue

                def counting(*given: Any, _of: Any = original, _title: str = title, **options: Any) -> Any:
                    reached.add(_title)
                    return _of(*given, **options)

                stack.enter_context(patch.object(owner, name, counting))
        yield reached


def planned(text: str, mesh: str, limit: float, options: dict[str, Any]) -> dict[str, float] | None:
    """Return the figures of the plan that is found; None if none is."""
    sizes, machine = MESHES[mesh]
    module = sdy.parse(text)
    given = sizes if "sdy.mesh" not in text else None
    started = time.process_time()
    try:
        with collecting(lambda _: None):
            plan = sdy.auto.partition(module, given, machine, memory_limit=limit, **options)
    except DiagnosticError:
        return None
    spent = time.process_time() - started
    cost = plan.cost
    return {"step": cost.step, "sent": cost.bytes_sent, "memory": cost.memory, "seconds": spent}


def measure(
    text: str, wanted: Sequence[str], kinds: Sequence[str], options: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the figures of each setting, and those without each mechanism."""
    mechanisms = {name: places for name, places in MECHANISMS.items() if name in wanted}
    for kind in kinds:
        mesh = "slow" if kind == "slow" else "4x2"
        limit = least_limit(text, options) if kind == "limited" else math.inf
        with _watched(mechanisms) as reached:
            planned(text, mesh, limit, options)  # the first plan of a process takes longer
        whole = planned(text, mesh, limit, options)
        without = {}
        for name in wanted:
            if name in reached:
                with _without(mechanisms[name]):
                    without[name] = planned(text, mesh, limit, options)
        yield {"kind": kind, "limit": limit, "whole": whole, "without": without}


def least_limit(text: str, options: dict[str, Any]) -> float:
    """Return the least of some parts of a plan's memory for which there is a plan as well."""
    whole = planned(text, "4x2", math.inf, options)
    assert whole is not None, "without a limit there is a plan"
    limits = (part * whole["memory"] for part in PARTS)
    return next((limit for limit in limits if planned(text, "4x2", limit, options) is not None), whole["memory"])


def table(settings: Sequence[dict[str, Any]]) -> str:
    """Return a row for each mechanism."""
    rows: list[tuple[str, ...]] = [("mechanism", "programs", "longer", "shorter", "no plan", "bytes", "time")]
    for name in dict.fromkeys(name for one in settings for name in one["without"]):
        of = [one for one in settings if name in one["without"]]
        longer, shorter, more, lost = {}, {}, {}, set()
        spent = before = 0.0
        for one in of:
            whole, without = one["whole"], one["without"][name]
            if whole is None:
                continue
            if without is None:
                lost.add(one["program"])
                continue
            spent, before = spent + without["seconds"], before + whole["seconds"]
            program, ratio = one["program"], without["step"] / whole["step"]
            if ratio > WORTH:
                longer[program] = max(ratio, longer.get(program, 1.0))
            if ratio < 1 / WORTH:
                shorter[program] = min(ratio, shorter.get(program, 1.0))
            sent = without["sent"] / whole["sent"] if whole["sent"] else 1.0
            if sent > WORTH:
                more[program] = max(sent, more.get(program, 1.0))
        cells = [_extreme(longer, max), _extreme(shorter, min), str(len(lost)), _extreme(more, max)]
        rows.append((name, str(len({one["program"] for one in of})), *cells, f"{spent / before if before else 1:.2f}"))
    return columns(rows)


def _extreme(ratios: dict[str, float], pick: Callable[..., float]) -> str:
    return f"{len(ratios)} ({pick(ratios.values()):.2f})" if ratios else "0"


def main() -> None:
    """Measure, or read saved figures, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--without", nargs="*")
    parser.add_argument("--effort", default="default")
    parser.add_argument("--verify", type=int, default=1, help="0: only predicted, which shows the search")
    parser.add_argument("--kinds", nargs="*", default=("4x2", "slow", "limited"))
    parser.add_argument("--save", type=Path)
    parser.add_argument("--load", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", 8)
    settings = [one for path in given.load for one in json.loads(path.read_text())]
    if not given.load:
        known = programs()
        wanted = given.without or [*MECHANISMS]
        for name in given.programs or known:
            text = known[name]()
            options = {"effort": given.effort, "verify": given.verify}
            for one in measure(text, wanted, given.kinds, options):
                settings.append({"program": name, **one})
                if given.save:
                    given.save.write_text(json.dumps(settings))
            print(name, flush=True)
    print(table(settings))


if __name__ == "__main__":
    main()
