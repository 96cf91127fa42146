"""Random programs that need whole arrays and write single elements of them, in loops.

`generate(rng)` returns the source of a function `f(x, b, w)` as `tests.programs` does. With
`on_overwrite="save"` the pullback undoes such writes; what it must not undo is among them: writes
through other names and in callees, arrays that are bound again, blocks of which half has run.

>>> print(generate(random.Random(1), 2))  # doctest: +ELLIPSIS
def f(x, b, w):
    ...
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.drawing import Loop, indent
from tests.programs import SIZE, Scope
from tests.whole_programs import Wholes

HELPERS = """\
def put(a, i, v):
    a[i] = v


def damped(a, c):
    a *= 0.5
    a += c
    return a * c
"""
SLICES = ("[1:4]", "[:3]", "[::2]", "[::-1]", "[-2:]")


@dataclass
class Sweeps(Wholes):
    """Draws programs of sweeps over three arrays, and the two arguments."""

    def index(self, scope: Scope) -> str:
        loops = [loop.name for loop in scope.loops]
        places = [*loops, *loops, *(f"{n} - 1" for n in loops), *(f"-{n} - 1" for n in loops)]
        return str(self.pick(places or [0, 2, -1]))

    def total(self, scope: Scope) -> str:
        """A number that the whole of an array, or of a part of one, is needed for."""
        a, c = self.name(), self.name()
        i = self.index(scope)
        return str(self.pick((
            f"np.sum({a} * {a})", f"np.sum(np.sin({a}))", f"{a} @ {c}", f"np.sum({a} * {c})",
            f"np.sum({a}[1:] * {c}[:-1])", f"np.sum(np.cos({a}[{i}:]))", "np.sum(v * v)",
            f"{a}[{i}] * np.sum({c} ** 2)", f"np.sum(np.tanh({a}) * v[0])",
        )))  # fmt: skip

    def statement(self, scope: Scope, depth: int) -> list[str]:
        if depth and self.chance(40):
            nested = (self.counted, self.counted, self.condition, self.branch, self.attempt)
            return list(self.pick(nested)(scope, depth))
        return list(self.weighted([
            (16, self.element), (4, self.looked), (4, self.summed), (2, self.part), (1, self.bind),
            (1, self.renamed), (1, self.passed), (1, self.left), (1, self.two),
        ])(scope))  # fmt: skip

    def element(self, scope: Scope) -> list[str]:
        place = f"{self.name()}[{self.index(scope)}]"
        op = self.pick(("=", "=", "=", "+=", "-=", "*="))
        return [f"{place} {op} {self.pick(('0.1 * ', '0.2 * w * '))}{self.total(scope)}"]

    def looked(self, scope: Scope) -> list[str]:
        i = self.index(scope)
        part = self.pick((*SLICES, f"[{i}:]", f"[:{i}]") if "-" not in i else SLICES)
        return [f"v = {self.name()}{part if '[:' not in part or part in SLICES else '[:4]'}"]

    def summed(self, scope: Scope) -> list[str]:
        return [f"s += 0.1 * {self.total(scope)}"]

    def passed(self, scope: Scope) -> list[str]:
        return [f"put({self.name()}, {self.index(scope)}, 0.1 * {self.total(scope)})"]

    def two(self, scope: Scope) -> list[str]:
        a, i, j = self.name(), self.index(scope), self.index(scope)
        return [f"{a}[{i}], {a}[{j}] = {a}[{j}], 0.1 * {self.total(scope)}"]

    def left(self, scope: Scope) -> list[str]:
        if not scope.loops:
            return self.summed(scope)
        leaves = self.pick(("break", "continue"))
        return [f"if {self.name()}[0] > 0.9:", *indent([*self.element(scope), leaves])]

    def attempt(self, scope: Scope, depth: int) -> list[str]:
        if not self.chance(30):
            return self.counted(scope, depth)
        body = [*self.element(scope), f"if {self.name()}[1] > 0.5:", "    raise ValueError"]
        return ["try:", *indent([*body, *self.element(scope)]), "except ValueError:",
                *indent(self.summed(scope))]  # fmt: skip

    def counted(self, scope: Scope, depth: int) -> list[str]:
        name = self.loop_name(scope)
        body = self.block(scope.inner(Loop(name, 0, 4)), self.rng.randint(1, 3), depth - 1)
        header = self.pick(("range(4)", "range(1, 4)", "range(3, -1, -1)"))
        return [f"for {name} in {header}:", *indent(body)]

    def program(self) -> str:
        lines = ["s = 0.5"]
        lines += [line for a in ("x", "b") if self.chance(80) for line in [f"{a} = {a}.copy()"]]
        first = ("np.sin(x)", "x * 2.0", "np.cos(b)", "x * b", "np.zeros(6)", "x.copy()")
        lines += [f"{a} = {self.pick(first)}" for a in ("p", "q", "r")]
        lines += [f"v = {self.name()}[1:4]"]
        scope = Scope(dict.fromkeys(("x", "b", "p", "q", "r"), SIZE), ("w", "s"))
        for _ in range(self.rng.randint(1, max(self.budget // 3, 1))):
            lines += self.block(scope, self.rng.randint(0, 1), 0)
            lines += self.counted(scope, self.depth)
        terms = [f"np.sum({a} * {self.pick((a, 'x', 'b', 'w'))})" for a in "pqr" if self.chance(60)]
        lines.append(f"return {' + '.join(terms or ['np.sum(p * q)'])} + s * {self.pick('sw')}")
        return "\n".join(["def f(x, b, w):", *indent(lines), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, b, w)`."""
    return Sweeps(rng, budget).program()
