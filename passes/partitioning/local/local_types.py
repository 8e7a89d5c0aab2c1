"""Local types of an op: the roles of its dimensions, and the types that follow."""

from __future__ import annotations

from collections.abc import Mapping

from sdy.dialect.data_flow import interface, is_data_flow_op
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.lowering.generic_lowering import agree, check_alike, named_tensor
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.lowering.local_op import is_reduced_by_users, local_rule, unshardable_factors
from sdy.dialect.lowering.sharded_op import ShardedOp, local_attributes, local_type, local_types, made_types
from sdy.dialect.op_properties import is_elementwise
from sdy.dialect.ops.model import model_with, target_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
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
    """Return the attributes of an op of a global program on each device of the mesh, without its sharding.

    Arguments and errors are the same as in `local_return_types`.
    """
    view = _View(mesh)
    with op.location:
        return view.attributes(view.laid(op.operation))


class _OneMesh(MeshTable):
    """Table that resolves every mesh name to one mesh."""

    def __init__(self, mesh: Mesh) -> None:
        self.by_name = {}
        self._mesh = mesh

    def resolve(self, ref: MeshRef) -> Mesh | None:
        return self._mesh if isinstance(ref, str) else ref


class _View:
    """Layouts of a global program on the devices of the mesh."""

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
    """Return the operands, with the local shape in place of an operand for the global shape."""
    values: list[ir.Value | None] = list(op.op.operands)
    if op.op.name == "stablehlo.rng" and op.result_layouts[0].sharded_dims:
        values[2] = None
    return values


def check_roles(op: ShardedOp, layouts: Layouts) -> None:
    """Check that the op supports the sharded dimensions of its tensors.

    Raises:
      DiagnosticError: at the op, if they do not, or if nothing is known about them.
    """
    if not any(layout.sharded_dims for layout in (*op.operand_layouts, *op.result_layouts)):
        return
    name = op.op.name
    model = model_with("check_parts", name, target_of(op.op))
    if model is not None:
        problem = model.check_parts(op)
    elif name.startswith(("sdy.", "func.")):
        problem = None
    elif is_data_flow_op(name):
        problem = _flows(op, layouts)
    elif is_elementwise(op.op) and _have_one_shape(op):
        problem = check_alike(op)
    else:
        problem = _by_rule(op, layouts)
    if problem is not None:
        op.fail(f"cannot be computed on the parts of devices: {problem}")


def _have_one_shape(op: ShardedOp) -> bool:
    return len({layout.shape for layout in (*op.operand_layouts, *op.result_layouts) if layout.rank}) == 1


def _flows(op: ShardedOp, layouts: Layouts) -> str | None:
    """Values that become results, as in a loop, have the placement of these."""
    flow = interface(op.op)
    if flow is None:
        return None
    for number, (owner, result) in enumerate(zip(flow.result_owners(), op.result_layouts, strict=False)):
        for use in flow.sources(owner):
            if layouts.of(use.value.type, get_sharding(use.value)).placement != result.placement:
                return f"a value that becomes result {number} is not sharded like it"
    return None


# By the factors of the sharding rule ---------------------------------------------------------------------------------


def _by_rule(op: ShardedOp, layouts: Layouts) -> str | None:
    rule = local_rule(op)
    if rule is None:
        return "it has no sharding rule, by which its dimensions would be known"
    model = model_with("localize", op.op.name, target_of(op.op))
    reductions = (model is not None and model.partial_results) or is_reduced_by_users(op)
    whole = unshardable_factors(op.op, rule)
    fitting = agree(rule, op.operand_layouts, op.result_layouts, layouts, reductions=reductions, whole=whole)
    given = (*op.operand_layouts, *op.result_layouts)
    for number, (have, want) in enumerate(zip(given, (*fitting.operands, *fitting.results), strict=True)):
        if have.placement != want.placement:
            return f"{named_tensor(op, number)} is sharded as {_shown(have)}, but its dimensions allow {_shown(want)}"
    return None


def _shown(layout: Layout) -> str:
    return "a whole" if layout.sharding is None else str(layout.sharding)
