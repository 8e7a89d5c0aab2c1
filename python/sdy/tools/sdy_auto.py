"""sdy-auto: finds shardings for a program, reports their costs, and writes them into it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import sdy
from sdy import page
from sdy.auto import Plan, partition
from sdy.dialect.values.mesh import Mesh
from sdy.passes.auto.auto_options import ANNOTATE, EFFORTS, read_bytes, read_mesh
from sdy.tools.completion import add_information
from sdy.tools.files import check_apart, name_of, refused_for, write_text
from sdy.tools.flags import Parser, UsageError
from sdy.tools.named_arguments import machine_of, on_module
from sdy.tools.outermost import run_tool

_ADVICE = "`sdy-opt FILE --sdy-auto-partition=...` may show the fault alone"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool with the given or the process's arguments; return the exit code: 1 after an error."""
    return run_tool("sdy-auto", _main, argv, _ADVICE)


_REPORTS = {"table": Plan.report, "json": Plan.to_json, "html": Plan.to_html}
"""Forms of a plan's output, by name."""


def _main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    for flag, written in (("--save", options.save), ("--page", options.page)):
        if written is not None:
            check_apart(options.file, written, flag)
    try:
        return on_module(options.file, lambda text, filename: _write(_plan(text, filename, options), text, options))
    except ValueError as error:
        raise UsageError(str(error)) from None


def _plan(text: str, filename: str, options: argparse.Namespace) -> Plan:
    if options.load is not None:
        with refused_for(f"--load: {options.load}"):
            return Plan.load(options.load, text, verify=min(options.verify, 1), filename=filename)
    return partition(
        text,
        _mesh(options.devices),
        machine_of(options.machine),
        memory_limit=_bytes(options.memory),
        axes=options.axes.split(",") if options.axes else None,
        annotate=options.annotate,
        effort=options.effort,
        verify=options.verify,
        time_limit=options.time_limit,
        overlap=options.overlap,
        filename=filename,
    )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="sdy-auto", description=__doc__, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="input module, with or without shardings; - for standard input")
    parser.add_argument(
        "--devices",
        metavar="MESH",
        help="the mesh: 4x2, data:4,model:2, or a number of devices, for which the mesh is chosen, too; "
        "by default the mesh of the program",
    )
    parser.add_argument(
        "--machine",
        default="generic",
        metavar="MACHINE",
        help="machine to plan for: a name such as h100, a JSON file, or figures (default: generic)",
    )
    parser.add_argument(
        "--memory",
        metavar="BYTES",
        help="memory limit of a device, such as 60GiB (default: 0.9 of the machine's); soft: the default, if any fits",
    )
    parser.add_argument("--axes", metavar="NAMES", help="mesh axes that the plan may use (default: all)")
    parser.add_argument(
        "--annotate",
        choices=ANNOTATE,
        default="best",
        help="which shardings are written into the program (default: best)",
    )
    parser.add_argument("--effort", choices=EFFORTS, default="default", help="effort of the search (default: default)")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="time limit of the search")
    parser.add_argument(
        "--overlap",
        type=float,
        default=0.0,
        metavar="PART",
        help="share of the overlappable communication that is hidden, from 0 to 1 (default: 0)",
    )
    parser.add_argument(
        "--verify", type=int, default=1, metavar="N", help="number of plans to partition and evaluate (default: 1)"
    )
    parser.add_argument("--save", metavar="PLAN", help="write the plan to a JSON file, which may be edited")
    parser.add_argument("--load", metavar="PLAN", help="load a saved plan and report it without searching")
    parser.add_argument("--report", choices=_REPORTS, default="table", help="format of the report")
    parser.add_argument(
        "--page",
        metavar="PAGE",
        help="write a page for a browser: the plan, the program, its collectives and their causes",
    )
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file for the program; - for standard output")
    add_information(parser)
    return parser


def _mesh(text: str | None) -> Mesh | int | None:
    if text is None:
        return None
    try:
        return int(text) if text.isdecimal() else read_mesh(text)
    except ValueError as error:
        raise UsageError(f"--devices: {error}") from None


def _bytes(text: str | None) -> float | str | None:
    try:
        return text if text in (None, "soft") else read_bytes(text)
    except ValueError as error:
        raise UsageError(f"--memory: {error}") from None


def _write(plan: Plan, text: str, options: argparse.Namespace) -> int:
    """Write the program and the report; the report goes to standard error if the program goes to standard output."""
    print(_REPORTS[options.report](plan).rstrip("\n"), file=sys.stderr if options.output == "-" else sys.stdout)
    if options.save is not None:
        with refused_for(f"--save: {options.save}"):
            plan.save(options.save)
    if options.page is not None:
        _write_page(plan, text, options)
    if options.output is None:
        return 0
    found = sdy.print_module(plan.module)
    with refused_for(options.output):
        write_text(options.output, found if found.endswith("\n") else f"{found}\n")
    return 0


def _write_page(plan: Plan, text: str, options: argparse.Namespace) -> None:
    name = name_of(options.file)
    try:
        with refused_for(f"--page: {options.page}"):
            page.save(options.page, page.Plan(plan, name, name, text=text), title=name)
    except page.PageNotBuilt as error:
        raise UsageError(f"--page: {error}") from None


if __name__ == "__main__":
    sys.exit(main())
