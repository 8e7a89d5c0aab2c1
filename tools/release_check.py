"""Rehearse a release in a clean clone: the steps of docs/releasing.md that a machine can do, each with its result.

    python tools/release_check.py             build, check, install, tag; nothing is uploaded or pushed
    python tools/release_check.py --publish   fail on what a rehearsal may leave open, too: URLs, changelog

Each step is a function whose docstring is its line in the output.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PROGRAM = """\
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%x: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %w: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<32x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}
"""  # noqa: E501

IN_WHEEL = ("sdy/py.typed", "sdy/dialect/__init__.py", "sdy/passes/__init__.py", "sdy/page/static/report.js")
IN_SDIST = ("LICENSE", "README.md", "pyproject.toml", "tools/build_backend.py", "python/sdy/page/static/report.js")


class Failed(Exception):
    """A step failed; the message says what to do."""


class Open(Exception):
    """A step is open, which a rehearsal allows; the message says what is missing."""


@dataclass(frozen=True)
class Release:
    """A rehearsal: the clone, the folder of archives and a folder for everything else."""

    version: str
    clone: Path
    dist: Path
    work: Path

    def archive(self, pattern: str) -> Path:
        """Return the only archive whose name matches."""
        (found,) = self.dist.glob(pattern)
        return found


def run(*command: str | Path, cwd: Path) -> str:
    """Return what a command prints; raise `Failed` with its last lines if it fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = f"{done.stdout}{done.stderr}".strip().splitlines()[-8:]
        raise Failed(f"{' '.join(map(str, command[:4]))} failed:\n    " + "\n    ".join(lines))
    return done.stdout


def tree_is_clean(release: Release) -> None:
    """all changes are committed"""
    if run("git", "status", "--porcelain", cwd=ROOT).strip():
        raise Open("commit or remove what `git status` lists; the rehearsal uses the last commit")


def versions_agree(release: Release) -> None:
    """pyproject.toml, CMakeLists.txt and the changelog have one version"""
    cmake = (release.clone / "CMakeLists.txt").read_text(encoding="utf-8")
    if f"project(sdy VERSION {release.version} " not in cmake:
        raise Failed(f"write {release.version} into CMakeLists.txt")
    changelog = (release.clone / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(release.version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        raise Open(f"the changelog has no section `## [{release.version}] - {date.today().isoformat()}` yet")


def urls_are_real(release: Release) -> None:
    """the URLs of pyproject.toml lead to the project"""
    project = tomllib.loads((release.clone / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    missing = [name for name, url in project["urls"].items() if ".example/" in url]
    if missing:
        raise Open(f"[project.urls] has placeholders: {', '.join(missing)}")


def archives_are_built(release: Release) -> None:
    """sdist and wheel are built, the wheel from the sdist"""
    run(sys.executable, "-m", "build", "--outdir", release.dist, release.clone, cwd=release.work)


def metadata_is_valid(release: Release) -> None:
    """twine check --strict"""
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(release.dist.iterdir()), cwd=release.work)


def archives_are_complete(release: Release) -> None:
    """the archives hold licence, page, dialect, passes and types; the README has no relative links"""
    with zipfile.ZipFile(release.archive("*.whl")) as wheel:
        names = wheel.namelist()
        metadata = wheel.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    lacking = [name for name in IN_WHEEL if name not in names]
    lacking += [] if any(name.endswith("/licenses/LICENSE") for name in names) else ["LICENSE"]
    with tarfile.open(release.archive("*.tar.gz")) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    lacking += [f"{name} (sdist)" for name in IN_SDIST if name not in inside]
    if lacking:
        raise Failed(f"missing: {', '.join(lacking)}")
    relative = re.findall(r"\]\((?!https?:|#)([^)\s]+)\)", metadata)
    if relative:
        raise Failed(f"relative links in the metadata: {', '.join(relative)}")


def _installs(release: Release, archive: Path, name: str) -> None:
    environment = release.work / name
    python = environment / "bin" / "python"
    run(sys.executable, "-m", "venv", environment, cwd=release.work)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{archive}[jax]", cwd=release.work)
    (release.work / "program.mlir").write_text(PROGRAM, encoding="utf-8")
    said = run(environment / "bin" / "sdy-opt", "--version", cwd=release.work)
    if release.version not in said:
        raise Failed(f"sdy-opt --version says {said.strip()}, not {release.version}")
    local = run(environment / "bin" / "sdy-opt", "program.mlir", "--sdy-partition-pipeline", cwd=release.work)
    if "stablehlo.all_reduce" not in local:
        raise Failed("the installed sdy-opt does not partition the program")
    run(environment / "bin" / "sdy-report", "program.mlir", "-o", "report.html", "--machine", "h100", cwd=release.work)
    run(environment / "bin" / "sdy-run", "program.mlir", cwd=release.work)


def sdist_installs(release: Release) -> None:
    """the sdist installs into a fresh environment; sdy-opt, sdy-report and sdy-run work there"""
    _installs(release, release.archive("*.tar.gz"), "from-sdist")


def wheel_installs(release: Release) -> None:
    """the wheel installs into a fresh environment; sdy-opt, sdy-report and sdy-run work there"""
    _installs(release, release.archive("*.whl"), "from-wheel")


def tag_is_free(release: Release) -> None:
    """the tag of the version is free, and names the commit"""
    tag = f"v{release.version}"
    if run("git", "tag", "--list", tag, cwd=ROOT).strip():
        raise Failed(f"the tag {tag} exists; write the next version into pyproject.toml and CMakeLists.txt")
    run("git", "-c", "user.name=sdy", "-c", "user.email=sdy@localhost", "tag", "-m", tag, tag, cwd=release.clone)
    if run("git", "describe", "--exact-match", cwd=release.clone).strip() != tag:
        raise Failed(f"git describe does not say {tag}")


STEPS: tuple[Callable[[Release], None], ...] = (
    tree_is_clean,
    versions_agree,
    urls_are_real,
    archives_are_built,
    metadata_is_valid,
    archives_are_complete,
    sdist_installs,
    wheel_installs,
    tag_is_free,
)


def rehearse(release: Release, *, publish: bool) -> bool:
    """Run all steps; print a line for each; return whether the release may go on."""
    is_good = True
    for step in STEPS:
        try:
            step(release)
            print(f"ok      {step.__doc__}", flush=True)
        except Open as error:
            print(f"open    {step.__doc__}: {error}", flush=True)
            is_good &= not publish
        except Failed as error:
            print(f"FAILED  {step.__doc__}: {error}", flush=True)
            is_good = False
    return is_good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--publish", action="store_true", help="fail on what a rehearsal may leave open")
    options = parser.parse_args()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    with tempfile.TemporaryDirectory() as folder:
        release = Release(version, *(Path(folder, name) for name in ("clone", "dist", "work")))
        release.work.mkdir()
        run("git", "clone", "--quiet", "--no-tags", ROOT, release.clone, cwd=ROOT)
        return 0 if rehearse(release, publish=options.publish) else 1


if __name__ == "__main__":
    sys.exit(main())
