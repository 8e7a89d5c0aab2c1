"""Every op, built by its function in `sdy.dialect.builders`, is what its text says; wrong arguments are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sdy
from sdy.dialect import builders
from sdy.dialect.context import make_context
from sdy.dialect.definition.attributes import attr_of
from sdy.dialect.values.axes import AxisRef, axes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import AllToAllParam, AllToAllParamList, AxisRefList, ListOfAxisRefLists, ShardingPerValue
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding
from sdy.dialect.verification import verify_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from tests.oracle import reference_print, requires_reference

MESH = Mesh.of(a=2, b=4, c=2)
T = "tensor<8x8xf32>"

Build = Callable[[Any], Any]


def sharding(*dims: str, **rest: Any) -> TensorSharding:
    """A closed sharding on @m; a dimension is given by the letters of its axes."""
    return TensorSharding("m", tuple(DimensionSharding(axes(*dim), True) for dim in dims), **rest)


AB, A, NONE = sharding("a", "b"), sharding("a", ""), sharding("", "")
PARTIAL = sharding("a", "", unreduced=axes("b"))
PARTIAL_MAX = sharding("a", "", unreduced=axes("b"), reduction=Reduction.MAX)


def named(x: Any) -> Any:
    op = builders.named_computation("f", [x], [x.type], [A], [NONE])
    with ir.InsertionPoint(op.regions[0].blocks[0]):
        return builders.return_(op.regions[0].blocks[0].arguments)


def manual(x: Any) -> Any:
    op = builders.manual_computation([x], [x.type], [AB], ShardingPerValue((AB,)), ["a"])
    with ir.InsertionPoint(op.regions[0].blocks[0]):
        return builders.return_(op.regions[0].blocks[0].arguments)


BUILT: list[tuple[TensorSharding | None, Build, str]] = [
    (None, lambda x: builders.sharding_constraint(x, A), '%0 = sdy.sharding_constraint %arg0 <@m, [{"a"}, {}]>'),
    (None, lambda x: builders.reshard(x, A), '%0 = sdy.reshard %arg0 <@m, [{"a"}, {}]>'),
    (None, lambda x: builders.reshard(x, attr_of(A)), '%0 = sdy.reshard %arg0 <@m, [{"a"}, {}]>'),
    (None, lambda x: builders.sharding_group(x, 7), "sdy.sharding_group %arg0 group_id=7"),
    (None, lambda _: builders.constant(np.ones((8, 8), np.float32)), "%0 = sdy.constant dense<1.000000e+00>"),
    (None, lambda x: builders.data_flow_edge(x, A), '%0 = sdy.data_flow_edge %arg0 sharding=<@m, [{"a"}, {}]>'),
    (None, lambda x: builders.data_flow_edge(x), "%0 = sdy.data_flow_edge %arg0"),
    (None, lambda x: builders.func_data_flow_edge(x), "%0 = sdy.func_data_flow_edge %arg0"),
    (
        None,
        lambda x: builders.propagation_barrier(x, "FORWARD"),
        "%0 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD",
    ),
    (
        None,
        named,
        '%0 = sdy.named_computation<"f">(%arg0) in_shardings=[<@m, [{"a"}, {}]>] out_shardings=[<@m, [{}, {}]>] '
        f"(%arg1: {T}) {{\n      sdy.return %arg1 : {T}\n    }} : ({T}) ->",
    ),
    (
        None,
        manual,
        '%0 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"a"}, {"b"}]>] out_shardings=[<@m, [{"a"}, {"b"}]>] '
        'manual_axes={"a"} (%arg1: tensor<4x8xf32>) {\n      sdy.return %arg1 : tensor<4x8xf32>\n'
        f"    }} : ({T}) ->",
    ),
    (
        A,
        lambda x: builders.all_gather(x, [["a"], []], NONE),
        '%0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@m, [{}, {}]>',
    ),
    (
        sharding("b", ""),
        lambda x: builders.all_gather(
            x,
            ListOfAxisRefLists(((AxisRef.sub("b", 2, 2),), ())),
            sharding("b", "").with_dim_axes([(AxisRef.sub("b", 1, 2),), ()]),
        ),
        '%0 = sdy.all_gather [{"b":(2)2}, {}] %arg0 out_sharding=<@m, [{"b":(1)2}, {}]>',
    ),
    (
        A,
        lambda x: builders.all_slice(x, [[], ["b"]], AB),
        '%0 = sdy.all_slice [{}, {"b"}] %arg0 out_sharding=<@m, [{"a"}, {"b"}]>',
    ),
    (
        A,
        lambda x: builders.all_to_all(x, [(["a"], 0, 1)], sharding("", "a")),
        '%0 = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@m, [{}, {"a"}]>',
    ),
    (
        A,
        lambda x: builders.all_to_all(x, AllToAllParamList((AllToAllParam(axes("a"), 0, 1),)), sharding("", "a")),
        '%0 = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@m, [{}, {"a"}]>',
    ),
    (
        A,
        lambda x: builders.collective_permute(x, sharding("c", "")),
        '%0 = sdy.collective_permute %arg0 out_sharding=<@m, [{"c"}, {}]>',
    ),
    (
        PARTIAL,
        lambda x: builders.all_reduce(x, ["b"], A),
        '%0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@m, [{"a"}, {}]>',
    ),
    (
        PARTIAL_MAX,
        lambda x: builders.all_reduce(x, AxisRefList(axes("b")), A, "max"),
        '%0 = sdy.all_reduce max {"b"} %arg0 out_sharding=<@m, [{"a"}, {}]>',
    ),
    (
        PARTIAL_MAX,
        lambda x: builders.reduce_scatter(x, [[], ["b"]], AB, Reduction.MAX),
        '%0 = sdy.reduce_scatter max [{}, {"b"}] %arg0 out_sharding=<@m, [{"a"}, {"b"}]>',
    ),
    (
        AB,
        lambda x: builders.sharded_to_unreduced(x, [[], ["b"]], PARTIAL),
        '%0 = sdy.sharded_to_unreduced [{}, {"b"}] %arg0 out_sharding=<@m, [{"a"}, {}], unreduced={"b"}>',
    ),
    (
        A,
        lambda x: builders.replicated_to_unreduced(x, ["b"], PARTIAL),
        '%0 = sdy.replicated_to_unreduced {"b"} %arg0 out_sharding=<@m, [{"a"}, {}], unreduced={"b"}>',
    ),
]


def built(given: TensorSharding | None, build: Build) -> Any:
    """A module with a mesh, and a function that does what `build` makes of its argument."""
    context = make_context()
    with context, ir.Location.unknown():
        module = ir.Module.parse(f"module {{ func.func @f(%x: {T}) {{ return }} }}")
        with ir.InsertionPoint.at_block_begin(module.body):
            builders.mesh("m", MESH)
        function = module.body.operations[1].operation
        if given is not None:
            function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get({"sdy.sharding": attr_of(given)})])
        block = function.regions[0].blocks[0]
        with ir.InsertionPoint.at_block_begin(block):
            build(block.arguments[0])
    return module


def test_every_op_is_built() -> None:
    texts = "".join(text for _, _, text in BUILT)
    assert [name for name in builders.OPS if name not in texts] == ["sdy.mesh"]


@requires_reference
@pytest.mark.parametrize(("given", "build", "text"), BUILT)
def test_ops_are_what_their_text_says(given: TensorSharding | None, build: Build, text: str) -> None:
    module = built(given, build)
    verify_module(module)
    printed = sdy.print_module(module)
    attribute = f" {{sdy.sharding = #sdy.sharding{given}}}" if given is not None else ""
    type_ = f" {T}" if text.endswith("->") else f" : {T}"
    assert printed == (
        'module {\n  sdy.mesh @m = <["a"=2, "b"=4, "c"=2]>\n'
        f"  func.func @f(%arg0: {T}{attribute}) {{\n    {text}{type_}\n    return\n  }}\n}}\n"
    )
    assert sdy.print_module(sdy.parse(printed)) == printed
    assert reference_print(printed) == printed


def _any(value: Any) -> Any:
    return value


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (
            lambda x: builders.reshard(x, _any("a")),
            TypeError,
            "'sdy.reshard' takes a TensorSharding as 'sharding', not 'a'",
        ),
        (
            lambda x: builders.reshard(x, _any(None)),
            TypeError,
            "'sdy.reshard' takes a TensorSharding as 'sharding', not None",
        ),
        (lambda x: builders.reshard(x, _any(MESH)), TypeError, "takes a TensorSharding as 'sharding', not Mesh"),
        (
            lambda x: builders.reshard(_any(3), A),
            TypeError,
            "'sdy.reshard' takes a value, or an op with one result, not 3",
        ),
        (
            lambda x: builders.reshard(builders.sharding_group(x, 1), A),
            TypeError,
            "takes a value, or an op with one result",
        ),
        (lambda x: builders.all_gather(x, ["a", ""], NONE), TypeError, "expected a list of axes, not 'a'"),
        (lambda x: builders.all_reduce(x, "b", A), TypeError, "expected a list of axes, not 'b'"),
        (
            lambda x: builders.all_reduce(x, ["b"], A, "prod"),
            ValueError,
            "'prod' is not a kind of reduction: expected one of sum",
        ),
        (
            lambda x: builders.propagation_barrier(x, "UP"),
            ValueError,
            "'UP' is not a propagation direction: expected one of NONE",
        ),
        (lambda x: builders.constant(ir.StringAttr.get("x")), TypeError, "takes an elements attribute"),
        (lambda x: builders.mesh("n", _any(A)), TypeError, "'sdy.mesh' takes a Mesh as 'mesh'"),
        (lambda x: builders.manual_computation([x], [], [], [], ["a"]), ValueError, "1 operands have 0 in_shardings"),
        (lambda x: builders.manual_computation([x], [], [A], [], "a"), TypeError, "expected a list of axes, not 'a'"),
        (
            lambda x: builders.manual_computation([x], [], [sharding("z", "")], [], ["z"]),
            ValueError,
            "the mesh of <@m, .*> has no axis 'z'",
        ),
        (
            lambda x: builders.manual_computation([x], [], [sharding("a")], [], ["a"]),
            ValueError,
            "a value of type tensor<8x8xf32> has a sharding of 1 dimensions",
        ),
        (
            lambda x: builders.manual_computation([x], [], [TensorSharding.closed("n", 2)], [], []),
            ValueError,
            "there is no mesh 'n'",
        ),
    ],
)
def test_wrong_arguments_are_refused(build: Build, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        built(None, build)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda x: builders.reshard(x, sharding("z", "")),
            "'sdy.reshard' op uses axis \"z\", which the mesh does not have",
        ),
        (lambda x: builders.reshard(x, sharding("a")), "'sdy.reshard' op has a sharding of rank 1"),
        (lambda x: builders.reshard(x, TensorSharding.closed("n", 2)), "mesh"),
        (lambda x: builders.sharding_constraint(x, sharding("a", "a")), "a"),
        (lambda x: builders.all_gather(x, [["b"], []], NONE), "'sdy.all_gather' op"),
        (lambda x: builders.all_gather(x, [["b"]], NONE), "'sdy.all_gather' op"),
        (lambda x: builders.all_to_all(x, [], NONE), "'sdy.all_to_all' op"),
        (lambda x: builders.named_computation("f", [x], [], [A], []), "'sdy.named_computation' op"),
    ],
)
def test_what_is_wrong_about_the_program_is_found_by_verification(build: Build, message: str) -> None:
    module = built(None, build)
    with pytest.raises(DiagnosticError, match=message):
        verify_module(module)
