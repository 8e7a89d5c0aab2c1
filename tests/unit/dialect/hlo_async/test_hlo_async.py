"""The dialect hlo_async in Python: builders, chains, and what contexts and files know of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdy
from sdy.dialect.assembly import print_module
from sdy.dialect.hlo_async import async_builders
from sdy.dialect.hlo_async.async_builders import Bundle, bundle_of, default_contexts, is_bundle
from sdy.dialect.hlo_async.chains import chains, unwrap, wrap
from sdy.mlir import ir
from sdy.mlir.declared_dialects import FILE_GROUPS
from sdy.passes.manager import check

IRDL_FILE = Path(__file__).parents[4] / "dialect" / "hlo_async" / "hlo_async.irdl.mlir"

CASE = """\
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    %1 = "stablehlo.case"(%arg1) ({
      %2 = stablehlo.add %0, %arg0 : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }, {
      stablehlo.return %arg0 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""


def test_builders_make_a_chain() -> None:
    with sdy.make_context(), ir.Location.unknown():
        module = ir.Module.parse("func.func @f(%x: tensor<4xf32>) { return }")
        block = module.body.operations[0].regions[0].blocks[0]
        with ir.InsertionPoint.at_block_begin(block):
            start = async_builders.start(
                [block.arguments[0]], [block.arguments[0].type], default_contexts(), "side", computation="w"
            )
            with ir.InsertionPoint(start.regions[0].blocks[0]):
                argument = start.regions[0].blocks[0].arguments[0]
                negated = ir.Operation.create("stablehlo.negate", results=[argument.type], operands=[argument])
                async_builders.return_(negated.results)
            done = async_builders.done(async_builders.update(start.results[0]))
            assert [result.type for result in done.results] == [argument.type]
            with pytest.raises(TypeError, match="a bundle's type"):
                async_builders.done(argument)
        check(module.operation)
        (chain,) = chains(module.operation)
        assert (chain.thread, chain.computation, len(chain.updates)) == ("side", "w", 1)
        assert chain.wrapped.name == "stablehlo.negate"
        assert str(start.results[0].type) == "!hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>], [tensor<i32>]>"


def test_bundles_are_types_and_back() -> None:
    with sdy.make_context(), ir.Location.unknown():
        tensor, token = ir.Type.parse("tensor<4xf32>"), ir.Type.parse("!stablehlo.token")
        bundle = Bundle((tensor, token), (tensor,))
        assert is_bundle(bundle.type())
        assert bundle_of(bundle.type()) == bundle
        assert not is_bundle(tensor)
        with pytest.raises(ValueError, match="1 : i32 is not a type"):
            bundle_of(ir.Type.parse("!hlo_async.bundle<[], [1 : i32], []>"))


def test_an_op_becomes_asynchronous_and_synchronous_again() -> None:
    """Operands used twice are two; what regions take from outside becomes an operand."""
    module = sdy.parse(CASE)
    before = print_module(module)
    ops = [op.operation for op in module.body.operations[0].regions[0].blocks[0].operations]
    first, second = (wrap(op, updates=count) for count, op in enumerate(ops[:2]))
    check(module.operation)
    assert len(first.start.operands) == 2
    assert len(second.start.operands) == 3
    assert "stablehlo.case" in print_module(module)
    for chain in chains(module.operation):
        unwrap(chain)
    assert print_module(module) == before


def test_operands_of_many_types_in_a_row() -> None:
    """More than a context has room for by default."""
    count = 300
    types = [f"tensor<{size}xf32>" for size in range(1, count + 1)]
    arguments = ", ".join(f"%a{number}: {type_}" for number, type_ in enumerate(types))
    inner = ", ".join(f"%b{number}: {type_}" for number, type_ in enumerate(types))
    values = ", ".join(f"%{{}}{number}" for number in range(count)).format
    bundle = f"!hlo_async.bundle<[{', '.join(types)}], [tensor<1xf32>], []>"
    text = f"""func.func @f({arguments}) {{
  %s = hlo_async.start({values(*"a" * count)}) ({inner}) {{
    %0 = stablehlo.custom_call @f({values(*"b" * count)}) : ({", ".join(types)}) -> tensor<1xf32>
    hlo_async.return %0 : tensor<1xf32>
  }} : ({", ".join(types)}) -> {bundle}
  %d = hlo_async.done %s : {bundle} -> tensor<1xf32>
  return
}}
"""
    module = sdy.parse(text)
    assert len(chains(module.operation)[0].start.operands) == count
    assert print_module(sdy.parse(print_module(module))) == print_module(module)


def test_the_file_alone_reads_what_we_print() -> None:
    """But for bodies, of which IRDL cannot say that they have a terminator."""
    bundle = "!hlo_async.bundle<[tensor<4xf32>], [tensor<4xf32>, tensor<2xi32>], [tensor<i32>]>"
    text = f"""func.func @f(%s: {bundle}) {{
  %u = "hlo_async.update"(%s) : ({bundle}) -> {bundle}
  %d:2 = "hlo_async.done"(%u) {{SEGMENTS}} : ({bundle}) -> (tensor<4xf32>, tensor<2xi32>)
  return
}}"""
    segments = f"resultSegmentSizes = array<i32: 1, 1{', 0' * (FILE_GROUPS - 2)}>"
    with ir.Context() as context, ir.Location.unknown():
        sdy.load_irdl_file(IRDL_FILE, context)
        ir.Module.parse(text.replace("SEGMENTS", segments))
        with pytest.raises(ir.MLIRError):
            ir.Module.parse(text.replace("SEGMENTS", segments).replace("], [tensor<4xf32>, ", ", "))


def test_a_start_with_two_dones_is_no_chain() -> None:
    """Also where nobody has verified the module: its ops could not be erased."""
    module = sdy.parse(CASE)
    chain = wrap(module.body.operations[0].regions[0].blocks[0].operations[0].operation)
    with module.context, ir.InsertionPoint.after(chain.done), ir.Location.unknown():
        async_builders.done(chain.start.results[0])
    with pytest.raises(sdy.DiagnosticError, match="has 2 users, expected one done"):
        chains(module.operation)
