"""What `sdy.jax.jit` returns beside what `jax.jit` returns: every attribute, option and error."""

from __future__ import annotations

import functools
import inspect
import pickle
import traceback
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.jax.compile_option import NAME, option_for, partitioner_in
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.steps import PipelineError

JITS = pytest.mark.parametrize("jit", [jax.jit, sdy.jax.jit], ids=["jax", "sdy"])


@pytest.fixture
def x(mesh: Mesh) -> jax.Array:
    return jax.device_put(np.arange(16, dtype=np.float32).reshape(4, 4), NamedSharding(mesh, P("data", "model")))


def documented(x: jax.Array, scale: float = 1, *, power: int = 2) -> dict[str, jax.Array]:
    """Some powers."""
    return {"power": (x * scale) ** power, "product": x @ x.T}


# The function ----------------------------------------------------------------------------------------


def test_function_is_one_of_jax() -> None:
    ours, theirs = (jit(documented, static_argnames="power") for jit in (sdy.jax.jit, jax.jit))
    assert type(ours) is type(theirs)
    assert isinstance(ours, jax.stages.Wrapped)
    assert isinstance(ours, sdy.jax.Jitted)
    for name in "__name__ __qualname__ __module__ __doc__ __wrapped__ __annotations__".split():
        assert getattr(ours, name) == getattr(theirs, name), name
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert repr(ours) == repr(theirs)
    assert weakref.ref(ours)() is ours
    assert len({ours, theirs, ours}) == 2


def test_signature_is_that_of_jit() -> None:
    ours, theirs = (inspect.signature(jit).parameters for jit in (sdy.jax.jit, jax.jit))
    for name in ours.keys() - {"auto", "overlap", "partitioner", "more"}:
        assert ours[name].kind == theirs[name].kind, name
        assert ours[name].default is theirs[name].default or ours[name].default == theirs[name].default, name


@JITS
def test_kinds_of_functions(x: jax.Array, jit: Callable) -> None:
    class Scaler:
        factor = 3.0

        @functools.partial(jit, static_argnums=0)
        def method(self, a: jax.Array) -> jax.Array:
            return self.factor * a

        @staticmethod
        @jit
        def static(a: jax.Array) -> jax.Array:
            return 3 * a

        @classmethod
        @functools.partial(jit, static_argnums=0)
        def of_class(cls, a: jax.Array) -> jax.Array:
            return cls.factor * a

        def __call__(self, a: jax.Array) -> jax.Array:
            return self.factor * a

    functions = [
        Scaler().method,
        Scaler.static,
        Scaler().of_class,
        jit(Scaler()),
        jit(Scaler().__call__),
        jit(functools.partial(jnp.multiply, 3)),
        jit(inline=True)(lambda a: 3 * a),
        jit(jit(lambda a: 3 * a)),
        jit(lambda *args, **kwargs: 3 * args[0]),
    ]
    for function in functions:
        np.testing.assert_array_equal(function(x), 3 * np.asarray(x))


@JITS
def test_cache_is_counted_and_cleared(x: jax.Array, jit: Callable) -> None:
    function = jit(lambda a: a + 1)
    function(x)
    function(x)
    assert function._cache_size() == 1
    function.clear_cache()
    assert function._cache_size() == 0
    np.testing.assert_array_equal(function(x), x + 1)


@JITS
def test_pickling(jit: Callable) -> None:
    with pytest.raises(AttributeError, match="cache_miss"):
        pickle.dumps(jit(documented))


def test_partitioner_is_pickled_with_the_function_that_carries_it() -> None:
    partitioner = sdy.jax.Partitioner("sdy-partition-pipeline{per-dim-all-gather=true}")
    (name,) = option_for(partitioner).values()
    assert pickle.loads(pickle.dumps(name)) is name
    assert option_for(sdy.jax.Partitioner(partitioner.pipeline)) == {NAME: name}
    assert partitioner_in([("other", 1), (NAME, str(name))]) == partitioner


def test_functions_that_jax_wraps_are_not_ours(x: jax.Array) -> None:
    ours = sdy.jax.jit(lambda a: a + 1)
    assert not isinstance(jax.jit(ours).lower(x), sdy.jax.Lowered)
    assert isinstance(sdy.jax.jit(jax.jit(lambda a: a + 1)).lower(x), sdy.jax.Lowered)
    copied = functools.wraps(ours)(lambda a: a + 2)
    assert not hasattr(copied, "lower")


