"""Every function that takes a program takes it in every form in which people have one, and answers the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from tests import depth

FORMS = (
    "text",
    "name of a file",
    "path",
    "bytes",
    "module",
    "module of jaxlib",
    "traced",
    "lowered",
    "our lowered",
    "exported",
    "partitioned",
    "partitioned module",
)

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "parse": lambda given: "sdy.mesh" in str(sdy.parse(given)),
    "partition": lambda given: [each.kind for each in sdy.partition(given).collectives],
    "communication": lambda given: [(each.id, each.bytes_sent) for each in sdy.communication(given).transfers],
    "explain": lambda given: [str(each.sharding) for each in sdy.explain(given, "w")],
    "explain an id": lambda given: [each.what.what for each in sdy.explain(given, "c0")],
    "why": lambda given: sdy.why(given, "c0").cures[0].bytes_saved,
    "compare": lambda given: sdy.compare(given, {"whole": {"w": (None, None)}})["whole"].bytes_sent,
    "timeline": lambda given: round(sdy.timeline(given, "h100").total, 9),
    "export_shardings": lambda given: "mhlo.sharding" in str(sdy.export_shardings(given, "tiles")),
    "estimate": lambda given: round(sdy.auto.estimate(given, machine="h100").step, 9),
}

REFUSED = {
    ("parse", "module"): "this is one already",
    ("parse", "partitioned"): "partitioned already",
    ("parse", "partitioned module"): "partitioned already",
    ("partition", "partitioned"): "partitioned already",
    ("partition", "partitioned module"): "partitioned already",
}
"""What makes no sense, and what is said of it."""


def product(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w)


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    shardings = NamedSharding(mesh, P("data", "model")), NamedSharding(mesh, P("model"))
    arrays = np.ones((8, 16), np.float32), np.ones((16, 8), np.float32)
    jitted, ours = (jit(product, in_shardings=shardings) for jit in (jax.jit, sdy.jax.jit))
    lowered = jitted.lower(*arrays)
    text = lowered.as_text(debug_info=True)
    file = tmp_path_factory.mktemp("programs") / "product.mlir"
    file.write_text(text)
    return {
        "text": text,
        "name of a file": str(file),
        "path": Path(file),
        "bytes": text.encode(),
        "module": sdy.parse(text),
        "module of jaxlib": lowered.compiler_ir("stablehlo"),
        "traced": jitted.trace(*arrays),
        "lowered": lowered,
        "our lowered": ours.lower(*arrays),
        "exported": jax.export.export(jitted)(*arrays),
        "partitioned": sdy.partition(text),
        "partitioned module": sdy.partition(sdy.parse(text)),
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_form_gives_the_same(forms: dict[str, Any], function: str) -> None:
    assert list(forms) == list(FORMS)
    ask = FUNCTIONS[function]
    wanted = ask(forms["text"])
    # All come to their text on one road, which `parse` shows.
    few = FORMS if depth.ALL or function == "parse" else ("module", "our lowered", *FORMS[-2:])
    for form, given in ((form, forms[form]) for form in few):
        if refusal := REFUSED.get((function, form)):
            with pytest.raises(TypeError, match=refusal):
                ask(given)
        elif form != "exported" or function not in ("explain", "compare"):  # whose arguments have no names
            assert ask(given) == wanted, form


def test_the_program_of_one_device_alone_says_what_it_knows(forms: dict[str, Any]) -> None:
    local = forms["partitioned"].text
    cause = sdy.why(local, "c0")
    assert cause.transfer.serves == "result of stablehlo.dot_general"
    assert "ask the program before partitioning" in str(cause)
    with pytest.raises(ValueError, match="serves no value whose sharding is known"):
        sdy.explain(local, "c0")


def test_what_is_exported_prints_as_what_is_parsed() -> None:
    module = sdy.parse("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
    exported = sdy.export_shardings(module)
    assert type(exported) is type(module) and exported is not module


def test_a_partitioned_program_is_explained_as_it_was_partitioned() -> None:
    """A copy is kept: what becomes of the module afterwards is not explained."""
    module = sdy.parse(CALLS)
    partitioned = sdy.partition(module, is_embedded=True)
    module.body.operations[1].erase()
    assert [str(each.what) for each in sdy.explain(partitioned, "@tanh:%0")] == ["stablehlo.tanh (-:10:8)"] * 2


CALLS = """sdy.mesh @mesh = <["x"=2]>
func.func @main(
    %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @tanh(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @tanh(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @tanh(%v: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %v : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


def test_calls_are_inlined_where_xla_inlines_them(mesh: Mesh) -> None:
    """Inside of one program each call has its own shardings; as a function of the dialect it has one for all."""
    inner = jax.jit(jnp.tanh)

    def step(a: Any, b: Any) -> Any:
        return inner(a), inner(b)

    shardings = NamedSharding(mesh, P("data")), NamedSharding(mesh, P("model"))
    lowered = sdy.jax.jit(step, in_shardings=shardings).lower(*[np.ones(8, np.float32)] * 2)
    (tanh,) = {line.split('"')[1] for line in str(lowered.explain("all")).splitlines() if "= stablehlo.tanh (" in line}
    found = [str(one.sharding) for one in lowered.explain(tanh)]
    results = [str(one.sharding) for one in (*lowered.explain("result:0"), *lowered.explain("result:1"))]
    assert sorted(found) == sorted(results)
    first, second = lowered.partitioned.out_shardings
    assert first.dim_axes != second.dim_axes
    explained = lowered.explain("result:0")[0].sharding
    assert explained is not None and explained.dim_axes == first.dim_axes


NAMES = """sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(
    %x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> tensor<16x32xf32> {
  // %h = what is in a comment is nothing
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<16x8xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
  %c = sdy.sharding_constraint %h <@mesh, [{}, {"model"}]> : tensor<16x32xf32>
  %both:2, %last = "stablehlo.optimization_barrier"(%c, %h, %c)
      : (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>)
      -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>)
  return %last : tensor<16x32xf32>
}
"""


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("%x", ["%arg0"]),
        ("%w", ["%arg1"]),
        ("%h", ["%0"]),
        ("%c", ["%1"]),
        ("%both", ["%2#0", "%2#1"]),
        ("%both#1", ["%2#1"]),
        ("%last", ["%2#2"]),
        ("%arg1", ["%arg1"]),
    ],
)
def test_values_go_by_their_names_in_the_text(selector: str, names: list[str]) -> None:
    assert [one.name for one in sdy.explain(NAMES, selector)] == names


def test_a_name_that_the_text_has_not() -> None:
    with pytest.raises(ValueError, match="no value '%nope'"):
        sdy.explain(NAMES, "%nope")
    assert sdy.compare(NAMES, {"whole": {"%w": (None, None)}})["whole"].bytes_sent >= 0
