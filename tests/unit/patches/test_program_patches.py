"""`sdy.patch` of programs of this repository without their shardings: applied by git, plain `jax.jit` has them again.

Each program is lowered from a copy of the sources, in a process of its own.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sdy
from tests import depth
from tests.unit.patches.test_patches import git, shardings

ROOT = Path(__file__).parents[3]

NAMES = ["adam_zero", "cnn", "decode", "gnn", "gqa_decode", "lstm", "mlp_fsdp", "moe", "sort_topk", "transformer_2"]
NAMES += [
    "unet",
    "while_cond",
    "vision_transformer",
    "shard_map_partial",
    "decode_with_cache",
    "gpt_fsdp_unconstrained",
]
NAMES += ["mamba_scan", "mixtral_einsum", "paged_attention", "resnet", "token_shift"]

MACHINE = "generic flops=1e9 memory_bandwidth=1e9 bandwidth=1e11 latency=1e-7"
"""So slow that small programs are worth to be partitioned."""

RUN = """
import json, sys
from benchmarks.programs.registry import load
lowered = load()[sys.argv[1]]()
import sdy
from tests.unit.patches.test_program_patches import MACHINE
from tests.unit.patches.test_patches import shardings
if len(sys.argv) > 2:
    to = open(sys.argv[2]).read() if sys.argv[2] != "plan" else sdy.auto.partition(
        lowered, {"data": 4, "model": 2}, MACHINE, annotate="arguments")
    found = sdy.patch(lowered, to)
    found.save("shardings.diff")
    print(json.dumps([list(found.notes), getattr(to, "text", "")]))
else:
    print(json.dumps([lowered.as_text(debug_info=True), shardings(sdy.parse(lowered.as_text())),
                      sdy.communication(lowered).bytes_sent]))
"""


def run(folder: Path, *arguments: str) -> Any:
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=8", "PYTHONPATH": str(folder)}
    found = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not found.returncode, found.stderr
    return json.loads(found.stdout)


def without_shardings(text: str) -> str:
    """Take `in_shardings` and `out_shardings` out of the calls of jit."""
    lines = text.splitlines(keepends=True)
    begins = [sum(map(len, lines[:at])) for at in range(len(lines) + 1)]
    keywords = [
        keyword
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "jit"
        for keyword in node.keywords
        if keyword.arg in ("in_shardings", "out_shardings")
    ]
    for keyword in sorted(keywords, key=lambda each: (-each.lineno, -each.col_offset)):
        end = begins[(keyword.value.end_lineno or 1) - 1] + (keyword.value.end_col_offset or 0)
        before = text[: begins[keyword.lineno - 1] + keyword.col_offset].rstrip().removesuffix(",")
        text = before + text[end:]
    return text


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the sources, sharded at first."""
    folder = tmp_path_factory.mktemp("programs")
    for name in ("tests", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "-q", ".")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=x", "-c", "user.email=x@y.example", "commit", "-qm", "sources")
    return folder


@pytest.mark.parametrize("name", NAMES if depth.ALL else ["mlp_fsdp"])
def test_a_program(name: str, copy: Path) -> None:
    """The shardings that were there, and then those of a plan: the same arguments and results, the same bytes.

    A plan may be the program as it stands: then there is nothing to write.
    """
    git(copy, "checkout", "-q", ".")
    text, *written = run(copy, name)
    (copy / "wanted.mlir").write_text(text)
    for path in (*copy.glob("tests/data/programs/*.py"), *copy.glob("benchmarks/programs/*.py")):
        path.write_text(without_shardings(path.read_text()))
    for to in ("wanted.mlir", "plan") if depth.ALL else ("plan",):
        (notes, plan) = run(copy, name, to)
        assert all("jits what it is given, here with the shardings of" in note for note in notes)
        is_written = to != "plan" or bool((copy / "shardings.diff").read_text())
        if is_written:
            git(copy, "apply", "shardings.diff")
        if to == "plan":
            options = sdy.PartitionOptions(embedded=True)
            written = [shardings(sdy.parse(plan)), sdy.communication(plan, options=options).bytes_sent]
        assert run(copy, name)[1:] == written
        if is_written:
            git(copy, "apply", "-R", "shardings.diff")
