"""The kinds of what is made of texts.

>>> print(text_method("strip"), text_method("split"), text_method("find"))
str list[str] int
"""

from __future__ import annotations

from adtrans.ir.kinds import (
    NEVER,
    PY_BOOL,
    PY_INT,
    TEXT,
    UNKNOWN,
    Instance,
    Kind,
    Known,
    ListOf,
    Scalar,
)

_TEXTS = frozenset({
    "capitalize", "casefold", "center", "expandtabs", "format", "format_map", "join", "ljust",
    "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rjust", "rstrip", "strip",
    "swapcase", "title", "translate", "upper", "zfill",
})  # fmt: skip
_LISTS = frozenset({"split", "rsplit", "splitlines"})
_PLACES = frozenset({"count", "find", "index", "rfind", "rindex"})


def is_text_kind(kind: Kind) -> bool:
    """Whether a value is a string, known or not."""
    match kind:
        case Known(value=str()):
            return True
        case Instance(cls=cls):
            return cls is str
        case _:
            return False


def text_method(name: str) -> Kind:
    """The kind of the result of a method of a text."""
    if name in _TEXTS:
        return TEXT
    if name in _LISTS:
        return ListOf(TEXT)
    if name in _PLACES:
        return PY_INT
    return PY_BOOL if name.startswith(("is", "starts", "ends")) else UNKNOWN


def text_operation(op: str, left: Kind, right: Kind) -> Kind:
    """The kind of `template % values`, and of texts joined or repeated; else nothing.

    >>> print(text_operation("%", TEXT, UNKNOWN), text_operation("+", TEXT, TEXT))
    str str
    """
    if is_text_kind(left):
        number = isinstance(right, Scalar) and right.type in ("int", "bool")
        if op == "%" or (op == "+" and is_text_kind(right)) or (op == "*" and number):
            return TEXT
    return NEVER
