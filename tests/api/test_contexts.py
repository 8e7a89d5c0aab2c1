"""Programs with ops and attributes of other dialects keep their context, whatever is asked of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import sdy
from sdy.dialect import assembly, data_flow, extensions
from sdy.dialect import context as contexts
from sdy.dialect.lowering.local_op import keep_and_sum
from sdy.mlir import users_code
from sdy.mlir.diagnostics import DiagnosticError

DIALECT = """irdl.dialect @npu {
  irdl.operation @matmul {
    %t = irdl.any
    %u = irdl.any
    %v = irdl.any
    irdl.operands(lhs: %t, rhs: %u)
    irdl.results(out: %v)
  }
}
"""

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x32xf32> {
  %0 = "npu.matmul"(%a, %b) : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.custom_call @npu_relu(%0) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
"""

LOCAL = '"npu.matmul"(%arg0, %arg1) : (tensor<4x4xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>'


def declare() -> None:
    """What a package for the dialect declares."""

    @sdy.sharding_rule("npu.matmul")
    def matmul(op: Any) -> Any:
        return sdy.einsum_rule(op, "i j, j k -> i k", reduction_factors=["j"])

    @sdy.sharding_rule(custom_call="npu_relu")
    def relu(op: Any) -> str:
        return "i j -> i j"

    @sdy.local_lowering("npu.matmul", partial_results=True)
    def local_matmul(op: Any) -> None:
        keep_and_sum(op, op.operand_layouts[0].dim_axes[1], op.operand_layouts[0])


@pytest.fixture
def registries(own_models: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Registries that are as before after the test."""
    monkeypatch.setattr(data_flow, "_kinds", dict(data_flow._kinds))


@pytest.fixture(params=["from IRDL", "not registered"])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "not registered":
        return sdy.make_context(allow_unregistered_dialects=True)
    (tmp_path / "npu.irdl.mlir").write_text(DIALECT)
    made = sdy.make_context()
    sdy.load_irdl_file(tmp_path / "npu.irdl.mlir", made)
    return made


def check(given: Any, **named: Any) -> None:
    partitioned = sdy.partition(given, **named)
    assert LOCAL in partitioned.text
    assert "custom_call @npu_relu" in partitioned.text
    assert [one.kind for one in partitioned.collectives] == ["all_reduce"]
    (transfer,) = sdy.communication(given, **named).transfers
    assert (transfer.kind, transfer.serves) == ("all_reduce", "result of npu.matmul")
    assert [one.kind for one in sdy.communication(partitioned).transfers] == ["all_reduce"]
    assert '[{"x", ?}, {?}]' in str(sdy.explain(given, "result:0", **named))


def test_a_module_is_worked_on_in_its_context(registries: None, context: Any) -> None:
    declare()
    module = sdy.parse(PROGRAM, context=context)
    before = str(module)
    check(module)
    assert str(module) == before
    assert str(sdy.parse(before, context=context)) == before


def test_a_text_is_parsed_into_the_context_that_is_given(registries: None, context: Any) -> None:
    declare()
    check(PROGRAM, context=context)


def test_what_packages_declare_is_loaded_before_the_first_pass(
    registries: None, monkeypatch: pytest.MonkeyPatch, context: Any
) -> None:
    loaded: list[str] = []

    class EntryPoint:
        name, value = "npu", "npu_compiler:declare"

        def load(self) -> Callable[[], None]:
            loaded.append("npu")
            return declare

    entry_points = {extensions.ENTRY_POINTS: [EntryPoint()]}
    monkeypatch.setattr(extensions, "entry_points", lambda group: entry_points.get(group, []))
    monkeypatch.setattr(extensions, "_extensions", extensions.Extensions())
    check(PROGRAM, context=context)
    assert loaded == ["npu"]


def test_attributes_of_other_dialects_stay() -> None:
    context = sdy.make_context(allow_unregistered_dialects=True)
    text = PROGRAM.replace('[{"y"}, {}]>}', '[{"y"}, {}]>, tt.kind = #ttcore.argument_type<input>}')
    module = sdy.parse(text, context=context)
    assert "#ttcore.argument_type<input>" in str(module)
    assert sdy.partition(module).context is context


def test_a_module_in_another_context_is_refused() -> None:
    module = sdy.parse("func.func @main() { return }")
    for ask in (sdy.partition, sdy.communication, sdy.explain):
        with pytest.raises(ValueError, match="another context"):
            ask(module, context=sdy.make_context())
        with pytest.raises(TypeError, match="not int"):
            ask(3)  # type: ignore[arg-type]


def test_contexts_without_the_dialect_are_refused() -> None:
    from sdy.mlir import ir

    with ir.Context() as context, ir.Location.unknown():
        module = ir.Module.parse("func.func @main() { return }")
    for ask in (
        lambda: sdy.parse("", context=context),
        lambda: sdy.run(module, "sdy-propagation-pipeline"),
    ):
        with pytest.raises(ValueError, match="lacks the dialect sdy; make it with"):
            ask()


def test_modules_of_frontends_with_the_same_bindings_are_read() -> None:
    from sdy.mlir import ir

    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        module = ir.Module.parse("""
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}""")
        of_torch = ir.Module.parse("func.func private @main(!torch.vtensor<[8],f32>)")
    assert "stablehlo.negate %arg0" in str(sdy.parse(module))
    assert "stablehlo.negate %arg0" in sdy.partition(module).text
    assert sdy.communication(module).transfers == ()
    with pytest.raises(sdy.DiagnosticError, match="torch"):
        sdy.partition(of_torch)


def test_shardings_are_read_and_written_outside_of_contexts() -> None:
    module = sdy.parse("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }")
    (main,) = sdy.funcs(module)
    x = main.regions[0].blocks[0].arguments[0]
    sharding = sdy.TensorSharding.from_axes(sdy.Mesh.of(x=2), [[sdy.AxisRef("x")]])
    assert sdy.get_sharding(x) is None and sdy.get_result_sharding(main, 0) is None
    sdy.set_sharding(x, sharding)
    sdy.set_result_sharding(main, 0, sharding)
    assert sdy.get_sharding(x) == sdy.get_result_sharding(main, 0) == sharding
    assert str(module).count('#sdy.sharding<mesh<["x"=2]>, [{"x"}]>') == 2
    sdy.set_result_sharding(main, 0, None)
    assert sdy.get_result_sharding(main, 0) is None
    for func, number in ((main, 1), (main, -1), (module.operation, 0)):
        with pytest.raises(ValueError, match=r"but no result|is not a function"):
            sdy.set_result_sharding(func, number, sharding)


def test_a_context_without_room_is_refused() -> None:
    operands = [f"%{name}: tensor<{size}xf32>" for size, name in enumerate("abcd", 1)]
    types = ", ".join(each.split(": ")[1] for each in operands)
    text = f"""
