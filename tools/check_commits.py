"""Check the subjects of the commits of a change: `area: imperative`, at most 72 characters.

    python tools/check_commits.py [--base REF]

The change is what HEAD has and the base has not: `--base`, or SDY_BASE in the environment, or origin/main. Commits that
the base has are not judged. Without a base, as in an export without history, there is nothing to check.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 72
_SUBJECT = re.compile(r"(?P<area>[a-z][\w./-]*(?:, [a-z][\w./-]*)*): (?P<text>\S.*)")
_PAST = re.compile(r"\w+(?:ed|ing)")
_THIRD_PERSON = re.compile(r"\w+[^s]s")
_IMPERATIVE = frozenset(
    "alias embed exceed feed focus need proceed seed shed speed spread bring ring sing spring string swing".split()
)
"""Verbs, in the imperative, that end like another form."""


def faults(subject: str) -> list[str]:
    """Return what is wrong with the subject of a commit, each as a sentence without a full stop."""
    if re.match(r"(fixup|squash|amend)! ", subject):
        return ["squash it into the commit that it changes"]
    found = [f"is {len(subject)} characters long, at most {LONGEST}"] if len(subject) > LONGEST else []
    parts = _SUBJECT.fullmatch(subject)
    if parts is None:
        return [*found, "begin with the area in lower case, a colon and a blank: `exchange: keep inner updates local`"]
    first = parts["text"].split()[0]
    verb = first.strip("`,").lower()
    if first[0].isupper() and not first[1:2].isupper():
        found.append(f"write `{first}` in lower case")
    if verb not in _IMPERATIVE and (_PAST.fullmatch(verb) or _THIRD_PERSON.fullmatch(verb)):
        found.append(f"say what the commit does in the imperative, not `{verb}`")
    if parts["text"].endswith("."):
        found.append("drop the full stop")
    return found


def subjects(base: str, folder: Path = ROOT) -> list[tuple[str, str]]:
    """Return the short hash and the subject of each commit of the change, merges left out, the oldest first."""
    command = ["git", "log", "--reverse", "--no-merges", "--format=%h %s", f"{base}..HEAD"]
    lines = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def is_known(base: str, folder: Path = ROOT) -> bool:
    """Return whether the repository has the base; False if there is no repository."""
    command = ["git", "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}"]
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    base = os.environ.get("SDY_BASE") or "origin/main"
    parser.add_argument("--base", default=base, help="the commit that the change starts from (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=ROOT, help="the repository (default: this one)")
    options = parser.parse_args(argv)
    if not is_known(options.base, options.folder):
        print(f"check_commits: no commit {options.base}, so nothing is checked", file=sys.stderr)
        return 0
    wrong = [
        f"{commit} {subject}\n  {fault}"
        for commit, subject in subjects(options.base, options.folder)
        for fault in faults(subject)
    ]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
