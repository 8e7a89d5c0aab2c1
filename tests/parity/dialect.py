"""The dialect alone against the reference: which modules are valid, in which line an error is, what is printed.

python -m tests.parity.dialect --count 2000 [--start N]     # more modules; differences are printed
python -m tests.parity.dialect --seed 17                    # one module, shown whole
"""

from __future__ import annotations

import argparse
import difflib
import random
import re
import sys
import traceback
from collections import Counter
from dataclasses import dataclass
from typing import Any

import sdy
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.assembly.reader import GAP
from sdy.mlir.diagnostics import DiagnosticError
from tests import oracle
from tests.generators.dialect_modules import WRITTEN, invalid, valid, without_comments
from tests.generators.features import Features
from tests.generators.mutations import laid_out, mutated
from tests.generators.programs import generate
from tests.generators.spellings import respelled

_PROGRAMS = Features(
    max_ops=4, maximal=True, maximal_arguments=True, inlined=True, unreduced=True, messy_groups=True, dynamic=True
)
_PLACE = re.compile(r'error: [^\n]*?"[^"\n]*":(\d+):\d+')
_ATTRIBUTE = re.compile(
    r"\bsdy\.(?=(?:sharding|sharding_rule|propagation_edges|result_propagation_edges|block_arg_propagation_edges)(?:\s|//[^\r\n]*)*=)"
)
_OP = re.compile(r"^(\s*(?:%\w+ = )?)[^%]*?sdy\.\w+.*(?:: |-> )(.*)$")
_FUNC = re.compile(r'func\.func(?:"\s*\(|\s)')
_COMMENT = re.compile(r"//[^\r\n]*")
_MANUAL_AXES = re.compile(r"manual_axes=\{[^{}]+\}")
_PROPERTIES = re.compile(
    rf"<{GAP}\{{[^{{}}]*+(?:\{{[^{{}}]*+(?:\{{[^{{}}]*+\}}[^{{}}]*+)*+\}}[^{{}}]*+)*+\}}{GAP}>(?={GAP}\({GAP}\{{)"
)
_GENERIC = PrintOptions(generic=True)

_LOCATIONS = PrintOptions(debug_info=True, local_scope=True)
_PLACES = re.compile(r'loc\((?:"(?:[^"\\]|\\.)*"|[^"()]|\((?:"(?:[^"\\]|\\.)*"|[^"()])*\))*\)')
_MODULES_PER_CONTEXT = 50


class _Contexts:
    """Contexts of ours, each used for a while, since making one takes longer than reading a module."""

    def __init__(self) -> None:
        self._context = None
        self._uses = 0

    def next(self) -> Any:
        if self._uses % _MODULES_PER_CONTEXT == 0:
            self._context = sdy.make_context(allow_unregistered_dialects=True)
        self._uses += 1
        return self._context


_contexts = _Contexts()


@dataclass(frozen=True)
class Outcome:
    """What became of a module: how it is printed, or the line of the first error and what was said there.

    Printed it is plainly, in generic form, and with the places of ops and arguments.
    """

    text: str | None = None
    generic: str = ""
    places: str = ""
    line: int = 0
    message: str = ""

    @property
    def kind(self) -> str:
        """``valid``, or ``refused`` with the line."""
        return "valid" if self.text is not None else f"refused in line {self.line}"


def module(seed: int) -> str:
    """The module of that seed: a valid one as it is, or with one to three small changes, or one that was invalid."""
    rng = random.Random(seed)
    match seed % 8:
        case 0:
            text = rng.choice(invalid())
        case 1 | 2:
            text = rng.choice(valid())
        case 3 | 4 | 5:
            text = rng.choice(WRITTEN)
        case _:
            text = generate(rng, _PROGRAMS)
    if rng.random() < 0.5:
        text = without_comments(text)
    if rng.random() < 0.15:
        text = _in_generic_form(text)
    changes = rng.choice([0, 1, 1, 1, 1, 1, 1, 2, 2, 3])
    if rng.random() < 0.4:
        text, changes = respelled(text, rng), rng.choice([0, 0, changes])
    if rng.random() < 0.2:
        text = laid_out(text, rng)
    return mutated(text, rng, changes)


def _in_generic_form(text: str) -> str:
    """A valid module as the reference prints it in generic form."""
    try:
        return oracle.reference_generic(text)
    except oracle.ReferenceFailed:
        return text


def expected(text: str) -> Outcome | None:
    """What the reference makes of it; None if it crashes."""
    try:
        printers = oracle.reference_print, oracle.reference_generic, oracle.reference_locations
        printed, generic, places = (printer(text, allow_unregistered=True) for printer in printers)
        return Outcome(printed, generic, places)
    except oracle.ReferenceCrashed:
        return None
    except oracle.ReferenceFailed as error:
        found = _PLACE.search(str(error))
        return Outcome(line=int(found[1]) if found else 0, message=str(error))


def got(text: str) -> Outcome:
    """What we make of it; an exception other than a diagnostic is an error of ours."""
    try:
        module = sdy.parse(text, context=_contexts.next())
        printed, generic, places = (sdy.print_module(module, each) for each in (PrintOptions(), _GENERIC, _LOCATIONS))
        return Outcome(printed, generic, places)
    except DiagnosticError as error:
        return Outcome(line=error.diagnostics[0].position.line, message=str(error))
    except Exception:  # noqa: BLE001 - a bug of ours, to be shown with its module
        return Outcome(line=-1, message=traceback.format_exc())


