"""JAX programs that call back to Python, from everywhere and in every way that `jax.jit` takes.

Each is a function of a log, whose callbacks write down what they are called with, and of the 2x2 mesh data x model. It
returns a function of one array of 8x8 numbers, sharded along both axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

Program = Callable[[jax.Array], Any]
BOTH = P("data", "model")


class Log:
    """What callbacks are called with: `ordered` in the order of the calls, `others` sorted."""

    def __init__(self) -> None:
        self.ordered: list[Any] = []
        self._others: list[Any] = []

    @property
    def others(self) -> list[Any]:
        return sorted(self._others)

    def __call__(self, name: str, result: Callable | None = None, *, ordered: bool = False) -> Callable:
        """A callback that notes its name and operands, and returns what `result` makes of them."""

        def callback(*operands: Any) -> Any:
            arrays = [np.asarray(operand) for operand in operands]
            entry = (name, *((array.shape, str(array.dtype), array.tobytes()) for array in arrays))
            (self.ordered if ordered else self._others).append(entry)
            return None if result is None else jax.tree.map(np.asarray, result(*arrays))

        return callback

    def note(self, *what: str) -> None:
        self._others.append(what)


PROGRAMS: dict[str, Callable[[Log, Mesh], Program]] = {}

OPTIONS: dict[str, Callable[[Mesh], dict[str, Any]]] = {
    "donated": lambda mesh: {"donate_argnums": 0},
    "results_sharded_otherwise": lambda mesh: {
        "out_shardings": (NamedSharding(mesh, P(None, "data")), NamedSharding(mesh, P("model")))
    },
    "effect_alone": lambda mesh: {"keep_unused": True},
}
"""Options of `jax.jit` for programs of these names."""


def _program(function: Callable[[Log, Mesh], Program]) -> Callable[[Log, Mesh], Program]:
    PROGRAMS[function.__name__] = function
    return function


def _like(x: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def _tell(log: Log, name: str, *operands: Any, **options: Any) -> None:
    """An ordered callback without results."""
    io_callback(log(name, ordered=True), None, *operands, ordered=True, **options)


def _ask(log: Log, name: str, result: Callable, *operands: Any) -> jax.Array:
    """An ordered callback whose result is like its first operand."""
    return io_callback(log(name, result, ordered=True), _like(operands[0]), *operands, ordered=True)


def _mapped(mesh: Mesh, body: Callable, spec: P = BOTH, **options: Any) -> Callable:
    return jax.shard_map(body, mesh=mesh, in_specs=spec, out_specs=spec, **options)


# Ordered effects -----------------------------------------------------------------------------------------


@_program
def ordered(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        _tell(log, "sharded", x)
        y = x * 2
        _tell(log, "row and sum", y[0], y.sum())
        _tell(log, "nothing")
        return y

    return f


@_program
def ordered_with_results(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        y = _ask(log, "one", lambda a: a + 1, x)
        z = io_callback(
            log("two", lambda a, b: (a - b, a[0]), ordered=True), (_like(x), _like(x[0])), y, x, ordered=True
        )
        return z, x + io_callback(log("three", lambda: np.float32(3), ordered=True), _like(x[0, 0]), ordered=True)

    return f


@_program
def nothing_but_tokens(log: Log, mesh: Mesh) -> Program:
    return lambda x: _tell(log, "x", x)


@_program
def effect_alone(log: Log, mesh: Mesh) -> Program:
    return lambda x: _tell(log, "nothing")


@_program
def arrays_without_elements(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        _tell(log, "empty", x[:0])
        return _ask(log, "empty there and back", lambda a: a, x[:0])

    return f


@_program
def all_kinds_together(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        _tell(log, "first", x)
        io_callback(log("unordered"), None, x.sum(0))
        jax.debug.callback(log("debug"), x[0])
        jax.debug.callback(log("debug without operands"))
        jax.debug.callback(log("partitioned"), x, partitioned=True)
        _tell(log, "second", x + 1)
        return jax.pure_callback(log("pure", lambda a: np.cumsum(a, 0, np.float32)), _like(x), x) + x

    return f


@_program
def effect_whose_result_is_unused(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        _ask(log, "unused", lambda a: a, x)
        io_callback(log("unordered and unused", lambda a: a), _like(x), x)
        return x

    return f


@_program
def on_several_devices(log: Log, mesh: Mesh) -> Program:
    """XLA keeps no order among devices."""

    def f(x: jax.Array) -> jax.Array:
        for number in (3, 1, 0):
            device = SingleDeviceSharding(mesh.devices.flat[number])
            io_callback(log(f"on {number}"), None, x + number, ordered=True, sharding=device)
            x += io_callback(log(f"back from {number}", lambda a: a * 2), _like(x), x, sharding=device)
            x += jax.pure_callback(log(f"pure on {number}", lambda a: a / 2), _like(x), x, sharding=device)
        return x

    return f


@_program
def element_types(log: Log, mesh: Mesh) -> Program:
    types = (jnp.bfloat16, jnp.int8, jnp.uint16, jnp.complex64, jnp.float16, jnp.float8_e4m3fn)

    def f(x: jax.Array) -> Any:
        values = [x > 3, *(x.astype(type_) for type_ in types)]
        jax.debug.callback(log("parts"), *values, partitioned=True)
        results = tuple(map(_like, values))
        return io_callback(log("whole", lambda *arrays: arrays, ordered=True), results, *values, ordered=True)

    return f


@_program
def donated(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        _tell(log, "x", x)
        return x + 1

    return f


@_program
def results_sharded_otherwise(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        _tell(log, "x", x)
        return x + 1, x.sum(0)

    return f


# Loops, branches and functions ---------------------------------------------------------------------------


@_program
def ordered_in_loops(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        def step(i: Any, c: jax.Array) -> jax.Array:
            _tell(log, "step", i, c[0])
            return c + 1

        def row(c: jax.Array, r: jax.Array) -> Any:
            asked = _ask(log, "row", lambda a: a * 2, r)
            jax.debug.callback(log("part of a row"), r, partitioned=True)
            return c + asked, (asked, c)

        return lax.scan(row, x[0], lax.fori_loop(0, 3, step, x)[:2])

    return f


@_program
def callback_ends_a_loop(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        def body(c: Any) -> Any:
            last = _ask(log, "how long", lambda i, a: np.int32(3), c[0], c[1])
            return c[0] + 1, c[1] + last, last

        return lax.while_loop(lambda c: c[0] < c[2], body, (0, x, 1))[1]

    return f


@_program
def loops_in_loops(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        def outer(c: jax.Array, _: Any) -> Any:
            def inner(i: Any, c: jax.Array) -> jax.Array:
                _tell(log, "inner", c[0, :2])
                return c * 1.5

            c = lax.fori_loop(0, 2, inner, c)
            _tell(log, "outer", c)
            return c, c.sum()

        return lax.scan(outer, x, None, length=2)

    return f


@_program
def branches(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        def tell(x: jax.Array) -> jax.Array:
            _tell(log, "told", x)
            return x * 2

        def ask(x: jax.Array) -> jax.Array:
            return _ask(log, "asked", lambda a: a - 1, x)

        y = lax.cond(x.sum() > 0, tell, ask, x)
        z = lax.cond(y.sum() < 0, tell, ask, y)
        return lax.switch(x[0, 0].astype(int) + 1, [tell, ask, lambda x: x], z)

    return f


@_program
def branches_in_a_loop(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        def large(r: jax.Array) -> jax.Array:
            _tell(log, "large", r)
            return r

        def small(r: jax.Array) -> jax.Array:
            jax.debug.callback(log("small"), r)
            return r + 1

        def body(c: jax.Array, r: jax.Array) -> Any:
            r = lax.cond(r[0] > 8, large, small, r)
            return c + r, r

        return lax.scan(body, x[0], x)

    return f


@_program
def called_functions(log: Log, mesh: Mesh) -> Program:
    @jax.jit
    def tell(x: jax.Array) -> jax.Array:
        _tell(log, "told", x)
        jax.debug.callback(log("whole"), x)
        jax.debug.callback(log("part"), x, partitioned=True)
        return x + 1

    @jax.jit
    def ask(x: jax.Array) -> jax.Array:
        return tell(_ask(log, "asked", lambda a: a * 3, tell(x)) + 1)

    return lambda x: (ask(tell(x) * 2), ask(x))


@_program
def state(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        ref = jax.new_ref(x)

        def body(i: Any, _: None) -> None:
            ref[i] = ref[i] * 2
            _tell(log, "row", ref[i])

        lax.fori_loop(0, 3, body, None)
        return ref[...]

    return f


@_program
def derivatives(log: Log, mesh: Mesh) -> Program:
    @jax.custom_vjp
    def sine(x: jax.Array) -> jax.Array:
        return jax.pure_callback(log("forward", np.sin), _like(x), x)

    def backward(x: jax.Array, given: jax.Array) -> Any:
        return (jax.pure_callback(log("backward", lambda x, g: np.cos(x) * g), _like(x), x, given),)

    sine.defvjp(lambda x: (sine(x), x), backward)

    @jax.checkpoint
    def kept(x: jax.Array) -> jax.Array:
        y = jnp.sin(x)
        jax.debug.callback(log("computed again"), y)
        return jnp.sin(y)

    return jax.value_and_grad(lambda x: kept(sine(x)).sum())


@_program
def random_numbers(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        keys = jax.random.split(jax.random.key(0), 2)
        _tell(log, "keys", jax.random.key_data(keys))
        return jax.vmap(lambda key: jax.random.uniform(key, (4,)))(keys)

    return f


@_program
def inspected(log: Log, mesh: Mesh) -> Program:
    """Callbacks do not change how values are sharded."""

    def note(sharding: Any) -> None:
        log.note("sharding", str(sharding.spec))

    def f(x: jax.Array) -> jax.Array:
        y = x @ x.T
        jax.debug.inspect_array_sharding(y, callback=note)
        _tell(log, "y", y)
        return y

    return f


# Regions in which devices act on their own ---------------------------------------------------------------


@_program
def of_each_device(log: Log, mesh: Mesh) -> Program:
    def body(x: jax.Array) -> jax.Array:
        io_callback(log("first"), None, lax.axis_index("data"), x, ordered=True)
        io_callback(log("second"), None, x * 2, ordered=True)
        jax.debug.callback(log("debug"), x)
        jax.debug.callback(log("partitioned"), x, partitioned=True)
        y = io_callback(log("unordered", lambda a: a * 2), _like(x), x)
        return y + jax.pure_callback(log("pure", lambda a: a * 2), _like(x), x)

    return _mapped(mesh, body)


@_program
def of_each_device_and_of_all(log: Log, mesh: Mesh) -> Program:
    @jax.jit
    def called(x: jax.Array) -> jax.Array:
        jax.debug.callback(log("called"), x)
        return x + 1

    def body(x: jax.Array) -> jax.Array:
        y = io_callback(log("each", lambda a: a + 1), _like(x), called(x), ordered=True)
        return y + lax.psum(y.sum(), "data")

    mapped = _mapped(mesh, body, check_vma=False)

    def f(x: jax.Array) -> jax.Array:
        y = mapped(called(x))
        _tell(log, "all", y)
        return y

    return f


@_program
def of_each_device_in_a_loop(log: Log, mesh: Mesh) -> Program:
    def body(x: jax.Array) -> jax.Array:
        def step(i: Any, c: jax.Array) -> jax.Array:
            io_callback(log("each"), None, i, c, ordered=True)
            return c + 1

        return lax.fori_loop(0, 2, step, x)

    mapped = _mapped(mesh, body, P("data"), check_vma=False)
    return lambda x: lax.fori_loop(0, 2, lambda i, c: mapped(c) * 2, x)


@_program
def partly_manual(log: Log, mesh: Mesh) -> Program:
    def along_data(x: jax.Array) -> jax.Array:
        jax.debug.callback(log("data"), x)
        jax.debug.callback(log("partitioned"), x, partitioned=True)
        return x + 1

    def along_model(x: jax.Array) -> jax.Array:
        def step(i: Any, c: jax.Array) -> jax.Array:
            jax.debug.callback(log("model"), i, c * 2, lax.axis_index("model"))
            return c + 1

        return lax.fori_loop(0, 2, step, x)

    by_rows = _mapped(mesh, along_data, P("data"), axis_names={"data"})
    by_columns = _mapped(mesh, along_model, P(None, "model"), axis_names={"model"})
    return lambda x: by_columns(by_rows(x))


@_program
def manual_in_manual(log: Log, mesh: Mesh) -> Program:
    def inner(x: jax.Array) -> jax.Array:
        jax.debug.callback(log("each"), x)
        return x + 1

    columns = P(None, "model")

    def body(x: jax.Array) -> jax.Array:
        return 2 * jax.shard_map(inner, in_specs=columns, out_specs=columns, axis_names={"model"})(x)

    return _mapped(mesh, body, P("data"), axis_names={"data"})


# Partitioned callbacks -----------------------------------------------------------------------------------


@_program
def partitioned(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        product = x @ x.T
        moved = lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P(None, "data")))
        jax.debug.callback(log("several"), x, x.sum(0), x.sum(), x.T, x.reshape(-1), partitioned=True)
        jax.debug.callback(log("as propagated"), product, partitioned=True)
        jax.debug.callback(log("as constrained"), moved, partitioned=True)
        jax.debug.callback(log("nothing"), partitioned=True)
        jax.debug.callback(log("whole"), x)
        return product

    return f


@_program
def partitioned_with_padding(log: Log, mesh: Mesh) -> Program:
    """The numbers of the padding are nobody's business."""

    def f(x: jax.Array) -> jax.Array:
        uneven = lax.with_sharding_constraint(x[:5] * 2, NamedSharding(mesh, P(("data", "model"))))
        jax.debug.callback(lambda part: log.note("shape", str(part.shape)), uneven, partitioned=True)
        return x

    return f


