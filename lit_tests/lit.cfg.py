"""lit configuration: `lit lit_tests`, or `lit lit_tests/passes/importing/lift_inlined_meshes.mlir` for one file.

`sdy-opt`, `sdy-run` and `filecheck` in RUN lines are those of the environment that lit itself runs in. Every one of
them starts Python (0.1 s to 0.5 s), so functions that share a RUN line share a file.

The names `config` and `lit_config` come from lit.
"""

import os
import sys
from pathlib import Path

import lit.formats

root = Path(__file__).parent
packages = getattr(config, "sdy_packages_dir", None)  # set by CMake's lit.site.cfg.py
exec_root = getattr(config, "sdy_exec_root", root.parent / "build" / "lit")

config.name = "sdy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = str(root)
config.test_exec_root = str(exec_root)

# Which sdy package is tested: CMake's build tree, else PYTHONPATH's, else the installed one.
search_path = [str(packages)] if packages else []
search_path += filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
if search_path:
    config.environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, search_path))
config.environment["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS", "cpu")


def module(name: str, arguments: str = "") -> str:
    """The command that runs a Python module with lit's own interpreter."""
    return f'"{sys.executable}" {arguments} -m {name}'.replace("\\", "\\\\")


# A tool's name counts where a command starts, never inside a flag or a file name.
for tool, command in {
    "sdy-opt": module("sdy.tools.sdy_opt"),
    "sdy-run": module("sdy.tools.sdy_run"),
    "filecheck": module("filecheck"),
}.items():
    config.substitutions.append((rf"(?<![-\w./]){tool}(?![-\w./])", command))
