"""`check`: all rules on a module."""

from __future__ import annotations

from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.rules.bundle_rules import check_bundles, check_links, check_order
from sdy.hlo_text.rules.checked import Checked, Problem, Rules
from sdy.hlo_text.rules.operation_rules import check_natives, check_wrapped, check_writes


def check(module: HloModule, rules: Rules = Rules.STRICT) -> list[Problem]:
    """Return the problems of the asynchronous operations of a module, in text order.

    Args:
      module: the module to check.
      rules: `STRICT` are those of XLA's document on asynchronous instructions, `XLA` those that XLA's verifier keeps.
    """
    checked = Checked(module, rules)
    check_order(checked)
    if checked.problems:
        return checked.problems  # nothing can be followed
    check_bundles(checked)
    check_links(checked)
    check_wrapped(checked)
    check_natives(checked)
    if checked.is_strict:
        check_writes(checked)
    order = {
        (computation.name, each.name): position
        for computation in module.computations
        for position, each in enumerate(computation.instructions)
    }
    computations = {computation.name: position for position, computation in enumerate(module.computations)}
    return sorted(
        checked.problems,
        key=lambda each: (computations[each.computation], order[each.computation, each.instruction], each.number),
    )
