"""Random programs over arrays of one and two dimensions: the other half of `programs`.

Beside what is there: rows, columns, blocks and transposes as views of views; index arrays with
duplicates, masks, `np.copyto`, `np.add.at`, `out=` with `where=`, sorting; aliases chosen by
branches; integer arrays that select; triangular and offset loops; callees that write rows;
functions inside functions; lists, tuples and dictionaries; early exits.

`generate(rng)` returns the source of `f(x, A, w)`: six numbers, a 3 x 4 matrix, a float.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.drawing import Draw, Loop, indent

Shape = tuple[int, ...]
ROWS, COLUMNS, SIZE = 3, 4, 6

HELPERS = """\
def scale_row(M, i, s):
    M[i] = M[i] * s


def sweep(v):
    for k in range(1, len(v)):
        v[k] -= 0.3 * v[k - 1]


def mixed(v, u):
    v[:] = 0.5 * v + u * u
    return v


def corner(M):
    return M[1:, 1:]


def eliminated(M):
    M[1, 1:] -= 0.2 * M[1, 0] * M[0, 1:]
    return np.sum(M[1])


def wave(v, w):
    return np.sin(v) * w
"""


@dataclass(frozen=True)
class Scope:
    """The names that are bound for sure: arrays with shapes, numbers, loops around."""

    arrays: dict[str, Shape]
    scalars: tuple[str, ...]
    loops: tuple[Loop, ...] = ()

    def inner(self, *loops: Loop) -> Scope:
        return Scope(dict(self.arrays), self.scalars, self.loops + loops)

    def of_rank(self, rank: int) -> list[str]:
        return [n for n, shape in self.arrays.items() if len(shape) == rank]


@dataclass
class Rich(Draw):
    """Draws a program over arrays whose shapes are known."""

    # Subscripts.

    def position(self, scope: Scope, size: int) -> str:
        found = [
            f"{loop.name} {'-' if k < 0 else '+'} {abs(k)}" if k else loop.name
            for loop in scope.loops
            for k in (-1, 0, 1)
            if loop.low + k >= -size and loop.high + k < size
        ]
        if found and self.chance(75):
            return str(self.pick(found))
        return str(self.rng.randrange(-size, size))

    def part(self, scope: Scope, size: int) -> tuple[str, int | None]:
        """An item of a subscript, and how many elements it leaves (None: a position)."""
        kind = self.rng.randrange(10)
        if kind < 3:
            return self.position(scope, size), None
        if kind < 6 or size < 3:
            return ":", size
        if kind == 6:
            return "::-1", size
        if kind == 7:
            return "::2", (size + 1) // 2
        low = self.rng.randrange(0, size - 1)
        high = self.rng.randrange(low + 2, size + 1)
        return f"{low or ''}:{high if high < size else ''}", high - low

    def subscript(self, scope: Scope, shape: Shape) -> tuple[str, Shape]:
        """A basic subscript that leaves at least one axis."""
        while True:
            parts = [self.part(scope, n) for n in shape]
            left = tuple(n for _, n in parts if n is not None)
            if left:
                return ", ".join(t for t, _ in parts), left

    def element(self, scope: Scope) -> str:
        name = self.pick(scope.arrays)
        return f"{name}[{', '.join(self.position(scope, n) for n in scope.arrays[name])}]"

    # Expressions.

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        kind = self.rng.randrange(9)
        if kind <= 3 or depth == 0:
            return self.element(scope)
        if kind == 4:
            return str(self.pick(scope.scalars))
        if kind == 5:
            return f"{self.pick(['np.sin', 'np.tanh', 'np.exp'])}({self.scalar(scope, depth - 1)})"
        if kind == 6:
            return f"{self.pick(['np.sum', 'np.mean'])}({self.pick(scope.arrays)})"
        a, b = (self.atom(self.scalar(scope, depth - 1)) for _ in range(2))
        return f"{a} {self.pick('**+-')} {b}"

    def array(self, scope: Scope, shape: Shape, depth: int = 2) -> str:
        kind = self.rng.randrange(11)
        if kind <= 3 or depth == 0:
            return self.operand(scope, shape)
        if kind == 4:
            inside = self.array(scope, shape, depth - 1)
            return f"{self.pick(['np.sin', 'np.tanh', 'np.exp', '-'])}({inside})"
        if kind == 5:
            return f"{self.pick(['w', '0.5', *scope.scalars])} * {self.operand(scope, shape)}"
        if kind == 6 and len(shape) == 1:
            wide = [n for n, s in scope.arrays.items() if len(s) == 2 and s[1] == shape[0]]
            tall = [n for n, s in scope.arrays.items() if len(s) == 2 and s[0] == shape[0]]
            if wide and self.chance(50):
                name = self.pick(wide)
                vector = self.operand(scope, (scope.arrays[name][0],), certain=True)
                return str(self.pick([f"np.sum({name}, axis=0)", f"{self.atom(vector)} @ {name}"]))
            if tall:
                name = self.pick(tall)
                vector = self.operand(scope, (scope.arrays[name][1],), certain=True)
                return str(self.pick([f"np.sum({name}, axis=1)", f"{name} @ {self.atom(vector)}"]))
        if kind == 6 and len(shape) == 2:
            a, b = (self.operand(scope, (n,), certain=True) for n in shape)
            return f"np.outer({a}, {b})"
        a, b = (self.atom(self.array(scope, shape, depth - 1)) for _ in range(2))
        return f"{a} {self.pick('**+-')} {b}"

    def operand(self, scope: Scope, shape: Shape, *, certain: bool = False) -> str:
        """Something of this shape, or (unless `certain`) that broadcasts to it."""
        if not certain and len(shape) == 2 and self.chance(20):
            return self.operand(scope, shape[1:], certain=True)
        options = [n for n, s in scope.arrays.items() if s == shape]
        options += [f"{n}.T" for n, s in scope.arrays.items() if len(s) == 2 and s[::-1] == shape]
        for _ in range(6):
            name = self.pick(scope.arrays)
            text, left = self.subscript(scope, scope.arrays[name])
            if left == shape:
                options.append(f"{name}[{text}]")
        if options:
            return str(self.pick(options))
        size = f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
        return f"np.full({size}, {self.pick(scope.scalars)})" if certain else self.element(scope)

    # Statements.

    def statement(self, scope: Scope, depth: int) -> list[str]:
        simple: list[tuple[int, Callable[[Scope], list[str]]]] = [
            (10, self.bind), (6, self.alias), (12, self.view), (14, self.element_write),
            (16, self.part_write), (10, self.whole), (6, self.swap), (8, self.number),
            (8, self.call), (10, self.special), (4, self.chosen), (4, self.selected),
            (4, self.container), (2, self.inside),
        ]  # fmt: skip
        if depth and self.chance(35):
            nested = self.pick([self.branch, self.counted, self.counted, self.triangle])
            return list(nested(scope, depth))
        return list(self.weighted(simple)(scope))

    def target(self, scope: Scope, stem: str, size: Shape, again: int = 35) -> str:
        return super().target(scope, stem, size, again)

    def bind(self, scope: Scope) -> list[str]:
        shape = self.pick(scope.arrays.values())
        value = f"np.zeros({shape}) + {self.atom(self.array(scope, shape))}"
        return [f"{self.target(scope, 'y', shape)} = {value}"]

    def view(self, scope: Scope) -> list[str]:
        source = self.pick(scope.arrays)
        shape = scope.arrays[source]
        if len(shape) == 2 and self.chance(20):
            return [f"{self.target(scope, 'v', shape[::-1])} = {source}.T"]
        text, left = self.subscript(scope, shape)
        return [f"{self.target(scope, 'v', left)} = {source}[{text}]"]

    def element_write(self, scope: Scope) -> list[str]:
        op = self.pick(["=", "=", "=", "+=", "-=", "*="])
        return [f"{self.element(scope)} {op} {self.scalar(scope)}"]

    def part_write(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        text, left = self.subscript(scope, scope.arrays[name])
        op = self.pick(["=", "=", "+=", "-=", "*="])
        return [f"{name}[{text}] {op} {self.array(scope, left)}"]

    def whole(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        value = self.array(scope, scope.arrays[name])
        if self.chance(40):
            where = self.pick([":", "..."])
            return [f"{name}[{where}] = {self.pick([value, '0.5'])}"]
        return [f"{name} {self.pick(['+=', '-=', '*='])} {value}"]

    def swap(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        size = scope.arrays[name][0]
        i, j = self.position(scope, size), self.position(scope, size)
        if len(scope.arrays[name]) == 1:
            return [f"{name}[{i}], {name}[{j}] = {name}[{j}], {name}[{i}]"]
        if self.chance(50):
            return [f"{name}[[0, {size - 1}]] = {name}[[{size - 1}, 0]]"]
        row = self.new("r")
        scope.arrays[row] = scope.arrays[name][1:]
        return [f"{row} = {name}[{i}].copy()", f"{name}[{i}] = {name}[{j}]", f"{name}[{j}] = {row}"]

    def call(self, scope: Scope) -> list[str]:
        vector = self.pick(scope.of_rank(1) or ["x"])
        shape = scope.arrays[vector]
        large = [n for n in scope.of_rank(2) if min(np.subtract(scope.arrays[n], (2, 3))) >= 0]
        kind = self.rng.randrange(7 if large else 3)
        if kind == 0:
            return [f"sweep({vector})"]
        if kind == 1:
            other = self.operand(scope, shape)
            return [f"{self.target(scope, 'm', shape)} = mixed({vector}, {other})"]
        if kind == 2:
            return [f"{self.target(scope, 'u', shape)} = wave({vector}, w)"]
        m = self.pick(large)
        rows, columns = scope.arrays[m]
        row = self.position(scope, rows)
        if kind == 3:
            return [f"scale_row({m}, {row}, {self.scalar(scope, 1)})"]
        if kind == 4:
            return [f"sweep({m}[{row}])"]
        if kind == 5:
            return [f"{self.pick(scope.scalars)} = eliminated({m})"]
        return [f"{self.target(scope, 'c', (rows - 1, columns - 1))} = corner({m})"]

    def special(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        shape = scope.arrays[name]
        value = self.array(scope, shape)
        a, b = (self.operand(scope, shape) for _ in range(2))
        size = shape[0]
        index = [self.rng.randrange(-size, size) for _ in range(3)]
        picked = (3, *shape[1:])
        part = self.array(scope, picked, 1)
        mask = f"{name} > 0.7"
        return [
            self.pick(
                [
                    f"np.copyto({name}, {value})",
                    f"np.multiply({a}, {b}, out={name})",
                    f"np.add({a}, {b}, out={name}, where={mask})",
                    f"np.sin({a}, out={name})",
                    f"{name}[{index}] = {part}",
                    f"{name}[{index}] += {part}",
                    f"np.add.at({name}, {index}, {part})",
                    f"{name}[{mask}] = 0.6",
                    f"{name}[{mask}] *= 0.5",
                    f"{name}[{mask}] = {name}[{mask}] * {name}[{mask}]",
                    f"{name}.fill({self.pick(scope.scalars)})",
                    f"{name}.sort()",
                ]
            )
        ]

    def chosen(self, scope: Scope) -> list[str]:
        """One name for one of two arrays, or a number in one of two ways."""
        a = self.pick(scope.arrays)
        b = self.pick([n for n, s in scope.arrays.items() if s == scope.arrays[a]])
        test = self.test(scope)
        name = self.target(scope, "q", scope.arrays[a])
        if self.chance(50):
            return [f"{name} = {a} if {test} else {b}"]
        return [f"if {test}:", f"    {name} = {a}", "else:", f"    {name} = {b}"]

    def selected(self, scope: Scope) -> list[str]:
        """An integer array that selects, and perhaps changes afterwards."""
        name = self.pick(scope.arrays)
        size = scope.arrays[name][0]
        where = self.new("k")
        first = [self.rng.randrange(size) for _ in range(3)]
        lines = [f"{where} = np.array({first})"]
        target = self.target(scope, "g", (3, *scope.arrays[name][1:]))
        if target == name:
            return [*lines, f"{name} = {name}[{where}] * 1.0"]
        lines.append(f"{target} = {name}[{where}]")
        if self.chance(40):
            lines.append(f"{where}[{self.rng.randrange(3)}] = {self.rng.randrange(size)}")
            lines.append(f"{name}[{where}] = {self.array(scope, scope.arrays[target], 1)}")
        return lines

    def container(self, scope: Scope) -> list[str]:
        """Arrays in a list, a tuple or a dictionary, and out again."""
        shape = self.pick(scope.arrays.values())
        alike = [n for n, s in scope.arrays.items() if s == shape]
        a, b = self.pick(alike), self.pick(alike)
        held, out = self.new("held"), self.new("o")
        k = self.rng.randrange(2)
        value = self.atom(self.array(scope, shape, 1))
        scope.arrays[out] = shape
        options = [
            [f"{held} = ({a}, {b})", f"{out} = {held}[{k}]"],
            [f"{held} = [{a}, {b}]", f"{held}[{k}] = {a} + 1.0 * {b}", f"{out} = {held}[{1 - k}]"],
            [f"{held} = [{a}]", f"{held}.append({b} * 0.5)", f"{out} = {held}[{k}]"],
            [f"{held} = {{'p': {a}, 'q': {b}}}", f"{held}['p'] = np.zeros({shape}) + {value}",
             f"{out} = {held}['{self.pick('pq')}']"],
        ]  # fmt: skip
        return list(self.pick(options))

    def inside(self, scope: Scope) -> list[str]:
        """A function inside, over a name of the outer one."""
        name = self.pick(scope.arrays)
        shape = scope.arrays[name]
        fn, captured = self.new("fn"), self.pick(scope.scalars)
        target = self.target(scope, "e", shape)
        return [f"def {fn}(v):", f"    return v * {captured} + {name}", f"{target} = {fn}({name})"]

    # Control flow.

    def test(self, scope: Scope) -> str:
        options = ["w > 0.5", f"{self.element(scope)} > 0.6"]
        options += [f"{loop.name} % 2 == {self.rng.randrange(2)}" for loop in scope.loops]
        return str(self.pick(options))

    def counted(self, scope: Scope, depth: int) -> list[str]:
        name = self.loop_name(scope)
        low = self.rng.randrange(0, 2)
        high = self.rng.randrange(low, low + 3)
        header = self.pick(
            [f"range({low}, {high + 1})", f"range({high}, {low - 1}, -1)",
             f"reversed(range({low}, {high + 1}))"]
        )  # fmt: skip
        if scope.loops and self.chance(30):  # triangular
            outer = scope.loops[-1]
            if outer.low >= 1:
                low, high, header = 0, outer.high - 1, f"range({outer.name})"
        body = self.block(scope.inner(Loop(name, low, high)), self.rng.randint(1, 3), depth - 1)
        return [f"for {name} in {header}:", *indent(body)]

    def triangle(self, scope: Scope, depth: int) -> list[str]:
        """A loop over the rows of a matrix, with `enumerate` or `zip` now and then."""
        matrices = scope.of_rank(2)
        if not matrices:
            return self.counted(scope, depth)
        m = self.pick(matrices)
        rows, columns = scope.arrays[m]
        name, row = self.loop_name(scope), self.new("row")
        inner = scope.inner(Loop(name, 0, rows - 1))
        inner.arrays[row] = (columns,)
        body = self.block(inner, self.rng.randint(1, 2), depth - 1)
        return [f"for {name}, {row} in enumerate({m}):", *indent(body)]

    def program(self) -> str:
        scope = Scope({"x": (SIZE,), "A": (ROWS, COLUMNS)}, ("w", "s"))
        lines = ["s = 0.5"]
        if self.chance(60):
            lines.append("x = x.copy()")
        if self.chance(60):
            lines.append("A = A * 1.0")
        lines += self.block(scope, self.rng.randint(2, self.budget), self.depth)
        terms = [f"np.sum({n})" for n in scope.arrays if self.chance(60)] or ["np.sum(A)"]
        lines.append(f"return {' + '.join(terms)} + s * {self.pick(['1.0', 's', 'w'])}")
        return "\n".join(["def f(x, A, w):", *indent(lines), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, A, w)`."""
    return Rich(rng, budget).program()


def arguments(seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """Arguments for a generated function."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.3, 1.0, SIZE), rng.uniform(0.3, 1.0, (ROWS, COLUMNS)), 0.7
