"""Sharding texts that are damaged, in modules: imported whole, or refused where they stand."""

from __future__ import annotations

import random

import pytest

import sdy
from sdy.dialect.sharding_text.forms import Named, Several, Tiles, Whole
from sdy.dialect.sharding_text.lexer import ShardingTextError
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.mlir.diagnostics import DiagnosticError
from tests.depth import ALL, seeds
from tests.generators.sharding_texts import damaged, random_leaf

PER_SEED = 240 if ALL else 60
"""One in six of them is left as it is."""

ARGUMENT, OP, CONSTRAINT = range(3)
"""Where the text stands, in this order, each on a line of its own."""


@pytest.mark.parametrize("seed", seeds(1, 25))
def test_damaged_texts_in_modules(seed: int) -> None:
    rng = random.Random(seed)
    refused, context = 0, sdy.make_context()
    for number in range(PER_SEED):
        leaf = random_leaf(rng)
        place, text = rng.randrange(3), damaged(rng, leaf) if number % 6 else leaf
        module = sdy.parse(module_with(text, place, rank(leaf)), "given.mlir", context)
        try:
            sdy.run(module, "sdy-import-foreign-shardings")
        except DiagnosticError as error:
            refused += 1
            for diagnostic in error.diagnostics:
                # What is wrong with the module as a whole is said at its beginning.
                assert diagnostic.position.line in (1, place + 2), (text, str(error))
                assert diagnostic.position.file == "given.mlir", (text, str(error))
        else:
            assert_nothing_dropped(text, sdy.print_module(module))
    assert 0 < refused < PER_SEED


def assert_nothing_dropped(text: str, imported: str) -> None:
    """A text that cuts a value has become a sharding."""
    found = read(text)
    (leaf,) = found.leaves if isinstance(found, Several) else (found,)
    # That a value is replicated, in a module that says nothing else, is no reason to import anything.
    assert "mhlo.sharding" not in imported or (isinstance(leaf, Whole) and leaf.word in ("", "replicated")), text
    if (isinstance(leaf, Tiles) and leaf.num_devices > 1) or (isinstance(leaf, Named) and leaf.mesh.axes):
        assert "sdy.mesh @" in imported, text
        assert "<@mesh, [" in imported, text


def rank(text: str) -> int:
    """That of a value which the sharding suits, if it is one."""
    try:
        found = read(text)
    except ShardingTextError:
        return 1
    if isinstance(found, Tiles):
        return found.rank
    return found.sharding.rank if isinstance(found, Named) else 1


def module_with(text: str, place: int, rank: int) -> str:
    """A module with the text in one of three places: an argument, an op, a constraint."""
    escaped = text.replace("\\", "\\\\").replace('"', r"\22")
    given = [f'{{mhlo.sharding = "{escaped}"}}' if place == each else "" for each in range(3)]
    type_ = f"tensor<{'24x' * rank}f32>"
    constraint = (
        f"stablehlo.custom_call @Sharding(%0) {given[CONSTRAINT]}" if given[CONSTRAINT] else "stablehlo.cosine %0"
    )
    kind = f"({type_}) -> {type_}" if given[CONSTRAINT] else type_
    return f"""module {{
func.func @main(%x: {type_} {given[ARGUMENT]}) -> {type_} {{
%0 = stablehlo.sine %x {given[OP]} : {type_}
%1 = {constraint} : {kind}
return %1 : {type_}
}}
}}"""
