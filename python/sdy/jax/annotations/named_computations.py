"""Parts of a program that have a name and shardings of their own: `named_computation`.

A computation is traced, differentiated and batched as an inner `jax.jit`, marked by its options (`compile_option`);
lowering makes it a `sdy.named_computation` instead of a call.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack, overload

import jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy as sdy_dialect

from sdy.hidden_frames import hidden
from sdy.jax.annotations.boundary_shardings import with_shardings
from sdy.jax.annotations.edges import Edge, Noted, noting_edges
from sdy.jax.call_arguments import PyTree
from sdy.jax.compile_option import option_of_computation
from sdy.jax_internals import effects, mlir

if TYPE_CHECKING:
    from jax.extend.core import Effect, Jaxpr

COMPUTATION_OP = "sdy.named_computation"


class _Static(TypedDict, total=False):
    """The non-array arguments of a function, in `jax.jit`'s form."""

    static_argnums: int | Sequence[int] | None
    static_argnames: str | Iterable[str] | None


_with_computations: weakref.WeakSet[ir.Module] = weakref.WeakSet()


def has_computations(module: ir.Module) -> bool:
    """Return whether JAX has lowered a named computation into a module."""
    return module in _with_computations


class _Options(_Static, total=False):
    """Arguments of `named_computation` besides the function."""

    name: str | None
    in_shardings: PyTree
    out_shardings: PyTree


@overload
def named_computation(fun: None = None, /, **options: Unpack[_Options]) -> Callable[[Callable], jax.stages.Wrapped]: ...


@overload
def named_computation(fun: Callable, /, **options: Unpack[_Options]) -> jax.stages.Wrapped: ...


@hidden
def named_computation(
    fun: Callable | None = None,
    /,
    *,
    name: str | None = None,
    in_shardings: PyTree = None,
    out_shardings: PyTree = None,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
) -> jax.stages.Wrapped | Callable[[Callable], jax.stages.Wrapped]:
    """Make `fun` a named part of the program: a `sdy.named_computation`.

    >>> @sdy.jax.named_computation(in_shardings=(sdy.jax.Sharding(["data"], mesh=mesh), None))
    ... def attention(x, weights): ...

    Shardings propagate into it and out of it as if it were absent, except at given shardings. It can be differentiated,
    batched and scanned; the results have the same name. Without `fun` the result is a decorator.

    Args:
      fun: a function of arrays, or of pytrees of them.
      name: by default that of `fun`.
      in_shardings: for the arguments that are not static, in their structure or a prefix of it: a `sdy.jax.Sharding`,
        one of JAX, or None.
      out_shardings: the same for the results.
      static_argnums: numbers of the arguments that are no arrays, as `jax.jit` takes them.
      static_argnames: names of the arguments that are no arrays, as `jax.jit` takes them.

    Raises:
      TypeError: `in_shardings` or `out_shardings` contain an object that is not a sharding.
      ValueError: when called: the structure of shardings does not fit.
    """
    static: _Static = {"static_argnums": static_argnums, "static_argnames": static_argnames}
    if fun is None:

        def decorated(given: Callable) -> jax.stages.Wrapped:
            return named_computation(given, name=name, in_shardings=in_shardings, out_shardings=out_shardings, **static)

        return decorated
    named = name or getattr(fun, "__name__", "computation")
    inner = with_shardings(fun, in_shardings=in_shardings, out_shardings=out_shardings, **static)
    return jax.jit(inner, compiler_options=option_of_computation(named), **static)


def lower_computation(
    context: mlir.LoweringRuleContext, name: str, jaxpr: Jaxpr, operands: Sequence[ir.Value]
) -> list[ir.Value]:
    """Build the op of a named computation; return its results."""
    _with_computations.add(context.module_context.module)
    ordered = list(effects.ordered_effects.filter_in(jaxpr.effects))
    tokens = [context.tokens_in.get(each) for each in ordered]
    outside = [*context.dim_var_values, *tokens, *operands]
    # A block belongs to an op; this one is there until it is known what the block returns.
    holder = ir.Operation.create("builtin.module", regions=1)
    block = holder.regions[0].blocks.append(*(x.type for x in outside))
    with ir.InsertionPoint(block), noting_edges() as noted:
        sizes, given, values = _split(list(block.arguments), len(context.dim_var_values), len(ordered))
        before = dict(zip(ordered, given, strict=True))
        returned = sdy_dialect.ReturnOp(lower_body(context, name, jaxpr, sizes, before, values)).operation
        ins = _shardings_of_arguments(block, noted)
        outs = _shardings_of_results(returned, noted)
    types = [x.type for x in returned.operands]
    op = sdy_dialect.NamedComputationOp(types, name, outside, in_shardings=ins, out_shardings=outs)
    block.append_to(op.regions[0])
    holder.erase()
    after, results = op.results[: len(ordered)], op.results[len(ordered) :]
    if ordered:
        context.set_tokens_out(context.tokens_in.update_tokens(mlir.TokenSet(dict(zip(ordered, after, strict=True)))))
    pairs = zip(results, context.avals_out, strict=True)
    return [mlir.lower_with_sharding_in_types(context, result, aval) for result, aval in pairs]


