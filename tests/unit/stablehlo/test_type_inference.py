"""Types that follow from operands and attributes, verification, and that bad input gives an `InferenceError` only."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import sdy
import sdy.dialect.definition.inferred_types
from sdy.mlir import ir, stablehlo
from sdy.stablehlo import (
    InferenceError,
    OpFacts,
    ShapedTypeComponents,
    Tensor,
    infer_return_type_components,
    infer_return_types,
    is_compatible_return_types,
    register_op,
    registered_ops,
    verify,
    verify_declaration,
    verify_module,
    verify_region,
)
from sdy.stablehlo.op_facts import Body
from sdy.stablehlo.types.elements import float_element
from sdy.stablehlo.types.sizes import DYNAMIC
from tests.unverified import refusals


@pytest.fixture(autouse=True)
def _context() -> Iterator[None]:
    context = ir.Context()
    stablehlo.register_dialect(context)
    with context, ir.Location.unknown():
        yield


def types(name: str, *operands: str, **attributes: str) -> list[str]:
    parsed = {key: ir.Attribute.parse(text) for key, text in attributes.items()}
    return list(map(str, infer_return_types(name, [ir.Type.parse(text) for text in operands], parsed)))


def refusal(name: str, *operands: str, **attributes: str) -> str:
    with pytest.raises(InferenceError) as raised:
        types(name, *operands, **attributes)
    return raised.value.constraint


# Reference results (spec: type-inference, 5) -------------------------------------------------------------------------

REFERENCE = [
    (("stablehlo.add", "tensor<?xf32>", "tensor<3xf32>"), {}, "tensor<3xf32>"),
    (
        (
            "stablehlo.concatenate",
            "tensor<?x2xf32, #stablehlo.bounds<4, ?>>",
            "tensor<?x2xf32, #stablehlo.bounds<5, ?>>",
            "tensor<3x2xf32>",
        ),
        {"dimension": "0 : i64"},
        "tensor<?x2xf32, #stablehlo.bounds<12, ?>>",
    ),
    (
        ("stablehlo.pad", "tensor<?x4xf32, #stablehlo.bounds<5, ?>>", "tensor<f32>"),
        {
            "edge_padding_low": "array<i64: 1, -2>",
            "edge_padding_high": "array<i64: 0, 0>",
            "interior_padding": "array<i64: 2, 1>",
        },
        "tensor<?x5xf32, #stablehlo.bounds<14, ?>>",
    ),
    (
        ("stablehlo.reduce_window", "tensor<4x4xf32>", "tensor<f32>"),
        {
            "window_dimensions": "array<i64: 2, 3>",
            "base_dilations": "array<i64: 2, 1>",
            "window_dilations": "array<i64: 1, 2>",
            "padding": "dense<[[1, 0], [2, 2]]> : tensor<2x2xi64>",
        },
        "tensor<7x4xf32>",
    ),
    (
        ("stablehlo.gather", "tensor<3x4x2xi32>", "tensor<5xi64>"),
        {
            "dimension_numbers": "#stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [0], "
            "start_index_map = [1], index_vector_dim = 1>",
            "slice_sizes": "array<i64: 1, 2, 2>",
        },
        "tensor<2x5x2xi32>",
    ),
    (
        ("stablehlo.fft", "tensor<4x4xcomplex<f32>>"),
        {"fft_type": "#stablehlo<fft_type IRFFT>", "fft_length": "array<i64: 6>"},
        "tensor<4x6xf32>",
    ),
    (
        ("stablehlo.set_dimension_size", "tensor<4x6xf32>", "tensor<i32>"),
        {"dimension": "1 : i64"},
        "tensor<4x?xf32, #stablehlo.bounds<?, 6>>",
    ),
]


@pytest.mark.parametrize(("question", "attributes", "answer"), REFERENCE, ids=[row[0][0] for row in REFERENCE])
def test_reference_result(question: tuple[str, ...], attributes: dict[str, str], answer: str) -> None:
    assert types(*question, **attributes) == [answer]


def test_branches_are_joined() -> None:
    bounded = [Tensor((DYNAMIC,), float_element("f32"), (bound,)) for bound in (5, 7)]
    bodies = [Body((), (type_,)) for type_ in bounded]
    inferred = infer_return_types("stablehlo.if", [ir.Type.parse("tensor<i1>")], {}, bodies)
    assert [str(type_) for type_ in inferred] == ["tensor<?xf32, #stablehlo.bounds<7>>"]
    for size, fits in ((6, True), (8, False)):
        assert is_compatible_return_types(inferred, [ir.Type.parse(f"tensor<{size}xf32>")]) is fits


# Regions (P3.2) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "operands", "constraint"),
    [
        ("stablehlo.if", ["tensor<i1>"], "if_i2"),
        ("stablehlo.case", ["tensor<i32>"], "case_c1"),
        ("stablehlo.map", ["tensor<2xf32>"], "map_i3"),
        ("stablehlo.async_start", ["tensor<2xf32>"], "async_start_i2"),
    ],
)
def test_needed_region_is_missing(name: str, operands: list[str], constraint: str) -> None:
    assert refusal(name, *operands, dimensions="array<i64: 0>") == constraint


def test_region_that_is_not_needed() -> None:
    assert types("stablehlo.reduce", "tensor<2x?xf32>", "tensor<f32>", dimensions="array<i64: 0>") == ["tensor<?xf32>"]


def test_element_types_of_the_region() -> None:
    wide = Tensor((), float_element("f64"))
    operands = [ir.Type.parse("tensor<2x3xf32>"), ir.Type.parse("tensor<f32>")]
    attributes = {"dimensions": ir.DenseI64ArrayAttr.get([0])}
    inferred = infer_return_types("stablehlo.reduce", operands, attributes, [Body((wide, wide), (wide,))])
    assert [str(type_) for type_ in inferred] == ["tensor<3xf64>"]


# Known values (H13) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "answer"), [(6, "tensor<4x6xf32>"), (5, "tensor<4x?xf32, #stablehlo.bounds<?, 6>>")])
def test_known_size(size: int, answer: str) -> None:
    module = ir.Module.parse(f"""
        func.func @f(%x: tensor<4x6xf32>) -> tensor<i32> {{
          %size = stablehlo.constant dense<{size}> : tensor<i32>
          return %size : tensor<i32>
        }}""")
    block = module.body.operations[0].regions[0].blocks[0]
    operands = [block.arguments[0], block.operations[0].results[0]]
    attributes = {"dimension": ir.Attribute.parse("1 : i64")}
    assert [str(t) for t in infer_return_types("stablehlo.set_dimension_size", operands, attributes)] == [answer]


def test_known_values_are_looked_at_each_time() -> None:
    """What was inferred before holds for types and attributes, and here constants count as well."""
    module = ir.Module.parse("""
        func.func @f(%x: tensor<9xf32>, %n: tensor<1xi64>) {
          %0 = stablehlo.constant dense<1> : tensor<1xi64>
          %1 = stablehlo.constant dense<4> : tensor<1xi64>
          %2 = stablehlo.constant dense<9> : tensor<1xi64>
          return
        }""")
    block = module.body.operations[0].regions[0].blocks[0]
    x, unknown = block.arguments
    one, four, nine = (block.operations[number].results[0] for number in range(3))
    answers = [
        str(infer_return_types("stablehlo.real_dynamic_slice", [x, *indices, one], {})[0])
        for indices in ((one, nine), (four, nine), (unknown, nine), (one, four)) * 2
    ]
    assert answers == ["tensor<8xf32>", "tensor<5xf32>", "tensor<?xf32>", "tensor<3xf32>"] * 2
    one.owner.attributes["value"] = four.owner.attributes["value"]
    assert str(infer_return_types("stablehlo.real_dynamic_slice", [x, one, nine, four], {})[0]) == "tensor<2xf32>"
    for size, answer in ((four, "tensor<4xf32>"), (nine, "tensor<9xf32>"), (unknown, "tensor<?xf32>")):
        attributes = {"broadcast_dimensions": ir.DenseI64ArrayAttr.get([])}
        scalar = ir.Type.parse("tensor<f32>")
        found = infer_return_types("stablehlo.dynamic_broadcast_in_dim", [scalar, size], attributes)
        assert list(map(str, found)) == [answer]


# Components ----------------------------------------------------------------------------------------------------------


def test_components_of_an_open_element_type() -> None:
    operands = [ir.Type.parse("tensor<?x3xf32, #stablehlo.bounds<4, ?>>")]
    with pytest.raises(InferenceError, match="does not follow"):
        infer_return_types("stablehlo.convert", operands, {})
    (found,) = infer_return_type_components("stablehlo.convert", operands, {})
    assert (found.dims, found.element_type) == ((ir.ShapedType.get_dynamic_size(), 3), None)
    assert str(found.attribute) == "#stablehlo.bounds<4, ?>"


def test_components_too_large() -> None:
    operands = [ir.Type.parse(f"tensor<{2**62}xf32>")]
    attributes = {"all_gather_dim": "0 : i64", "replica_groups": "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"}
    parsed = {name: ir.Attribute.parse(text) for name, text in attributes.items()}
    with pytest.raises(InferenceError, match="all_gather_c6"):
        infer_return_type_components("stablehlo.all_gather", operands, parsed)


@pytest.mark.parametrize("value", ["dense_resource<a> : tensor<2xf32>", "sparse<[[0]], [1]> : tensor<2xi32>"])
def test_constant_of_other_elements(value: str) -> None:
    assert types("stablehlo.constant", value=value) == [value.partition(" : ")[2]]


def test_quantization_axis_is_transposed() -> None:
    answer = types(
        "stablehlo.transpose", "tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>", permutation="array<i64: 1, 0>"
    )
    assert answer == ["tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>"]


def test_sparse_encoding_is_kept() -> None:
    sparse = "tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>"
    context = ir.Context.current
    assert context is not None
    context.load_all_available_dialects()
    assert types("stablehlo.negate", sparse) == [str(ir.Type.parse(sparse))]


# Bad input -----------------------------------------------------------------------------------------------------------

_PAD = {"edge_padding_low": "array<i64: 0>", "edge_padding_high": "array<i64: 0>", "interior_padding": "array<i64: 0>"}
_SLICE = {"start_indices": "array<i64: 0>", "limit_indices": "array<i64: 2>", "strides": "array<i64: 1>"}


@pytest.mark.parametrize(
    ("question", "attributes", "constraint"),
    [
        (("stablehlo.no_such_op",), {}, "no_such_op_unknown"),
        (("stablehlo.add", "tensor<2xf32>"), {}, "add_i2"),
        (("stablehlo.add", "!stablehlo.token", "tensor<2xf32>"), {}, "add_i1"),
        (("stablehlo.add", "tensor<2xsi32>", "tensor<2xsi32>"), {}, "add_i1"),
        (("stablehlo.add", "tensor<2xf32>", "tensor<3xf32>"), {}, "add_c1"),
        (("stablehlo.add", "tensor<6xf32>", "tensor<?xf32, #stablehlo.bounds<5>>"), {}, "add_c1"),
        (("stablehlo.concatenate",), {"dimension": "0 : i64"}, "concatenate_c3"),
        (("stablehlo.concatenate", "tensor<2xf32>"), {"dimension": "-1 : i64"}, "concatenate_i2"),
        (("stablehlo.slice", "tensor<2xf32>"), {}, "slice_i2"),
        (("stablehlo.slice", "tensor<2xf32>"), {**_SLICE, "strides": "array<i64>"}, "slice_c2"),
        (("stablehlo.slice", "tensor<2xf32>"), {**_SLICE, "strides": "1 : i64"}, "slice_i4"),
        (("stablehlo.slice", "tensor<2xf32>"), {**_SLICE, "strides": "array<i64: 0>"}, "slice_c4"),
        (("stablehlo.slice", "tensor<?xf32, #stablehlo.bounds<1>>"), _SLICE, "slice_c3"),
        (("stablehlo.pad", "tensor<2xf32>", "tensor<f32>"), {**_PAD, "edge_padding_low": "array<i64: -3>"}, "pad_c4"),
        (
            ("stablehlo.pad", "tensor<2xf32>", "tensor<f32>"),
            {**_PAD, "edge_padding_high": f"array<i64: {2**63 - 1}>"},
            "pad_c4",
        ),
        (("stablehlo.broadcast", "tensor<2xf32>"), {"broadcast_sizes": f"array<i64: {-(2**63)}>"}, "broadcast_c1"),
        (("stablehlo.all_to_all", "tensor<4xf32>"), {}, "all_to_all_i2"),
        (("stablehlo.reverse", "tensor<4xf32>"), {"dimensions": "array<i64: 1>"}, "reverse_c3"),
        (
            ("stablehlo.collective_permute", "tensor<4xf32>"),
            {"source_target_pairs": "dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>"},
            "collective_permute_c2",
        ),
        (("stablehlo.reshape", "tensor<4xf32>"), {}, "reshape_infeasible"),
    ],
)
def test_bad_input(question: tuple[str, ...], attributes: dict[str, str], constraint: str) -> None:
    assert refusal(*question, **attributes) == constraint


@pytest.mark.parametrize("processes", [4, 4096])
def test_few_and_many_pairs_of_processes(processes: int) -> None:
    def pairs(**changed: tuple[int, int]) -> str:
        chosen = [(each, (each + 1) % processes) for each in range(processes)]
        chosen[1] = changed.get("second", chosen[1])
        return f"dense<{[list(each) for each in chosen]}> : tensor<{processes}x2xi64>"

    question = ("stablehlo.collective_permute", "tensor<4xf32>")
    assert types(*question, source_target_pairs=pairs()) == ["tensor<4xf32>"]
    assert refusal(*question, source_target_pairs=pairs(second=(3, 2))) == "collective_permute_c2"
    assert refusal(*question, source_target_pairs=pairs(second=(1, 3))) == "collective_permute_c3"
    assert refusal(*question, source_target_pairs=pairs(second=(1, -1))) == "collective_permute_c4"


@pytest.mark.parametrize("operands", [5, [5], [None], ["tensor<2xf32>"]])
def test_what_is_no_operand(operands: object) -> None:
    with pytest.raises(InferenceError):
        infer_return_types("stablehlo.abs", operands, {})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("attributes", [5, [1], {"dimensions": 5}, {"dimensions": None}])
def test_what_is_no_attribute(attributes: object) -> None:
    operands = [ir.Type.parse("tensor<2xf32>")]
    with pytest.raises(InferenceError):
        infer_return_types("stablehlo.reverse", operands, attributes)  # pyright: ignore[reportArgumentType]


def test_every_op_survives_nothing_at_all() -> None:
    """No operands, no attributes, no regions: each op answers or refuses."""
    answers = {}
    for name in registered_ops():
        try:
            answers[name] = list(map(str, infer_return_types(name, [], {})))
        except InferenceError as error:
            assert error.op_name == name
    assert answers["stablehlo.partition_id"] == ["tensor<ui32>"]
    assert answers["stablehlo.tuple"] == ["tuple<>"]


def test_location_of_an_error() -> None:
    place = ir.Location.file("model.py", 3, 7)
    with pytest.raises(InferenceError) as raised:
        infer_return_types("stablehlo.abs", [], {}, location=place)
    assert raised.value.location == place
    assert str(raised.value) == "'stablehlo.abs' op takes 1 operands, not 0 (abs_i1)"


# Verification --------------------------------------------------------------------------------------------------------

_MODULE = """
func.func @f(%x: tensor<2x3xf32>, %c: tensor<f32>) -> tensor<2xf32> {{
  %0 = stablehlo.add %x, %x : tensor<2x3xf32>
  %1 = "stablehlo.reduce"(%0, %c) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) {{dimensions = array<i64: {dimension}>}} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}}"""


def test_valid_module() -> None:
    module = ir.Module.parse(_MODULE.format(dimension=1))
    verify_module(module)
    verify_module(module, upstream=False)
    for view in list(module.body.operations[0].regions[0].blocks[0].operations)[:2]:
        verify(view)
        verify_declaration(view)
        verify_region(view)


def test_first_error_of_a_module_has_a_location() -> None:
    module = ir.Module.parse(_MODULE.format(dimension=1))
    reduce = module.body.operations[0].regions[0].blocks[0].operations[1].operation
    reduce.attributes["dimensions"] = ir.DenseI64ArrayAttr.get([0])
    verify(reduce)
    with pytest.raises(InferenceError) as raised:
        verify_module(module, upstream=False)
    assert raised.value.constraint == "reduce_c7"
    assert raised.value.location == reduce.location
    with pytest.raises(InferenceError, match="reduce_c7"):
        verify_region(reduce)


@pytest.mark.parametrize("check", [verify, verify_region])
@pytest.mark.parametrize(
    ("name", "operands", "constraint"),
    [
        ("real_dynamic_slice", ["tensor<8xf32>", *["tensor<i64>"] * 3], "real_dynamic_slice_i2"),
        ("dynamic_iota", ["tensor<i64>"], "dynamic_iota_i1"),
        ("dynamic_slice", [], "dynamic_slice_i1"),
        ("get_tuple_element", [], "get_tuple_element_i1"),
    ],
)
def test_one_op_that_nobody_has_verified(
    check: Callable[[ir.Operation], None], name: str, operands: list[str], constraint: str
) -> None:
    context = ir.Context()
    stablehlo.register_dialect(context)
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            values = [ir.Operation.create("test.x", results=[ir.Type.parse(text)]).results[0] for text in operands]
            op = ir.Operation.create(f"stablehlo.{name}", results=[ir.Type.parse("tensor<8xf32>")], operands=values)
        with pytest.raises(InferenceError) as raised:
            check(op)
    assert raised.value.constraint == constraint


# Ops of other dialects -----------------------------------------------------------------------------------------------


def test_operands_that_are_values_of_types() -> None:
    operand = Tensor((2,), float_element("f32"))
    assert infer_return_types("stablehlo.add", [operand, operand]) == [ir.Type.parse("tensor<2xf32>")]


def test_registered_op() -> None:
    def infer(op: OpFacts) -> list[ShapedTypeComponents]:
        factor, operand = op.integer("factor"), op.tensor(0)
        if factor <= 0:
            raise op.error("c1", "factor must be positive")
        element = operand.known_type.element_type
        return [ShapedTypeComponents(tuple(size * factor for size in operand.dims), element)]

    register_op("my.tile", infer_components=infer)
    assert types("my.tile", "tensor<2x3xf32>", factor="2 : i64") == ["tensor<4x6xf32>"]
    assert refusal("my.tile", "tensor<2x3xf32>", factor="0 : i64") == "tile_c1"
    assert refusal("my.tile", "tensor<2x3xf32>") == "tile_factor"
    assert refusal("my.tile", "!stablehlo.token", factor="1 : i64") == "tile_i1"


# What was asked before -----------------------------------------------------------------------------------------------


def test_asking_again_gives_the_same() -> None:
    """Also in the other form, and of ops whose element type stays open or that have no components."""
    for _ in range(2):
        assert types("stablehlo.transpose", "tensor<2x3xf32>", permutation="array<i64: 1, 0>") == ["tensor<3x2xf32>"]
        assert types("stablehlo.transpose", "tensor<2x3xf32>", permutation="array<i64: 0, 1>") == ["tensor<2x3xf32>"]
        operand = ir.Type.parse("tensor<2xf32>")
        assert infer_return_type_components("stablehlo.convert", [operand]) == [ShapedTypeComponents((2,), None)]
        assert refusal("stablehlo.convert", "tensor<2xf32>") == "convert_c1"
        assert types("stablehlo.optimization_barrier", "!stablehlo.token") == ["!stablehlo.token"]
        with pytest.raises(InferenceError):
            infer_return_type_components("stablehlo.optimization_barrier", [ir.Type.parse("!stablehlo.token")])


def test_branches_are_looked_at_each_time() -> None:
    module = ir.Module.parse("""
        func.func @f(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) {
          %0 = "stablehlo.if"(%p) ({ stablehlo.return %x : tensor<2xf32> }, { stablehlo.return %x : tensor<2xf32> })
            : (tensor<i1>) -> tensor<2xf32>
          %1 = "stablehlo.if"(%p) ({ stablehlo.return %y : tensor<3xf32> }, { stablehlo.return %y : tensor<3xf32> })
            : (tensor<i1>) -> tensor<3xf32>
          return
        }""")
    ops = [view.operation for view in module.body.operations[0].regions[0].blocks[0].operations]
    for op in (ops[0], ops[1]) * 2:
        found = infer_return_types(op.name, list(op.operands), {}, list(op.regions))
        assert found == [op.results[0].type]
    mixed = [ops[0].regions[0], ops[1].regions[0]]
    with pytest.raises(InferenceError, match="if_c2"):
        infer_return_types("stablehlo.if", list(ops[0].operands), {}, mixed)


def test_answers_are_those_of_a_context() -> None:
    for size in (2, 3, 4):
        context = ir.Context()
        stablehlo.register_dialect(context)
        with context, ir.Location.unknown():
            text = f"tensor<{size}x?xf32, #stablehlo.bounds<?, 5>>"
            for _ in range(2):
                made = types("stablehlo.concatenate", text, text, dimension="0 : i64")
                assert made == [f"tensor<{2 * size}x?xf32, #stablehlo.bounds<?, 5>>"]


@pytest.mark.parametrize(("size", "is_valid"), [(8, True), (16, False), (4, False)])
def test_groups_along_axes_of_a_mesh_that_is_a_symbol(size: int, is_valid: bool) -> None:
    """Two devices in each group; the registered dialect does not look."""
    module = sdy.parse(f"""
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<4x4xf32>) {{
  %0 = "stablehlo.all_gather"(%a) <{{all_gather_dim = 1 : i64,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>}}>
    : (tensor<4x4xf32>) -> tensor<4x{size}xf32>
  return
}}""")
    found = [error.constraint for _, error in refusals(module.operation)]
    assert found == ([] if is_valid else ["all_gather_c6"])
