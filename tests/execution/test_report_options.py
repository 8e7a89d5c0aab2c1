"""What users are told of programs that are compiled: warnings, logs, dumps, and reports of what is lowered."""

from __future__ import annotations

import logging
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax


def mesh() -> jax.sharding.Mesh:
    return jax.sharding.Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("data", "model"))


def shardings() -> tuple[NamedSharding, NamedSharding]:
    return NamedSharding(mesh(), P("model", None)), NamedSharding(mesh(), P("data", None))


def program(w: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.tanh(x @ w)


def arguments() -> tuple[jax.Array, jax.Array]:
    return jnp.ones((16, 64)), jnp.ones((32, 16))


def run(report: sdy.jax.ReportOptions) -> None:
    partitioner = sdy.jax.Partitioner(report=report)
    sdy.jax.jit(program, in_shardings=shardings(), partitioner=partitioner)(*arguments())


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "sdy"]


def test_what_is_sent_is_logged_if_that_is_asked_for(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(sdy.jax.ReportOptions())
    assert not messages(caplog)
    run(sdy.jax.ReportOptions(log_communication=True))
    jax.clear_caches()
    monkeypatch.setenv("SDY_LOG_COMMUNICATION", "1")
    run(sdy.jax.ReportOptions())
    first, second = messages(caplog)
    assert first == second
    assert first.startswith("jit_program sends, from each device:\nid  collective ")
    assert "c0  all_reduce" in first and f"{__file__}:{program.__code__.co_firstlineno + 1}:" in first
    assert {record.levelno for record in caplog.records if record.name == "sdy"} == {logging.WARNING}


def passes_in(folder: Path) -> list[str]:
    """What ran on the module, in order."""
    return sorted((path.name for path in folder.glob("*.mlir")), key=lambda name: int(name.split("_")[0]))


def test_the_program_after_passes_that_change_it_is_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(sdy.jax.ReportOptions(dump_ir_to=str(tmp_path / "a")))
    jax.clear_caches()
    monkeypatch.setenv("SDY_DUMP_IR_TO", str(tmp_path / "b"))
    run(sdy.jax.ReportOptions())
    (folder,) = (tmp_path / "a").iterdir()
    names = passes_in(folder)
    assert folder.name == "builtin_module_jit_program"
    assert len(names) > 5 and any("sdy-convert-global-to-local" in name for name in names)
    bodies = [(folder / name).read_text().partition("\n")[2] for name in names]
    assert all(before != after for before, after in zip(bodies, bodies[1:], strict=False))
    assert names == passes_in(tmp_path / "b" / folder.name)
    propagated = next(name for name in names if "sdy-user-priority-propagate" in name)
    assert '[{"data", ?}, {?}]' in (folder / propagated).read_text()


def test_a_folder_that_cannot_be_made() -> None:
    jax.clear_caches()
    with pytest.raises(FileNotFoundError, match="/proc/nowhere"):
        run(sdy.jax.ReportOptions(dump_ir_to="/proc/nowhere"))


def test_warnings_are_at_the_line_of_the_user() -> None:
    call = jax.ffi.ffi_call("nobody_knows_this", jax.ShapeDtypeStruct((8, 8), jnp.float32))
    function = sdy.jax.jit(lambda x: call(x), in_shardings=NamedSharding(mesh(), P("data")))
    with (
        pytest.warns(UserWarning, match="without a known sharding rule") as caught,
        pytest.raises(Exception, match="nobody"),
    ):
        function(jnp.ones((8, 8)))
    assert [one.filename for one in caught if "sharding rule" in str(one.message)] == [__file__]


def test_what_is_lowered_has_the_reports() -> None:
    lowered = sdy.jax.jit(program, in_shardings=shardings()).lower(*arguments())
    assert [one.id for one in lowered.communication().transfers] == ["c0"]
    assert lowered.explain("w")[0].name == "%arg0"
    found = lowered.why("c0")
    assert found.cures[0].text == 'shard argument 0 of @main ("w") as [{}, {"model"}]'
    ways = lowered.compare({"given": {}, "columns": {"w": (None, "model")}})
    named = NamedSharding(mesh(), P(None, "model"))
    others = {"named": named, "spec": named.spec, "ours": sdy.jax.Sharding([None, "model"], mesh())}
    same = lowered.compare({name: {"w": given} for name, given in others.items()} | {"short": {"x": P("model")}})
    assert [same[name].bytes_sent for name in others] == [0, 0, 0]
    with pytest.raises(TypeError, match=r"the mesh axes of each dimension, not 'model'"):
        lowered.compare({"text": {"w": "model"}})  # type: ignore[dict-item]
    other = jax.make_mesh((8,), ("all",), axis_types=(jax.sharding.AxisType.Auto,))
    with pytest.raises(ValueError, match=r'the program has no mesh <\["all"=8\]>'):
        lowered.compare({"other": {"w": sdy.jax.Sharding(["all"], other)}})
    with pytest.raises(TypeError, match=r"explain\(\) takes selectors of values as text"):
        lowered.explain(0)  # type: ignore[arg-type]
    assert ways["columns"].bytes_sent == 0 < ways["given"].bytes_sent == lowered.communication().bytes_sent


def test_each_row_is_at_a_line_and_a_path_of_the_user() -> None:
    """Inside of functions of JAX, which have no line of the user's, and of `shard_map`, which begins paths anew."""

    def norm(x: jax.Array) -> jax.Array:
        return x / jax.lax.psum(x.sum(-1, keepdims=True), "model")

    def loss(w: jax.Array, x: jax.Array) -> dict[str, jax.Array]:
        h = jax.shard_map(norm, mesh=mesh(), in_specs=P("data", "model"), out_specs=P("data", "model"))(x)
        return {"loss": jax.nn.log_softmax(h @ w).sum()}

    split = NamedSharding(mesh(), P(None, "model")), NamedSharding(mesh(), P("data", "model"))
    lowered = sdy.jax.jit(loss, in_shardings=split).lower(jnp.ones((16, 16)), jnp.ones((32, 16)))
    rows = lowered.communication().transfers
    assert len(rows) > 3
    assert [row for row in rows if not row.location.startswith("jit(loss)/")] == []
    assert [row for row in rows if not row.position.startswith(f"{__file__}:")] == []
    assert all(lowered.explain(row.location) for row in rows)
    assert lowered.explain("result['loss']")[0].name == "result 0 of @main"
    alike = sdy.jax.jit(lambda x: sdy.jax.constraint(x, ["data"], mesh=mesh()) + 1).lower(jnp.ones((8, 8)))
    assert alike.explain("jit(<lambda>)/sdy_constraint")[0].what.what == "sdy.sharding_constraint"
    closed = sdy.jax.jit(jnp.tanh, out_shardings=NamedSharding(mesh(), P("data"))).lower(jnp.ones((8, 8)))
    assert '"data" in dimension 0: from result 0 of @main ("result")' in str(closed.explain("x"))


def test_who_tells_has_to_be_one() -> None:
    with pytest.raises(TypeError, match=r"report must be a sdy\.jax\.ReportOptions, not bool"):
        sdy.jax.Partitioner(report=True)  # type: ignore[arg-type]
