"""Rules in the notation of einsum, compared with what JAX makes of the same text."""

from __future__ import annotations

from typing import Any

import pytest
from jax._src.custom_partitioning_sharding_rule import sdy_sharding_rule_to_mlir, str_to_sdy_sharding_rule
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir as jax_ir

from sdy.dialect.context import make_context
from sdy.dialect.ops.notation import einsum_rule
from sdy.dialect.ops.op_signature import OpSignature
from sdy.mlir import ir

Shapes = list[tuple[int, ...]]


def type_text(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def ours(notation: str, operands: Shapes, results: Shapes, **others: Any) -> str:
    names = ", ".join(f"%a{number}" for number in range(len(operands)))
    types = ", ".join(map(type_text, operands))
    arguments = ", ".join(f"%a{number}: {type_text(shape)}" for number, shape in enumerate(operands))
    text = f'func.func @f({arguments}) {{ %r:{len(results)} = "my.op"({names}) : ({types}) -> '
    text += f"({', '.join(map(type_text, results))}) return }}"
    module = ir.Module.parse(text, make_context(allow_unregistered_dialects=True))
    op = module.body.operations[0].regions[0].blocks[0].operations[0].operation
    return str(einsum_rule(OpSignature(op), notation, **others))


def of_jax(notation: str, operands: Shapes, results: Shapes, **others: Any) -> str:
    rule = str_to_sdy_sharding_rule(notation, **others)
    with jax_mlir.make_ir_context():
        types = [[jax_ir.Type.parse(type_text(shape)) for shape in shapes] for shapes in (operands, results)]
        text = str(sdy_sharding_rule_to_mlir(rule, *types))
    return text.removeprefix("#sdy.op_sharding_rule").replace(", custom>", ">")


CASES = {
    "matmul": ("i j, j k -> i k", [(4, 8), (8, 2)], [(4, 2)], {"reduction_factors": ("j",)}),
    "scalar operand": ("i, -> i", [(4,), ()], [(4,)], {}),
    "scalars only": ("->", [()], [()], {}),
    "leading dimensions": ("... i, ... i -> ...", [(2, 3, 4), (2, 3, 4)], [(2, 3)], {}),
    "no leading dimensions": ("... i -> ... i", [(4,)], [(4,)], {}),
    "groups of leading dimensions": ("... i, ...1 j -> ...1 i j", [(2, 4), (3, 8)], [(3, 4, 8)], {}),
    "the same group": ("... i, ...0 j -> ...00 i j", [(2, 4), (2, 8)], [(2, 4, 8)], {}),
    "compound factors": ("(i j) k -> i (j k)", [(6, 5)], [(2, 15)], {"j": 3}),
    "sizes of compound factors only": ("(i j) -> (i j)", [(6,)], [(6,)], {"i": 2, "j": 3}),
    "compound before whole": ("(i j) -> i j", [(6,)], [(2, 3)], {}),
    "the smallest size": ("i j -> i j", [(4, 8)], [(4, 5)], {}),
    "long names": ("batch_1 head, head -> batch_1", [(4, 8), (8,)], [(4,)], {}),
    "no spaces": ("i,j->i j", [(4,), (8,)], [(4, 8)], {}),
    "all kinds": (
        "i j k l -> i j k l",
        [(2, 3, 4, 5)],
        [(2, 3, 4, 5)],
        {"need_replication_factors": ("j",), "permutation_factors": ("k",)},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_as_jax(name: str):
    notation, operands, results, others = CASES[name]
    assert ours(notation, operands, results, **others) == of_jax(notation, operands, results, **others)


def test_blocked_factors():
    assert ours("i -> i", [(4,)], [(4,)], blocked_propagation_factors=["i"]) == (
        "<([i])->([i]) {i=4} blocked_propagation={i}>"
    )


WRONG = {
    "no arrow": ("i", [(4,)], [(4,)], {}, "operands -> results"),
    "two arrows": ("i -> i -> i", [(4,)], [(4,)], {}, "operands -> results"),
    "number of operands": ("i, i -> i", [(4,)], [(4,)], {}, "2 operands, the op 1"),
    "rank": ("i j -> i", [(4,)], [(4,)], {}, "operand 0 has rank 2 in the sharding rule, 1 in the op"),
    "fewer dimensions than named": ("... i j -> ...", [(4,)], [()], {}, "operand 0 has rank 2"),
    "leading dimensions that differ in number": ("... i, ... -> i", [(2, 4), ()], [(4,)], {}, "operand 1 has rank 1"),
    "leading dimensions that differ in size": ("... , ... -> ...", [(2,), (3,)], [(2,)], {}, r"sizes \[2, 3\]"),
    "leading dimensions in the middle": ("i ... -> i", [(2, 4)], [(4,)], {}, "must come first"),
    "one factor in parentheses": ("(i) -> i", [(4,)], [(4,)], {}, "at least two factors"),
    "nested parentheses": ("((i j) k) -> i", [(4,)], [(4,)], {}, "expected factors"),
    "open parenthesis": ("(i j -> i", [(4,)], [(4,)], {}, "expected factors"),
    "a number": ("1 -> i", [(4,)], [(4,)], {}, "expected factors at '1'"),
    "a size that is missing": ("(i j) -> i", [(4,)], [(2,)], {}, "'j' is never a complete dimension"),
    "a size too many": ("i -> i", [(4,)], [(4,)], {"i": 4}, "whose dimension defines it"),
    "a size of no factor": ("i -> i", [(4,)], [(4,)], {"j": 4}, "not a factor"),
    "sizes that do not multiply up": ("(i j) -> i", [(4,)], [(2,)], {"j": 3}, "do not make up a dimension of size 4"),
    "a kind of no factor": ("i -> i", [(4,)], [(4,)], {"reduction_factors": ["k"]}, "has no factor 'k'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_notation(name: str):
    notation, operands, results, others, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        ours(notation, operands, results, **others)
