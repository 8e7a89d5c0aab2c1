"""HLO text: reading, checking, printing, and asynchronous operations in it (spec: async, 9).

module = sdy.hlo_text.parse(text)
for problem in sdy.hlo_text.check(module):
    print(problem)
print(module.text(sugar=True))
"""

from __future__ import annotations

from sdy.hlo_text.chains import AsyncChain, chains
from sdy.hlo_text.errors import HloRuleError, HloSyntaxError
from sdy.hlo_text.in_flight import HeldBuffers, InFlight, in_flight
from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.reading.reader import parse
from sdy.hlo_text.reading.scanning import parse_shape
from sdy.hlo_text.rules.checked import Problem, Rules
from sdy.hlo_text.rules.operation_rules import check
from sdy.hlo_text.shape import ArrayShape, BufferShape, Shape, TokenShape, TupleShape
from sdy.hlo_text.synchronizing import synchronous
from sdy.hlo_text.wrapping import equivalent, wrap

STRICT = Rules.STRICT
"""The rules of XLA's document on asynchronous instructions."""

XLA = Rules.XLA
"""The rules that XLA's verifier keeps."""

__all__ = [
    "STRICT",
    "XLA",
    "ArrayShape",
    "AsyncChain",
    "BufferShape",
    "Computation",
    "HeldBuffers",
    "HloModule",
    "HloRuleError",
    "HloSyntaxError",
    "InFlight",
    "Instruction",
    "Problem",
    "Rules",
    "Shape",
    "TokenShape",
    "TupleShape",
    "chains",
    "check",
    "equivalent",
    "in_flight",
    "parse",
    "parse_shape",
    "synchronous",
    "wrap",
]
