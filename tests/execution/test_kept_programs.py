"""Partitioned programs beside JAX's compilation cache: a second start does not partition, unless something differs."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import threading
import time
import warnings
import zlib
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
from sdy.jax.caching import keys
from sdy.jax.caching.kept_programs import DamagedEntry, ProgramFiles, program_in, written
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


NOTATION = "i j -> i j"


def test_a_changed_global_partitions_anew(
    folder: Path, made: list[str], x: jax.Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdy.sharding_rule(custom_call="a_call_of_this_test")(lambda op: NOTATION)
    for text in ("i j -> i j", "i j -> i k", "i j -> i j"):
        monkeypatch.setitem(globals(), "NOTATION", text)
        jitted()(x)
    assert len(kept(folder)) == len(made) == 2


def test_code_that_may_change_unnoticed_is_run_each_time(folder: Path, made: list[str], x: jax.Array) -> None:
    lock = threading.Lock()
    sdy.sharding_rule(custom_call="a_call_of_this_test")(lambda op: "i j -> i j" if lock.locked() else "i j -> i k")
    message = "'jit_step' is not kept in the compilation cache: your code in it uses 'lock', which may"
    with pytest.warns(UserWarning, match=message) as caught:
        jitted()(x)
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning, match=message):
        jitted()(x)
    jax.config.update("jax_enable_compilation_cache", False)
    jitted()(x)
    assert (made, kept(folder)) == (["jit_step"] * 3, [])


def test_a_rule_that_changes_while_it_is_used_is_not_kept(folder: Path, made: list[str]) -> None:
    """What is kept under the inputs of the start would be of other ones."""

    def call(x: jax.Array) -> jax.Array:
        return jax.ffi.ffi_call("a_call_of_this_test", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    def rule(op: Any) -> str:
        return NOTATION

    sdy.sharding_rule(custom_call="a_call_of_this_test")(rule)
    mesh = jax.make_mesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    shape = jax.ShapeDtypeStruct((8, 8), np.float32, sharding=NamedSharding(mesh, P("x")))
    text = jax.jit(call).lower(shape).compiler_ir("stablehlo")
    assert text is not None

    def partitioned(during: str) -> str:
        original = sdy.partition

        def partition(*given: Any, **options: Any) -> Any:
            globals()["NOTATION"] = during
            return original(*given, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sdy, "partition", partition)
            patch.setitem(globals(), "NOTATION", "i j -> i j")
            return sdy.jax.Partitioner().partition(text).text

    changed, stayed = partitioned("i j -> k j"), partitioned("i j -> i j")
    assert ("all_gather" in changed, "all_gather" in stayed) == (True, False)
    assert made == ["jit_call"] * 2


def test_declarations_that_take_no_part_change_nothing(folder: Path, made: list[str], x: jax.Array) -> None:
    jitted()(x)
    users_code.declared("dialect", ["a_dialect_of_this_test"], lambda context: threading.Lock())
    users_code.declared("sharding rule", ["a_dialect_of_this_test.op"], lambda op: threading.Lock())
    users_code.declared("pass", ["a-pass-of-this-test"], lambda module: threading.Lock())
    jitted()(x)
    assert len(kept(folder)) == len(made) == 1
    users_code.declared("sharding rule", ["stablehlo.tanh"], lambda op: threading.Lock())
    with pytest.warns(UserWarning, match="'threading'|'threading.Lock'"):
        jitted()(x)
    assert len(made) == 2


def test_the_content_of_a_file_counts(folder: Path, made: list[str], x: jax.Array, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("machine") / "machine.json"
    by = sdy.jax.Partitioner(f"sdy-auto-partition{{machine={path} effort=fast}},sdy-partition-pipeline")
    for flops in (1e14, 1e14, 2e14):
        path.write_text(sdy.Machine(flops=flops, bandwidth=1e11).to_json())
        jitted(partitioner=by)(x)
    assert len(kept(folder)) == len(made) == 2


def test_passes_that_write_files_run_each_time(
    folder: Path, made: list[str], x: jax.Array, tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.mktemp("dumps")
    by = sdy.jax.Partitioner(f"sdy-save-module{{directory={path} file-name=before}},sdy-partition-pipeline")
    for _ in range(2):
        jitted(partitioner=by)(x)
        (written_file,) = path.iterdir()
        written_file.unlink()
    assert (len(made), kept(folder)) == (2, [])


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
    with pytest.warns(UserWarning, match="'jit_step' cannot be read from the compilation cache: its contents are not "):
        np.testing.assert_array_equal(jitted()(x), first)
    assert len(made) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jitted()(x)
    assert len(made) == 2
    assert path.read_bytes() != damaged


def test_an_entry_of_another_program_is_not_taken(folder: Path, made: list[str], x: jax.Array) -> None:
    first = jitted()(x)
    start()
    sdy.jax.jit(lambda x: x * 2)(x)
    own, other = sorted(kept(folder), key=lambda path: "jit_step" not in path.name)
    own.write_bytes(other.read_bytes())
    with pytest.warns(UserWarning, match="'jit_step' cannot be read .*: it is that of another program") as caught:
        np.testing.assert_array_equal(jitted()(x), first)
    assert [one.filename for one in caught] == [__file__]
    assert len(made) == 3


def _entry(content: object) -> bytes:
    return _whole(json.dumps(content).encode())


def _whole(content: bytes) -> bytes:
    data = zlib.compress(content)
    return b"sdy program 2\n" + hashlib.sha256(data).digest() + data


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("run",)


def test_an_entry_runs_no_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DamagedEntry, match="it holds no program"):
        program_in(_whole(pickle.dumps(_Runs())), "key")
    assert capsys.readouterr().out == ""


def test_an_entry_holds_a_whole_program(mesh: Mesh, x: jax.Array) -> None:
    program = jitted().lower(x).partitioned
    entry = written(program, "key", "exact")
    assert program_in(entry, "key") == ("exact", program)
    whole = json.loads(zlib.decompress(entry[14 + 32 :]))
    assert program_in(_entry(whole), "key")[1] == program
    for content in (None, [], {"key": "key"}, whole | {"program": None}, whole | {"meshes": []}, whole | {"exact": 3}):
        with pytest.raises(DamagedEntry, match="it holds no program"):
            program_in(_entry(content), "key")
    for name, value in whole["program"].items():
        for wrong in (None, 17, [value], {"x": 1}):
            with pytest.raises(DamagedEntry, match="it holds no program"):
                program = whole["program"] | {name: "x" if wrong == value else wrong}
                program_in(_entry(whole | {"program": program}), "key")


def test_what_killed_processes_had_begun_to_write_is_removed(folder: Path, x: jax.Array) -> None:
    old, new = folder / f".{'0' * 32}-new", folder / f".{'1' * 32}-new"
    for path, age in ((old, 7200), (new, 60)):
        path.write_bytes(b"x")
        then = time.time() - age
        os.utime(path, (then, then))
    jitted()(x)
    assert (old.exists(), new.exists(), len(kept(folder))) == (False, True, 1)


def test_files_edited_since_the_installation_count(tmp_path: Path) -> None:
    """Those of a wheel are known by its RECORD."""
    (tmp_path / "inner").mkdir()
    for name in ("a.py", "inner/b.py"):
        (tmp_path / name).write_text("1")
        os.utime(tmp_path / name, (1000, 1000))
    assert [each.split()[0] for each in keys._times(0, str(tmp_path))] == ["a.py", "inner/b.py"]
    assert list(keys._times(int(1e12), str(tmp_path))) == []
    os.utime(tmp_path / "inner/b.py", (1001, 1001))
    assert list(keys._times(int(1e12), str(tmp_path))) == ["inner/b.py 1 1001000000000"]


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
