"""The attributes that tell the parser's verifier how an op's lists of values fall into groups."""

from __future__ import annotations

from sdy.dialect.assembly.attribute_aliases import AttributeAliases
from sdy.dialect.assembly.foreign import types
from sdy.dialect.assembly.reader import Reader
from sdy.dialect.definition.declared_ops import VARIADIC
from sdy.mlir.declared_dialects.variadic import OPERAND_SEGMENTS, RESULT_SEGMENTS, padded, runs


class Segments:
    """Segments in a context with `groups` groups; `needed` is how many the ops so far need (see `variadic`)."""

    __slots__ = ("_aliases", "groups", "needed")

    def __init__(self, groups: int, aliases: AttributeAliases) -> None:
        self.groups = groups
        self.needed = 0
        self._aliases = aliases

    def of(self, op_name: str, functional_type: Reader) -> list[tuple[str, str]]:
        """The segment attributes of an op with the type that `functional_type` reads."""
        sizes = {OPERAND_SEGMENTS: runs(types(functional_type))}
        functional_type.expect("->")
        sizes[RESULT_SEGMENTS] = runs(types(functional_type))
        self.needed = max(self.needed, 1, *map(len, sizes.values()))
        return [(name, self._array(sizes[name])) for name in VARIADIC[op_name]]

    def _array(self, sizes: list[int]) -> str:
        return self._aliases.of_text(f"array<i32: {', '.join(map(str, padded(sizes, self.groups)))}>")
