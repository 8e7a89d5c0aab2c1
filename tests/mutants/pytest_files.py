"""Runs pytest inside this process, for a record of what each test runs or for the first test that fails."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutants import probe, remembered
from tests.mutants.probe import ROOT

OPTIONS = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--disable-warnings", f"--rootdir={ROOT}"]


def files() -> list[Path]:
    return sorted(ROOT.glob("tests/**/test_*.py"))


class Cheaply:
    """What every run does: answers of the reference are remembered, failures are reported as they are found."""

    def pytest_collection(self) -> None:
        import hypothesis

        from tests.parity import compare

        remembered.remember()
        compare.smallest = lambda case, seed, found, seconds=0.0: found
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile(
            "mutants", hypothesis.settings(), phases=phases, report_multiple_bugs=False
        )
        hypothesis.settings.load_profile("mutants")


@dataclass(eq=False)
class Recorder(Cheaply):
    """Notes of each test that passes how long it takes and which lines it runs."""

    found: list[tuple[str, float, set[tuple[str, int]]]] = field(default_factory=list)
    _caches: list[Any] = field(default_factory=list)
    _outcomes: list[str] = field(default_factory=list)

    def pytest_collection_finish(self) -> None:
        self._caches = [
            one
            for one in gc.get_objects()
            if isinstance(one, functools._lru_cache_wrapper) and (one.__module__ or "").startswith("sdy")
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for cache in self._caches:  # what one test has computed already the next one runs as well
            cache.cache_clear()
        self._outcomes.clear()
        probe.taken()
        started = probe.processor_seconds()
        result = yield
        seconds, lines = probe.processor_seconds() - started, probe.taken()
        if set(self._outcomes) == {"passed"}:
            self.found.append((item.nodeid, seconds, lines))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._outcomes.append(report.outcome)


@dataclass(eq=False)
class Chooser(Cheaply):
    """Runs some tests in the order given, and notes the first that fails."""

    wanted: Sequence[str]
    failed: str = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = {name: number for number, name in enumerate(self.wanted)}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def record(file: Path) -> list[tuple[str, float, set[tuple[str, int]]]]:
    """Test, seconds and lines of all tests in a file that pass."""
    recorder = Recorder()
    options = [option for option in OPTIONS if option != "-x"]
    pytest.main([*options, str(file)], plugins=[recorder])
    return recorder.found


def first_failure(tests: Sequence[str]) -> str:
    """The first of these tests that fails, or nothing."""
    chooser = Chooser(tests)
    files = dict.fromkeys(str(ROOT / name.partition("::")[0]) for name in tests)
    code = pytest.main([*OPTIONS, *files], plugins=[chooser])
    if chooser.failed or code == pytest.ExitCode.OK:
        return chooser.failed
    raise RuntimeError(f"pytest ended with {code!r}")
