"""The texts of the JAX programs: lowered when first asked for, then read from a cache that is not checked in.

from tests.data.generate import names, program
text = program("transformer_2")

python -m tests.data.generate                     # fills the cache
python -m tests.data.generate transformer_24 cnn  # these only
python -m tests.data.generate --print cnn         # to standard output
"""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).parent
CACHE = FOLDER / "cache"
DEVICES = 8


@functools.cache
def names() -> tuple[str, ...]:
    """All programs, sorted."""
    from tests.data.programs import load

    return tuple(load())


def program(name: str) -> str:
    """The StableHLO text of a program, as this environment's JAX lowers it."""
    path = _path(name)
    if not path.exists():
        _fill([name])
    return path.read_text()


def _path(name: str) -> Path:
    return cache_folder() / f"{name}.mlir"


def cache_folder() -> Path:
    """Where texts are kept: another release of JAX or another source of a program means another folder."""
    sources = sorted((FOLDER / "programs").glob("*.py"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    return CACHE / f"jax-{metadata.version('jax')}-{digest}"


def _fill(wanted: list[str]) -> None:
    """Lowers programs in a process of its own, which has the number of devices that they are for."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}"
    environment = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags.strip(), "SDY_LOWER": "1"}
    command = [sys.executable, "-m", "tests.data.generate", *wanted]
    subprocess.run(command, check=True, env=environment, cwd=FOLDER.parents[1])


def _lower(wanted: list[str]) -> None:
    from tests.data.programs import load

    programs = load()
    for name in wanted or names():
        path = _path(name)
        if path.exists():
            continue
        started = time.monotonic()
        text = str(programs[name]().compiler_ir("stablehlo"))
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(text)
        unfinished.rename(path)
        print(f"{name}: {len(text):,} characters, {time.monotonic() - started:.1f} s", file=sys.stderr)


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--print"]:
        print("".join(map(program, arguments[1:])), end="")
    elif os.environ.get("SDY_LOWER"):
        _lower(arguments)
    else:
        _fill(arguments)


if __name__ == "__main__":
    main()
