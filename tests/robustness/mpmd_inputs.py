"""Programs of several meshes, damaged, and passes with right and wrong options to run on them."""

from __future__ import annotations

import dataclasses
import random
import re
from functools import cache
from pathlib import Path

from sdy.passes import registry
from tests.generators.mpmd_fragments import Options, fragment_program
from tests.generators.mpmd_graphs import generate
from tests.robustness.damage import damaged
from tests.robustness.worker import Run

_LIT_TESTS = Path(__file__).parents[2] / "lit_tests"
_WORDS = (
    *(
        "f@m1",
        "f@m1/2",
        "n0@m1,n1@m2",
        "f@",
        "@m1",
        "f@m1/x",
        "0@m1",
        "0@m1#pinned_host",
        "9@m1",
        "-1@m1",
        "0:0",
        "0:9",
    ),
    *(
        "1F1B",
        "GPipe",
        "Circular",
        "ParallelPipelinesWithWrapAround",
        "nothing",
        "true",
        "false",
        "0",
        "-1",
        "5",
        "1e9",
    ),
    *("", ",", "a b", '"', "{", 'FragmentInfo(origins=["f"])', "FragmentMergeRule(sources=[],target=)"),
    'FragmentScheduleRule(ordered_fragments=[FragmentInfo(origins=["f"],mesh_name="m1")->FragmentInfo(origins=["g"])])',
    'FragmentMergeRule(sources=[FragmentInfo(origins=["f"],mesh_name="m1")],target=FragmentInfo(origins=["h"]))',
)
"""Values of options, fitting ones among them."""


def damaged_mpmd_run(seed: int) -> tuple[bytes, Run]:
    """A program, mostly damaged but in few places, and up to three passes with options."""
    rng = random.Random(f"mpmd {seed}")
    text = _program(rng)
    data = damaged(text, rng, light=True) if rng.random() < 0.8 else text.encode()
    steps = [_step(rng) for _ in range(rng.randint(1, 3))]
    return data, Run(",".join(steps), verify=rng.random() < 0.5, allow_unregistered=rng.random() < 0.2)


def _program(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(_lit_programs())
    if kind < 0.8:
        return generate(rng.randrange(1000)).text
    chosen = [rng.random() < 0.5 for _ in range(3)]
    return fragment_program(rng.randrange(1000), Options(("m1", "m2", "m3"), 6, *chosen))


@cache
def _lit_programs() -> list[str]:
    texts = [
        path.read_text() for folder in ("mpmd", "passes/mpmd") for path in sorted((_LIT_TESTS / folder).glob("*.mlir"))
    ]
    return [re.sub(r"^//.*\n", "", part, flags=re.MULTILINE) for text in texts for part in text.split("// -----\n")]


@cache
def _runnable() -> list[tuple[str, list[str]]]:
    """Names of passes and pipelines, and of their options."""
    listed = {**registry.passes(), **registry.pipelines()}
    return [
        (name, [] if one.options is None else [each.name.replace("_", "-") for each in dataclasses.fields(one.options)])
        for name, one in sorted(listed.items())
        if name.startswith(("mpmd-", "stablehlo-"))
    ]


def _step(rng: random.Random) -> str:
    name, options = rng.choice(_runnable())
    if not options or rng.random() < 0.3:
        return name
    chosen = rng.sample([*options, "no-such-option"], rng.randint(1, min(2, len(options) + 1)))
    return f"{name}{{{' '.join(f'{option}={rng.choice(_WORDS)}' for option in chosen if 'dump' not in option)}}}"
