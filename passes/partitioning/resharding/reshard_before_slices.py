"""sdy-reshard-before-slices: what is resharded for a slice, and again behind it, is resharded once, before it.

    %1 = sdy.reshard %0 <@mesh, [{}, {"x"}, {}]> : tensor<32x8x16xf32>
    %2 = stablehlo.dynamic_slice %1, %i, %c, %c, sizes = [1, 8, 16] {... [{}, {"x"}, {}]} : ...
    %3 = sdy.reshard %2 <@mesh, [{}, {}, {"x"}]> : tensor<1x8x16xf32>
==> %1 = sdy.reshard %0 <@mesh, [{}, {}, {"x"}]> : tensor<32x8x16xf32>
    %2 = stablehlo.dynamic_slice %1, %i, %c, %c, sizes = [1, 8, 16] {... [{}, {}, {"x"}]} : ...

So it is where a loop scans over a sequence that is sharded along its steps: the first reshard leaves the loop, the
second does not. Cost model: fewer bytes are sent, a slice counted once, and a device holds no more of what is sliced.
"""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.ir_builders.operand_slots import erase_unused, uses_of
from sdy.dialect.ir_builders.with_sharding import set_sharding
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.reshard_planning.reshard_cost import reshard_bytes
from sdy.passes.registry import pass_

_RESHARD = "sdy.reshard"
_SLICES = frozenset({"stablehlo.slice", "stablehlo.dynamic_slice"})


@pass_("sdy-reshard-before-slices", on="func.func")
def reshard_before_slices(func: ir.Operation) -> None:
    layouts: Layouts | None = None
    for behind in ops_named(func, _RESHARD):
        cut = _only_user_of(behind, _SLICES)
        before = None if cut is None else _only_user_of(cut, frozenset({_RESHARD}))
        if cut is not None and before is not None:
            layouts = layouts or Layouts(of_module(MeshTable, func))
            _reshard_once(before, cut, behind, layouts)


def _only_user_of(op: ir.Operation, names: frozenset[str]) -> ir.Operation | None:
    """The op with one of these names whose result is the first operand of `op` and nothing else."""
    made_by = defining_op(op.operands[0])
    if made_by is None or made_by.name not in names or len(uses_of(made_by.results[0])) != 1:
        return None
    return made_by


def _reshard_once(before: ir.Operation, cut: ir.Operation, behind: ir.Operation, layouts: Layouts) -> None:
    """Moves what is sliced to where its slice goes, if that sends less."""
    source, between = layouts.of_value(before.operands[0]), layouts.of_value(before.results[0])
    part, target = layouts.of_value(cut.results[0]), layouts.of_value(behind.results[0])
    same = source.mesh in (None, target.mesh) and between.mesh == part.mesh == target.mesh
    if not same or not all(map(_is_plain, (source, between, part, target))):
        return
    sharding, whole = target.sharding, layouts.of(before.results[0].type, target.sharding)
    is_cut = [size != full for size, full in zip(target.shape, whole.shape, strict=True)]
    if sharding is None or any(is_cut[dim] for dim in target.sharded_dims) or whole.local_bytes > between.local_bytes:
        return
    if reshard_bytes(source, whole) >= reshard_bytes(source, between) + reshard_bytes(part, target):
        return
    value = before.operands[0]
    if source.placement != whole.placement:
        value = builders.reshard(value, sharding, loc=before.location, ip=ir.InsertionPoint(before))
    cut.operands[0] = value
    set_sharding(cut.results[0], sharding)
    behind.results[0].replace_all_uses_with(cut.results[0])
    behind.erase()
    erase_unused([before.results[0]])


def _is_plain(layout: Layout) -> bool:
    """Whether it is that of a value with known sizes, no partial one, on several devices or on none."""
    is_known = all(size >= 0 for size in layout.shape)
    return is_known and not layout.unreduced and (layout.mesh is None or not layout.mesh.is_maximal)
