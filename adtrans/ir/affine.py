"""Integer expressions that are affine in symbols: `2*i + n - 1`.

A symbol is a string whose meaning does not change while it is in use: a dimension of a parameter
(`x.shape[0]`), an integer parameter (`n`), or the index of a loop in its current iteration (`i#7`,
7 being the site of the loop).

>>> i, n = Affine.symbol("i#7"), Affine.symbol("n")
>>> print(2 * i + n - 1)
2*i#7 + n - 1
>>> (i + 1) - (i - 1) == Affine.const(2)
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Affine:
    """`sum(coefficient * symbol) + constant`; terms are sorted and never zero."""

    terms: tuple[tuple[str, int], ...]
    constant: int

    @staticmethod
    def const(value: int) -> Affine:
        """The constant `value`."""
        return Affine((), int(value))

    @staticmethod
    def symbol(name: str) -> Affine:
        """The symbol itself."""
        return Affine(((name, 1),), 0)

    @staticmethod
    def _of(terms: Mapping[str, int], constant: int) -> Affine:
        return Affine(tuple(sorted([(s, c) for s, c in terms.items() if c])), constant)

    @property
    def value(self) -> int | None:
        """The integer, where no symbol is left."""
        return None if self.terms else self.constant

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols with a coefficient."""
        return frozenset([s for s, _ in self.terms])

    def coefficient(self, symbol: str) -> int:
        """The factor of `symbol`, 0 when it does not occur."""
        return dict(self.terms).get(symbol, 0)

    def substitute(self, symbol: str, by: Affine) -> Affine:
        """This expression with `by` in place of `symbol`."""
        c = self.coefficient(symbol)
        if not c:
            return self
        rest = Affine(tuple(t for t in self.terms if t[0] != symbol), self.constant)
        return rest + c * by

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        terms = dict(self.terms)
        for s, c in other.terms:
            terms[s] = terms.get(s, 0) + c
        return Affine._of(terms, self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return Affine(tuple((s, -c) for s, c in self.terms), -self.constant)

    def __sub__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant - other)
        terms = dict(self.terms)
        for s, c in other.terms:
            terms[s] = terms.get(s, 0) - c
        return Affine._of(terms, self.constant - other.constant)

    def __rsub__(self, other: int) -> Affine:
        return -self + other

    def __mul__(self, factor: int) -> Affine:
        return Affine._of({s: c * factor for s, c in self.terms}, self.constant * factor)

    __rmul__ = __mul__

    def __str__(self) -> str:
        parts = [(c, s if abs(c) == 1 else f"{abs(c)}*{s}") for s, c in self.terms]
        if self.constant or not parts:
            parts.append((self.constant, str(abs(self.constant))))
        first, *rest = parts
        head = ("-" if first[0] < 0 else "") + first[1]
        return head + "".join(f" {'-' if c < 0 else '+'} {s}" for c, s in rest)