def _split(values: Sequence[ir.Value], sizes: int, tokens: int) -> tuple[Sequence[ir.Value], ...]:
    """Split the operands of a computation into sizes, tokens and other values."""
    return values[:sizes], values[sizes : sizes + tokens], values[sizes + tokens :]


def lower_body(
    context: mlir.LoweringRuleContext,
    name: str,
    jaxpr: Jaxpr,
    sizes: Sequence[ir.Value],
    tokens: Mapping[Effect, ir.Value],
    arguments: Sequence[ir.Value],
) -> list[mlir.IrValues]:
    """Lower the body of the computation at the insertion point.

    Args:
      context: of the rule.
      name: of the computation.
      jaxpr: the computation.
      sizes: symbolic dimensions.
      tokens: of its ordered effects, before it.
      arguments: all other operands.

    Returns:
      Its tokens, then its results.
    """
    open_jaxpr = getattr(jaxpr, "jaxpr", jaxpr)  # JAX 0.10 has closed ones besides
    results, after = mlir.jaxpr_subcomp(
        context.module_context,
        open_jaxpr,
        context.name_stack.extend(name),
        mlir.TokenSet(dict(tokens)),
        mlir.ir_consts(jaxpr.consts, [v.aval for v in open_jaxpr.constvars]),
        *arguments,
        dim_var_values=sizes,
        const_lowering={},
        outer_traceback=context.traceback,
    )
    return [*(after.get(each) for each in tokens), *results]


def _shardings_of_arguments(block: ir.Block, noted: Noted) -> ir.Attribute | None:
    """Replace the shardings of a block's arguments by those of constraints at its edge."""
    ops = {op for edge, op in noted if edge is Edge.ARGUMENT}
    found: list[ir.Attribute | None] = []
    for argument in block.arguments:
        users = [use.owner.operation for use in argument.uses]
        constraint = users[0] if len(users) == 1 and users[0] in ops else None
        if constraint is not None:
            constraint.results[0].replace_all_uses_with(argument)
        found.append(_taken(constraint))
    return _per_value(found, [argument.type for argument in block.arguments])


def _shardings_of_results(returned: ir.Operation, noted: Noted) -> ir.Attribute | None:
    """Return the shardings of results, and constrain these."""
    ops = {op for edge, op in noted if edge is Edge.RESULT}
    found: list[ir.Attribute | None] = []
    for number, value in enumerate(returned.operands):
        owner = None if isinstance(value.owner, ir.Block) else value.owner.operation
        constraint = owner if owner in ops and len(list(value.uses)) == 1 else None
        if constraint is not None:
            returned.operands[number] = constraint.operands[0]
        found.append(_taken(constraint))
    return _per_value(found, [value.type for value in returned.operands])


def _taken(constraint: ir.Operation | None) -> ir.Attribute | None:
    """Remove a constraint, and return its sharding; None without one."""
    if constraint is None:
        return None
    sharding = constraint.attributes["sharding"]
    constraint.erase()
    return sharding


def _per_value(shardings: Sequence[ir.Attribute | None], types: Sequence[ir.Type]) -> ir.Attribute | None:
    """Return one sharding per value, open for values without one; None if no value has one."""
    mesh = next((sdy_dialect.TensorShardingAttr(each).mesh_or_ref for each in shardings if each is not None), None)
    if mesh is None:
        return None
    opened = sdy_dialect.DimensionShardingAttr.get([], is_closed=False)
    ranks = [getattr(each, "rank", 0) for each in types]  # a token has none
    return sdy_dialect.TensorShardingPerValueAttr.get(
        [
            each if each is not None else sdy_dialect.TensorShardingAttr.get(mesh, [opened] * rank)
            for each, rank in zip(shardings, ranks, strict=True)
        ]
    )
