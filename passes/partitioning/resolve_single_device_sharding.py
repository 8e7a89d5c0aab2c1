"""sdy-resolve-single-device-sharding: Run ops with a single-device sharding on that device, and broadcast the results.

    sdy.mesh @mesh = <["x"=2]>
    sdy.mesh @device_1 = <[], device_ids=[1]>
    %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@device_1, []>]>} : tensor<8xf32>
==> %id = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.constant dense<1> : tensor<ui32>
    %here = stablehlo.compare EQ, %id, %1 : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %if = "stablehlo.if"(%here) ({ add ... }, { zeros }) : (tensor<i1>) -> tensor<8xf32>
    %0 = sdy.all_reduce {"x"} %if out_sharding=<@mesh, [{}]> : tensor<8xf32>
"""

from __future__ import annotations

from itertools import takewhile

from sdy.dialect import builders as sdy_ops
from sdy.dialect.data_flow import is_data_flow_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.ir_builders.communication import Devices
from sdy.dialect.ir_builders.init_values import bits_of, from_bits, nothing
from sdy.dialect.ir_builders.with_sharding import OperandSlot, leave_to_one_device, use_instead, uses_of, with_sharding
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.replica_groups import manual_axes_of_computations
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_walk import occurs
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import replace
from sdy.mlir.tensor_types import is_tensor, ui32
from sdy.mlir.walk import ops_around, post_order
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class ResolveSingleDeviceShardingOptions:
    """Options of sdy-resolve-single-device-sharding."""

    signed_zeros: bool = option(False, "send values bit by bit, so that -0.0 does not become 0")
    effects: bool = option(False, "also ops that run for their effects, without tensor results")
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)


@pass_("sdy-resolve-single-device-sharding", on="func.func", options=ResolveSingleDeviceShardingOptions)
def resolve_single_device_sharding(func: ir.Operation, options: ResolveSingleDeviceShardingOptions) -> object:
    if options.replica_count > 1 and options.partition_count > 1:
        raise DiagnosticError(func, "runs on replicas or on partitions; set one of the two counts to 1")
    meshes = of_module(MeshTable, func)
    world = meshes.global_mesh()
    if world is None or not (of_module(_has_single_devices, func) and _has_single_devices(func)):
        return UNCHANGED
    devices = Devices(by_replica=options.replica_count > 1)
    for op in post_order(func):
        if not op.name.startswith("sdy.") and op != func:
            device = _single_device(op, meshes)
            if device is None and options.effects:
                device = _device_of_effects(op, meshes)
            if device is not None:
                if options.effects:
                    if _is_in_another(op, meshes):
                        continue
                    _check_is_free(op)
                _DeviceResolution(op, device, meshes, world, devices, options).run()
    return None


def _has_single_devices(root: ir.Operation) -> bool:
    """Return whether anything in a function or module is on a single device."""
    meshes = of_module(MeshTable, root)
    return occurs(root, lambda sharding: _is_on_single_device(sharding, meshes))


def _is_on_single_device(sharding: TensorSharding, meshes: MeshTable) -> bool:
    mesh = meshes.of(sharding)
    return mesh is not None and mesh.is_maximal


def _single_device(op: ir.Operation, meshes: MeshTable) -> int | None:
    """Return the single device that has all results of `op`, if there is one."""
    shardings = op_shardings(op)
    if shardings is None or len(shardings) != len(op.results):
        return None
    device: int | None = None
    for result, sharding in zip(op.results, shardings, strict=True):
        mesh = meshes.of(sharding)
        if mesh is None or not mesh.is_maximal or not is_tensor(result.type):
            continue
        if device not in (None, mesh.device_ids[0]):
            raise DiagnosticError(op, f"has results on device {device} and on device {mesh.device_ids[0]}")
        if not is_static_shaped(result.type):
            raise DiagnosticError(op, f"is on a single device, and the others have no zeros of type {result.type}")
        device = mesh.device_ids[0]
    if device is not None and not all(sharding.is_fully_replicated for sharding in shardings):
        raise DiagnosticError(op, "has results on a single device and results that are sharded")
    return device


def _device_of_effects(op: ir.Operation, meshes: MeshTable) -> int | None:
    """Return the single device that executes `op` for its effect; None if a result is a tensor."""
    if is_data_flow_op(op.name) or any(is_tensor(result.type) for result in op.results):
        return None
    devices = {
        mesh.device_ids[0] for sharding in op_shardings(op) or () if (mesh := meshes.of(sharding)) and mesh.is_maximal
    }
    if len(devices) > 1:
        raise DiagnosticError(op, f"is executed on several single devices: {', '.join(map(str, sorted(devices)))}")
    return next(iter(devices), None)


def _is_in_another(op: ir.Operation, meshes: MeshTable) -> bool:
    """Return whether an enclosing op already runs on a single device."""
    around = takewhile(lambda each: each.name != "func.func", ops_around(op))
    return any(not each.name.startswith("sdy.") and _single_device(each, meshes) is not None for each in around)


def _check_is_free(op: ir.Operation) -> None:
    """Refuse an op in a region where devices along some axes work independently, so that one cannot act for all."""
    for manual in manual_axes_of_computations(op):
        if manual:
            axes = ", ".join(map(repr, manual))
            raise DiagnosticError(op, f"is on a single device, in a region that is manual on the axes {axes}")


