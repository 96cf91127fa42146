"""Random programs of statements about whole arrays, of which few have several names.

`generate(rng)` returns the source of a function `f(x, b, w)` as `tests.programs` does. Nearly every
array has memory, and an adjoint, of its own here; what is added to it as a whole looks into that
adjoint while loops and branches go on to change it.

>>> print(generate(random.Random(1), 2))  # doctest: +ELLIPSIS
def f(x, b, w):
    ...
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.drawing import Draw, Loop, indent
from tests.programs import SIZE, Scope

HELPERS = """\
def damped(a, c):
    a *= 0.5
    a += c
    return a * c


def mixed(a, c, w):
    for _ in range(2):
        a = w * a + c
        c = c * 0.5
    return a
"""
NAMES = ("p", "q", "r")
PARTS = (  # of an array and of another one, of the same length
    ("[1:]", "[:-1]"), ("[:-1]", "[1:]"), ("[1:-1]", "[2:]"), ("[::2]", "[1::2]"), ("[3:]", "[:3]"),
    ("[:]", ""), ("[:]", "[::-1]"),
)  # fmt: skip


@dataclass
class Wholes(Draw):
    """Draws programs over three arrays, and the two arguments."""

    def name(self) -> str:
        return str(self.pick((*NAMES, *NAMES, "x", "b")))

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        return str(self.pick(("0.5", "0.75", "w", "s", f"{self.name()}[{self.index(scope)}]")))

    def index(self, scope: Scope) -> str:
        return str(self.pick([loop.name for loop in scope.loops] or [0, 2, -1]))

    def operand(self, scope: Scope, size: int = SIZE) -> str:
        """A whole array, by itself more often than not."""
        if self.chance(60):
            return self.name()
        return self.atom(self.value(scope))

    def value(self, scope: Scope) -> str:
        """An expression for a new array."""
        a, c = self.name(), self.name()
        of = str(self.pick(("np.sin", "np.cos", "np.tanh")))
        return str(self.pick((
            f"{of}({a})", f"{of}({a})", f"{a} * {c}", f"{self.scalar(scope)} * {a}", f"{a} + {c}",
            f"{a} - {c}", f"-{a}", f"{a}.copy()", f"{a} * 2.0", f"np.where({a} > 0.6, {a}, {c})",
            f"{a} * np.sum({c})", f"np.concatenate(({a}[:3], {c}[3:]))", f"mixed({a}, {c}, w)",
            f"{a}[::-1] * w",
        )))  # fmt: skip

    def statement(self, scope: Scope, depth: int) -> list[str]:
        if depth and self.chance(35):
            return list(self.pick((self.counted, self.counted, self.condition, self.branch))(
                scope, depth
            ))  # fmt: skip
        simple: list[tuple[int, Callable[[Scope], list[str]]]] = [
            (8, self.bind),
            (14, self.added),
            (8, self.scaled),
            (8, self.part),
            (3, self.element),
            (2, self.renamed),
            (2, self.several),
            (2, self.number),
            (1, self.call),
        ]
        return list(self.weighted(simple)(scope))

    def bind(self, scope: Scope) -> list[str]:
        return [f"{self.pick(NAMES)} = {self.value(scope)}"]

    def added(self, scope: Scope) -> list[str]:
        return [f"{self.name()} {self.pick(('+=', '+=', '-='))} {self.operand(scope)}"]

    def scaled(self, scope: Scope) -> list[str]:
        a = self.name()
        return [self.pick((
            f"{a} *= 0.5", f"{a} *= {self.scalar(scope)}", f"{a} *= {self.operand(scope)}",
            f"{a} /= 2.0 + np.sin({self.name()})",
        ))]  # fmt: skip

    def part(self, scope: Scope) -> list[str]:
        a, c = self.name(), self.name()
        own, other = self.pick(PARTS)
        if own == "[1:-1]":
            other = f"[2:] - {c}[:-2]"
        op = self.pick(("=", "+=", "-=", "*="))
        return [f"{a}{own} {op} {self.pick(('', '0.5 * ', 'w * '))}{c}{other}"]

    def element(self, scope: Scope) -> list[str]:
        place = f"{self.name()}[{self.index(scope)}]"
        return [f"{place} {self.pick(('=', '=', '*=', '+='))} {self.scalar(scope)}"]

    def renamed(self, scope: Scope) -> list[str]:
        a, c, d = (self.pick(NAMES) for _ in range(3))
        return [f"{a} = {self.pick((c, f'{c}[:]', f'{c} if w > 0.5 else {d}'))}"]

    def several(self, scope: Scope) -> list[str]:
        a, c = self.rng.sample(NAMES, 2)
        left, right = self.value(scope), self.value(scope)
        return [self.pick((f"{a}, {c} = {left}, {right}", f"{a}, {c} = {c}, {a}"))]

    def number(self, scope: Scope) -> list[str]:
        return [f"s += 0.1 * np.sum({self.name()} * {self.operand(scope)})"]

    def call(self, scope: Scope) -> list[str]:
        return [f"{self.pick(NAMES)} = damped({self.name()}, {self.name()})"]

    def test(self, scope: Scope) -> str:
        return str(self.pick((
            "w > 0.5", f"{self.name()}[0] > 0.6", *(f"{loop.name} % 2" for loop in scope.loops)
        )))  # fmt: skip

    def counted(self, scope: Scope, depth: int) -> list[str]:
        name, high = self.loop_name(scope), self.rng.randrange(4)
        body = self.block(scope.inner(Loop(name, 0, high)), self.rng.randint(1, 3), depth - 1)
        return [f"for {name} in range({high}):", *indent(body)]

    def condition(self, scope: Scope, depth: int) -> list[str]:
        name = self.new("n")
        body = self.block(scope.inner(Loop(name, 1, 2)), self.rng.randint(1, 2), depth - 1)
        return [f"{name} = 0", f"while {name} < 2:", *indent([f"{name} += 1", *body])]

    def program(self) -> str:
        scope = Scope(dict.fromkeys(("x", "b", *NAMES), SIZE), ("w", "s"))
        lines = ["s = 0.5"]
        lines += [line for a in ("x", "b") if self.chance(70) for line in [f"{a} = {a}.copy()"]]
        first = ("np.sin(x)", "x * 2.0", "np.cos(b)", "x * b", "np.tanh(b) * w")
        lines += [f"{a} = {self.pick(first)}" for a in NAMES]
        lines += self.block(scope, self.rng.randint(2, self.budget), self.depth)
        terms = [f"np.sum({a} * {self.pick((a, 'x', 'b', 'w'))})" for a in NAMES if self.chance(60)]
        lines.append(f"return {' + '.join(terms or ['np.sum(p * q)'])} + s * {self.pick('sw')}")
        return "\n".join(["def f(x, b, w):", *indent(lines), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, b, w)`."""
    return Wholes(rng, budget).program()
