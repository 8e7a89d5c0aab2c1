"""Parts of a JAX function that stay units in a program of several meshes: named computations, calls, loops, values.

A unit is traced, differentiated and batched as an inner `jax.jit`, marked by its options (`compile_option`). JAX's rule
for transposing a jitted function is replaced by one that calls it and counts transpositions of named computations.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax.extend.mlir import ir
from jax.interpreters import ad, batching, mlir

from sdy.hidden_frames import hidden
from sdy.jax.call_arguments import PyTree
from sdy.jax.compile_option import UNIT, Carried, Options, option_of_unit, unit_in
from sdy.jax_internals import Primitive, transpose_rules_of_jit
from sdy.lazy_dataclass import dataclass

Carry = TypeVar("Carry")

_RESERVED = ("partir.", "sdy.")
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """A named computation, and how often it was transposed."""

    name: str
    transpose_count: int = 0

    def text(self) -> str:
        """The unit as `unit_of` reads it."""
        return json.dumps(["computation", self.name, self.transpose_count])


@dataclass(frozen=True, slots=True)
class CallUnit:
    """A call; `loop` is the number of its loop, which has `iterations`."""

    counter: int | None = None
    loop: int | None = None
    iterations: int = 0

    def text(self) -> str:
        """The unit as `unit_of` reads it."""
        return json.dumps(["call", self.counter, self.loop, self.iterations])


def unit_of(options: Options) -> NamedUnit | CallUnit | None:
    """Return the unit of a jitted function with these options; None if it is none."""
    text = unit_in(options)
    if text is None:
        return None
    kind, *fields = json.loads(text)
    return NamedUnit(*fields) if kind == "computation" else CallUnit(*fields)


@hidden
def named_computation(
    fn: Callable | None = None, *, name: str, static_argnames: str | Iterable[str] | None = None
) -> Callable:
    """Make `fn` a named unit, which a `Config` assigns to a mesh.

    >>> x = mpmd.named_computation(block, name="block_0")(params, x)

    It is differentiated and batched like any function; its backward pass is a unit of the same name. Outside of
    `mpmd.jit` it is the plain function. Without `fn` the result is a decorator.

    Args:
      fn: a function of pytrees of arrays.
      name: one that is not "main", nor begins with "partir." or "sdy.".
      static_argnames: names of the arguments that are no arrays, as `jax.jit` takes them.

    Raises:
      ValueError: the name is reserved or empty.
    """
    if not name or name == "main" or name.startswith(_RESERVED):
        raise ValueError(f"a named computation cannot be called {name!r}: main, partir.* and sdy.* are reserved")
    if fn is None:
        return functools.partial(named_computation, name=name, static_argnames=static_argnames)
    return _unit(fn, NamedUnit(name), static_argnames)


@hidden
def call(fn: Callable, *, call_counter: int | None = None) -> Callable:
    """Make `fn` a call that is preserved in the program, such as one microbatch.

    >>> carry = mpmd.call(microbatch, call_counter=i)(carry, x, target)

    Args:
      fn: a function of pytrees of arrays, which may have named computations on several meshes.
      call_counter: number of the microbatch, at least 0.

    Raises:
      ValueError: the counter is negative.
    """
    if call_counter is not None and call_counter < 0:
        raise ValueError(f"call_counter is at least 0, not {call_counter}")
    return _unit(fn, CallUnit(call_counter))


@hidden
def fori_loop(n: int, body: Callable[[jax.Array, Carry], Carry], init: Carry) -> Carry:
    """A loop with a fixed number of iterations, each of them a `call`.

    Counters of calls go on from loop to loop of a program. It can be differentiated.

    Args:
      n: number of iterations.
      body: function of the index, a `uint32`, and the carry; it returns the next carry.
      init: the first carry.

    Returns:
      The last carry.

    Raises:
      TypeError: the body returns a carry with another structure, shape or type.
      ValueError: `n` is negative.
    """
    if n < 0:
        raise ValueError(f"a loop has at least 0 iterations, not {n}")
    return _loop(n, lambda index, carry, _: body(index, carry), init, [()] * n)


@hidden
def enumerated_for(
    body: Callable[[Carry, jax.Array, Any], Carry], carry: Carry, inputs: Sequence[PyTree], *, unroll: bool = False
) -> Carry:
    """Loop over a list; each iteration is a `call`.

    Args:
      body: function of the carry, the index, a `uint32`, and an element; it returns the next carry.
      carry: the first carry.
      inputs: the elements, pytrees of arrays with the same shapes; or a tuple of lists of one length, whose elements go
        together.
      unroll: has no effect, all loops are unrolled.

    Returns:
      The last carry.

    Raises:
      TypeError: the body returns a carry with another structure, shape or type.
      ValueError: the lists have different lengths.
    """
    del unroll
    elements: list[PyTree] = list(inputs)
    if isinstance(inputs, tuple) and inputs and all(isinstance(each, list) for each in inputs):
        lengths = {len(each) for each in inputs}
        if len(lengths) > 1:
            raise ValueError(f"the lists of a loop have one length, not {', '.join(map(str, sorted(lengths)))}")
        elements = list(zip(*inputs, strict=True))
    return _loop(len(elements), lambda index, carry, element: body(carry, index, element), carry, elements)


def _loop(n: int, body: Callable, carry: Carry, elements: Sequence[PyTree]) -> Carry:
    loop = next(_numbers)
    carry = jax.tree.map(jnp.asarray, carry)
    given = _types(carry)
    for index, element in enumerate(elements):
        carry = _unit(body, CallUnit(index, loop, n))(jnp.uint32(index), carry, element)
        if _types(carry) != given:
            raise TypeError(f"the body of a loop returns another carry than it gets: {_types(carry)} for {given}")
    return carry


def _types(tree: PyTree) -> PyTree:
    leaves, structure = jax.tree.flatten(tree)
    return structure, [(each.shape, each.dtype) for each in map(jnp.asarray, leaves)]


def _unit(fn: Callable, unit: NamedUnit | CallUnit, static: str | Iterable[str] | None = None) -> Callable:
    return jax.jit(fn, static_argnames=static, compiler_options=option_of_unit(unit.text()))


def _transposed(options: Options) -> Options:
    """Return the options of the transpose of a jitted function with `options`."""
    unit = unit_of(options)
    if not isinstance(unit, NamedUnit):
        return options
    transposed = NamedUnit(unit.name, unit.transpose_count + 1)
    return Carried((name, transposed.text() if name == UNIT else value) for name, value in options)


def install_transposition() -> None:
    """Replace JAX's rule by one that counts. Raises `ImportError` for a JAX without it."""
    rules, primitive = transpose_rules_of_jit()
    original = rules[primitive]

    @functools.wraps(original)
    def counted(*args: Any, compiler_options_kvs: Options, **params: Any) -> Any:
        return original(*args, compiler_options_kvs=_transposed(compiler_options_kvs), **params)

    # JAX copies the rule when it first differentiates a jitted function, which may be before this.
    rules |= {each: counted for each, rule in rules.items() if rule is original}