def _is_executed_on(op: ir.Operation, device: int, meshes: MeshTable) -> bool:
    """Return whether `op` is another one that only `device` executes, or that only moves operands of such ops to it."""
    if op.name == "sdy.reshard":
        mesh = meshes.of(attributes.get(op, "sharding"))
        is_there = mesh is not None and mesh.is_maximal and mesh.device_ids[0] == device
        return is_there and all(
            slot.user.name != op.name and _is_executed_on(slot.user, device, meshes) for slot in uses_of(op.results[0])
        )
    if op.name.startswith("sdy.") or is_data_flow_op(op.name) or _is_in_another(op, meshes):
        return False
    return device in (_single_device(op, meshes), _device_of_effects(op, meshes))


class _DeviceResolution:
    """One op that a single device computes."""

    def __init__(
        self,
        op: ir.Operation,
        device: int,
        meshes: MeshTable,
        world: tuple[str, Mesh],
        devices: Devices,
        options: ResolveSingleDeviceShardingOptions,
    ) -> None:
        self.op = op
        self.device = device
        self.meshes = meshes
        self.mesh_name, self.mesh = world
        self.devices = devices
        self.signed_zeros = options.signed_zeros
        self.keeps_order = options.effects

    def run(self) -> None:
        b = Builder.before(self.op)
        device_id = self.devices.id(b)
        number = b.constant(self.device, ui32())
        here = b.compare(device_id, number, "EQ")
        types = [result.type for result in self.op.results]
        # The branches are copies of ops with regions of their own, filled once the op is there.
        branch = b.create("stablehlo.if", (here,), types, regions=2)
        bypassed = self._fill_true(branch.regions[0], b.location)
        self._fill_false(branch.regions[1], b.location, types)
        for old, new in zip(list(self.op.results), list(branch.results), strict=True):
            self._hand_out(b, old, new)
        self.op.erase()
        for reshard in bypassed:
            if not any(True for _ in reshard.results[0].uses):
                reshard.erase()

    def _fill_true(self, region: ir.Region, location: ir.Location) -> list[ir.Operation]:
        """Move the op into the branch; operands that were moved to the device are taken from before the move."""
        block = region.blocks.append()
        clone = self.op.clone(ip=ir.InsertionPoint(block))
        if SHARDING in clone.attributes:
            del clone.attributes[SHARDING]
        bypassed: list[ir.Operation] = []
        if self.keeps_order and len(clone.regions):
            bypassed += leave_to_one_device(clone, lambda sharding: _is_on_single_device(sharding, self.meshes))
        for number, operand in enumerate(list(self.op.operands)):
            if isinstance(operand.owner, ir.Block):
                continue
            reshard = operand.owner.operation
            if reshard.name == "sdy.reshard" and _is_on_single_device(attributes.get(reshard, "sharding"), self.meshes):
                clone.operands[number] = reshard.operands[0]
                if reshard not in bypassed:
                    bypassed.append(reshard)
        Builder.at_end(block, location).return_(list(clone.results))
        return bypassed

    def _fill_false(self, region: ir.Region, location: ir.Location, types: list[ir.Type]) -> None:
        b = Builder.at_end(region.blocks.append(), location)
        b.return_([self._nothing(b, type_) for type_ in types])

    def _nothing(self, b: Builder, type_: ir.Type) -> ir.Value:
        """Return the result on devices that skip the op: zeros, or the op's operand tokens."""
        if is_tensor(type_):
            return b.constant(nothing(type_.element_type) if self.signed_zeros else 0, type_)
        tokens = [value for value in self.op.operands if value.type == type_] if self.keeps_order else []
        if not tokens:
            return b.create_token()
        return tokens[0] if len(tokens) == 1 else b.after_all(tokens)

    def _stay_here(self, value: ir.Value) -> tuple[list[OperandSlot], list[OperandSlot]]:
        """Return the uses of a result by ops on the same device, and the other uses."""
        slots = uses_of(value)
        here = [slot for slot in slots if self.keeps_order and _is_executed_on(slot.user, self.device, self.meshes)]
        return here, [slot for slot in slots if slot not in here]

    def _hand_out(self, b: Builder, old: ir.Value, new: ir.Value) -> None:
        """Replace uses of `old` by the sum of `new` over all devices; `new` is zero on all but one.

        Ops that follow on the same device, such as a callback behind another one, use it directly.
        """
        if not is_tensor(new.type):
            old.replace_all_uses_with(new)
            return
        here, slots = self._stay_here(old)
        use_instead(here, new)
        if self.keeps_order and not slots:
            return
        everywhere = TensorSharding.closed(self.mesh_name, len(new.type.shape))
        axes = tuple(AxisRef(axis.name) for axis in self.mesh.axes)
        added = bits_of(b, new) if self.signed_zeros else new
        total = sdy_ops.all_reduce(added, axes, everywhere, loc=b.location, ip=b.ip)
        if total.type != new.type:
            total = with_sharding(from_bits(b, total, new.type.element_type), everywhere)
        use_instead(slots, total)
        for slot in slots:
            user = slot.user
            if user.name == "sdy.reshard" and attributes.get(user, "sharding") == everywhere:
                replace(user, [total])
