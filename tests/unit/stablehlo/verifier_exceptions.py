"""Ops without regions that have a verifier, where shape functions mostly hold the checks (P3 of the guideline)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple


class Ground(Enum):
    """What the guideline admits.

    Attributes:
      NOT_INFERABLE: the types of the results do not follow from operands and attributes, as those of `reshape` and
        `broadcast_in_dim`: a verifier holds the checks, in the presence of a shape function those that it cannot make.
      GIVEN_RESULT: the types follow, but there are constraints on the declared ones, which a shape function does not
        see, as those of `add`.
    """

    NOT_INFERABLE = "the types of the results do not follow from operands and attributes"
    GIVEN_RESULT = "there are constraints on declared results beyond what follows"


class VerifierException(NamedTuple):
    """Why an op without regions has a verifier.

    Attributes:
      ground: that of the guideline.
      constraints: those that the verifier checks.
      reason: what it is in this op that a shape function cannot know.
    """

    ground: Ground
    constraints: frozenset[str]
    reason: str


def _because(ground: Ground, constraints: str, reason: str) -> VerifierException:
    return VerifierException(ground, frozenset(constraints.split()), reason)


_OPEN, _GIVEN = Ground.NOT_INFERABLE, Ground.GIVEN_RESULT

EXCEPTIONS: Mapping[str, VerifierException] = {
    f"stablehlo.{name}": exception
    for name, exception in {
        # Named by the guideline.
        "reshape": _because(_OPEN, "c1 c2 c3", "the declared shape says what the op does"),
        "broadcast_in_dim": _because(_OPEN, "c1 c2 c3 c4 c5 c6", "the declared shape says what the op does"),
        "add": _because(_GIVEN, "c1 c2 c3 c4 c5 c6 c7", "quantized types of operands and result may differ"),
        # Without a shape function.
        "bitcast_convert": _because(_OPEN, "c1 c2", "the declared element type says what the op does"),
        "custom_call": _because(_OPEN, "aliases buffers i4 layouts", "its target says what it gives"),
        "infeed": _because(_OPEN, "c1 c2 c3 layout", "it gives what is sent from elsewhere"),
        "iota": _because(_OPEN, "c1", "the declared type says what the op does"),
        "recv": _because(_OPEN, "c1 c2 c3 c4 c5 c6 c7 c8", "it gives what is sent from elsewhere"),
        "rng_bit_generator": _because(_OPEN, "c1 c2", "the declared type says how many numbers there are"),
        # The shape function leaves something open.
        "all_gather": _because(_OPEN, "c6", "how large groups of all processes are is not known"),
        "convolution": _because(_OPEN, "c28 c30 c32 c33 c34", "the element type is free"),
        "dot_general": _because(_OPEN, "c14 c18 c19 c20", "the element type is free"),
        "dynamic_broadcast_in_dim": _because(_OPEN, "c1 c5 c6 c7", "sizes are known when the program runs"),
        "dynamic_conv": _because(_OPEN, "c28 c30 c32 c33 c34", "the element type is free"),
        "dynamic_reshape": _because(_OPEN, "c1 c2 c3", "sizes are known when the program runs"),
        "real_dynamic_slice": _because(_OPEN, "c3", "sizes are known when the program runs, and nobody compares them"),
        "uniform_quantize": _because(_OPEN, "c2", "the declared element type says what the op does"),
        # The types follow, up to what the comparison of types does not see.
        "transpose": _because(_GIVEN, "c1 c4", "scales, zero points and axis of the declared type"),
    }.items()
}
"""By full name."""