def _identity(primitive: Primitive, transposed: Primitive) -> None:
    """Makes a primitive the identity to JAX; it is linear, and the transpose of `transposed`."""
    primitive.def_impl(lambda x, **_: x)
    primitive.def_abstract_eval(lambda x, **_: x)
    ad.deflinear2(primitive, lambda cotangent, _, **params: [_bound(transposed, cotangent, params)])
    batching.primitive_batchers[primitive] = lambda values, dims, **params: (
        primitive.bind(*values, **params),
        dims[0],
    )
    mlir.register_lowering(primitive, lambda _, x, **__: [x])


def _bound(primitive: Primitive, cotangent: Any, params: dict[str, Any]) -> Any:
    return cotangent if isinstance(cotangent, ad.Zero) else primitive.bind(cotangent, **params)


named_tensor_p, broadcast_p, reduce_p = (Primitive(f"mpmd_{name}") for name in ("named_tensor", "broadcast", "reduce"))
_identity(named_tensor_p, named_tensor_p)
_identity(broadcast_p, reduce_p)
_identity(reduce_p, broadcast_p)


@hidden
def named_tensor(x: jax.Array, name: str) -> jax.Array:
    """Return `x` under a name, which a `Config` may assign to a mesh.

    Raises:
      ValueError: the name is empty.
    """
    if not name:
        raise ValueError("a named tensor has a name")
    return named_tensor_p.bind(x, name=name)


@hidden
def broadcast(x: Any) -> Any:
    """Return the arrays in `x`, which may be copied to all meshes that use them; the transpose is `reduce`."""
    return jax.tree.map(broadcast_p.bind, x)


@hidden
def reduce(x: Any) -> Any:
    """Return the arrays in `x`, which may come from a reduction over meshes; the transpose is `broadcast`."""
    return jax.tree.map(reduce_p.bind, x)


def ops_of_values() -> Sequence[tuple[Primitive, Any]]:
    """Lowering rules that give ops of the dialect for values."""

    def rule(op: str, attributes: str) -> Any:
        def lower(context: mlir.LoweringRuleContext, x: ir.Value, **params: str) -> list[ir.Value]:
            return [_op(op, attributes, x, params)]

        return lower

    return (
        (named_tensor_p, rule("named_tensor", "")),
        (broadcast_p, rule("broadcast", "")),
        (reduce_p, rule("reduce", "reduction = #mpmd.reduction<none>")),
    )


def _op(op: str, attributes: str, x: ir.Value, params: dict[str, str]) -> ir.Value:
    stored: dict[str, ir.Attribute] = {name: ir.StringAttr.get(value) for name, value in params.items()}
    if attributes:
        name, _, text = attributes.partition(" = ")
        stored[name] = ir.Attribute.parse(text)
    return ir.Operation.create(f"mpmd.{op}", results=[x.type], operands=[x], attributes=stored).result
