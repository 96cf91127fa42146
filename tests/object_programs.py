"""Random programs in the Python around arrays: the third kind, beside those over arrays.

Lists, dictionaries and tuples of numbers and of arrays; objects with attributes, methods and arrays
that are written in place; functions inside with `nonlocal`; `try` with what was written before the
exception; comprehensions; arrays of lower precision; index arrays with duplicates, masks, `out=`;
early exits, swaps, callees that write.

`generate(rng)` returns the source of `f(x, w)`: four numbers and a float.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.drawing import Draw, Loop, indent

SIZE = 4

HELPERS = """\
class Cell:
    gain = 0.5

    def __init__(self, level, grid):
        self.level = level
        self.grid = grid

    def step(self, v):
        self.level = self.level * v
        self.grid[0] = self.grid[1] + v
        return self.level + self.gain

    def fill(self, v):
        self.grid = self.grid * v

    @property
    def total(self):
        return np.sum(self.grid) * self.level


def push(items, v):
    items.append(v * items[0])


def bump(a, v):
    a[1:] = a[1:] * v
    return a


def early(items, v):
    for u in items:
        if u > v:
            return u * v
        v = v + 0.1 * u
    return v


def guarded(a, v):
    if v > 0.8:
        raise ValueError("too much")
    a[0] = v
    return a[1] * v