@_program
def partitioned_in_a_loop(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        def step(i: Any, c: jax.Array) -> jax.Array:
            jax.debug.callback(log("part"), i, c, partitioned=True)
            return lax.cond(i > 0, lambda c: c, part, c) + 1

        def part(c: jax.Array) -> jax.Array:
            jax.debug.callback(log("in a branch"), c, partitioned=True)
            return c * 2

        return lax.fori_loop(0, 2, step, x)

    return f


# Pure callbacks, and many at once ------------------------------------------------------------------------


@_program
def pure(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        whole = jax.ShapeDtypeStruct(x.shape, np.int32)
        two = log("two", lambda a: (a.sum(0), a.astype(np.int32)))
        same = log("same", lambda a: a + 1)
        row, numbers = jax.pure_callback(two, (_like(x[0]), whole), x)
        jax.pure_callback(log("unused", lambda a: a), _like(x), x)
        return row + x, numbers, jax.pure_callback(same, _like(x), x) + jax.pure_callback(same, _like(x), x)

    return f


@_program
def one_behind_another(log: Log, mesh: Mesh) -> Program:
    """Callbacks that take what callbacks returned, in a branch, as checks of values that pass them on."""

    def program(x: jax.Array) -> Any:
        def check(x: jax.Array) -> tuple[jax.Array, jax.Array]:
            names = (_like(x), jax.ShapeDtypeStruct((), jnp.int32))
            y, number = jax.pure_callback(log("first", lambda a: (-a, np.int32(a.size))), names, x)
            z = jax.pure_callback(log("second", lambda a, n: a * n), _like(x), y, number)
            return z, y[0]

        return lax.cond(x.sum() > 0, check, lambda x: (x, x[0]), x)

    return program


@_program
def mapped_over_rows(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> Any:
        def row(r: jax.Array) -> Any:
            jax.debug.callback(log("debug"), r)
            unordered = io_callback(log("unordered", lambda a: a * 2), _like(r), r)
            sequential = jax.pure_callback(log("sequential", np.sort), _like(r), r, vmap_method="sequential")
            at_once = jax.pure_callback(log("at once", lambda a: a + 1), _like(r), r, vmap_method="broadcast_all")
            expanded = jax.pure_callback(log("expanded", np.add), _like(r), r, x[0], vmap_method="expand_dims")
            return unordered + sequential + at_once + expanded

        return jax.vmap(row)(x[:4])

    return f


@_program
def mapped_over_devices(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        def row(r: jax.Array) -> jax.Array:
            jax.debug.callback(log("part of a row"), r, partitioned=True)
            return r + 1

        return jax.vmap(row, spmd_axis_name="data")(x[:2])

    return f


@_program
def printed(log: Log, mesh: Mesh) -> Program:
    def f(x: jax.Array) -> jax.Array:
        jax.debug.print("x={x}", x=x)
        jax.debug.print("sum={}", x.sum())
        return x

    return f
