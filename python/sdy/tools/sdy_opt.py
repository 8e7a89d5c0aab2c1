"""sdy-opt: reads a module, runs passes on it, prints it; with mlir-opt's habits.

Requests for help are answered here; the tool is loaded for anything else.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from sdy.tools.flags import quick_answer
from sdy.tools.outermost import run_tool

TOOL = "sdy.tools.opt.opt_tool"
"""The module that does the work, and loads MLIR."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool with the given or the process's arguments; return the exit code."""
    answer = quick_answer(sys.argv[1:] if argv is None else argv)
    if answer is None:
        return import_module(TOOL).main(argv)
    return run_tool("sdy-opt", lambda _: print(answer) or 0, argv, "")


if __name__ == "__main__":
    sys.exit(main())
