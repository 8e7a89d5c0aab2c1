"""Help on passes: a line or two on each, or everything on one.

The list of the package's passes is a file beside this one, so that the help needs neither them nor MLIR; ``python -m
sdy.tools.opt.pass_help`` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from sdy.dialect.extensions import load_extensions
from sdy.passes.manager import is_pass
from sdy.passes.options import did_you_mean
from sdy.passes.registry import GROUPS, Pass, Pipeline, find, groups, option_table, passes, pipelines
from sdy.passes.steps import ANY, FUNCTION
from sdy.tools.flags import BUILT_IN, UsageError, parser

NO_DOCSTRING = "(no description: its function has no docstring)"
"""Help text of a plugin's pass that has no docstring."""


def help_text() -> str:
    """Return the text of ``--help``: the flags, and all registered passes."""
    return parser(pass_list()).format_help()


def pass_list(*, built_in: bool = False) -> str:
    """Return the part of the help that is about passes, or about those of this package alone."""
    lines = [
        "passes and pipelines (--NAME or --NAME='opt=val opt2=val', run in the order given; upstream's, such as --cse,"
    ]
    lines += ["        too; --help NAME says more)"]
    for title, listed in _titled(built_in):
        lines += [f"\n{title}:", *_entries(listed)]
    return "\n".join(lines)


def list_passes() -> str:
    """Return the output of ``--list-passes``: the name and the summary of each pass, by group."""
    lines = []
    for title, listed in _titled(built_in=False):
        lines += [f"{title}:", *(f"  {each.name}: {summary_of(each)}" for each in listed)]
    return "\n".join(lines)


def _titled(built_in: bool) -> list[tuple[str, Sequence[Pass | Pipeline]]]:
    all_pipelines = [each for each in pipelines().values() if not built_in or each.build.__module__.startswith("sdy.")]
    named = [name for name in groups() if not built_in or name != "plugins"]
    return [("Pipelines", all_pipelines), *((GROUPS[name], groups()[name]) for name in named)]


def _entries(registered: Iterable[Pass | Pipeline]) -> list[str]:
    lines = []
    for each in registered:
        lines += [f"  --{each.name}", f"      {summary_of(each)}"]
        rows = option_table(each.options)
        lines += [f"      {name}={kind} ({default}): {text}" for name, kind, default, text in rows]
    return lines


def help_of(names: Sequence[str]) -> str:
    """Return the text of ``--help PASS``.

    Raises:
      UsageError: there is no such pass.
    """
    load_extensions()
    return "\n\n".join(_help_of(name.lstrip("-")) for name in names)


def _help_of(name: str) -> str:
    found = find(name)
    if found is None:
        if not is_pass(name):
            raise UsageError(f"argument --help: unknown pass '{name}'{did_you_mean(name, [*passes(), *pipelines()])}")
        return f"{name}: a pass of upstream MLIR, see https://mlir.llvm.org/docs/Passes/#-{name}"
    lines = [_plain(found.doc) or f"{name}: {NO_DOCSTRING}", ""]
    if isinstance(found, Pass):
        lines += [f"runs on: {'builtin.module or func.func' if found.anchor == ANY else found.anchor}"]
        lines += [f"also called: {', '.join(found.aliases)}"] if found.aliases else []
    rows = option_table(found.options)
    if rows:
        lines += ["", "options:"]
        for option, kind, default, text in rows:
            lines += [f"  {option}={kind} ({default})", f"      {text}"]
    on_func = isinstance(found, Pass) and found.anchor == FUNCTION
    shown = f"--{name}" + (f"='{rows[0][0]}={rows[0][2]}'" if rows and rows[0][2] else "")
    nested = f"func.func({name})" if on_func else name
    return "\n".join([*lines, "", f"usage: sdy-opt FILE {shown}, or --pass-pipeline='builtin.module({nested})'"])


def summary_of(found: Pass | Pipeline) -> str:
    """Return the first sentence on a pass, or a note that its author left it out."""
    return found.summary or NO_DOCSTRING


def _plain(doc: str) -> str:
    """Return the documentation without markup for its page."""
    return re.sub(r"``(.+?)``", r"\1", doc.strip())


if __name__ == "__main__":
    Path(BUILT_IN).write_text(pass_list(built_in=True) + "\n", encoding="utf-8")
