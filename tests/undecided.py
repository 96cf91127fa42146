"""Random programs whose fate depends on the run: branches, computed places, unknown layouts.

`generate(rng)` gives the source of `f(x, perm, p, q, i, j)`: `x` is a 4 x 3 array, `perm` permutes
its rows, `p` and `q` are flags, `i` and `j` numbers of rows. The same seed gives the same program.

    python -m tests.undecided [--programs N] [--from SEED]
"""

from __future__ import annotations

import argparse
import linecache
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import adtrans as ad
from adtrans.diagnostics.errors import AdtransError, MutationError

PLACES = ["i", "j", "perm[i]", "0", "-1", "1"]
IN_LOOPS = ["k", "perm[k]", "perm[k - 1]", "k - 1"]
VIEWS = ["[1:]", "[i:]", ".T", ".reshape(-1, 3)", ".ravel().reshape(4, 3)", ".T.reshape(4, 3)"]
Arguments = tuple[Any, ...]


class Generator:
    """Draws one program, line by line."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names = ["y", "z"]
        self.lines: list[str] = []

    def array(self) -> str:
        return self.rng.choice(self.names)

    def part(self, loop: bool) -> str:
        r = self.rng.random()
        if r < 0.5:
            return f"[{self.rng.choice(PLACES + IN_LOOPS * loop)}]"
        return self.rng.choice(["[1:3]", "[:2]", "[i:i + 2]", "[j:]", "[::2]", "[:]", "[...]"])

    def use(self, loop: bool) -> str:
        a, b = self.array(), self.array()
        return self.rng.choice([
            f"s += np.sum({a} * {a})", f"s += np.sum({a}{self.part(loop)} ** 2)",
            f"s += np.sum(np.sin({a}) * w)", f"s += {a}[0, 1] * np.sum({b} * {b})",
        ])  # fmt: skip

    def write(self, loop: bool) -> str:
        target = f"{self.array()}{self.part(loop)}"
        return self.rng.choice([
            f"{target} = 0.5", f"{target} = x[0]", f"{target} = w", f"{target} = x[i] * 2.0",
            f"{target} += x[0]", f"{target} *= w", f"{target} *= x[1, 0]",
            f"w[{self.rng.randrange(3)}] = 0.3",
        ])  # fmt: skip

    def statement(self, depth: int, loop: bool, indent: int) -> None:
        rng, start = self.rng, "    " * indent
        kind = rng.choices(
            ["use", "write", "if", "for", "bind", "view", "chosen", "swap"],
            [27, 25, 20 * (depth > 0), 8 * (depth > 0 and not loop), 8, 5, 5 * (indent == 1), 2],
        )[0]
        match kind:
            case "use":
                self.lines.append(start + self.use(loop))
            case "write":
                self.lines.append(start + self.write(loop))
            case "if":
                self.lines.append(f"{start}if {rng.choice(['p', 'not p', 'i > j', 'q'])}:")
                self.block(depth, loop, indent, rng.randint(1, 2))
                if rng.random() < 0.4:
                    self.lines.append(f"{start}else:")
                    self.block(depth, loop, indent, rng.randint(1, 2))
            case "for":
                self.lines.append(f"{start}for k in range(1, 3):")
                self.block(depth, True, indent, rng.randint(1, 3))
            case "bind":
                value = rng.choice(["y * 1.5", "x.copy()", "z + x"])
                self.lines.append(f"{start}{rng.choice(['y', 'z'])} = {value}")
            case "view":
                name, of = f"v{len(self.lines)}", self.array()
                self.lines.append(f"{start}{name} = {of}{rng.choice(VIEWS)}")
                if indent == 1:
                    self.names.append(name)
            case "chosen":
                name = f"c{len(self.lines)}"
                self.lines.append(f"{start}{name} = {self.array()} if p else {self.array()}")
                self.names.append(name)
            case _:
                self.lines.append(f"{start}y, z = z, y")

    def block(self, depth: int, loop: bool, indent: int, size: int) -> None:
        for _ in range(size):
            self.statement(depth - 1, loop, indent + 1)


def generate(rng: random.Random) -> str:
    """The source of one program."""
    g = Generator(rng)
    for _ in range(rng.randint(4, 9)):
        g.statement(2, False, 1)
    result = " + ".join(f"np.sum({a})" for a in rng.sample(g.names, 2))
    start = ["y = x * 1.0", "z = np.ones((4, 3)) * x[0]", "w = np.ones(3)", "s = 0.0"]
    lines = ["def f(x, perm, p, q, i, j):", *(f"    {line}" for line in start), *g.lines]
    return "\n".join([*lines, f"    return s + {result}", ""])


def build(source: str, name: str) -> Callable[..., Any]:
    """The function of a source."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), names)
    f: Callable[..., Any] = names["f"]
    return f


def arguments(seed: int) -> Arguments:
    """Arguments of one run; some are in the order of Fortran."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.4, 1.2, (4, 3))
    flags = (bool(rng.integers(2)), bool(rng.integers(2)))
    places = (int(rng.integers(3)), int(rng.integers(3)))
    return np.asfortranarray(x) if seed % 4 == 2 else x, rng.permutation(4), *flags, *places


def differences(f: Callable[..., Any], args: Arguments, h: float = 1e-6) -> np.ndarray:
    """The gradient by central differences."""
    x, *rest = args
    found = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        sides = []
        for step in (h, -h):
            moved = x.copy("K")
            moved[at] += step
            sides.append(f(moved, *rest))
        found[at] = (sides[0] - sides[1]) / (2 * h)
    return found


def fates(seeds: Iterable[int], runs: int = 3) -> tuple[Counter[str], list[str]]:
    """What became of the programs of these seeds, and the sources of those that went wrong."""
    counts: Counter[str] = Counter()
    wrong = []
    for seed in seeds:
        source = generate(random.Random(seed))
        f = build(source, f"<undecided {seed}>")
        for run in range(runs):
            args = arguments(4 * seed + run)
            try:
                value = f(args[0].copy("K"), *args[1:])
            except (IndexError, ValueError):
                counts["does not run"] += 1
                break
            for mode in ("refuse", "save"):
                x = args[0].copy("K")
                try:
                    got, gradient = ad.value_and_grad(f, on_overwrite=mode)(x, *args[1:])
                except MutationError:
                    counts["stopped"] += 1
                    continue
                except AdtransError as error:
                    counts[error.diagnostics[0].code] += 1
                    continue
                right = np.allclose(gradient, differences(f, args), rtol=1e-4, atol=1e-6)
                if right and np.isclose(got, value, rtol=1e-12) and np.array_equal(x, args[0]):
                    counts["right"] += 1
                else:
                    counts["wrong"] += 1
                    wrong.append(f"{source}\n{args[1:]} {mode}")
    return counts, wrong


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="SEED")
    chosen = parser.parse_args(argv)
    counts, wrong = fates(range(chosen.first, chosen.first + chosen.programs))
    print(*wrong, *(f"{n:6}  {what}" for what, n in counts.most_common()), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
