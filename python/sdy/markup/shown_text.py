"""What notebooks show of things that say all in a text: that text, as it is aligned."""

from __future__ import annotations

from sdy.markup.templating import render

MOST_LINES = 400
"""Lines that are shown; how many more there are is said."""


class ShownText:
    """Has notebooks show the text of `str` in place of fields one after the other."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The text, for notebooks."""
        return shown(str(self))


def shown(text: str) -> str:
    """A text as HTML."""
    lines = text.splitlines()
    return render("shown_text.html.j2", text="\n".join(lines[:MOST_LINES]), more=max(0, len(lines) - MOST_LINES))
