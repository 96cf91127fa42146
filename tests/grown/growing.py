"""Programs that are grown by running them: a statement stays if the program still runs with it.

A theme is a table of statements with places to be filled: `$A` is an array that is there, however
it is reached (`y`, `items[0]`, `tank.grid`), `$v` a number, `$new` a name. What is there, and of
which shape, is read off from the run, so that a statement needs no description of what it does.
The same place twice in a statement is filled with the same text; `$A2` is another one.

| place | what |
|---|---|
| `$A`, `$I`, `$M` | an array of numbers, of integers, a mask |
| `$a` | an expression for an array of the shape of `$A`, or for any |
| `$v`, `$i` | an expression for a number; an integer, maybe that of a loop |
| `$V` | where a number is |
| `$L`, `$D`, `$O`, `$F`, `$U` | a list, a dictionary, an object, a function, a tuple |
| `$t`, `$k` | a test, a key |
| `$new`, `$block` | a new name, statements |
"""

from __future__ import annotations

import random
import re
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PLACE = re.compile(r"\$([a-zA-Z]+)(\d*)")
LARGE = 50.0
UNARY = ("np.sin", "np.tanh", "np.cos", "-", "0.5 * ", "np.exp")


@dataclass(frozen=True)
class Theme:
    """A family of programs: the statements, what they call, and what is drawn for arguments."""

    name: str
    statements: tuple[str, ...]
    helpers: str = ""
    makers: tuple[str, ...] = ()  # statements of which one or two come first
    start: tuple[str, ...] = ()  # the first lines, which make each run the same
    layouts: bool = False  # arguments in all layouts and of small sizes


def arguments(rng: random.Random, layouts: bool) -> tuple[Any, ...]:
    """Five numbers, a matrix, a number; and, for `layouts`, in any layout and of any size."""
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    x, m = numbers.uniform(0.3, 1.0, 5), numbers.uniform(0.3, 1.0, (3, 4))
    if layouts:
        rows, columns = rng.choice(((3, 4), (3, 4), (3, 3), (1, 4), (3, 1), (0, 4)))
        n = rng.choice((5, 5, 4, 3, 1, 0))
        large, wide = numbers.uniform(0.3, 1.0, 2 * n), numbers.uniform(0.3, 1.0, (6, 8))
        x = rng.choice((large[:n], large[:n][::-1], large[::2], large[n:].astype(np.float32)))
        m = rng.choice((
            wide[:rows, :columns].copy(), np.asfortranarray(wide[:rows, :columns]),
            wide[:columns, :rows].copy().T, wide[: 2 * rows : 2, :columns],
            wide[:rows, :columns][::-1], wide[:rows, :columns].astype(np.float32),
        ))  # fmt: skip
    return x, m, 0.7


