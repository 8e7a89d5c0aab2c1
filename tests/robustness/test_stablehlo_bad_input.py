"""Whatever type inference and verification of StableHLO are given, they answer or name a constraint."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from sdy.mlir import ir
from sdy.stablehlo import Body, InferenceError, OpFacts, infer_return_type_components, infer_return_types
from sdy.stablehlo.types.sizes import DYNAMIC
from sdy.stablehlo.types.value_types import read_types
from sdy.stablehlo.verification import verify_all_facts
from tests.depth import seeds
from tests.generators.typed_ops import Case, damage_case, random_case
from tests.generators.typed_ops.case import Unwritten
from tests.parity.stablehlo_worker import make_context

TYPES = [
    "tensor<f32>",
    "tensor<0x0xf32>",
    "tensor<?x?x?x?xf32>",
    f"tensor<{2**62}x2xf32>",
    f"tensor<{2**63 - 1}xi8>",
    f"tensor<?xf32, #stablehlo.bounds<{2**63 - 1}>>",
    "tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>",
    "tensor<2xindex>",
    f"tensor<{2**40}xi64>",
    "tensor<2xsi32>",
    "tensor<2xi128>",
    "tensor<2xtf32>",
    "tensor<2xcomplex<i32>>",
    "tensor<2xvector<2xf32>>",
    "tensor<*xf32>",
    "vector<2xf32>",
    "memref<2x?xf32>",
    "index",
    "i1",
    "() -> ()",
    "none",
    "tuple<>",
    "tuple<tuple<!stablehlo.token>, tensor<f32>>",
    "!stablehlo.token",
    "!stablehlo.future<tensor<2xf32>, tensor<2xf32>>",
]
ATTRIBUTES = [
    "unit",
    "true",
    f"{2**63 - 1} : i64",
    f"-{2**63} : i64",
    "-1 : i64",
    "1 : i32",
    "1 : ui64",
    "1 : index",
    "1.0 : f64",
    f"array<i64: {2**63 - 1}, -{2**63}>",
    "array<i64: -1>",
    "array<i64: 0, 0, 0, 0, 0, 0, 0, 0, 0>",
    "array<i32: 1, -1>",
    "array<i1: true, false>",
    "array<f32: 1.0>",
    "dense<> : tensor<0x0xi64>",
    "dense<0> : tensor<i64>",
    f"dense<{2**63 - 1}> : tensor<3x2xi64>",
    f"dense<0> : tensor<{2**40}x2xi64>",
    f"dense<0> : tensor<{2**40}xi32>",
    "dense<-1> : tensor<2x2xi64>",
    "dense<1> : tensor<2x1xi32>",
    "dense<1.0> : tensor<2xf32>",
    "dense<1> : vector<2xi64>",
    "dense_resource<nothing> : tensor<2xi64>",
    "sparse<[[0]], [1]> : tensor<2xi64>",
    "[]",
    "[[1 : i64], unit]",
    "{}",
    "{a = 1 : i64}",
    '""',
    "@nowhere",
    "@a::@b",
    "f32",
    "affine_map<(d0) -> (d0)>",
    "#stablehlo<precision HIGH>",
    "#stablehlo<comparison_direction EQ>",
    "#stablehlo<fft_type IRFFT>",
    "#stablehlo.channel_handle<handle = -1, type = 7>",
    "#stablehlo.dot<lhs_batching_dimensions = [-1], rhs_contracting_dimensions = [9, 9]>",
    "#stablehlo.gather<offset_dims = [-1], collapsed_slice_dims = [9], start_index_map = [-1], index_vector_dim = -7>",
    "#stablehlo.scatter<update_window_dims = [9, 0], input_batching_dims = [-3], index_vector_dim = 99>",
    "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
    "#stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>",
    "#stablehlo.output_operand_alias<output_tuple_indices = [-1], operand_index = -1, operand_tuple_indices = [9]>",
]


def test_fuzz() -> None:
    """Instances of all ops, up to four times damaged, where in each place there may be anything."""
    context = make_context()
    refused = 0
    for number in seeds(2_000, 100_000):
        case = random_case(number)
        for again in range(number % 4):
            case = damage_case(1_000_000 * again + number, case)
        refused += _is_refused(context, Random(number), case)
    assert refused > 1_000


def _is_refused(context: Any, random: Random, case: Case) -> bool:
    with context:
        operands = _types(random, case.operands)
        attributes = {name: _attribute(random, text) for name, text in case.attributes.items()}
        attributes = {name: attribute for name, attribute in attributes.items() if attribute is not None}
        bodies = [_body(random, signature) for signature in case.bodies]
        results = _types(random, case.results or ("tensor<2xf32>",))
        answers = [
            lambda: _check_answer(infer_return_types(case.name, operands, attributes, bodies)),
            lambda: infer_return_type_components(case.name, operands, attributes, bodies),
            lambda: verify_all_facts(
                OpFacts(
                    case.name,
                    read_types(operands),
                    attributes,
                    bodies,
                    values=[None] * len(operands),
                    results=read_types(results),
                    context=context,
                )
            ),
        ]
        return sum([_refuses(case, answer) for answer in answers]) > 0


def _refuses(case: Case, answer: Any) -> bool:
    try:
        answer()
    except InferenceError as error:
        short = case.name.partition(".")[2]
        assert error.op_name == case.name, case
        assert error.constraint.startswith(f"{short}_"), (case, error.constraint)
        return True
    except Exception as error:
        error.add_note(str(case))
        raise
    return False


def _check_answer(types: Sequence[Any]) -> None:
    for type_ in types:
        if isinstance(type_, ir.RankedTensorType):
            assert all(size >= 0 or size == DYNAMIC for size in type_.shape), type_


def _types(random: Random, texts: Sequence[str]) -> list[Any]:
    if random.random() < 0.05:
        texts = texts[1:]
    return [_parsed(ir.Type, random.choice(TYPES) if random.random() < 0.1 else text) for text in texts]


def _attribute(random: Random, text: str) -> Any:
    """Anything, or what the instance has; None if it is left out or cannot be written."""
    if random.random() < 0.15:
        return _parsed(ir.Attribute, random.choice(ATTRIBUTES))
    try:
        return ir.Attribute.parse(text) if random.random() > 0.04 else None
    except ir.MLIRError:
        return None


def _body(random: Random, signature: Any) -> Body:
    if signature is None:
        return Body(blocks=0)
    arguments, results = (tuple(read_types(_types(random, texts))) for texts in signature)
    return Body(arguments, results)


def _parsed(kind: Any, text: str) -> Any:
    try:
        return kind.parse(text)
    except ir.MLIRError as error:
        raise Unwritten(str(error)) from None
