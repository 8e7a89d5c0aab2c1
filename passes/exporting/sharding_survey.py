"""Which shardings occur in a function at all: most programs have no unreduced axes and no single devices."""

from __future__ import annotations

from sdy.dialect.attributes import SHARDING, value_of
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.search import ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, result_shardings
from sdy.dialect.values import INHERENT_NAMES
from sdy.mlir import ir

_OWN = ("sharding", "out_sharding", "in_shardings", "out_shardings")
_WITH_OWN = (*INHERENT_NAMES, "sdy.named_computation", "sdy.manual_computation")


def shardings_in(func: ir.Operation) -> list[TensorSharding]:
    """The distinct shardings of the arguments, results and ops of a function."""
    attributes: dict[int, ir.Attribute] = {}  # by hash, which is their address

    def visit(op: ir.Operation) -> ir.WalkResult:
        attr = op.attributes.get(SHARDING)
        if attr is not None:
            attributes[hash(attr)] = attr
        return advance

    advance = ir.WalkResult.ADVANCE
    func.walk(visit)
    for op in ops_named(func, *_WITH_OWN):
        stored = op.attributes
        attributes.update((hash(stored[name]), stored[name]) for name in _OWN if name in stored)
    at_boundary = (*arg_shardings(func), *result_shardings(func))
    found = dict.fromkeys(sharding for sharding in at_boundary if sharding is not None)
    for attr in attributes.values():
        value = value_of(attr)
        found.update(dict.fromkeys(value.shardings if isinstance(value, ShardingPerValue) else (value,)))
    return list(found)


def has_unreduced(func: ir.Operation) -> bool:
    """Whether anything in the function has unreduced axes."""
    return any(sharding.unreduced for sharding in shardings_in(func))
