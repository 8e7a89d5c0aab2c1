"""HLO from and to MLIR, with errors as the tool reports them."""

from __future__ import annotations

import sdy
from sdy.hlo_text import HloModule, HloRuleError
from sdy.mlir import ir
from sdy.tools.flags import UsageError


def to_hlo(text: str, context: ir.Context) -> str:
    """A module of StableHLO and hlo_async as HLO text.

    Raises:
      DiagnosticError: it is no such module, or HLO cannot say what it says.
      HloRuleError: jaxlib does not convert it.
      UsageError: there is no jaxlib.
    """
    module = sdy.parse(text, context=context)
    try:
        return sdy.hlo_conversion.to_hlo(module)
    except ImportError as error:
        raise UsageError(str(error)) from None
    except ValueError as error:
        raise HloRuleError(str(error)) from None


def from_hlo(module: HloModule) -> ir.Module:
    """The module in MLIR, with ops of MHLO for what StableHLO has not; in the order of instructions if it is scheduled.

    Raises:
      HloRuleError: MLIR cannot say what it says, or jaxlib does not convert it.
      UsageError: there is no jaxlib.
    """
    try:
        return sdy.hlo_conversion.from_hlo(module, keep_order=True)
    except ImportError as error:
        raise UsageError(str(error)) from None
    except HloRuleError:
        raise
    except ValueError as error:
        raise HloRuleError(str(error)) from None
