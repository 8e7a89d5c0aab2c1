"""Whatever form a module is written in, the same module is read back."""

from __future__ import annotations

import random

import pytest

import sdy
from sdy.dialect.assembly import PrintOptions, parse_module
from sdy.dialect.diagnostics import DiagnosticErrors
from sdy.tools.bytecode import read_bytecode, write_bytecode
from tests.depth import seeds
from tests.generators.dialect_modules import valid
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.generators.spellings import respelled

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


def _check(text: str) -> None:
    context = sdy.make_context(allow_unregistered_dialects=True)
    module = parse_module(text, context)
    printed = {name: sdy.print_module(module, options) for name, options in _FORMS.items()}
    written = {**printed, "bytecode": read_bytecode(write_bytecode(module))}
    for name, form in written.items():
        again = parse_module(form, context)
        assert sdy.print_module(again, _PRETTY) == printed["pretty"], name
        assert sdy.print_module(again, _GENERIC) == printed["generic"], name
        if name in ("locations", "generic with locations", "local scope", "bytecode"):
            assert sdy.print_module(again, _FORMS["local scope"]) == printed["local scope"], name


@pytest.mark.parametrize("number", range(len(valid())))
def test_written_modules(number: int) -> None:
    _check(valid()[number])


@pytest.mark.parametrize("seed", seeds(30, 1000))
def test_other_spellings_and_random_programs(seed: int) -> None:
    rng = random.Random(seed)
    text = rng.choice(valid()) if seed % 2 else generate(rng, _PROGRAMS)
    try:
        parse_module(text := respelled(text, rng), sdy.make_context(allow_unregistered_dialects=True))
    except DiagnosticErrors:
        pytest.skip("a spelling that is not valid")
    _check(text)
