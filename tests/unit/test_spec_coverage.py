"""What there is of ops, attributes, rules and passes is in the documents of docs/spec."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from sdy.dialect.definition.dialect import Sdy
from sdy.dialect.definition.op_declarations import OPS
from sdy.dialect.ops import rules as registry
from sdy.passes.registry import passes, pipelines
from sdy.stablehlo.declarations import declared_ops
from tests.parity.without_peer import WITHOUT_PEER

SPEC = Path(__file__).parents[2] / "docs" / "spec"


@cache
def words(document: str) -> frozenset[str]:
    """The names in a document: words with what joins them, and the parts of those with dots."""
    found = re.findall(r"[\w.-]+", (SPEC / f"{document}.md").read_text())
    return frozenset(part for word in found for part in (word.strip("."), *word.split(".")))


def missing(names: set[str], *documents: str) -> list[str]:
    written = frozenset().union(*map(words, documents))
    return sorted(name for name in names if name not in written and name.rpartition(".")[2] not in written)


def test_ops_and_attributes_of_the_dialect() -> None:
    attributes = {str(attribute.attr_name).removeprefix("sdy.") for attribute in Sdy.attributes}
    assert len(attributes) > 15
    assert missing({*OPS, *attributes}, "dialect") == []


def test_rules() -> None:
    assert missing({target or op for op, target in registry.ruled_ops()}, "sharding-rules") == []


@pytest.mark.parametrize("document", ["sharding-rules", "type-inference"])
def test_ops_of_stablehlo(document: str) -> None:
    ops = {op for op in declared_ops() if op.startswith("stablehlo.")}
    assert len(ops) > 100
    assert missing(ops, document) == []


def test_passes_that_the_reference_has() -> None:
    documents = [path.stem for path in SPEC.glob("*.md")]
    assert missing({*passes(), *pipelines()} - set(WITHOUT_PEER), *documents) == []


def test_passes_on_overlap_and_interchange() -> None:
    rooms = {name: one.run.__module__.split(".")[2] for name, one in passes().items()}
    assert missing({name for name, room in rooms.items() if room == "overlap"}, "async") == []
    assert missing({name for name, room in rooms.items() if room == "interchange"}, "interchange") == []
