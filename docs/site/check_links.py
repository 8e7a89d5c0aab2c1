"""Whether each link between pages of a built site leads to a page, and to a place on it: `check_links.py FOLDER`."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.places = {""}
        self.links: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


def broken_links(folder: Path) -> list[str]:
    """A line for each link that leads nowhere, page by page."""
    pages = {path.resolve(): _Page(path) for path in sorted(folder.rglob("*.html"))}
    return [
        f"{page.path}: {link}"
        for page in pages.values()
        for link in sorted(page.links)
        if not urlsplit(link).scheme and not _is_there(page, link, pages)
    ]


def _is_there(page: _Page, link: str, pages: dict[Path, _Page]) -> bool:
    parts = urlsplit(link)
    path = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path.resolve()
    return path.exists() and (path not in pages or unquote(parts.fragment) in pages[path].places)


if __name__ == "__main__":
    sys.exit("\n".join(broken_links(Path(sys.argv[1]))) or None)
