"""Ops of CHLO, as JAX emits them."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, size
from tests.generators.op_instances import OpInstance, generator, tensor

_UNARY = ("acos acosh asin asinh atan atanh bessel_i1e cosh digamma erf erf_inv erfc lgamma sinh square tan").split()
_PREDICATES = ("is_inf", "is_neg_inf", "is_pos_inf")
_BINARY = ("next_after", "polygamma", "zeta")
_BROADCASTING = "add and atan2 divide maximum minimum multiply or power remainder subtract xor".split()


@generator(*(f"chlo.{name}" for name in (*_UNARY, *_PREDICATES)))
def unary(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    return OpInstance(kind, [tensor(sizes)], [tensor(sizes, "i1" if "is_" in kind else "f32")])


@generator("chlo.conj")
def conj(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "complex<f32>")
    return OpInstance(kind, [type_], [type_])


@generator(*(f"chlo.{name}" for name in (*_BINARY, "mulhi")))
def binary(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "i32" if kind == "chlo.mulhi" else "f32")
    return OpInstance(kind, [type_, type_], [type_])


@generator(*(f"chlo.broadcast_{name}" for name in _BROADCASTING))
def broadcasting(rng: Random, kind: str) -> OpInstance:
    type_ = tensor(shape(rng), "f32" if kind.endswith("atan2") else "i32")
    return OpInstance(kind, [type_, type_], [type_])


@generator("chlo.top_k")
def top_k(rng: Random, kind: str) -> OpInstance:
    sizes = [extent or 1 for extent in shape(rng, 1)]
    count = rng.choice([sizes[-1], rng.randint(1, sizes[-1])])
    result = [*sizes[:-1], count]
    return OpInstance(kind, [tensor(sizes)], [tensor(result), tensor(result, "i32")], f"k = {count} : i64")


@generator("chlo.ragged_dot")
def ragged_dot(rng: Random, kind: str) -> OpInstance:
    """Groups of rows, each times a matrix of its own; products of groups of columns; or of groups of matrices."""
    groups, rows, inner, columns = (size(rng) or 1 for _ in range(4))
    batch = [size(rng) or 1 for _ in range(rng.randint(0, 1))]
    sizes = tensor([groups], "i32")
    batching, (first, second) = [0] * len(batch), (len(batch), len(batch) + 1)
    lhs, rhs = [*batch, rows, inner], [*batch, inner, columns]
    mode = rng.choice(["rows", "columns", "batch"] if batch else ["rows", "columns"])
    if mode == "rows":
        numbers = _ragged_numbers(batching, [1] * len(batch), [second], [second], [first], [0])
        return OpInstance(
            kind, [tensor(lhs), tensor([groups, *rhs]), sizes], [tensor([*batch, rows, columns])], numbers
        )
    ragged, results = ([second], [groups]) if mode == "columns" else ([0], [])
    numbers = _ragged_numbers(batching, batching, [second], [first], ragged, [])
    return OpInstance(kind, [tensor(lhs), tensor(rhs), sizes], [tensor([*results, *batch, rows, columns])], numbers)


def _ragged_numbers(*lists: list[int]) -> str:
    names = "lhs_batching rhs_batching lhs_contracting rhs_contracting lhs_ragged rhs_group".split()
    parts = ", ".join(f"{name}_dimensions = {numbers}" for name, numbers in zip(names, lists, strict=True))
    return f"ragged_dot_dimension_numbers = #chlo.ragged_dot<{parts}>"