def difference(text: str, tally: Counter[str] | None = None) -> str | None:
    """How we differ from the reference on a module; None if we do not."""
    theirs, ours = expected(text), got(text)
    if tally is not None:
        tally["crashed" if theirs is None else theirs.kind.split()[0]] += 1
    if theirs is None:
        return None if ours.text is None else f"the reference crashes, we accept it\n{text}"
    if theirs.kind != ours.kind and not _is_at_argument(text, theirs, ours):
        if theirs.text is None and ours.text is None and _is_close(text, theirs, ours):
            if tally is not None:
                tally["another error first"] += 1
            return None
        return f"reference: {theirs.kind} {theirs.message[:300]}\nours: {ours.kind} {ours.message[-600:]}\n{text}"
    if theirs.text is None or ours.text is None:
        return None
    for expected_text, got_text in ((theirs.text, ours.text), (theirs.generic, ours.generic)):
        if not _is_same(expected_text, got_text):
            return _shown(expected_text, got_text, text)
    if _PLACES.findall(theirs.places) != _PLACES.findall(ours.places):
        return _shown(theirs.places, ours.places, text)
    return None


def _shown(theirs: str, ours: str, text: str) -> str:
    lines = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "reference", "ours", lineterm="")
    return "\n".join([*lines, text])


def _is_same(theirs: str, ours: str) -> bool:
    """Whether the texts are equal, but for what the wheels' own printers of other dialects make of it.

    A dimension without factors is left out in a rule; what the reference prints there cannot be read again.
    """
    theirs, ours = (text.replace("#sdy.dim_mapping", "") for text in (theirs, ours))
    if theirs == ours:
        return True
    return _sdy_parts(theirs) == _sdy_parts(ours) and _printed(ours) == _printed(theirs)


def _printed(text: str) -> str:
    return oracle.reference_print(text, allow_unregistered=True)


def _is_close(text: str, theirs: Outcome, ours: Outcome) -> bool:
    """Whether the error that we report is one for the reference too, once those it reports are gone.

    Upstream verifies what it has parsed before we see it. Of two independent errors, one of upstream's and one of the
    dialect's, we report upstream's, whichever the reference comes to first. And a value that is used before the region
    of an sdy op has an argument of that name is refused there by the reference, and at the use by upstream.
    Attributes in front of a region are read after it. Of the wrong kind they are refused when the op is verified, where
    the reference may refuse them as it parses.
    """
    if "in property conversion" in theirs.message:
        return True
    if "failed to satisfy constraint" in theirs.message and "see current operation" not in theirs.message:
        return True
    if "region entry argument" in theirs.message and "is already in use" in theirs.message:
        return True
    if "see current operation" in theirs.message and "does not dominate this use" in ours.message:
        return True
    if _finds(_without_properties(text, theirs.line), ours.line):
        return True
    return _finds(text, ours.line) or _finds(_ATTRIBUTE.sub("sdy.not_", text), ours.line)


def _is_at_argument(text: str, theirs: Outcome, ours: Outcome) -> bool:
    """Whether ours points to an argument of the function that the reference points to."""
    header = _COMMENT.sub("", "\n".join(text.split("\n")[theirs.line - 1 : ours.line]))
    return "'func.func' op argument" in ours.message and len(_FUNC.findall(header)) == 1


def _without_properties(text: str, line: int) -> str:
    """The text without the attributes in front of a region that stand in `line`, if there are such; lines stay."""
    for found in _PROPERTIES.finditer(text):
        first = text.count("\n", 0, found.start()) + 1
        if first <= line <= first + found[0].count("\n"):
            return text[: found.start()] + "\n" * found[0].count("\n") + text[found.end() :]
    return text


def _finds(text: str, line: int) -> bool:
    """Whether the reference reports an error in `line` once those before are gone."""
    lines = text.split("\n")
    for _ in range(8):
        found = expected("\n".join(lines))
        if found is None or "see current operation" not in found.message or not 0 < found.line <= len(lines):
            return found is not None and found.line == line
        if found.line == line:
            return True
        wrong = lines[found.line - 1]
        lines[found.line - 1] = _defused(wrong)
        if lines[found.line - 1] == wrong:
            return False
    return False


def _defused(line: str) -> str:
    """The line with a wrong op without what can be wrong in it; the same if that cannot be told."""
    if "sdy.mesh @" in line:
        return ""
    if _MANUAL_AXES.search(line):
        return _MANUAL_AXES.sub("manual_axes={}", line)
    return _OP.sub(r"\1stablehlo.custom_call @gone() : () -> \2", _ATTRIBUTE.sub("sdy.not_", line))


def _sdy_parts(text: str) -> list[str]:
    """What has to be equal byte for byte, even where the wheels' own printers of other dialects differ."""
    return re.findall(r'"?#?sdy[.<][^\n]*', text)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.parity.dialect", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="number of modules (default: %(default)s)")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--seed", type=int, help="one module only; it is printed")
    arguments = parser.parse_args()
    tally: Counter[str] = Counter()
    if arguments.seed is not None:
        text = module(arguments.seed)
        print(text, difference(text, tally) or "no difference", sep="\n")
        return 0
    for seed in range(arguments.start, arguments.start + arguments.count):
        found = difference(module(seed), tally)
        if found is not None:
            tally["different"] += 1
            print(f"=== seed {seed}\n{found}", flush=True)
    print(dict(tally))
    return tally["different"] > 0


if __name__ == "__main__":
    sys.exit(main())
