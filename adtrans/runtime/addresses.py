"""Adjoints of arrays that several names may mean: each lies where its array lies.

    b = a if far else x
    b[0] = 0.0                  the forward function notes where `b` lies,
    bars[b_at][0] = 0.0         and the pullback finds the adjoint of that memory

Two adjoints share memory exactly where the arrays do, whatever names and branches say.

>>> a = np.zeros(4)
>>> bars = AdjointMemory()
>>> bars[address_of(a[1:3])] += 2.0
>>> bars[address_of(a[::-1])]
array([0., 2., 2., 0.])
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from adtrans.runtime.containers import merge, plus, zeros_of
from adtrans.runtime.failures import MutationError
from adtrans.runtime.memory_checks import overlaps, overlaps_itself, owner_of


class Place(NamedTuple):
    """Where an array lies: from `first` to `last` byte, in memory from `low` to `high`; `start` is
    the address of its first element."""

    low: int
    high: int
    first: int
    last: int
    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]


class Address:
    """Where an array lies, found out when that is asked for the first time.

    The array is kept alive, so that its memory is not used for another one. Where an address is
    pickled, the numbers alone go on.
    """

    __slots__ = ("alive", "known")

    def __init__(self, alive: Any, known: Place | None = None) -> None:
        self.alive = alive
        self.known = known

    def __reduce__(self) -> tuple[Any, ...]:
        return Address, (None, self.place)

    @property
    def place(self) -> Place:
        """Where the array lies.

        Raises:
            MutationError: if its elements share memory, as those of `np.broadcast_to` do.
        """
        if self.known is None:
            self.known = _place(self.alive)
        return self.known


class Nowhere(NamedTuple):
    """The address of None, which has no adjoint: nothing is added to it, and nothing taken out."""


class Nest(NamedTuple):
    """Which arrays, lists or dictionaries a container holds, by position or key; None for what
    carries no derivative. `of`: the class, of a tuple; `numbers`: the tuple itself, if it holds
    numbers that have adjoints."""

    items: list[Any] | dict[Any, Any]
    of: type[tuple[Any, ...]] | None = None
    numbers: Leaf | None = None


class Leaf:
    """A list, tuple or dictionary of numbers, by its identity.

    `contents`: a copy of it as the forward function left it, where the caller can change it.
    """

    __slots__ = ("alive", "contents")

    def __init__(self, alive: Any, contents: Any = None) -> None:
        self.alive = alive
        self.contents = alive if contents is None else contents


def address_of(a: Any, levels: int | None = None, *, tuples: int | None = None) -> Any:
    """The address of the array `a`, whatever becomes of the name; of a list (tuple, dictionary)
    which one it is, of one of lists which ones these are. `levels`: how many lists are in one
    another, where the innermost may hold arrays, too, that count as numbers do. `tuples`: how many
    are around the tuples whose adjoints are tuples; those of others are lists.

    >>> rows = [[1.0], [2.0]]
    >>> address_of(rows).items[1].alive is rows[1]
    True
    """
    if levels == 1:
        return Leaf(a)
    if tuples == 0 and isinstance(a, tuple):
        parts = [address_of(v, tuples=0) if _varies(v) else None for v in a]
        return Nest(parts, type(a), Leaf(a) if any(map(_counts, a)) else None)
    inner, below = (None if n is None else n - 1 for n in (levels, tuples))
    if isinstance(a, dict):
        if any(map(_has_address, a.values())):
            held = {k: v for k, v in a.items() if _has_address(v)}
            return Nest({k: address_of(v, inner, tuples=below) for k, v in held.items()})
        return Leaf(a)
    if isinstance(a, list | tuple | deque):
        if any(map(_has_address, a)):
            return Nest([address_of(v, inner, tuples=below) for v in a])
        return Leaf(a)
    return Nowhere() if a is None else Address(a[...])  # what is done with None raises by itself


def _has_address(v: Any) -> bool:
    """Whether what a container holds has an address of its own: a tuple has where it holds such."""
    if isinstance(v, tuple):
        return any(map(_has_address, v))
    return isinstance(v, list | dict | deque | np.ndarray)


def _counts(v: Any) -> bool:
    """Whether what a tuple holds is a number that has an adjoint."""
    return isinstance(v, float | complex | np.inexact)


def _varies(v: Any) -> bool:
    """Whether what a tuple holds has an adjoint that is found by its address."""
    return v.dtype.kind in "fc" if isinstance(v, np.ndarray) else _has_address(v)


class AdjointMemory:
    """The adjoints of arrays by their addresses, zero until something is added.

    `args`: the addresses of arguments, or of lists that are, which have an adjoint each, whatever
    they are views of. `inner`: of a function that is called, where the adjoints of what is in one
    list are added up by the caller, so that these may share memory.

    Raises:
        MutationError: if arguments share memory.
    """

    def __init__(self, *args: Address | Leaf | Nest | Nowhere, inner: bool = False) -> None:
        given = [a for address in args for a in _arrays(address)]
        owner = [n for n, address in enumerate(args) for _ in _arrays(address)]
        places = [a.place for a in given]
        self.made: dict[tuple[int, int], Any] = {}
        self.lists: dict[int, Any] = {}
        self.given = _joined((p.first, p.last) for p in places if math.prod(p.shape))
        self.last: Any = None
        for i, p in enumerate(places):
            for k, q in enumerate(places[:i]):
                if inner and owner[i] == owner[k]:
                    continue
                if p.first < q.last and q.first < p.last and _may_share(given[i], given[k]):
                    raise MutationError(
                        "two arguments share memory, and which of them a name means depends on "
                        "the run: pass a copy of one of them"
                    )

    def root(self, p: Place) -> tuple[int, int]:
        """The memory that has the adjoint of `p`."""
        for low, high in self.given:
            if low <= p.first and p.last <= high:
                return low, high
        return p.low, p.high

    def of_leaf(self, leaf: Leaf) -> Any:
        """The adjoint of a list of numbers. Where it is made, nothing that was not reversed yet has
        changed the length."""
        found = self.lists.get(id(leaf.alive))
        if found is None:
            made = {} if isinstance(leaf.alive, dict) else zeros_of(leaf.contents)
            made = list(made) if isinstance(made, tuple) else made  # one of any length has a list
            found = self.lists[id(leaf.alive)] = made
        return found

    def __getitem__(self, address: Address | Leaf | Nowhere) -> Any:
        if isinstance(address, Leaf):
            return self.of_leaf(address)
        if isinstance(address, Nowhere):
            return np.zeros(())
        p = address.place
        low, high = self.root(p)
        memory = self.made.get((low, high))
        if memory is None:
            memory = self.made[low, high] = np.zeros(high - low, np.uint8)
        at = p.start - low if memory.size else 0
        self.last = np.ndarray(p.shape, p.dtype, memory, at, p.strides)
        return self.last

    def __setitem__(self, address: Address | Nowhere, value: Any) -> None:
        if isinstance(address, Nowhere):
            return
        if value is not self.last:  # `bars[a_at] += value` has changed it already
            self[address][...] = value

    def part(self, address: Address | Leaf | Nest | Nowhere | None) -> Any:
        """The adjoint of something in a container, which is taken out: of an array no more than
        what belongs to it, because others may lie in the same memory."""
        if address is None or isinstance(address, Nowhere):
            return None
        if not isinstance(address, Address):
            return self.pop(address)
        mine = self[address]
        found = mine.copy()
        mine[...] = 0.0
        return found

    def numbers(self, address: Nest | Nowhere) -> tuple[Any, ...]:
        """The adjoints of the numbers in a tuple of numbers and arrays, which are taken out; None
        for the arrays.

        >>> pair = (np.ones(2), 3.0)
        >>> bars, at = AdjointMemory(), address_of(pair, tuples=0)
        >>> spread_at(bars, at, (np.ones(2), 0.5))
        >>> bars.numbers(at), bars.pop(at)
        ((None, 0.5), (array([1., 1.]), 0.0))
        """
        if isinstance(address, Nowhere) or address.numbers is None:
            return (0.0,) * (0 if isinstance(address, Nowhere) else len(address.items))
        held = address.numbers.alive
        found = self.lists.pop(id(held), None) or (None,) * len(held)
        pairs = zip(held, found, strict=True)
        return tuple(0.0 if g is None and _counts(v) else g for v, g in pairs)

    def pop(self, address: Address | Leaf | Nest | Nowhere) -> Any:
        """The adjoint of an array, or of lists, that are made here: before, there is none."""
        if isinstance(address, Nowhere):
            return None
        if isinstance(address, Nest):
            if isinstance(address.items, dict):
                return {k: self.part(v) for k, v in address.items.items()}
            parts = [self.part(v) for v in address.items]
            for k, g in enumerate(self.numbers(address) if address.numbers else ()):
                parts[k] = parts[k] if g is None else g
            return parts if address.of is None else getattr(address.of, "_make", tuple)(parts)
        if isinstance(address, Leaf):
            found = self.of_leaf(address)
            del self.lists[id(address.alive)]
            return found
        found = self[address]
        root = self.root(address.place)
        if root in self.given:  # parts of other arguments may lie in between
            taken = found.copy()
            found[...] = 0.0
            return taken
        self.made.pop(root, None)
        return found if found.flags.c_contiguous else found.copy()


def spread_at(bars: AdjointMemory, address: Address | Leaf | Nest | Nowhere | None, g: Any) -> None:
    """Adds the adjoint of a container of containers to those of the lists of numbers in it.

    >>> rows = [[1.0], [2.0]]
    >>> bars = AdjointMemory()
    >>> spread_at(bars, address_of([rows[1], rows[0]]), [[0.5], [3.0]])
    >>> bars.pop(address_of(rows))
    [[3.0], [0.5]]
    """
    if g is None or address is None or isinstance(address, Nowhere):
        return
    if isinstance(address, Nest):
        if isinstance(address.items, dict):
            for key, inner in address.items.items():
                spread_at(bars, inner, g.get(key))
        else:
            for inner, part in zip(address.items, g, strict=True):
                spread_at(bars, inner, part)
        if address.numbers is not None:
            tuple_at = id(address.numbers.alive)
            pairs = zip(address.items, g, strict=True)
            mine = tuple(None if inner is not None else part for inner, part in pairs)
            bars.lists[tuple_at] = plus(bars.lists.get(tuple_at), mine)
        return
    if isinstance(address, Address):
        bars[address] += g
        return
    named = isinstance(address.alive, dict)
    if id(address.alive) not in bars.lists:
        bars.lists[id(address.alive)] = dict(g) if named else list(g)
    elif named:
        merge(bars.of_leaf(address), g)
    elif isinstance(address.alive, tuple):  # nothing changes its adjoint in place
        bars.lists[id(address.alive)] = plus(bars.of_leaf(address), g)
    else:
        mine = bars.of_leaf(address)
        mine[:] = plus(mine, list(g))


def _arrays(address: Address | Leaf | Nest | Nowhere | None) -> Iterator[Address]:
    """The addresses of the arrays in a list."""
    if isinstance(address, Address):
        yield address
    elif isinstance(address, Nest):
        items = address.items
        for inner in items.values() if isinstance(items, dict) else items:
            yield from _arrays(inner)


def _place(a: Any) -> Place:
    """Where the array `a` lies."""
    if overlaps_itself(a):
        raise MutationError(
            "elements of an array share memory, so that what is added to the adjoint of one of "
            "them cannot be told from that of the others"
        )
    owner = owner_of(a)
    return Place(*_span(owner), *_span(a), a.ctypes.data, a.shape, a.strides, a.dtype)


def _span(a: Any) -> tuple[int, int]:
    """The addresses of the first byte of an array, and behind the last one."""
    low = high = a.ctypes.data
    if not a.size:
        return low, high
    for n, step in zip(a.shape, a.strides, strict=True):
        if step < 0:
            low += (n - 1) * step
        else:
            high += (n - 1) * step
    return low, high + a.itemsize


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The memory of several arrays, where those that interleave are one."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if found and low < found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def _may_share(p: Address, q: Address) -> bool:
    """Whether two arguments share an element, as far as can be told."""
    return p.alive is None or q.alive is None or overlaps(p.alive, q.alive)
