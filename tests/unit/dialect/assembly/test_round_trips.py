"""Whatever form a module is written in, the same module is read back."""

from __future__ import annotations

import random

import pytest

import sdy
from sdy.dialect.assembly import PrintOptions, parse_module
from sdy.mlir.diagnostics import DiagnosticErrors
from sdy.programs.bytecode import bytecode_for_copies, read_bytecode
from tests.depth import ALL, seeds
from tests.generators.dialect_modules import WRITTEN, valid
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.generators.spellings import respelled

pytestmark = pytest.mark.slow


_PROGRAMS = Features(maximal=True, maximal_arguments=True, inlined=True, unreduced=True, dynamic=True)
_PRETTY = PrintOptions()
_GENERIC = PrintOptions(generic=True)
_FORMS = {
    "pretty": _PRETTY,
    "generic": _GENERIC,
    "locations": PrintOptions(debug_info=True),
    "generic with locations": PrintOptions(generic=True, debug_info=True),
    "local scope": PrintOptions(debug_info=True, local_scope=True),
}


def _check(text: str) -> bool:
    """Checks all forms of `text`; False if it is no module, or has what the reference prints but does not read."""
    if "#sdy<edge_value_ref" in text or "#sdy<dim_mapping" in text:
        return False
    context = sdy.make_context(allow_unregistered_dialects=True)
    try:
        module = parse_module(text, context)
    except DiagnosticErrors:
        return False
    printed = {name: sdy.print_module(module, options) for name, options in _FORMS.items()}
    written = {**printed, "bytecode": read_bytecode(bytecode_for_copies(module))}
    for name, form in written.items():
        again = parse_module(form, context)
        assert sdy.print_module(again, _PRETTY) == printed["pretty"], name
        assert sdy.print_module(again, _GENERIC) == printed["generic"], name
        if name not in ("pretty", "generic"):
            assert sdy.print_module(again, _FORMS["local scope"]) == printed["local scope"], name
    return True


@pytest.mark.parametrize("text", WRITTEN)
def test_written_modules(text: str) -> None:
    assert _check(text)


def test_modules_of_lit_tests() -> None:
    modules = valid()[:: 1 if ALL else 50]
    assert sum(map(_check, modules)) >= len(modules) * 0.9


@pytest.mark.parametrize("seed", seeds(14, 1000))
def test_other_spellings_and_random_programs(seed: int) -> None:
    rng = random.Random(seed)
    text = generate(rng, _PROGRAMS) if seed % 2 else rng.choice(valid())
    if not _check(respelled(text, rng)):
        pytest.skip("a spelling that is not valid")
