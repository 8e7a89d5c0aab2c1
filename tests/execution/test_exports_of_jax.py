"""Modules and artifacts that releases of JAX since 2023 have exported, which the installed JAX has for its own tests.

Each is partitioned for the devices that it says it is for, and computes what JAX computes by it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
import pytest
from jax import export

import sdy
from sdy import execution
from sdy.mlir.diagnostics import DiagnosticError
from tests.depth import ALL

data = pytest.importorskip("jax._src.internal_test_util.export_back_compat_test_data", reason="a JAX without them")

SHARDED = ("annotate_data_placement", "shardy_sharding_ops_with_different_meshes", "tpu_Sharding")
ARTIFACTS = ("export_with_multiple_meshes", "export_with_specified_sharding", "export_with_unspecified_sharding")

UNSUPPORTED = re.compile(r"expected a statically shaped tensor|propagation takes static shapes only")
"""Of some modules arguments have dynamic shapes, of some calls the results are tuples."""


def modules(name: str) -> Iterator[str]:
    """The texts in a file, which holds them in dictionaries of dictionaries."""
    left: list[Any] = [value for key, value in vars(_file(name)).items() if key.startswith("data")]
    while left:
        found = left.pop()
        if isinstance(found, dict):
            left += found.values()
            if "mlir_module_text" in found:
                yield found["mlir_module_text"]


def _file(name: str) -> Any:
    if name not in NAMES:
        pytest.skip("this JAX does not have it")
    return importlib.import_module(f"{data.__name__}.{name}")


NAMES = sorted(each.name for each in pkgutil.iter_modules(data.__path__) if not each.ispkg)


@pytest.mark.parametrize("name", NAMES if ALL else SHARDED)
@pytest.mark.filterwarnings("ignore:.*custom call without a known sharding rule")
def test_modules(name: str) -> None:
    for text in modules(name):
        said = re.search(r"mhlo.num_partitions = (\d+)|devices=\[(\d+),1\]0,1", text)
        try:
            partitioned = sdy.partition(text)
        except DiagnosticError as error:
            assert UNSUPPORTED.search(str(error)), text
        else:
            assert partitioned.num_devices == (int(said[1] or said[2]) if said else 1), text


@pytest.mark.parametrize("name", ARTIFACTS)
def test_artifacts(name: str) -> None:
    pytest.importorskip("flatbuffers", reason="the artifacts of jax.export are read by it")
    found = _file(name).serializations
    for entry in found if ALL else found[:1]:
        exported = export.deserialize(entry["exported_serialized"])
        partitioned = sdy.partition(exported)
        if any(one.element == "i64" for one in partitioned.arguments):
            continue  # which JAX gives in its mode of 64 bits alone
        assert partitioned.num_devices == exported.nr_devices == 2
        shapes = [aval.shape for aval in exported.in_avals]
        inputs = [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes]
        mesh = jax.make_mesh((2,), ("x",), devices=jax.devices()[:2])
        placed = [jax.device_put(one, jax.NamedSharding(mesh, jax.P())) for one in inputs]
        positional, keywords = jax.tree.unflatten(exported.in_tree, placed)
        wanted = jax.tree.leaves(jax.jit(exported.call)(*positional, **keywords))
        if len(partitioned.arguments) > len(inputs):  # for several platforms: which of them it is, comes first
            inputs.insert(0, np.array(exported.platforms.index("cpu"), dtype=np.int32))
        for have, want in zip(execution.compile(partitioned)(*inputs), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(have), np.asarray(want), rtol=1e-6)
