"""sdy-save-module: writes the module to a file, for debugging.

    sdy-save-module{directory=dump file-name=before_propagation index=2}
==> dump/02.before_propagation.mlir
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from sdy.dialect.assembly import print_module
from sdy.mlir import ir
from sdy.passes.options import option
from sdy.passes.registry import pass_


@dataclass(frozen=True)
class Options:
    directory: str = option("", "where to write; nothing is written if empty")
    file_name: str = option("module", "file name without its suffix")
    index: int = option(-1, "number in front of the file name; none if negative")


@pass_("sdy-save-module", on="builtin.module", options=Options)
def save_module(module: ir.Operation, options: Options) -> None:
    """Spec: import-passes, 6.2. A file that cannot be written is reported on standard error, nothing more."""
    if not options.directory:
        return
    number = "" if options.index < 0 else f"{options.index:02}."
    path = Path(options.directory) / f"{number}{options.file_name}.mlir"
    try:
        path.write_text(print_module(module))
    except OSError as error:
        print(f"could not write {path}: {error.strerror}", file=sys.stderr)
