"""From a function of JAX to its page: the names are the user's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax


@pytest.mark.usefixtures("built")
def test_the_report_of_a_lowered_function(tmp_path: Path) -> None:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)

    def loss(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        with jax.named_scope("inner"):
            return jnp.sum(jnp.tanh(x @ params["w"]))

    shardings = {"w": NamedSharding(mesh, P("model", None))}, NamedSharding(mesh, P("data"))
    arguments = {"w": jax.ShapeDtypeStruct((16, 32), "float32")}, jax.ShapeDtypeStruct((8, 16), "float32")
    lowered = sdy.jax.jit(jax.grad(loss), in_shardings=shardings).lower(*arguments)

    assert lowered.report(tmp_path / "report.html", machine="h100") == tmp_path / "report.html"
    assert "<title>loss</title>" in (tmp_path / "report.html").read_text()
    found: Any = sdy.page.data(lowered, parts=sdy.page.Parts(cures=0))
    program, plan = found["programs"][0], found["plans"][0]
    assert "params['w']" in program["values"]["called"]
    assert plan["bytes_sent"] == lowered.communication().bytes_sent
    labels = [(node["l"], node.get("phase")) for node in program["tree"][0]["c"]]
    assert ("inner", "fwd") in labels and ("inner", "bwd") in labels
    lines = [text for file, _, text in program["sources"] if file.endswith("test_jax.py")]
    assert 'return jnp.sum(jnp.tanh(x @ params["w"]))' in lines
    assert [one["op"] >= 0 for one in plan["collectives"]] == [True] * plan["ops"]
