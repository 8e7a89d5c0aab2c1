"""Fragments of HTML from the templates of this package; users' names are escaped in all of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


FOLDER = Path(__file__).parent


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, **values: object) -> str:
    """The text of the template of that name (``label.html.j2``) for these values."""
    return _environment().get_template(template).render(**values).strip()


def markup(text: str) -> Markup:
    """Mark a string as HTML, so that it is not escaped again."""
    from markupsafe import Markup

    return Markup(text)


MOST_LINES = 400
"""Lines that are shown; how many more there are is said."""


class ShownText:
    """Shows the text of `str` in notebooks in place of a list of fields."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The text, for notebooks."""
        return shown(str(self))


def shown(text: str) -> str:
    """A text as HTML."""
    lines = text.splitlines()
    return render("shown_text.html.j2", text="\n".join(lines[:MOST_LINES]), more=max(0, len(lines) - MOST_LINES))
