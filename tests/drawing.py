"""What the generators of random programs share: choices, names, blocks, branches.

Every choice goes through one random number generator, so that a seed stands for a program.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import count
from typing import Any


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@dataclass(frozen=True)
class Loop:
    """A loop variable and the numbers it runs through: lowest and highest."""

    name: str
    low: int
    high: int


@dataclass
class Draw:
    """Draws a program of about `budget` statements, nested `depth` deep.

    A generator adds `statement(scope, depth)`, `test(scope)` and expressions. A scope knows the
    names that are bound for sure: `arrays`, `scalars`, `loops`.
    """

    rng: random.Random
    budget: int = 8
    depth: int = 2
    names: Any = field(default_factory=lambda: count(1))

    def pick(self, items: Any) -> Any:
        return self.rng.choice(list(items))

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def new(self, stem: str) -> str:
        return f"{stem}{next(self.names)}"

    def weighted(self, choices: list[tuple[int, Any]]) -> Any:
        """One of the choices, by weight."""
        return self.pick([f for weight, f in choices for _ in range(weight)])

    @staticmethod
    def atom(text: str) -> str:
        """`text` as an operand of any operator."""
        return f"({text})" if " " in text or text.startswith("-") else text

    # What a generator adds.

    def statement(self, scope: Any, depth: int) -> list[str]:
        raise NotImplementedError

    def test(self, scope: Any) -> str:
        raise NotImplementedError

    def scalar(self, scope: Any, depth: int = 2) -> str:
        raise NotImplementedError

    def operand(self, scope: Any, size: Any) -> str:
        raise NotImplementedError

    # Statements that all have: each returns lines and may bind names in `scope`.

    def block(self, scope: Any, size: int, depth: int) -> list[str]:
        return [line for _ in range(size) for line in self.statement(scope, depth)]

    def target(self, scope: Any, stem: str, size: Any, again: int = 40) -> str:
        """A new name, or (`again` percent) one that is bound to such an array already."""
        known = [n for n, own in scope.arrays.items() if own == size]
        name = str(self.pick(known)) if known and self.chance(again) else self.new(stem)
        scope.arrays[name] = size
        return name

    def alias(self, scope: Any) -> list[str]:
        source = self.pick(scope.arrays)
        return [f"{self.target(scope, 'z', scope.arrays[source])} = {source}"]

    def number(self, scope: Any) -> list[str]:
        name = self.pick(scope.scalars)
        if self.chance(40):
            return [f"{name} = {self.scalar(scope)}"]
        if self.chance(40):
            array = self.pick(scope.arrays)
            other = self.operand(scope, scope.arrays[array])
            return [f"{name} += 0.1 * np.sum({array} * {other})"]
        return [f"{name} {self.pick(['+=', '*=', '-='])} {self.scalar(scope)}"]

    def branch(self, scope: Any, depth: int) -> list[str]:
        """Names bound inside are not counted on outside."""
        then = self.block(scope.inner(), self.rng.randint(1, 2), depth - 1)
        lines = [f"if {self.test(scope)}:", *indent(then)]
        if scope.loops and self.chance(25):
            lines.append(f"    {self.pick(['break', 'continue'])}")
        elif self.chance(8):
            total = f"np.sum({self.pick(scope.arrays)})"
            lines.append(f"    return {total} * {self.pick(scope.scalars)}")
        elif self.chance(40):
            other = self.block(scope.inner(), self.rng.randint(1, 2), depth - 1)
            lines += ["else:", *indent(other)]
        return lines

    @staticmethod
    def loop_name(scope: Any) -> str:
        return "ijk"[min(len(scope.loops), 2)]
