"""`sdy.explicit_patch`: applied by git, the source traces on a mesh of explicit axes, and computes the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding

import sdy
from sdy.patches.patch import Patch
from tests import depth
from tests.unit.patches.sources import HEAD, MESH, SOURCES
from tests.unit.patches.test_patches import git, loaded, repository


@pytest.fixture(autouse=True)
def no_mesh_is_left() -> Iterator[None]:
    """Take back the mesh that a migrated file sets."""
    yield
    jax.set_mesh(Mesh(np.empty((), object), ()))


def migrated(folder: Path, text: str) -> tuple[Any, Any, Patch]:
    """The module before and after the patch is applied, and the patch; the former with what it lowers to."""
    path = repository(folder, text)
    before: Any = loaded(path)
    before.lowered = before.jitted.lower(*before.shapes)
    found = sdy.explicit_patch(before.jitted, before.shapes)
    found.save(folder / "explicit.diff")
    git(folder, "apply", "explicit.diff")
    return before, loaded(path), found


def on_mesh(module: Any, before: Any, arguments: Any) -> Any:
    """Arguments, or their shapes, as they are sharded before, on the mesh of the migrated module."""
    leaves, tree = jax.tree.flatten(arguments)
    shardings = [
        NamedSharding(module.mesh, one.spec) for one in jax.tree.leaves(before.lowered.compile().input_shardings)
    ]
    pairs = zip(leaves, shardings, strict=True)
    if not isinstance(leaves[0], jax.ShapeDtypeStruct):
        return tree.unflatten([jax.device_put(leaf, sharding) for leaf, sharding in pairs])
    return tree.unflatten([jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=one) for leaf, one in pairs])


@pytest.mark.parametrize("name", [*SOURCES] if depth.ALL else ["decode", "scan"])
def test_a_source_lowers_on_explicit_axes(name: str, tmp_path: Path) -> None:
    """What it sends is what it sent, or a note says how much more."""
    before, after, found = migrated(tmp_path, SOURCES[name].sharded())
    again = after.jitted.lower(*on_mesh(after, before, before.shapes))
    assert all(kind.name == "Explicit" for kind in after.mesh.axis_types)
    sent = [sdy.communication(one).bytes_sent for one in (before.lowered, again)]
    told = f"each device sends {sent[1]:,.0f} bytes on explicit axes, {sent[0]:,.0f} before"
    assert found.notes == ((told,) if sent[1] > sent[0] else ())


SMALL = f"""{HEAD}{MESH}
def body(x, w):
    return jnp.tanh(x @ w), None


def step(table, w, tokens, scale):
    x = table[tokens] * scale
    x, _ = jax.lax.scan(body, x, w)
    x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("data", "model")))
    return jnp.cumsum(x, 1) @ table.T


sharded = [NamedSharding(mesh, P(*axes)) for axes in (("data", "model"), (None, "data", "model"), ("data",), ())]
jitted = jax.jit(step, in_shardings=tuple(sharded))
shapes = [jax.ShapeDtypeStruct(dims, kind) for dims, kind in
          (((32, 16), "float32"), ((3, 16, 16), "float32"), ((8,), "int32"), ((16,), "float32"))]
"""


def test_the_same_numbers(tmp_path: Path) -> None:
    before, after, found = migrated(tmp_path, SMALL)
    random = np.random.default_rng(0)
    arguments = [random.normal(size=shape.shape).astype("float32") for shape in before.shapes]
    arguments[2] = random.integers(0, 32, 8).astype("int32")
    result = after.jitted(*on_mesh(after, before, arguments))
    np.testing.assert_allclose(result, before.lowered.compile()(*arguments), rtol=1e-5)
    for edit in (
        "matmul(x, w, out_sharding=P(",
        "table.at[tokens].get(out_sharding=P(",
        "jax.sharding.reshard(x, NamedSharding(mesh, P(",
        "jnp.cumsum(jax.sharding.reshard(x, P(",
    ):
        assert edit in found.text


UNNAMED = """import jax as device
\x0c
from jax import numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = device.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def step(a, b):
    return jnp.cumsum(a, 1) @ b


kinds = NamedSharding(mesh, P(None, "data")), NamedSharding(mesh, P("data"))
jitted = device.jit(step, in_shardings=kinds)
shapes = [device.ShapeDtypeStruct((16, 16), "float32")] * 2
"""
"""The name `jax` is not known in it, and a form feed ends no line of Python."""


def test_a_file_without_the_name_of_jax_imports_it(tmp_path: Path) -> None:
    before, after, found = migrated(tmp_path, UNNAMED)
    assert after.jitted.lower(*on_mesh(after, before, before.shapes)) is not None
    assert "+import jax\n import jax as device\n" in found.text
    assert "+    return jnp.cumsum(jax.sharding.reshard(a, P(" in found.text


def test_names_of_functions_around_are_not_taken(tmp_path: Path) -> None:
    """In a closure, `jax` would be the name that the function around it imports."""
    made = """def made():
    import jax

    def step(a, b):
        return jnp.cumsum(a, 1) @ b

    return step
