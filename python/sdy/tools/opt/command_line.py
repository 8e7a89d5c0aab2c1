"""The command line of `sdy-opt`: flags, and passes in the order given."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sdy.dialect.assembly import PrintOptions
from sdy.dialect.extensions import ExtensionError, load_extensions, load_plugin
from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import Machine
from sdy.passes.ir_printing import When
from sdy.passes.manager import is_pass
from sdy.passes.options import did_you_mean, parse_options
from sdy.passes.registry import passes, pipelines
from sdy.passes.steps import Step, parse_pipeline
from sdy.tools.flags import UsageError, parser
from sdy.tools.opt.value_printing import ValueOptions

__all__ = ["Settings", "UsageError", "settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Parsed command line."""

    flags: argparse.Namespace
    steps: tuple[Step, ...]

    @property
    def filename(self) -> str:
        """Name of the input in diagnostics and locations."""
        return "<stdin>" if self.flags.file == "-" else self.flags.file

    @property
    def verifies(self) -> bool:
        """Return whether modules are verified after parsing and after each pass."""
        return self.flags.verify_each and not self.flags.no_verify

    @property
    def print_options(self) -> PrintOptions:
        """Return the options with which the module is printed."""
        return PrintOptions(
            generic=self.flags.mlir_print_op_generic,
            irdl=self.flags.mlir_print_irdl,
            debug_info=self.flags.mlir_print_debuginfo,
            pretty_debug_info=self.flags.mlir_pretty_debuginfo,
            local_scope=self.flags.mlir_print_local_scope,
            name_loc_as_prefix=self.flags.mlir_use_nameloc_as_prefix,
            skip_regions=self.flags.mlir_print_skip_regions,
            elide_elements_larger_than=self.flags.mlir_elide_elementsattrs_if_larger,
            elide_resources_larger_than=self.flags.mlir_elide_resource_strings_if_larger,
        )

    @property
    def value_options(self) -> ValueOptions:
        """Options on printing values.

        Raises:
          UsageError: names are to come from two places.
        """
        found = ValueOptions(self.flags.mlir_print_value_users, self.flags.mlir_print_unique_ssa_ids)
        if found and self.flags.mlir_use_nameloc_as_prefix:
            flag = "value-users" if found.users else "unique-ssa-ids"
            raise UsageError(f"'--mlir-print-{flag}' cannot be mixed with '--mlir-use-nameloc-as-prefix'")
        return found

    def with_steps(self, steps: tuple[Step, ...]) -> Settings:
        """Return the settings with other passes.

        Raises:
          UsageError: there are some.
        """
        if self.steps:
            raise UsageError(f"'--run-reproducer' cannot be mixed with passes such as '{self.steps[0].name}'")
        return replace(self, steps=steps)

    @property
    def prints_ir_when(self) -> When:
        """At which passes the module is printed.

        Raises:
          UsageError: at passes that do not exist.
        """
        return When(
            before=frozenset(_names("before", self.flags.mlir_print_ir_before)),
            after=frozenset(_names("after", self.flags.mlir_print_ir_after)),
            before_all=self.flags.mlir_print_ir_before_all,
            after_all=self.flags.mlir_print_ir_after_all,
            after_change=self.flags.mlir_print_ir_after_change,
            after_failure=self.flags.mlir_print_ir_after_failure,
        )


def _names(when: str, given: Sequence[str]) -> Iterator[str]:
    for name in filter(None, ",".join(given).split(",")):
        if not is_pass(name):
            known = did_you_mean(name, [*passes(), *pipelines()])
            raise UsageError(f"argument --mlir-print-ir-{when}: unknown pass '{name}'{known}")
        yield name


def settings(argv: Sequence[str]) -> Settings:
    """Reads the command line.

    Raises:
      UsageError: it makes no sense.
      PipelineError: the textual pipeline does not parse.
    """
    load_extensions()
    load_plugins(argv)
    flags = parser()
    known = {option: action for action in flags._actions for option in action.option_strings}
    rest: list[str] = []
    steps: list[Step] = []
    arguments = iter(_with_topics(argv))
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if argument == "--":
            rest += [argument, *arguments]
        elif not argument.startswith("-") or argument == "-":
            rest.append(argument)
        elif name in known:
            rest.append(_complete(argument, known[name], arguments))
        else:
            steps.append(_step(argument, name.lstrip("-"), value if equals else "", known))
    parsed = flags.parse_args(rest)
    if parsed.pass_pipeline is not None:
        if steps:
            raise UsageError(f"'--pass-pipeline' cannot be mixed with passes such as '{steps[0].name}'")
        steps = parse_pipeline(parsed.pass_pipeline)
    _check_timeline(parsed)
    if parsed.sdy_machine is not None:
        parsed.sdy_machine = _machine(parsed.sdy_machine)
    return Settings(parsed, tuple(steps))


def _with_topics(argv: Sequence[str]) -> list[str]:
    """Return the arguments, with a help topic joined to its flag."""
    found: list[str] = []
    for argument in argv:
        is_topic = found[-1:] in (["--help"], ["-help"], ["-h"]) and not argument.startswith("-")
        if is_topic:
            found[-1] = f"--help={argument}"
        else:
            found.append(argument)
    return found


def _check_timeline(parsed: argparse.Namespace) -> None:
    """Raises `UsageError` for a machine without use, or a trace of no or several modules."""
    if parsed.sdy_trace is not None and parsed.sdy_machine is None:
        raise UsageError("argument --sdy-trace: needs a '--sdy-machine'")
    if parsed.sdy_trace is not None and parsed.split_input_file:
        raise UsageError("argument --sdy-trace: cannot be mixed with '--split-input-file'")
    if parsed.sdy_machine is not None and parsed.sdy_report_communication is None and parsed.sdy_trace is None:
        raise UsageError("argument --sdy-machine: needs '--sdy-report-communication' or '--sdy-trace'")


def _machine(text: str) -> Machine:
    try:
        return Machine.parse(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"argument --sdy-machine: {error}") from None


def load_plugins(argv: Sequence[str]) -> None:
    """Import the modules of plugin flags, at any position: passes on the command line may be theirs.

    Raises `UsageError` for one that cannot be imported.
    """
    arguments = iter(argv)
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if argument == "--":
            return
        if name.lstrip("-") in _PLUGINS and name.startswith("-"):
            module = value if equals else next(arguments, "")
            try:
                load_plugin(module)
            except ExtensionError as error:
                raise UsageError(f"argument {name}: {error}") from None


_PLUGINS = ("load-pass-plugin", "load-dialect-plugin")


def _complete(argument: str, action: argparse.Action, following: Iterator[str]) -> str:
    """Join each flag with its value, so that no file is taken for a value and no value for a pass."""
    if "=" in argument or action.nargs == 0:
        return argument
    if action.nargs == "?":
        return f"{argument}={action.const}"
    value = next(following, None)
    if value is None:
        raise UsageError(f"argument {argument}: expected a value")
    return f"{argument}={value}"


def _step(argument: str, name: str, value: str, flags: Iterable[str]) -> Step:
    if not is_pass(name):
        known = [f"--{each}" for each in (*passes(), *pipelines())]
        raise UsageError(f"unknown argument '{argument}'{did_you_mean(f'--{name}', [*known, *flags])}")
    try:
        return Step(name, parse_options(value))
    except ValueError as error:
        raise UsageError(f"in '{argument}': {error}") from None
