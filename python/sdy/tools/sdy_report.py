"""sdy-report: writes a page about one program, or two programs side by side, for a browser.

The page is one self-contained file: shardings, communication with causes and cures, and, with a machine, the schedule
and memory. With --budget it checks programs in CI instead: it writes a summary in Markdown, and its exit code is 1 if
one of them exceeds its budget.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from sdy.hlo_text import HloSyntaxError
from sdy.mlir.diagnostics import DiagnosticError
from sdy.page.data import data
from sdy.page.data_types import PageData
from sdy.page.plans import Parts, Plan
from sdy.page.render import PageNotBuilt, html, write
from sdy.page.trace import BARE, trace
from sdy.testing.budget_file import checked, read_budgets, summary
from sdy.tools.completion import add_information
from sdy.tools.diagnostics_output import named, placed
from sdy.tools.diagnostics_output import report as print_diagnostic
from sdy.tools.files import check_apart, name_of, refused_for, write_text
from sdy.tools.flags import Parser, UsageError
from sdy.tools.named_arguments import machine_of, read_module
from sdy.tools.outermost import run_tool

_ADVICE = "`sdy-opt FILE --sdy-partition-pipeline` may show the fault alone"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool with the given or the process's arguments; return the exit code: 1 after an error."""
    return run_tool("sdy-report", _main, argv, _ADVICE)


def _main(argv: Sequence[str]) -> int:
    filename, text = "", ""
    try:
        options = _checked(_parser().parse_args(argv))
        if options.budget is not None:
            filename = options.budget
            return _within_budget(options)
        plans = []
        for path in (options.file, *([options.other] if options.other else [])):
            check_apart(path, options.output, "-o")
            filename, text = name_of(path), ""
            text = read_module(path)
            plans.append(Plan(text, _name(filename), filename))
        parts = Parts(reasons=options.reasons, cures=_cures(options.cures), sources=options.sources)
        if options.trace and options.machine is None:
            raise UsageError("--trace needs times: give --machine, such as --machine h100")
        parts = BARE if options.trace else parts
        title = options.title or " and ".join(plan.name for plan in plans)
        if options.machine is not None:
            machine_of(options.machine)
        found = data(*plans, machine=options.machine, title=title, parts=parts)
        with refused_for(options.output):
            _write(_text(found, options), options.output)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            at = filename if diagnostic.position.file in ("-", "") else diagnostic.position.file
            print_diagnostic(placed(named(diagnostic, at), filename), text if at == filename else None)
        return 1
    except HloSyntaxError as error:
        raise UsageError(f"{filename}:{error}") from None
    except (ValueError, PageNotBuilt) as error:
        raise UsageError(str(error)) from None
    return 0


def _checked(options: argparse.Namespace) -> argparse.Namespace:
    """The options, with their defaults. Raises `UsageError` for options that do not go together."""
    if options.budget is None:
        for name, value in (("FILE", options.file), ("-o", options.output)):
            if value is None:
                raise UsageError(f"the following arguments are required: {name}")
        if options.base is not None:
            raise UsageError("--base is compared by --budget")
    elif options.file is not None:
        raise UsageError(f"{options.file}: --budget names its programs itself")
    options.output = options.output or "-"
    return options


def _within_budget(options: argparse.Namespace) -> int:
    """Check the programs of a budget file, and write the summary."""
    path = Path(options.budget)
    base = None if options.base is None else Path(options.base)
    programs = [checked(each, path.parent, base) for each in read_budgets(path)]
    with refused_for(options.output):
        write_text(options.output, summary(programs))
    return int(any(each.excesses for each in programs))


def _text(found: PageData, options: argparse.Namespace) -> str:
    if options.json:
        return json.dumps(found, indent=1) + "\n"
    return json.dumps(trace(found)) + "\n" if options.trace else html(found)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="sdy-report", description=__doc__, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", nargs="?", help="input module, at any stage; - for standard input")
    parser.add_argument("other", metavar="OTHER", nargs="?", help="second module, to compare with the first")
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file; - for standard output")
    parser.add_argument("--budget", metavar="TOML", help="check the programs of a budget file; OUT is a summary")
    parser.add_argument("--base", metavar="DIR", help="folder with the programs of --budget before a change")
    parser.add_argument("--machine", metavar="MACHINE", help="machine that the step is estimated on, such as h100")
    parser.add_argument("--title", metavar="TEXT", help="title of the page (default: the names of the files)")
    parser.add_argument("--cures", metavar="N", help="number of collectives to search cures for")
    parser.add_argument("--no-reasons", dest="reasons", action="store_false", help="omit causes and cures")
    parser.add_argument("--no-sources", dest="sources", action="store_false", help="omit source lines")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="write the data of the page as JSON instead")
    forms.add_argument("--trace", action="store_true", help="write the timeline for Perfetto instead")
    add_information(parser)
    return parser


def _name(filename: str) -> str:
    return Path(filename).stem if filename != "<stdin>" else "program"


def _cures(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal():
        raise UsageError(f"--cures: '{text}' is not a number")
    return int(text)


def _write(text: str, output: str) -> None:
    if output == "-":
        write_text(output, text)
    else:
        write(Path(output), text)


if __name__ == "__main__":
    sys.exit(main())
