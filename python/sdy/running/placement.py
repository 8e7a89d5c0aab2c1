"""Placement of a partitioned module in JAX's terms, and the program on a single device as the reference of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

import sdy
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function
from sdy.mlir.rewriting import inline, replace
from sdy.mlir.walk import post_order
from sdy.partitioned_module import PartitionedModule
from sdy.passes.costs.machine import KINDS
from sdy.programs.given_modules import import_foreign
from sdy.programs.parsing import parsed_for_passes
from sdy.stablehlo import ops

if TYPE_CHECKING:
    from jaxlib._jax import Device  # `jax.Device`, which is a variable to type checkers


Devices: TypeAlias = "jax.sharding.Mesh | Sequence[Device] | None"
"""A JAX mesh, whose devices are taken in its order, or a list of devices, of which those are taken that the program's
mesh names by their position; None means all devices."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A partitioned module on devices.

    The axes of the JAX mesh are the `atoms`: the axes of the module's mesh, each cut into parts where the sharding of
    an argument or result uses a part of it. A part is named like ``x:(1)2``.
    """

    mesh: jax.sharding.Mesh
    atoms: tuple[AxisRef, ...]

    @staticmethod
    def of(partitioned: PartitionedModule, devices: Devices = None) -> Placement:
        """Raises `ValueError` for too few devices, or for a mesh with another number of devices than the program's.

        Raises `TypeError` for a program that is not partitioned.
        """
        if not isinstance(partitioned, PartitionedModule):
            raise TypeError(f"expected a result of sdy.partition, not {type(partitioned).__name__}")
        shardings = (*partitioned.in_shardings, *partitioned.out_shardings)
        atoms = partitioned.mesh.atomic_axes([ref for sharding in shardings for ref in sharding.axis_refs()])
        sizes = [atom.size(partitioned.mesh.axis_sizes) for atom in atoms]
        grid = _in_logical_order(partitioned, devices).reshape(sizes)
        auto = (jax.sharding.AxisType.Auto,) * len(atoms)
        return Placement(jax.sharding.Mesh(grid, tuple(map(axis_name, atoms)), axis_types=auto), atoms)

    def spec(self, sharding: TensorSharding) -> PartitionSpec:
        """Return a sharding as a partition spec of JAX."""
        return PartitionSpec(*map(self._names, sharding.dim_axes))

    def named(self, sharding: TensorSharding) -> NamedSharding:
        """Return a sharding on the mesh of the placement."""
        return NamedSharding(self.mesh, self.spec(sharding))

    def partial(self, value: jax.Array, sharding: TensorSharding) -> jax.Array:
        """Return the device's part of a replicated argument, in a fully manual region."""
        axes = self._names(sharding.unreduced)
        return partial_value(value, axes, sharding.reduction) if axes else value

    def combined(self, value: jax.Array, sharding: TensorSharding) -> jax.Array:
        """Return a result combined from the devices' parts, in a region manual on all axes."""
        axes = self._names(sharding.unreduced)
        return combined_value(value, axes, sharding.reduction) if axes else value

    def _names(self, refs: Sequence[AxisRef]) -> tuple[str, ...] | None:
        return tuple(axis_name(atom) for ref in refs for atom in self.atoms if ref.contains(atom)) or None


def axis_name(atom: AxisRef) -> str:
    """The name of an atom as an axis of a JAX mesh."""
    if atom.sub_axis is None:
        return atom.name
    return f"{atom.name}:({atom.sub_axis.pre_size}){atom.sub_axis.size}"


def _in_logical_order(partitioned: PartitionedModule, devices: Devices) -> np.ndarray:
    """The devices that run the program, by logical number."""
    count = partitioned.num_devices
    if isinstance(devices, jax.sharding.Mesh):
        if devices.size != count:
            raise ValueError(f"the program runs on {count} devices, but the mesh has {devices.size}")
        return devices.devices.reshape(-1)
    listed = list(jax.devices() if devices is None else devices)
    if len(listed) < count:
        raise ValueError(f"the program needs {count} devices, but there are only {len(listed)}")
    return np.array([listed[device] for device in partitioned.mesh.devices])


_DEVICE_CODE = (
    "sdy.manual_computation",
    "stablehlo.partition_id",
    "stablehlo.replica_id",
    *(f"stablehlo.{kind}" for kind in KINDS),
)
_NO_RESULT = ("sdy.mesh", "sdy.sharding_group")


def unpartitioned(text: str, filename: str = "-") -> str:
    """The text of the program without any sharding, its main function called @main.

    Raises `DiagnosticError` at a manual computation or a collective: what they do depends on the devices.
    """
    with parsed_for_passes(text, filename) as module:
        plain = _unpartitioned(module)
        del module  # before the next program is in its context
    return plain


def _unpartitioned(module: ir.Module) -> str:
    with module.context, ir.Location.unknown():
        import_foreign(module)
        sdy.run(module, "sdy-convert-async")
        main_function(module.operation).attributes["sym_name"] = ir.StringAttr.get("main")
        for op in post_order(module.operation):
            _refuse_device_code(op)
            if op.name in _NO_RESULT:
                op.erase()
            elif op.name == "sdy.constant":
                replace(op, [_plain_constant(op)])
            elif op.name == "sdy.named_computation":
                inline(op)
            elif op.name.startswith("sdy.") and op.name != "sdy.return":
                replace(op, [op.operands[0]])
            else:
                remove_sdy_attributes(op)
        sdy.run(module, "func.func(sdy-legalize-for-xla{enable-patterns=einsum-operands,scatter-indices})")
        return module.operation.get_asm(enable_debug_info=True)


def _refuse_device_code(op: ir.Operation) -> None:
    if op.name in _DEVICE_CODE:
        raise DiagnosticError(op, "differs on every device, so it has no unpartitioned form")


def _plain_constant(op: ir.Operation) -> ir.Value:
    with ir.InsertionPoint(op), op.location:
        return ops.constant(op.attributes["value"])


def partial_value(value: jax.Array, axes: tuple[str, ...], kind: Reduction) -> jax.Array:
    """Return the device's part of an unreduced value: the value on the first device, zeros on the others.

    Maxima and minima do not mind how often a value counts.
    """
    if kind.is_idempotent:
        return value
    nothing = jnp.asarray(-0.0 if jnp.issubdtype(value.dtype, jnp.inexact) else 0).astype(value.dtype)
    return jnp.where(lax.axis_index(axes) == 0, value, nothing)


def combined_value(value: jax.Array, axes: tuple[str, ...], kind: Reduction) -> jax.Array:
    """Return the value combined from the devices' parts along these axes."""
    combine: Any = {Reduction.SUM: lax.psum, Reduction.MAX: lax.pmax, Reduction.MIN: lax.pmin}[kind]
    if value.dtype == jnp.bool_:
        return combine(value.astype(jnp.int8), axes).astype(jnp.bool_)
    return combine(value, axes)