def test_one_trace_serves_all(x: jax.Array) -> None:
    traces = []

    def f(a: jax.Array) -> jax.Array:
        traces.append(a)
        return a * 2

    jax.eval_shape(f, x)
    sdy.jax.jit(f)(x)
    jax.jit(f)(x)
    with sdy.jax.partitioned():
        jax.jit(f)(x)
        jax.eval_shape(f, x)
    sdy.jax.jit(f, donate_argnums=0).lower(x)
    sdy.jax.jit(f).eval_shape(x)
    assert len(traces) == 1


def test_transformed_functions_are_partitioned(x: jax.Array) -> None:
    names: list[str] = []

    class Recording(sdy.jax.Partitioner):
        def __call__(self, module: Any, callbacks: Sequence[Any] = ()) -> Any:
            names.append(str(module.operation.attributes["sym_name"]))
            return super().__call__(module, callbacks)

    total = sdy.jax.jit(lambda a: (a * a).sum(), partitioner=Recording())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(jax.grad(total)(x), 2 * x)
        value, tangent = jax.jvp(total, (x,), (x,))
        out, linear = jax.linearize(total, x)
        np.testing.assert_allclose(linear(x), tangent)
        np.testing.assert_array_equal(jax.vmap(total)(x), (x * x).sum(1))
        np.testing.assert_array_equal(jax.grad(jax.checkpoint(total))(x), 2 * x)
    assert value == out == (np.asarray(x) ** 2).sum()
    assert len(names) >= 8


def test_jaxpr_is_that_of_jit(x: jax.Array) -> None:
    ours, theirs = (str(jax.make_jaxpr(jit(documented))(x)) for jit in (sdy.jax.jit, jax.jit))
    assert ours == theirs


@JITS
def test_other_options_are_refused_inside(x: jax.Array, jit: Callable) -> None:
    inner = jit(lambda a: a + 1, compiler_options={"xla_cpu_enable_fast_min_max": True})
    np.testing.assert_array_equal(inner(x), x + 1)
    with pytest.raises(ValueError, match="top-level"):
        jit(lambda a: inner(a))(x)


# Stages ----------------------------------------------------------------------------------------------

NOT_COMPARED = {"runtime_executable", "compiler_ir", "lojax"}


def comparable(value: Any) -> Any:
    """A value as something that can be compared: what it says, in an order of its own."""
    return sorted(value.items()) if isinstance(value, dict) and all(isinstance(key, str) for key in value) else value


def described(stage: Any) -> dict[str, Any]:
    """All public attributes of a stage, those called that need no arguments."""
    found: dict[str, Any] = {}
    for name in dir(stage):
        if name.startswith("_") or name in NOT_COMPARED:
            continue
        value = getattr(stage, name)
        if callable(value):
            if name not in ("as_text", "cost_analysis", "memory_analysis"):
                continue
            value = value()
        found[name] = str(comparable(value))
    return found


