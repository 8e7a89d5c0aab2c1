"""`sdy.patch`: applied by git, the source lowers to the program that was planned, by plain `jax.jit`."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import pytest

import sdy
from sdy.mlir.walk import pre_order
from sdy.patches.patch import Patch
from sdy.patches.source_edits import SourceFile
from tests import depth
from tests.unit.patches.sources import CONSTRAINED, SOURCES

_numbers = count()


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"patched_{next(_numbers)}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lowered(path: Path) -> jax.stages.Lowered:
    module = loaded(path)
    return module.jitted.lower(*module.shapes)


def git(folder: Path, *arguments: str) -> None:
    found = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert not found.returncode, found.stderr


def repository(folder: Path, text: str) -> Path:
    git(folder, "init", "-q", ".")
    path = folder / "package" / "step.py"
    path.parent.mkdir()
    path.write_text(text)
    return path


def applied(path: Path, patch: Patch) -> jax.stages.Lowered:
    file = path.parents[1] / "shardings.diff"
    patch.save(file)
    git(path.parents[1], "apply", file.name)
    return lowered(path)


def shardings(module: Any) -> list[list[str | None]]:
    """Of the arguments and results of a program, without unsharded dimensions at the end."""
    main = next(func for func in sdy.funcs(module) if str(func.attributes["sym_name"]) == '"main"')
    ins = [sdy.get_sharding(value) for value in main.regions[0].blocks[0].arguments]
    outs = [
        sdy.get_result_sharding(main, index) for index in range(len(main.attributes["function_type"].value.results))
    ]
    return [[None if one is None else str(one.with_mesh("m").close()) for one in values] for values in (ins, outs)]


NAMES = [*SOURCES] if depth.ALL else ["mlp", "convolution"]


@pytest.mark.parametrize("name", NAMES)
def test_a_plan(name: str, tmp_path: Path) -> None:
    """Where values of a plan have no place in the source, one of arguments and results alone has."""
    path = repository(tmp_path, SOURCES[name].unsharded())
    before = lowered(path)
    for annotate in ("minimal", "arguments"):
        plan = sdy.auto.partition(before, {"data": 4, "model": 2}, "generic", annotate=annotate)
        found = sdy.patch(before, plan)
        if not found.notes:
            break
    assert not found.notes
    after = applied(path, found)
    embedded = sdy.PartitionOptions(embedded=True)  # as what JAX lowers
    assert sdy.communication(after).bytes_sent <= sdy.communication(plan.text, options=embedded).bytes_sent
    assert shardings(sdy.parse(after.as_text())) == shardings(sdy.parse(plan.text))


def test_keys_that_are_numbers(tmp_path: Path) -> None:
    path = repository(tmp_path, SOURCES["mlp"].unsharded().replace('"up"', "0").replace('"down"', "1"))
    before = lowered(path)
    found = sdy.patch(before, sdy.auto.partition(before, {"data": 4, "model": 2}, "generic", annotate="arguments"))
    assert "0: NamedSharding(" in found.text
    assert any(axes is not None for axes in shardings(sdy.parse(applied(path, found).as_text()))[0])


def test_lines_keep_their_ends(tmp_path: Path) -> None:
    path = repository(tmp_path, SOURCES["mlp"].unsharded())
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = lowered(path)
    plan = sdy.auto.partition(before, {"data": 4, "model": 2}, "generic", annotate="arguments")
    after = applied(path, sdy.patch(before, plan))
    assert shardings(sdy.parse(after.as_text())) == shardings(sdy.parse(plan.text))
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")


def test_a_cure_where_classes_have_other_names(tmp_path: Path) -> None:
    text = re.sub(
        "from jax.sharding.*|specs = .*|params = .*",
        lambda found: {
            "f": "from jax.sharding import AxisType, NamedSharding as Placed, PartitionSpec\n\nSpec = PartitionSpec",
            "s": 'layer = Placed(mesh, Spec(None, "model"))',
            "p": 'params = {"up": layer, "down": Placed(mesh, Spec(None, "model"))}',
        }[found[0][0]],
        SOURCES["mlp"].sharded(),
    ).replace('NamedSharding(mesh, P("data"))', 'Placed(mesh, Spec("data"))')
    before = lowered(repository(tmp_path, text))
    cure = sdy.cure(before)
    found = sdy.patch(before, cure)
    assert cure.cures
    assert found.text
    assert not found.notes
    assert "jax.sharding" not in "".join(line for line in found.text.splitlines() if line.startswith("+"))


@pytest.mark.parametrize("name", NAMES)
def test_a_cure(name: str, tmp_path: Path) -> None:
    text = SOURCES[name].sharded()
    if name == "constraint":
        text = text.replace('hidden = jax.nn.gelu(x @ params["up"])', CONSTRAINED)
    path = repository(tmp_path, text)
    before = lowered(path)
    cure = sdy.cure(before)
    assert cure.cures
    found = sdy.patch(before, cure)
    after = applied(path, found)
    assert all("the gradient of" in note for note in found.notes)  # no expression of the source is that value
    sent, step = sdy.communication(after).bytes_sent, sdy.auto.estimate(after, "generic").step
    assert sent < cure.before.bytes_sent or step < cure.before.step
    assert found.notes or sent == cure.after.bytes_sent or step == cure.after.step
    assert len(found.text.splitlines()) < 40


def patched(folder: Path, text: str, changed: str) -> Patch:
    """The patch from one source to another one that lowers to the same values."""
    first, second = repository(folder, text), folder / "package" / "other.py"
    second.write_text(changed)
    return sdy.patch(lowered(first), lowered(second).as_text(debug_info=True).replace("other.py", "step.py"))


LOOP = """import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((8,), ("x",), axis_types=(AxisType.Auto,))


