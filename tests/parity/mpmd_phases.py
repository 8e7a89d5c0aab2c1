"""Whole phases of C++ Shardy:MPMD on training steps that JAX lowered: recorded, since no pass manager runs them.

    python -m tests.parity.mpmd_phases            # records the phases of the programs in `mpmd_phases_recordings`
    python -m tests.parity.mpmd_phases --compare  # shows where we part from C++, and records nothing

A program begins with a comment of JSON: its meshes, assignment and donated arguments, and the ways in which it is
scheduled. What is recorded of a result is a digest of its text, as we print it.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sdy
from sdy.dialect.assembly import print_module
from sdy.dialect.definition.attributes import attr_of
from sdy.dialect.mpmd.values import NamedMesh, Topology
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.functions import main_function, set_entry
from sdy.passes.manager import run_pipeline
from sdy.passes.registry import step

FOLDER = Path(__file__).with_name("mpmd_phases_recordings")
_DIGESTS = FOLDER / "digests.json"
_MARK = "@@RESULT@@"


@dataclass(frozen=True)
class Program:
    """A training step.

    Attributes:
      name: the file without its suffix.
      text: what JAX lowered.
      about: `meshes` with their axes, `assign` names to ``mesh`` or ``mesh/stage``, `donate` numbers of arguments,
        `ways`: schedule, whether backward fragments are split, and whether forward ones are computed again.
    """

    name: str
    text: str
    about: dict[str, Any]


def programs() -> list[Program]:
    """The recorded programs."""
    found = []
    for path in sorted(FOLDER.glob("*.mlir")):
        head, _, text = path.read_text(encoding="utf-8").partition("\n")
        found.append(Program(path.stem, text, json.loads(head.removeprefix("// "))))
    return found


def recorded() -> dict[str, dict[str, str]]:
    """By program and phase: the digest of what C++ made."""
    return json.loads(_DIGESTS.read_text(encoding="utf-8"))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def ours(program: Program) -> Iterator[tuple[str, str]]:
    """The name of each phase and the text of our module behind it."""
    imported: dict[bool, str] = {}
    for schedule, is_split, is_remat in program.about["ways"]:
        if is_split not in imported:
            imported[is_split] = _imported(program, is_split)
            yield f"import {is_split}", imported[is_split]
        module = sdy.parse(imported[is_split])
        key = f"{schedule} {is_split} {is_remat}"
        with collecting(lambda _: None):
            run_pipeline(module, [step("mpmd-optimize-pipeline", pipeline_schedule=schedule, remat_fragments=is_remat)])
            yield f"optimize {key}", print_module(module)
            run_pipeline(module, [step("mpmd-sharding-propagation-pipeline"), step("mpmd-export-pipeline")])
        yield f"partition {key}", print_module(module)


def _imported(program: Program, is_split: bool) -> str:
    module, about = sdy.parse(program.text), program.about
    with module.context:
        main = main_function(module.operation)
        main.attributes["topology"] = attr_of(Topology(tuple(map(_named_mesh, about["meshes"]))))
        for number in about["donate"]:
            entry = ir.DictAttr(ir.ArrayAttr(main.attributes["arg_attrs"])[number])
            if "tf.aliasing_output" not in entry and "jax.buffer_donor" not in entry:
                set_entry(main, "arg_attrs", number, "jax.buffer_donor", ir.BoolAttr.get(True))
    names = tuple(f"{name}@{mesh}" for name, mesh in about["assign"].items())
    imports = step(
        "mpmd-import-pipeline",
        name_to_mesh_assignment=names,
        infer_transfers=about["options"].get("mpmd_infer_transfers", False),
        split_bwd_fragments=is_split,
    )
    with collecting(lambda _: None):
        run_pipeline(module, [imports])
    return print_module(module)


def _named_mesh(named: tuple[str, list[tuple[str, int]]]) -> NamedMesh:
    name, axes = named
    return NamedMesh(name, Mesh(tuple(MeshAxis(axis, size) for axis, size in axes)))


# C++ ---------------------------------------------------------------------------------------------


def reference(program: Program) -> dict[str, str]:
    """The text of the module of C++ behind each phase, as we print it."""
    request = json.dumps({"text": program.text, **program.about})
    run = subprocess.run(
        [sys.executable, "-m", __spec__.name, "--child"], input=request, capture_output=True, text=True, check=True
    )
    return {key: print_module(sdy.parse(text)) for key, text in json.loads(run.stdout.partition(_MARK)[2]).items()}


def _child() -> None:
    """Answer one request, in a process that C++ may end."""
    import jax  # noqa: F401  (brings the modules that the binding asks for)
    import jaxlib.mlir.ir as theirs
    from jax._src.interpreters import mlir

    # The binding imports its types from the package that it was once part of.
    sys.modules.update({f"jax.{name}": one for name, one in sys.modules.items() if name.split(".")[0] == "jaxlib"})
    from jaxlib import _sdy_mpmd as binding  # pyright: ignore[reportAttributeAccessIssue]
    from jaxlib.mlir._mlir_libs import _sdyMpmd as dialect

    asked = json.load(sys.stdin)
    names = {name: mesh.partition("/") for name, mesh in asked["assign"].items()}
    assignment = {name: (mesh, int(stage)) if stage else mesh for name, (mesh, _, stage) in names.items()}
    meshes = [(name, [tuple(axis) for axis in axes]) for name, axes in asked["meshes"]]

    def apply(module: Any, phase: str, options: dict[str, Any]) -> Any:
        done = binding.apply_mpmd_partitioning(
            *(module, "main", meshes, assignment, [], [], asked["donate"]),
            partitioning_options=options,
            fragment_merge_rules=[],
            fragment_schedule_rules=[],
            phases=getattr(binding.PartitioningPhase, phase.upper()),
        )
        return done.mpmd_module

    found: dict[str, str] = {}
    with mlir.make_ir_context() as context:
        dialect.register_dialect(context)
        for schedule, is_split, is_remat in asked["ways"]:
            options = {**asked["options"], "mpmd_pipeline_schedule": schedule}
            options |= {"mpmd_split_bwd_fragments": is_split, "mpmd_fragment_remat": is_remat}
            module = apply(theirs.Module.parse(asked["text"]), "import", options)
            found[f"import {is_split}"] = str(module)
            for phase in ("optimize", "partition"):
                module = apply(module, phase, options)
                found[f"{phase} {schedule} {is_split} {is_remat}"] = str(module)
    print(f"\n{_MARK}{json.dumps(found)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.parity.mpmd_phases", description=__doc__)
    parser.add_argument("--compare", action="store_true", help="show differences, record nothing")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        _child()
        return 0
    found, failures = {}, 0
    for program in programs():
        theirs = reference(program)
        found[program.name] = {key: digest(text) for key, text in theirs.items()}
        for key, text in ours(program):
            failures += text != theirs[key]
            if text != theirs[key] and arguments.compare:
                print(f"{program.name}, {key}:")
                print("\n".join(difflib.unified_diff(theirs[key].split("\n"), text.split("\n"), lineterm="")))
    if not arguments.compare:
        _DIGESTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{sum(map(len, found.values()))} results of C++, {failures} differences")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
