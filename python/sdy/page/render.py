"""The page itself: one self-contained file.

Its code and style are built from `web/` by ``make page``.
"""

from __future__ import annotations

import base64
import gzip
import json
import logging
import os
from dataclasses import field
from pathlib import Path

from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import markup, render
from sdy.page.data import ALL, UNNAMED, data
from sdy.page.data_types import PageData
from sdy.page.plans import AnyPlan, Parts, Plan
from sdy.passes.costs.machine import Machine
from sdy.programs.sources import write_file

_logger = logging.getLogger("sdy")

STATIC = Path(__file__).parent / "static"

LARGE = 16 << 20
"""Bytes of a file that is warned of."""


class PageNotBuilt(RuntimeError):
    """The code of the page is missing: `make page` builds it in a checkout, packages contain it."""


def html(found: PageData, *, compress: bool = True) -> str:
    """Return the file for the data of `sdy.page.data`; without `compress` the data in it are readable.

    Raises:
      PageNotBuilt: in a checkout whose page was never built.
    """
    text = json.dumps(found, separators=(",", ":"), allow_nan=False)
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode() if compress else ""
    return render(
        "page.html.j2",
        title=found["title"],
        style=markup(_static("report.css").replace("</style", "<\\/style")),
        script=markup(_static("report.js").replace("</script", "<\\/script")),
        licences=markup(_static("THIRD_PARTY.txt").replace("</script", "< /script")),
        packed=packed,
        plain=markup(text.replace("<", "\\u003c")),
    )


def _static(name: str) -> str:
    try:
        return (STATIC / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PageNotBuilt(f"the page has not been built ({name} is missing): run `make page`") from None


def save(
    path: str | os.PathLike[str],
    *plans: AnyPlan | Plan,
    machine: Machine | str | None = None,
    title: str = "",
    filename: str = "-",
    parts: Parts = ALL,
) -> Path:
    """Write the page of one plan, or of two to compare, to a file, atomically; return its path.

    Arguments and errors are those of `sdy.page.data`; also `PageNotBuilt`, and OSError where the file cannot be
    written.
    """
    target = Path(path)
    found = data(*plans, machine=machine, title=title, filename=filename, parts=parts)
    if not title and found["title"] == UNNAMED:
        found["title"] = target.stem
    write(target, html(found))
    return target


def write(target: Path, text: str) -> None:
    """Write a page as `write_file` does; a large one is logged."""
    packed = text.encode()
    if len(packed) > LARGE:
        _logger.warning("%s: the page has %.0f MiB, which browsers are slow with", target, len(packed) / (1 << 20))
    write_file(target, packed)


@dataclass(frozen=True)
class Frame:
    """A page in a notebook, isolated from it; `text` is the whole file."""

    text: str = field(repr=False)
    height: int = 700

    def _repr_html_(self) -> str:
        return render("frame.html.j2", text=self.text, height=self.height)


def show(
    *plans: AnyPlan | Plan,
    machine: Machine | str | None = None,
    title: str = "",
    filename: str = "-",
    parts: Parts = ALL,
) -> Frame:
    """Return the page of one plan, or of two to compare, as a notebook's output; see `sdy.page.data`."""
    return Frame(html(data(*plans, machine=machine, title=title, filename=filename, parts=parts)))
