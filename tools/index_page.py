"""Make the README of the metadata from README.md: an index of packages shows it away from the repository.

Relative links become absolute ones, below the URL "Repository" of pyproject.toml at the tag of the version. The build
backend calls `dynamic_metadata`. `python tools/index_page.py` prints the page.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?!https?:|#|mailto:)([^)\s]+)\)")
_PIECE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def index_page(readme: str, repository: str, version: str) -> str:
    """Return the README with absolute links, those in code left as they are.

    Args:
      readme: the text of README.md.
      repository: the URL of the repository.
      version: the version, whose tag the links name.
    """

    def absolute(link: re.Match[str]) -> str:
        is_image, text, path = link.groups()
        return f"{is_image}[{text}]({repository}/{'raw' if is_image else 'blob'}/v{version}/{path})"

    pieces = _PIECE.split(readme)
    return "".join(piece if piece.startswith("```") else _LINK.sub(absolute, piece) for piece in pieces)


def dynamic_metadata(
    field: str, settings: Mapping[str, Any] | None = None, project: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Return the field `readme` for the build backend."""
    if field != "readme" or settings:
        raise ValueError(f"index_page makes the field readme, without settings, not {field}")
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return {
        "content-type": "text/markdown",
        "text": index_page(readme, found["urls"]["Repository"], found["version"]),
    }


if __name__ == "__main__":
    print(dynamic_metadata("readme")["text"])
