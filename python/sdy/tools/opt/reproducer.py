"""`--mlir-pass-pipeline-crash-reproducer`: a module with the passes that fail on it, for `--run-reproducer`.

The file has the form of upstream's tool: the module as text, and behind it the pipeline as an external resource. It is
written before the passes run and removed after their success, so that it remains if the process dies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.steps import PipelineError, Step, parse_pipeline
from sdy.programs.sources import remove_file, write_file

_RESOURCE = re.compile(r"^\{-#.*?\bmlir_reproducer\s*:\s*\{(.*?)\}", re.DOTALL | re.MULTILINE)
_PIPELINE = re.compile(r'\bpipeline\s*:\s*("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Reproducer:
    """The file to write; `verifies` tells whether the passes run with verification."""

    path: str
    verifies: bool

    def write(self, module: ir.Module | ir.Operation, steps: Sequence[Step]) -> None:
        """Write the module and the passes to the file."""
        pipeline = f"builtin.module({','.join(map(str, steps))})"
        text = print_module(module, PrintOptions(debug_info=True)).rstrip("\n")
        write_file(self.path, (text + _resource(pipeline, self.verifies)).encode("utf-8", "replace"))

    def remove(self) -> None:
        """Remove the file."""
        remove_file(self.path)


@dataclass(slots=True)
class LocalReproducer:
    """Writes the input module of the failing pass, with that pass alone."""

    file: Reproducer
    module: ir.Module | ir.Operation
    verifies: bool = False

    def before(self, step: Step, op: ir.Operation) -> None:
        """Write the module as the pass gets it."""
        self.file.write(self.module, [step])

    def after(self, step: Step, op: ir.Operation) -> None:
        """Remove the file: the pass did not fail."""
        self.file.remove()

    def failed(self, step: Step, op: ir.Operation) -> None:
        """Keep the file."""


def steps_of(text: str) -> tuple[Step, ...]:
    """The passes that a reproducer runs.

    Raises:
      PipelineError: the text has none, or the pipeline does not parse.
    """
    resource = _RESOURCE.search(text)
    found = _PIPELINE.search(resource[1]) if resource else None
    if found is None:
        raise PipelineError("the input is not a reproducer: it has no resource 'mlir_reproducer' with a pipeline")
    return tuple(parse_pipeline(json.loads(found[1])))


def _resource(pipeline: str, verifies: bool) -> str:
    return f"""

{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: {json.dumps(pipeline)},
      disable_threading: true,
      verify_each: {str(verifies).lower()}
    }}
  }}
#-}}
"""
