"""Conversion between attributes and value objects, and the IRDL declaration."""

from __future__ import annotations

import gc
import shutil
import subprocess
import weakref
from pathlib import Path
from typing import Any

import pytest

from sdy.dialect import builders
from sdy.dialect.context import DIALECTS, make_context
from sdy.dialect.definition.attributes import attr_of, get, irdl_text, pretty_text, put, shared, value_of
from sdy.dialect.irdl_loading import PATHS
from sdy.dialect.irdl_loading import irdl_text as irdl_file_text
from sdy.dialect.values.axes import AxisRef, axes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import (
    AllToAllParam,
    AllToAllParamList,
    AxisRefList,
    AxisToPropagationDetails,
    EdgeNode,
    EdgeValueRef,
    ListOfAxisRefLists,
    ManualAxes,
    PropagationEdges,
    PropagationOneStep,
    ShardingPerValue,
    ShardingRule,
)
from sdy.dialect.values.sharding import CLOSED, DimensionSharding, Reduction, TensorSharding
from sdy.mlir import ir

IRDL_FILE = Path(__file__).parents[4] / "dialect" / "sdy.irdl.mlir"

SHARDING = TensorSharding(
    "m",
    (DimensionSharding(axes("a"), False, 3), CLOSED),
    axes("b"),
    (AxisRef.sub("c", 1, 2),),
    Reduction.MAX,
)
EDGE = AxisToPropagationDetails(AxisRef("a"), EdgeValueRef(EdgeNode.OPERAND, 0), (EdgeValueRef(EdgeNode.RESULT, 1),))
VALUES = [
    Mesh.of([1, 0], x=2),
    Mesh((), (3,)),
    AxisRef.sub("x", 2, 4),
    SHARDING,
    TensorSharding(Mesh.of(a=2), (CLOSED,)),
    TensorSharding("not a bare name", ()),
    ShardingPerValue((SHARDING, SHARDING)),
    ShardingPerValue(()),
    ShardingRule((2, 3, 4), (((0, 1),), ()), (((2,),),), (0,), (1,), (2,), (0, 1), True),
    ManualAxes(("a", 'quo"ted')),
    AxisRefList(axes("a")),
    ListOfAxisRefLists((axes("a"), ())),
    AllToAllParamList((AllToAllParam(axes("a", "b"), 0, 1),)),
    PropagationEdges((PropagationOneStep(2, (EDGE,)),)),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_survive_the_way_to_an_attribute_and_back(value: object) -> None:
    with make_context():
        attr = attr_of(value)
        assert attr_of(value) == attr
        assert value_of(attr) is shared(value)
    with make_context():
        assert value_of(ir.Attribute.parse(irdl_text(value))) == value


def test_standalone_spelling() -> None:
    assert pretty_text(ManualAxes(("a",))) == '#sdy<manual_axes{"a"}>'
    assert pretty_text(SHARDING) == '#sdy.sharding<@m, [{"a", ?}p3, {}], replicated={"b"}, unreduced=max{"c":(1)2}>'


def test_caches_do_not_keep_a_context_alive() -> None:
    context = make_context()
    attr_of(SHARDING, context)
    alive = weakref.ref(context)
    del context
    gc.collect()
    assert alive() is None


def test_other_attributes_are_refused() -> None:
    with make_context(), pytest.raises(TypeError, match="expected an sdy attribute"):
        value_of(ir.StringAttr.get("a"))


def test_builders_infer_types_and_take_value_objects() -> None:
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse("func.func @f(%x: tensor<8x8xf32>) { return }")
        block = module.body.operations[0].regions[0].blocks[0]
        with ir.InsertionPoint.at_block_begin(block):
            gathered = builders.all_gather(block.arguments[0], [axes("a"), ()], TensorSharding.closed("m", 2))
        op = gathered.owner.operation
        assert gathered.type == block.arguments[0].type
        assert get(op, "gathering_axes") == ListOfAxisRefLists((axes("a"), ()))
        put(op, "out_sharding", SHARDING)
        assert get(op, "out_sharding") == SHARDING
        put(op, "out_sharding", None)
        assert get(op, "out_sharding") is None


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_the_irdl_file_is_current(dialect: Any) -> None:
    file = IRDL_FILE.parent / PATHS[dialect.name]
    assert file.read_text() == irdl_file_text(dialect), "run `python -m sdy.dialect.irdl_loading dialect`"


def _mlir_opt() -> str | None:
    names = ["mlir-opt", *(f"mlir-opt-{version}" for version in range(30, 20, -1))]
    return next(filter(None, map(shutil.which, names)), None)


@pytest.mark.skipif(_mlir_opt() is None, reason="no mlir-opt (Debian: mlir-22-tools) on this machine")
def test_a_stock_mlir_opt_loads_the_irdl_file(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    sharding = irdl_text(SHARDING)
    program.write_text(
        "func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
        f'  %0 = "sdy.reshard"(%x) {{sharding = {sharding}}} : (tensor<8x8xf32>) -> tensor<8x8xf32>\n'
        "  return %0 : tensor<8x8xf32>\n}\n"
    )
    command = [str(_mlir_opt()), f"--irdl-file={IRDL_FILE}", str(program)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert sharding in run.stdout
    program.write_text(program.read_text().replace(sharding, "3 : i32"))
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_an_attribute_needs_a_context() -> None:
    with pytest.raises(ValueError, match="no current one"):
        attr_of(AxisRef("x"))
