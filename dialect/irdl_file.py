"""The dialects as IRDL files, for tools that load dialects from files.

    sdy-opt program.mlir --mlir-print-irdl | mlir-opt --irdl-file=dialect/sdy.irdl.mlir

A program with ops of both dialects needs both files behind each other in one. ``python -m sdy.dialect.irdl_file
FOLDER`` writes them into `dialect/`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sdy.dialect.definition.declared_ops import DIALECTS
from sdy.mlir.declared_dialects.emission import canonical_text
from sdy.mlir.declared_dialects.variadic import FILE_GROUPS

_HEADER = "// The {} dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_file`.\n"

PATHS: Mapping[str, str] = {"sdy": "sdy.irdl.mlir", "hlo_async": "hlo_async/hlo_async.irdl.mlir"}
"""Where the file of a dialect lies in the folder, by name of the dialect."""


def irdl_text(dialect: Any) -> str:
    """The text of the file of a dialect."""
    lines = canonical_text(dialect.emit, FILE_GROUPS).splitlines()
    return _HEADER.format(dialect.name) + "\n".join(line.rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    for each in DIALECTS:
        (Path(sys.argv[1]) / PATHS[each.name]).write_text(irdl_text(each), encoding="utf-8")
