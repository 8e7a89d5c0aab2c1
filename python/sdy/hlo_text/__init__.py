"""HLO text: reading, checking, printing, and asynchronous operations in it (spec: async, 9).

module = sdy.hlo_text.parse(text)
for problem in sdy.hlo_text.check(module):
    print(problem)
print(module.text(sugar=True))
"""

from __future__ import annotations

from sdy.hlo_text.chains import AsyncChain, chains
from sdy.hlo_text.equivalence import equivalent
from sdy.hlo_text.model import Computation, HloModule, Instruction
from sdy.hlo_text.reader import parse
from sdy.hlo_text.rule_error import HloRuleError
from sdy.hlo_text.shape import ArrayShape, BufferShape, Shape, TokenShape, TupleShape
from sdy.hlo_text.shape_reader import parse_shape
from sdy.hlo_text.synchronizing import synchronous
from sdy.hlo_text.syntax_error import HloSyntaxError
from sdy.hlo_text.wrapping import wrap

__all__ = [
    "ArrayShape",
    "AsyncChain",
    "BufferShape",
    "Computation",
    "HloModule",
    "HloRuleError",
    "HloSyntaxError",
    "Instruction",
    "Shape",
    "TokenShape",
    "TupleShape",
    "chains",
    "equivalent",
    "parse",
    "parse_shape",
    "synchronous",
    "wrap",
]
