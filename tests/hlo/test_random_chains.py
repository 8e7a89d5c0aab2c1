"""Random chains: both forms say the same, and the rules of XLA are those that XLA keeps (spec: async, A3)."""

from __future__ import annotations

import re
from functools import cache

from sdy import hlo_text
from sdy.hlo_text import HloModule, HloSyntaxError, parse
from sdy.tools.hlo.verdicts import Verdicts
from tests import depth, oracle
from tests.hlo.random_chains import defect, merged_modules, random_module

NONE_TO_XLA = ("two operations", "root is a parameter", "other done", "send")
"""Its verifier takes any root, and does not look into computations of other threads."""

TOGETHER = 20
"""So many valid modules are verified as one."""


def unnumbered(text: str) -> str:
    """The text without the numbers that XLA adds to names."""
    return re.sub(r"\.\d+\b", "", text)


@cache
def read(seed: int) -> HloModule | None:
    """A random module if it obeys XLA's rules; the tests share what was read."""
    try:
        module = parse(random_module(seed))
    except HloSyntaxError:
        return None
    return None if hlo_text.check(module, hlo_text.XLA) else module


def test_both_forms_say_the_same() -> None:
    valid = 0
    for seed in depth.seeds(200, 5_000):
        module = read(seed)
        assert module is not None or defect(seed), f"seed {seed}"
        assert module is None or defect(seed) in ("", *NONE_TO_XLA), f"seed {seed}"
        if module is None:
            continue
        valid += 1
        for sugar in (True, False):
            printed = module.text(sugar=sugar)
            again = parse(printed)
            assert hlo_text.equivalent(again, module), f"seed {seed}"
            assert again.text(sugar=sugar) == printed, f"seed {seed}"
        plain = hlo_text.synchronous(module)
        assert "async-" not in plain.text(sugar=False) and not plain.text().count("-start("), f"seed {seed}"
        assert parse(plain.text()) == plain, f"seed {seed}"
    assert valid > 50 or len(depth.seeds(200, 5_000)) == 1


def test_wrapping_is_undone_by_making_synchronous() -> None:
    for seed in depth.seeds(40, 1_000):
        module = read(seed)
        if module is None:
            continue
        plain = hlo_text.synchronous(module)
        entry = plain.entry_computation
        for each in entry.instructions:
            if each.opcode not in ("parameter", "constant"):
                wrapped = hlo_text.wrap(plain, each.name, updates=seed % 3, computation=entry.name)
                assert hlo_text.check(wrapped, hlo_text.XLA) == [], f"seed {seed}"
                assert hlo_text.synchronous(parse(wrapped.text())) == plain, f"seed {seed}"


@oracle.requires_reference
def test_xla_keeps_the_same_rules(xla: Verdicts) -> None:
    """Its verifier, which takes long, is asked about each module that breaks a rule, and about many others at once."""
    valid: list[int] = []
    for seed in depth.seeds(200, 5_000):
        module = read(seed)
        verdict = xla.of(random_module(seed), verify=module is None)
        if module is None:
            assert verdict.is_valid is False, f"seed {seed}, {defect(seed)}: {verdict}"
            continue
        valid.append(seed)
        for printed in (module.text(), module.text(sugar=False)):
            again = xla.of(printed, verify=False)
            assert unnumbered(again.printed) == unnumbered(verdict.printed), f"seed {seed}"
        plain = hlo_text.synchronous(module).text()
        assert xla.of(plain, verify=False).is_read, f"seed {seed}"
    for start in range(0, len(valid), TOGETHER):
        seeds = valid[start : start + TOGETHER]
        verdict = xla.of(merged_modules(seeds))
        assert verdict.is_valid, f"{verdict}, of one of {seeds}: {list(map(str, xla.each(map(random_module, seeds))))}"
