"""Random programs over one-dimensional arrays: aliases, views, loops, branches, all kinds of write.

`generate(rng)` returns the source of a function `f(x, b, w)`; `x` and `b` are arrays of six
numbers, `w` is a float. Lengths are tracked, so every program runs. The same seed gives the same
program.
"""

from __future__ import annotations

import linecache
import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.drawing import Draw, Loop, indent

SIZE = 6

HELPERS = """\
def touch(a):
    a[0] = 0.5 * a[0]


def square_first(a):
    a[1] = a[1] * a[0]


def blend(a, c):
    a[1:] += 0.3 * c[:-1]
    return a


def fresh(a, w):
    return np.sin(a) * w


def first(a):
    return a


def later(a, c):
    for j in range(1, len(a)):
        a[j] = a[j] * 0.5 + c[j - 1] * c[j - 1] * 0.2


def half(a):
    return a[1:4]
"""


@dataclass(frozen=True)
class Scope:
    """The names that are bound for sure: arrays with their lengths, scalars, enclosing loops."""

    arrays: dict[str, int]
    scalars: tuple[str, ...]
    loops: tuple[Loop, ...] = ()

    def inner(self, *loops: Loop) -> Scope:
        return Scope(dict(self.arrays), self.scalars, self.loops + loops)


@dataclass
class Generator(Draw):
    """Draws a program over arrays whose lengths are known."""

    budget: int = 9

    # Expressions.

    def index(self, scope: Scope, length: int) -> str:
        """An index that is in range, negative ones included."""
        candidates = [
            f"{loop.name}{offset:+d}" if offset else loop.name
            for loop in scope.loops
            for offset in (-1, 0, 1)
            if loop.low + offset >= -length and loop.high + offset < length
        ]
        if candidates and self.chance(70):
            return str(self.pick(candidates)).replace("+", " + ").replace("-", " - ")
        return str(self.rng.randrange(-length, length))

    def bounds(self, length: int, wanted: int | None) -> tuple[str, int]:
        """A slice of an array of `length` that selects `wanted` elements (any number when None)."""
        options = []
        for start in range(length):
            for stop in range(start + 1, length + 1):
                n = stop - start
                if n >= 2 and wanted in (None, n):
                    lower = "" if start == 0 else str(start)
                    upper = "" if stop == length else str(stop - length if stop % 2 else stop)
                    options.append((f"{lower}:{upper}", n))
        for text, n in (("::2", (length + 1) // 2), ("1::2", length // 2), ("::-1", length)):
            if n >= 2 and wanted in (None, n):
                options.append((text, n))
        return self.pick(options) if options else (":", length)

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        kind = self.rng.randrange(9)
        if kind <= 2 or depth == 0:
            name = self.pick(scope.arrays)
            return f"{name}[{self.index(scope, scope.arrays[name])}]"
        if kind == 3:
            return str(self.pick(scope.scalars))
        if kind == 4:
            return str(self.pick(["0.5", "0.25", "0.75"]))
        a = self.scalar(scope, depth - 1)
        if kind == 5:
            return f"{self.pick(['np.sin', 'np.cos', 'np.tanh'])}({a})"
        b = self.scalar(scope, depth - 1)
        return f"{self.atom(a)} {self.pick('**+-')} {self.atom(b)}"

    def array(self, scope: Scope, length: int, depth: int = 2) -> str:
        """An expression for an array of `length` elements (or, now and then, a number)."""
        kind = self.rng.randrange(9)
        if kind <= 3 or depth == 0:
            return self.operand(scope, length)
        if kind == 4:
            inside = self.array(scope, length, depth - 1)
            return f"{self.pick(['np.sin', 'np.cos', 'np.tanh'])}({inside})"
        if kind == 5:
            return f"{self.pick(['w', '0.5', *scope.scalars])} * {self.operand(scope, length)}"
        a, b = (self.array(scope, length, depth - 1) for _ in range(2))
        return f"{self.atom(a)} {self.pick('**+-')} {self.atom(b)}"

    def operand(self, scope: Scope, length: int) -> str:
        whole = [n for n, size in scope.arrays.items() if size == length]
        larger = [n for n, size in scope.arrays.items() if size > length]
        if whole and (self.chance(60) or not larger):
            name = self.pick(whole)
            return f"{name}[::-1]" if self.chance(10) else str(name)
        if larger:
            name = self.pick(larger)
            text, n = self.bounds(scope.arrays[name], length)
            if n == length:
                return f"{name}[{text}]"
        return self.scalar(scope, 0)

    # Statements: each returns lines and may bind names in `scope`.

    def statement(self, scope: Scope, depth: int) -> list[str]:
        simple: list[tuple[int, Callable[[Scope], list[str]]]] = [
            (10, self.bind),
            (8, self.alias),
            (8, self.view),
            (16, self.element),
            (12, self.slice_write),
            (10, self.whole),
            (5, self.swap),
            (8, self.number),
            (8, self.call),
            (4, self.special),
        ]
        if depth and self.chance(35):
            nested = self.pick([self.branch, self.counted, self.counted, self.condition])
            return list(nested(scope, depth))
        return list(self.weighted(simple)(scope))

    def bind(self, scope: Scope) -> list[str]:
        length = self.pick(scope.arrays.values())
        value = self.array(scope, length)
        # The value can be a number; this makes it an array, and a new one, for sure.
        value = f"np.zeros({length}) + {self.atom(value)}"
        return [f"{self.target(scope, 'y', length)} = {value}"]

    def view(self, scope: Scope) -> list[str]:
        source = self.pick([n for n, size in scope.arrays.items() if size >= 3] or ["x"])
        text, n = self.bounds(scope.arrays[source], None)
        name = self.target(scope, "v", n)
        return [f"{name} = {source}[{text}]"]

    def element(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        place = f"{name}[{self.index(scope, scope.arrays[name])}]"
        if self.chance(50):
            return [f"{place} = {self.scalar(scope)}"]
        if self.chance(25):
            return [f"{place} *= {self.scalar(scope)}"]
        return [f"{place} {self.pick(['+=', '-='])} {self.scalar(scope)}"]

    def slice_write(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        text, n = self.bounds(scope.arrays[name], None)
        op = self.pick(["=", "=", "+=", "-=", "*="])
        return [f"{name}[{text}] {op} {self.array(scope, n)}"]

    def whole(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        value = self.array(scope, scope.arrays[name])
        if self.chance(30):
            return [f"{name}[:] = {self.pick([value, '0.5'])}"]
        return [f"{name} {self.pick(['+=', '-=', '*='])} {value}"]

    def swap(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        length = scope.arrays[name]
        others = [n for n, size in scope.arrays.items() if size == length and n != name]
        if others and self.chance(40):
            other = self.pick(others)
            return [f"{name}, {other} = {other}, {name}"]
        i, j = self.index(scope, length), self.index(scope, length)
        return [f"{name}[{i}], {name}[{j}] = {name}[{j}], {name}[{i}]"]

    def call(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        length = scope.arrays[name]
        other = self.pick([n for n, size in scope.arrays.items() if size == length])
        kind = self.pick(["touch", "square_first", "blend", "fresh", "first", "later", "half"])
        if kind in ("touch", "square_first"):
            return [f"{kind}({name})"]
        if kind == "later":
            return [f"later({name}, {other})"]
        if kind == "half":
            if length < 4:
                return [f"touch({name})"]
            return [f"{self.target(scope, 'h', 3)} = half({name})"]
        arguments = {"blend": f"{name}, {other}", "fresh": f"{name}, w", "first": name}[kind]
        return [f"{self.target(scope, 'c', length)} = {kind}({arguments})"]

    def special(self, scope: Scope) -> list[str]:
        name = self.pick(scope.arrays)
        length = scope.arrays[name]
        a, b = self.operand(scope, length), self.operand(scope, length)
        return [
            self.pick(
                [
                    f"np.multiply({a}, {b}, out={name})",
                    f"{name}.fill({self.pick(['0.5', '0.25'])})",
                    f"{name}[[0, -1]] = {name}[[-1, 0]]",
                    f"{name}[{name} > 0.7] = 0.6",
                    f"{name}[{name} > 0.7] *= 0.5",
                    f"{name}[...] = w",
                ]
            )
        ]

    # Control flow. Names bound inside are not counted on outside.

    def test(self, scope: Scope) -> str:
        options = ["w > 0.5", f"{self.scalar(scope, 0)} > 0.6"]
        options += [f"{loop.name} % 2 == {self.rng.randrange(2)}" for loop in scope.loops]
        return str(self.pick(options))

    def counted(self, scope: Scope, depth: int) -> list[str]:
        name = self.loop_name(scope)
        low = self.rng.randrange(0, 3)
        high = self.rng.randrange(low, min(low + 3, SIZE - 1) + 1)
        header = f"range({low}, {high + 1})" if self.chance(70) else f"range({high}, {low - 1}, -1)"
        inside = scope.inner(Loop(name, low, high))
        body = self.block(inside, self.rng.randint(1, 3), depth - 1)
        return [f"for {name} in {header}:", *indent(body)]

    def condition(self, scope: Scope, depth: int) -> list[str]:
        name = self.new("n")
        body = self.block(scope.inner(Loop(name, 1, 2)), self.rng.randint(1, 2), depth - 1)
        return [f"{name} = 0", f"while {name} < 2:", *indent([f"{name} += 1", *body])]

    def program(self) -> str:
        scope = Scope({"x": SIZE, "b": SIZE}, ("w", "s"))
        lines = ["s = 0.5"]
        if self.chance(60):
            lines.append("x = x.copy()")
        if self.chance(60):
            lines.append("b = b * 1.0")
        lines += self.block(scope, self.rng.randint(2, self.budget), self.depth)
        terms = [f"np.sum({n})" for n in scope.arrays if self.chance(60)] or ["np.sum(x)"]
        lines.append(f"return {' + '.join(terms)} + s * {self.pick(['1.0', 's', 'w'])}")
        return "\n".join(["def f(x, b, w):", *indent(lines), ""])


def generate(rng: random.Random, budget: int = 9) -> str:
    """The source of a random function `f(x, b, w)`."""
    return Generator(rng, budget).program()


def build(source: str, helpers: str = HELPERS) -> Callable[..., Any]:
    """The function, with its source where tools look for it."""
    text = f"import numpy as np\n\n\n{helpers}\n\n{source}"
    name = f"<program {zlib.crc32(text.encode()):08x}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {"__name__": "random_program"}
    exec(compile(text, name, "exec", dont_inherit=True), namespace)
    return namespace["f"]  # type: ignore[no-any-return]


def arguments(seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """Arguments for a generated function."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.3, 1.0, SIZE), rng.uniform(0.3, 1.0, SIZE), 0.7
