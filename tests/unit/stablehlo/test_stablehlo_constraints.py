"""Every constraint of every op has a case that breaks it, every op a valid one and a question for its types."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sdy.dialect.context import make_context
from sdy.mlir import ir, stablehlo
from sdy.mlir.diagnostics import DiagnosticErrors
from sdy.mlir.walk import pre_order
from sdy.stablehlo import InferenceError, infer_return_types, registry, verify
from sdy.stablehlo.declarations import Declaration, declaration_of, declared_ops
from sdy.stablehlo.inference import infer_values
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.verification import facts_of
from tests.constraint_labels import labels_of, labels_of_verifier
from tests.unit.stablehlo.verifier_exceptions import EXCEPTIONS, Ground
from tests.unverified import parse_unverified

LIT_TESTS = Path(__file__).parents[3] / "lit_tests" / "stablehlo"

IMPLIED = {
    "after_all_c1": "the result is declared to be a token",
    "all_to_all_c4": "the count is declared to be positive",
    "convolution_c21": "the count is declared to be positive",
    "convolution_c22": "the count is declared to be positive",
    "create_token_c1": "the result is declared to be a token",
    "dynamic_conv_c21": "the count is declared to be positive",
    "dynamic_conv_c22": "the count is declared to be positive",
    "dynamic_conv_c29": "no operand is declared to be quantized per axis",
    "dynamic_conv_c30": "no result is declared to be quantized per axis",
    "dynamic_conv_c33": "no result is declared to be quantized per axis",
    "dynamic_gather_c21": "a number of gather; here it is c12",
    "dynamic_gather_c9": "a number of gather; here it is c8",
    "get_tuple_element_i1": "the operand is declared to be a tuple",
    "outfeed_c1": "the result is declared to be a token",
    "send_c6": "the result is declared to be a token",
    "uniform_dequantize_i1": "the operand is declared to be quantized",
}
"""Labels that no op of a program can be refused with, because of its declaration."""

_FUNCTION = re.compile(r"^func\.func.*?^}", re.MULTILINE | re.DOTALL)
_OP = re.compile(r'"((?:stablehlo|chlo)\.[\w-]+)"\(')
_ERROR = re.compile(r"expected-error.*\(([\w-]+)\)\}\}")


@cache
def _functions(prefix: str) -> list[str]:
    files = sorted(LIT_TESTS.glob(f"{prefix}*.mlir"))
    return [found[0] for file in files for found in _FUNCTION.finditer(file.read_text(encoding="utf-8"))]


def _functions_of_verification() -> list[str]:
    return _functions("ops_") + _functions("verify_")


@cache
def _types_of_valid_ops() -> dict[str, str]:
    """The text of all functions without an error that an op is in."""
    texts: dict[str, str] = defaultdict(str)
    for text in _functions_of_verification():
        if "expected-error" not in text:
            for name in set(_OP.findall(text)):
                texts[name] += text
    return texts


# Cases that no text can write ----------------------------------------------------------------------------------------

Refusal = tuple[str, tuple[str, ...], dict[str, Any]]
"""Name, types of operands or constants, attributes as text or as functions that make them."""


def _accuracy() -> Any:
    return stablehlo.ResultAccuracyAttr.get(-1.0, 0.0, 0, "TOLERANCE")


def _algorithm(lhs: int, rhs: int, operations: int, imprecise: bool = False) -> Any:
    number = ir.F32Type.get()
    return stablehlo.DotAlgorithm.get(number, number, number, lhs, rhs, operations, imprecise)


def _groups_along_no_axis() -> Any:
    mesh = ir.Attribute.parse('#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>')
    axes = ir.ArrayAttr.get([ir.Attribute.parse('#stablehlo.axis_ref<name = "y">')])
    return stablehlo.ReplicaGroupMeshAxesAttr.get(mesh, axes)


_MATRIX = "tensor<2x2xf32>"
_NUMBERS = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
_ACCURATE = "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh".split()


def _product(*algorithm: Any) -> Refusal:
    attributes = {"dot_dimension_numbers": _NUMBERS, "algorithm": lambda: _algorithm(*algorithm)}
    return "stablehlo.dot_general", (_MATRIX, _MATRIX), attributes


_ONE_SPATIAL_DIMENSION_OF_TWO = (
    "#stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], "
    "kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], "
    "output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>"
)
_CONVOLUTION = {
    "dimension_numbers": _ONE_SPATIAL_DIMENSION_OF_TWO,
    "feature_group_count": "1 : i64",
    "batch_group_count": "1 : i64",
}
_IMAGE, _KERNEL = "tensor<4x8x6x2xf32>", "tensor<3x1x2x2xf32>"


BY_ATTRIBUTES: dict[str, Refusal] = {
    **{f"{name}_i2": (f"stablehlo.{name}", (_MATRIX,), {"result_accuracy": _accuracy}) for name in _ACCURATE},
    "convolution_c12": ("stablehlo.convolution", (_IMAGE, _KERNEL), _CONVOLUTION),
    "dynamic_conv_c12": ("stablehlo.dynamic_conv", (_IMAGE, _KERNEL, "dense<0> : tensor<1x2xi64>"), _CONVOLUTION),
    "dot_general_c22": _product(0, 1, 1),
    "dot_general_c23": _product(1, 0, 1),
    "dot_general_c24": _product(1, 1, 0),
    "dot_general_i8": _product(1, 1, 1, True),
}
"""Attributes whose text is refused by whoever parses it, but which can be made."""

BY_INFERENCE: dict[str, Refusal] = {
    "real_dynamic_slice_c4": (
        "stablehlo.real_dynamic_slice",
        ("tensor<8xf32>", "dense<5> : tensor<1xi64>", "dense<2> : tensor<1xi64>", "dense<1> : tensor<1xi64>"),
        {},
    ),
}
"""Ops about which XLA says nothing, so that they are valid; but no types follow."""

BY_GROUPS = {
    "all_gather_replica_groups": ("stablehlo.all_gather", "all_gather_dim"),
    "reduce_scatter_replica_groups": ("stablehlo.reduce_scatter", "scatter_dimension"),
}
"""Groups along axes that their mesh does not have: name of the op, and of the attribute for its dimension."""


def _operand(text: str) -> ir.Value:
    """An operand of a type, or a constant."""
    if not text.startswith("dense<"):
        return ir.Operation.create("test.x", results=[ir.Type.parse(text)]).results[0]
    value = ir.Attribute.parse(text)
    return ir.Operation.create("arith.constant", results=[value.type], attributes={"value": value}).results[0]


@pytest.mark.parametrize("label", [*BY_ATTRIBUTES, *BY_INFERENCE])
def test_refused(label: str) -> None:
    name, types, written = {**BY_ATTRIBUTES, **BY_INFERENCE}[label]
    context = ir.Context()
    stablehlo.register_dialect(context)
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown():
        module = ir.Module.create()
        attributes = {key: ir.Attribute.parse(it) if isinstance(it, str) else it() for key, it in written.items()}
        with ir.InsertionPoint(module.body), pytest.raises(InferenceError) as raised:
            operands = list(map(_operand, types))
            verify(ir.Operation.create(name, results=[operands[0].type], operands=operands, attributes=attributes))
            infer_return_types(name, operands, attributes)
    assert raised.value.constraint == label


@pytest.mark.parametrize("label", BY_GROUPS)
def test_groups_along_no_axis(label: str) -> None:
    name, dimension = BY_GROUPS[label]
    context = ir.Context()
    stablehlo.register_dialect(context)
    with context, ir.Location.unknown():
        attributes = {dimension: ir.Attribute.parse("0 : i64"), "replica_groups": _groups_along_no_axis()}
        with pytest.raises(InferenceError) as raised:
            infer_return_types(name, [ir.Type.parse(_MATRIX)], attributes)
    assert raised.value.constraint == label


# Completeness --------------------------------------------------------------------------------------------------------


def test_every_constraint_is_broken_somewhere() -> None:
    broken = {label for text in _functions_of_verification() for label in _ERROR.findall(text)}
    broken |= {*BY_ATTRIBUTES, *BY_INFERENCE, *BY_GROUPS}
    known = {label for name in declared_ops() for label in labels_of(name)}
    assert sorted(known - broken - set(IMPLIED)) == []
    assert sorted(set(IMPLIED) - known | set(IMPLIED) & broken) == []


def test_cases_are_named_after_what_they_break() -> None:
    misnamed = []
    for text in _functions_of_verification():
        name = re.match(r"func\.func @(\w+)", text)
        for label in _ERROR.findall(text):
            if name is None or not name[1].startswith(label.replace("-", "_")):
                misnamed.append((name and name[1], label))
    assert misnamed == []


def test_every_op_is_valid_somewhere() -> None:
    assert [name for name in declared_ops() if name not in _types_of_valid_ops()] == []


def test_types_of_every_op_are_asked_for() -> None:
    asked = {name for text in _functions("infer_") for name in _OP.findall(text) if "hlo_test_infer.get" in text}
    inferable = [name for name in declared_ops() if getattr(registry.find(name), "infer", None) is not None]
    assert [name for name in inferable if name not in asked] == []


def _admits_unknown_sizes(declared: Declaration) -> bool:
    return any(value.categories and value.form != "static" and value.rank != 0 for value in declared.operands)


def _admits_quantized(declared: Declaration) -> bool:
    return any({"QT", "QA"} & value.categories for value in declared.operands + declared.results)


def _without(form: str) -> Iterator[str]:
    for name in declared_ops():
        if form not in _types_of_valid_ops()[name]:
            yield name


def test_every_op_has_unknown_bounded_and_quantized_types_where_it_admits_them() -> None:
    unknown = [name for name in declared_ops() if _admits_unknown_sizes(_declaration(name))]
    assert [name for name in _without("?") if name in unknown] == []
    assert [name for name in _without("#stablehlo.bounds<") if name in unknown] == []
    # A value is never quantized, and the result of chlo.constant has its type.
    assert [name for name in _without("!quant.") if _admits_quantized(_declaration(name))] == ["chlo.constant"]


def _declaration(name: str) -> Declaration:
    declared = declaration_of(name)
    assert declared is not None
    return declared


# Who checks (P3 of the guideline) ------------------------------------------------------------------------------------

NEEDING_REGIONS = {"stablehlo.async_start", "stablehlo.case", "stablehlo.if", "stablehlo.map"}
"""Ops whose types follow from their regions, which must not be empty."""

WITH_BOTH = [name for name in EXCEPTIONS if getattr(registry.find(name), "infer", None) is not None]


def test_no_op_without_regions_has_a_verifier_but_known_exceptions() -> None:
    found = set()
    for name in declared_ops():
        known = registry.find(name)
        assert known is not None
        if _declaration(name).regions == (0, 0) and (known.verify or known.verify_region):
            found.add(name)
    assert found == set(EXCEPTIONS)


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_ground_of_exception(name: str) -> None:
    """Types follow where the ground is what is declared, and only there; the verifier checks what it is said to."""
    known = registry.find(name)
    assert known is not None
    follows = known.infer is not None and not known.is_partial
    assert EXCEPTIONS[name].ground is (Ground.GIVEN_RESULT if follows else Ground.NOT_INFERABLE)
    assert EXCEPTIONS[name].constraints == labels_of_verifier(name)


@pytest.mark.parametrize("name", WITH_BOTH)
def test_verifiers_check_what_shape_functions_cannot(name: str) -> None:
    """For each constraint of such a verifier there is an op that breaks it and that the shape function admits."""
    known, short = registry.find(name), name.partition(".")[2]
    assert known is not None and known.verify is not None
    needed = set()
    for op in _refused_ops(name):
        facts = facts_of(op)
        broken = _refusal(known.verify, facts)
        facts.results = ()
        if _refusal(infer_values, facts) == "":
            needed.add(broken)
    constraints = {f"{short}_{label}" for label in EXCEPTIONS[name].constraints}
    assert constraints - needed - set(IMPLIED) == IN_BOTH.get(name, set())


IN_BOTH = {"stablehlo.real_dynamic_slice": {"real_dynamic_slice_c3"}}
"""Verified without the shape function, which looks at values that nobody else looks at."""


def _refused_ops(name: str) -> Iterator[ir.Operation]:
    """The ops that are refused in cases of verification, if not because of an attribute that nobody can make."""
    for text in _functions_of_verification():
        if "expected-error" in text and f'"{name}"' in text:
            with suppress(ir.MLIRError, DiagnosticErrors):
                module = parse_unverified(text, _context())
                yield from (op for op in pre_order(module.operation) if op.name == name)


_context = cache(make_context)


def _refusal(check: Any, facts: OpFacts) -> str:
    try:
        check(facts)
    except InferenceError as error:
        return error.constraint
    return ""


def test_verifiers_check_regions_that_are_not_needed() -> None:
    """The others with regions have verifiers, as their shape functions are called with empty regions."""
    with_regions = {name for name in declared_ops() if _declaration(name).regions != (0, 0)}
    without_verifier = {name for name in with_regions if not getattr(registry.find(name), "verify", None)}
    assert without_verifier == NEEDING_REGIONS