@dataclass
class Grown:
    """Grows one program."""

    theme: Theme
    statements: tuple[str, ...]
    rng: random.Random
    args: tuple[Any, ...]
    lines: list[str] = field(default_factory=list)
    found: list[tuple[str, Any]] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)
    names: int = 0

    # Running.

    def run(self, lines: list[str]) -> dict[str, Any] | None:
        """The names that are bound after these lines; None where they fail."""
        body = "".join(f"    {line}\n" for line in [*lines, "whole = True", "return locals()"])
        namespace: dict[str, Any] = {"__name__": "random_program"}
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                text = f"import numpy as np\n{self.theme.helpers}\ndef f(x, A, w):\n{body}"
                exec(compile(text, "<grown>", "exec", dont_inherit=True), namespace)
                bound = namespace["f"](
                    *(np.copy(a, order="K") for a in self.args[:2]), self.args[2]
                )
        except Exception:
            return None
        if not isinstance(bound, dict) or not bound.pop("whole", False):
            return None  # returned before the end
        found = list(places(bound))
        if any(np.any(np.abs(v) > LARGE) for _, v in found if is_float(v)):
            return None
        self.found = found
        return dict(bound)

    def grow(self, statements: int) -> str:
        """The text of the program."""
        self.lines = list(self.theme.start)
        self.run(self.lines)
        for text in self.rng.sample(self.theme.makers, min(len(self.theme.makers), 2)):
            self.add(self.filled(text, 0))
        for _ in range(statements * 4):
            if statements <= 0:
                break
            statements -= self.add(self.statement(2))
        lines = [*self.lines, f"return {self.result()}"]
        return "\n".join(["def f(x, A, w):", *(f"    {line}" for line in lines), ""])

    def add(self, more: list[str]) -> int:
        """How many lines were added: none where the program would fail with them."""
        if more and self.run([*self.lines, *more]) is not None:
            self.lines += more
            return len(more)
        self.run(self.lines)
        return 0

    def result(self) -> str:
        """What is returned: a number, in which all that is there has a share, or some of it."""
        whole = [(n, v) for n, v in self.found if is_float(v) and np.all(np.isfinite(v))]
        arrays = [n for n, v in whole if isinstance(v, np.ndarray)]
        if self.rng.random() < 0.15 and len(arrays) > 1:
            a, b = self.rng.sample(arrays, 2)
            return self.rng.choice((f"{a}, {b}", f"[{a}, {b}]", f"{{'p': {a}, 'q': {b}}}", a))
        terms = [
            f"np.sum({n} * {self.rng.choice((n, '0.5', '1.5'))})"
            if isinstance(v, np.ndarray)
            else n
            for n, v in whole
        ]
        return " + ".join(self.rng.sample(terms, min(len(terms), 6)) or ["w"])

    # Filling.

    def statement(self, depth: int) -> list[str]:
        """The lines of one statement; none where a place cannot be filled."""
        flat = [s for s in self.statements if depth or "$block" not in s]
        return self.filled(self.rng.choice(flat), depth)

    def filled(self, text: str, depth: int) -> list[str]:
        """The lines of a statement, with its places filled."""
        filled: dict[str, str] = {}
        looped = re.findall(r"for \$new(\d*) in (?:reversed\()?range", text)
        for place in PLACE.finditer(text):
            what, number = place.groups()
            if what == "block" or place.group() in filled:
                continue
            shape = self.shape_of(filled.get(f"$A{number}"))
            got = self.fill(what, shape)
            if got is None:
                return []
            filled[place.group()] = got
            if what == "new" and number in looped:
                self.loops.append(got)
        out = []
        for line in text.split("\n"):
            if "$block" in line:
                space = line[: len(line) - len(line.lstrip())]
                inner = [
                    s for _ in range(self.rng.choice((1, 1, 2))) for s in self.statement(depth - 1)
                ]
                out += [space + s for s in inner or ["pass"]]
            else:
                out.append(PLACE.sub(lambda p: filled[p.group()], line))
        for number in looped:
            self.loops.remove(filled[f"$new{number}"])
        return out

    def shape_of(self, name: str | None) -> tuple[int, ...] | None:
        return next((np.shape(v) for n, v in self.found if n == name), None)

    def fill(self, what: str, shape: tuple[int, ...] | None) -> str | None:
        if what == "new":
            self.names += 1
            return f"y{self.names}"
        if what == "i":
            return str(self.rng.choice([*self.loops, *self.loops, 0, 1, -1, 2]))
        if what == "k":
            return str(self.rng.choice(["'p'", "'q'", *(f"'pq'[{n} % 2]" for n in self.loops)]))
        if what == "v":
            return self.number(2)
        if what == "a":
            return self.array(shape, 2)
        if what == "t":
            tests = (f"{self.number(0)} > 0.6", f"{self.number(0)} < {self.number(0)}", "w > 0.5")
            return self.rng.choice((*tests, *(f"{n} % 2 == 0" for n in self.loops)))
        return self.pick(n for n, v in self.found if KIND[what](v))

    def pick(self, names: Iterator[str]) -> str | None:
        known = list(names)
        late = known[-4:] if self.rng.random() < 0.5 else known
        return self.rng.choice(late) if known else None

    def number(self, depth: int) -> str:
        place = self.pick(n for n, v in self.found if KIND["V"](v)) or "w"
        kind = self.rng.randrange(6)
        name = self.pick(n for n, v in self.found if KIND["A"](v) and np.size(v))
        if kind < 2 and name:
            at = ", ".join([self.fill("i", None) or "0"] * len(self.shape_of(name) or (1,)))
            return f"{name}[{at}]"
        if kind == 2 and name:
            return f"np.sum({name})"
        if kind < 5 or not depth:
            return self.rng.choice((place, place, "w", "0.5"))
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.rng.choice((f"{a} * {b}", f"({a} - {b})", f"np.sin({a})", f"({a} + {b})"))

    def array(self, shape: tuple[int, ...] | None, depth: int) -> str | None:
        fits = [n for n, v in self.found if KIND["A"](v) and (shape is None or v.shape == shape)]
        name = self.pick(iter(fits)) or "x"
        kind = self.rng.randrange(7)
        if kind < 3 or not depth:
            return name
        if kind == 3:
            return f"{self.rng.choice(UNARY)}({name})"
        if kind == 4:
            return f"{name}[::-1]"
        if kind == 5:
            return f"({self.number(1)} * {name})"
        other = self.array(shape, depth - 1)
        return f"({name} {self.rng.choice('*+-')} {other})"


def places(bound: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """All that can be reached from the names, and how."""
    for name, value in bound.items():
        yield from inside(name, value, 2)


def inside(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """What can be reached from a value."""
    yield name, value
    if not depth:
        return
    if isinstance(value, (list, tuple)):
        for at in {0: 0, -1: len(value) - 1} if len(value) > 1 else range(len(value)):
            yield from inside(f"{name}[{at}]", value[at], depth - 1)
    elif isinstance(value, dict):
        for key in list(value)[:3]:
            yield from inside(f"{name}[{key!r}]", value[key], depth - 1)
    elif is_object(value):
        for key in vars(value):
            yield from inside(f"{name}.{key}", vars(value)[key], depth - 1)


def is_float(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def is_object(value: Any) -> bool:
    own = type(value).__module__ == "random_program" and hasattr(value, "__dict__")
    return own and not isinstance(value, type | types.FunctionType)


def of(kind: str) -> Any:
    return lambda v: isinstance(v, np.ndarray) and v.dtype.kind == kind and v.ndim > 0


KIND = {
    "A": of("f"), "I": of("i"), "M": of("b"), "O": is_object,
    "V": lambda v: isinstance(v, float), "L": lambda v: isinstance(v, list),
    "D": lambda v: isinstance(v, dict), "U": lambda v: isinstance(v, tuple),
    "F": lambda v: isinstance(v, types.FunctionType),
}  # fmt: skip
