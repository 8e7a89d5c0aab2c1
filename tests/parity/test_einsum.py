"""einsum and torch_index_select have the shapes that XLA gives them, and are refused where XLA refuses them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from jaxlib._jax import mlir as xla

import sdy
from sdy.mlir import ir
from sdy.stablehlo import InferenceError, infer_return_type_components

SUMS = [
    ("ij,jk->ik", "2x3", "3x4"),
    ("ij,jk->ki", "2x3", "3x4"),
    ("IJ,JK->IK", "2x3", "3x4"),
    ("ij,lk->ik", "2x3", "3x4"),
    ("ij,jk->ijk", "2x1", "3x4"),
    ("ij,jk->ik", "2x1", "3x4"),
    ("ij,jk->iik", "2x3", "3x4"),
    ("ii,ik->ik", "3x3", "3x4"),
    ("ii,ik->ik", "1x3", "3x4"),
    ("zj,ja", "2x3", "3x4"),
    ("bj,jA", "2x3", "3x4"),
    (",jk->jk", "", "3x4"),
    ("i...,...k->ik", "2x3", "3x4"),
    ("...ij,...jk->...ik", "7x2x3", "7x3x4"),
    ("...ij,...jk->...ik", "7x2x3", "1x3x4"),
    ("...ij,...jk->...ik", "7x2x3", "3x4"),
    ("...ij,...jk", "7x2x3", "7x3x4"),
    ("ij,jk->...ik", "2x3", "3x4"),
    ("ij,jk->ik", "2x3", "5x4"),
    ("ij,jk->iz", "2x3", "3x4"),
    ("ii,ik->ik", "2x3", "3x4"),
    ("ij->i", "2x3", "3x4"),
    ("i j,jk->ik", "2x3", "3x4"),
    ("12,23->13", "2x3", "3x4"),
    ("i.j,jk->ik", "2x3", "3x4"),
    ("......,jk->jk", "2x3", "3x4"),
    ("ij,jk->ik->ik", "2x3", "3x4"),
    ("i...j,j...k->...ik", "7x2x3", "7x3x4"),
]
"""Without labels that are more than the dimensions: they end XLA's process."""

SELECTIONS = [
    (0, 0, "4x5", "2x3xi32"),
    (1, 0, "4x5", "2x3xi32"),
    (1, 0, "4x5", "i64"),
    (1, 1, "4x5", "4x3xi32"),
    (1, 1, "4x5", "2x3xi32"),
    (2, 1, "4x5x6", "4x3xi32"),
    (0, 1, "4x5", "4x3xi32"),
    (-1, 0, "4x5", "2x3xi32"),
    (1, 0, "4x5", "2x3xf32"),
]


def _xla(op: str) -> Sequence[int] | None:
    """The shape of its result; None if there is none. XLA does not look at the declared one."""
    types = op.partition(" : (")[2].partition(")")[0].split(", ")
    arguments = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(types))
    text = f"func.func @main({arguments}) -> tensor<f32> {{\n%r = {op} -> tensor<f32>\nreturn %r : tensor<f32>\n}}"
    try:
        made = xla.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    except RuntimeError:
        return None
    return made.program_shape().result_shape().dimensions()


def _ours(name: str, types: Sequence[str], attributes: dict[str, str]) -> Sequence[int] | None:
    with sdy.make_context():
        operands = [ir.Type.parse(f"tensor<{each}>") for each in types]
        given = {key: ir.Attribute.parse(value) for key, value in attributes.items()}
        try:
            return infer_return_type_components(name, operands, given)[0].dims
        except InferenceError:
            return None


@pytest.mark.parametrize(("config", "lhs", "rhs"), SUMS)
def test_sums(config: str, lhs: str, rhs: str) -> None:
    lhs, rhs = f"{lhs}xf32".removeprefix("x"), f"{rhs}xf32"
    op = f'"stablehlo.einsum"(%0, %1) {{einsum_config = "{config}"}} : (tensor<{lhs}>, tensor<{rhs}>)'
    assert _ours("stablehlo.einsum", [lhs, rhs], {"einsum_config": f'"{config}"'}) == _xla(op)


@pytest.mark.parametrize(("dim", "batch_dims", "operand", "index"), SELECTIONS)
def test_selections(dim: int, batch_dims: int, operand: str, index: str) -> None:
    written = f"dim = {dim} : i64, batch_dims = {batch_dims} : i64"
    op = f'"stablehlo.torch_index_select"(%0, %1) {{{written}}} : (tensor<{operand}xf32>, tensor<{index}>)'
    attributes = {"dim": f"{dim} : i64", "batch_dims": f"{batch_dims} : i64"}
    assert _ours("stablehlo.torch_index_select", [f"{operand}xf32", index], attributes) == _xla(op)
