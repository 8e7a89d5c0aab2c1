"""The flags of sdy-opt, each by what it does; `lit_tests/tools` shows how they look from a shell."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from sdy.tools.sdy_opt import main

PROGRAM = """\
sdy.mesh @m = <["a"=2]>
func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}]>}) -> tensor<8xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32> loc("weights")
  %d = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %0 = sdy.reshard %x <@m, [{}]> : tensor<8xf32> loc("here")
  %1 = arith.addf %0, %c : tensor<8xf32>
  %2 = arith.addf %1, %d : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func @g() {
  return
}
"""

RECURSIVE = "func.func @main() {\n  call @main() : () -> ()\n  return\n}\n"

INVALID = "func.func @f() -> i32 {\n  return\n}\n"


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    """Runs the tool on a text."""

    def call(text: str, *flags: str) -> Result:
        path = tmp_path / "input.mlir"
        path.write_text(text, encoding="utf-8")
        code = main([str(path), *flags])
        sys.stdout.flush()
        said = capfd.readouterr()
        return Result(code, said.out, said.err.replace(str(tmp_path) + os.sep, ""))

    return call


def dumps(result: Result) -> list[str]:
    return re.findall(r"IR Dump (.*) //----- //", result.err)


# The command line ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--canonicalise"], "unknown argument '--canonicalise', did you mean '--canonicalize'?"),
        (
            ["-mlir-print-ir-after-al"],
            "unknown argument '-mlir-print-ir-after-al', did you mean '--mlir-print-ir-after-all'?",
        ),
        (
            ["--sdy-close-sharding=x"],
            "unknown argument '--sdy-close-sharding=x', did you mean '--sdy-close-shardings'?",
        ),
        (["--zzz"], "unknown argument '--zzz'"),
        (["other.mlir"], "unrecognized arguments: other.mlir"),
        (["-o"], "argument -o: expected a value"),
        (["--pass-pipeline"], "argument --pass-pipeline: expected a value"),
        (["--emit-bytecode=maybe"], "'maybe' is not a boolean"),
        (["--emit-bytecode-version=x"], "'x' is not a number"),
        (["--mlir-elide-elementsattrs-if-larger=-1"], "'-1' is not a number"),
        (["--verify-diagnostics=some"], "invalid choice: 'some'"),
        (["--mlir-timing-display=pie"], "invalid choice: 'pie'"),
        (["--mlir-print-op-on-diagnostic=true"], "only 'false' is supported"),
        (["--mlir-print-ir-before=cse,nothing"], "argument --mlir-print-ir-before: unknown pass 'nothing'"),
        (["--cse", "--pass-pipeline=cse"], "'--pass-pipeline' cannot be mixed with passes such as 'cse'"),
        (["--cse=depth=3"], "pass 'cse' does not take the options 'depth=3'"),
        (["--canonicalize=top-don=false"], "no option 'top-don', did you mean 'top-down'?; it has "),
        (["--inline=default-pipeline=zz"], "'inline': unknown pass 'zz'"),
        (["--canonicalize=region-simplify"], "option 'region-simplify' needs a value"),
        (["--canonicalize=region-simplify={normal"], "unbalanced braces"),
        (["--pass-pipeline=builtin.module(cse"], "unbalanced brackets or quotes in pipeline"),
        (
            ["--pass-pipeline=builtin.module(func.func(canonicaliz))"],
            "unknown pass 'canonicaliz', did you mean 'canonicalize'?",
        ),
        (["--pass-pipeline=builtin.module(builtin.module(cse))"], "cannot nest 'builtin.module' in 'builtin.module'"),
        (["--pass-pipeline=func.func(sdy-import-pipeline)"], "pipeline 'sdy-import-pipeline' runs on 'builtin.module'"),
    ],
)
def test_what_makes_no_sense_is_refused(run, flags: list[str], message: str) -> None:
    result = run(PROGRAM, *flags)
    assert result.code == 1
    assert result.out == ""
    assert result.err.startswith("sdy-opt: error: ")
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "flags",
    [
        ["-cse"],
        ["--cse", "--"],
        ["--pass-pipeline", "builtin.module(cse)"],
        ["--pass-pipeline=cse"],
        ["--pass-pipeline=any(cse)"],
        ["--pass-pipeline=builtin.module(func.func(cse))"],
        ["--pass-pipeline=func.func(cse, canonicalize{top-down=false region-simplify=disabled})"],
        ["--canonicalize=top-down"],
        ["--canonicalize=max-iterations=3 enable-patterns= disable-patterns={a,b} test-convergence"],
        ["--cse", "--mlir-disable-threading", "--mlir-print-op-on-diagnostic=false", "--verify-each=0", "--no-verify"],
    ],
)
def test_passes_run_however_they_are_given(run, flags: list[str]) -> None:
    result = run(PROGRAM, *flags)
    assert (result.code, result.err) == (0, "")
    assert PROGRAM.count("arith.constant") == 2
    assert result.out.count("arith.constant") == 1


@pytest.mark.parametrize(("most", "code", "left"), [(0, 0, 2), (1, 1, 0), (2, 0, 1), (-1, 0, 1)])
def test_canonicalization_is_repeated_so_many_times(run, most: int, code: int, left: int) -> None:
    """Whether it has come to an end is seen only when it is repeated once more than it changes something."""
    text = PROGRAM.replace("arith.addf %0, %c", "sdy.reshard %0 <@m, [{?}]>")
    assert text.count("sdy.reshard") == 2
    result = run(text, f"--canonicalize=max-iterations={most} test-convergence")
    assert (result.code, result.out.count("sdy.reshard")) == (code, left)


def test_verification_can_be_turned_off(run) -> None:
    text = 'sdy.mesh @m = <["a"=2]>\nfunc.func @f(%x: i32 {sdy.sharding = #sdy.sharding<@m, [{"z"}]>}) {\n  return\n}\n'
    assert run(text).code == 1
    for flag in ("--no-verify", "--verify-each=false"):
        assert run(text, flag).code == 0


def test_the_pipeline_that_runs_is_shown(run) -> None:
    result = run(PROGRAM, "--pass-pipeline=cse,func.func(canonicalize{top-down=false})", "--dump-pass-pipeline")
    expected = "builtin.module(\n  cse,\n  func.func(canonicalize{top-down=false})\n)\n"
    assert result.err == f"Pass Manager with 2 passes:\n{expected}"


# Input and output ----------------------------------------------------------------------------------


def test_parts_and_their_separators(run) -> None:
    functions = [f"func.func @{name}() {{return}}\n" for name in "abc"]
    text = "{}  // ----- one\n{}// -----\n%\n// -----\n{}".format(*functions)
    result = run(text, "--split-input-file")
    assert result.code == 1
    assert [re.findall("@(.)", part) for part in result.out.split("// -----\n")] == [["a"], ["b"], [], ["c"]]
    assert result.err.startswith("input.mlir:5:1: error: ")
    result = run(
        text.replace("%\n", "").replace("// -----", "// %%"), "--split-input-file=// %%", "--output-split-marker=---"
    )
    assert result.code == 0
    assert [re.findall("@(.)", part) for part in result.out.split("---\n")] == [["a"], ["b"], [], ["c"]]


def test_what_is_almost_a_separator_is_warned_of(run) -> None:
    result = run("func.func @a() {return}\n  // ----\nfunc.func @b() {return}", "--split-input-file")
    assert result.err == "input.mlir:2:3: warning: near miss with file split marker '// -----'\n  // ----\n  ^\n"
    assert "@b" in result.out


def test_a_file_is_written_only_if_all_went_well(run, tmp_path: Path) -> None:
    path = tmp_path / "output.mlir"
    assert run(INVALID, "-o", str(path)).code == 1
    assert not path.exists()
    assert run(PROGRAM, f"-o={path}").code == 0
    assert path.read_text(encoding="utf-8") == run(PROGRAM).out


@pytest.mark.slow
def test_bytecode_of_a_version(run, tmp_path: Path) -> None:
    path = tmp_path / "output.mlirbc"
    assert run(PROGRAM, "--emit-bytecode", "--emit-bytecode-version=3", f"-o={path}").code == 0
    assert main([str(path), f"-o={tmp_path / 'text'}", "--mlir-print-debuginfo"]) == 0
    assert f'loc("{tmp_path}{os.sep}input.mlir":6:8)' in (tmp_path / "text").read_text(encoding="utf-8")
    result = run(PROGRAM, "--emit-bytecode", "--emit-bytecode-version=99")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(
        f"input.mlir:1:1: error: jaxlib {version('jaxlib')} does not write the module: unsupported version requested 99"
    )


@pytest.mark.slow
@pytest.mark.parametrize("text", [PROGRAM, "", "module @m {}", RECURSIVE])
def test_modules_survive_a_round_trip(run, text: str) -> None:
    assert run(text, "--verify-roundtrip") == run(text)


def test_dialects_from_a_file(run, tmp_path: Path) -> None:
    path = tmp_path / "my.irdl.mlir"
    path.write_text(
        "irdl.dialect @my { irdl.operation @op { %0 = irdl.any irdl.operands(x: %0) irdl.results(y: %0) } }",
        encoding="utf-8",
    )
    text = 'func.func @f(%x: i32) -> i32 {\n  %0 = "my.op"(%x) : (i32) -> i32\n  return %0 : i32\n}\n'
    assert run(text).code == 1
    assert run(text, f"--irdl-file={path}").code == 0
    assert run(text.replace("-> i32\n", "-> i64\n"), f"--irdl-file={path}").code == 1
    path.write_text("irdl.dialect @my { irdl.nothing }", encoding="utf-8")
    assert run(text, f"--irdl-file={path}").err == "my.irdl.mlir:1:20: error: custom op 'irdl.nothing' is unknown\n"


TOOL = [sys.executable, "-m", "sdy.tools.sdy_opt"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a shell")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("$TOOL $FILE | head -c 1 >/dev/null", ""),
        ("$TOOL $FILE --mlir-print-ir-before-all --cse 2>&1 >/dev/null | head -c 1 >/dev/null", ""),
        ("$TOOL $FILE >&-", "sdy-opt: error: standard output is closed"),
        ("$TOOL <&-", "sdy-opt: error: standard input is closed"),
        ("$TOOL $FILE --cse --mlir-print-ir-before-all 2>&- >/dev/null", ""),
        ("$TOOL / ", "/: error: Is a directory"),
        ("$TOOL $FILE -o /nowhere/at/all", "/nowhere/at/all: error: No such file or directory"),
    ],
)
def test_files_that_are_closed_or_none(tmp_path: Path, command: str, said: str) -> None:
    (tmp_path / "input.mlir").write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "TOOL": " ".join(TOOL), "FILE": str(tmp_path / "input.mlir")}
    result = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert result.stderr.strip() == said


# How modules are printed ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flag", "lines"),
    [
        (
            "--mlir-print-debuginfo",
            ["%0 = sdy.reshard %arg0 <@m, [{}]> : tensor<8xf32> loc(#loc", '#loc1 = loc("input.mlir":1:1)'],
        ),
        ("--mlir-pretty-debuginfo", ['%0 = sdy.reshard %arg0 <@m, [{}]> : tensor<8xf32> "here"', "} input.mlir:2:1"]),
        ("--mlir-use-nameloc-as-prefix", ["%here = sdy.reshard %arg0 <@m, [{}]>", "arith.addf %here, %weights"]),
        ("--mlir-elide-elementsattrs-if-larger=4", ["arith.constant dense_resource<__elided__> : tensor<8xf32>"]),
        ("--mlir-print-op-generic", ['"sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@m, [{}]>}>']),
        ("--mlir-print-skip-regions", ["module {...}"]),
    ],
)
def test_printing(run, flag: str, lines: list[str]) -> None:
    result = run(PROGRAM, flag)
    assert result.code == 0
    assert [line for line in lines if line not in re.sub(r'[^" ]*/(?=input)', "", result.out)] == []


def test_long_resources_are_left_out(run) -> None:
    text = (
        "module attributes {a.b = dense_resource<r> : tensor<4xi8>} {}\n"
        '{-# dialect_resources: { builtin: { r: "0x0400000001020304" } } #-}\n'
    )
    assert "0x04000000" in run(text).out
    assert "0x04000000" not in run(text, "--mlir-elide-resource-strings-if-larger=4").out


# What passes do ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--cse", "--canonicalize", "--mlir-print-ir-before=canonicalize"], ["Before Canonicalize (canonicalize)"]),
        (
            ["--cse", "--canonicalize", "--mlir-print-ir-after=canonicalize", "--mlir-print-ir-after=cse"],
            ["After Cse (cse)", "After Canonicalize (canonicalize)"],
        ),
        (["--cse", "--canonicalize", "--mlir-print-ir-after-all", "--mlir-print-ir-after-change"], ["After Cse (cse)"]),
        (["--cse", "--canonicalize", "--mlir-print-ir-after-failure"], []),
        (
            ["--pass-pipeline=func.func(cse)", "--mlir-print-ir-before-all", "--mlir-print-ir-module-scope"],
            ["Before Cse (cse) ('func.func' operation: @f)", "Before Cse (cse) ('func.func' operation: @g)"],
        ),
    ],
)
def test_modules_between_passes(run, flags: list[str], expected: list[str]) -> None:
    result = run(PROGRAM, *flags)
    assert dumps(result) == expected
    assert result.err.count("sdy.mesh") == len(expected)


@pytest.mark.parametrize("flag", ["--mlir-print-ir-after-all", "--mlir-print-ir-after-failure"])
def test_the_module_that_a_pass_failed_on(run, flag: str) -> None:
    result = run(RECURSIVE, "--sdy-close-shardings", "--sdy-flatten-call-graph", flag)
    assert result.code == 1
    assert dumps(result)[-1] == "After FlattenCallGraph Failed (sdy-flatten-call-graph)"
    assert len(dumps(result)) == (2 if flag.endswith("all") else 1)


def test_modules_between_passes_in_files(run, tmp_path: Path) -> None:
    pipeline = "--pass-pipeline=func.func(cse,canonicalize),cse"
    result = run(PROGRAM, pipeline, "--mlir-print-ir-before-all", f"--mlir-print-ir-tree-dir={tmp_path}/tree")
    assert result.err == ""
    files = sorted(str(path.relative_to(tmp_path / "tree")) for path in tmp_path.glob("tree/**/*.mlir"))
    module = "builtin_module_no-symbol-name"
    names = ["0_0_cse", "0_1_canonicalize"]
    assert files == [
        f"{module}/1_cse.mlir",
        *(f"{module}/func_func_f/{name}.mlir" for name in names),
        *(f"{module}/func_func_g/{name}.mlir" for name in names),
    ]


def test_times(run) -> None:
    pipeline = "--pass-pipeline=func.func(cse,canonicalize),cse"
    tree = re.findall(r"%\)  (.*)", run(PROGRAM, pipeline, "--mlir-timing").err)
    passes = ["'func.func' Pipeline", "  cse", "  canonicalize", "cse"]
    assert tree == ["Dialects", "Parser", *passes, "Output", "Rest", "Total"]
    listed = re.findall(r"%\)  (.*)", run(PROGRAM, pipeline, "--mlir-timing", "--mlir-timing-display=list").err)
    assert sorted(listed) == sorted({name.strip() for name in tree})
    assert listed[-2:] == ["Rest", "Total"]
    failing = run(RECURSIVE, "--sdy-flatten-call-graph", "--mlir-timing")
    assert failing.code == 1 and "sdy-flatten-call-graph" in re.findall(r"%\)  *(.*)", failing.err)
    report = json.loads(run(PROGRAM, pipeline, "--mlir-timing", "--mlir-output-format=json").err)
    assert [row["name"] for row in report] == [name for name in tree if not name.startswith(" ")]
    assert [row["name"] for row in report[2]["passes"]] == ["cse", "canonicalize"]
    assert report[-1]["wall"]["percentage"] == 100.0


# Expected diagnostics ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "problem"),
    [
        ("// expected-error @+2 {{has 0 operands}}", ""),
        ("//expected-error@+2{{has 0 operands}}  ", ""),
        ("// expected-error @+2 {{has 0 operands}} and more", ""),
        (
            "// expected-error @+2 {{'func.return'}} expected-error @+2 {{enclosing}}",
            'expected error "enclosing" was not',
        ),
        ("// expected-error @+2 1 {{has 0 operands}}", ""),
        ("// expected-error @+2 2 {{has 0 operands}}", 'expected error "has 0 operands" was not produced (1 of 2)'),
        ("// expected-error @+2 0 {{has 0 operands}}", "unexpected error: 'func.return' op has 0"),
        ("// expected-error @+1 {{has 0 operands}}", "unexpected error: 'func.return' op has 0"),
        ("// expected-error-re @+2 {{has {{[[:digit:]]+}} operands, but {{e(n)closing}} f}}", ""),
        (
            "// expected-error-re @+2 {{has {{[a-z]+}} operands}}",
            'expected error "has {{[a-z]+}} operands" was not produced',
        ),
        ("// expected-error-re @+2 {{has {{[}} operands}}", "invalid regex"),
        ("// expected-error-re @+2 {{has {{0 operands}}", "found start of regex with no end"),
        ("// expected-error @+2 {{(@f) returns 1}}", ""),
        ("// expected-warning @+2 {{has 0 operands}}", 'expected warning "has 0 operands" was not produced'),
    ],
)
def test_expected_diagnostics(run, comment: str, problem: str) -> None:
    result = run(f"{comment}\n{INVALID}", "--verify-diagnostics")
    assert result.code == (1 if problem else 0)
    assert problem in result.err
    assert result.out == ""


def test_one_expectation_is_met_by_several_diagnostics(run) -> None:
    text = "// expected-error@+1 {{has 0 operands}}\nfunc.func @a() -> i32 {return} func.func @b() -> i32 {return}\n"
    assert run(text, "--verify-diagnostics").code == 0
    assert run(text.replace(" {{", " 2 {{"), "--verify-diagnostics").code == 0
    assert run(text.replace(" {{", " 1 {{"), "--verify-diagnostics").code == 1


def test_what_has_no_errors_is_printed_all_the_same(run) -> None:
    result = run(PROGRAM, "--verify-diagnostics")
    assert result == run(PROGRAM)
    assert result.code == 0


# Information ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        ("--help", "usage: sdy-opt [FILE]"),
        ("-h", "usage: sdy-opt [FILE]"),
        ("--version", "sdy-opt "),
        ("--list-passes", "canonicalize: "),
        ("-show-dialects", "Available Dialects: "),
    ],
)
def test_information(run, flag: str, said: str) -> None:
    result = run("this is no module", flag)
    assert (result.code, result.err) == (0, "")
    assert said in result.out


OPTIMIZED = '''
import sys
from sdy.passes.registry import find, pass_
from sdy.tools.sdy_opt import main

@pass_("of-the-user")
def function(module):
    """of-the-user: described by the function."""

sys.exit(function.__doc__ is not None or find("of-the-user").summary != "described by the function." or main())
'''


@pytest.mark.slow
@pytest.mark.parametrize("flags", [["--list-passes"], ["--sdy-partition-pipeline"]])
def test_python_may_leave_out_docstrings_and_assertions(run, flags: list[str], tmp_path: Path) -> None:
    text = PROGRAM.replace("@f", "@main")
    script = tmp_path / "script.py"
    script.write_text(OPTIMIZED, encoding="utf-8")
    command = [sys.executable, "-OO", str(script), str(tmp_path / "input.mlir"), *flags]
    expected = run(text, *flags)
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [
        line for line in result.stdout.splitlines() if "of-the-user" not in line and line != "Plugins:"
    ] == expected.out.splitlines()
    assert expected.code == 0 and expected.out


def test_a_caret_stands_below_the_column(run) -> None:
    """In pipes, too, as upstream's tools do; tabs stay, so that the column is the same whatever they are worth."""
    result = run("func.func @f(%x: tensor<8xf32>) {\n\t%0 = stablehlo.nothing %x : tensor<8xf32>\n  return\n}")
    assert result.err.splitlines()[1:] == ["\t%0 = stablehlo.nothing %x : tensor<8xf32>", "\t     ^"]


def test_no_lines_of_other_files_are_shown(run) -> None:
    """A location may name a file of the user's, whose lines the tool has not read."""
    text = 'func.func @f(%x: tensor<8xf32>) -> tensor<4xf32> {\n  return %x : tensor<8xf32> loc("model.py":1:3)\n}'
    result = run(text)
    assert result.code == 1
    assert "^" not in result.err


def test_a_pass_without_a_docstring_says_so(run, tmp_path: Path) -> None:
    plugin = tmp_path / "silent_pass.py"
    plugin.write_text('import sdy\n\n\n@sdy.pass_("my-silent-pass")\ndef silent(module):\n    pass\n')
    expected = "my-silent-pass: (no description: its function has no docstring)"
    assert expected in run("", f"--load-pass-plugin={plugin}", "--list-passes").out
    assert expected in run("", f"--load-pass-plugin={plugin}", "--help=my-silent-pass").out
