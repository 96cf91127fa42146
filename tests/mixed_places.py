"""Where the programs of `tests.mixed_programs` keep arrays, and expressions over these places."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.drawing import Draw, Loop

SIZE, ROWS = 4, 3
PARTS = {"1:": 3, ":-1": 3, ":2": 2, "2:": 2, "::2": 2, "1:3": 2, "::-2": 2, ":": 4, "::-1": 4}
Lines = list[str]


@dataclass
class Scope:
    """The names that are bound for sure; `arrays` with their sizes."""

    arrays: dict[str, int]
    scalars: list[str]
    loops: tuple[Loop, ...] = ()
    matrices: list[str] = field(default_factory=lambda: ["A"])
    lists: list[str] = field(default_factory=list)  # of two arrays or more
    tuples: list[str] = field(default_factory=list)
    dicts: list[str] = field(default_factory=list)  # of two arrays, "p" and "q"
    tanks: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)  # lists of numbers
    functions: list[str] = field(default_factory=list)  # of a number
    choices: list[str] = field(default_factory=list)  # lists of such functions
    cells: list[str] = field(default_factory=list)  # arrays without axes

    def inner(self, *loops: Loop) -> Scope:
        own = [list(v) for v in list(vars(self).values())[3:]]
        return Scope(dict(self.arrays), list(self.scalars), self.loops + loops, *own)


def slice_of(text: str) -> slice:
    """The slice that a text stands for."""
    return slice(*(int(t) if t else None for t in text.split(":")))


@dataclass
class Places(Draw):
    """Draws places, and what is computed from them."""

    # Places: where an array of four numbers is kept.

    def holders(self, scope: Scope) -> Lines:
        """Places that can be bound again, beside names."""
        found = [f"{t}.grid" for t in scope.tanks]
        found += [f"{t}.parts[1]" for t in scope.tanks[:1]]
        found += [f"{d}['{self.pick('pq')}']" for d in scope.dicts]
        return found + [f"{n}[{self.pick([0, 1, -1])}]" for n in scope.lists]

    def place(self, scope: Scope) -> str:
        names = [n for n, size in scope.arrays.items() if size == SIZE]
        others = self.holders(scope) + [f"{n}[{self.pick([0, 1])}]" for n in scope.tuples]
        others += [f"{m}[{self.position(scope, ROWS)}]" for m in scope.matrices]
        return str(self.pick(names if self.chance(40) else others))

    def some(self, scope: Scope) -> tuple[str, int]:
        """A place, or a name for an array of fewer elements."""
        short = [(n, size) for n, size in scope.arrays.items() if size < SIZE]
        short += [(f"{t}.{a}", n) for t in scope.tanks for a, n in [("head", 2), ("tail()", 3)]]
        return self.pick(short) if short and self.chance(30) else (self.place(scope), SIZE)

    def position(self, scope: Scope, size: int) -> str:
        names = [loop.name for loop in scope.loops if loop.high < size]
        if names and self.chance(60):
            name = str(self.pick(names))
            return self.pick([name, name, f"{name} - 1"])
        return str(self.rng.randrange(-size, size))

    def part(self, size: int) -> tuple[str, int]:
        """A slice, and how many elements of an array of that size it shows."""
        options = [t for t in PARTS if len(range(size)[slice_of(t)]) >= 2]
        text = str(self.pick(options))
        return text, len(range(size)[slice_of(text)])

    # Expressions.

    def element(self, scope: Scope) -> str:
        array, size = self.some(scope)
        return f"{array}[{self.position(scope, size)}]"

    def where(self, scope: Scope) -> str:
        """Where a number can be read and written."""
        others = [f"{t}.{a}" for t in scope.tanks for a in ("level", "depth")]
        others += [f"{t}[{self.position(scope, SIZE)}]" for t in scope.tanks]
        others += [f"{n}[{self.pick([0, -1])}]" for n in scope.numbers]
        others += [f"{n}[()]" for n in scope.cells]
        return str(self.pick(others)) if others and self.chance(35) else self.element(scope)

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        kind = self.rng.randrange(10)
        if kind <= 3 or depth == 0:
            return self.where(scope)
        if kind == 4:
            return str(self.pick([*scope.scalars, "0.75"]))
        if kind == 5:
            return f"{self.pick(['np.sin', 'np.tanh'])}({self.scalar(scope, depth - 1)})"
        if kind == 6:
            return self.total(scope)
        a, b = (self.atom(self.scalar(scope, depth - 1)) for _ in range(2))
        return f"{a} {self.pick('**+-')} {b}"

    def total(self, scope: Scope) -> str:
        """A number made of all that something holds."""
        a, b = self.place(scope), self.place(scope)
        found = [f"np.sum({a})", f"np.sum({a} * {b})", f"({a} @ {b})", f"np.mean({a}[1:])"]
        m = self.pick(scope.matrices)
        found += [f"np.sum({m})", f"sum(r[0] * r[-1] for r in {m})", f"sum([v * v for v in {a}])"]
        for n in scope.lists[:2]:
            found += [f"sum(np.sum(r) for r in {n})", f"sum([r[0] * r[1] for r in {n}])"]
        found += [f"sum(np.sum(r) for r in {d}.values())" for d in scope.dicts[:2]]
        found += [f"{t}.{a}" for t in scope.tanks for a in ("total", "level", "parts[0][0]")]
        found += [f"sum({n})" for n in scope.numbers]
        found += [f"{fn}({self.where(scope)})" for fn in scope.functions]
        found += [f"{n}[{self.pick([0, 1])}]({self.where(scope)})" for n in scope.choices]
        return str(self.pick(found))

    def operand(self, scope: Scope, size: int) -> str:
        """An array of this size."""
        if size == SIZE:
            place = self.place(scope)
            return f"{place}[::-1]" if self.chance(10) else place
        found = [n for n, own in scope.arrays.items() if own == size]
        texts = [t for t, n in PARTS.items() if n == size]
        if size == ROWS and self.chance(20):
            found = [f"{self.pick(scope.matrices)}[:, {self.position(scope, SIZE)}]"]
        elif size == 1 or not found or self.chance(60):
            found = [f"{self.place(scope)}[{self.pick(texts)}]"]
        return str(self.pick(found))

    def array(self, scope: Scope, size: int, depth: int = 2) -> str:
        kind = self.rng.randrange(8)
        if kind <= 2 or depth == 0:
            return self.operand(scope, size)
        if kind == 3:
            return f"np.{self.pick(['sin', 'tanh'])}({self.operand(scope, size)})"
        if kind == 4:
            return f"{self.atom(self.scalar(scope, 1))} * {self.operand(scope, size)}"
        a, b = (self.array(scope, size, depth - 1) for _ in range(2))
        if kind == 5:
            return f"np.where({self.operand(scope, size)} > 0.6, {a}, {b})"
        return f"{self.atom(a)} {self.pick('**+-')} {self.atom(b)}"

    def new_array(self, scope: Scope) -> str:
        """An expression that makes an array of its own."""
        value = self.atom(self.array(scope, SIZE))
        options = [f"{value} * 1.0", f"{value} + {self.atom(self.scalar(scope, 1))}"]
        factor = self.atom(self.scalar(scope, 0))
        options += [f"np.array([v * {factor} for v in {self.place(scope)}])"]
        return str(self.pick([*options, f"{self.place(scope)}.copy()"]))