"""


@dataclass(frozen=True)
class Scope:
    """The names that are bound for sure."""

    arrays: dict[str, int]
    scalars: tuple[str, ...]
    lists: tuple[str, ...] = ()
    dicts: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    more: dict[str, list[str]] = field(default_factory=dict)

    def inner(self, *loops: Loop) -> Scope:
        known = {kind: list(names) for kind, names in self.more.items()}
        own = (self.scalars, self.lists, self.dicts, self.cells, self.functions)
        return Scope(dict(self.arrays), *own, self.loops + loops, known)

    def all(self, kind: str) -> list[str]:
        """The names of a kind: those from outside, and those bound here."""
        return [*getattr(self, kind), *self.more.get(kind, [])]

    def bind(self, kind: str, name: str) -> str:
        self.more.setdefault(kind, []).append(name)
        return name


@dataclass
class Objects(Draw):
    """Draws a program over numbers, arrays and what holds them."""

    # Expressions.

    def place(self, scope: Scope) -> str:
        """Where a number can be read and written."""
        name = self.pick(scope.arrays)
        found = [f"{name}[{self.position(scope, scope.arrays[name])}]"]
        found += [f"{self.pick(scope.all('lists'))}[{self.pick([0, -1])}]"
                  for _ in scope.all("lists")[:1]]  # fmt: skip
        found += [f"{d}['{self.pick('pq')}']" for d in scope.all("dicts")[:2]]
        for c in scope.all("cells")[:2]:
            found += [f"{c}.level", f"{c}.grid[{self.position(scope, SIZE)}]"]
        return str(self.pick(found))

    def position(self, scope: Scope, size: int) -> str:
        names = [loop.name for loop in scope.loops if loop.high < size]
        if names and self.chance(60):
            return str(self.pick(names))
        return str(self.pick(range(-size, size)))

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        kind = self.rng.randrange(10)
        if kind <= 3 or depth == 0:
            return self.place(scope)
        if kind == 4:
            return str(self.pick([*scope.all("scalars"), "0.75"]))
        if kind == 5:
            return f"{self.pick(['np.sin', 'np.tanh'])}({self.scalar(scope, depth - 1)})"
        if kind == 6:
            return self.whole_of(scope)
        a, b = (self.atom(self.scalar(scope, depth - 1)) for _ in range(2))
        return f"{a} {self.pick('**+-')} {b}"

    def whole_of(self, scope: Scope) -> str:
        """A number made of all that something holds."""
        found = [f"np.sum({n})" for n in scope.arrays]
        for name in scope.all("lists"):
            found += [f"sum({name})", f"sum(v * v for v in {name})", f"early({name}, w)"]
        for c in scope.all("cells"):
            found += [f"{c}.total", f"{c}.level"]
        found += [f"{fn}({self.scalar(scope, 0)})" for fn in scope.all("functions")]
        return str(self.pick(found))

    def operand(self, scope: Scope, size: int) -> str:
        names = [n for n, own in scope.arrays.items() if own == size]
        found = [*names] + [f"{n}[::-1]" for n in names]
        if size == SIZE:
            found += [f"{c}.grid" for c in scope.all("cells")]
        else:
            found += [f"{n}[{k}:{k + size}]" for n, own in scope.arrays.items()
                      for k in range(own - size + 1)]  # fmt: skip
        return str(self.pick(found))

    def array(self, scope: Scope, size: int, depth: int = 1) -> str:
        kind = self.rng.randrange(6)
        if kind <= 1 or depth == 0:
            return self.operand(scope, size)
        if kind == 2:
            return f"np.sin({self.operand(scope, size)})"
        if kind == 3:
            return f"{self.atom(self.scalar(scope, 1))} * {self.operand(scope, size)}"
        a, b = (self.atom(self.array(scope, size, depth - 1)) for _ in range(2))
        return f"{a} {self.pick('**+-')} {b}"

    # Statements.

    def statement(self, scope: Scope, depth: int) -> list[str]:
        simple: list[tuple[int, Callable[[Scope], list[str]]]] = [
            (8, self.made), (4, self.alias), (10, self.write), (8, self.part), (5, self.number),
            (5, self.special), (6, self.listed), (7, self.edited), (4, self.keyed),
            (3, self.held), (6, self.cell), (5, self.stepped), (5, self.one_of),
            (4, self.closure), (4, self.called), (2, self.swapped),
        ]  # fmt: skip
        if depth and self.chance(35):
            nested = [self.branch, self.counted, self.counted, self.through, self.attempt]
            return list(self.pick(nested)(scope, depth))
        return list(self.weighted(simple)(scope))

    def made(self, scope: Scope) -> list[str]:
        value = self.array(scope, SIZE)
        if self.chance(15):
            name = self.target(scope, "r", SIZE, 0)
            return [f"{name} = np.zeros({SIZE}, dtype=np.float32)", f"{name}[...] = {value}"]
        return [f"{self.target(scope, 'y', SIZE, 30)} = np.zeros({SIZE}) + {self.atom(value)}"]

    def write(self, scope: Scope) -> list[str]:
        op = self.pick(["=", "=", "+=", "*=", "-="])
        return [f"{self.place(scope)} {op} {self.scalar(scope)}"]

    def part(self, scope: Scope) -> list[str]:
        name = self.pick([*scope.arrays, *(f"{c}.grid" for c in scope.all("cells"))])
        text, size = self.pick([("1:", 3), (":2", 2), ("::2", 2), (":", 4), ("1:-1", 2)])
        op = self.pick(["=", "=", "+=", "*="])
        return [f"{name}[{text}] {op} {self.array(scope, size)}"]

    def special(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        a, b = self.operand(scope, SIZE), self.operand(scope, SIZE)
        index = [self.rng.randrange(SIZE) for _ in range(3)]
        return [
            str(self.pick(
                [
                    f"np.multiply({a}, {b}, out={name})",
                    f"{name}[{index}] = {self.array(scope, 3)}",
                    f"{name}[{index}] += {self.array(scope, 3)}",
                    f"np.add.at({name}, {index}, {self.array(scope, 3)})",
                    f"{name}[{name} > 0.7] *= 0.5",
                    f"{name}[{a} > 0.7] = {self.scalar(scope, 0)}",
                    f"np.copyto({name}, {a})",
                ]
            ))
        ]  # fmt: skip

    def listed(self, scope: Scope) -> list[str]:
        known = scope.all("lists")
        a, b = self.scalar(scope, 1), self.scalar(scope, 1)
        options = [f"[{a}, {b}]", f"[v * {self.atom(a)} for v in {self.pick(scope.arrays)}]"]
        for name in known[:2]:
            options += [f"[v + {self.atom(b)} for v in {name} if v > 0.4] + [{a}]", f"{name}[::-1]",
                        f"{name}.copy()", f"{name} + [{a}]", f"list({name})", name]  # fmt: skip
        return [f"{scope.bind('lists', self.new('l'))} = {self.pick(options)}"]

    def edited(self, scope: Scope) -> list[str]:
        if not scope.all("lists"):
            return self.listed(scope)
        name, value = self.pick(scope.all("lists")), self.scalar(scope, 1)
        options = [
            [f"{name}.append({value})"], [f"{name}[{self.pick([0, -1])}] = {value}"],
            [f"{name}[0] *= {self.atom(value)}"], [f"push({name}, {value})"],
            [f"if len({name}) > 1:", f"    {name}.pop({self.pick(['', '0', '-1'])})"],
            [f"{name}.insert(1, {value})"], [f"{name} += [{value}]"], [f"{name}.reverse()"],
        ]  # fmt: skip
        return list(self.pick(options))

    def keyed(self, scope: Scope) -> list[str]:
        a, b = self.scalar(scope, 1), self.scalar(scope, 1)
        return [f"{scope.bind('dicts', self.new('d'))} = {{'p': {a}, 'q': {b}}}"]

    def held(self, scope: Scope) -> list[str]:
        """Arrays in a list, a tuple or a dictionary, and out again."""
        a, b, held = self.operand(scope, SIZE), self.operand(scope, SIZE), self.new("h")
        value, at = self.atom(self.array(scope, SIZE)), self.pick("01")
        out = self.target(scope, "o", SIZE, 0)
        options = [
            [f"{held} = ({a}, {b})", f"{out} = {held}[{at}]"],
            [f"{held} = [{a}, {b}]", f"{held}[{at}] = {value} * 1.0", f"{out} = {held}[1]"],
            [f"{held} = [{a}]", f"{held}.append({value} + 0.5)", f"{out} = {held}[{at}]"],
            [f"{held} = {{'p': {a}, 'q': {value}}}", f"{held}['p'] = {held}['q'] * 1.0",
             f"{out} = {held}['{self.pick('pq')}']"],
            [f"{out} = np.zeros({SIZE})", f"for {held} in ({a}, {b}):", f"    {out} += {held}"],
        ]  # fmt: skip
        return list(self.pick(options))

    def one_of(self, scope: Scope) -> list[str]:
        """One of two objects: chosen by a branch, by a computed place, or in turn."""
        cells, value = scope.all("cells"), self.scalar(scope, 1)
        if len(cells) < 2:
            return self.cell(scope)
        a, b = self.rng.sample(cells, 2)
        name, held, test = self.new("k"), self.new("h"), self.test(scope)
        array = self.array(scope, SIZE)
        actions = [".level = {}", ".grid[0] = {}", ".fill({})", ".step({})"]
        action = self.pick([*(a.format(value) for a in actions), f".grid = {array} * 1.0"])
        options = [
            [f"{name} = {a} if {test} else {b}", f"{name}{action}"],
            [f"{name} = {a}", f"if {test}:", f"    {name} = {b}", f"{name}{action}"],
            [f"{held} = [{a}, {b}]", f"{held}[int({test})]{action}"],
            [f"for {name} in ({a}, {b}):", f"    {name}{action}", f"    if {test}:",
             "        break"],
            [f"for {name} in [{a}, {b}]:", f"    {name}{action}"],
        ]  # fmt: skip
        chosen = list(self.pick(options))
        if f"{name} = " in chosen[0]:
            scope.bind("cells", name)
        return chosen

    def cell(self, scope: Scope) -> list[str]:
        if scope.loops or self.chance(30):
            return self.stepped(scope)
        level, grid = self.scalar(scope, 1), self.atom(self.array(scope, SIZE))
        return [f"{scope.bind('cells', self.new('c'))} = Cell({level}, {grid} * 1.0)"]

    def stepped(self, scope: Scope) -> list[str]:
        cells, value = scope.all("cells"), self.scalar(scope, 1)
        if not cells:
            return self.write(scope)
        c = self.pick(cells)
        name = self.new("s")
        options = [
            [f"{c}.level = {value}"], [f"{c}.level *= {self.atom(value)}"], [f"{c}.fill({value})"],
            [f"{c}.grid[{self.position(scope, SIZE)}] = {value}"], [f"{c}.grid *= {value}"],
            [f"{name} = {c}.step({value})"], [f"{c}.grid = {self.array(scope, SIZE)} + 1.0"],
        ]  # fmt: skip
        lines = list(self.pick(options))
        if lines[0].startswith(name):
            scope.bind("scalars", name)
        return lines

    def closure(self, scope: Scope) -> list[str]:
        if scope.loops or len(scope.all("functions")) > 1:
            return self.number(scope)
        name, value = self.new("fn"), self.scalar(scope, 1)
        inside = self.pick([[f"nonlocal {(s := self.pick(scope.scalars))}", f"{s} = {s} * q + 0.1"],
                            [f"{self.pick(scope.arrays)}[0] = q * 0.5"], []])  # fmt: skip
        scope.bind("functions", name)
        return [f"def {name}(q):", *indent([*inside, f"return q * {self.atom(value)}"])]

    def called(self, scope: Scope) -> list[str]:
        name, value = self.pick(scope.arrays), self.scalar(scope, 1)
        out = self.target(scope, "b", SIZE)
        return [f"{out} = bump({name}, {value})"]

    def swapped(self, scope: Scope) -> list[str]:
        a, b = self.pick(scope.arrays), self.pick(scope.arrays)
        if self.chance(50):
            return [f"{a}[0], {b}[-1] = {b}[-1], {a}[0]"]
        return [f"{a}, {b} = {b}, {a}"]

    # Control flow.

    def test(self, scope: Scope) -> str:
        return f"{self.scalar(scope, 0)} > {self.pick(['0.4', '0.6', '0.9'])}"

    def counted(self, scope: Scope, depth: int) -> list[str]:
        name = self.loop_name(scope)
        header = self.pick(["range(3)", "range(2, -1, -1)", "range(1, 3)", "(0, 2, 1)"])
        body = self.block(scope.inner(Loop(name, 0, 2)), self.rng.randint(1, 3), depth - 1)
        return [f"for {name} in {header}:", *indent(body)]

    def through(self, scope: Scope, depth: int) -> list[str]:
        """A loop over numbers, or over two things at once."""
        name, inner = self.new("v"), scope.inner()
        inner.bind("scalars", name)
        source = self.pick([*(f"list({n})[:3]" for n in scope.all("lists")), *scope.arrays])
        body = self.block(inner, self.rng.randint(1, 2), depth - 1)
        return [f"for {name} in {source}:", *indent(body)]

    def attempt(self, scope: Scope, depth: int) -> list[str]:
        """An exception, with something done before; also one that a callee raises."""
        before = self.block(scope.inner(), 1, 0)
        after = self.block(scope.inner(), 1, 0)
        name = self.pick(scope.arrays)
        raising = [f"if {self.test(scope)}:", "    raise ValueError"]
        if self.chance(40):
            raising = [f"{self.pick(scope.scalars)} = guarded({name}, {self.scalar(scope, 1)})"]
        handler = self.block(scope.inner(), 1, depth - 1)
        lines = ["try:", *indent([*before, *raising, *after]), "except ValueError:"]
        lines += indent(handler)
        if self.chance(30):
            lines += ["finally:", *indent(self.number(scope))]
        return lines

    def program(self) -> str:
        scope = Scope({"x": SIZE}, ("w", "s"))
        lines = ["s = 0.5"]
        if self.chance(50):
            lines.append("x = x.copy()")
        lines += self.block(scope, self.rng.randint(2, self.budget), self.depth)
        terms = [self.whole_of(scope) for _ in range(4)]
        return "\n".join(["def f(x, w):", *indent([*lines, f"return {' + '.join(terms)} + s"]), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, w)`."""
    return Objects(rng, budget).program()


def arguments(seed: int = 0) -> tuple[np.ndarray, float]:
    """Arguments for a generated function."""
    return np.random.default_rng(seed).uniform(0.3, 1.0, SIZE), 0.7
