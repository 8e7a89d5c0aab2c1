"""What goes into `@main` and what comes out: global and local types, shardings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import arg_shardings, result_shardings
from sdy.mesh_translation import on_mesh
from sdy.mlir import ir

TOKEN = "!stablehlo.token"


@dataclass(frozen=True, slots=True)
class Boundary:
    """An argument or a result of `@main`.

    `element` is the MLIR element type ("f32", "i1", "complex<f32>" ...), `shape` the global, `local_shape` the
    per-device shape, `sharding` refers to the mesh of the program by value. `given` is the sharding outside of the
    program, on a mesh of its own, if that mesh has it not. A token, by which programs keep the order of their effects,
    has `TOKEN` for an element and no dimensions; every device has its own.
    """

    element: str
    shape: tuple[int, ...]
    local_shape: tuple[int, ...]
    sharding: TensorSharding
    given: TensorSharding | None = None

    @property
    def is_token(self) -> bool:
        return self.element == TOKEN

    @property
    def is_empty(self) -> bool:
        """Whether there are no elements. XLA takes such operands of a manual region away, and stumbles over it."""
        return 0 in self.shape

    @property
    def type(self) -> str:
        """The global type in MLIR syntax."""
        return tensor_type(self.shape, self.element)

    @property
    def local_type(self) -> str:
        """The type on one device in MLIR syntax."""
        return tensor_type(self.local_shape, self.element)


def arrays(boundaries: Iterable[Boundary]) -> list[Boundary]:
    """Those that are arrays: all but tokens."""
    return [one for one in boundaries if not one.is_token]


def tensor_type(shape: Sequence[int], element: str) -> str:
    """The type of arguments and results of that shape and element type, in MLIR syntax."""
    return TOKEN if element == TOKEN else f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def check_boundary(main: Any, meshes: MeshTable) -> None:
    """Refuses what cannot be cut into equal shards.

    Raises `DiagnosticError` at the function for an argument or result that is no statically shaped tensor and no token,
    that lies on a single device, or that has a dimension which its shards do not divide.
    """
    function_type = main.attributes["function_type"].value
    sides = [
        ("argument", zip(function_type.inputs, arg_shardings(main), strict=True)),
        ("result", zip(function_type.results, result_shardings(main), strict=True)),
    ]
    numbered = [(f"{side} {number}", *pair) for side, pairs in sides for number, pair in enumerate(pairs)]
    for what, type_, sharding in numbered:
        if str(type_) == TOKEN:
            continue
        if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
            raise DiagnosticError(main, f"{what} has type {type_}, expected a statically shaped tensor or a token")
        mesh = sharding and meshes.of(sharding)
        if sharding is None or mesh is None:
            continue
        if mesh.is_maximal:
            raise DiagnosticError(main, f"{what} lies on device {mesh.device_ids[0]} alone, expected it on all devices")
        _check_divisible(main, what, type_.shape, sharding, mesh)


def _check_divisible(main: Any, what: str, shape: Sequence[int], sharding: TensorSharding, mesh: Mesh) -> None:
    for position, (size, dim) in enumerate(zip(shape, sharding.dims, strict=True)):
        shards = dim.shards(mesh.axis_sizes)
        if size % shards:
            raise DiagnosticError(
                main, f"{what} has size {size} in dimension {position}, which its {shards} shards do not divide"
            )


def make_boundaries(
    main: Any, types: Sequence[Any], local_types: Sequence[Any], shardings: Sequence[TensorSharding], mesh: Mesh
) -> tuple[Boundary, ...]:
    """The arguments or results of `main` from their global types, local types and shardings.

    A sharding on another mesh over the same devices is written with the axes of `mesh`. Raises `DiagnosticError` at
    `main` if that is not possible.
    """
    return tuple(_boundary(main, *entry, mesh) for entry in zip(types, local_types, shardings, strict=True))


def _boundary(main: Any, type_: Any, local_type: Any, sharding: TensorSharding, mesh: Mesh) -> Boundary:
    if str(type_) == TOKEN:
        return Boundary(TOKEN, (), (), TensorSharding.closed(mesh, 0))
    own = sharding.mesh_or_ref
    assert isinstance(own, Mesh)
    if own.axes and own != mesh:
        translated = on_mesh(sharding, own, mesh)
        if translated is None:
            raise DiagnosticError(main, f"takes or returns a value with sharding {sharding}, which mesh{mesh} has not")
        sharding = translated
    return Boundary(str(type_.element_type), tuple(type_.shape), tuple(local_type.shape), sharding.with_mesh(mesh))
