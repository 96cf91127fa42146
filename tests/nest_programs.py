"""Random programs over lists of lists: rows by computed index, under other names, swapped, shared.

Rows are replaced, appended and taken off, written by helpers, put into a dictionary; columns are
taken; whole matrices are copied, shallow and deep, transposed and reversed.

`generate(rng)` returns the source of `f(x, w)`: four numbers and a float.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from tests.drawing import Draw, indent

SIZE = 3

HELPERS = """\
def dot(a, b):
    t = 0.0
    for u, v in zip(a, b):
        t += u * v
    return t


def half(m):
    out = []
    for r in m:
        out.append([v * 0.5 for v in r])
    return out


def combine(m, i, j, f):
    for k in range(3):
        m[i][k] -= f * m[j][k]


def put(row, v):
    row[1] = row[0] * v


def turn(m, v):
    m.append([m[0][0] * v, m[1][1], m[0][2]])
    m.pop(0)
    m[0], m[1] = m[1], m[0]
    m[0][1] *= v
"""


@dataclass
class Scope:
    """The names that are bound for sure."""

    scalars: tuple[str, ...] = ("s",)
    matrices: list[str] = field(default_factory=lambda: ["m"])
    rows: list[str] = field(default_factory=list)
    loops: tuple[str, ...] = ()

    def inner(self, *loops: str) -> Scope:
        return Scope(self.scalars, list(self.matrices), list(self.rows), self.loops + loops)


class Nests(Draw):
    """Draws a program over lists of lists of three numbers each."""

    # Expressions.

    def index(self, scope: Scope) -> str:
        if scope.loops and self.chance(60):
            return str(self.pick(scope.loops))
        return str(self.pick(range(-SIZE, SIZE)))

    def written(self, scope: Scope) -> str:
        """A number in a list."""
        kind = self.rng.randrange(10)
        if kind < 6 or (kind < 8 and not scope.rows):
            return f"{self.pick(scope.matrices)}[{self.index(scope)}][{self.index(scope)}]"
        if kind < 8:
            return f"{self.pick(scope.rows)}[{self.index(scope)}]"
        return f"d['{self.pick('pq')}'][{self.index(scope)}]"

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        kind = self.rng.randrange(12)
        if kind < 5 or depth == 0:
            return self.written(scope) if self.chance(85) else f"x[{self.index(scope)}]"
        if kind == 5:
            return str(self.pick(["0.75", "w", "s"]))
        if kind == 6:
            return f"np.sin({self.scalar(scope, depth - 1)})"
        if kind == 7:
            m, n = self.pick(scope.matrices), self.pick(scope.matrices)
            a, b = self.index(scope), self.index(scope)
            whole = [f"sum({m}[{a}])", f"sum(r[0] for r in {m})", f"max({m}[{a}])",
                     f"dot({m}[{a}], {n}[{b}])"]  # fmt: skip
            return str(self.pick(whole))
        a, b = (self.atom(self.scalar(scope, depth - 1)) for _ in range(2))
        return f"{a} {self.pick('**+-')} {b}"

    def row(self, scope: Scope) -> str:
        m, k = self.pick(scope.matrices), self.index(scope)
        options = [
            f"{m}[{k}]", f"[v * {self.atom(self.scalar(scope, 0))} for v in {m}[{k}]]",
            f"list({m}[{k}])", f"{m}[{k}].copy()", f"{m}[{k}][::-1]", f"d['{self.pick('pq')}']",
            f"[{self.scalar(scope, 1)}, {self.scalar(scope, 1)}, {self.scalar(scope, 0)}]",
        ]  # fmt: skip
        return str(self.pick(options))

    # Statements.

    def statement(self, scope: Scope, depth: int) -> list[str]:
        if depth and self.chance(30):
            return list(self.pick([self.counted, self.counted, self.through, self.branched])(
                scope, depth))  # fmt: skip
        simple = [
            (5, self.write), (2, self.replaced), (2, self.named), (2, self.made), (2, self.moved),
            (2, self.helped), (1, self.summed),
        ]  # fmt: skip
        return list(self.weighted(simple)(scope))

    def write(self, scope: Scope) -> list[str]:
        op = self.pick(["=", "=", "+=", "*=", "-="])
        return [f"{self.written(scope)} {op} {self.scalar(scope)}"]

    def replaced(self, scope: Scope) -> list[str]:
        into = self.pick([f"{self.pick(scope.matrices)}[{self.index(scope)}]",
                          f"d['{self.pick('pq')}']"])  # fmt: skip
        return [f"{into} = {self.row(scope)}"]

    def named(self, scope: Scope) -> list[str]:
        name, value = self.new("r"), self.row(scope)
        scope.rows.append(name)
        return [f"{name} = {value}"]

    def made(self, scope: Scope) -> list[str]:
        name, m = self.new("m"), self.pick(scope.matrices)
        value = self.atom(self.scalar(scope, 0))
        options = [
            f"[r[:] for r in {m}]", f"{m}[::-1]", f"list({m})", f"half({m})",
            f"[[a * {value} for a in r] for r in {m}]", f"[list(c) for c in zip(*{m})]",
            f"[[{m}[b][a] for b in range({SIZE})] for a in range({SIZE})]",
        ]  # fmt: skip
        line = f"{name} = {self.pick(options)}"
        if not scope.loops:
            scope.matrices.append(name)
        return [line]

    def moved(self, scope: Scope) -> list[str]:
        m = self.pick(scope.matrices)
        options = [
            [f"{m}[0], {m}[2] = {m}[2], {m}[0]"], [f"{m}.reverse()"],
            [f"{m}.append({self.row(scope)})", f"{m}.pop(0)"],
        ]  # fmt: skip
        return list(self.pick(options))

    def helped(self, scope: Scope) -> list[str]:
        m, value = self.pick(scope.matrices), self.scalar(scope, 1)
        options = [f"combine({m}, {self.index(scope)}, {self.index(scope)}, {value})",
                   f"put({self.row(scope)}, {value})", f"turn({m}, {value})"]  # fmt: skip
        return [str(self.pick(options))]

    def summed(self, scope: Scope) -> list[str]:
        return [f"s = s * 0.5 + {self.scalar(scope)}"]

    # Control flow.

    def counted(self, scope: Scope, depth: int) -> list[str]:
        name = str(self.pick([n for n in "ijkl" if n not in scope.loops]))
        header = self.pick(["range(3)", "range(2, -1, -1)", "range(1, 3)"])
        body = self.block(scope.inner(name), self.rng.randint(1, 3), depth - 1)
        return [f"for {name} in {header}:", *indent(body)]

    def through(self, scope: Scope, depth: int) -> list[str]:
        name, inner = self.new("r"), scope.inner()
        inner.rows.append(name)
        source = self.pick(scope.matrices)
        return [f"for {name} in {source}:", *indent(self.block(inner, 2, depth - 1))]

    def branched(self, scope: Scope, depth: int) -> list[str]:
        test = f"{self.scalar(scope, 0)} > {self.pick(['0.4', '0.7', '1.0'])}"
        return [f"if {test}:", *indent(self.block(scope.inner(), 2, depth - 1))]

    def program(self) -> str:
        scope = Scope()
        lines = ["s = 0.5", "m = [[a * b for a in x[:3]] for b in x[:3]]"]
        shown = ["d = {'p': [x[0], x[1], 1.0], 'q': [x[3], 0.5, x[2]]}"]
        shared = ["d = {}", "d['p'] = m[1]", "d['q'] = [x[0], x[1], x[2]]"]
        lines += self.pick([shown, shared])
        lines += self.block(scope, self.rng.randint(2, self.budget), self.depth)
        terms = [f"sum(sum(r) for r in {m})" for m in scope.matrices]
        result = " + ".join([*terms, "s", "d['p'][0] * d['q'][1]", self.scalar(scope)])
        return "\n".join(["def f(x, w):", *indent([*lines, f"return {result}"]), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, w)`."""
    return Nests(rng, budget).program()


def arguments(seed: int = 0) -> tuple[np.ndarray, float]:
    """Arguments for a generated function."""
    return np.random.default_rng(seed).uniform(0.3, 1.0, 4), 0.7
