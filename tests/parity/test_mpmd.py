"""The reference reads, refuses and prints programs of several meshes as we do, and brings them to canonical form."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import sdy
from sdy.dialect.assembly import PrintOptions, print_module
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.manager import check
from sdy.programs.parsing import parse_in_lean
from tests import oracle
from tests.depth import seeds
from tests.generators.mutations import mutated
from tests.oracle import requires_reference

LIT_TESTS = Path(__file__).parents[2] / "lit_tests" / "mpmd"
PROGRAMS = [path.read_text() for path in (LIT_TESTS / "dialect.mlir", LIT_TESTS / "canonicalization.mlir")]
INVALID = LIT_TESTS.joinpath("invalid.mlir").read_text().split("// -----\n")

_ONLY_OURS = re.compile(r"has \d+ (?:operand|result)s, but its callee has|occurs twice in the topology")
"""Diagnostics for what the reference does not notice, or what ends its process (docs/spec/mpmd.md, 1)."""

_PART = 100


def unnamed(text: str) -> str:
    """A printed module without names of values, of which the reference calls one `%index`, and trailing blanks."""
    lines = re.sub(r"%\w+", "%", text.strip()).split("\n")
    return "\n".join(line.rstrip() for line in lines)


def same(got: str, wanted: str) -> bool:
    """Return whether two texts are the same, and values in them."""
    return unnamed(got) == unnamed(wanted) and print_module(sdy.parse(got)) == print_module(sdy.parse(wanted))


def ours(text: str) -> tuple[str, str] | str:
    """The module in both forms, or what is wrong with it."""
    try:
        module = parse_in_lean(text)
        check(module.operation)
    except DiagnosticError as error:
        return str(error)
    return print_module(module), print_module(module, PrintOptions(generic=True))


def difference(text: str) -> str | None:
    """What differs between the reference and us, None if nothing does."""
    found = ours(text)
    try:
        expected = (
            oracle.reference_print(text),
            oracle.reference_generic(text),
        )
    except oracle.ReferenceCrashed:
        return None
    except oracle.ReferenceFailed as error:
        return None if isinstance(found, str) else f"refused by the reference: {error}"
    if isinstance(found, str):
        return None if _ONLY_OURS.search(found) else f"refused by us: {found}"
    for got, wanted in zip(found, expected, strict=True):
        if not same(got, wanted):
            return f"{got}\n-- the reference --\n{wanted}"
    return None


@requires_reference
@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_are_printed_alike(text: str) -> None:
    assert isinstance(ours(text), tuple)
    assert difference(text) is None


@requires_reference
def test_what_is_invalid_is_refused_by_both() -> None:
    assert len(INVALID) > 60
    for text in INVALID:
        assert isinstance(ours(text), str), text
        assert difference(text) is None, text


@requires_reference
def test_canonical_forms_are_alike() -> None:
    for text in PROGRAMS:
        module = sdy.parse(text)
        sdy.run(module, "canonicalize")
        assert same(print_module(module), oracle.reference(text, "canonicalize"))


@requires_reference
@pytest.mark.parametrize(
    "part", [seeds(50, 2000)[i : i + _PART] for i in range(0, len(seeds(50, 2000)), _PART)], ids=str
)
def test_damaged_programs_are_refused_by_both_or_neither(part: range) -> None:
    for seed in part:
        rng = random.Random(seed)
        text = mutated(rng.choice(PROGRAMS).partition("// CHECK")[0], rng, rng.choice([1, 1, 2]))
        found = difference(text)
        assert found is None, f"seed {seed}\n{text}\n{found}"