sdy.mesh @mesh = <["x"=2]>
func.func @main({", ".join(operands)}) {{
  sdy.manual_computation(%a, %b, %c, %d) in_shardings=[{", ".join(["<@mesh, [{}]>"] * 4)}] out_shardings=[]
      manual_axes={{}} ({", ".join(each.replace("%", "%i") for each in operands)}) {{
    sdy.return
  }} : ({types}) -> ()
  return
}}"""
    sdy.parse(text)
    with pytest.raises(ValueError, match=r"make it with sdy\.make_context\(groups=4\)"):
        sdy.parse(text, context=sdy.make_context(groups=2))


# IRDL files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("irdl.dialect @npu {", "1:1"),
        ("irdl.dialect @acc {}", "1:1: error: the context has a dialect 'acc' already; make it with sdy.make_context("),
        ("irdl.dialect @arith {}", "1:1: error: the context has a dialect 'arith' already"),
        ("irdl.dialect @sdy {}", "1:1: error: the context has a dialect 'sdy' already"),
        (f"module {{\n{DIALECT}}}\nmodule {{\n{DIALECT}}}", "14:3: error: 'npu.matmul' is defined twice"),
    ],
)
def test_irdl_that_cannot_be_loaded_is_refused(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "my.irdl.mlir"
    path.write_text(text)
    with pytest.raises(DiagnosticError) as caught:
        sdy.load_irdl_file(path, sdy.make_context())
    assert str(caught.value).startswith(f"{path}:{error}")


OF_AN_UPSTREAM_NAME = """
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "acc.relu"() : () -> tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}"""


@pytest.mark.slow
def test_a_dialect_may_have_the_name_of_an_upstream_one(tmp_path: Path) -> None:
    path, program = tmp_path / "acc.irdl.mlir", tmp_path / "program.mlir"
    path.write_text("irdl.dialect @acc {\n  irdl.operation @relu {\n    %t = irdl.any\n    irdl.results(y: %t)\n  }\n}")
    program.write_text(OF_AN_UPSTREAM_NAME)
    context = sdy.make_context(without=["acc"])
    sdy.load_irdl_file(path, context)
    assert '"acc.relu"' in str(sdy.parse(OF_AN_UPSTREAM_NAME, context=context))
    command = [sys.executable, "-m", "sdy.tools.sdy_opt", str(program), f"--irdl-file={path}", "--canonicalize"]
    assert '"acc.relu"' in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_dialect_is_loaded_once(tmp_path: Path) -> None:
    path, context = tmp_path / "my.irdl.mlir", sdy.make_context()
    path.write_text(DIALECT)
    sdy.load_irdl_file(path, context)
    with pytest.raises(DiagnosticError, match="has a dialect 'npu' already"):
        sdy.load_irdl_file(path, context)


# Text ------------------------------------------------------------------------------------------------

SHARDINGS = """
sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}p1], replicated={"y":(1)2}>})
    -> tensor<8x8xf32> {
  %0 = sdy.reshard %a <@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>,
      sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  %3 = sdy.all_gather [{"x"}, {}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
"""


def test_the_text_of_a_module_parses_again() -> None:
    module = sdy.parse(SHARDINGS)
    assert str(module) == f"{module}" == sdy.print_module(module)
    assert str(sdy.parse(str(module))) == str(module)


def test_what_upstream_prints_of_an_op_parses_as_well() -> None:
    module = sdy.parse(SHARDINGS)
    for generic in (False, True):
        text = module.operation.get_asm(print_generic_op_form=generic)
        assert "#sdy.axis_ref<" in text
        assert str(sdy.parse(text)) == str(module)
    with pytest.raises(DiagnosticError, match="1:"):
        sdy.parse(
            '"sdy.mesh"() {mesh = #sdy.mesh<[#sdy.mesh_axis<"x", 0 : i64>], array<i64>>, sym_name = "m"} : () -> ()'
        )


def test_names_of_the_package() -> None:
    assert set(sdy.__all__) < set(dir(sdy))
    assert not [name for name in dir(sdy) if isinstance(getattr(sdy, name), ModuleType) and name not in sdy.__all__]
    assert all(hasattr(sdy, name) for name in dir(sdy))
    assert sdy.__version__[0].isdigit()
    assert sys.modules["sdy"] is sdy


def test_a_package_that_does_not_load_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class EntryPoint:
        name, value = "npu", "npu_compiler.rules"

        def load(self) -> None:
            raise ModuleNotFoundError("No module named\n'npu_driver'")

    monkeypatch.setattr(extensions, "entry_points", lambda group: [EntryPoint()])
    monkeypatch.setattr(extensions, "_extensions", extensions.Extensions())
    message = (
        r"^the extension 'npu' \(npu_compiler.rules\) fails to load: ModuleNotFoundError: No module named 'npu_driver'$"
    )
    for _ in range(2):
        with pytest.raises(sdy.ExtensionError, match=message):
            sdy.parse("module {}")


def test_dialects_that_are_registered_are_in_every_context(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "mine.irdl.mlir"
    path.write_text(DIALECT.replace("@npu", "@mine_too"), encoding="utf-8")
    monkeypatch.setattr(contexts, "_registered_dialects", {})
    assert not sdy.make_context().is_dialect_loaded("mine_too")
    sdy.register_dialect("mine_too", lambda context: sdy.load_irdl_file(path, context))
    for _ in range(2):
        assert sdy.make_context().is_dialect_loaded("mine_too")
    assert not sdy.make_context(without=["mine_too"]).is_dialect_loaded("mine_too")
    for name in ("mine_too", "sdy"):
        with pytest.raises(ValueError, match=f"there is a dialect '{name}' already"):
            sdy.register_dialect(name, print)
    with pytest.raises(TypeError, match="not str"):
        sdy.register_dialect("another", "file.mlir")  # type: ignore[arg-type]


def test_a_lean_context_has_other_dialects_when_a_text_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users_code, "_declared", [])
    lean = contexts.make_context(is_lean=True)
    assert lean.is_dialect_loaded("sdy")
    assert not lean.is_dialect_loaded("vector")
    module = assembly.parse(
        "func.func @f(%x: f32) { %0 = vector.broadcast %x : f32 to vector<4xf32> return }", context=lean
    )
    assert lean.is_dialect_loaded("vector")
    assert module.operation.verify()


def test_where_users_take_part_all_dialects_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users_code, "_declared", [users_code.Declared("rule", ("a.b",), ())])
    assert contexts.make_context(is_lean=True).is_dialect_loaded("vector")
