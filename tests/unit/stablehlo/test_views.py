"""Typed views: every op's operands, results, regions and attributes by name, defaults, and the generated stub."""

from __future__ import annotations

import importlib.util
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from sdy.mlir import ir, stablehlo
from sdy.stablehlo import ops, views
from sdy.stablehlo.attribute_readers import Accuracy, RaggedDims
from sdy.stablehlo.declarations import declaration_of, declared_ops
from sdy.stablehlo.types.sizes import ConvNumbers, DotNumbers, GatherNumbers, ScatterNumbers
from tests.unit.stablehlo.builder_cases import CASES, NUMBERS, Values, added

ROOT = Path(__file__).parents[3]

_spec = importlib.util.spec_from_file_location("generate_views", ROOT / "tools" / "generate_views.py")
assert _spec is not None and _spec.loader is not None
generate_views = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate_views)

NAMES = {"ir": ir, "stablehlo": stablehlo, "RaggedDims": RaggedDims, "Accuracy": Accuracy, "Channel": views.Channel}
NUMBERS_OF = {each.__name__: each for each in (ConvNumbers, DotNumbers, GatherNumbers, ScatterNumbers)}


def _op(result: Any) -> ir.Operation:
    return (result[0] if isinstance(result, tuple) else result).owner.operation


def _view(result: Any) -> Any:
    return views.of(_op(result))


def _fits(value: Any, type_: str) -> bool:
    """Whether a value is of one of the types of a field, and so are the elements of a tuple."""
    if (listed := re.fullmatch(r"tuple\[(.*), \.\.\.\]", type_)) is not None:
        return isinstance(value, tuple) and all(_fits(each, listed[1]) for each in value)
    if type_ == "tuple[int, int]":
        return isinstance(value, tuple) and list(map(type, value)) == [int, int]
    if type_ == "dict[str, ir.Attribute]":
        return isinstance(value, dict) and all(isinstance(each, ir.Attribute) for each in value.values())
    if " | " in type_:
        return any(_fits(value, each) for each in type_.split(" | "))
    found = eval(type_, NAMES | NUMBERS_OF)
    return (
        value is None if found is None else type(value) is found if found in (int, bool) else isinstance(value, found)
    )


def test_stub_is_current() -> None:
    path = ROOT / "python" / "sdy" / "stablehlo" / generate_views.FILE
    assert path.read_text(encoding="utf-8") == generate_views.stub(), "run `make docs`"


