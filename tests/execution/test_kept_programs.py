"""Partitioned programs beside JAX's compilation cache: a second start does not partition, unless something differs."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import compilation_cache
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.jax import partitioner
from sdy.jax.caching import keys
from sdy.jax.caching.code_prints import UnknownCode, print_of
from sdy.jax.caching.files import ProgramFiles
from sdy.mlir import users_code

SETTINGS: dict[str, Any] = {
    "jax_persistent_cache_min_compile_time_secs": 0.0,
    "jax_persistent_cache_min_entry_size_bytes": 0,
    "jax_enable_compilation_cache": True,
    "jax_compilation_cache_max_size": -1,
    "jax_compilation_cache_check_contents": False,
    "jax_raise_persistent_cache_errors": False,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A compilation cache, and no rules of users."""
    monkeypatch.setattr(users_code, "_declared", [])
    settings = SETTINGS | {"jax_compilation_cache_dir": str(tmp_path)}
    before = {name: getattr(jax.config, name) for name in settings}
    for name, value in settings.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()
    yield tmp_path
    for name, value in before.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the programs that are partitioned."""
    names: list[str] = []
    real = sdy.partition

    def partition(module: Any, *, filename: str, **options: Any) -> Any:
        names.append(filename)
        return real(module, filename=filename, **options)

    monkeypatch.setattr(sdy, "partition", partition)
    return names


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*-sdy-*-cache"))


def start() -> None:
    """Forgets what a new process does not know."""
    jax.clear_caches()
    partitioner._partitioned_before.cache_clear()


@pytest.fixture
def x(mesh: Mesh) -> jax.Array:
    values = np.arange(128, dtype=np.float32).reshape(8, 16) / 100
    return jax.device_put(values, NamedSharding(mesh, P("data", "model")))


def step(x: jax.Array) -> jax.Array:
    return jnp.tanh(x @ x.T).sum(0)


def jitted(**options: Any) -> Any:
    start()
    return sdy.jax.jit(step, **options)


def test_a_second_start_does_not_partition(folder: Path, made: list[str], x: jax.Array) -> None:
    found, counts = [], []
    uses: list[Callable[[Any], Any]] = [lambda one: one.compile()(x)] * 2 + [lambda one: one.partitioned] * 2
    for number, use in enumerate(uses):
        jax.config.update("jax_enable_compilation_cache", number < 3)
        found.append(use(jitted().lower(x)))  # one line, as of one program that starts several times
        counts.append(len(made))
    assert (counts, len(kept(folder))) == ([1, 1, 1, 2], 1)
    first, again, report, fresh = found
    np.testing.assert_array_equal(first, again)
    assert report == fresh
    assert report.collectives == fresh.collectives != ()
    assert str(sdy.communication(report)) == str(sdy.communication(fresh))


def test_places_in_the_source_count_for_reports(folder: Path, made: list[str], x: jax.Array) -> None:
    jitted()(x)
    moved = jitted().lower(x)
    moved.compile()
    assert len(made) == 1
    assert "test_places_in_the_source_count_for_reports" in moved.partitioned.text
    assert len(made) == 2


def test_options_tell_programs_apart(folder: Path, made: list[str], x: jax.Array) -> None:
    for options in ({}, {"overlap": sdy.Overlap()}, {"overlap": sdy.Overlap(decompose=False)}):
        jitted(**options)(x)
        jitted(**options)(x)
    other = sdy.jax.Partitioner("sdy-partition-pipeline{save-communication=false}")
    jitted(partitioner=other)(x)
    assert len(kept(folder)) == len(made) == 4


def test_another_version_partitions_anew(
    folder: Path, made: list[str], x: jax.Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    jitted()(x)
    monkeypatch.setattr(keys, "_versions", lambda: "another")
    jitted()(x)
    assert len(kept(folder)) == len(made) == 2


def _rule(text: str) -> Callable[[Any], str]:
    return lambda op: text


def test_another_rule_partitions_anew(folder: Path, made: list[str], x: jax.Array) -> None:
    for text in ("i j -> i j", "i j -> i j", "i j -> i k"):
        sdy.sharding_rule(custom_call="a_call_of_this_test")(_rule(text))
        users_code._declared[:] = users_code._declared[-1:]  # what a new process would know
        jitted()(x)
    assert len(kept(folder)) == len(made) == 2


def test_a_rule_that_cannot_be_told_is_warned_of(folder: Path, made: list[str], x: jax.Array) -> None:
    lock = threading.Lock()
    sdy.sharding_rule(custom_call="a_call_of_this_test")(lambda op: "i j -> i j" if lock.locked() else "i j -> i k")
    with pytest.warns(UserWarning, match="'jit_step' is not kept .*, since rules depend on an object of _thread.lock"):
        jitted()(x)
    assert (made, kept(folder)) == (["jit_step"], [])


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-9], lambda data: b"", lambda data: data[:60] + b"x" + data[61:]]
)
def test_a_damaged_entry_is_replaced(
    folder: Path, made: list[str], x: jax.Array, damage: Callable[[bytes], bytes]
) -> None:
    first = jitted()(x)
    (path,) = kept(folder)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    with pytest.warns(UserWarning, match="'jit_step' cannot be read from the compilation cache: it is not what was w"):
        np.testing.assert_array_equal(jitted()(x), first)
    assert len(made) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jitted()(x)
    assert len(made) == 2
    assert path.read_bytes() != damaged


def test_without_a_cache_nothing_is_kept(folder: Path, made: list[str], x: jax.Array) -> None:
    jax.config.update("jax_enable_compilation_cache", False)
    jitted()(x)
    jax.config.update("jax_enable_compilation_cache", True)
    jax.config.update("jax_compilation_cache_dir", None)
    jitted()(x)
    assert (len(made), list(folder.iterdir())) == (2, [])


def test_what_is_quick_is_not_kept(folder: Path, made: list[str], x: jax.Array) -> None:
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 1e6)
    jitted()(x)
    assert kept(folder) == []
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jitted()(x)
    (path,) = kept(folder)
    path.unlink()
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 1e6)
    jitted()(x)  # JAX has its part
    assert kept(folder) == [path]


def test_a_partitioner_of_the_user_is_asked_each_time(folder: Path, made: list[str], x: jax.Array) -> None:
    class Own(sdy.jax.Partitioner):
        pass

    for _ in range(2):
        jitted(partitioner=Own())(x)
    assert (len(made), kept(folder)) == (2, [])


def test_contents_are_compared_if_asked(folder: Path, made: list[str], x: jax.Array) -> None:
    jax.config.update("jax_compilation_cache_check_contents", True)
    for _ in range(2):
        compilation_cache.reset_cache()
        for path in set(folder.glob("*-cache")) - set(kept(folder)):
            path.unlink()  # XLA does not write the same twice
        jitted()(x)
    assert (len(made), len(kept(folder))) == (2, 1)


def test_what_was_used_least_makes_room(tmp_path: Path) -> None:
    pytest.importorskip("filelock")
    files = ProgramFiles(str(tmp_path), max_size=1000)
    for name in "abc":
        files.put(name, bytes(400))
    assert [files.get(name) is not None for name in "abc"] == [False, True, True]
    files.put("d", bytes(1001))
    assert files.get("d") is None
    assert {path.name for path in tmp_path.iterdir()} == {
        ".lockfile",
        *(f"{n}-{k}" for n in "bc" for k in ("cache", "atime")),
    }


PROCESS = """
import sys
import jax, numpy as np
import sdy.jax
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 4)
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(np.ones((8, 4), np.float32), NamedSharding(mesh, P("x", None)))
print(float(sdy.jax.jit(lambda x: (x @ x.T).sum())(x)), "sdy.partition" in sys.modules, "torch_mlir" in sys.modules)
"""


def test_processes_share_what_is_kept(tmp_path: Path) -> None:
    def process() -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", PROCESS, str(tmp_path)], stdout=subprocess.PIPE, text=True)

    both = [process(), process()]
    for one in both:
        out = one.communicate(timeout=120)[0]
        assert (one.returncode, out.split()[0]) == (0, "256.0")
    assert len(kept(tmp_path)) == 1
    # A start that finds the program does without the passes, and without MLIR.
    assert process().communicate(timeout=120)[0].split() == ["256.0", "False", "False"]


# What functions do --------------------------------------------------------------------------------------------------

FACTOR = 3


class Scale:
    def __init__(self, by: int) -> None:
        self.by = by

    def __call__(self, x: int) -> int:
        return self.by * x + FACTOR


def _even(n: int) -> bool:
    return n == 0 or _odd(n - 1)


def _odd(n: int) -> bool:
    return n > 0 and _even(n - 1)


def test_functions_are_told_by_what_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(by: int) -> str:
        scale = Scale(by)
        return print_of(lambda x: scale(x) + int(np.sum(x)), _even, functools.partial(_rule, "i -> i"))

    assert told(2) == told(2) != told(3)
    before = told(2)
    monkeypatch.setitem(globals(), "FACTOR", 4)
    assert told(2) != before
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert told(2) == before
    monkeypatch.setitem(globals(), "_odd", lambda n: True)
    assert told(2) != before


def test_what_has_a_state_of_its_own_cannot_be_told() -> None:
    for thing in (threading.Lock(), iter([1]), lambda: _STATEFUL):
        with pytest.raises(UnknownCode, match="an object of"):
            print_of(thing)


_STATEFUL = iter([1])
