"""On real programs, lowered by JAX, the pipelines do what the reference's do."""

import difflib

import pytest

from tests import depth, oracle
from tests.data.generate import names, program
from tests.oracle import requires_reference
from tests.parity.cases import Case
from tests.parity.compare import difference, ours

LARGE = {"transformer_24", "transformer_96", "transformer_96_functions"}

IMPORTED = ("sdy-import-pipeline", "sdy-apply-sharding-constraints", "sdy-sharding-group-import")
PROPAGATED = (*IMPORTED, "sdy-user-priority-propagate{keep-sharding-rules=true}")
CONSERVATIVE = "sdy-user-priority-propagate{propagation-strategy=basic conservative-propagation=true}"

PIPELINES = {
    "import": Case("sdy-import-pipeline"),
    "basic": Case("sdy-basic-propagate", IMPORTED),
    "aggressive": Case("sdy-aggressive-propagate{propagation-strategy=basic-then-aggressive}", IMPORTED),
    "op-priority": Case("sdy-op-priority-propagate{keep-sharding-rules=true}", IMPORTED),
    "conservative": Case(CONSERVATIVE, IMPORTED),
    "propagation": Case("sdy-propagation-pipeline"),
    "dedup": Case("sdy-propagation-pipeline{dedup-functions-fully=true}"),
    "export": Case("sdy-export-pipeline", PROPAGATED),
    "partitioned": Case(
        "sdy-export-pipeline{partitioner-stage=convert-global-to-local}", ("sdy-propagation-pipeline",)
    ),
}
"""What is compared, by a short name."""

PROGRAMS = [name for name in names() if depth.ALL or name not in LARGE] if oracle.available else []


@requires_reference
@pytest.mark.parametrize("name", PROGRAMS)
def test_printed_text_is_the_references(name: str) -> None:
    assert oracle.reference_print(ours.run(program(name))) == oracle.reference_print(program(name))


@requires_reference
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_equals_reference(name: str, pipeline: str) -> None:
    case = PIPELINES[pipeline]
    found = difference(case, oracle.reference(program(name), *case.prepare))
    if found is not None:
        expected, got = found.expected.splitlines(), found.got.splitlines()
        lines = [line[:300] for line in difflib.unified_diff(expected, got, "reference", "ours", n=2, lineterm="")]
        rest = f"\n... and {len(lines) - 80} more lines" if len(lines) > 80 else ""
        pytest.fail(f"{name}, {case.title}: differs\n" + "\n".join(lines[:80]) + rest, pytrace=False)
