"""From the dialect's own syntax to text that the upstream parser reads.

Upstream knows an IRDL dialect's ops and attributes in their generic form only. The translator searches for `sdy`. A
match outside of strings and comments is an attribute (``#sdy.sharding<...>``), an op (``sdy.reshard ...``), an op in
generic form (``"sdy.reshard"(...)``) or an attribute's name. It also translates `hlo_async`, which has no attributes
and whose type is written as it is, and `mhlo.copy`, which occurs in XLA's dumps. All other text and the line numbers
stay. Attributes are defined as aliases in front of the first line (see `attribute_aliases`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sdy.dialect.assembly.attribute_grammar import GRAMMAR, mesh_tensor
from sdy.dialect.assembly.foreign import end_of_symbol, types
from sdy.dialect.assembly.format_reader import STANDALONE, AttributeAliases, FormatReader, ReadOp
from sdy.dialect.assembly.formats import Format, format_of
from sdy.dialect.assembly.op_writer import OpWriter, Segments, check_enumerations, read_generic, write_generic
from sdy.dialect.assembly.positions import LEXEME, Piece, Pieces, padding
from sdy.dialect.assembly.reader import AssemblyError, Reader
from sdy.dialect.context import VARIADIC
from sdy.dialect.definition.attributes import dialect_of, irdl_text
from sdy.dialect.values.axes import quote
from sdy.lazy_dataclass import dataclass, lazy_pattern
from sdy.mlir.declared_dialects import TooManyTypes

# Names of attributes in dictionaries, ``sdy.sharding = ``, are what there is most of and need nothing done.
_FIND = lazy_pattern(r"sdy(?:<|\.(?!\w+ ?=))")
_FIND_ALL = lazy_pattern(r"(?:(?:sdy|mpmd)(?:<|\.(?!\w+ ?=))|hlo_async\.|(?<![\"#])mhlo\.(?=copy\b))")
_OTHERS = ("hlo_async.", "mpmd", "mhlo.copy")

_NO_OP = lazy_pattern(
    r"[\s{}()]*+(?::(?:[(),\s]|->|(?:tensor|!\w[\w.]*)<[^<>]*+>|![\w.]+|index|[if]\d+)*+)?[\s})]*+"
    r"(?:loc\([^()]*+\)\s*+)?(?://[^\r\n]*+)?\s*+"
)
"""Pattern of text that may follow an op on its line, except another op."""

_FUNC_OP = lazy_pattern(r"(?:^|[={}])[ \t]*(return|call|call_indirect)(?![\w.$]|[ \t]*=)", re.MULTILINE)
_STUBS = {"#": "unit ", "!": "none "}
"""Placeholder for an attribute, or a type, that is not translated."""

_MODULE = lazy_pattern(r"module\b(?:\s*@[^\s{]+)?(?:\s*attributes\s*\{[^{}]*\})?\s*\{")
_BEFORE_TYPE = frozenset(" \t\r\n/:")
_NAME = lazy_pattern(r"[\w$]+")

_RETURNS = ("sdy.return", "hlo_async.return", "mpmd.return")

_STAND_IN = '"func.return"() '
"""The start of an op, for one that is not translated: the parser looks one token ahead, and reports nothing of what it
has just read when that is an error."""

STOP = "`"
"""A character that no token starts with."""


@dataclass(slots=True)
class Translation:
    """The result: pieces of text, whether any op or block argument has moved in its line, whether ops have segments.

    Segments (see `sdy.mlir.declared_dialects`) serve the parser's verifier only and have to be removed from the ops.
    With an `error`, the pieces end before it with a character that the parser refuses.
    """

    pieces: Sequence[Piece]
    moved: bool
    segmented: bool
    error: AssemblyError | None = None


def translate(text: str, groups: int) -> Translation:
    """`text` in the form that the upstream parser reads, in a context with `groups` groups.

    Raises:
      TooManyTypes: an op needs more groups.
    """
    translator = _Translator(text, groups)
    error = None
    try:
        translator.range(0, len(text))
    except AssemblyError as raised:
        error = translator.stop(raised)
    needed = translator.segments.needed
    if needed > groups and error is None:
        raise TooManyTypes(needed)
    prologue = translator.aliases.definitions()
    pieces = [(prologue, 0, 0), *translator.pieces] if prologue else translator.pieces
    moved = translator.moved or translator.writer.moved or (bool(prologue) and _ops_on_first_line(text))
    return Translation(pieces, moved, needed > 0, error)


def _ops_on_first_line(text: str) -> bool:
    """Return whether ops other than the module itself start on the first line."""
    first = text[: text.find("\n")] if "\n" in text else text
    code = re.sub(r"//[^\r\n]*", "", first).strip()
    if code.startswith(("#", "!")):
        return "%" in code or "@" in code or "module" in code
    return bool(code) and _MODULE.fullmatch(code) is None


class _Token(NamedTuple):
    """Candidate for a word of the dialect: the text from `at` to `after`, and the character before it."""

    before: str
    at: int
    after: int


class _Scanner:
    """Finds attributes (behind ``#``), ops in generic form (behind a quotation mark), and other words of the dialect.

    At `position` no string or comment is open; the reader of a match moves it forward.
    """

    def __init__(self, text: str, start: int) -> None:
        self._text, self.position = text, start

    def tokens(self, find: re.Pattern[str], end: int) -> Iterator[_Token]:
        """Yield the matches of `find` up to `end` that are whole words outside of strings and comments."""
        text = self._text
        for found in find.finditer(text, self.position, end):
            at = found.start()
            if at < self.position:
                continue
            before = text[at - 1] if at else "\n"
            if before.isalnum() or before in "_.$@%^" or (before == '"' and not self._is_quoted_op(found)):
                continue
            if (before == "#" and found[0] == "hlo_async.") or (before == "!" and found[0] != "mpmd."):
                continue  # it has no attributes, or its types are written as they are
            if text.find('"', self.position, at) < 0 and text.find("//", self.position, at) < 0:
                self.position = at
            else:
                self.position, is_inside = _lex(text, self.position, at)
                if is_inside and (before != '"' or self.position != at - 1):
                    continue
            yield _Token(before, at, found.end())

    def _is_quoted_op(self, found: re.Match[str]) -> bool:
        """Return whether the string around a match is an op's name in generic form."""
        name = _NAME.match(self._text, found.end())
        end = name.end() if name is not None else found.start()
        is_op = format_of(self._text[found.start() : end]) is not None
        return is_op and self._text.startswith('"', end) and Reader(self._text, end + 1).peek("(")


def _lex(text: str, start: int, at: int) -> tuple[int, bool]:
    """Return where to go on, and whether `at` is inside a string or comment; `start` is not."""
    for lexeme in LEXEME.finditer(text, start):
        if lexeme.start() >= at:
            break
        if lexeme.end() > at:
            return lexeme.start(), True
        start = lexeme.end()
    return start, False


class _Translator:
    def __init__(self, text: str, groups: int) -> None:
        self.text = text
        self.pieces = Pieces(text)
        self.aliases = AttributeAliases(text)
        self.segments = Segments(groups, self.aliases)
        self.writer = OpWriter(self.pieces, self.range, self._body)
        self._find = _FIND_ALL if any(each in text for each in _OTHERS) else _FIND
        self.moved = False

    def range(self, start: int, end: int, op_end: int = -1) -> None:
        """Translates the text from `start`, which is not inside a string or comment, to `end`.

        The translation of an op ends at `op_end`, if that is on the same line.
        """
        scanner, copied = _Scanner(self.text, start), start
        for token in scanner.tokens(self._find, end):
            edited = self._edit(copied, token)
            if edited is None:
                continue
            if token.before not in ("#", "!"):
                # An attribute's stand-in has its width, an op's has not.
                if op_end >= 0:
                    self._watch(op_end, token.at, True)
                op_end = edited
            scanner.position = copied = edited
        if op_end >= 0:
            self._watch(op_end, end, False)
        self.pieces.copy(copied, end)

    def _edit(self, copied: int, token: _Token) -> int | None:
        """Writes the text from `copied` up to a token, and the translation of the token.

        Returns its end, None if nothing changes.
        """
        before, at, after = token
        try:
            if before == "#":
                return self._attribute(copied, at - 1, after)
            if before == '"':
                return self._quoted_op(copied, at - 1)
            if before == "!":
                return self._type(copied, at - 1, after)
            return self._bare(copied, at, after)
        except AssemblyError as error:
            if not error.is_placed:
                begin = at - (before in '#!"')
                self.pieces.copy(copied, begin)
                error.is_placed, error.stub = True, (_STUBS.get(before, _STAND_IN), begin)
            raise

    def stop(self, error: AssemblyError) -> AssemblyError:
        """Ends the translation at an error, or at an earlier one that upstream reports first."""
        if error.instead is not None:
            text, start = error.instead
            self.pieces.put(text, start)
            if error.is_raw:
                self.pieces.copy(start, len(self.text))
            else:
                try:
                    self.range(start, error.end or len(self.text))
                except AssemblyError as inner:
                    return self.stop(inner)
            if error.end is None:
                return error
        else:
            self.pieces.put(*error.stub)
        self.pieces.put(STOP, error.seen)
        return error

    def _watch(self, edited: int, at: int, is_op: bool) -> None:
        """Records whether an op stands between the edits that end at `edited` and begin at `at`, on one line."""
        if self.moved:
            return
        line_end = self.text.find("\n", edited, at)
        if line_end < 0:
            line_end = at
            self.moved = is_op
        self.moved = self.moved or _NO_OP.fullmatch(self.text, edited, line_end) is None

    # Attributes ----------------------------------------------------------------------------------

    def _attribute(self, copied: int, start: int, after: int) -> int:
        """``#sdy.NAME<...>`` or ``#sdy<NAME...>`` at `start`; returns its end."""
        text = self.text
        raw = STANDALONE.match(text, start + 1)
        if raw is not None:
            known = self.aliases.standalone.get(raw[0])
            if known is not None and text[raw.end() : raw.end() + 1] not in _BEFORE_TYPE:
                self.pieces.copy(copied, start)
                self.pieces.stand_in(known, start, raw.end())
                return raw.end()
        wrapped = text[after - 1] == "<"
        name_at = Reader(text, after).ahead()
        name = _NAME.match(text, name_at) if wrapped or name_at == after else None
        dialect = text[start + 1 : after - 1]
        if name is None or name[0] not in GRAMMAR or dialect_of(name[0]) != dialect:
            at, got = (start, f"'{name[0]}'") if name else (name_at, "nothing")
            raise AssemblyError(at, f"expected the name of an {dialect} attribute, got {got}")
        opening = after - 1 if wrapped else name.end()
        # As in the reference, what is in brackets counts as read, whatever may stand in it behind the body.
        end = end_of_symbol(text, opening) if text.startswith("<", opening) else name.end()
        try:
            alias = self.aliases.of_body(name[0], name.end())[0]
            if end is None:
                raise AssemblyError(opening, "unbalanced brackets; brackets in comments count, too")
        except AssemblyError as error:
            if end is None:
                error.is_upstreams, error.instead, error.is_raw = True, ("", start), True
                raise
            alias = self.aliases.of_irdl(name[0], text[start:end])
            if alias is None:
                raise
        end = _behind_type(text, end)
        room = padding(text[start:end], alias + " ")  # a blank, lest it becomes one word with what comes next
        self.moved = self.moved or room is None
        alias += " " + (room or "")
        self.pieces.copy(copied, start)
        self.pieces.stand_in(alias, start, end)
        if raw is not None and raw.end() == end:
            self.aliases.standalone[raw[0]] = alias
        return end

    def _type(self, copied: int, start: int, after: int) -> int | None:
        """Translate ``!mpmd.mesh_tensor<...>`` at `start`; return its end, None if nothing has to change."""
        reader = Reader(self.text, after)
        if reader.word() != "mesh_tensor":
            return None
        written = mesh_tensor(reader)
        if written.is_irdl:
            return None
        first, end = len(self.pieces), written.tensor[1]
        self.pieces.copy(copied, written.tensor[0])
        self.range(*written.tensor)
        sharding = "unit" if written.sharding is None else self.aliases.of_text(irdl_text(written.sharding))
        memory = "unit" if written.memory_kind is None else quote(written.memory_kind)
        self.pieces.put(f", {sharding}, {memory}>", end)
        self.pieces.pad_lines(first, copied, reader.pos)
        self.moved = True
        return reader.pos

    # Ops -----------------------------------------------------------------------------------------

    def _bare(self, copied: int, start: int, after: int) -> int | None:
        """Translate ``sdy.NAME`` at `start`, NAME at `after`: an op, or the name of an attribute (then None)."""
        name = _NAME.match(self.text, after)
        if name is None:
            return None
        op_name = self.text[start : name.end()]
        reader = Reader(self.text, name.end())
        following = self.text[reader.ahead() : reader.ahead() + 1]
        if following in ("=", ",") or (following == "}" and self._in_dictionary(start)):
            return None
        format_ = format_of(op_name)
        if format_ is None:
            if self._starts_op(start):
                raise AssemblyError(start, f"unknown op '{op_name}'")
            return None
        if op_name == "sdy.constant" and following == "(":
            return self._generic_op(copied, start, format_, reader.pos) or self._quoted(copied, start, reader.pos)
        return self._pretty_op(copied, format_, start, reader)

    def _pretty_op(self, copied: int, format_: Format, start: int, reader: Reader) -> int:
        format_reader = FormatReader(reader, self.aliases, start)
        op = format_reader.op
        try:
            type_text = format_reader.read(format_)
            if format_.op_name in VARIADIC:
                _check_count(op, type_text, reader.pos)
        except AssemblyError as error:
            if op.body is not None:
                self.pieces.copy(copied, start)
                self.writer.write_start(format_.op_name, op)
                error.is_placed = True
            if op.dictionary is not None and error.instead is None:
                stub = " " if op.body is not None else _STAND_IN
                error.instead, error.end = (stub, op.dictionary[0]), op.dictionary[1]
            raise
        if format_.op_name in VARIADIC:
            op.attributes += self.segments.of(format_.op_name, Reader(type_text))
        self.pieces.copy(copied, start)
        self.writer.write(format_, op, type_text, reader.pos)
        return reader.pos

    def _quoted_op(self, copied: int, start: int) -> int | None:
        """Translate ``"sdy.NAME"`` at `start`; None if nothing has to change."""
        name_end = self.text.index('"', start + 1) + 1
        format_ = format_of(self.text[start + 1 : name_end - 1])
        assert format_ is not None, "the scanner finds ops that have one"
        return self._generic_op(copied, start, format_, name_end)

    def _generic_op(self, copied: int, start: int, format_: Format, name_end: int) -> int | None:
        op = read_generic(format_, Reader(self.text, name_end), self.segments)
        if op is None:
            return None
        check_enumerations(format_, op, self.text, start)
        self.pieces.copy(copied, start)
        write_generic(format_, op, start, self.pieces, self.range, self._region)
        return op.end

    def _quoted(self, copied: int, start: int, end: int) -> int:
        """Puts quotation marks around the name of an op."""
        self.pieces.copy(copied, start)
        self.pieces.put(f'"{self.text[start:end]}"', start)
        return end

    def _body(self, start: int, end: int) -> None:
        """Translates a body up to the first op without a dialect prefix, and refuses that op.

        The parser knows only the generic form of the enclosing op, so it would look for such an op in `func`.
        """
        for found in _FUNC_OP.finditer(self.text, start, end):
            if not _lex(self.text, start, found.start(1))[1]:
                self.range(start, found.start(1))
                error = AssemblyError(found.start(1), f"op '{found[1]}' lacks the name of its dialect")
                error.is_placed, error.stub = True, (_STAND_IN, found.start(1))
                raise error
        self._region(start, end)

    def _region(self, start: int, end: int) -> None:
        """Translates ops that are written after the op around them."""
        self.range(start, end, start)

    def _in_dictionary(self, start: int) -> bool:
        """Return whether ``sdy.x}`` at `start` is a unit attribute rather than a `sdy.return` without operands."""
        at = start - 1
        while at >= 0 and self.text[at].isspace():
            at -= 1
        before = self.text[at : at + 1]
        return before == "," or (before == "{" and not self.text.startswith(_RETURNS, start))

    def _starts_op(self, start: int) -> bool:
        before = self.text[max(0, start - 200) : start].rstrip(" \t")
        return before.endswith("=") and "%" in before[before.rfind("\n") + 1 :]


def _behind_type(text: str, end: int) -> int:
    """Return the end of ``: type`` behind an attribute; upstream reads a type there and ignores it."""
    reader = Reader(text, end)
    return reader.type()[1] if reader.accept(":") else end


def _check_count(op: ReadOp, type_text: str, end: int) -> None:
    """Refuses an op that ends at `end` if its operands and their types differ in number."""
    count = len(types(Reader(type_text)))
    if count != len(op.operands):
        at = op.operands[0][0] if op.operands else op.start
        error = AssemblyError(at, f"{len(op.operands)} operands with {count} types")
        error.seen = end
        raise error
