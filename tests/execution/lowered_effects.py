"""The programs of `effect_programs` as text, lowered for a platform that need not be there."""

from __future__ import annotations

from functools import cache
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
from jax._src.interpreters import mlir
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from tests.execution.effect_programs import PROGRAMS, Log
from tests.execution.random_effects import square_mesh


class _Client:
    """Stands for the client of a platform: what it makes of callbacks goes into executables, not into programs."""

    def make_python_callback_from_host_send_and_recv(self, *arguments: Any) -> object:
        return object()

    def __getattr__(self, name: str) -> Any:
        return getattr(jax.devices()[0].client, name)


@cache
def lowered(name: str, platform: str) -> str | None:
    """The program of that name for "cpu", "cuda" or "tpu"; None if JAX does not lower it for that."""
    mesh = square_mesh()
    x = jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=NamedSharding(mesh, P("data", "model")))
    with mock.patch.object(mlir.ModuleContext, "get_backend", lambda *_, **__: _Client()):
        traced = jax.jit(PROGRAMS[name](Log(), mesh)).trace(x)
        try:
            return traced.lower(lowering_platforms=(platform,)).as_text(debug_info=True)
        except NotImplementedError:
            return None
