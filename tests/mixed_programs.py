"""Random programs that change arrays wherever Python keeps them: all of the language at once.

Arrays are in names, rows, lists, tuples, dictionaries, attributes and closures; each of these
places is read, written in part, updated in place, bound again, made another name for an array
that is elsewhere, looked into by views, passed to callees that write, and chosen by masks. In
between, exceptions are raised and caught, generators yield views, buffers have single precision
or complex numbers.

Each program uses some of the statements only, so that they meet each other more often.

`generate(rng)` returns the source of `f(x, A, w)`: four numbers, a 3 x 4 matrix, a float.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.drawing import Loop, indent
from tests.mixed_helpers import HELPERS as HELPERS
from tests.mixed_places import ROWS, SIZE, Lines, Places, Scope


@dataclass
class Mixed(Places):
    """Draws a program over arrays of four numbers and what holds them."""

    simple: list[tuple[int, Callable[[Scope], Lines]]] = field(default_factory=list)
    nested: list[Callable[[Scope, int], Lines]] = field(default_factory=list)

    # Statements that write.

    def element_write(self, scope: Scope) -> Lines:
        op = self.pick(["=", "=", "+=", "*=", "-="])
        return [f"{self.where(scope)} {op} {self.scalar(scope)}"]

    def part_write(self, scope: Scope) -> Lines:
        array, size = self.some(scope)
        text, n = self.part(size)
        op = self.pick(["=", "=", "+=", "*=", "-="])
        return [f"{array}[{text}] {op} {self.array(scope, n)}"]

    def whole(self, scope: Scope) -> Lines:
        names = [n for n, size in scope.arrays.items() if size == SIZE]
        place = self.pick([*names, *self.holders(scope)])
        value = self.array(scope, SIZE)
        if self.chance(30):
            return [f"{place}[{self.pick([':', '...'])}] = {self.pick([value, '0.5'])}"]
        return [f"{place} {self.pick(['+=', '*=', '-='])} {value}"]

    def made(self, scope: Scope) -> Lines:
        value = self.new_array(scope)
        holders = self.holders(scope)
        if holders and self.chance(50):
            return [f"{self.pick(holders)} = {value}"]
        return [f"{self.target(scope, 'y', SIZE, 30)} = {value}"]

    def aliased(self, scope: Scope) -> Lines:
        """A place means what another one means."""
        source, holders = self.place(scope), self.holders(scope)
        if holders and self.chance(60):
            return [f"{self.pick(holders)} = {source}"]
        return [f"{self.target(scope, 'z', SIZE, 30)} = {source}"]

    def viewed(self, scope: Scope) -> Lines:
        if self.chance(20):
            view, n = f"{self.pick(scope.matrices)}[:, {self.position(scope, SIZE)}]", ROWS
        elif self.chance(20):
            views = [("{}.reshape(2, 2)[1]", 2), ("{}.reshape(2, 2).T[0]", 2), ("{}.ravel()", 4),
                     ("{}[None, 1:][0]", 3)]  # fmt: skip
            view, n = self.pick(views)
            view = view.format(self.place(scope))
        else:
            array, size = self.some(scope)
            text, n = self.part(size)
            view = f"{array}[{text}]"
        return [f"{self.target(scope, 'v', n, 20)} = {view}"]

    def swapped(self, scope: Scope) -> Lines:
        a, b = self.place(scope), self.place(scope)
        holders = self.holders(scope)
        if len(holders) > 1 and self.chance(60):
            a, b = self.rng.sample(holders, 2)
            return [f"{a}, {b} = {b}, {a}"]
        i, j = self.position(scope, SIZE), self.position(scope, SIZE)
        return [f"{a}[{i}], {b}[{j}] = {b}[{j}], {a}[{i}]"]

    def special(self, scope: Scope) -> Lines:
        place, a, b = self.place(scope), self.operand(scope, SIZE), self.operand(scope, SIZE)
        index = [self.rng.randrange(-SIZE, SIZE) for _ in range(3)]
        three, value = self.array(scope, 3, 1), self.array(scope, SIZE, 1)
        mask = f"{self.operand(scope, SIZE)} > 0.6"
        options = [
            f"np.multiply({a}, {b}, out={place})", f"np.sin({a}, out={place})",
            f"np.add({a}, {b}, out={place}, where={mask})",
            f"np.copyto({place}, {a}, where={mask})",
            f"{place}[{index}] = {three}", f"{place}[{index}] += {three}",
            f"np.add.at({place}, {index}, {three})", f"np.subtract.at({place}, {index}, {three})",
            f"{place}[{mask}] *= {self.atom(self.scalar(scope, 0))}", f"{place}[{mask}] = 0.6",
            f"{place}[...] = np.where({mask}, {a}, {value})", f"{place}.sort()",
            f"np.copyto({place}, {value})", f"{place}.fill({self.scalar(scope, 0)})",
        ]  # fmt: skip
        return [str(self.pick(options))]

    def number(self, scope: Scope) -> Lines:
        name = self.pick(scope.scalars)
        return [f"{name} {self.pick(['=', '+=', '*=', '-='])} {self.scalar(scope)}"]

    def cell(self, scope: Scope) -> Lines:
        """An array without axes, which is updated in place."""
        if not scope.cells or self.chance(30):
            name = self.new("t")
            line = f"{name} = np.zeros(()) + {self.atom(self.scalar(scope, 1))}"
            scope.cells.append(name)
            return [line, f"{name} = np.asarray({name})"]
        name, value = self.pick(scope.cells), self.scalar(scope, 1)
        return [f"{name} {self.pick(['+=', '*='])} {value}"]

    def rounded(self, scope: Scope) -> Lines:
        """A buffer of single precision, or of complex numbers."""
        name, a, b = self.new("z"), self.array(scope, SIZE, 1), self.operand(scope, SIZE)
        k, value = self.position(scope, SIZE), self.scalar(scope, 1)
        if self.chance(40):
            scope.arrays[name] = SIZE
            return [f"{name} = np.zeros({SIZE}, dtype=np.float32)", f"{name}[...] = {a}"]
        out = self.new("y")
        inside = [f"{name}[{k}] = {value}", f"{name} *= np.exp(1j * {b})",
                  f"{name}[1:] += 1j * {value}",
                  f"{name}[{k}] *= {name}[0]", f"{name} += {self.operand(scope, SIZE)}",
                  f"{name}[::2] = {name}[1::2]",
                  f"np.multiply({name}, 1j, out={name})"]  # fmt: skip
        ends = [f"np.abs({name}) + 0.1", f"np.real({name} * np.conj({name}))", f"np.imag({name})"]
        start = [f"{name} = {b} + 1j * {self.atom(a)}"]
        if self.chance(50):
            start = [f"{name} = np.zeros({SIZE}, dtype=complex)", f"{name}[...] = {a}"]
        chosen = [self.pick(inside) for _ in range(self.rng.randint(1, 2))]
        scope.arrays[out] = SIZE
        return [*start, *chosen, f"{out} = {self.pick(ends)}"]

    @staticmethod
    def binding(scope: Scope, lines: Lines, sizes: dict[str, int]) -> Lines:
        """`lines`, which may bind one of these names."""
        scope.arrays.update({n: k for n, k in sizes.items() if lines[0].startswith(f"{n} = ")})
        return lines

    # Containers.

    def listed(self, scope: Scope) -> Lines:
        a, b, m = self.place(scope), self.place(scope), self.pick(scope.matrices)
        value, name = self.atom(self.scalar(scope, 0)), self.new("h")
        options = [f"[{a}, {b}]", f"[{self.new_array(scope)}, {a}]", f"[r for r in {m}]",
                   f"[r * {value} for r in {m}]", f"[{a}.copy() for _ in range(3)]", f"list({m})",
                   f"[{a} * k for k in range(2)]"]  # fmt: skip
        for known in scope.lists[:2]:
            options += [f"{known} + [{a}]", f"{known}[::-1]", f"list({known})", known,
                        f"[r[::-1] for r in {known}]",
                        f"[r * {value} for r in {known}]"]  # fmt: skip
        line = f"{name} = {self.pick(options)}"
        scope.lists.append(name)
        return [line]

    def edited(self, scope: Scope) -> Lines:
        if not scope.lists:
            return self.listed(scope)
        name, value, a = self.pick(scope.lists), self.new_array(scope), self.place(scope)
        options = [
            [f"{name}.append({self.pick([value, a])})"], [f"{name}.insert(0, {a})"],
            [f"{name}.reverse()"], [f"{name}.append({name}.pop(0))"],
            [f"{name}.extend([{a}, {value}])"],
            [f"if len({name}) > 2:", f"    {name}.pop()"],
            [f"if len({name}) > 2:", f"    del {name}[0]"],
            [f"{name}[0], {name}[-1] = {name}[-1], {name}[0]"],
            [f"{self.pick(scope.matrices)}[:2] {self.pick(['=', '+='])} {name}[:2]"],
        ]  # fmt: skip
        return list(self.pick(options))

    def popped(self, scope: Scope) -> Lines:
        if not scope.lists:
            return self.listed(scope)
        name, at = self.pick(scope.lists), self.pick(["", "0"])
        lines = [f"{name}.append({self.place(scope)})"]
        return [*lines, f"{self.target(scope, 'o', SIZE, 20)} = {name}.pop({at})"]

    def paired(self, scope: Scope) -> Lines:
        name, a, b = self.new("u"), self.place(scope), self.place(scope)
        scope.tuples.append(name)
        return [f"{name} = ({a}, {b})"]

    def keyed(self, scope: Scope) -> Lines:
        a, b, value = self.place(scope), self.new_array(scope), self.scalar(scope, 0)
        options = [f"{{'p': {a}, 'q': {b}}}", f"{{'q': {a}, 'p': {self.place(scope)}}}",
                   f"dict(p={a}, q={b})", f"{{k: r * {self.atom(value)} for k, r in zip('pq', A)}}",
                   "{k: r for k, r in zip('pq', A)}", f"named(p={a}, q={b})"]  # fmt: skip
        if scope.dicts:
            d, key, out = self.pick(scope.dicts), self.pick("pq"), self.new("o")
            edits = [
                [f"{d}.update(p={a})"], [f"{d}['{key}'] = {d}.pop('{key}') * 0.5"],
                [f"{out} = {d}.get('{key}')"],
                [f"{d}.setdefault('p', {a})[0] = {value}"], [f"{d} = {{**{d}, 'p': {a}}}"],
                [f"{d}['p'], {d}['q'] = {d}['q'], {d}['p']"],
            ]  # fmt: skip
            if self.chance(60):
                return self.binding(scope, list(self.pick(edits)), {out: SIZE})
        name = self.new("d")
        scope.dicts.append(name)
        return [f"{name} = {self.pick(options)}"]

    def history(self, scope: Scope) -> Lines:
        """A list of numbers."""
        value = self.scalar(scope, 1)
        if scope.numbers and self.chance(65):
            name = self.pick(scope.numbers)
            edits = [[f"{name}.append({value})"], [f"{name}[0] *= {self.atom(value)}"],
                     [f"if len({name}) > 2:", f"    {name}.pop(0)"], [f"{name} += [{value}]"],
                     [f"{self.place(scope)}[0] += {name}[-1]"],
                     [f"{self.place(scope)}[1:3] {self.pick(['=', '+='])} {name}[:2]"]]  # fmt: skip
            return list(self.pick(edits))
        name, a = self.new("l"), self.place(scope)
        options = [f"[{value}, {self.scalar(scope, 0)}]", f"[v * {self.atom(value)} for v in {a}]",
                   "[r[0] for r in A]", f"[v for v in {a} if v > 0.5] + [{value}]",
                   f"[(q := {self.element(scope)}), q * q]", f"list({a})"]  # fmt: skip
        line = f"{name} = {self.pick(options)}"
        scope.numbers.append(name)
        return [line]

    # Objects, functions, callees.

    def tank(self, scope: Scope) -> Lines:
        if scope.tanks and (scope.loops or self.chance(75)):
            return self.changed(scope)
        name, a = self.new("c"), self.pick([self.place(scope), self.new_array(scope)])
        value = self.scalar(scope, 1)
        options = [
            f"Tank({a}, {value})",
            f"Tank({a}, {value})",
            f"Deep({a}, {value})",
            f"Tank.of({a}, {value})",
        ]
        if scope.tanks:
            other = self.pick(scope.tanks)
            options += [f"copy.copy({other})", f"copy.deepcopy({other})", other]
        line = f"{name} = {self.pick(options)}"
        scope.tanks.append(name)
        return [line]

    def changed(self, scope: Scope) -> Lines:
        """An object is changed, by itself or from outside; perhaps one of two, or each."""
        t, value, a = self.pick(scope.tanks), self.scalar(scope, 1), self.place(scope)
        name, s, whole, part = self.new("k"), self.pick(scope.scalars), self.new("g"), self.new("g")
        acts = [".level = {v}", ".depth = {v}", ".depth += {v}", ".grid *= {v}", ".grid = {a}",
                ".grid[1:] = {t}",
                "[0] = {v}", "[1] *= {v}", ".parts[0][1] += {v}", ".parts.append({a})",
                ".step({v})", "({v})",
                ".swap({a})"]  # fmt: skip
        act = str(self.pick(acts)).format(v=value, a=a, t=self.array(scope, 3, 1))
        other = self.pick(scope.tanks)
        options = [
            [f"{t}{act}"], [f"{t}{act}"], [f"{s} = {t}.step({value})"],
            [f"{s} = {t}({value}) * 0.5"],
            [f"{whole} = {t}.swap({a})"], [f"{part} = {t}.tail()"],
            [f"{s} = Tank.mean({a}, {value})"],
            [f"for {name} in ({t}, {other}):", f"    {name}{act}"],
            [f"{name} = {t} if {self.test(scope)} else {other}", f"{name}{act}"],
            [f"with {t}:", f"    {self.place(scope)}[1] = {value}"],
            [f"with {t} as {name}:", f"    {name}{act}"],
        ]  # fmt: skip
        return self.binding(scope, list(self.pick(options)), {whole: SIZE, part: 3})

    def closure(self, scope: Scope) -> Lines:
        """A function over names outside: it writes an array, binds a name, reads what changes."""
        name, value, place = self.new("fn"), self.scalar(scope, 1), self.place(scope)
        if not scope.loops and self.chance(60):
            s = self.pick(scope.scalars)
            vectors = [n for n, size in scope.arrays.items() if size == SIZE]
            y = self.pick(vectors)
            inside = self.pick([
                [f"nonlocal {s}", f"{s} = {s} * q + 0.1"], [f"{place}[0] = q * 0.5"],
                [f"nonlocal {y}", f"{y} = {y} * q"], [f"{place}[1:] *= q"], [f"nonlocal {y}",
                f"{y} *= q"],
                ["if q > 0.8:", "    raise Full", f"{place}[2] = q"], [],
            ])  # fmt: skip
            scope.functions.append(name)
            if inside == [] and self.chance(50):
                return [f"{name} = lambda q: q * {self.atom(value)}"]
            return [f"def {name}(q):", *indent([*inside, f"return q * {self.atom(value)}"])]
        known = [*scope.functions, "np.sin", f"lambda q: q * {self.atom(value)}",
                 f"adder({place}, 1)",
                 f"functools.partial(np.multiply, {self.atom(value)})"]  # fmt: skip
        options = [
            [f"{name} = [{self.pick(known)}, {self.pick(known)}]"],
            [f"{name} = adder({place}, 0)"],
        ]
        chosen = list(self.pick(options))
        (scope.choices if "[" in chosen[0][: len(name) + 4] else scope.functions).append(name)
        return chosen

    def called(self, scope: Scope) -> Lines:
        a, value, s = self.place(scope), self.scalar(scope, 1), self.pick(scope.scalars)
        b = self.place(scope)
        options: list[Callable[[], Lines]] = [
            lambda: [f"{self.target(scope, 'r', 2, 20)} = shifted({a}, {value})"],
            lambda: [f"{s} = recursive({a}, {self.pick([1, 2, 3])})"],
            lambda: [f"{self.target(scope, 'r', SIZE, 20)} = summed({a}, {b}, scale={value})"],
            lambda: [f"summed({b}, scale={value}, out={a})"],
            lambda: [f"{self.target(scope, 'r', SIZE, 20)} = summed({a}, *A)"],
            lambda: self.unpacked(scope, f"parted({a}, {value})"),
        ]
        if scope.lists:
            name = self.pick(scope.lists)
            call = self.pick([f"fill_all({name}[:2], {value})", f"found({name}, {value})"])
            options += [lambda: [f"{self.target(scope, 'r', SIZE, 20)} = {call}"]] * 2
        if scope.functions:
            options.append(lambda: [f"{s} = applied({self.pick(scope.functions)}, {value})"])
        return list(self.pick(options)())

    def unpacked(self, scope: Scope, call: str) -> Lines:
        first, second = self.new("v"), self.new("v")
        lines = [f"{first}, {second}, {self.pick(scope.scalars)} = {call}"]
        scope.arrays.update({first: 2, second: 2})
        return lines

    # Control flow. Names bound inside are not counted on outside.

    def statement(self, scope: Scope, depth: int) -> Lines:
        if depth and self.chance(15 + 10 * depth):
            return list(self.pick(self.nested)(scope, depth))
        return list(self.weighted(self.simple)(scope))

    def test(self, scope: Scope) -> str:
        options = [f"{self.where(scope)} > {self.pick(['0.4', '0.6', '0.9'])}", "w > 0.5"]
        options += [f"{loop.name} % 2 == {self.rng.randrange(2)}" for loop in scope.loops]
        options.append(f"(t := {self.where(scope)}) > 0.5 and t * {self.where(scope)} < 0.6")
        return str(self.pick(options))

    def inside(self, scope: Scope, depth: int, most: int = 2) -> Lines:
        return self.block(scope, self.rng.randint(1, most), max(depth - 1, 0))

    def early(self, scope: Scope) -> Lines:
        """Out of the loop, or of the function, now and then."""
        ways = ["break", "continue"] if scope.loops else [f"return {self.total(scope)} * s"]
        return [f"if {self.test(scope)}:", f"    {self.pick(ways)}"] if self.chance(30) else []

    def counted(self, scope: Scope, depth: int) -> Lines:
        name = self.loop_name(scope)
        inner = scope.inner(Loop(name, 0, 2))
        header = self.pick(["range(3)", "range(2, -1, -1)", "range(1, 3)", "(0, 2, 1)"])
        body = [*self.inside(inner, depth), *self.early(inner)]
        lines = [f"for {name} in {header}:", *indent(body)]
        if self.chance(15):
            lines += ["else:", *indent(self.inside(scope.inner(), 0, 1))]
        return lines

    def repeated(self, scope: Scope, depth: int) -> Lines:
        """`while`, with all that belongs to it."""
        name = self.new("n")
        inner = scope.inner(Loop(name, 1, 3))
        test = self.pick([f"{name} < 3", f"{name} < 3 and {self.test(scope.inner())}", "True"])
        ends = [f"if {name} > 3:", "    break"] if test == "True" else []
        body = [f"{name} += 1", *ends, *self.inside(inner, depth, 2), *self.early(inner)]
        lines = [f"{name} = 0", f"while {test}:", *indent(body)]
        if test != "True" and self.chance(30):
            lines += ["else:", *indent(self.inside(scope.inner(), 0, 1))]
        return lines

    def through(self, scope: Scope, depth: int) -> Lines:
        """A loop over arrays that something holds: they are written in the body."""
        name, inner, m = self.new("r"), scope.inner(), self.pick(scope.matrices)
        k, a = self.loop_name(scope), self.place(scope)
        options = [(f"for {name} in {m}:", SIZE), (f"for {name} in windows({a}):", 2),
                   (f"for {name} in touched({m}, {self.pick(scope.scalars)}):", SIZE),
                   (f"for {name} in {m}.T:", ROWS),
                   (f"for {name} in ({a}, {self.place(scope)}):", SIZE)]  # fmt: skip
        options += [(f"for {name} in {n}[:3]:", SIZE) for n in scope.lists]
        options += [(f"for {name} in {d}.values():", SIZE) for d in scope.dicts]
        header, size = self.pick(options)
        if self.chance(25):
            source = header.partition(" in ")[2][:-1]
            header = f"for {k}, {name} in enumerate({source}):"
            inner = scope.inner(Loop(k, 0, 3))
        elif scope.lists and self.chance(20):
            other = self.new("r")
            header, size = f"for {name}, {other} in zip({self.pick(scope.lists)}, {m}):", SIZE
            inner.arrays[other] = SIZE
        inner.arrays[name] = size
        op, value = self.pick(["+=", "*=", "[:] ="]), self.array(inner, size, 1)
        body = [f"{name}{'' if op.startswith('[') else ' '}{op} {value}"] if self.chance(60) else []
        return [header, *indent([*body, *self.inside(inner, depth, 2)])]

    def attempt(self, scope: Scope, depth: int) -> Lines:
        """Exceptions that are raised for some values, around writes; with all the clauses."""
        before, after = self.inside(scope.inner(), 0, 2), self.inside(scope.inner(), 0, 1)
        a, value, name = self.place(scope), self.scalar(scope, 1), self.new("v")
        inner = scope.inner()
        raising, kind = self.pick([
            ([f"if {self.test(scope)}:", "    raise Full"], "Full"),
            ([f"{name} = guarded({a}, {value})", f"{name} *= 0.5"], "ValueError"),
            ([f"{a}[0] = {a}[int({value} * 5)]"], "IndexError"),
            ([f"{self.pick(scope.scalars)} = {{0: 0.5, 1: w}}[int({value} * 3)]"], "KeyError"),
            ([f"{self.pick(scope.tanks)}.check({value})"] if scope.tanks else
             [f"if {self.test(scope)}:", "    raise ValueError('large')"], "(Full, ValueError)"),
        ])  # fmt: skip
        lines = ["try:", *indent([*before, *raising, *after])]
        if self.chance(85):
            handler = self.inside(inner, depth, 2)
            if self.chance(10):
                handler = [f"return {self.total(scope)} + s"]
            lines += [f"except {kind}:", *indent(handler)]
            if self.chance(25):
                lines += ["else:", *indent(self.inside(scope.inner(), 0, 1))]
            if self.chance(25):
                lines += ["finally:", *indent(self.inside(scope.inner(), 0, 1))]
            return lines
        last = ["finally:", *indent(self.inside(scope.inner(), 0, 1))]
        if self.chance(50):
            last = [f"except {kind} as error:", "    raise ValueError('again') from error"]
        whole = ["try:", *indent([*lines, *last]), "except (ValueError, LookupError):"]
        return [*whole, *indent(self.inside(inner, 0, 1))]

    def within(self, scope: Scope, depth: int) -> Lines:
        """`with` a manager: one that writes, before and after, or that keeps exceptions back."""
        name, inner = self.new("v"), scope.inner()
        if self.chance(70):
            body, after = self.inside(inner, depth, 2), self.inside(scope.inner(), 0, 1)
            if self.chance(50):
                return ["with np.errstate(all='ignore'):", *indent(body)]
            raising = [f"if {self.test(scope)}:", "    raise Full"]
            return ["with contextlib.suppress(ValueError):", *indent([*body, *raising, *after])]
        inner.arrays[name] = 3
        place = self.pick([n for n, size in scope.arrays.items() if size == SIZE])
        header = f"with scaled({place}, {self.pick(scope.scalars)}) as {name}:"
        return [header, *indent(self.inside(inner, depth, 2))]

    def cases(self, scope: Scope, depth: int) -> Lines:
        k = f"int({self.where(scope)} * 3) % 3"
        lines = [f"match {k}:"]
        for case in ("0", "1", "_"):
            lines += [f"    case {case}:", *indent(indent(self.inside(scope.inner(), depth, 1)))]
        return lines

    # Programs.

    def program(self) -> str:
        scope = Scope({"x": SIZE}, ["w", "s"])
        features = [
            (4, self.special), (3, self.cell), (4, self.rounded), (5, self.listed),
            (6, self.edited),
            (3, self.popped), (3, self.paired), (6, self.keyed), (4, self.history), (8, self.tank),
            (6, self.closure), (6, self.called), (3, self.swapped),
        ]  # fmt: skip
        always = [(4, self.element_write), (5, self.part_write), (4, self.whole), (3, self.made),
                  (3, self.aliased), (4, self.viewed), (2, self.number)]  # fmt: skip
        self.simple = [*always, *self.rng.sample(features, self.rng.randint(2, 5))]
        nests = [self.repeated, self.through, self.attempt, self.cases, self.attempt, self.within]
        self.nested = [self.branch, self.counted, *self.rng.sample(nests, self.rng.randint(1, 3))]
        lines = ["s = 0.5"]
        if self.chance(50):
            lines.append("x = x.copy()")
        if self.chance(50):
            lines.append(f"A = A {self.pick(['* 1.0', '* w', '+ x'])}")
        lines += self.block(scope, self.rng.randint(2, 2 + self.budget // 2), self.depth)
        terms = [self.total(scope) for _ in range(3)] + [f"np.sum({self.pick(scope.arrays)})"]
        result = " + ".join([*terms, "np.sum(x * 0.5)", "np.sum(A * x)", "s"])
        return "\n".join(["def f(x, A, w):", *indent([*lines, f"return {result}"]), ""])


def generate(rng: random.Random, budget: int = 8) -> str:
    """The source of a random function `f(x, A, w)`."""
    return Mixed(rng, budget).program()


def arguments(seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """Arguments for a generated function."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.3, 1.0, SIZE), rng.uniform(0.3, 1.0, (ROWS, SIZE)), 0.7
