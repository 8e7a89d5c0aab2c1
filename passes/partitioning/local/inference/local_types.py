"""Types of an op's results on the devices of a mesh, and its attributes there (spec: type-inference, 3).

    local_return_types(op, mesh)     # [RankedTensorType(tensor<2x4xf32>)]
    localize_attributes(op, mesh)    # {"limit_indices": ..., ...}

The sharding decides what the local types are. That each device can compute its part is checked: by the roles of the
sharded dimensions, and by inferring or verifying types on the parts.
"""

from __future__ import annotations

from collections.abc import Mapping

import sdy.dialect.definition.mesh_groups  # noqa: F401  (meshes that replica groups refer to)
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.lowering.sharded_op import ShardedOp, local_attributes, local_type, local_types, made_types
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.partitioning.local.inference.roles import check_roles
from sdy.stablehlo import Body, InferenceError, OpFacts, registry
from sdy.stablehlo.op_facts import last_op
from sdy.stablehlo.types.value_types import read_types
from sdy.stablehlo.verification import verify_all_facts


def local_return_types(op: ir.Operation, mesh: Mesh) -> list[ir.Type]:
    """The types of the results of an op of a global program on each device of the mesh.

    Args:
      op: an op whose operands and results may have shardings.
      mesh: the mesh that they name.

    Returns:
      One type per result: its sizes divided by the number of shards. Of an op whose devices need different paddings,
      and of a constant whose parts may differ, it is a part of what the op makes with the attributes that
      `localize_attributes` gives. An operand that says the shape of random numbers has to say that of the part.

    Raises:
      DiagnosticError: at the op. Shards are uneven, an axis is unknown, the devices cannot compute their parts by
        themselves (but for combining partial results), or the op is not valid on the parts.
    """
    with op.location:
        return _View(mesh).types(op.operation)


def localize_attributes(op: ir.Operation, mesh: Mesh) -> dict[str, ir.Attribute]:
    """The attributes of an op of a global program on each device of the mesh, without what they say of its sharding.

    Arguments and errors are those of `local_return_types`.
    """
    view = _View(mesh)
    with op.location:
        return view.attributes(view.laid(op.operation))


class _OneMesh(MeshTable):
    """All names of meshes mean one mesh."""

    def __init__(self, mesh: Mesh) -> None:
        self.by_name = {}
        self._mesh = mesh

    def resolve(self, ref: MeshRef) -> Mesh | None:
        return self._mesh if isinstance(ref, str) else ref


class _View:
    """What of a global program is on a device of the mesh."""

    def __init__(self, mesh: Mesh) -> None:
        self._layouts = Layouts(_OneMesh(mesh))

    def types(self, op: ir.Operation) -> list[ir.Type]:
        laid = self.laid(op)
        self._check_types(laid, self.attributes(laid))
        return list(local_types(laid))

    def laid(self, op: ir.Operation) -> ShardedOp:
        """The op, if it can be computed on parts."""
        operands, results = (tuple(map(self._layout, values)) for values in (op.operands, op.results))
        for layout in (*operands, *results):
            local_type(layout, op)
        laid = ShardedOp(op, operands, results)
        check_roles(laid, self._layouts)
        return laid

    def _layout(self, value: ir.Value) -> Layout:
        return self._layouts.of(value.type, get_sharding(value))

    def _local_type(self, op: ir.Operation, value: ir.Value) -> ir.Type:
        return local_type(self._layout(value), op)

    def attributes(self, op: ShardedOp) -> dict[str, ir.Attribute]:
        stored = op.op.attributes
        given = {name: stored[name] for name in stored if name not in (SHARDING, SHARDING_RULE)}
        return {**given, **local_attributes(op)}

    # What holds of the op on parts -----------------------------------------------------------------------------------

    def _check_types(self, op: ShardedOp, attributes: Mapping[str, ir.Attribute] | ir.OpAttributeMap) -> None:
        name = op.op.name
        # Ops of sdy keep the types of whole tensors.
        if registry.find(name) is None or name.startswith("sdy."):
            return
        facts = OpFacts(
            name,
            registry.read_types_for(name, [local_type(layout, op.op) for layout in op.operand_layouts]),
            attributes,
            [self._body(op.op, region) for region in op.op.regions],
            values=_values(op),
            results=registry.read_types_for(name, made_types(op)),
            context=op.op.context,
            op=op.op,
        )
        try:
            verify_all_facts(facts)
        except InferenceError as error:
            raise DiagnosticError(op.op, f"is not valid on the parts of devices: {error}") from error

    def _body(self, op: ir.Operation, region: ir.Region) -> Body:
        """The types that a region takes and returns on a device."""
        blocks = list(region.blocks)
        if not blocks:
            return Body(blocks=0)
        end = last_op(blocks[0])
        arguments = read_types([self._local_type(op, argument) for argument in blocks[0].arguments])
        results = read_types([self._local_type(op, value) for value in end.operands]) if end is not None else ()
        return Body(tuple(arguments), tuple(results), len(blocks), blocks[0])


def _values(op: ShardedOp) -> list[ir.Value | None]:
    """The operands, but none that says the shape of the whole result, which another one does for a part."""
    values: list[ir.Value | None] = list(op.op.operands)
    if op.op.name == "stablehlo.rng" and op.result_layouts[0].sharded_dims:
        values[2] = None
    return values
