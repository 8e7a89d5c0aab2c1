"""The record: which tests there are, how long they take, and which lines each of them runs."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from tests.mutants import lit_files, probe
from tests.mutants.children import Child, run_all
from tests.mutants.probe import LINES, ROOT

IMPORTS = "imports"
FOLDER = ROOT / "build" / "mutants" / "record"
MADE_OF = FOLDER / "fingerprint"


@dataclass(frozen=True)
class Test:
    """A lit file or a test of pytest.

    Attributes:
      name: the file, or the node id.
      seconds: how long it takes.
      lines: bits of the lines that it runs, see `Record.line_bits`.
      breadth: how many these are.
    """

    name: str
    seconds: float
    lines: int
    breadth: int

    @property
    def is_lit(self) -> bool:
        return "::" not in self.name


@dataclass(frozen=True)
class Record:
    """All tests; `numbers` are the bits of files and lines."""

    numbers: dict[tuple[str, int], int]
    tests: tuple[Test, ...]

    def covering(self, path: str, lines: Iterable[int]) -> list[Test]:
        """The tests that run one of the lines, those first that say most in the shortest time."""
        found = [self.numbers[path, line] for line in lines if (path, line) in self.numbers]
        bits = _bits(found)
        every = any(test.name == IMPORTS and test.lines & bits for test in self.tests)
        found_by = (test for test in self.tests if test.name != IMPORTS and (every or test.lines & bits))
        return sorted(found_by, key=partial(_cost, _subject(path)))


def _bits(numbers: Collection[int]) -> int:
    mask = bytearray(max(numbers, default=0) // 8 + 1)
    for number in numbers:
        mask[number // 8] |= 1 << number % 8
    return int.from_bytes(mask, "little")


def _cost(subject: str, test: Test) -> float:
    """Tests of the module come first, then short tests, and of these the ones about little else."""
    cost = (test.seconds + 0.02) * test.breadth
    return cost / 1000 if subject in test.name else cost


def _subject(path: str) -> str:
    """What tests of a module have in their name."""
    file = Path(path)
    return file.parent.name if file.stem == "__init__" else file.stem


def fingerprint() -> str:
    """Of everything that is read: a record is good for as long as this is the same."""
    digest = hashlib.sha256()
    for room in (*probe.ROOMS, "tests", "lit_tests", "examples", "benchmarks"):
        for file in sorted((ROOT / room).rglob("*")):
            if (
                file.suffix in (".py", ".mlir", ".test")
                and file.is_file()
                and "mutants" not in file.relative_to(ROOT).parts
            ):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def load() -> Record:
    """The record of all tests that have been run, with this state of the source or with another one."""
    numbers: dict[tuple[str, int], int] = {}
    tests = []
    for part in sorted(FOLDER.glob("*.pickle")):
        for name, seconds, lines in pickle.loads(part.read_bytes()):
            bits = _bits({numbers.setdefault(line, len(numbers)) for line in lines})
            tests.append(Test(name, seconds, bits, len(lines)))
    numbers = {(os.path.relpath(file, ROOT), line): number for (file, line), number in numbers.items()}
    return Record(numbers, tuple(sorted(tests, key=lambda test: test.name)))


def make(jobs: int) -> None:
    """Runs the tests that have not been run since source or tests changed, and keeps what each of them runs."""
    from tests.mutants import pytest_files

    started = time.monotonic()
    present = fingerprint()
    if not (MADE_OF.exists() and MADE_OF.read_text() == present):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        MADE_OF.write_text(present)
    lit = lit_files.files()
    tasks = {IMPORTS: _imports} | {f"lit-{start}": partial(_lit, lit[start::8]) for start in range(8)}
    tasks |= {f"{file.parent.name}-{file.stem}": partial(_pytest, file) for file in pytest_files.files()}
    files = {FOLDER / f"{name}.pickle": task for name, task in tasks.items()}
    run_all([Child(partial(_dump, task, file), 7200) for file, task in files.items() if not file.exists()], jobs)
    lacking = [file.stem for file in files if not file.exists()]
    if lacking:
        raise RuntimeError(f"no record of {', '.join(lacking)}")
    print(f"recorded what tests run in {time.monotonic() - started:.0f} s", flush=True)


_Found = list[tuple[str, float, set[tuple[str, int]]]]


def _dump(task: Callable[[], _Found], file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ[LINES] = folder
        found = pickle.dumps(task())
        file.with_suffix(".part").write_bytes(found)
        file.with_suffix(".part").rename(file)


def _pytest(file: Path) -> _Found:
    from tests.mutants import pytest_files

    probe.record()
    return pytest_files.record(file)


def _lit(files: list[Path]) -> _Found:
    import_tools()
    found: _Found = []
    with tempfile.TemporaryDirectory() as scratch:
        runner = lit_files.Runner(Path(scratch), 120, probe.record, probe.write)
        for file in files:
            started = probe.processor_seconds()
            passed = runner.passes(file)
            seconds, lines = probe.processor_seconds() - started, probe.gathered()
            if passed:
                found.append((str(file.relative_to(ROOT)), seconds, lines))
    return found


def _imports() -> _Found:
    """Not a test: the lines that run whenever the tools are imported."""
    probe.record()
    import_tools()
    return [(IMPORTS, 0.0, probe.taken())]


@cache
def import_tools() -> None:
    """The modules that lit files run, in this process, for all that are forked from it."""
    from sdy.tools import sdy_opt, sdy_run

    for module in (sdy_opt, sdy_run):
        assert module