def test_every_declared_op_has_a_class() -> None:
    for name in declared_ops():
        made = getattr(views, views.class_name(name))
        assert made is views.class_of(name) and name == made.OP_NAME and made.__name__ == views.class_name(name)
    for name in ("Unknown", "ChloUnknown", "unknown"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(views, name)
    with pytest.raises(ValueError, match=r"'func.call' is not an op"):
        views.class_of("func.call")


def test_every_field_of_every_op_is_of_its_type(values: Values) -> None:
    for name, (build, _) in CASES.items():
        view, declaration = _view(build(values)), declaration_of(name)
        assert declaration is not None
        fields = views.fields_of(declaration)
        assert len({field.name for field in fields}) == len(fields)
        for field in fields:
            value = getattr(view, field.name)
            assert _fits(value, field.type), (name, field.name, field.type, value)
            assert getattr(view, field.name) == value


def test_operands_and_results_are_all_there_in_order(values: Values) -> None:
    for name, (build, _) in CASES.items():
        view, declaration = _view(build(values)), declaration_of(name)
        assert declaration is not None
        groups = ["inputs", "inits"] if name == "chlo.scan" else [each.name for each in declaration.operands]
        for fields, held in ((groups, "operands"), ([each.name for each in declaration.results], "results")):
            read = [getattr(view, each) for each in fields]
            assert _flat(read) == list(getattr(view.op, held)), name


def _flat(read: list[Any]) -> list[ir.Value]:
    return [value for each in read for value in (each if isinstance(each, tuple) else (each,))]


def test_variadic_groups_are_told_apart(values: Values) -> None:
    x, i, row = values["x"], values["i"], values["row"]
    reduce = views.Reduce(_op(CASES["stablehlo.reduce"][0](values)))
    assert reduce.inputs == (x, i) and reduce.init_values == (values["scalar"], values["index"])
    scatter = views.Scatter(_op(CASES["stablehlo.scatter"][0](values)))
    assert (scatter.inputs, scatter.scatter_indices, scatter.updates) == ((x,), values["where"], (row,))
    update = views.DynamicUpdateSlice(_op(CASES["stablehlo.dynamic_update_slice"][0](values)))
    assert (update.operand, update.update) == (values["m"], x)
    assert update.start_indices == (values["index"], values["index"])
    scan = views.ChloScan(_op(CASES["chlo.scan"][0](values)))
    assert scan.inputs == (x,) and scan.inits == (row,) and scan.dimension == 0 and scan.is_reverse
    outfeed = views.Outfeed(_op(CASES["stablehlo.outfeed"][0](values)))
    assert outfeed.inputs == (x,) and outfeed.token.owner.name == "stablehlo.create_token"


def test_regions_have_names(values: Values) -> None:
    loop = views.While(_op(CASES["stablehlo.while"][0](values)))
    assert [block.operations[len(block.operations) - 2].name for block in (loop.cond, loop.body)] == [
        "stablehlo.compare",
        "stablehlo.divide",
    ]
    chosen = views.If(_op(CASES["stablehlo.if"][0](values)))
    assert [len(block.operations) for block in (chosen.true_branch, chosen.false_branch)] == [1, 3]
    assert len(views.Case(_op(CASES["stablehlo.case"][0](values))).branches) == 2
    windows = views.SelectAndScatter(_op(CASES["stablehlo.select_and_scatter"][0](values)))
    assert windows.select.operations[0].name == "stablehlo.compare"
    assert windows.scatter.operations[0].name == "stablehlo.add"
    assert views.AllReduce(_op(CASES["stablehlo.all_reduce"][0](values))).body.operations[0].name == "stablehlo.add"


ATTRIBUTES: dict[str, dict[str, Any]] = {
    "chlo.ragged_dot": {"ragged_dot_dimension_numbers": RaggedDims((), (), (1,), (1,), 0, (0,))},
    "chlo.top_k": {"k": 2},
    "stablehlo.all_gather": {
        "all_gather_dim": 1,
        "replica_groups": ((0, 1), (2, 3)),
        "channel_handle": views.Channel(1, 1),
        "use_global_device_ids": True,
    },
    "stablehlo.all_reduce": {"replica_groups": ((0, 1), (2, -1)), "channel_handle": None},
    "stablehlo.batch_norm_training": {"epsilon": 0.5, "feature_index": 1},
    "stablehlo.broadcast_in_dim": {"broadcast_dimensions": (1,)},
    "stablehlo.cbrt": {"result_accuracy": None},
    "stablehlo.cholesky": {"lower": True},
    "stablehlo.collective_permute": {"source_target_pairs": ((0, 1), (1, 0)), "channel_handle": views.Channel(3, 1)},
    "stablehlo.compare": {"comparison_direction": "LT", "compare_type": "TOTALORDER"},
    "stablehlo.composite": {"name": "mine.twice", "decomposition": "twice", "version": 1},
    "stablehlo.convolution": {
        "window_strides": (2, 1),
        "padding": ((0, 0), (1, 0)),
        "feature_group_count": 1,
        "dimension_numbers": ConvNumbers(0, 3, (1, 2), 2, 3, (0, 1), 0, 3, (1, 2)),
    },
    "stablehlo.custom_call": {
        "call_target_name": "target",
        "has_side_effect": False,
        "api_version": 4,
        "called_computations": (),
        "operand_layouts": ((1, 0),),
        "result_layouts": ((0, 1),),
    },
    "stablehlo.dot_general": {
        "dot_dimension_numbers": DotNumbers((), (), (1,), (0,)),
        "precision_config": ("HIGHEST", "HIGHEST"),
        "algorithm": None,
    },
    "stablehlo.fft": {"fft_type": "RFFT", "fft_length": (3,)},
    "stablehlo.gather": {"dimension_numbers": GatherNumbers((1,), (0,), (), (), (0,), 1), "slice_sizes": (1, 3)},
    "stablehlo.get_tuple_element": {"index": 1},
    "stablehlo.infeed": {"infeed_config": "config"},
    "stablehlo.pad": {"edge_padding_low": (0, 1), "edge_padding_high": (1, -1), "interior_padding": (0, 0)},
    "stablehlo.rng": {"rng_distribution": "NORMAL"},
    "stablehlo.rng_bit_generator": {"rng_algorithm": "THREE_FRY"},
    "stablehlo.scatter": {
        "scatter_dimension_numbers": ScatterNumbers((0,), (0,), (), (), (0,), 0),
        "indices_are_sorted": False,
        "unique_indices": True,
    },
    "stablehlo.send": {"channel_handle": views.Channel(1, 2), "is_host_transfer": True, "source_target_pairs": None},
    "stablehlo.sort": {"dimension": 0, "is_stable": True},
    "stablehlo.transpose": {"permutation": (1, 0)},
    "stablehlo.triangular_solve": {"left_side": True, "lower": False, "transpose_a": "NO_TRANSPOSE"},
}
"""Attributes of the ops that the builders' cases make."""


def test_attributes_are_plain_values(values: Values) -> None:
    for name, expected in ATTRIBUTES.items():
        view = _view(CASES[name][0](values))
        assert {each: getattr(view, each) for each in expected} == expected, name


def test_absent_attributes_have_the_defaults_of_the_specification(values: Values) -> None:
    defaults: dict[str, dict[str, Any]] = {
        "stablehlo.convolution": {
            "window_strides": (1, 1),
            "padding": ((0, 0), (0, 0)),
            "lhs_dilation": (1, 1),
            "rhs_dilation": (1, 1),
            "window_reversal": (False, False),
            "precision_config": None,
        },
        "stablehlo.reduce_window": {
            "window_strides": (1, 1),
            "base_dilations": (1, 1),
            "window_dilations": (1, 1),
            "padding": ((0, 0), (0, 0)),
        },
        "stablehlo.select_and_scatter": {"window_dimensions": (1, 1), "window_strides": (1, 1)},
        "stablehlo.sort": {"dimension": -1, "is_stable": False},
        "stablehlo.custom_call": {"api_version": 1, "backend_config": None, "output_operand_aliases": ()},
        "chlo.scan": {"is_reverse": False, "is_associative": None, "scan_dim_size": None},
    }
    for name, expected in defaults.items():
        op = _op(CASES[name][0](values))
        for each in expected:
            if each in op.attributes:
                del op.attributes[each]
        view = views.of(op)
        assert {each: getattr(view, each) for each in expected} == expected, name


def test_a_splat_padding_is_read_in_full(values: Values) -> None:
    made = ops.convolution(values["image"], values["kernel"], NUMBERS, padding=[(1, 1), (1, 1)])
    assert views.Convolution(_op(made)).padding == ((1, 1), (1, 1))


def test_match_gives_views_of_that_op_alone(module: ir.Module, values: Values) -> None:
    total = _op(added(values["x"], values["x"]))
    assert [each.op for each in views.Add.all_in(module.operation)] == [total]
    assert views.Add.defining(values["x"]) is None and views.Subtract.defining(total.results[0]) is None
    assert views.Add.defining(total.results[0]) is not None
    assert views.Add.match(None) is None and views.Subtract.match(total) is None
    found = views.Add.match(total)
    assert found is not None and found.lhs == values["x"]


def test_what_is_not_declared_is_refused(values: Values) -> None:
    view: Any = views.Add(_op(added(values["x"], values["x"])))
    with pytest.raises(AttributeError, match=r"stablehlo.add has no 'operand'"):
        _ = view.operand


def test_threads_may_read_first_at_the_same_time(values: Values) -> None:
    product = _op(ops.dot_general(values["x"], values["m"], contracting=([1], [0])))
    for _ in range(20):
        made = type("DotGeneral", (views.View,), {"__slots__": (), "OP_NAME": "stablehlo.dot_general"})
        start = Barrier(8)

        def read(made: Any = made, start: Barrier = start) -> Any:
            start.wait()
            return made(product).dot_dimension_numbers.lhs_contracting_dimensions

        with ThreadPoolExecutor(8) as pool:
            assert [each.result() for each in [pool.submit(read) for _ in range(8)]] == [(1,)] * 8
