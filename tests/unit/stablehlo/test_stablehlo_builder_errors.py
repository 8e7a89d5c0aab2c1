"""`sdy.stablehlo.ops`: what is wrong is an error with a location, whatever is given."""

from __future__ import annotations

import inspect
from random import Random
from typing import Any

import numpy as np
import pytest

from sdy.mlir import ir
from sdy.stablehlo import InferenceError, ops
from sdy.stablehlo.declarations import declared_ops
from sdy.stablehlo.ops import chlo
from tests.depth import ALL
from tests.unit.stablehlo.builder_cases import GROUPS, NUMBERS, Build, Values, builder_name

WRONG: dict[str, tuple[Build, str]] = {
    "no value": (lambda v: ops.add(v["x"], 1), "add_i2"),  # pyright: ignore[reportArgumentType]
    "types that differ": (lambda v: ops.add(v["x"], v["i"]), "add_c1"),
    "element types": (lambda v: ops.sine(v["i"]), "sine_i1"),
    "a name that is none": (lambda v: ops.compare(v["x"], v["x"], "XX"), "compare_i3"),
    "a name of chlo's": (lambda v: chlo.broadcast_compare(v["x"], v["x"], "XX"), "broadcast_compare_i4"),
    "no whole number": (lambda v: ops.transpose(v["x"], [0.5, 1]), "transpose_i2"),  # pyright: ignore[reportArgumentType]
    "text": (lambda v: ops.transpose(v["x"], "10"), "transpose_i2"),  # pyright: ignore[reportArgumentType]
    "64 bits": (lambda v: ops.transpose(v["x"], [1 << 70, 0]), "transpose_i2"),
    "32 bits": (lambda v: ops.reduce_precision(v["x"], 1 << 40, 3), "reduce_precision_i2"),
    "out of range": (lambda v: ops.transpose(v["x"], [0, 2]), "transpose_c2"),
    "not inferable": (lambda v: ops.reshape(v["x"], [4]), "reshape_c2"),
    "negative size": (lambda v: ops.reshape(v["x"], [-6]), "reshape_results"),
    "no type": (lambda v: ops.iota("tensor<", 0), "iota_results"),
    "no element type": (lambda v: ops.convert(v["x"], "f31"), "convert_results"),
    "overflow": (lambda v: ops.pad(v["x"], v["scalar"], [0, 2**62], [0, 2**62]), "pad_c4"),
    "dimension numbers": (lambda v: ops.dot_general(v["x"], v["m"], contracting=1), "dot_general_i3"),  # pyright: ignore[reportArgumentType]
    "sizes": (lambda v: ops.dot_general(v["x"], v["m"], contracting=([0], [0])), "dot_general_c10"),
    "a constant of text": (lambda v: ops.constant("one"), "constant_i1"),
    "a value that does not fit": (lambda v: ops.constant([1, 300], "ui8"), "constant_i1"),
    "fractions": (lambda v: ops.constant([0.5], "i32"), "constant_i1"),
    "a shape that does not fit": (lambda v: ops.constant([1, 2], "tensor<3xi32>"), "constant_i1"),
    "no function": (lambda v: ops.reduce(v["x"], v["scalar"], [0], "add"), "reduce_body"),  # pyright: ignore[reportArgumentType]
    "too few arguments": (lambda v: ops.reduce(v["x"], v["scalar"], [0], lambda a: a), "reduce_body"),
    "no values returned": (lambda v: ops.reduce(v["x"], v["scalar"], [0], lambda a, b: 1), "reduce_body"),  # pyright: ignore[reportArgumentType]
    "another type returned": (lambda v: ops.reduce(v["x"], v["scalar"], [0], lambda a, b: a < b), "reduce_c6"),
    "condition": (lambda v: ops.while_(v["index"], lambda i: i, lambda i: i), "while_c1"),
    "branches": (lambda v: ops.if_(v["flag"], lambda: v["x"], lambda: v["i"]), "if_c2"),
    "inside of a body": (lambda v: ops.map([v["x"]], [0, 1], lambda a: ops.reshape(a, [2])), "reshape_c2"),
    "groups": (lambda v: ops.all_gather(v["x"], 0, 3), "all_gather_i3"),  # pyright: ignore[reportArgumentType]
    "no decomposition": (lambda v: ops.composite([v["x"]], "a.b", "nothing"), "composite_c2"),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_are_at_the_caller_and_leave_nothing(module: ir.Module, values: Values, case: str) -> None:
    build, constraint = WRONG[case]
    before = str(module)
    with pytest.raises(InferenceError) as caught:
        build(values)
    assert caught.value.constraint == constraint, str(caught.value)
    assert str(caught.value.location) == 'loc("here")'
    assert str(module) == before


@pytest.mark.parametrize(
    "arguments",
    [
        lambda v: ((v["x"], [1, 0], 1), {}),
        lambda v: ((v["x"], [1, 0]), {"permutation": [1, 0]}),
        lambda v: ((v["x"],), {"dimensions": [1, 0]}),
        lambda v: ((v["x"],), {}),
    ],
)
def test_arguments_that_a_builder_does_not_take(values: Values, arguments: Any) -> None:
    given, named = arguments(values)
    with pytest.raises(TypeError):
        ops.transpose(*given, **named)


NO_PART: Any = "x"
JUNK: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    2**31,
    2**63,
    2**70,
    0.5,
    "EQ",
    "f32",
    "tensor<2x3xf32>",
    "tensor<?x",
    "",
    " // f32",
    [],
    [0],
    [1, 0],
    [0.5],
    ["a"],
    [[0, 1]],
    [[0], [1, 2]],
    [(0, 1), (1, 0)],
    [-(2**62), 2**62],
    {},
    {"a": 1},
    {1: 2},
    object(),
    np.zeros((2, 2)),
    ops.add,
    lambda *values: values[:1],
    lambda *values: None,
    lambda *values: 3,
    ([1], [0]),
    [lambda: ()],
    ["f32"],
    ops.GatherDimensionNumbers([1], [0], [], [], [0], 1),
    ops.RaggedDotDimensionNumbers([], [], [1], [1], [0], [0]),
    ops.ScatterDimensionNumbers([], [], [], [], NO_PART, NO_PART),
    NUMBERS,
    ops.DotAlgorithm("f32", "f3", "f32"),
    ops.ResultAccuracy("X"),
    ops.ResultAccuracy(ulps=2**70),
]


