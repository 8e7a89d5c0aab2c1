"""The public names of the package: what they are, that they say what they do, and what loading them costs."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import sdy

NAMES = [name for name in sdy.__all__ if not name.startswith("__")]


def _in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_a_listing_has_the_public_names() -> None:
    assert dir(sdy) == sorted([*sdy.__all__, "__doc__", "__name__", "__path__"])
    stub = (Path(sdy.__file__).parent / "__init__.pyi").read_text()
    assert len(NAMES) == stub.count("\nfrom ") > 60
    assert sdy.__version__


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_does(name: str) -> None:
    public = getattr(sdy, name)
    if name in ("ir", "ext"):
        return  # upstream's
    assert public.__doc__ and public.__doc__.strip()
    if inspect.isclass(public) or inspect.isfunction(public):
        assert not public.__doc__.startswith(f"{name}("), "what a data class has without a docstring"


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("export_shardings", "ValueError"),
        ("load_irdl_file", "DiagnosticError"),
        ("parse", "DiagnosticError OSError TypeError ValueError"),
        ("partition", "DiagnosticError"),
        ("run", "DiagnosticError InternalError PipelineError TypeError"),
        ("run_pipeline", "PipelineError"),
        ("verify_module", "DiagnosticError"),
    ],
)
def test_says_which_errors_it_raises(name: str, errors: str) -> None:
    raised = inspect.getdoc(getattr(sdy, name)) or ""
    assert [error for error in errors.split() if error not in raised.partition("Raises")[2]] == []


def test_the_examples_use_public_names() -> None:
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
    examples = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    imported = re.findall(r"^(?:from|import) (sdy[\w.]*)", examples, re.MULTILINE)
    assert len(imported) > 5
    assert set(imported) <= {"sdy", *(f"sdy.{name}" for name in NAMES if isinstance(getattr(sdy, name), ModuleType))}


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'sdy' has no attribute 'shard_everything'"):
        sdy.shard_everything  # pyright: ignore[reportAttributeAccessIssue]  # noqa: B018


def test_nothing_is_loaded_before_it_is_used() -> None:
    loaded = "[name for name in sys.modules if name.partition('.')[0] in ('jax', 'mlir', 'numpy', 'torch_mlir')]"
    code = f"import sys, time; import sdy; print(time.process_time(), {loaded}, sys.modules.keys() >= {{'sdy.mlir'}})"
    seconds, _, rest = _in_a_new_process(code).partition(" ")
    assert rest == "[] False"
    assert float(seconds) < 0.3


@pytest.mark.slow
def test_names_come_before_modules_of_the_same_name() -> None:
    assert not isinstance(sdy.partition, ModuleType)
    code = "import sdy.partition, sdy; from sdy.partition import partition; print(callable(sdy.partition))"
    assert _in_a_new_process(code) == "True"
    assert _in_a_new_process("import sdy; print(sdy.jax.jit.__module__)") == "sdy.jax.jitted"
