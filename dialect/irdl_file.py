"""The dialect as an IRDL file, `dialect/sdy.irdl.mlir`, for tools that load dialects from files.

    sdy-opt program.mlir --mlir-print-irdl | mlir-opt --irdl-file=dialect/sdy.irdl.mlir

``python -m sdy.dialect.irdl_file FILE`` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import sdy.dialect.ops  # noqa: F401  (the declarations that are emitted)
from sdy.dialect.dialect import Sdy
from sdy.dialect.variadic import FILE_GROUPS
from sdy.mlir import PassManager, ir

_HEADER = "// The sdy dialect in IRDL, emitted from its Python declaration by `python -m sdy.dialect.irdl_file`.\n"


def irdl_text() -> str:
    """The text of the file."""
    with ir.Context(), ir.Location.unknown():
        module = Sdy.emit(FILE_GROUPS)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        lines = str(module).splitlines()
    return _HEADER + "\n".join(line.rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(irdl_text(), encoding="utf-8")
