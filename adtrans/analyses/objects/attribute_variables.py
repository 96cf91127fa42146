"""The variables that stand for attributes of objects: their names, and which objects hold which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from adtrans.analyses.objects.displays import label, shown
from adtrans.analyses.objects.model import Key, Path, Place, Root, Shape, maker
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, statements
from adtrans.source.method_classes import stands_for_function


@dataclass(frozen=True)
class Expanded:
    """A function with variables for attributes. `fn`: what to call for its value, with the further
    arguments `ins` (names and what they are); its result is a tuple with `outs` and the attributes
    `result` of the object that it returns behind the value."""

    fn: E.Ref
    ins: tuple[tuple[str, Place], ...]
    outs: tuple[Place, ...]
    result: tuple[tuple[Path, str], ...]

    @property
    def several(self) -> bool:
        """Whether the result is a tuple with more than the value."""
        return bool(self.outs or self.result)


class Expansions(Protocol):
    """What is asked about the functions that are called."""

    def expanded(
        self,
        fn: object,
        shapes: Mapping[str, Shape],
        cells: frozenset[Place],
    ) -> Expanded | None:
        """The function with variables for `cells`; None where it needs none."""

    def named(self, fn: object) -> E.Ref:
        """A name for a function as it is."""

    def sets_in_class(self, attr: str) -> bool:
        """Whether a function of the program assigns this attribute of a class."""


@dataclass(frozen=True)
class Body:
    """A rewritten function: further parameters, what it assigns, what it returns. `undefined`:
    objects that may lack an attribute that is read."""

    fn: S.Function
    ins: tuple[tuple[str, Place], ...]
    outs: tuple[Place, ...]
    result: tuple[tuple[Path, str], ...]
    undefined: frozenset[Key]


class Cells:
    """The variables of one function. `cells`: the attributes of each object that are followed;
    `callee`: the function is made for what its callers give it."""

    def __init__(
        self,
        fn: S.Function,
        objects: Objects,
        cells: Mapping[Key, set[str]],
        functions: Expansions,
        *,
        callee: bool = False,
    ) -> None:
        self.callee = callee
        self.fn, self.o, self.cells, self.functions = fn, objects, cells, functions
        self.names = NameAllocator(
            {fn.source_name(v) for s in statements(fn.body) for v in binds_of(s)}
            | {p.name for p in fn.params}
            | fn.reserved
        )
        self.variables: dict[tuple[Key, str], str] = {}
        self.stems: dict[Key, str] = {}
        self.site = max((s.site for s in statements(fn.body)), default=0)
        self.spelled_out: set[int] = set()
        self.tuples: set[str] = set()

    def cell(self, key: Key, attr: str) -> str:
        """The variable of an attribute."""
        at = (self.o.one(key), attr)
        if at not in self.variables:
            self.variables[at] = self.names.fresh(f"{self.stem(at[0])}_{label(attr)}")
        return self.variables[at]

    def stem(self, key: Key) -> str:
        """How an object is called."""
        if key not in self.stems:
            match key:
                case ("param", str() as name):
                    self.stems[key] = name
                case ("global", int() as number):
                    self.stems[key] = self.o.refs[number].ref.text.replace(".", "_")
                case ("attribute", tuple() as owner, str() as attr):
                    self.stems[key] = f"{self.stem(owner)}_{attr}"
                case _:
                    users = (v for v, ks in self.o.values.items() if key in map(self.o.one, ks))
                    own = [n for v in users if (n := self.fn.source_name(v)) in self.fn.reserved]
                    self.stems[key] = own[0] if own else self.o.classes[key].__name__.lower()
        return self.stems[key]

    def written(self, key: Key) -> E.Expr:
        """How the user writes an object."""
        match key:
            case ("global", int() as number):
                return self.o.refs[number].ref
            case ("attribute", tuple() as owner, str() as attr):
                return shown(self.written(owner), attr)
            case _:
                return E.Name(self.stem(key))

    def has(self, key: Key | None, attr: str) -> bool:
        """Whether an attribute is followed."""
        return key is not None and attr in self.cells.get(self.o.one(key), ())

    def followed(self, e: E.Expr) -> Key | None:
        """The followed object that an atom means."""
        key = self.o.of(e) if E.is_atom(e) else None
        return key if key is not None and self.o.one(key) in self.cells else None

    def is_told_here(self, e: E.Expr) -> bool:
        """Whether the class of the object that an atom means is known here only, not by its kind:
        it is what callers give."""
        key = self.o.of(e) if E.is_atom(e) else None
        if key is None or self.o.one(key) in self.o.lost:
            return False
        if stands_for_function(self.o.classes[key]):
            return False
        return self.callee and maker(key)[0] == "param"

    def below(self, key: Key) -> list[tuple[Path, str]]:
        """The followed attributes of an object and of those that it holds."""
        found: list[tuple[Path, str]] = []
        for attr in sorted(self.cells.get(self.o.one(key), ())):
            found.append(((), attr))
            held = self.o.inner(key, attr)
            if held is not None and self.o.one(held) in self.cells:
                found += [((attr, *p), a) for p, a in self.below(held)]
        return found

    def reached(self, key: Key, path: Path, attr: str) -> Key | None:
        """The object that an attribute holds, which is reached from another one."""
        for step in path:
            held = self.o.inner(key, step)
            assert held is not None
            key = held
        return self.o.inner(key, attr)

    def at(self, key: Key, path: Path, attr: str) -> str:
        """The variable of an attribute that is reached from an object."""
        for step in path:
            held = self.o.inner(key, step)
            assert held is not None
            key = held
        return self.cell(key, attr)

    def root(self, root: Root) -> Key:
        return (root[0], root[1])

    def below_outside(
        self, key: Key, around: frozenset[Key] = frozenset()
    ) -> list[tuple[Path, str]]:
        """The followed attributes of an object and of all objects that are reached from it, those
        `around` left out."""
        around |= {self.o.one(key)}
        found = [((), attr) for attr in sorted(self.cells.get(self.o.one(key), ()))]
        inner: list[tuple[Path, str]] = []
        for owner, attr in list(self.o.contents):
            held = self.o.inner(key, attr) if owner == self.o.one(key) else None
            if held is None or self.o.one(held) in around:
                continue  # objects in a ring
            if self.o.one(held) in self.cells:
                inner += [((attr, *p), a) for p, a in self.below_outside(held, around)]
        return [*found, *inner]
