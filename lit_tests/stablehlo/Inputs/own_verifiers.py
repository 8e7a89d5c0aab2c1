"""The pass `verify-by-sdy`, which verifies ops of StableHLO and CHLO by the verifiers of sdy alone.

The input has `"unchecked.` and `"uchk.` in place of `"stablehlo.` and `"chlo.`, as the registered dialect verifies ops
where they are parsed.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3]))

import sdy
from sdy.mlir.diagnostics import Diagnostic, DiagnosticErrors, Severity, position_of
from tests.unverified import refusals, restore


@sdy.pass_("verify-by-sdy")
def verify_by_sdy(module):
    """verify-by-sdy: restores the ops of StableHLO and CHLO and verifies them by sdy."""
    restore(module)
    errors = [Diagnostic(Severity.ERROR, position_of(op.location), str(error)) for op, error in refusals(module)]
    if errors:
        raise DiagnosticErrors(errors)