def test_stages_have_what_stages_have(x: jax.Array) -> None:
    ours, theirs = (jit(documented, static_argnames="power", donate_argnums=0) for jit in (sdy.jax.jit, jax.jit))
    traced, theirs_traced = ours.trace(x, 2.0, power=3), theirs.trace(x, 2.0, power=3)
    assert isinstance(traced, (sdy.jax.Traced, jax.stages.Traced))
    assert described(traced) == described(theirs_traced)

    lowered, theirs_lowered = traced.lower(), theirs_traced.lower()
    assert isinstance(lowered, sdy.jax.Lowered)
    assert isinstance(lowered, jax.stages.Lowered)
    wanted = described(theirs_lowered)
    assert {name: described(lowered)[name] for name in wanted} == wanted
    assert lowered.as_text(debug_info=True) == theirs_lowered.as_text(debug_info=True)
    assert str(lowered.compiler_ir("stablehlo")) == str(theirs_lowered.compiler_ir("stablehlo"))
    hlo: list[Any] = [stage.compiler_ir("hlo") for stage in (lowered, theirs_lowered)]
    assert hlo[0].as_hlo_text() == hlo[1].as_hlo_text()
    assert lowered.partitioned is lowered.partitioned

    compiled, theirs_compiled = lowered.compile(), theirs_lowered.compile()
    assert type(compiled) is type(theirs_compiled)
    mine, wanted = described(compiled), described(theirs_compiled)
    assert mine.keys() == wanted.keys()
    for name in mine.keys() - {"as_text", "cost_analysis", "memory_analysis"}:
        assert mine[name] == wanted[name], name
    assert type(compiled.runtime_executable()) is type(theirs_compiled.runtime_executable())
    for one, other in zip(
        *(jax.tree.leaves(each(jnp.copy(x), 2.0)) for each in (compiled, theirs_compiled)), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_lowered_for_another_platform_and_from_shapes_alone(mesh: Mesh) -> None:
    shape = jax.ShapeDtypeStruct((4, 4), np.float32, sharding=NamedSharding(mesh, P("data")))
    ours: Any
    theirs: Any
    ours, theirs = (jit(lambda a: a @ a.T).trace(shape) for jit in (sdy.jax.jit, jax.jit))
    for platforms in (("tpu",), ("cpu", "cuda"), None):
        assert (
            ours.lower(lowering_platforms=platforms).as_text() == theirs.lower(lowering_platforms=platforms).as_text()
        )
    assert ours.lower().partitioned.num_devices == 8


def test_compiled_with_options(x: jax.Array) -> None:
    lowered = sdy.jax.jit(lambda a: a.sum()).lower(x)
    compiled = lowered.compile({"xla_cpu_enable_fast_min_max": True})
    assert "all-reduce" in (compiled.as_text() or "")
    assert compiled(x) == np.asarray(x).sum()
    with pytest.raises(jax.errors.JaxRuntimeError, match="nonsense"):
        lowered.compile({"nonsense": 1})


def test_exported(x: jax.Array, mesh: Mesh) -> None:
    ours, theirs = (jax.export.export(jit(lambda a: a @ a.T))(x) for jit in (sdy.jax.jit, jax.jit))
    assert ours.mlir_module() == theirs.mlir_module()
    for name in "in_avals out_avals nr_devices in_tree out_tree platforms fun_name".split():
        assert getattr(ours, name) == getattr(theirs, name), name
    wanted = np.asarray(x) @ np.asarray(x).T
    np.testing.assert_allclose(sdy.jax.jit(ours.call)(x), wanted)
    with sdy.jax.partitioned():
        np.testing.assert_allclose(jax.jit(theirs.call)(x), wanted)
        np.testing.assert_allclose(ours.call(x), wanted)
    other = Mesh(mesh.devices.reshape(2, 4), ("a", "b"))
    moved = jax.device_put(np.asarray(x), NamedSharding(other, P("b", "a")))
    np.testing.assert_allclose(sdy.jax.jit(ours.call, out_shardings=NamedSharding(other, P("a")))(moved), wanted)
    np.testing.assert_allclose(jax.grad(lambda a: sdy.jax.jit(ours.call)(a).sum())(x), jax.grad(theirs_sum)(x))


def test_exported_and_serialized(x: jax.Array) -> None:
    data = jax.export.export(sdy.jax.jit(lambda a: jnp.sin(a) @ a.T))(x).serialize(vjp_order=1)
    again = sdy.jax.jit(jax.export.deserialize(data).call)
    wanted = np.sin(x) @ np.asarray(x).T
    np.testing.assert_allclose(again(x), wanted, rtol=1e-5)
    with sdy.jax.partitioned():
        np.testing.assert_allclose(jax.jit(jax.export.deserialize(data).call)(x), wanted, rtol=1e-5)
    got, expected = (jax.grad(lambda a, f=f: f(a).sum())(x) for f in (again, lambda a: jnp.sin(a) @ a.T))
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def theirs_sum(a: jax.Array) -> jax.Array:
    return (a @ a.T).sum()


# Errors ----------------------------------------------------------------------------------------------

MISTAKES: dict[str, Callable[[Callable, jax.Array, Mesh], Any]] = {
    "unknown option": lambda jit, x, mesh: jit(lambda a: a, nonsense=1),
    "no function": lambda jit, x, mesh: jit(3),
    "none": lambda jit, x, mesh: jit(None),
    "a generator": lambda jit, x, mesh: jit(i for i in range(3)),
    "no array": lambda jit, x, mesh: jit(lambda a: a)("text"),
    "unhashable": lambda jit, x, mesh: jit(lambda a, b: a, static_argnums=1)(x, [1]),
    "static too far": lambda jit, x, mesh: jit(lambda a: a, static_argnums=4)(x),
    "static name": lambda jit, x, mesh: jit(lambda a: a, static_argnames="b")(x),
    "donated too far": lambda jit, x, mesh: jit(lambda a: a, donate_argnums=7),
    "static and donated": lambda jit, x, mesh: jit(lambda a: a, donate_argnums=0, static_argnums=0),
    "too few": lambda jit, x, mesh: jit(lambda a, b: a)(x),
    "shapes": lambda jit, x, mesh: jit(lambda a: a @ jnp.ones(7))(x),
    "lower": lambda jit, x, mesh: jit(lambda a: a @ jnp.ones(7)).lower(x),
    "trace": lambda jit, x, mesh: jit(lambda a: a @ jnp.ones(7)).trace(x),
    "eval_shape": lambda jit, x, mesh: jit(lambda a: a @ jnp.ones(7)).eval_shape(x),
    "raised": lambda jit, x, mesh: jit(lambda a: [][a.ndim])(x),
    "truth": lambda jit, x, mesh: jit(lambda a: 1 if a.sum() > 0 else 2)(x),
    "returned": lambda jit, x, mesh: jit(lambda a: "text")(x),
    "indivisible": lambda jit, x, mesh: jit(lambda a: a, in_shardings=NamedSharding(mesh, P("data")))(np.ones(6)),
    "indivisible result": lambda jit, x, mesh: jit(lambda a: a[:3], out_shardings=NamedSharding(mesh, P("data")))(x),
    "rank": lambda jit, x, mesh: jit(lambda a: a, in_shardings=NamedSharding(mesh, P(None, "data")))(np.ones(8)),
    "tree": lambda jit, x, mesh: jit(lambda a: a, in_shardings=({"a": NamedSharding(mesh, P())},))(x),
    "other sharding": lambda jit, x, mesh: jit(lambda a: a, in_shardings=NamedSharding(mesh, P("model")))(x),
    "other devices": lambda jit, x, mesh: jit(jnp.add)(x, jax.device_put(x, jax.devices()[0])),
    "option of xla": lambda jit, x, mesh: jit(lambda a: a, compiler_options={"nonsense": 1})(x),
    "compiled for others": lambda jit, x, mesh: jit(lambda a: a).lower(x).compile()(np.ones(3, np.float32)),
    "compiled, too many": lambda jit, x, mesh: jit(lambda a: a).lower(x).compile()(x, x),
    "compiled, traced": lambda jit, x, mesh: jax.jit(jit(lambda a: a).lower(x).compile())(x),
    "device and backend": lambda jit, x, mesh: jit(lambda a: a, device=jax.devices()[0], backend="cpu"),
    "callback": lambda jit, x, mesh: jax.block_until_ready(
        jit(lambda a: jax.pure_callback(lambda b: 1 / 0, a, a))(jax.device_put(x, jax.devices()[0]))
    ),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:Some donated")
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_as_by_jit(name: str, x: jax.Array, mesh: Mesh) -> None:
    """The same exception, or none; and no frame of ours in the traceback, as there is none of JAX."""
    told: list[Any] = []
    for jit in (jax.jit, sdy.jax.jit):
        try:
            MISTAKES[name](jit, x, mesh)
            told.append(None)
        except Exception as error:  # noqa: BLE001  (whatever it is)
            frames = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
            assert not any("sdy/jax/" in file or "hidden_frames" in file for file in frames), frames
            lines = str(error).splitlines()
            told.append((type(error), len(frames), lines[0].split(" at 0x")[0] if lines else ""))
    assert told[0] == told[1]


@JITS
def test_warnings_are_at_the_line_of_the_user(x: jax.Array, jit: Callable) -> None:
    with pytest.warns(DeprecationWarning, match="backend and device") as caught:
        jit(lambda a: a, backend="cpu")
    assert caught[0].filename == __file__


def test_locations_are_those_of_the_user(x: jax.Array) -> None:
    f = sdy.jax.jit(lambda a: a + 1)
    with sdy.jax.partitioned():
        texts = [f.lower(x).as_text(debug_info=True), jax.jit(lambda a: a + 2).lower(x).as_text(debug_info=True)]
    for text in texts:
        assert __file__ in text
        assert "sdy/jax" not in text
        assert "hidden_frames" not in text


def test_what_cannot_be_partitioned_is_told_at_the_line_of_the_user(x: jax.Array) -> None:
    with pytest.raises(DiagnosticError) as caught:
        sdy.jax.jit(jnp.sin, partitioner=Failing())(x)
    files = {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)}
    assert files == {__file__}


class Failing(sdy.jax.Partitioner):
    """Fails, after the passes have worked."""

    def __call__(self, module: Any, callbacks: Sequence[Any] = ()) -> Any:
        partitioned = self.partition(module)
        raise DiagnosticError(sdy.parse(partitioned.text).operation, "does not please")


# Partitioners ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("use", [lambda p: sdy.jax.jit(jnp.sin, partitioner=p), sdy.jax.partitioned], ids=["jit", "in"])
def test_partitioner_of_a_wrong_type_is_refused(use: Callable) -> None:
    with pytest.raises(TypeError, match=r"not str; for these passes write sdy.jax.Partitioner\('sdy-x'\)"):
        use("sdy-x")
    with pytest.raises(TypeError, match=r"must be a sdy\.jax\.Partitioner, not int"):
        use(3)
    with pytest.raises(TypeError, match="a pipeline is a text"):
        sdy.jax.Partitioner(("sdy-x",))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("pipeline", "says"),
    [
        ("sdy-propagation-pipeline", "leaves a global program"),
        ("canonicalize", "leaves a global program"),
        ("sdy-nonsense", "unknown pass 'sdy-nonsense'"),
        ("sdy-partition-pipeline{nonsense=1}", "no option 'nonsense'"),
    ],
)
def test_pipeline_that_does_not_partition_is_refused(x: jax.Array, pipeline: str, says: str) -> None:
    partitioner = sdy.jax.Partitioner(pipeline)
    f = sdy.jax.jit(lambda a: a @ a.T, partitioner=partitioner)
    for use in (f, lambda a: f.lower(a).partitioned):
        with pytest.raises(PipelineError, match=says):
            use(x)


