"""Breaking a line that is too long, inside brackets, where a person would.

>>> print("\\n".join(wrap("y = f(alpha, beta * gamma, delta)", 0, 22)))
y = f(alpha,
      beta * gamma,
      delta)
"""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass

WIDTH = 100

# What a break costs, after brackets: before the loosest operators first.
_COSTS = {
    "if": 1, "else": 1, "for": 1, "async": 1, "or": 2, "and": 3,
    "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4, "is": 4,
    "|": 5, "^": 5, "&": 5, "<<": 5, ">>": 5, "+": 6, "-": 6,
    "*": 7, "/": 7, "//": 7, "%": 7, "@": 7, "**": 9,
}  # fmt: skip
_AFTER_BRACKET = 12
_DEPTH = 10  # a bracket deeper costs more than the tightest operator but one
_DEEP = 60  # beyond this column, continuation lines do not line up with their bracket
_HANGING = 8


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token with the blanks before it; `cost` None: no break before it."""

    blanks: int
    text: str
    depth: int
    cost: int | None


def wrap(code: str, indent: int, limit: int = WIDTH) -> list[str]:
    """`code`, one logical line, as lines indented by `indent` that end before `limit` if possible.

    Only blanks inside brackets become line breaks, so the meaning stays. Text that spans lines
    (a triple-quoted string) is left alone.
    """
    whole = " " * indent + code
    if len(whole) <= limit or "\n" in code:
        return [whole]
    pieces = _pieces(code)
    lines: list[str] = []
    brackets: list[int] = []  # for each open bracket the column where its content begins
    line, start = " " * indent, 0
    while start < len(pieces):
        end = _line_end(pieces, start, len(line), limit)
        for i in range(start, end):
            piece = pieces[i]
            line += (" " * piece.blanks if i > start or not lines else "") + piece.text
            if piece.text in ("(", "[", "{"):
                last = i + 1 == end and end < len(pieces)
                deep = last or len(line) > _DEEP
                brackets.append(indent + _HANGING if deep else len(line))
            elif piece.text in (")", "]", "}"):
                brackets.pop()
        lines.append(line)
        line = " " * (brackets[-1] if brackets else indent)
        start = end
    return lines


def needs_brackets(code: str) -> bool:
    """Whether `code`, an expression, could be broken only inside brackets around all of it.

    >>> needs_brackets("a + f(b)"), needs_brackets("f(a + b)")
    (True, False)
    """
    return any(p.depth == 0 and p.cost is not None for p in _pieces(code)[1:])


def _line_end(pieces: list[_Piece], start: int, column: int, limit: int) -> int:
    """The index of the piece before which to break the line that starts with piece `start`."""
    ends = []
    for i in range(start, len(pieces)):
        column += len(pieces[i].text) + (pieces[i].blanks if i > start else 0)
        ends.append(column)
    if ends[-1] <= limit:
        return len(pieces)
    places = [
        i
        for i in range(start + 1, len(pieces))
        if pieces[i].depth > 0 and pieces[i].cost is not None
    ]
    fitting = [i for i in places if ends[i - start - 1] <= limit]
    if not fitting:
        return places[0] if places else len(pieces)
    wide = [i for i in fitting if ends[i - start - 1] >= 0.4 * limit] or fitting
    return min(wide, key=lambda i: (pieces[i].depth * _DEPTH + (pieces[i].cost or 0), -i))


def _pieces(code: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    depth, column = 0, 0
    for text, at in _tokens(code):
        if text in (")", "]", "}"):
            depth -= 1
        pieces.append(_Piece(at - column, text, depth, _cost(pieces, text, at - column)))
        if text in ("(", "[", "{"):
            depth += 1
        column = at + len(text)
    return pieces


def _cost(before: list[_Piece], text: str, blanks: int) -> int | None:
    previous = before[-1].text if before else ""
    if previous == "," and blanks:
        return 0
    if previous in ("(", "[", "{") and text not in (")", "]", "}"):
        return _AFTER_BRACKET
    if not blanks or previous in ("not", "is", "async", "*", "**", ":"):
        return None
    if text == "not" and previous not in ("and", "or", "if", "else", "in", "=", *_COSTS):
        return _COSTS["in"]  # `a not in b`
    return _COSTS.get(text)


def _tokens(code: str) -> list[tuple[str, int]]:
    """The tokens of one line with their columns; a formatted string is one token."""
    opens = {getattr(tokenize, n, -1) for n in ("FSTRING_START", "TSTRING_START")}
    closes = {getattr(tokenize, n, -1) for n in ("FSTRING_END", "TSTRING_END")}
    found: list[tuple[str, int]] = []
    strings = begin = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in opens:
            begin = begin if strings else token.start[1]
            strings += 1
        elif token.type in closes:
            strings -= 1
            if not strings:
                found.append((code[begin : token.end[1]], begin))
        elif token.string.strip() and not strings:
            found.append((token.string, token.start[1]))
    return found
