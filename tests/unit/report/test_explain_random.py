"""On random programs an explanation names the origins that propagation records with `debug-sharding-origins`.

An explanation follows the axis that is there in the end to where it was given. The passes keep the first origin of an
axis of a value, and let constraints, computations and results claim what the values that they use have already. Where
that makes a difference they part, which is rare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

import sdy
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import pre_order
from sdy.report.explanation import AxisOrigin, Explanation, OriginKind
from tests.depth import seeds
from tests.generators.features import Features
from tests.generators.programs import generate

pytestmark = pytest.mark.slow


FEATURES = replace(
    Features(),
    annotated=0.0,
    calls=False,
    groups=False,
    named=False,
    several_meshes=False,
    size_one_axes=False,
    priorities=False,
)
RECORDING = (
    "sdy-apply-sharding-constraints{debug-sharding-origins=true}",
    "sdy-user-priority-propagate{debug-sharding-origins=true}",
)
ORIGINS = "sdy.sharding_origins"


@dataclass(frozen=True)
class Recorded:
    """The origins of the axes of one value; `own` is what the value itself is called among origins."""

    name: str
    origins: dict[str, str]


def recorded(module: Any) -> Iterator[Recorded]:
    """The values of the main function that have origins, by their names in the printed module."""
    state = ir.AsmState(module.operation)
    for op in pre_order(module.operation):
        if op.name == "func.func":
            entries = op.attributes.get("arg_attrs", [])
            for argument, entry in zip(op.regions[0].blocks[0].arguments, entries, strict=False):
                if ORIGINS in entry:
                    yield Recorded(argument.get_name(state), _origins(entry[ORIGINS]))
        elif ORIGINS in op.attributes:
            stored = op.attributes[ORIGINS]
            per_result = [stored] if isinstance(stored, ir.DictAttr) else list(stored)
            for result, origins in zip(op.results, per_result, strict=True):
                yield Recorded(result.get_name(state), _origins(origins))


def _origins(stored: Any) -> dict[str, str]:
    return {named.name: ir.StringAttr(named.attr).value for named in stored}


def expected_places(module: Any) -> dict[str, tuple[OriginKind, str]]:
    """What an explanation calls each origin that has a name of its own: its kind, and the line it stands in."""
    places = {}
    for op in pre_order(module.operation):
        if "sdy.sharding_origin_name" in op.attributes:
            name = ir.StringAttr(op.attributes["sdy.sharding_origin_name"]).value
            kind = OriginKind.CONSTRAINT if name.startswith("constraint") else OriginKind.MANUAL_COMPUTATION
            places[name] = (kind, _line(str(op.location)))
    return places


def _line(location: str) -> str:
    found = re.search(r":(\d+):\d+", location)
    return found[1] if found else ""


def agrees(origin: AxisOrigin, name: str, places: dict[str, tuple[OriginKind, str]]) -> bool:
    kind, _, index = name.partition(": ")
    if not origin.hops:
        # What a value has itself is recorded as that of the constraint or computation that uses it, if there is one.
        return name == "self" or name.startswith(("constraint", "mc"))
    if kind in ("input", "output"):
        wanted = OriginKind.ARGUMENT if kind == "input" else OriginKind.RESULT
        what = f"{'argument' if kind == 'input' else 'result'} {index} of @main"
        return origin.kind is wanted and origin.origin is not None and origin.origin.what == what
    where = name if name in places else kind.rpartition("_")[0]
    return (origin.kind, _line(origin.origin.location if origin.origin else "")) == places.get(where)


def compare(text: str, context: Any) -> Counter[bool]:
    """How many axes have the recorded origin, and how many another one; none of a program that is refused."""
    module = sdy.parse(text, "p.mlir", context)
    sdy.run(module, "sdy-import-pipeline,trivial-dce")
    imported = sdy.print_module(module)
    module = sdy.parse(imported, "p.mlir", context)
    try:
        explained = {one.name: one for one in sdy.explain(module, filename="p.mlir")}
    except DiagnosticError as refused:
        assert "has an effect, and is in a region that is not manual" in str(refused)
        return Counter()
    sdy.run(module, *RECORDING, verify=False)  # what shardings make of each other may be invalid
    places, found = expected_places(module), Counter[bool]()
    names = _names_before(imported, sdy.print_module(module))
    for one in recorded(module):
        explanation = explained.get(names.get(one.name, ""))
        found += _compare_value(explanation, one, places) if explanation else Counter()
    return found


def _names_before(before: str, after: str) -> dict[str, str]:
    """Names in one module by those in the other; nothing if they are not the same ops."""
    defined = re.compile(r"^ *(%[\w]+)(?::\d+)? = \"?([\w.]+)", re.MULTILINE)
    old, new = defined.findall(before), defined.findall(after)
    if [op for _, op in old] != [op for _, op in new]:
        return {}
    bases = {b: a for (a, _), (b, _) in zip(old, new, strict=True)}
    bases |= {name: name for name in re.findall(r"%arg\d+", before)}
    return bases | {f"{b}#{k}": f"{a}#{k}" for b, a in bases.items() for k in range(8)}


def _compare_value(
    explanation: Explanation, value: Recorded, places: dict[str, tuple[OriginKind, str]]
) -> Counter[bool]:
    found = Counter[bool]()
    for origin in explanation.axes:
        name = value.origins.get(str(origin.axis).replace('"', ""))
        # The passes do not record what came from the attribute of an op, such as a reshard's.
        if name is not None and origin.kind is not OriginKind.ATTRIBUTE:
            found[agrees(origin, name, places)] += 1
    return found


def test_origins_are_those_that_are_recorded() -> None:
    found = Counter[bool]()
    context = sdy.make_context()
    for seed in seeds(100, 3_000):
        found += compare(generate(seed, FEATURES), context)
    assert found[True] > 100
    assert found[False] <= found[True] // 40, found
