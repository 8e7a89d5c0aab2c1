"""References such as `(spec: propagation, 5.4)` lead to a document of docs/spec and a section there.

It names places of one document or, behind semicolons, of several: `(spec: dialect, 11 and 12; collectives, 2)`. A place
is the number of a section, or what a row or a paragraph is called, such as `A7` or `H10`. Within a file,
`(section 4.2)` is one of a document that the file refers to.
"""

from __future__ import annotations

import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SPEC = REPOSITORY / "docs" / "spec"
SOURCES = ("dialect", "passes", "python/sdy", "tests", "lit_tests", "benchmarks", "examples", "tools")

_PLACE = r"(?:\d+(?:\.\d+)*|[A-Z]\d+)"
_PLACES = rf"{_PLACE}(?:(?:, | and | to ){_PLACE})*"
_PART = rf"[a-z]+(?:-[a-z]+)*(?:, {_PLACES})?"
_REFERENCE = re.compile(rf"\(spec: {_PART}(?:; {_PART})*\)")
_MEANT = re.compile(r"\(spec:[^()]*\)?|\(spec [a-z-]+,? \d[^()]*\)?")
"""What looks like a reference, whether it is one or not."""
_SECTION = re.compile(rf"\(sections? ({_PLACES})\)")
_OF_DOCUMENTS = re.compile(r"`?([a-z]+(?:-[a-z]+)*)\.md`?,? (?:sections? )?\(?(\d+(?:\.\d+)*)")
"""How the documents refer to one another."""


@cache
def places(document: str) -> frozenset[str]:
    """The numbers of the sections of a document, and what rows and paragraphs in it are called."""
    text = (SPEC / f"{document}.md").read_text()
    sections = re.findall(r"^#{2,} (\d+(?:\.\d+)*)\.? ", text, re.MULTILINE)
    rows = re.findall(r"^\| ((?:[A-Z]\d+, )*[A-Z]\d+)\b", text, re.MULTILINE)
    paragraphs = re.findall(r"\*\*([A-Z]\d+)\b", text)
    return frozenset((*sections, *paragraphs, *(name for row in rows for name in row.split(", "))))


def prose(path: Path) -> str:
    """The comments and strings of a Python file; all of another one."""
    text = path.read_text()
    if path.suffix != ".py" or "(spec" not in text:
        return text
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(token.string for token in tokens if token.type in (tokenize.COMMENT, tokenize.STRING))


def unwrapped(text: str) -> str:
    """Without line breaks and the comment marks behind them."""
    return re.sub(r"\s*\n\s*(?:#:?|//)?\s*", " ", text)


def problems(text: str) -> list[str]:
    """What is wrong with the references in the text of a file."""
    text = unwrapped(text)
    found, documents = [], set()
    for meant in _MEANT.finditer(text):
        reference = _REFERENCE.match(text, meant.start())
        if reference is None:
            found.append(f"{meant.group()} is not written as a reference")
            continue
        for part in reference.group()[len("(spec: ") : -1].split("; "):
            document, _, named = part.partition(", ")
            documents.add(document)
            found += missing(document, named)
    if documents:
        for section in _SECTION.finditer(text):
            for place in re.findall(_PLACE, section[1]):
                if not any(place in places(one) for one in documents if (SPEC / f"{one}.md").exists()):
                    found.append(f"{section.group()}: none of {', '.join(sorted(documents))} has it")
    return found


def missing(document: str, named: str) -> list[str]:
    if not (SPEC / f"{document}.md").exists():
        return [f"there is no docs/spec/{document}.md"]
    return [f"{document}.md has no {place}" for place in re.findall(_PLACE, named) if place not in places(document)]


def sources() -> list[Path]:
    files = (path for room in SOURCES for path in (REPOSITORY / room).rglob("*"))
    return [path for path in files if path.suffix in (".py", ".mlir") and path != Path(__file__).resolve()]


@pytest.mark.slow
def test_references_lead_to_sections() -> None:
    found = [f"{path.relative_to(REPOSITORY)}: {problem}" for path in sources() for problem in problems(prose(path))]
    assert not found, "\n".join(found)


def test_documents_refer_to_sections_of_one_another() -> None:
    documents = sorted(SPEC.glob("*.md"))
    found = [
        f"{path.name}: {problem}"
        for path in documents
        for document, place in _OF_DOCUMENTS.findall(unwrapped(path.read_text()))
        if document not in ("differences", "passes")
        for problem in missing(document, place)
    ]
    assert len(documents) > 1
    assert not found, "\n".join(found)


def test_documents_are_listed() -> None:
    listed = re.findall(r"^\| \[([a-z-]+)\]\(\1\.md\)", (SPEC / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in SPEC.glob("*.md") if path.stem != "README")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(spec: propagation, 5.4)", None),
        ("(spec: propagation,\n5.4 and 6; async, A7)", None),
        ("(spec: propagation)", None),
        ("(spec: propagation, 9)  # (section 6.1)", None),
        ("(spec: propagation, 5.44)", "propagation.md has no 5.44"),
        ("(spec: propagatoin, 5.4)", "there is no docs/spec/propagatoin.md"),
        ("(spec: propagation, sections 5 and 6)", "not written as a reference"),
        ("(spec: propagation 5.4)", "not written as a reference"),
        ("(spec propagation, 5.4)", "not written as a reference"),
        ("(spec: propagation, 5-6)", "not written as a reference"),
        ("(spec: 5.4)", "not written as a reference"),
        ("(spec: async, A99)", "async.md has no A99"),
        ("(spec: propagation, 9)  # (section 66)", "none of propagation has it"),
    ],
)
def test_what_counts_as_a_reference(text: str, what: str | None) -> None:
    found = problems(text)
    assert (found == []) if what is None else (len(found) == 1 and what in found[0])
