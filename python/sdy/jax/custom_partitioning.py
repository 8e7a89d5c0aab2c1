"""JAX's `custom_partitioning`: Python functions that define how an op is partitioned (spec: jax-execution, 1.2).

`user_partition` calls the function that JAX keeps under the key of a `CustomSPMDPartitioning` call. It is reachable
only through JAX's own callback for XLA. JAX's reader of XLA's shardings is the only other private name here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
from jax.extend.mlir import ir
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec, use_abstract_mesh
from jaxlib import xla_client

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.jax_internals import custom_partitioning, sharding_impls
from sdy.passes.executable.user_partitions import CUSTOM_PARTITIONING, Tensor, UserPartition, asks_users
from sdy.running.boundary import dtype_of

if TYPE_CHECKING:
    from jaxlib._jax import HloSharding, Shape


@asks_users(CUSTOM_PARTITIONING)
def user_partition(
    key: str, operands: Sequence[Tensor], results: Sequence[Tensor], mesh_name: str, mesh: Mesh
) -> UserPartition:
    """Calls the function under `key` with shardings that it may keep or change.

    Errors of the function are passed on. Raises `ValueError` if it returns a sharding that the mesh does not have, and
    `KeyError` if the program that JAX traced is gone.
    """
    # Shardings are told by sizes alone, and a program may be compiled for devices that are not there.
    sizes, names = tuple(axis.size for axis in mesh.axes), tuple(axis.name for axis in mesh.axes)
    jax_mesh = AbstractMesh(sizes, names, axis_types=(AxisType.Auto,) * len(names))
    result_shapes, result_shardings = [_shape(one) for one in results], [_hlo(one, mesh, jax_mesh) for one in results]
    is_tuple = len(results) != 1
    result_shape = xla_client.Shape.tuple_shape(result_shapes) if is_tuple else result_shapes[0]
    # A part of a device is on no mesh: explicit axes of the caller's would add constraints.
    with use_abstract_mesh(AbstractMesh((), ())):
        bytecode, chosen, chosen_result = custom_partitioning._custom_partitioning_partition(
            [_shape(one) for one in operands],
            [_hlo(one, mesh, jax_mesh) for one in operands],
            result_shape,
            xla_client.HloSharding.tuple_sharding(result_shape, result_shardings) if is_tuple else result_shardings[0],
            key.encode(),
        )
    chosen_results = chosen_result.tuple_elements() if is_tuple else [chosen_result]
    return UserPartition(
        _text(bytecode),
        tuple(_sharding(one, len(x.shape), mesh_name, jax_mesh) for one, x in zip(chosen, operands, strict=True)),
        tuple(
            _sharding(one, len(x.shape), mesh_name, jax_mesh) for one, x in zip(chosen_results, results, strict=True)
        ),
    )


def _shape(tensor: Tensor) -> Shape:
    return xla_client.Shape.array_shape(dtype_of(tensor.element), tensor.shape)


def _hlo(tensor: Tensor, mesh: Mesh, jax_mesh: AbstractMesh) -> HloSharding:
    """Return the sharding without parts of axes, which JAX cannot name, and without axes that do not divide."""
    spec = [_whole_axes(axes, size, mesh) for axes, size in zip(tensor.sharding.dim_axes, tensor.shape, strict=True)]
    return NamedSharding(jax_mesh, PartitionSpec(*spec))._to_xla_hlo_sharding(len(tensor.shape))


def _whole_axes(axes: Sequence[AxisRef], size: int, mesh: Mesh) -> tuple[str, ...] | None:
    names: list[str] = []
    for axis in axes:
        size, rest = divmod(size, axis.size(mesh.axis_sizes))
        if rest or axis.sub_axis is not None:
            break
        names.append(axis.name)
    return tuple(names) or None


def _sharding(hlo: HloSharding, rank: int, mesh_name: str, jax_mesh: AbstractMesh) -> TensorSharding:
    entries = tuple(sharding_impls.parse_flatten_op_sharding(hlo, jax_mesh)[0])
    dims = [() if entry is None else (entry,) if isinstance(entry, str) else entry for entry in entries]
    dims += [()] * (rank - len(dims))
    return TensorSharding.from_axes(mesh_name, [map(AxisRef, names) for names in dims])


def _text(bytecode: bytes) -> str:
    context = _xla_context()
    with context:
        return str(ir.Module.parse(bytecode, context).operation.get_asm(enable_debug_info=True))


def _xla_context() -> ir.Context:
    """A context of jaxlib's MLIR with the dialects that JAX's programs use."""
    module = jax.jit(lambda: 0).lower().compiler_ir("stablehlo")
    assert isinstance(module, ir.Module)
    return module.context
