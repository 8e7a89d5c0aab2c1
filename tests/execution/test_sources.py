"""Whatever a program comes as: what takes programs takes it, or says what it takes."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.execution
import sdy.jax
from sdy.mlir.diagnostics import DiagnosticError
from sdy.programs.bytecode import bytecode_for_copies

# JAX warns of forks, which its threads may not survive.
pytestmark = pytest.mark.filterwarnings("error:os.fork")

USES: dict[str, Callable[[Any], Any]] = {
    "parse": lambda given: str(sdy.parse(given)),
    "partition": lambda given: [(one.kind, one.axes) for one in sdy.partition(given).collectives],
    "explain": lambda given: len(sdy.explain(given)),
    "communication": lambda given: sdy.communication(given).totals,
}


def product(a: jax.Array, b: jax.Array) -> jax.Array:
    return jnp.sin(a) @ b


@pytest.fixture
def shapes(mesh: Mesh) -> list[jax.ShapeDtypeStruct]:
    shards = [NamedSharding(mesh, spec) for spec in (P("data", "model"), P("model"))]
    return [jax.ShapeDtypeStruct((8, 8), np.float32, sharding=one) for one in shards]


def sources(shapes: list[jax.ShapeDtypeStruct], folder: Path) -> dict[str, Any]:
    """The program, as what it may come."""
    theirs, ours = (jit(product).lower(*shapes) for jit in (jax.jit, sdy.jax.jit))
    text = theirs.as_text()
    (folder / "program.mlir").write_text(text)
    (folder / "program").write_text(text)
    exported = jax.export.export(jax.jit(product))(*shapes)
    bytecode = bytecode_for_copies(sdy.parse(text))
    (folder / "program.mlirbc").write_bytes(bytecode)
    return {
        "text": text,
        "bytes": text.encode(),
        "bytecode": bytecode,
        "bytearray": bytearray(bytecode),
        "path": folder / "program.mlir",
        "name": str(folder / "program.mlir"),
        "name without suffix": str(folder / "program"),
        "bytecode in a file": folder / "program.mlirbc",
        "name of bytecode": str(folder / "program.mlirbc"),
        "lowered by jax": theirs,
        "lowered by sdy": ours,
        "traced by jax": jax.jit(product).trace(*shapes),
        "traced by sdy": sdy.jax.jit(product).trace(*shapes),
        "module of jaxlib": theirs.compiler_ir("stablehlo"),
        "bytecode of jaxlib": bytecode_of(theirs.compiler_ir("stablehlo")),
        "exported": exported,
        "exported and serialized": exported.mlir_module_serialized,
    }


def bytecode_of(module: Any) -> bytes:
    written = io.BytesIO()
    module.operation.write_bytecode(written)
    return written.getvalue()


def test_every_source_is_taken_by_every_use(shapes: list[jax.ShapeDtypeStruct], tmp_path: Path) -> None:
    given = sources(shapes, tmp_path)
    wanted = {use: call(given["text"]) for use, call in USES.items()}
    assert [total.kind for total in wanted["communication"]] == ["all_reduce"]
    for name, source in given.items():
        # Exported programs carry attributes of their own, and the module's name is known to the objects alone.
        uses = USES.keys() - {"parse"} if name.startswith("exported") else USES.keys()
        assert {use: USES[use](source) for use in uses} == {use: wanted[use] for use in uses}, name
    module = sdy.parse(given["text"])
    for use in USES.keys() - {"parse"}:
        assert USES[use](module) == wanted[use], use


def test_where_ops_stand_is_known(shapes: list[jax.ShapeDtypeStruct], tmp_path: Path) -> None:
    given = sources(shapes, tmp_path)
    for name in (
        "lowered by jax",
        "module of jaxlib",
        "traced by sdy",
        "bytecode of jaxlib",
        "exported",
        "exported and serialized",
    ):
        (transfer,) = sdy.communication(given[name]).transfers
        assert transfer.location.endswith("dot_general"), name
    (transfer,) = sdy.communication(given["path"]).transfers
    assert transfer.location.startswith(str(tmp_path / "program.mlir:"))


def test_what_is_partitioned_is_not_partitioned_again(shapes: list[jax.ShapeDtypeStruct], tmp_path: Path) -> None:
    partitioned = sdy.jax.jit(product).lower(*shapes).partitioned
    assert [total.kind for total in sdy.communication(partitioned).totals] == ["all_reduce"]
    for use in (sdy.partition, sdy.parse):
        with pytest.raises(TypeError, match="PartitionedModule: it is partitioned already"):
            use(partitioned)  # pyright: ignore[reportArgumentType]


def test_what_is_no_program_is_refused(shapes: list[jax.ShapeDtypeStruct], tmp_path: Path) -> None:
    jitted = sdy.jax.jit(product)
    wrong: list[tuple[Any, str]] = [
        (None, "not NoneType$"),
        (3, "not int$"),
        ([""], "not list$"),
        (product, "not function$"),
        (jitted, r"PjitFunction: lower it for its arguments, f.lower\(\*arguments\)$"),
        (jitted.lower(*shapes).compile(), r"Compiled: pass what JAX lowered, f.lower\(\*arguments\)$"),
        (np.zeros(3), "not ndarray$"),
    ]
    for value, says in wrong:
        uses: list[Callable[[Any], object]] = [sdy.parse, sdy.partition, sdy.explain]
        if not isinstance(value, jax.stages.Compiled):  # what XLA made is counted
            uses.append(sdy.communication)
        for use in uses:
            with pytest.raises(TypeError, match=says):
                use(value)
    for value in ("module {}", jitted.lower(*shapes), jitted.lower(*shapes).compiler_ir()):
        with pytest.raises(TypeError, match=r"see sdy\.parse"):
            sdy.run(value, "canonicalize")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="this is one already"):
        sdy.parse(sdy.parse("module {}"))  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match=r"a result of sdy\.partition, not Lowered"):
        sdy.execution.compile(jitted.lower(*shapes))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("use", USES)
def test_files_are_read_once(use: str, tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    text = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }"
    threading.Thread(target=path.write_text, args=[text], daemon=True).start()
    done: list[object] = []
    thread = threading.Thread(target=lambda: done.append(USES[use](path)), daemon=True)
    thread.start()
    thread.join(60)
    assert done, "reads it once more"


@pytest.mark.parametrize("use", [sdy.parse, sdy.partition, sdy.explain, sdy.communication])
def test_files_that_cannot_be_read(use: Callable, tmp_path: Path) -> None:
    for missing in (tmp_path / "none", str(tmp_path / "none.mlir"), "none.mlirbc"):
        with pytest.raises(FileNotFoundError, match="none"):
            use(missing)
    with pytest.raises(IsADirectoryError):
        use(tmp_path)
    broken = tmp_path / "broken.mlir"
    for content, says in (
        (b"\xff\xfe", "broken.mlir:1:1: error: is neither"),
        (b"ML\xefR\x01", "broken.mlir:1:1: err"),
    ):
        broken.write_bytes(content)
        with pytest.raises(DiagnosticError, match=says):
            use(str(broken))
    with pytest.raises(DiagnosticError, match=r"^-:1:1: error: custom op 'none' is unknown"):
        use("none")
    with pytest.raises(DiagnosticError, match=r"^-:1:1: error: is neither text nor bytecode"):
        use(b"\xff")


def test_paths_of_any_kind(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text("module @named {}")

    class Somewhere(os.PathLike):
        def __fspath__(self) -> str:
            return str(tmp_path / "m.mlir")

    assert "@named" in str(sdy.parse(Somewhere()))
    assert "@named" in str(sdy.parse(os.fsencode(tmp_path / "m.mlir").decode()))
    assert "@named" in str(sdy.parse("module @named {}"))