@jax.jit
def jitted(weights, x):
    first = True
    for w in weights:
        x = jnp.tanh(x @ w)
        y = x * 2
        {edit}
        first = False
    return jax.nn.gelu(x)


shapes = [jax.ShapeDtypeStruct((64, 64), "float32")] * 2, jax.ShapeDtypeStruct((64, 64), "float32")
"""


def test_a_line_that_makes_several_values_says_so(tmp_path: Path) -> None:
    edit = 'x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("x"))) if first else x'
    found = patched(tmp_path, LOOP.format(edit="pass"), LOOP.format(edit=edit))
    assert not found.text
    assert any('`jnp.tanh(x @ w)` makes 2 values, 1 of which are to be P("x")' in note for note in found.notes)
    assert str(found).startswith("# ")


def test_a_line_that_makes_values_of_several_types_says_so(tmp_path: Path) -> None:
    """Layers of other sizes are values of the line, too."""
    other = LOOP.replace(
        '[jax.ShapeDtypeStruct((64, 64), "float32")] * 2',
        '[jax.ShapeDtypeStruct((64, n), "float32") for n in (64, 32)]',
    )
    edit = 'x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("x"))) if first else x'
    found = patched(tmp_path, other.format(edit="pass"), other.format(edit=edit))
    assert not found.text
    assert any('`jnp.tanh(x @ w)` makes 2 values, 1 of which are to be P("x")' in note for note in found.notes)


def test_a_decorator_and_a_file_without_a_mesh(tmp_path: Path) -> None:
    text = LOOP.format(edit="pass").replace(
        'mesh = jax.make_mesh((8,), ("x",), axis_types=(AxisType.Auto,))\n\n\n', "\n"
    )
    path = repository(tmp_path, text)
    plan = sdy.auto.partition(lowered(path), {"x": 8}, "generic", annotate="arguments")
    found = sdy.patch(lowered(path), plan)
    assert "+@jax.jit(in_shardings=" in found.text and "+mesh = jax.make_mesh((8,), (" in found.text
    assert sdy.communication(applied(path, found)).bytes_sent == sdy.communication(plan.text).bytes_sent


def test_what_cannot_be_patched(tmp_path: Path) -> None:
    path = repository(tmp_path, SOURCES["head"].unsharded())
    with pytest.raises(TypeError, match="patch\\(\\) takes what jit lowered"):
        sdy.patch(jax.jit(lambda x: x).trace(1.0), "")  # type: ignore[arg-type]
    plan = sdy.auto.partition(lowered(path), {"data": 4, "model": 2}, "generic", annotate="values")
    with pytest.raises(ValueError, match='annotate="minimal"'):
        sdy.patch(lowered(path), plan)


def test_edits_at_one_place() -> None:
    """Ends come before beginnings, and an expression that is replaced takes what is within it along."""
    file = SourceFile(__file__)
    file.text = "é = f(a @ b, [c])\n"
    file.tree, file._lines = ast.parse(file.text), [file.text]
    call: Any = file.tree.body[0].value  # type: ignore[attr-defined]
    product, listed = call.args
    file.wrap(product, "w(", ", 1)")
    file.wrap(product.left, "v(", ")")
    file.append(call, "k=1")
    file.append(call, "l=2")
    file.replace(listed, "d")
    file.wrap(listed.elts[0], "lost(", ")")
    assert file.changed() == "é = f(w(v(a) @ b, 1), d, k=1, l=2)\n"


HELPER = """import jax
import jax.numpy as jnp


def mesh(**sizes):
    return sizes


def lowered(function, *arguments):
    return jax.jit(function).lower(*arguments)


def step(w, x):
    return jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, w)[0]


shapes = [jax.ShapeDtypeStruct((4, 64, 64), "float32"), jax.ShapeDtypeStruct((64, 64), "float32")]
result = lowered(step, *shapes)
"""


def test_what_a_loop_carries_and_a_helper_that_jits(tmp_path: Path) -> None:
    """The helper is edited, and a note says so; a sharding of the loop has no place. Names of the file stay free."""
    path = repository(tmp_path, HELPER)
    before = loaded(path).result
    text = before.as_text(debug_info=True)
    text = text.replace("func.func public @main(", 'sdy.mesh @mesh = <["x"=8]>\n  func.func public @main(')
    module = sdy.parse(text)
    sharding = sdy.TensorSharding.from_axes("mesh", [[sdy.AxisRef("x")], []])
    loop = next(op for op in pre_order(module.operation) if op.name == "stablehlo.while")
    with module.context:
        sdy.set_sharding(next(value for value in loop.results if value.type.rank == 2), sharding)
        sdy.set_sharding(sdy.funcs(module)[0].regions[0].blocks[0].arguments[1], sharding)
    found = sdy.patch(before, module)
    assert any(note.startswith("stablehlo.while (jit(step)/while) is to be P(") for note in found.notes)
    assert any(note.endswith(":10: jits what it is given, here with the shardings of step") for note in found.notes)
    assert "+device_mesh = jax.make_mesh((8,)" in found.text and "in_shardings=(" in found.text