"""
    text = UNNAMED.replace(UNNAMED[UNNAMED.index("def step") : UNNAMED.index("\n\nkinds")], made)
    module = loaded(repository(tmp_path, text.replace("jit(step", "jit(made()")))
    code = module.jitted.__wrapped__.__code__
    found = sdy.explicit_patch(module.jitted, module.shapes)
    assert "no annotation here gets tracing further" in found.notes[0]
    assert module.jitted.__wrapped__.__code__ is code


def test_functions_made_while_tracing_get_their_own_code(tmp_path: Path) -> None:
    """A cache of the user's may keep one, with the code that tracing was watched with."""
    text = UNNAMED.replace(
        "def step(a, b):",
        """kept = {}


def step(a, b):
    if device.typeof(a).sharding.mesh.axis_types == (AxisType.Explicit,) * 2:
        kept["made"] = lambda: a.ndim + len(b.shape)
        assert kept["made"]() == 4""",
    )
    before, _, found = migrated(tmp_path, text)
    assert "reshard(" in found.text
    assert before.kept["made"]() == 4


def test_what_no_annotation_helps_says_so(tmp_path: Path) -> None:
    """JAX has no rule for ragged products on explicit axes."""
    text = f"""{HEAD}{MESH}
def step(x, w, sizes):
    return jax.lax.ragged_dot(jnp.sort(x, 1), w, sizes)


kinds = tuple(NamedSharding(mesh, P(*axes)) for axes in (("data", "model"), (None, "model"), ()))
jitted = jax.jit(step, in_shardings=kinds)
shapes = [jax.ShapeDtypeStruct(dims, kind)
          for dims, kind in (((8, 16), "float32"), ((2, 16, 16), "float32"), ((2,), "int32"))]
"""
    path = repository(tmp_path, text)
    module = loaded(path)
    found = sdy.explicit_patch(module.jitted, module.shapes)
    assert found.notes[0].startswith(f"{path}:9: no annotation here gets tracing further")
    assert "jnp.sort(jax.sharding.reshard(x, P(" in found.text


def test_backward_errors_lead_to_the_line(tmp_path: Path) -> None:
    """Pooling is padded backward, where what is padded must not be sharded unevenly."""
    text = f"""{HEAD}{MESH}
def loss(x):
    return (jax.lax.reduce_window(x * 2, 0.0, jax.lax.add, (1, 3), (1, 2), "SAME") ** 2).sum()


jitted = jax.jit(jax.grad(loss), in_shardings=NamedSharding(mesh, P(None, "data")))
shapes = [jax.ShapeDtypeStruct((4, 32), "float32")]
"""
    before, after, found = migrated(tmp_path, text)
    x = np.arange(128, dtype="float32").reshape(4, 32)
    result = after.jitted(*on_mesh(after, before, [x]))
    np.testing.assert_allclose(result, before.lowered.compile()(x), rtol=1e-5)
    assert "reduce_window(jax.sharding.reshard(x * 2, P())" in found.text


def test_a_plan_of_a_program_without_a_mesh(tmp_path: Path) -> None:
    """The file gets a mesh, and notes say how arguments are to be handed over."""
    path = repository(tmp_path, SOURCES["mlp"].unsharded())
    before = loaded(path)
    plan = sdy.auto.partition(
        before.jitted.lower(*before.shapes), {"data": 4, "model": 2}, "generic", annotate="arguments"
    )
    found = sdy.explicit_patch(before.jitted, before.shapes, plan)
    found.save(tmp_path / "explicit.diff")
    git(tmp_path, "apply", "explicit.diff")
    after: Any = loaded(path)
    specs = {}
    for note in found.notes:
        if note.startswith("hand over "):
            name, spec = note.removeprefix("hand over ").split(" as P")
            specs[name] = NamedSharding(after.mesh, jax.sharding.PartitionSpec(*ast.literal_eval(f"[{spec[1:-1]}]")))
    assert set(specs) == {"params['up']", "params['down']", "x", "y"}
    params = {"up": specs["params['up']"], "down": specs["params['down']"]}
    shardings = jax.tree.leaves((params, specs["x"], specs["y"]))
    leaves, tree = jax.tree.flatten(tuple(after.shapes))
    pairs = zip(leaves, shardings, strict=True)
    shapes = [jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding) for leaf, sharding in pairs]
    sent = sdy.communication(after.jitted.lower(*tree.unflatten(shapes))).bytes_sent
    planned = sdy.communication(plan.text, options=sdy.PartitionOptions(embedded=True)).bytes_sent
    assert 0 < sent <= 1.6 * planned


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="takes what jax\\.jit returned"):
        sdy.explicit_patch(len, ())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has no mesh"):
        sdy.explicit_patch(jax.jit(lambda x: x), (1.0,))
