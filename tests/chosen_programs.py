"""Random programs in which names mean one array or another: chosen, swapped, rotated, returned.

`generate(rng)` returns the source of a function `f(x, b, w)` as `tests.programs` does; more of its
statements bind names to arrays that have names already, and write through them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests import programs
from tests.programs import Generator, Scope, indent

HELPERS = (
    programs.HELPERS
    + '''

def either(a, c, w):
    return a if w > 0.5 else c


def longer(a, c):
    if a[0] < c[0]:
        return a
    c[1] += 0.5 * a[1]
    return c


def view_or_copy(a, w):
    if w > 0.6:
        return a[::-1]
    return a * w


def last_of(a, c, n):
    for _ in range(n):
        a[0] += 0.25 * c[-1]
        a, c = c, a
    return a
'''
)


@dataclass
class Chooser(Generator):
    """Draws programs with many names for few arrays."""

    def statement(self, scope: Scope, depth: int) -> list[str]:
        names = [self.choose, self.choose, self.rotate, self.rotate, self.parts, self.returned]
        if self.chance(45):
            return list(self.pick(names)(scope))
        if self.chance(35):
            return list(self.linear(scope))
        return super().statement(scope, depth)

    def alike(self, scope: Scope) -> tuple[int, list[str]]:
        """A length, and the names of arrays that have it; two different ones if there are."""
        length = int(self.pick(scope.arrays.values()))
        names = [n for n, size in scope.arrays.items() if size == length]
        self.rng.shuffle(names)
        return length, [*names, names[0]]

    def choose(self, scope: Scope) -> list[str]:
        length, (a, b, *_) = self.alike(scope)
        test = self.test(scope)
        name = self.target(scope, "c", length)
        if self.chance(40):
            return [f"{name} = {a} if {test} else {b}"]
        if scope.loops and self.chance(40):
            return [f"{name} = ({a}, {b})[{self.pick(scope.loops).name} % 2]"]
        if self.chance(20):
            inner = self.linear(scope.inner())
            return [f"for {name} in ({a}, {b}):", *indent([f"{name}[1] = 0.5 * s", *inner])]
        if self.chance(30):
            a = f"np.sin({a})"
        return [f"if {test}:", f"    {name} = {a}", "else:", f"    {name} = {b}"]

    def rotate(self, scope: Scope) -> list[str]:
        _, (a, b, *more) = self.alike(scope)
        if more and self.chance(40):
            line = f"{a}, {b}, {more[0]} = {b}, {more[0]}, {a}"
            line = line if len({a, b, more[0]}) == 3 else f"{a}, {b} = {b}, {a}"
        else:
            line = f"{a}, {b} = {b}, {a}"
        return [f"if {self.test(scope)}:", f"    {line}"] if self.chance(30) else [line]

    def parts(self, scope: Scope) -> list[str]:
        """A view of one array or another, or one view of an array or another."""
        whole = [n for n, size in scope.arrays.items() if size >= 4]
        source, other = self.pick(whole), self.pick(whole)
        text, n = self.bounds(scope.arrays[source], None)
        again, _ = self.bounds(scope.arrays[other], n)
        if self.bounds(scope.arrays[other], n)[1] != n:
            other, again = source, text
        test = self.test(scope)
        return [f"{self.target(scope, 'v', n)} = {source}[{text}] if {test} else {other}[{again}]"]

    def returned(self, scope: Scope) -> list[str]:
        length, (a, b, *_) = self.alike(scope)
        call = self.pick(
            [f"either({a}, {b}, w)", f"view_or_copy({a}, w)", f"first({a})", f"fresh({a}, w)"]
            + [f"longer({a}, {b})", f"last_of({a}, {b}, {self.rng.randrange(4)})"] * (a != b)
        )
        return [f"{self.target(scope, 'r', length)} = {call}"]

    def linear(self, scope: Scope) -> list[str]:
        """A write that needs nothing of what it overwrites."""
        name = self.pick(scope.arrays)
        length = scope.arrays[name]
        place = f"{name}[{self.index(scope, length)}]"
        value = f"{self.pick(['0.5', 'w', '1.5'])} * {self.operand(scope, length)}"
        start, n = self.bounds(length, None)
        part = f"{name}[{start}]"
        return [
            self.pick(
                [
                    f"{place} = {self.scalar(scope, 1)}",
                    f"{place} += 0.5 * {self.scalar(scope, 0)}",
                    f"{part} += {self.operand(scope, n)}",
                    f"{name} += {value}",
                    f"{name}[:] = {value}",
                    f"{part} *= w",
                ]
            )
        ]

    def program(self) -> str:
        made = ["c0 = x * 2.0", "d0 = np.zeros(6)"]
        scope = Scope({"x": 6, "b": 6, "c0": 6, "d0": 6}, ("w", "s"))
        lines = ["s = 0.5", *made[: self.rng.randint(1, 2)]]
        if len(lines) == 2:
            del scope.arrays["d0"]
        lines += self.block(scope, self.rng.randint(2, self.budget), self.depth)
        terms = [f"np.sum({n} * {k}.0)" for k, n in enumerate(scope.arrays, 1) if self.chance(70)]
        lines.append(f"return {' + '.join(terms or ['np.sum(x)'])} + s")
        return "\n".join(["def f(x, b, w):", *indent(lines), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, b, w)`."""
    return Chooser(rng, budget).program()
