"""Proves that an affine expression is never negative, from what is known about its symbols.

Sound and incomplete: it eliminates one symbol after the other with the known inequalities (a
bounded Fourier-Motzkin search), and a "no" means "not proved".

>>> i, n = Affine.symbol("i#7"), Affine.symbol("x.shape[0]")
>>> facts = Facts((i - 1, n - 1 - i))              # for i in range(1, n)
>>> proves_nonneg(i - 1, facts), proves_nonneg(n - 2, facts), proves_nonneg(n - 3, facts)
(True, True, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import gcd

from adtrans.ir.affine import Affine

__all__ = ["Facts", "proves_nonneg", "proves_nonzero"]

_DEPTH = 10
_EFFORT = 300


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known at a place: each expression in `known` is >= 0.

    `given` holds, by symbol, what is known only where that symbol means something: the bounds of a
    loop index say nothing when the loop did not run. Sizes (`x.shape[0]`) are never negative.
    """

    known: tuple[Affine, ...] = ()
    given: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)
    _about: dict[frozenset[str], tuple[Affine, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def plus(self, known: Iterable[Affine]) -> Facts:
        """These facts and more."""
        return replace(self, known=(*self.known, *known))

    def about(self, symbols: frozenset[str]) -> tuple[Affine, ...]:
        """All inequalities that may be used where `symbols` occur."""
        if not self.given:
            return self.known
        if symbols in self._about:
            return self._about[symbols]
        found = list(self.known)
        waiting, seen = list(symbols), set()
        while waiting:
            symbol = waiting.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            for h in self.given.get(symbol, ()):
                found.append(h)
                waiting.extend(h.symbols)
        return self._about.setdefault(symbols, tuple(dict.fromkeys(found)))


NO_FACTS = Facts()


def proves_nonneg(e: Affine, facts: Facts, among: Iterable[str] = ()) -> bool:
    """Whether `e >= 0` follows; `among` names further symbols that are known to mean something."""
    if e.value is not None:
        return e.value >= 0
    return _proves(e, facts.about(e.symbols.union(among)))


def proves_nonzero(e: Affine, facts: Facts, among: Iterable[str] = ()) -> bool:
    """Whether `e != 0` follows, by its sign or because no integers solve `e == 0`.

    >>> i, j = Affine.symbol("i#7"), Affine.symbol("j#9")
    >>> proves_nonzero(2 * i - 2 * j + 1, NO_FACTS)
    True
    """
    if never_divisible(e, 0):
        return True
    return proves_nonneg(e - 1, facts, among) or proves_nonneg(-e - 1, facts, among)


def never_divisible(e: Affine, modulus: int) -> bool:
    """Whether no values of the symbols make `e` a multiple of `modulus` (0: make it zero)."""
    g = gcd(modulus, *(c for _, c in e.terms))
    return e.constant % g != 0 if g else e.constant != 0


@lru_cache(maxsize=4096)
def _proves(goal: Affine, known: tuple[Affine, ...]) -> bool:
    effort = _EFFORT
    failed: dict[Affine, int] = {}  # goal -> depth with which it was tried

    def search(e: Affine, depth: int) -> bool:
        nonlocal effort
        e = _tightened(e)
        if not e.terms:
            return e.constant >= 0
        effort -= 1
        if depth == 0 or effort <= 0 or failed.get(e, -1) >= depth:
            return False
        failed[e] = depth
        choices: list[tuple[bool, int, str, list[Affine]]] = []
        for symbol, c in e.terms:
            helpful = [h for h in known if h.coefficient(symbol) * c > 0]
            if _is_size(symbol) and c > 0:
                helpful.append(Affine.symbol(symbol))
            if not helpful:
                return False
            # Loop indices first: their bounds speak of sizes, never the other way round.
            choices.append((_is_size(symbol), len(helpful), symbol, helpful))
        _, _, symbol, helpful = min(choices, key=lambda choice: choice[:3])
        c = e.coefficient(symbol)
        for h in helpful:
            d = h.coefficient(symbol)
            if search(abs(d) * e - abs(c) * h, depth - 1):
                return True
        return False

    return search(goal, _DEPTH)


def _is_size(symbol: str) -> bool:
    return ".shape[" in symbol


def _tightened(e: Affine) -> Affine:
    """`2*i - 1 >= 0` is `i - 1 >= 0` for integers."""
    g = gcd(*(c for _, c in e.terms))
    if g <= 1:
        return e
    return Affine(tuple((s, c // g) for s, c in e.terms), e.constant // g)
