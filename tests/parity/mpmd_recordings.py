"""What single C++ passes on programs of several meshes gave: recorded, because few jaxlibs let them be run alone.

    python -m tests.parity.mpmd_recordings PASS FILE...        # records what C++ makes of the modules in the files
    python -m tests.parity.mpmd_recordings --compare PASS FILE...   # shows where we part from it, and records nothing

PASS is ``name`` or ``name{options}``, a blank separates several that run one after the other. A file holds modules that
``// -----`` separates. The recordings of a pass are in `mpmd_recordings/NAME.mlir`; what C++ refused is recorded as
such.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sdy
from sdy.dialect.assembly import print_module
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.programs.parsing import parse_in_lean
from tests import oracle

FOLDER = Path(__file__).with_suffix("")
REFUSED = "// refused"
_SPLIT, _RUN, _RESULT = "// -----\n", "// RUN ", "// ==>\n"


@dataclass(frozen=True)
class Recording:
    """One run of C++.

    Attributes:
      passes: what ran, with options.
      program: what it ran on.
      result: the module that came of it, or `REFUSED`.
    """

    passes: tuple[str, ...]
    program: str
    result: str

    def __str__(self) -> str:
        return f"{_RUN}{shlex.join(self.passes)}\n{self.program.strip()}\n{_RESULT}{self.result.strip()}\n"


def recordings(path: Path) -> Iterator[Recording]:
    """The recordings in a file."""
    for text in path.read_text(encoding="utf-8").split(_SPLIT):
        run, _, rest = text.removeprefix(_RUN).partition("\n")
        program, _, result = rest.partition(_RESULT)
        yield Recording(tuple(shlex.split(run)), program, result.strip())


def reference_name(name: str) -> str:
    """What the reference calls a pass; some are pieces of pipelines that have their options in their names."""
    schedule = re.fullmatch(r"mpmd-pipeline-scheduler\{must-happen-before=(\w+)\}", name)
    if schedule is not None:
        return f"+schedule:{schedule[1]}"
    if name == "mpmd-sharding-propagation-pipeline":
        return "+sharding-propagation"
    if not name.startswith("mpmd-infer-mesh-pipeline"):
        return name
    chosen = [short for short in ("transfers", "reductions") if f"{short}=true" in name]
    return "+infer-mesh" + (f":{','.join(chosen)}" if chosen else "")


def record(passes: tuple[str, ...], program: str) -> Recording | None:
    """Runs C++; None if it crashes, gives up without a word, or leaves an invalid module."""
    try:
        result = oracle.reference(program, *map(reference_name, passes))
        sdy.parse(result)
        return Recording(passes, program, result)
    except DiagnosticError:
        return None
    except oracle.ReferenceCrashed:
        return None
    except oracle.ReferenceFailed as error:
        return Recording(passes, program, REFUSED) if "error:" in str(error) else None


def ours(passes: tuple[str, ...], program: str) -> str:
    """What our passes of these names make of a program, or what they say against it."""
    module = parse_in_lean(program)
    try:
        with collecting(lambda _: None):
            sdy.run(module, *passes)
    except DiagnosticError as error:
        return f"{REFUSED}: {error}"
    return print_module(module)


def difference(one: Recording) -> str | None:
    """Where we part from a recording: our result; None if it is the same."""
    got = ours(one.passes, one.program)
    if one.result == REFUSED:
        return None if got.startswith(REFUSED) else got
    return None if not got.startswith(REFUSED) and got == print_module(sdy.parse(one.result)) else got


def file_of(passes: tuple[str, ...]) -> Path:
    """The file with the recordings of a pass; of several that of the last one."""
    return FOLDER / f"{re.sub(r'[^a-z0-9-]', '', passes[-1].partition('{')[0])}.mlir"


def save(found: list[Recording]) -> None:
    """Adds recordings to their files, in place of earlier ones of the same runs."""
    for path in dict.fromkeys(file_of(one.passes) for one in found):
        kept = {(one.passes, one.program.strip()): one for one in recordings(path)} if path.exists() else {}
        kept |= {(one.passes, one.program.strip()): one for one in found if file_of(one.passes) == path}
        path.write_text(_SPLIT.join(map(str, kept.values())), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.parity.mpmd_recordings", description=__doc__)
    parser.add_argument("--compare", action="store_true", help="show differences, record nothing")
    parser.add_argument("passes", help="passes, separated by blanks that are not in braces")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    passes = tuple(re.findall(r"[^\s{]+(?:\{[^}]*\})?", arguments.passes))
    found, failures = [], 0
    for path in arguments.files:
        for number, text in enumerate(re.split(r"^// -----.*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)):
            one = record(passes, re.sub(r"^//.*\n", "", text, flags=re.MULTILINE))
            if one is None:
                print(f"{path}, {number}: C++ crashed")
                continue
            found.append(one)
            got = difference(one) if arguments.compare else None
            if got is not None:
                failures += 1
                print(f"{path}, {number}: expected\n{one.result}\n{'-' * 20} got\n{got}")
    if not arguments.compare:
        save(found)
    print(f"{len(found)} runs of C++, {failures} differences")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
