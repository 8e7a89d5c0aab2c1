"""``python -m sdy TOOL ...``: the command-line tools, where their folder is not on the path."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

TOOLS = {
    "opt": ("sdy.tools.sdy_opt", "reads a module, runs passes on it, prints it"),
    "run": ("sdy.tools.sdy_run", "partitions a module, runs it on several devices, compares with one"),
    "auto": ("sdy.tools.sdy_auto", "finds shardings for a module, reports their cost"),
    "report": ("sdy.tools.sdy_report", "writes a page about a module for a browser"),
    "hlo": ("sdy.tools.sdy_hlo", "reads, checks, converts and prints HLO text"),
}
"""The tools by name: the module whose `main` each is, and what it does."""


def main() -> int:
    """Runs the tool that the command line names; returns its exit code."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name.removeprefix("sdy-") in TOOLS:
        tool = name.removeprefix("sdy-")
        sys.argv[:2] = [f"sdy-{tool}"]
        return import_module(TOOLS[tool][0]).main()
    return import_module("sdy.tools.outermost").run_tool("sdy", partial(_overview, name), None, "")


def _overview(name: str, _: Sequence[str]) -> int:
    lines = ["usage: python -m sdy TOOL ...", "", "tools (each has a --help of its own):"]
    lines += [f"  {each:6}  as sdy-{each}: {what}" for each, (_, what) in TOOLS.items()]
    if name in ("", "-h", "--help", "-help", "help"):
        print("\n".join(lines))
        return 0
    print(f"sdy: error: there is no tool '{name}'; there are {', '.join(TOOLS)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
