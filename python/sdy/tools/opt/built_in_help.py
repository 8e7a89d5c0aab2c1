"""Answer `--version` and `--help` of `sdy-opt` without loading MLIR, where no other package adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path

import sdy
from sdy.tools.flags import parser

BUILT_IN = Path(__file__).with_name("built_in_passes.txt")
"""The passes of this package, as the help lists them."""

EXTENSIONS = "sdy.extensions"


def quick_answer(argv: Sequence[str]) -> str | None:
    """Return the answer to a command line that only asks for the version or the help; None to any other."""
    if len(argv) != 1:
        return None
    flag = argv[0]
    if flag in ("--version", "-version"):
        return f"sdy-opt {sdy.__version__}"
    if flag in ("--help", "-help", "-h") and not entry_points(group=EXTENSIONS):
        return parser(BUILT_IN.read_text(encoding="utf-8").rstrip("\n")).format_help()
    return None
