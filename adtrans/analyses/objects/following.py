"""What is known while objects are followed, and how it grows: nothing is ever taken back.

Objects that one variable means in turn are one abstract object; what a lost object holds is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adtrans.analyses.bound_methods import bound_methods
from adtrans.analyses.liveness import liveness
from adtrans.analyses.objects.constructions import first_uses
from adtrans.analyses.objects.displays import CONTAINERS, constants, displays
from adtrans.analyses.objects.method_objects import handed_methods
from adtrans.analyses.objects.model import OTHER, Key, Path, Shape, maker
from adtrans.analyses.objects.object_facts import Functions, Objects
from adtrans.analyses.objects.reasons import Reason
from adtrans.analyses.objects.spelling import classes_of
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, statements

_IN_USE = "another one is made while it is still in use"


AGAIN = "a cached function returns the same object once more"

class Following:
    """The objects found so far in one function."""

    def __init__(
        self,
        fn: S.Function,
        params: Mapping[str, Shape],
        functions: Functions,
    ) -> None:
        self.fn, self.functions = fn, functions
        self.live = liveness(fn)
        self.o = Objects()
        for p in fn.params:  # a function, a number: `a if c else p` may mean it
            self.o.values[p.name] = {OTHER}
        self.remembered: set[Key] = set()  # what functions return again
        self.changed = True
        self.span: Span | None = None  # of the statement that is looked at
        self.interrupted = may_be_interrupted(fn)
        self.first_uses = first_uses(fn.body)
        self.displays = displays(fn.body)
        self.o.consts.update(constants(fn))
        self.classes = classes_of(fn)
        self.methods = bound_methods(fn)
        self.handed = handed_methods(fn)
        names = {v for s in statements(fn.body) for v in binds_of(s)}
        self.own = frozenset(v for v in names if fn.source_name(v) in fn.reserved)
        for name, shape in params.items():
            self.o.values[name] = {("param", name)}
            self.enter(("param", name), shape)

    def enter(self, key: Key, shape: Shape) -> None:
        """An object comes into sight, with those among its attributes."""
        if key in self.o.classes:
            return
        self.o.classes[key] = shape.cls
        if shape.origin is not None:
            self.o.origins[key] = shape.origin
        if shape.cls in CONTAINERS:
            self.o.items[key] = shape.items
        self.o.plain |= {(key, attr) for attr in shape.plain}
        for attr in shape.cells:
            self.write(key, attr, own=False)
        for attr, inner in shape.inner:
            held: Key = ("attribute", key, attr)
            self.add_content(key, attr, {held})
            self.enter(held, inner)

    def add(self, var: str | None, keys: set[Key]) -> None:
        if var is None:
            return
        known = self.o.values.setdefault(var, set())
        if not keys <= known:
            known |= keys
            self.changed = True

    def add_content(self, key: Key, attr: str, keys: set[Key]) -> None:
        known = self.o.contents.setdefault((self.o.one(key), attr), set())
        if not keys <= known:
            known |= keys
            self.changed = True

    def write(self, key: Key, attr: str, *, own: bool = True) -> None:
        """An attribute is assigned, or what it means may be written. `own`: by this function."""
        if own and self.is_remembered(key):
            self.lose({key}, AGAIN)
        known = self.o.written.setdefault(self.o.one(key), set())
        if attr not in known:
            known.add(attr)
            self.changed = True

    def is_remembered(self, key: Key) -> bool:
        """Whether a function that remembers what it returns may return the object once more."""
        return self.o.one(maker(key)) in {self.o.one(k) for k in self.remembered}

    def check_remembered(self) -> None:
        """What others than this function see of such an object may be written there."""
        if not self.remembered:
            return
        values = [v for s in statements(self.fn.body) if isinstance(s, S.Return) for v in s.values]
        seen = {k for v in values for k in self.o.values_of(v) if k[0] not in ("part", "other")}
        seen |= {k for k in self.o.classes if maker(k)[0] in ("param", "global")}
        below = {k for key in seen for k in self.ways_down(key)}
        self.lose({k for k in self.remembered if self.o.one(k) in below}, AGAIN)

    def lose(self, keys: set[Key], why: str) -> None:
        for k in keys:
            key = self.o.one(k[1] if k[0] == "part" else k)  # type: ignore[arg-type]  # the owner
            if k[0] != "part" and key != OTHER and key not in self.o.lost:
                if self.span is not None and not isinstance(why, Reason):
                    why = Reason(why, self.span)
                self.o.lost[key] = why
                self.changed = True

    def lose_names(self, names: Iterable[str], why: str) -> None:
        for n in names:
            self.lose(self.o.values.get(n, set()), why)

    def touch(self, e: E.Expr) -> None:
        """What `e` refers to may be written: if it is a part of an attribute, that one is. Items of
        tuples are never assigned."""
        for k in self.o.values_of(e):
            owner = self.o.one(k[1]) if k[0] == "part" else None  # type: ignore[arg-type]  # a key
            if owner is not None and self.o.classes[owner] is not tuple:
                self.write(k[1], str(k[2]))  # type: ignore[arg-type]  # ("part", key, attr)

    def parts(self, names: Iterable[str]) -> set[Key]:
        return {k for n in names for k in self.o.values.get(n, set()) if k[0] == "part"} or {OTHER}

    def ways_down(self, key: Key, around: frozenset[Key] = frozenset()) -> list[Key]:
        """An object and all that are reached from it, once for each way."""
        own = self.o.one(key)
        if own in around:
            return []
        found = [own]
        for (owner, _), keys in list(self.o.contents.items()):
            if owner == own:
                for k in keys:
                    if k[0] not in ("part", "other"):
                        found += self.ways_down(k, around | {own})
        return found

    def above(self, key: Key) -> set[Key]:
        """An object and all from which it is reached."""
        found = {key}
        while True:
            more = {
                self.o.one(owner)
                for (owner, _), keys in self.o.contents.items()
                if found & {self.o.one(k) for k in keys if k[0] != "part"}
            } - found
            if not more:
                return found
            found |= more

    def reach(self, key: Key | None, path: Path) -> Key | None:
        for attr in path:
            key = None if key is None else self.o.inner(key, attr)
        return None if key is None else self.o.one(key)

    def unite(self) -> None:
        """New objects of one class that one variable means in turn are one abstract object."""
        o = self.o
        named = [*o.values.items(), *((None, keys) for keys in o.contents.values())]
        for var, keys in named:
            found = sorted(o.told(keys), key=repr)
            if len(found) < 2:
                continue
            same = OTHER not in found and len({o.classes.get(k) for k in found}) == 1
            same = same and len({o.items.get(k) for k in found}) == 1
            if not same or any(maker(k)[0] not in ("new", "result", "made") for k in found):
                self.lose(set(found), self.bound_last(var, "a variable may mean several objects"))
                continue
            first = found[0]
            for k in found[1:]:
                o.same[k] = first
                self.changed = True
                for attr in o.written.pop(k, set()):
                    self.write(first, attr, own=False)
                for owner, attr in [c for c in o.contents if c[0] == k]:
                    self.add_content(first, attr, o.contents.pop((owner, attr)))
                if k in o.lost:
                    self.lose({first}, o.lost[k])

    def bound_last(self, var: str | None, why: str) -> str:
        """`why` with the last statement that binds a variable."""
        at = [s.span for s in statements(self.fn.body) if var is not None and var in binds_of(s)]
        return Reason(why, at[-1]) if at else why

    def close(self) -> None:
        """What a lost object holds is lost, too."""
        for (owner, _), held in list(self.o.contents.items()):
            if owner in self.o.lost:
                self.lose(held - {OTHER}, self.o.lost[owner])

    def check_live(self) -> None:
        """An object that is made again while the one before it is still in use is lost."""
        o, live = self.o, self.live
        loops = [s for s in statements(self.fn.body) if isinstance(s, S.For | S.While)]
        again = {t.site for loop in loops for t in statements((loop,))}
        several = {o.one(k) for k in o.same}
        for s in statements(self.fn.body):
            made = [
                o.one(k)
                for k in o.classes
                if (first := maker(k))[0] in ("new", "result", "made") and first[1] == s.site
            ]
            for key in set(made):
                if made.count(key) > 1:  # such as those that a callee returns in a tuple
                    self.lose({key}, Reason(_IN_USE, s.span))
                    continue
                if s.site not in again and key not in several:
                    continue
                later = live.out.get(s.site, frozenset()) - {*binds_of(s)}
                holders = self.above(key)
                users = {v for v, ks in o.values.items() if holders & {o.one(k) for k in ks}}
                if users & later:
                    self.lose({key}, Reason(_IN_USE, s.span))


def may_be_interrupted(fn: S.Function) -> frozenset[int]:
    """The statements in which an exception may come that is noticed in the function: by a handler,
    or by what `finally` does."""
    found: set[int] = set()
    for s in statements(fn.body):
        if isinstance(s, S.Try):
            bodies = [s.body]
            if s.final:
                bodies += [s.orelse, *(h.body for h in s.handlers)]
            found |= {t.site for b in bodies for t in statements(b)}
    return frozenset(found)


def reason(s: S.Stmt) -> str:
    match s:
        case S.Pack():
            return "it is put into a tuple or list"
        case S.For():
            return "a loop runs over it"
        case S.Keep():
            return f"`{s.text}` is not followed"
        case S.Invoke(fn=fn) | S.Bind(value=E.Call(fn=fn)):
            return f"it is passed to `{E.text(fn)}`"
        case S.Edit(op=op):
            return f"`{op}` of what holds it is not followed"
        case _:
            return "it is used here in a way that is not followed"
