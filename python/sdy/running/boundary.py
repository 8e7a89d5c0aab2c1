"""Arguments and results of `@main`: global types, local types, shardings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from sdy.dialect.mesh_translation import on_mesh
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir.diagnostics import DiagnosticError

if TYPE_CHECKING:
    from sdy.mlir import ir


TOKEN = "!stablehlo.token"


@dataclass(frozen=True, slots=True)
class Boundary:
    """An argument or a result of `@main`.

    `element` is the MLIR element type ("f32", "i1", "complex<f32>" ...), `shape` the global, `local_shape` the
    per-device shape, `sharding` contains the mesh of the program. `given` is the sharding outside of the program, on
    its own mesh, if the program's mesh cannot express it. A token, which orders effects, has `TOKEN` for an element and
    no dimensions; every device has its own.
    """

    element: str
    shape: tuple[int, ...]
    local_shape: tuple[int, ...]
    sharding: TensorSharding
    given: TensorSharding | None = None

    @property
    def is_token(self) -> bool:
        """Return whether it is a token."""
        return self.element == TOKEN

    @property
    def is_empty(self) -> bool:
        """Return whether a tensor has no elements. XLA removes such operands of a manual region, and then fails."""
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
    """Return the boundaries that are arrays, not tokens."""
    return [one for one in boundaries if not one.is_token]


def tensor_type(shape: Sequence[int], element: str) -> str:
    """The type of arguments and results of that shape and element type, in MLIR syntax."""
    return TOKEN if element == TOKEN else f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def make_boundaries(
    main: ir.Operation,
    types: Sequence[ir.Type],
    local_types: Sequence[ir.Type],
    shardings: Sequence[TensorSharding],
    mesh: Mesh,
) -> tuple[Boundary, ...]:
    """The arguments or results of `main` from their global types, local types and shardings.

    A sharding on another mesh over the same devices is written with the axes of `mesh`. Raises `DiagnosticError` at
    `main` if that is not possible.
    """
    return tuple(_boundary(main, *entry, mesh) for entry in zip(types, local_types, shardings, strict=True))


def _boundary(
    main: ir.Operation, type_: ir.Type, local_type: ir.Type, sharding: TensorSharding, mesh: Mesh
) -> Boundary:
    if not (_is_array(type_) and _is_array(local_type)):
        return Boundary(TOKEN, (), (), TensorSharding.closed(mesh, 0))
    own = sharding.mesh_or_ref
    assert isinstance(own, Mesh)
    if own.axes and own != mesh:
        translated = on_mesh(sharding, own, mesh)
        if translated is None:
            raise DiagnosticError(
                main, f"takes or returns a value with sharding {sharding}, which does not fit mesh{mesh}"
            )
        sharding = translated
    return Boundary(str(type_.element_type), tuple(type_.shape), tuple(local_type.shape), sharding.with_mesh(mesh))


def _is_array(type_: ir.Type) -> TypeGuard[ir.RankedTensorType]:
    """Return whether a type is not a token; by text, since kept programs run without the bindings."""
    return str(type_) != TOKEN


_COMPLEX = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}
_FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
_SMALL_FLOAT = re.compile(r"f\d+E\d+M\d+\w*")


@lru_cache(maxsize=128)
def dtype_of(element: str) -> np.dtype:
    """The NumPy type of an MLIR element type: "i1" bool, "i8" int8, "ui8" uint8, "f8E4M3FN" float8_e4m3fn ...

    Raises `ValueError` for a type that JAX's arrays cannot have.
    """
    if element == "i1":
        return np.dtype(bool)
    if element in _COMPLEX or element in _FLOATS:
        return np.dtype(_COMPLEX.get(element) or _FLOATS[element])
    import jax.numpy as jnp  # what is partitioned and not run needs no JAX

    name = element.removeprefix("s") if element.startswith("si") else element
    name = re.sub(r"^(u?)i(\d+)$", r"\1int\2", name)
    name = "bfloat16" if name == "bf16" else name
    if _SMALL_FLOAT.fullmatch(element):
        name = re.sub(r"^f(\d+)E(\d+)M(\d+)(\w*)$", r"float\1_e\2m\3\4", element).lower()
    found = getattr(jnp, name, None)
    if found is None:
        raise ValueError(f"JAX has no arrays of {element}")
    return np.dtype(found)