def test_partitioner_of_the_function_wins(x: jax.Array) -> None:
    used: list[str] = []

    class Named(sdy.jax.Partitioner):
        def __init__(self, name: str) -> None:
            super().__init__()
            object.__setattr__(self, "name", name)

        def __eq__(self, other: object) -> bool:
            return self is other

        def __hash__(self) -> int:
            return id(self)

        def __call__(self, module: Any, callbacks: Sequence[Any] = ()) -> Any:
            used.append(getattr(self, "name"))  # noqa: B009  (no field of a frozen class)
            return super().__call__(module, callbacks)

    def f(a: jax.Array) -> jax.Array:
        return a * 3

    inner, outer = Named("inner"), Named("outer")
    with sdy.jax.partitioned(outer):
        sdy.jax.jit(f, partitioner=inner)(x)
        jax.jit(f)(x)
    sdy.jax.jit(f, partitioner=inner)(x)
    sdy.jax.jit(f, partitioner=Named("third"))(x)
    assert used == ["inner", "outer", "inner", "third"]


def test_what_is_sent_inside_of_partly_manual_functions_is_told(mesh: Mesh) -> None:
    def exchanged(v: jax.Array) -> jax.Array:
        return jax.lax.all_to_all(v, "data", split_axis=1, concat_axis=0, tiled=True)

    specs = {"in_specs": P("data"), "out_specs": P("data"), "axis_names": {"data"}, "check_vma": False}
    inside = jax.shard_map(exchanged, mesh=mesh, **specs)
    f = sdy.jax.jit(inside, in_shardings=NamedSharding(mesh, P("data", None, "model")))
    lowered = f.lower(jax.ShapeDtypeStruct((16, 8, 6), "float32"))
    (one,) = lowered.communication().transfers
    assert (one.kind, one.serves, one.bytes_sent) == ("all_to_all", "stablehlo.all_to_all", 288)
    assert lowered.why("c0").transfer == one
    assert lowered.compare({"it": {}})["it"].bytes_sent == 288
