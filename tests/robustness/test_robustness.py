"""Damaged modules, and ones that are extreme, are read or refused in time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.depth import seeds
from tests.robustness.inputs import damaged_module, damaged_run
from tests.robustness.mpmd_inputs import damaged_mpmd_run
from tests.robustness.worker import Run, Worker

_PART = 500
"""Inputs per test."""

_SEEDS = seeds(500, 20_000)

_NESTED = 'sdy.named_computation<"a">() () {\n'
_EXTREME = {
    "empty": b"",
    "blank": b" \n\t\n",
    "null": b"\0",
    "not UTF-8": b'module attributes {sdy.x = "\xff\xfe"} {}',
    "a byte order mark": b"\xef\xbb\xbfmodule {}",
    "an open string": b'module attributes {sdy.x = "sdy.reshard',
    "open brackets": b"[" * 100_000,
    "an attribute of open brackets": b"module attributes {sdy.x = #sdy.sharding" + b"<" * 20_000,
    "a deep attribute": b"module attributes {sdy.x = " + b"[" * 500 + b"#sdy.mesh<[]>" + b"]" * 500 + b"} {}",
    "deep computations": f"func.func @f() {{ {_NESTED * 400}{'sdy.return } : () -> () ' * 400} return }}".encode(),
    "open computations": f"func.func @f() {{ {_NESTED * 2000}".encode(),
    "a long line": b"sdy.mesh @m = <[" + b", ".join(b'"a%d"=1' % i for i in range(20_000)) + b"]>",
    "many quotes": b'"' * 99_999,
    "many comments": b'// sdy.reshard "\n' * 50_000,
    "many names": b"sdy." * 100_000,
    "many attributes": b"#sdy." * 100_000,
    "a large number": b'sdy.mesh @m = <["a"=' + b"9" * 10_000 + b"]>",
    "a large factor": b"module attributes {sdy.x = #sdy.op_sharding_rule<([z_" + b"9" * 5_000 + b"])->([])>} {}",
}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    one = Worker()
    yield one
    one.stop()


@pytest.mark.parametrize("name", _EXTREME)
def test_extreme_input_is_read_or_refused(worker: Worker, name: str) -> None:
    assert worker.run(_EXTREME[name]) is None


@pytest.mark.parametrize("part", [_SEEDS[i : i + _PART] for i in range(0, len(_SEEDS), _PART)], ids=str)
def test_damaged_modules_are_read_or_refused(worker: Worker, part: range) -> None:
    for seed in part:
        problem = worker.run(damaged_module(seed), as_tool=seed % 50 == 0)
        if problem is not None:
            again = f"Again: .venv/bin/python -m tests.robustness --seed {seed}"
            pytest.fail(f"the input of seed {seed}: {problem}\n{again}", pytrace=False)


@pytest.mark.parametrize("part", [_SEEDS[i : i + _PART] for i in range(0, len(_SEEDS), _PART)], ids=str)
def test_passes_take_or_refuse_damaged_modules(worker: Worker, part: range) -> None:
    """Verified or not: no exception but those that report an error, and every error has a place."""
    _run_all(worker, part, damaged_run, ".venv/bin/python -m tests.robustness --passes --seed {seed}")


_MPMD_SEEDS = seeds(80, 2_000)


@pytest.mark.parametrize("part", [_MPMD_SEEDS[i : i + _PART] for i in range(0, len(_MPMD_SEEDS), _PART)], ids=str)
def test_passes_of_several_meshes_take_or_refuse_damaged_modules(worker: Worker, part: range) -> None:
    """The same with options, right and wrong ones."""
    _run_all(
        worker, part, damaged_mpmd_run, "SDY_SEED={seed} pytest tests/robustness/test_robustness.py -k several_meshes"
    )


def _run_all(worker: Worker, part: range, draw: Callable[[int], tuple[bytes, Run]], again: str) -> None:
    """Run the passes of each seed on its module; fail with how to run it again."""
    for seed in part:
        data, run = draw(seed)
        problem = worker.run(data, run=run)
        if problem is not None:
            text = f"the input of seed {seed}, {run}: {problem}\nAgain: {again.format(seed=seed)}"
            pytest.fail(text, pytrace=False)
