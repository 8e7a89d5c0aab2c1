"""What JAX seldom emits: rare ops, rare element types, and ops that a CPU does not execute. No op is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random

import jax
import numpy as np
import pytest

import sdy
from sdy.mlir.diagnostics import DiagnosticError
from sdy.partition import partition
from tests import depth
from tests.generators.op_instances import GENERATORS, OpInstance, random_instance
from tests.numerics import one_op
from tests.numerics.dialect_ops import ALL_OPS, ELSEWHERE, NOT_EXECUTED, REFUSED, TAKEN_APART
from tests.numerics.harness import run_partitioned, run_unpartitioned
from tests.numerics.rare_ops import RARE
from tests.numerics.test_every_op import KINDS


@pytest.fixture(autouse=True)
def wide_numbers() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("seed", depth.seeds(1, 12))
@pytest.mark.parametrize("kind", RARE if depth.ALL else list(RARE)[::3])
def test_rare_ops(kind: str, seed: int) -> None:
    one_op.check(RARE[kind](Random(f"{kind} {seed}"), kind), seed)


@pytest.mark.parametrize("shardings", [("[{}]", "[{}]"), ('[{"x"}]', '[{"x"}]'), ("[{}]", '[{"y"}]')])
def test_scatter_by_empty_indices_adds_to_the_first_element(shardings: tuple[str, str]) -> None:
    """XLA alone adds element by element where the updates have the shape of the input."""
    body = "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n %s = stablehlo.add %p, %q : tensor<f32>\n"
    text = f"""
    sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(%input: tensor<8xf32>, %indices: tensor<8x0xi32>, %updates: tensor<8xf32>) -> tensor<8xf32> {{
      %0 = sdy.sharding_constraint %input <@mesh, {shardings[0]}> : tensor<8xf32>
      %1 = sdy.sharding_constraint %updates <@mesh, {shardings[1]}> : tensor<8xf32>
      %2 = "stablehlo.scatter"(%0, %indices, %1) <{{
        scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], index_vector_dim = 1>
      }}> ({{ {body} stablehlo.return %s : tensor<f32> }})
        : (tensor<8xf32>, tensor<8x0xi32>, tensor<8xf32>) -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }}"""
    partitioned = partition(text)
    inputs = [np.arange(8, dtype=np.float32), np.zeros((8, 0), np.int32), np.arange(10, 18, dtype=np.float32)]
    expected = [108, 1, 2, 3, 4, 5, 6, 7]
    np.testing.assert_array_equal(run_partitioned(partitioned, inputs)[0], expected)
    np.testing.assert_array_equal(run_unpartitioned(text, partitioned, inputs)[0], expected)


# Element types ---------------------------------------------------------------------------------------

MOVING = tuple(
    "slice pad concatenate reverse transpose reshape broadcast_in_dim dynamic_slice dynamic_update_slice "
    "gather select".split()
)
ADDING = tuple("reduce dot_general scatter reduce_window select_and_scatter convolution".split())

TYPES = {
    **dict.fromkeys("f64 bf16 f16 i8 ui8 i16 ui32 i64 complex<f32> complex<f64>".split(), (*MOVING, *ADDING)),
    **dict.fromkeys("i1 i4 ui4 f8E4M3FN f8E5M2 f8E4M3B11FNUZ".split(), MOVING),
}
"""Ops by element type; sums of very small types overflow, differently in another order."""

NOT_ON_A_CPU = {
    ("select_and_scatter", "complex<f32>"): "complex numbers have no order",
    ("select_and_scatter", "complex<f64>"): "complex numbers have no order",
}

TYPED = [(op, type_) for type_, ops in TYPES.items() for op in ops if (op, type_) not in NOT_ON_A_CPU]


@pytest.mark.parametrize("seed", depth.seeds(1, 3))
@pytest.mark.parametrize(("op", "element"), TYPED if depth.ALL else TYPED[::8])
def test_element_types(op: str, element: str, seed: int) -> None:
    one_op.check(_with_elements(_of_floats(op, seed), element), seed)


def _of_floats(op: str, seed: int) -> OpInstance:
    """An instance without constants of which all types may be replaced; one that combines adds."""
    for number in count(1000 * seed):
        found = random_instance(f"stablehlo.{op}", number)
        regions = found.regions
        is_plain = "tensor<i32>" not in regions and "complex" not in regions and "tensor<i1>, " not in regions
        if not found.before and is_plain and ("stablehlo.add" in regions or not regions):
            return found
    raise AssertionError


def _with_elements(instance: OpInstance, element: str) -> OpInstance:
    """The same op on another type in the place of f32."""

    def changed(text: str) -> str:
        return text.replace("xf32>", f"x{element}>").replace("tensor<f32>", f"tensor<{element}>")

    return replace(
        instance,
        arguments=[changed(type_) for type_ in instance.arguments],
        results=[changed(type_) for type_ in instance.results],
        attributes=changed(instance.attributes),
        regions=changed(instance.regions),
        operands=instance.operands and [(name, changed(type_)) for name, type_ in instance.operands],
        before=changed(instance.before),
    )


# What a CPU does not execute -------------------------------------------------------------------------

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'


@pytest.mark.parametrize("op", NOT_EXECUTED)
def test_partitioned_into_a_valid_program(op: str) -> None:
    partitioned = partition(MESH + NOT_EXECUTED[op])
    assert f"{op} " in partitioned.text or f'"{op}"' in partitioned.text
    assert "sdy." not in partitioned.text
    sdy.parse(partitioned.text)


@pytest.mark.parametrize("op", REFUSED)
def test_refused_at_the_op(op: str) -> None:
    with pytest.raises(DiagnosticError, match=f"'{op}' op has a result of type .* static shapes only"):
        partition(MESH + REFUSED[op])


def test_tuples_that_are_taken_apart_are_their_elements() -> None:
    partitioned = partition(MESH + TAKEN_APART)
    assert "tuple" not in partitioned.text
    numbers = np.arange(48, dtype=np.float32).reshape(8, 6)
    np.testing.assert_array_equal(run_partitioned(partitioned, [numbers])[0], -numbers)


def test_no_op_is_forgotten() -> None:
    tested = {*KINDS, *RARE, *NOT_EXECUTED, *REFUSED, *ELSEWHERE}
    assert sorted(set(ALL_OPS) - tested) == []
    assert sorted(set(KINDS) - set(ALL_OPS)) == []
    assert set(GENERATORS) >= set(KINDS)
