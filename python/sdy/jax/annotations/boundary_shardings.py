"""sdy shardings for the arguments and results of a function: `with_shardings`, and their use by `jit`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import jax
from jax.sharding import AxisType, NamedSharding

from sdy.dialect.values.sharding import TensorSharding
from sdy.hidden_frames import hidden
from sdy.jax.annotations.edges import Edge
from sdy.jax.annotations.given_shardings import Sharding, given_sharding
from sdy.jax.annotations.value_primitives import constraint_p
from sdy.jax.call_arguments import JitOptions, PyTree

T = TypeVar("T")


@hidden
def with_shardings(
    fun: Callable,
    /,
    *,
    in_shardings: PyTree = None,
    out_shardings: PyTree = None,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
) -> Callable:
    """Return `fun` with shardings of its arguments and results, for use in `sdy.jax.partitioned`.

    >>> step = jax.jit(sdy.jax.with_shardings(step, in_shardings=(sdy.jax.Sharding([Dim("data", open=True)]), None)))

    `sdy.jax.jit` takes the same shardings itself. They become those of the program's arguments; if `fun` is called
    within a larger program, they constrain its arguments and results.

    Args:
      fun: a function of arrays, or of pytrees of them.
      in_shardings: for the positional arguments that are not static, in the structure of their tuple or a prefix of
        it: a `Sharding`, one of JAX, or None.
      out_shardings: the same for the results.
      static_argnums: numbers of the arguments that are no arrays, as `jax.jit` takes them.
      static_argnames: names of the arguments that are no arrays, as `jax.jit` takes them.

    Raises:
      TypeError: `in_shardings` or `out_shardings` contain an object that is not a sharding.
      ValueError: when called: the structure of shardings does not fit.
    """
    ins, outs = (_mapped(given_sharding, each) for each in (in_shardings, out_shardings))
    return _at_edges(fun, ins, outs, _static(fun, static_argnums, static_argnames))


def split(fun: Callable, options: JitOptions, unspecified: PyTree) -> tuple[Callable, JitOptions]:
    """Split options of `jax.jit`: sdy shardings become those of the wrapped `fun`, the other options stay.

    Parts that JAX can express stay among the options.
    """
    ins, outs = options.get("in_shardings", unspecified), options.get("out_shardings", unspecified)
    if not (_has_ours(ins) or _has_ours(outs)):
        return fun, options
    static = _static(fun, options.get("static_argnums"), options.get("static_argnames"))
    kept_ins = _mapped(lambda leaf: _for_arguments(leaf)[0], ins)
    kept_outs = _mapped(lambda leaf: _for_results(leaf)[0], outs)
    own_ins = _mapped(lambda leaf: _for_arguments(leaf)[1], ins)
    own_outs = _mapped(lambda leaf: _for_results(leaf)[1], outs)
    kept_ins, kept_outs = (unspecified if each is None else each for each in (kept_ins, kept_outs))
    return _at_edges(fun, own_ins, own_outs, static), {
        **options,
        "in_shardings": kept_ins,
        "out_shardings": kept_outs,
    }


def _is_leaf(x: object) -> bool:
    return x is None or isinstance(x, Sharding | TensorSharding)


def _mapped(function: Callable[[object], object], tree: PyTree) -> PyTree:
    return jax.tree.map(function, tree, is_leaf=_is_leaf)


def _ours(leaf: object) -> Sharding | None:
    return given_sharding(leaf) if isinstance(leaf, Sharding | TensorSharding) else None


def _has_ours(tree: PyTree) -> bool:
    return any(_ours(leaf) is not None for leaf in jax.tree.leaves(tree, is_leaf=_is_leaf))


def _for_arguments(leaf: T) -> tuple[T | NamedSharding | None, Sharding | None]:
    """Return JAX's sharding of a leaf, and the function's."""
    own = _ours(leaf)
    if own is None:
        return leaf, None
    _check_unreduced(own)
    return (own.named if own.is_known_beforehand else None), own


def _for_results(leaf: T) -> tuple[T | NamedSharding | None, Sharding | None]:
    """Return the same for a result; JAX gets the sharding if it can express it."""
    own = _ours(leaf)
    if own is None:
        return leaf, None
    _check_unreduced(own)
    return (own.named if own.is_known_beforehand else None), (None if own.is_said_by_jax else own)


def _check_unreduced(own: Sharding) -> None:
    """Raises `ValueError` for an array of JAX that cannot be."""
    types = dict(zip(own.mesh.axis_names, own.mesh.axis_types, strict=True))
    for axis in own.value.unreduced:
        if types[axis.name] is not AxisType.Explicit or not own.is_said_by_jax:
            raise ValueError(
                "a JAX array can be unreduced only along Explicit axes, with complete axes on closed dimensions: "
                f"{own.value}"
            )


def _static(
    fun: Callable, numbers: int | Sequence[int] | None, names: str | Iterable[str] | None
) -> tuple[frozenset[int], int]:
    """The numbers of the static arguments, and how many parameters the function has."""
    listed = () if numbers is None else (numbers,) if isinstance(numbers, int) else tuple(numbers)
    named = () if names is None else (names,) if isinstance(names, str) else tuple(names)
    try:
        parameters = list(inspect.signature(fun).parameters)
    except (TypeError, ValueError):  # a builtin
        parameters = []
    listed += tuple(parameters.index(name) for name in named if name in parameters)
    return frozenset(number % len(parameters) if number < 0 else number for number in listed), len(parameters)


def _at_edges(fun: Callable, ins: PyTree, outs: PyTree, static: tuple[frozenset[int], int]) -> Callable:
    @functools.wraps(fun)
    def with_edges(*arguments: PyTree, **named: PyTree) -> PyTree:
        dynamic = tuple(x for number, x in enumerate(arguments) if number not in static[0])
        bound = iter(_bound(ins, dynamic, Edge.ARGUMENT))
        arguments = tuple(x if number in static[0] else next(bound) for number, x in enumerate(arguments))
        return _bound(outs, fun(*arguments, **named), Edge.RESULT)

    return with_edges


def _bound(shardings: PyTree, values: PyTree, edge: Edge) -> PyTree:
    def of_tree(sharding: Sharding | None, tree: PyTree) -> PyTree:
        if sharding is None:
            return tree
        return jax.tree.map(lambda leaf: _constrained(leaf, sharding, edge), tree)

    return values if shardings is None else jax.tree.map(of_tree, shardings, values, is_leaf=_is_leaf)


def _constrained(leaf: jax.typing.ArrayLike, sharding: Sharding, edge: Edge) -> jax.Array:
    whole = sharding.of_rank(jax.numpy.ndim(leaf))
    return constraint_p.bind(jax.numpy.asarray(leaf), sharding=whole, mesh=sharding.mesh, edge=edge)
