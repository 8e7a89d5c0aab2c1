"""Sphinx: how `make site` builds the pages of docs/ into build/site."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

sys.path.append(str(Path(__file__).parent))

import lexers

project = "sdy"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
html_theme = "furo"
html_title = "sdy: Shardy in Python"
html_show_copyright = False
# Sphinx fetches pages for its excerpts, which fails for files; static/excerpts.js makes them from search_texts.js.
html_show_search_summary = False
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
exclude_patterns = ["site", "releasing.md"]
myst_heading_anchors = 3
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
suppress_warnings = ["myst.header", "docutils", "ref.python"]


class ToolHelp(SphinxDirective):
    """What a tool says of itself: `{tool-help} sdy-opt`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        module = f"sdy.tools.{self.arguments[0].replace('-', '_')}"
        told = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=True)
        if not told.stdout:
            raise self.error(f"{self.arguments[0]} --help prints nothing")
        return [nodes.literal_block(told.stdout, told.stdout, language="text")]


class PublicNames(SphinxDirective):
    """Everything that a module makes public, from its docstrings: `{public-names} sdy`."""

    required_arguments = 1
    homes: ClassVar[dict[int, str]] = {}

    def run(self) -> list[nodes.Node]:
        import importlib
        import inspect
        from types import ModuleType

        name = self.arguments[0]
        module = importlib.import_module(name)
        lines: list[str] = []
        for each in module.__all__:
            found: Any = getattr(module, each)
            if isinstance(found, ModuleType | str) or not getattr(found, "__doc__", None):
                continue
            kind = "autoclass" if inspect.isclass(found) else "autofunction" if callable(found) else "autodata"
            lines += [f".. {kind}:: {name}.{each}", *(["   :members:"] if kind == "autoclass" else [])]
            # A class that two modules make public has its place on the first page.
            home = PublicNames.homes.setdefault(id(found), name)
            lines += ["" if home == name else "   :no-index:", ""]
        # Pages are Markdown, what autodoc writes is not.
        lines = ["```{eval-rst}", *lines, "```"]
        node = nodes.section()
        node.document = self.state.document
        self.state.nested_parse(StringList(lines, name), 0, node)
        return node.children


def write_search_texts(app: Sphinx, failure: Exception | None) -> None:
    """Write the text of each page for the excerpts of the search."""
    if failure is None and app.builder.name == "html":
        names = sorted(app.env.found_docs)
        texts = {name: " ".join(app.env.get_doctree(name).astext().split()) for name in names}
        script = f"const SEARCH_TEXTS = {json.dumps(texts, ensure_ascii=False)};\n"
        (Path(app.outdir) / "search_texts.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Adds the lexer, the directives, and the texts for the search."""
    app.connect("build-finished", write_search_texts)
    app.add_lexer("mlir", lexers.Mlir)
    app.add_lexer("console", lexers.Session)
    app.add_directive("tool-help", ToolHelp)
    app.add_directive("public-names", PublicNames)
