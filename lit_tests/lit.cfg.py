"""lit configuration: `lit lit_tests`, or `lit lit_tests/passes/importing/lift_inlined_meshes.mlir` for one file.

`sdy-opt`, `sdy-run`, `sdy-hlo`, `sdy-auto`, `sdy-report` and `filecheck` in RUN lines are those of the environment
that lit itself runs in. They run in forks of one process that has imported them (`tool_server/`), unless
SDY_LIT_PLAIN is set in the environment.

The names `config` and `lit_config` come from lit.
"""

import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import lit.formats

root = Path(__file__).parent
packages = getattr(config, "sdy_packages_dir", None)  # set by CMake's lit.site.cfg.py
exec_root = getattr(config, "sdy_exec_root", root.parent / "build" / "lit")

config.name = "sdy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".hlo"]
config.excludes = ["Inputs", "tool_server"]
config.test_source_root = str(root)
config.test_exec_root = str(exec_root)

if tuple(map(int, version("jaxlib").split(".")[:2])) >= (0, 12):
    config.available_features.add("jaxlib-0.12")  # which writes bytecode of all ops of sdy

# Which sdy package is tested: CMake's build tree, else PYTHONPATH's, else the installed one.
search_path = [str(packages)] if packages else []
search_path += filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
if search_path:
    config.environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, search_path))
config.environment["JAX_PLATFORMS"] = os.environ.get("JAX_PLATFORMS", "cpu")


def tool_server() -> Path | None:
    """Starts the process that runs the tools, and gives the path of its socket; None where there can be none."""
    if "SDY_LIT_PLAIN" in os.environ or not hasattr(os, "fork"):
        return None
    socket = Path(tempfile.mkdtemp(prefix="sdy-lit-")) / "socket"
    command = [sys.executable, str(root / "tool_server" / "server.py"), str(socket)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | config.environment)
    while not socket.exists():
        if server.poll() is not None:
            lit_config.fatal("the process that runs the tools does not start; SDY_LIT_PLAIN=1 does without it")
        time.sleep(0.01)
    lit_config.sdy_server = server  # its standard input stays open, and it alive, as long as lit
    return socket


def command(tool: str, module: str) -> str:
    """What stands in a RUN line for the name of a tool, which is `python -m module`."""
    if server is None:
        return f'"{sys.executable}" -m {module}'.replace("\\", "\\\\")
    return f'"{sys.executable}" -I -S "{root / "tool_server" / "client.py"}" "{server}" {tool}'


server = tool_server()
# A tool's name counts where a command starts, never inside a flag or a file name.
tools = {
    "sdy-opt": "sdy.tools.sdy_opt",
    "sdy-run": "sdy.tools.sdy_run",
    "sdy-hlo": "sdy.tools.sdy_hlo",
    "sdy-auto": "sdy.tools.sdy_auto",
    "sdy-report": "sdy.tools.sdy_report",
    "filecheck": "filecheck",
}
for tool, module in tools.items():
    config.substitutions.append((rf"(?<![-\w./]){tool}(?![-\w./])", command(tool, module)))