def _parameters(build: Any) -> list[str]:
    """Names of what a builder takes, but for `loc` and `ip`."""
    parameters = inspect.signature(build).parameters.values()
    return [each.name for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD]


def test_anything_else_is_an_inference_error(values: Values) -> None:
    """Whatever the builders are given, they make an op or raise an `InferenceError`."""
    random = Random(0)
    builders = [getattr(chlo if name[0] == "c" else ops, builder_name(name)) for name in declared_ops()]
    made = 0
    for build in builders * (5_000 if ALL else 100):
        drawn: dict[str, Any] = {}
        for name in _parameters(build):
            value = random.choice(random.choice([JUNK, list(values.values())]))
            drawn[name] = [value] if random.random() < 0.1 else value
        try:
            build(**drawn)
            made += 1
        except InferenceError as error:
            assert error.location is not None
    assert made


LIKE_VALID_ONES: dict[str, tuple[Build, Build]] = {
    "another attribute": (lambda v: ops.transpose(v["x"], [1, 0]), lambda v: ops.transpose(v["x"], [1, 1])),
    "another type": (lambda v: ops.add(v["x"], v["x"]), lambda v: ops.add(v["x"], v["i"])),
    "another result": (lambda v: ops.reshape(v["x"], [6]), lambda v: ops.reshape(v["x"], [5])),
    "another element": (
        lambda v: ops.dot_general(v["x"], v["m"], contracting=([1], [0])),
        lambda v: ops.dot_general(v["x"], v["m"], contracting=([1], [0]), element_type="i32x"),
    ),
    "another channel": (
        lambda v: ops.all_reduce(v["x"], GROUPS, ops.add, channel=1, use_global_device_ids=True),
        lambda v: ops.all_reduce(v["x"], GROUPS, ops.add, channel=0, use_global_device_ids=True),
    ),
    "other groups": (
        lambda v: ops.all_gather(v["x"], 0, GROUPS),
        lambda v: ops.all_gather(v["x"], 0, [[0, 1], [1, 2]]),
    ),
    "another body": (
        lambda v: ops.reduce(v["x"], ops.constant(0.0), [0], ops.add),
        lambda v: ops.reduce(v["x"], ops.constant(0.0), [0], lambda a, b: a < b),
    ),
    "another value": (
        lambda v: ops.constant([1, 2], "i32"),
        lambda v: ops.constant([1, 2], "tensor<3xi32>"),
    ),
}
"""Valid ops, and ones that are like them but for one thing."""


@pytest.mark.parametrize("case", LIKE_VALID_ONES)
def test_what_is_remembered_of_valid_ops_holds_for_no_others(values: Values, case: str) -> None:
    valid, wrong = LIKE_VALID_ONES[case]
    first, second = valid(values), valid(values)
    assert first.type == second.type and first != second
    with pytest.raises(InferenceError):
        wrong(values)
