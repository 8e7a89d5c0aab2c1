"""Checks of the facts that steps of the partition pipeline need and give; pipelines do not run them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sdy.dialect.hlo_async.chains import MARK
from sdy.dialect.hlo_async.declarations import START
from sdy.dialect.shardings.attribute_shardings import arg_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import shardings_in
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import funcs, has_body
from sdy.mlir.search import ops_named, ops_with
from sdy.mlir.walk import post_order
from sdy.passes.manager import run_nested
from sdy.passes.partitioning.analysis.memory_budget import LIMIT
from sdy.passes.registry import step

Check = Callable[[ir.Operation], ir.Operation | None]
"""Returns the first op at which a fact does not hold; None if it holds."""


def _without(*names: str) -> Check:
    """Make a check that no op of the module has one of these names."""
    return lambda module: next(iter(ops_named(module, *names)), None)


def _without_attribute(*names: str) -> Check:
    def first(module: ir.Operation) -> ir.Operation | None:
        has_own = any(name in module.attributes for name in names)
        return module if has_own else next(iter(ops_with(module, *names)), None)

    return first


def _with_open_sharding(module: ir.Operation) -> ir.Operation | None:
    for func in funcs(module):
        if any(not dim.is_closed for sharding in shardings_in(func) for dim in sharding.dims):
            return func
    return None


def _with_uneven_shards(module: ir.Operation) -> ir.Operation | None:
    meshes = MeshTable(module)
    for func in funcs(module):
        pairs = (
            list(zip(func.regions[0].blocks[0].arguments, arg_shardings(func), strict=True)) if has_body(func) else []
        )
        for op in post_order(func):
            pairs += [(value, get_sharding(value)) for value in op.results]
        for value, sharding in pairs:
            mesh = sharding and meshes.of(sharding)
            if sharding is None or mesh is None or not isinstance(value.type, ir.RankedTensorType):
                continue
            sizes = zip(value.type.shape, sharding.dims, strict=False)
            if any(size > 0 and size % dim.shards(mesh.axis_sizes) for size, dim in sizes):
                return func
    return None


def _with_implicit_reshards(module: ir.Operation) -> ir.Operation | None:
    """Find an op around which the pass that inserts reshards would insert one.

    Reshards to a single device go by way of replicated values, so modules with such reshards are skipped.
    Axes of size 1 cut nothing, so that no reshard is due where shardings differ in these alone.
    """
    if any(mesh.is_maximal for mesh in MeshTable(module).by_name.values()):
        return None
    found = _to_be_resharded(module)
    if found is None:
        return None
    without = module.clone(ip=False).operation
    run_nested(without, [step("sdy-remove-size-one-axes")])
    return None if _to_be_resharded(without) is None else found


def _to_be_resharded(module: ir.Operation) -> ir.Operation | None:
    """Return the first op that the pass gives other shardings, as operands or results.

    Reshards to the sharding that a value has do not count, nor do concatenates whose tensors agree: the pass moves the
    axes of a dimension that must be replicated only where it looks at an op anew.
    """
    copy = module.clone(ip=False).operation
    insert = step(
        "sdy-insert-explicit-reshards",
        on_func=True,
        enable_full_version=True,
        mark_partial_result_with_unreduced_axes=True,
        reshard_custom_rule_ops=True,
    )
    run_nested(copy, [insert])
    pairs = zip(_no_moves(module), _no_moves(copy), strict=True)
    return next((op for op, other in pairs if _around(op) != _around(other) and not _is_agreed(op)), None)


def _no_moves(module: ir.Operation) -> list[ir.Operation]:
    """The ops but reshards and sums, which the pass inserts."""
    return [op for op in post_order(module) if op.name not in ("sdy.reshard", "sdy.all_reduce")]


def _around(op: ir.Operation) -> list[TensorSharding | None]:
    return [*map(get_sharding, op.operands), *map(get_sharding, op.results)]


def _is_agreed(op: ir.Operation) -> bool:
    return op.name == "stablehlo.concatenate" and len(set(_around(op))) == 1


def _with_dialect(module: ir.Operation) -> ir.Operation | None:
    for op in post_order(module):
        if op.name.startswith("sdy.") or (op != module and any(name.startswith("sdy.") for name in op.attributes)):
            return op
    return None


def _with_reshard(module: ir.Operation) -> ir.Operation | None:
    meshes = MeshTable(module)

    def is_on_single_device(value: ir.Value) -> bool:
        sharding = get_sharding(value)
        return sharding is not None and meshes.is_on_single_device(sharding)

    def sends_nothing(op: ir.Operation) -> bool:
        source = get_sharding(op.operands[0])
        return source is not None and source.is_fully_replicated and not source.unreduced

    found = ops_named(module, "sdy.reshard")
    moves = (op for op in found if not any(map(is_on_single_device, (*op.operands, *op.results))))
    return next((op for op in moves if not sends_nothing(op)), None)


_COLLECTIVES = tuple(
    f"sdy.{name}"
    for name in "reshard all_gather all_slice all_reduce all_to_all collective_permute reduce_scatter "
    "sharded_to_unreduced replicated_to_unreduced".split()
)

FIRST_BREACH: dict[str, Check] = {
    "closed-shardings": _with_open_sharding,
    "even-shards": _with_uneven_shards,
    "explicit-reshards": _with_implicit_reshards,
    "local-types": _without(*_COLLECTIVES, "sdy.manual_computation"),
    "no-constraints": _without(
        "sdy.sharding_constraint",
        "sdy.propagation_barrier",
        "sdy.sharding_group",
        "sdy.data_flow_edge",
        "sdy.func_data_flow_edge",
    ),
    "no-dialect": _with_dialect,
    "no-marks": _without_attribute(MARK),
    "no-reshards": _with_reshard,
    "no-shared-budget": _without_attribute(LIMIT),
    "no-started-ops": _without(START),
}
"""The checks of `sdy.passes.partitioning.partition_pipeline.FACTS`."""


def breaches(module: ir.Operation, names: tuple[str, ...]) -> Iterator[tuple[str, ir.Operation]]:
    """Yield the facts that do not hold, each with the first op that violates it."""
    for name in names:
        found = FIRST_BREACH[name](module)
        if found is not None:
            yield name, found
