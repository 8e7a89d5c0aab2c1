"""Programs are partitioned and run beside tensorflow, which shows its LLVM to all libraries that are loaded later."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.depth import ALL

FOLDER = os.environ.get("SDY_TENSORFLOW", "")
"""Where it is installed apart from the environment (see `make check-all`)."""

IS_THERE = Path(FOLDER, "tensorflow").is_dir() if FOLDER else importlib.util.find_spec("tensorflow") is not None

PROGRAM = '''
import os, sys
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
sys.path += [folder for folder in [os.environ.get("SDY_TENSORFLOW")] if folder]
{first}
import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
import sdy.jax
{second}
mesh = jax.make_mesh((8,), ("x",), axis_types=(AxisType.Auto,))
x = jax.device_put(np.ones((16, 4), np.float32), NamedSharding(mesh, P("x")))
assert sdy.jax.jit(lambda x: x.sum())(x) == 64
module = sdy.parse("""func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}""")
sdy.run(module, "canonicalize,cse,inline")
try:
    sdy.parse("func.func @f() -> i32 {{ return }}")
except sdy.DiagnosticError:
    assert float(tensorflow.reduce_sum(tensorflow.ones((3, 3)))) == 9
    print("right")
'''
IMPORT = "import tensorflow"
ORDERS = {
    "tensorflow first": PROGRAM.format(first=IMPORT, second=""),
    "tensorflow behind the bindings": PROGRAM.format(first="import sdy.mlir.loading", second=IMPORT),
    "tensorflow behind JAX": PROGRAM.format(first="", second=IMPORT),
}


@pytest.mark.skipif(not ALL, reason="loads tensorflow three times")
@pytest.mark.skipif(not IS_THERE, reason="needs tensorflow-cpu, which `make check-all` installs")
@pytest.mark.parametrize("order", ORDERS)
def test_beside_tensorflow(order: str) -> None:
    done = subprocess.run([sys.executable, "-c", ORDERS[order]], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr[-2000:]
