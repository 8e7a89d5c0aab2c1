"""The textual form of pipelines: ``sdy-a,func.func(sdy-b{opt=val}),canonicalize``."""

from __future__ import annotations

from sdy.passes.options import parse_options
from sdy.passes.registry import PipelineError
from sdy.passes.steps import ANY, FUNCTION, MODULE, Step


def parse_pipeline(text: str) -> list[Step]:
    """The steps of a textual pipeline, with or without ``builtin.module(...)`` around it.

    Raises:
      PipelineError: the text is no pipeline, or nests anything but functions.
    """
    steps: list[Step] = []
    for part in _split(text):
        name, _, nested = _parts(part)
        # What is around the whole pipeline means the module itself.
        steps += _steps(nested if nested is not None and name in (MODULE, ANY) else part, on_func=False)
    return steps


def _steps(text: str, *, on_func: bool) -> list[Step]:
    steps: list[Step] = []
    for part in _split(text):
        name, options, nested = _parts(part)
        if nested is None:
            try:
                steps.append(Step(name, parse_options(options), on_func))
            except ValueError as error:
                raise PipelineError(f"in '{part}': {error}") from None
        elif name in (FUNCTION, ANY) and not on_func:
            steps += _steps(nested, on_func=True)
        else:
            where = FUNCTION if on_func else MODULE
            raise PipelineError(f"cannot nest '{name}' in '{where}': only '{FUNCTION}' in '{MODULE}' is supported")
    return steps


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket or quote."""
    parts, depth, quote, start = [], 0, "", 0
    for position, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
            if depth < 0:
                raise PipelineError(f"unbalanced '{char}' in pipeline '{text}'")
        elif char == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    if depth or quote:
        raise PipelineError(f"unbalanced brackets or quotes in pipeline '{text}'")
    parts.append(text[start:].strip())
    if parts == [""]:
        return []
    if "" in parts:
        raise PipelineError(f"empty pass name in pipeline '{text}'")
    return parts


def _parts(text: str) -> tuple[str, str, str | None]:
    """Name, options and nested pipeline (None without one) of one part."""
    first = min((text.find(char) for char in "({" if char in text), default=-1)
    if first < 0:
        return text, "", None
    name, rest = text[:first].strip(), text[first:]
    if rest[0] == "(":
        if not rest.endswith(")"):
            raise PipelineError(f"unexpected text behind ')' in '{text}'")
        return name, "", rest[1:-1]
    if not rest.endswith("}"):
        raise PipelineError(f"unexpected text behind '}}' in '{text}'")
    return name, rest[1:-1], None
