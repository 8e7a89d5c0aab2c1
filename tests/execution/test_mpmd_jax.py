"""`sdy.jax.mpmd`: what JAX functions of several meshes are traced and lowered to, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
from sdy.jax import mpmd
from sdy.jax.mpmd import units
from sdy.jax.mpmd.config import flat_assignment
from sdy.jax.mpmd.phases import export_step, fragment_infos, import_step
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, collecting


def _topology(count: int = 2, size: int = 2) -> dict[str, Mesh]:
    devices = np.array(jax.devices()[: count * size]).reshape(count, size)
    return {f"m{number}": Mesh(row, ("data",)) for number, row in enumerate(devices)}


UNEQUAL = {"mpmd_enable_heterogeneous_meshes": True}
CONFIG = mpmd.make_config(_topology(), {"f": "m0", "g": "m1"})


def _text(fn: Callable, *args: Any) -> str:
    return mpmd.jit(fn, CONFIG).lower(*args).as_text("stablehlo")


def _f(w: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.sin(x @ w)


def _loss(w: jax.Array, x: jax.Array) -> jax.Array:
    hidden = mpmd.named_computation(_f, name="f")(w, x)
    return mpmd.named_computation(lambda y: jnp.sum(y * y), name="g")(hidden)


X, W = jnp.linspace(0, 1, 12).reshape(3, 4), jnp.eye(4)


def _origins(text: str) -> list[str]:
    return re.findall(r"mpmd\.named_computation<(.*?)>", text)


def test_backward_passes_count_transpositions() -> None:
    assert _origins(_text(_loss, W, X)) == ['"f"', '"g"']
    assert _origins(_text(jax.value_and_grad(_loss), W, X)) == ['"f"', '"g"', '"g"(1)', '"f"(1)']


def test_transpositions_are_counted_if_jax_copied_its_rule_before(monkeypatch: pytest.MonkeyPatch) -> None:
    rules: dict[Any, Callable] = {"jit": (original := lambda **_: "transposed"), "copy": original, "other": len}
    monkeypatch.setattr(units, "transpose_rules_of_jit", lambda: (rules, "jit"))
    units.install_transposition()
    assert rules["copy"] is rules["jit"] is not original
    assert rules["other"] is len
    assert rules["copy"](compiler_options_kvs=()) == "transposed"


def test_recomputation_is_no_backward_pass() -> None:
    text = _text(jax.grad(jax.checkpoint(_loss)), W, X)
    assert _origins(text).count('"f"') >= 1
    assert _origins(text)[-1] == '"f"(1)'


def test_outside_of_mpmd_nothing_is_left_of_units() -> None:
    assert "mpmd" not in jax.jit(jax.grad(_loss)).lower(W, X).as_text()
    np.testing.assert_allclose(jax.grad(_loss)(W, X), jax.grad(lambda w: jnp.sum(_f(w, X) ** 2))(W), rtol=1e-5)


def test_units_are_batched() -> None:
    def batched(w: jax.Array, x: jax.Array) -> jax.Array:
        return jax.vmap(_loss, in_axes=(None, 0))(w, x)

    assert _origins(_text(batched, W, jnp.stack([X, X]))) == ['"f"', '"g"']
    np.testing.assert_allclose(batched(W, jnp.stack([X, X])), [_loss(W, X)] * 2, rtol=1e-6)


def test_computations_without_results_vanish() -> None:
    def nothing(x: jax.Array) -> jax.Array:
        mpmd.named_computation(lambda y: (), name="f")(x)
        return x + 1

    assert "mpmd" not in _text(nothing, X)


def test_calls_share_a_function() -> None:
    def step(w: jax.Array, xs: tuple[jax.Array, ...]) -> jax.Array:
        total = jnp.zeros((4, 4), jnp.float32)

        def microbatch(total: jax.Array, x: jax.Array) -> jax.Array:
            return total + jax.grad(_loss)(w, x)

        for counter, x in enumerate(xs):
            total = mpmd.call(microbatch, call_counter=counter)(total, x)
        return total

    text = _text(step, W, (X, X, X))
    assert re.findall(r"mpmd\.call @(\w+)\(.*call_counter = (\d)", text) == [("microbatch", str(i)) for i in range(3)]
    np.testing.assert_allclose(step(W, (X, X)), 2 * jax.grad(_loss)(W, X), rtol=1e-5)


def test_differentiated_calls_keep_their_counter() -> None:
    def loss(w: jax.Array) -> jax.Array:
        return mpmd.call(_loss, call_counter=3)(w, X)

    assert re.findall(r"call_counter = (\d)", _text(jax.grad(loss), W)) == ["3", "3"]


def test_loops_number_their_calls_one_after_the_other() -> None:
    def step(x: jax.Array) -> jax.Array:
        x = mpmd.fori_loop(2, lambda index, carry: carry * (index + 1).astype(jnp.float32), x)
        return mpmd.enumerated_for(lambda carry, index, element: carry + element[0], x, [(x,), (x,), (x,)])

    assert re.findall(r"call_counter = (\d)", _text(step, X)) == ["0", "1", "2", "3", "4"]
    np.testing.assert_allclose(step(X), 8 * X, rtol=1e-6)


def test_loops_over_lists_take_elements_that_go_together() -> None:
    lists = ([X, X + 1], [2.0, 3.0])
    found = mpmd.enumerated_for(lambda carry, _, pair: carry + pair[0] * pair[1], jnp.zeros((3, 4)), lists)
    np.testing.assert_allclose(found, 2 * X + 3 * (X + 1), rtol=1e-6)
    with pytest.raises(ValueError, match="have one length, not 1, 2"):
        mpmd.enumerated_for(lambda carry, _, pair: carry, X, ([X], [X, X]))


def test_bodies_return_what_they_get() -> None:
    with pytest.raises(TypeError, match="returns another carry than it gets"):
        mpmd.fori_loop(2, lambda _, carry: carry[0], X)


def test_named_values_are_identities_that_transpose() -> None:
    def fn(x: jax.Array) -> jax.Array:
        return jnp.sum(mpmd.reduce(mpmd.named_tensor(mpmd.broadcast(x), "t")))

    text = _text(jax.value_and_grad(fn), X)
    assert "mpmd.named_tensor" in text
    assert re.findall(r"mpmd\.(broadcast|reduce)", text) == ["broadcast", "reduce", "broadcast", "reduce"]
    np.testing.assert_array_equal(jax.grad(fn)(X), np.ones((3, 4)))
    np.testing.assert_allclose(jax.vmap(fn)(X), X.sum(1), rtol=1e-6)


def test_our_bindings_read_what_jax_lowers() -> None:
    module = sdy.parse(_text(jax.value_and_grad(_loss), W, X))
    assert str(sdy.print_module(module)).count("mpmd.named_computation") == 4


@pytest.mark.parametrize("name", ["", "main", "partir.x", "sdy.x"])
def test_reserved_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be called"):
        mpmd.named_computation(_f, name=name)


def test_counters_are_not_negative() -> None:
    with pytest.raises(ValueError, match="call_counter is at least 0"):
        mpmd.call(_f, call_counter=-1)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (({}, {}), {}, "at least one mesh"),
        (
            (_topology(), {"f": "m7"}),
            {},
            "'f' is assigned to mesh 'm7', which is not in the topology: known are m0, m1",
        ),
        ((_topology(), {"f": "m0#hbm"}), {}, "memory 'hbm'"),
        ((_topology(), {"f": "m0"}), {"name_to_stage_assignment": {"g": 0}}, "'g' has a stage, but no mesh"),
        ((_topology(), {"f": "m0"}), {"name_to_stage_assignment": {"f": -1}}, "at least 0"),
        ((_topology(), {}), {"partitioning_options": {"mpmd_infer_transfer": True}}, "did you mean 'mpmd_infer_transf"),
        ((_topology(), {}), {"partitioning_options": {"mpmd_pipeline_schedule": "2F2B"}}, "unknown schedule '2F2B'"),
        ((_topology(), {}), {"pipeline_schedule": "FASTEST"}, "unknown pipeline schedule 'FASTEST'"),
        ((_topology(), {}), {"input_mesh_assignment": ("m9",)}, "which is not in the topology"),
        (({"a@b": _topology()["m0"]}, {}), {}, "cannot be called 'a@b'"),
        (({"a": _topology()["m0"], "b": _topology()["m0"]}, {}), {}, "share device"),
        (({**_topology(1), "b": Mesh(np.array(jax.devices()[4:8]), ("data",))}, {}), {}, "have the same axes"),
        (
            (_topology(), {}),
            {"partitioning_options": UNEQUAL},
            "axes of unequal meshes begin with .* m0_data, not 'data'",
        ),
        (({"a_b": _topology()["m0"]}, {}), {"partitioning_options": UNEQUAL}, "axes of its own has no _"),
        (
            (_topology(), {}),
            {
                "pipeline_schedule": mpmd.get_pipeline_schedule("GPIPE"),
                "partitioning_options": {"mpmd_pipeline_schedule": "1F1B"},
            },
            "needs mpmd_pipeline_schedule='GPipe', not '1F1B'",
        ),
        (
            (_topology(), {}),
            {"input_mesh_assignment": ("m0",), "read_input_output_mesh_from_shardings": True},
            "given twice",
        ),
    ],
)
def test_configs_are_checked(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mpmd.make_config(*arguments, **options)


def test_options_have_types() -> None:
    with pytest.raises(TypeError, match="is true or false"):
        mpmd.make_config(_topology(), {}, partitioning_options={"mpmd_infer_transfers": "yes"})


def test_shardings_go_to_the_first_mesh() -> None:
    sharding = NamedSharding(CONFIG.topology["m1"], P("data"))
    assert CONFIG.on_first_mesh((sharding, None))[0].mesh == CONFIG.topology["m0"]
    assert isinstance(CONFIG.sharding_mesh, AbstractMesh)
    other = NamedSharding(jax.make_mesh((4,), ("data",), axis_types=(AxisType.Auto,)), P("data"))
    with pytest.raises(ValueError, match=r"\['x'\] is on a mesh with axes \{'data': 4\}"):
        mpmd.jit(_f, CONFIG, in_shardings=({"x": other}, None))


def test_assignments_are_prefixes() -> None:
    tree = ({"a": 0, "b": 0}, 0)
    assert flat_assignment(("m0", None), tree) == ["m0", "m0", None]
    assert flat_assignment((), tree) == [None] * 3
    assert CONFIG.mesh_of(NamedSharding(CONFIG.topology["m1"], P())) == "m1"
    assert CONFIG.mesh_of(NamedSharding(CONFIG.sharding_mesh, P())) is None


def test_options_of_pipelines() -> None:
    config = mpmd.make_config(
        _topology(),
        {"f": "m0", "g": "m1"},
        name_to_stage_assignment={"f": 0},
        partitioning_options={
            "mpmd_infer_transfers": True,
            "mpmd_pipeline_schedule": "1F1B",
            "mpmd_copy_constant_creation_from_producer_to_consumer": True,
        },
    )
    options = import_step(config, ["m0", None, "m1#pinned_host"], []).options
    assert export_step(config).options["copy-constants"] is True
    assert options["name-to-mesh-assignment"] == ("f@m0/0", "g@m1")
    assert options["input-assignment"] == ("0@m0", "2@m1#pinned_host")
    assert options["infer-transfers"] is True


def test_rules_print_as_the_passes_read_them() -> None:
    one = mpmd.FragmentInfo((mpmd.FragmentOrigin("f"), mpmd.FragmentOrigin("g", 1)), 0, 1, None, "m1")
    split = mpmd.FragmentInfo((), None, None, mpmd.SplitFragmentType.DROP_TRANSFERRED, "m1")
    text = 'FragmentInfo(origins=["f","g"(1)],stage=0,call_counter=1,mesh_name="m1")'
    other = 'FragmentInfo(origins=[],split_type=kDropTransferred,mesh_name="m1")'
    assert str(mpmd.FragmentScheduleRule((one, split))) == f"FragmentScheduleRule(ordered_fragments=[{text}->{other}])"
    assert str(mpmd.FragmentMergeRule((one,), split)) == f"FragmentMergeRule(sources=[{text}],target={other})"


def test_schedules_by_a_predicate() -> None:
    units = [mpmd.FragmentInfo((mpmd.FragmentOrigin("f"),), 0, number, None, "m0") for number in range(3)]
    last_first = mpmd.schedule(lambda f, g, context: (f.call_counter or 0) > (g.call_counter or 0))
    rules, merged = last_first.rules(units, mpmd.PipelineContext(1))
    assert [[unit.call_counter for unit in rule.ordered_fragments] for rule in rules] == [[1, 0], [2, 0], [2, 1]]
    assert not merged
    with pytest.raises(ValueError, match="needs stages"):
        mpmd.get_pipeline_schedule("CIRCULAR").rules(
            [
                mpmd.FragmentInfo((), None, 0),
                mpmd.FragmentInfo((mpmd.FragmentOrigin("f"),), None, 1),
                mpmd.FragmentInfo((mpmd.FragmentOrigin("f"),), None, 0),
            ],
            mpmd.PipelineContext(1),
        )


def test_rules_name_the_fragments_of_an_imported_module() -> None:
    text = """
    func.func public @main(%x: !mpmd.mesh_tensor<"m0", tensor<8xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8xf32>>
        attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>>} {
      %0 = mpmd.fragment<mesh="m0", origin=["f"], stage=0> (%x) {call_counter = 2 : ui32} (%a: tensor<8xf32>) {
        mpmd.return %a : tensor<8xf32>
      } : (!mpmd.mesh_tensor<"m0", tensor<8xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8xf32>>
      %1 = mpmd.fragment<mesh="m0", origin=[]> (%0) (%a: tensor<8xf32>) {
        mpmd.return %a : tensor<8xf32>
      } : (!mpmd.mesh_tensor<"m0", tensor<8xf32>>) -> !mpmd.mesh_tensor<"m0", tensor<8xf32>>
      return %1 : !mpmd.mesh_tensor<"m0", tensor<8xf32>>
    }"""
    assert fragment_infos(sdy.parse(text)) == [mpmd.FragmentInfo((mpmd.FragmentOrigin("f"),), 0, 2, None, "m0")]


def _named(name: str, fn: Callable = jnp.sin) -> Callable:
    return mpmd.named_computation(fn, name=name)


@pytest.mark.parametrize(
    ("fn", "options", "message"),
    [
        (
            lambda x: _named("g")(2 * _named("f")(x)),
            {"name_to_mesh_assignment": {"f": "m0", "g": "m1"}},
            r"used on 'm1' \(by 'g'\), but it can only be placed on 'm0' \(by 'f'\); infer transfers, of 48 bytes here",
        ),
        (
            lambda x: _named("f")(x) + _named("g")(x * 2),
            {"name_to_mesh_assignment": {"f": "m0", "g": "m1"}},
            r"operand 0 on 'm0' \(by 'f'\), operand 1 on 'm1' \(by 'g'\); infer reductions .* name .*`named_tensor`",
        ),
        (
            lambda x: _named("h")(_named("g")(_named("f")(x))),
            {
                "name_to_mesh_assignment": {"f": "m0", "g": "m1", "h": "m0"},
                "name_to_stage_assignment": {"f": 0, "g": 1, "h": 0},
            },
            "of stage 0 on mesh m0; they should be one, but 'g' stands between them",
        ),
        (lambda x: _named("ff")(x), {"name_to_mesh_assignment": {"f": "m0"}}, "'ff' is not assigned to a mesh"),
        (
            lambda x: _named("f", lambda y: 2 * _named("g")(y))(x),
            {"name_to_mesh_assignment": {"f": "m0", "g": "m1"}},
            "'g' is assigned to mesh 'm1', and nested in 'f' on another one",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:'f' is assigned")
def test_placements_that_cannot_be_are_refused_at_the_users_line(fn: Callable, options: Any, message: str) -> None:
    lowered = mpmd.jit(fn, mpmd.make_config(_topology(), **options)).lower(X)
    with pytest.raises(DiagnosticError, match=rf"test_mpmd_jax.py:\d+:\d+: error: .*{message}"):
        lowered.schedule()


def test_rules_against_data_flow_are_told_with_the_way_of_values() -> None:
    def step(x: jax.Array) -> jax.Array:
        return mpmd.call(jax.grad(lambda x: _named("g", jnp.sum)(_named("f")(x))), call_counter=0)(x)

    backward_first = mpmd.schedule(lambda first, second, _: first.is_backward and second.is_forward)
    config = mpmd.make_config(_topology(), {"f": "m0", "g": "m1"}, pipeline_schedule=backward_first)
    found: list[Diagnostic] = []
    with collecting(found.append):
        mpmd.jit(step, config).lower(X).schedule()
    way = r'against data flow: .*"f"\(1\).* -> .*; values go .*"f"\].* -> .*"f"\(1\)'
    assert any(re.search(way, str(one)) for one in found)
