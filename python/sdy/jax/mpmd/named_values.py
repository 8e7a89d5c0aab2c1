"""Values with names or hints for placement in a program of several meshes: `named_tensor`, `broadcast`, `reduce`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.mlir import ir
from jax.interpreters import ad, batching, mlir

from sdy.hidden_frames import hidden
from sdy.jax_internals import Primitive


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
