"""Kinds as text: what `--types` says about parameters, and annotations such as "float64[:]".

>>> kinds = parse_types("x=float64[:, 3], n=int, w=float")
>>> print(kinds["x"], kinds["n"], kinds["w"])
float64[x.shape[0], 3] int=n float

The grammar, where dimensions are `:`, a number, or a name that stands for one size everywhere:

    types := name "=" type ("," name "=" type)*
    type  := "int" | "float" | "bool" | "complex" | "str" | "None" | "any" | dtype
           | (dtype | "array") "[" ("..." | dimension ("," dimension)*) "]"
           | "(" type ("," type)* ")" | "list" "[" type "]"
"""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from adtrans.ir.affine import Affine
from adtrans.ir.kinds import (
    NONE_KIND,
    PY_BOOL,
    PY_FLOAT,
    UNKNOWN,
    Array,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
)

_TOKEN = re.compile(r"\s*(\.\.\.|[A-Za-z_]\w*|\d+|[=\[\](),:])")
_ABSTRACT = frozenset({
    np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact,
    np.floating, np.complexfloating, np.flexible, np.character,
})  # fmt: skip
_SCALARS: Mapping[str, Kind] = {
    "bool": PY_BOOL,
    "float": PY_FLOAT,
    "complex": Scalar("complex"),
    "str": UNKNOWN,
    "any": UNKNOWN,
    "None": NONE_KIND,
}


def parse_types(text: str) -> dict[str, Kind]:
    """The kinds that `text` gives to parameters.

    Raises:
        ValueError: where the text is not well formed, saying what was expected.

    >>> print(parse_types("p=(float, list[int]), a=float32[n, n]")["a"])
    float32[a.shape[0], a.shape[0]]
    """
    return _Parser(text).types()


def parse_type(text: str, name: str) -> Kind:
    """The kind that `text` gives to the parameter `name`; raises as `parse_types` does.

    >>> print(parse_type("float64[:]", "u"))
    float64[u.shape[0]]
    """
    parser = _Parser(text)
    kind = parser.type(name)
    if parser.peek():
        parser.fail("the end", parser.peek())
    return kind


def _item(kind: Kind) -> Kind:
    """A kind for many values: no single value is known of them."""
    return Scalar("int", kind.dtype) if isinstance(kind, Scalar) and kind.type == "int" else kind


def scalar_of_dtype(dtype: type[np.generic]) -> Kind:
    """The kind of a NumPy scalar of this type."""
    name = dtype_name(dtype)
    if name is None:
        return UNKNOWN
    stem: Literal["bool", "float", "complex"]
    for stem in ("bool", "float", "complex"):
        if name.startswith(stem):
            return Scalar(stem, name)
    return Scalar("int", name) if "int" in name else UNKNOWN


def dtype_name(dtype: Any) -> str | None:
    """The name of a dtype, None for what is none (or an abstract one, such as `np.floating`)."""
    if isinstance(dtype, type) and dtype in _ABSTRACT:
        return None
    try:
        return str(np.dtype(dtype).name)
    except TypeError:
        return None


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.sizes = text, 0, dict[str, Affine]()

    def types(self) -> dict[str, Kind]:
        kinds: dict[str, Kind] = {}
        while True:
            name = self.take("a parameter name")
            if not name.isidentifier():
                self.fail("a parameter name", name)
            if name in kinds:
                raise ValueError(f"--types gives `{name}` twice")
            self.expect("=")
            kinds[name] = self.type(name)
            if not self.peek():
                return kinds
            self.expect(",")

    def type(self, place: str) -> Kind:
        word = self.take("a type")
        if word == "(":
            items = [self.type(f"{place}[0]")]
            while self.peek() == ",":
                self.expect(",")
                if self.peek() != ")":
                    items.append(self.type(f"{place}[{len(items)}]"))
            self.expect(")")
            return TupleOf(tuple(items))
        if word == "list":
            self.expect("[")
            item = self.type(f"{place}[*]")
            self.expect("]")
            return ListOf(_item(item))
        if self.peek() == "[":
            return self.array(place, None if word == "array" else self.dtype(word))
        if word == "int":
            return Scalar("int", None, Affine.symbol(place) if place.isidentifier() else None)
        if word in _SCALARS:
            return _SCALARS[word]
        return scalar_of_dtype(np.dtype(self.dtype(word)).type)

    def array(self, place: str, dtype: str | None) -> Kind:
        self.expect("[")
        dims: list[Affine | None] = []
        if self.peek() == "...":
            self.expect("...")
            self.expect("]")
            return Array(dtype, None)
        while self.peek() != "]":
            dims.append(self.dimension(f"{place}.shape[{len(dims)}]"))
            if self.peek() != "]":
                self.expect(",")
        self.expect("]")
        apart = frozenset(k for k, d in enumerate(dims) if d and d.value not in (None, 1))
        return Array(dtype, tuple(dims), apart)

    def dimension(self, symbol: str) -> Affine:
        word = self.take("a dimension")
        if word == ":":
            return Affine.symbol(symbol)
        if word.isdigit():
            return Affine.const(int(word))
        if not word.isidentifier():
            self.fail("a dimension", word)
        return self.sizes.setdefault(word, Affine.symbol(symbol))

    def dtype(self, word: str) -> str:
        known = word.isidentifier() and len(word) > 1  # `T` is rather a type variable than a dtype
        name = dtype_name(word) if known else None
        if name is None or np.dtype(word).kind not in "fciub":
            self.fail("a type", word)
        return name

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return match.group(1) if match else self.text[self.at :].strip()

    def take(self, wanted: str) -> str:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            self.fail(wanted, self.text[self.at :].strip())
        self.at = match.end()
        return match.group(1)

    def expect(self, word: str) -> None:
        found = self.take(f"`{word}`")
        if found != word:
            self.fail(f"`{word}`", found)

    def fail(self, wanted: str, found: str) -> typing.NoReturn:
        what = f"`{found}`" if found else "the end"
        raise ValueError(f"expected {wanted}, found {what} in `{self.text}`")
