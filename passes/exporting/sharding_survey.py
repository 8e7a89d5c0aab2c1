"""Which shardings occur at all: most programs have no unreduced axes and no single devices."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.attributes import SHARDING, value_of
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.search import ops_matching, ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, result_shardings
from sdy.dialect.values import INHERENT_NAMES
from sdy.mlir import ir

_OWN = ("sharding", "out_sharding", "in_shardings", "out_shardings")
_WITH_OWN = (*INHERENT_NAMES, "sdy.named_computation", "sdy.manual_computation")
_SAMPLE = 600

_Attributes = dict[int, ir.Attribute]
"""By hash, which is their address."""


def shardings_in(root: ir.Operation) -> list[TensorSharding]:
    """The distinct shardings of the arguments, results and ops of a function, or of all functions of a module."""
    attributes = _on_ops(root)
    for op in ops_named(root, *_WITH_OWN):
        stored = op.attributes
        attributes.update((hash(stored[name]), stored[name]) for name in _OWN if name in stored)
    found: dict[TensorSharding, None] = {}
    for func in (root,) if root.name == "func.func" else ops_named(root, "func.func"):
        _note(found, arg_shardings(func))
        _note(found, result_shardings(func))
    for attr in attributes.values():
        value = value_of(attr)
        _note(found, value.shardings if isinstance(value, ShardingPerValue) else (value,))
    return list(found)


def has_unreduced(func: ir.Operation) -> bool:
    """Whether anything in the function has unreduced axes."""
    return any(sharding.unreduced for sharding in shardings_in(func))


def _note(found: dict[TensorSharding, None], shardings: Iterable[TensorSharding | None]) -> None:
    found.update((sharding, None) for sharding in shardings if sharding is not None)


# Of ops ------------------------------------------------------------------------------------------

_OP = """
pdl.pattern : benefit({benefit}) {{
  %attribute = pdl.attribute {value}
  %operands = pdl.operands
  %types = pdl.types
  %op = pdl.operation (%operands : !pdl.range<value>) {{"{name}" = %attribute}} -> (%types : !pdl.range<type>)
  pdl.rewrite %op {{ {rewrite} }}
}}"""
_NOTHING = "%nothing = pdl.type : i1"  # a rewrite must not be empty
_COLLECT = 'pdl.apply_native_rewrite "collect"(%op : !pdl.operation)'


def _on_ops(root: ir.Operation) -> _Attributes:
    """The distinct attributes `sdy.sharding` of ops.

    A program has few of them. So those of the first ops are taken for known, and the others are only sought among the
    ops that have none of these.
    """
    found: _Attributes = {}
    if _take(found, root, _SAMPLE):
        return found
    known = "".join(
        _OP.format(benefit=2, name=SHARDING, value=f"= {attr}", rewrite=_NOTHING) for attr in found.values()
    )
    others = _OP.format(benefit=1, name=SHARDING, value="", rewrite=_COLLECT)
    for op in ops_matching(root, known + others, keep=False):
        attr = op.attributes[SHARDING]
        found[hash(attr)] = attr
    return found


def _take(found: _Attributes, root: ir.Operation, limit: int) -> bool:
    """Takes the attributes of the first `limit` ops; whether these are all."""
    left = limit

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal left
        attr = op.attributes.get(SHARDING)
        if attr is not None:
            found[hash(attr)] = attr
        left -= 1
        return advance if left else interrupt

    advance, interrupt = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT
    root.walk(visit)
    return left > 0
